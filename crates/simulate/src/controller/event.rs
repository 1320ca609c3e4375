//! Events: what happened to which object.

use std::sync::Arc;

use catalog::BundleName;
use cluster::{
    CatalogKey, Condition, ConditionType, CsvPhase, GeneratedSubscription, GroupMismatch, PlanPhase, SubscriptionState,
};
use resolver::GaveUp;

use crate::step::NewBundle;
use source::Approval;

/// A change of one object.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub object: Object,
    /// What happened to it.
    pub kind: EventKind,
}

/// An object of the namespace, or the namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    Namespace,
    /// A CatalogSource, of this or the global namespace.
    CatalogSource(CatalogKey),
    Subscription(Arc<str>),
    InstallPlan(Arc<str>),
    Csv(BundleName),
}

/// What happened to an object.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// OLM synchronised the namespace and stopped with this result. Repeated results are one event.
    Synced(SyncResult),
    /// The namespace was resolved.
    ResolutionSucceeded {
        /// The chosen bundles, also those that are up to date.
        selected: Vec<NewBundle>,
        /// Whether a plan follows, which is so only if a Subscription changes.
        plan: bool,
    },
    /// The namespace cannot be resolved.
    ResolutionFailed {
        /// The condition's reason.
        reason: FailureReason,
        /// OLM's text.
        message: String,
        /// Whether the failure ends by itself, after all CSVs have reached their final phase: an old CSV that its Subscription
        /// has left blocks the resolution until it is deleted.
        transient: bool,
    },
    /// The resolver gave up, so we do not know what OLM does.
    CannotTell(GaveUp),
    PlanCreated {
        /// `spec.generation`
        generation: u32,
        /// `spec.approval`
        approval: Approval,
        /// `spec.clusterServiceVersionNames`
        csvs: Vec<BundleName>,
        generated: Vec<GeneratedSubscription>,
    },
    PlanWaits,
    PlanApproved,
    PlanPhase {
        from: PlanPhase,
        to: PlanPhase,
    },
    /// A step of a plan failed. OLM repeats it for a minute.
    PlanRetried {
        /// `status.message`
        message: Box<str>,
    },
    /// A plan failed, because a step failed for a minute. Its phase is `Failed`, which is final.
    PlanFailed {
        /// The message of its condition `Installed` = `False`.
        message: Box<str>,
    },
    /// A plan was deleted, by a user or because only the newest five are kept.
    PlanDeleted,
    CsvCreated {
        /// `spec.replaces`
        replaces: Option<BundleName>,
    },
    /// A plan should create a CSV that exists; OLM does not change it.
    CsvPresent,
    CsvPhase {
        from: CsvPhase,
        to: CsvPhase,
    },
    /// A CSV does not fit the OperatorGroup, so its phase is `Failed`.
    CsvFailed {
        /// `status.reason`
        reason: GroupMismatch,
        /// `status.message`
        message: Box<str>,
    },
    CsvDeleted {
        /// The CSV that replaces it; `None` if a user deleted it.
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
    /// A condition was added to a Subscription, or changed.
    ConditionSet(ConditionType, Condition),
    /// A condition was removed from a Subscription.
    ConditionRemoved(ConditionType),
    /// The content of a catalog changed, or its pod started or stopped.
    CatalogUpdated,
}

/// What a user did to a Subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionEdit {
    Created,
    /// Changed its channel or approval.
    Changed,
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

/// The result of a synchronisation: how far it got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncResult {
    /// The namespace has no Subscription, so there is nothing to do.
    NoSubscriptions,
    /// The namespace has this many OperatorGroups instead of one. OLM logs it; no condition of a Subscription says so.
    OperatorGroups(usize),
    /// OLM cannot read an annotation of the OperatorGroup, and logs this error; no condition says so.
    GroupAnnotation(Box<str>),
    /// A generated Subscription names a plan that does not exist. OLM logs it and does nothing in the namespace.
    PlanMissing { subscription: Arc<str>, plan: Arc<str> },
    /// A generated Subscription has no CSV yet. OLM resolves nothing before it has.
    WaitsForGenerated(Arc<str>),
    /// States of Subscriptions were updated, which triggers the next synchronisation.
    StatesChanged,
    /// Every Subscription has a plan that is not complete. OLM resolves nothing before.
    AllPending,
    /// The namespace was resolved, or the resolution failed; another event has the details.
    Resolved,
}
