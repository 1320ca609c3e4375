//! EventKind OLM writes into a Subscription's status, beside the names of its CSVs.
//!
//! Follows operator-framework/api `pkg/operators/v1alpha1/subscription_types.go`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A Subscription's `status` and the annotation that links it to its plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionStatus {
    /// `status.state`
    pub state: SubscriptionState,
    /// The name of `status.installPlanRef`; absent when there is none.
    pub install_plan: Option<Arc<str>>,
    /// `status.installPlanGeneration`
    pub install_plan_generation: u32,
    /// The annotation `olm.generated-by`: the InstallPlan that created the Subscription for a dependency.
    pub generated_by: Option<Arc<str>>,
    /// `status.conditions` of the types that OLM sets.
    pub conditions: BTreeMap<ConditionType, Condition>,
}

macro_rules! words {
    ($($(#[$doc:meta])* $type:ident { $($(#[$item:meta])* $name:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $type { $($(#[$item])* $name,)* }

        impl $type {
            /// As the API writes it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// What the API means by `word`; nothing for a word that it does not have.
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
        /// Not resolved yet, or its plan was deleted.
        #[default]
        None = "",
        /// In the API, but OLM never sets it.
        UpgradeAvailable = "UpgradeAvailable",
        /// `currentCSV` does not exist yet.
        UpgradePending = "UpgradePending",
        /// The plan failed, and the OperatorGroup allows to fail forward.
        UpgradeFailed = "UpgradeFailed",
        /// `currentCSV` exists, in whatever phase; says nothing about the head of the channel.
        AtLatestKnown = "AtLatestKnown",
    }

    /// The type of a Subscription's condition.
    ConditionType {
        /// Whether a CatalogSource that the namespace sees is unhealthy.
        CatalogSourcesUnhealthy = "CatalogSourcesUnhealthy",
        /// The namespace cannot be resolved.
        ResolutionFailed = "ResolutionFailed",
        /// The plan is not through.
        InstallPlanPending = "InstallPlanPending",
        /// The plan failed.
        InstallPlanFailed = "InstallPlanFailed",
        /// The plan does not exist any more.
        InstallPlanMissing = "InstallPlanMissing",
        /// Bundles are being fetched.
        BundleUnpacking = "BundleUnpacking",
        /// A bundle could not be fetched.
        BundleUnpackFailed = "BundleUnpackFailed",
        /// Something about the installed bundle is deprecated.
        Deprecated = "Deprecated",
        /// Its package is.
        PackageDeprecated = "PackageDeprecated",
        /// The Subscription's channel is.
        ChannelDeprecated = "ChannelDeprecated",
        /// The bundle itself is.
        BundleDeprecated = "BundleDeprecated",
    }

    /// `status` of a condition.
    ConditionStatus {
        /// It holds.
        True = "True",
        /// It does not.
        False = "False",
        /// OLM cannot tell.
        Unknown = "Unknown",
    }

    /// `status.phase` of an InstallPlan.
    PlanPhase {
        /// Not looked at yet.
        None = "",
        /// In the API; plans of today are made complete.
        Planning = "Planning",
        /// Waits for a user.
        RequiresApproval = "RequiresApproval",
        /// Its objects are being created.
        Installing = "Installing",
        /// All its objects exist.
        Complete = "Complete",
        /// Could not create its objects in time.
        Failed = "Failed",
    }

    /// `status.phase` of a ClusterServiceVersion.
    CsvPhase {
        /// Just created.
        None = "",
        /// Waits for what it requires, and for the CSV that it replaces to make way.
        Pending = "Pending",
        /// Nothing is missing.
        InstallReady = "InstallReady",
        /// Its deployments are on their way.
        Installing = "Installing",
        /// The operator runs.
        Succeeded = "Succeeded",
        /// The operator does not run.
        Failed = "Failed",
        /// Another CSV replaces it.
        Replacing = "Replacing",
        /// The other one has taken over.
        Deleting = "Deleting",
        /// OLM cannot tell.
        Unknown = "Unknown",
    }
}

/// A condition without its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Whether it holds.
    pub status: ConditionStatus,
    /// One word why; empty when there is none.
    pub reason: Box<str>,
    /// A text for users; empty when there is none.
    pub message: Box<str>,
}

impl Condition {
    pub(crate) fn holds(reason: &str, message: impl Into<Box<str>>) -> Self {
        Self { status: ConditionStatus::True, reason: reason.into(), message: message.into() }
    }
}
