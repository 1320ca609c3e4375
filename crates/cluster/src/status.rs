//! The status that OLM writes into its objects: states, conditions and phases.
//!
//! Follows operator-framework/api `pkg/operators/v1alpha1/subscription_types.go`.

use crate::managed::Manager;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A Subscription's `status`, and what its labels and annotations tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionStatus {
    pub state: SubscriptionState,
    /// The name in `status.installPlanRef`, if there is one.
    pub install_plan: Option<Arc<str>>,
    /// `status.installPlanGeneration`
    pub install_plan_generation: u32,
    /// The annotation `olm.generated-by`: the InstallPlan that created the Subscription for a dependency.
    pub generated_by: Option<Arc<str>>,
    /// What keeps the Subscription as it is written elsewhere, by its labels and annotations.
    pub managed_by: Option<Manager>,
    /// `status.conditions` of the types that OLM sets.
    pub conditions: BTreeMap<ConditionType, Condition>,
}

macro_rules! words {
    ($($(#[$doc:meta])* $type:ident { $($(#[$item:meta])* $name:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $type { $($(#[$item])* $name,)* }

        impl $type {
            /// The word in the API.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// The value for a word of the API; `None` for other words.
            #[must_use]
            pub fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$name),)* _ => None }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}

words! {
    /// `status.state` of a Subscription.
    #[derive(Default)]
    SubscriptionState {
        /// Not resolved yet, or its InstallPlan was deleted.
        #[default]
        None = "",
        /// Part of the API, but OLM never sets it.
        UpgradeAvailable = "UpgradeAvailable",
        /// `currentCSV` does not exist yet.
        UpgradePending = "UpgradePending",
        /// The InstallPlan failed, and the OperatorGroup allows to fail forward.
        UpgradeFailed = "UpgradeFailed",
        /// `currentCSV` exists, in any phase. It need not be the head of the channel.
        AtLatestKnown = "AtLatestKnown",
    }

    /// The type of a Subscription's condition.
    ConditionType {
        /// Whether a CatalogSource that the namespace sees is unhealthy.
        CatalogSourcesUnhealthy = "CatalogSourcesUnhealthy",
        /// The namespace cannot be resolved.
        ResolutionFailed = "ResolutionFailed",
        /// The InstallPlan is not complete.
        InstallPlanPending = "InstallPlanPending",
        /// The InstallPlan failed.
        InstallPlanFailed = "InstallPlanFailed",
        /// The InstallPlan no longer exists.
        InstallPlanMissing = "InstallPlanMissing",
        /// Bundles are being unpacked.
        BundleUnpacking = "BundleUnpacking",
        /// A bundle could not be unpacked.
        BundleUnpackFailed = "BundleUnpackFailed",
        /// The installed bundle, its channel or its package is deprecated.
        Deprecated = "Deprecated",
        /// The package is deprecated.
        PackageDeprecated = "PackageDeprecated",
        /// The channel of the Subscription is deprecated.
        ChannelDeprecated = "ChannelDeprecated",
        /// The installed bundle is deprecated.
        BundleDeprecated = "BundleDeprecated",
    }

    /// `status` of a condition.
    ConditionStatus {
        /// The condition is met.
        True = "True",
        /// The condition is not met.
        False = "False",
        /// OLM does not know.
        Unknown = "Unknown",
    }

    /// `status.phase` of an InstallPlan.
    PlanPhase {
        /// Not synchronised yet.
        None = "",
        /// Part of the API; OLM creates plans with all their steps today.
        Planning = "Planning",
        /// Waits for the approval of a user.
        RequiresApproval = "RequiresApproval",
        /// Its objects are being created.
        Installing = "Installing",
        /// All its objects exist.
        Complete = "Complete",
        /// OLM could not create its objects in time.
        Failed = "Failed",
    }

    /// `status.phase` of a ClusterServiceVersion.
    CsvPhase {
        /// Just created.
        None = "",
        /// Waits for its requirements, and for the CSV that it replaces to be in phase `Replacing`.
        Pending = "Pending",
        /// All requirements are met.
        InstallReady = "InstallReady",
        /// Its deployments are being created.
        Installing = "Installing",
        /// The operator runs.
        Succeeded = "Succeeded",
        /// The operator does not run.
        Failed = "Failed",
        /// Another CSV replaces it.
        Replacing = "Replacing",
        /// The CSV that replaces it runs, so it is being deleted.
        Deleting = "Deleting",
        /// OLM does not know.
        Unknown = "Unknown",
    }

    /// `status.reason` of a ClusterServiceVersion in phase `Failed` that does not fit the OperatorGroup of its namespace
    /// (operator-framework/api `pkg/operators/v1alpha1/clusterserviceversion_types.go`).
    GroupMismatch {
        /// The namespace has no OperatorGroup.
        NoOperatorGroup = "NoOperatorGroup",
        /// The namespace has several.
        TooManyOperatorGroups = "TooManyOperatorGroups",
        /// The selector of the group matches no namespace.
        NoTargetNamespaces = "NoTargetNamespaces",
        /// The CSV lists an install mode twice.
        InvalidInstallModes = "InvalidInstallModes",
        /// The CSV does not support to watch the namespaces of the group.
        UnsupportedOperatorGroup = "UnsupportedOperatorGroup",
        /// The group fixes its APIs, and the CSV changes them.
        StaticProvidedApis = "CannotModifyStaticOperatorGroupProvidedAPIs",
        /// A group that watches one of the same namespaces provides the same API.
        IntersectingGroups = "InterOperatorGroupOwnerConflict",
    }
}

/// A condition without its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Whether the condition is met.
    pub status: ConditionStatus,
    /// The reason as one word; empty if there is none.
    pub reason: Box<str>,
    /// The text for users; empty if there is none.
    pub message: Box<str>,
}

impl Condition {
    /// A condition that is met.
    pub fn is_true(reason: &str, message: impl Into<Box<str>>) -> Self {
        Self { status: ConditionStatus::True, reason: reason.into(), message: message.into() }
    }
}
