//! What OLM does in a namespace of a cluster, and whether the namespace goes on by itself.

use crate::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whether a namespace goes on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// OLM does the next step by itself, or there is none.
    Acts,
    /// Somebody has to approve, to decide, or to change an object.
    Waits,
    /// A transition that ends by itself.
    Passes,
    /// Nothing that OLM does ends it.
    Stuck,
    /// An object that decides is not in the input.
    Unknown,
}

impl Verdict {
    /// The verdict as words in front of its reason.
    #[must_use]
    pub const fn as_words(self) -> &'static str {
        match self {
            Self::Acts => "acts by itself",
            Self::Waits => "waits for you",
            Self::Passes => "continues on its own",
            Self::Stuck => "stuck",
            Self::Unknown => "unknown",
        }
    }

    /// How bad it is; `None` if nothing is wrong.
    #[must_use]
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Acts => None,
            Self::Waits => Some(Severity::Warning),
            Self::Passes | Self::Unknown => Some(Severity::Hint),
            Self::Stuck => Some(Severity::Error),
        }
    }

    /// How much attention it needs, from 0, the most.
    #[must_use]
    pub const fn attention(self) -> usize {
        match self {
            Self::Stuck => 0,
            Self::Waits => 1,
            Self::Unknown => 2,
            Self::Passes => 3,
            Self::Acts => 4,
        }
    }
}

/// Defines the states, each with its name for programs and its verdict.
macro_rules! states {
    ($($(#[$doc:meta])* $state:ident = $id:literal: $verdict:ident,)*) => {
        /// What decides about a namespace. Its name is what JSON has as `reason`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
        pub enum StateId {
            $($(#[$doc])* #[serde(rename = $id)] $state,)*
        }

        impl StateId {
            /// All states, in the order in which they are defined.
            pub const ALL: &[Self] = &[$(Self::$state,)*];

            /// The name for programs.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$state => $id,)*
                }
            }

            /// Whether a namespace in this state goes on by itself.
            #[must_use]
            pub const fn verdict(self) -> Verdict {
                match self {
                    $(Self::$state => Verdict::$verdict,)*
                }
            }
        }
    };
}

states! {
    /// The namespace is being deleted.
    NamespaceTerminating = "namespace-terminating": Stuck,
    /// CSVs, and no Subscription that updates them.
    NoSubscription = "no-subscription": Waits,
    /// CSVs, and the input ends before it could tell of Subscriptions.
    SubscriptionsUnknown = "subscriptions-unknown": Unknown,
    NoOperatorGroup = "no-operator-group": Stuck,
    SeveralOperatorGroups = "several-operator-groups": Stuck,
    /// The ServiceAccount of the OperatorGroup does not exist, so that the group has no targets.
    OperatorGroupAccount = "operator-group-account": Stuck,
    /// OLM cannot read an annotation of the OperatorGroup.
    OperatorGroupAnnotation = "operator-group-annotation": Stuck,
    /// A generated Subscription names an InstallPlan that does not exist.
    GeneratingPlanGone = "generating-plan-gone": Stuck,
    /// A generated Subscription has no CSV, and its InstallPlan does not make one.
    GeneratedWithoutCsv = "generated-without-csv": Stuck,
    PlanExecutes = "install-plan-executes": Passes,
    /// An InstallPlan is executed again and again, because a step fails. OLM gives up after a minute.
    PlanRetries = "install-plan-retries": Passes,
    /// The same with an error that OLM does not give up.
    PlanRetriesForever = "install-plan-retries-forever": Stuck,
    PlanWaits = "install-plan-waits": Waits,
    PlanFailed = "install-plan-failed": Stuck,
    /// An InstallPlan has neither status nor steps.
    PlanEmpty = "install-plan-empty": Stuck,
    /// A Subscription names an InstallPlan that does not exist.
    PlanGone = "install-plan-gone": Stuck,
    /// The CSV of a Subscription does not exist, and no InstallPlan is left to make it.
    CsvGone = "csv-gone": Stuck,
    Unpacking = "bundle-unpacking": Passes,
    UnpackFailed = "bundle-unpack-failed": Stuck,
    /// A CSV is being installed, also in the place of another one.
    CsvInstalls = "csv-installs": Passes,
    /// A CSV that no Subscription names is being deleted.
    CsvTerminating = "csv-terminating": Passes,
    /// The CSV of a Subscription is being deleted, and OLM does not install it again.
    CsvDeleted = "csv-deleted": Stuck,
    /// The operator of a CSV forbids its update.
    NotUpgradeable = "operator-not-upgradeable": Waits,
    /// The requirements of a CSV are not met.
    CsvRequirements = "csv-requirements": Stuck,
    CsvFailed = "csv-failed": Stuck,
    /// A CSV is being replaced by one that does not exist.
    ReplacementGone = "csv-replacement-gone": Stuck,
    /// CSVs that replace each other wait for each other.
    CsvChain = "csv-chain": Stuck,
    /// A CSV that no Subscription names is in the way.
    CsvWithoutSubscription = "csv-without-subscription": Stuck,
    /// OLM does not reach a CatalogSource.
    CatalogNotReached = "catalog-not-reached": Stuck,
    CatalogConnects = "catalog-connects": Passes,
    /// A catalog that a Subscription names is not loaded, so that nobody can tell what a resolution leads to.
    CatalogNotLoaded = "catalog-not-loaded": Unknown,
    /// A Subscription reports that the resolution failed, and a catalog is not loaded.
    ReportedFailure = "resolution-reported-as-failed": Stuck,
    ResolutionFails = "resolution-fails": Stuck,
    /// OLM makes an InstallPlan, which needs no approval.
    NewPlan = "new-install-plan": Acts,
    /// OLM makes an InstallPlan, which then waits for approval.
    NewPlanWaits = "new-install-plan-waits": Waits,
    /// Nothing is left to do.
    UpToDate = "up-to-date": Acts,
}

impl fmt::Display for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
