//! What happens on the cluster, as values: which object, and what about it.

use std::sync::Arc;

use catalog::BundleName;
use resolver::{CatalogKey, GaveUp};

use crate::cluster::Approval;
use crate::plan::{GeneratedSubscription, NewBundle};
use crate::status::{Condition, ConditionType, CsvPhase, PlanPhase, SubscriptionState};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// To which object.
    pub object: Object,
    /// What.
    pub kind: EventKind,
}

/// An object of the namespace, or the namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    /// The namespace as a whole.
    Namespace,
    /// A CatalogSource, of this or the global namespace.
    CatalogSource(CatalogKey),
    /// A Subscription.
    Subscription(Arc<str>),
    /// An InstallPlan.
    InstallPlan(Arc<str>),
    /// A ClusterServiceVersion.
    Csv(BundleName),
}

/// What happened to an object.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// OLM synchronised the namespace and went no further than this. Told once for several that end alike.
    Synced(SyncResult),
    /// The namespace was resolved.
    ResolutionSucceeded {
        /// The new bundles, those that are up to date too.
        selected: Vec<NewBundle>,
        /// Whether a plan follows: only if a Subscription moves.
        plan: bool,
    },
    /// The namespace cannot be resolved.
    ResolutionFailed {
        /// The condition's reason.
        reason: FailureReason,
        /// OLM's text.
        message: String,
        /// Whether it passes by itself, once the CSVs that are under way have arrived: an old CSV, that its Subscription
        /// has already left, is in the way until it is deleted.
        transient: bool,
    },
    /// We cannot tell what OLM does.
    CannotTell(GaveUp),
    /// A plan was created.
    PlanCreated {
        /// `spec.generation`
        generation: u32,
        /// `spec.approval`
        approval: Approval,
        /// `spec.clusterServiceVersionNames`
        csvs: Vec<BundleName>,
        /// The Subscriptions that it creates.
        generated: Vec<GeneratedSubscription>,
    },
    /// A plan waits for somebody to approve it.
    PlanWaits,
    /// Somebody approved it.
    PlanApproved,
    /// A plan came from one phase to another.
    PlanPhase {
        /// The old phase.
        from: PlanPhase,
        /// The new one.
        to: PlanPhase,
    },
    /// A plan was deleted, by a user or because only the newest five are kept.
    PlanDeleted,
    /// A CSV was created.
    CsvCreated {
        /// `spec.replaces`
        replaces: Option<BundleName>,
    },
    /// A plan was to create a CSV that exists: it stays as it is.
    CsvPresent,
    /// A CSV came from one phase to another.
    CsvPhase {
        /// The old phase.
        from: CsvPhase,
        /// The new one.
        to: CsvPhase,
    },
    /// A CSV is gone.
    CsvDeleted {
        /// The CSV that took its place; none if a user deleted it.
        replaced_by: Option<BundleName>,
    },
    /// A plan created a Subscription for a dependency.
    SubscriptionGenerated {
        /// The plan, which the annotation `olm.generated-by` names.
        by: Arc<str>,
    },
    /// A user created, changed or deleted a Subscription.
    SubscriptionEdited(SubscriptionEdit),
    /// A Subscription's status changed.
    SubscriptionState {
        /// `status.state`
        state: SubscriptionState,
        /// `status.currentCSV`
        current_csv: Option<BundleName>,
        /// `status.installedCSV`
        installed_csv: Option<BundleName>,
        /// `status.installPlanRef`
        install_plan: Option<Arc<str>>,
    },
    /// A condition of a Subscription appeared or changed.
    ConditionSet(ConditionType, Condition),
    /// A condition of a Subscription was taken away.
    ConditionRemoved(ConditionType),
    /// A catalog has another content, or began or ceased to be served.
    CatalogUpdated,
}

/// What a user did to a Subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionEdit {
    /// Created it.
    Created,
    /// Changed its channel or approval.
    Changed,
    /// Deleted it.
    Deleted,
}

/// Why the `ResolutionFailed` condition is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureReason {
    /// The rules contradict each other.
    ConstraintsNotSatisfiable,
    /// OLM refuses to resolve.
    ErrorPreventedResolution,
}

impl FailureReason {
    /// The condition's `reason`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConstraintsNotSatisfiable => "ConstraintsNotSatisfiable",
            Self::ErrorPreventedResolution => "ErrorPreventedResolution",
        }
    }
}

/// How far a synchronisation of the namespace came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncResult {
    /// There is no Subscription, so there is nothing to do.
    NoSubscriptions,
    /// There is not exactly one OperatorGroup but so many. OLM logs it; no condition says so.
    OperatorGroups(usize),
    /// A generated Subscription names a plan that does not exist. OLM logs it and does nothing in the namespace.
    PlanMissing {
        /// The Subscription.
        subscription: Arc<str>,
        /// The plan.
        plan: Arc<str>,
    },
    /// A generated Subscription has no CSV yet; nothing is resolved before.
    WaitsForGenerated(Arc<str>),
    /// States of Subscriptions were brought up to date; the change triggers the next synchronisation.
    StatesChanged,
    /// Every Subscription has a plan that is not through; nothing is resolved before.
    AllPending,
    /// A resolution was made, or failed; its own event says more.
    Resolved,
}
