//! Plans: what is done and what happens by itself, in order.

use crate::gate::UpgradeBlocker;
use crate::plans::reason::Reason;
use crate::plans::rest::Rest;
use crate::plans::step::{Frozen, Step};
use crate::plans::waiting::WaitingPlan;
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use source::OpenShift;
use std::sync::Arc;
use views::PlanCost;

/// The plan of one Subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub namespace: Arc<str>,
    pub subscription: Arc<str>,
    /// `spec.name`
    pub package: PackageName,
    /// `spec.channel`
    pub channel: Option<ChannelName>,
    /// The CSV that is installed at first.
    pub installed: Option<BundleName>,
    /// What the best steps cost; absent where none lead to the last version.
    pub cost: Option<PlanCost>,
    /// In order, with those of OpenShift.
    pub steps: Vec<Step>,
    /// What it has on each version of the way when the cluster leaves it or, on the last, in the end; `None` without a CSV. Ends
    /// where no steps lead on.
    pub stations: Vec<Station>,
    /// Why the goal is not reached.
    pub reason: Option<Reason>,
    /// An InstallPlan that waits for an approval at first, unless a step on the first version approves it.
    pub waiting: Option<WaitingPlan>,
    /// Where it is in the end, if the goal is reached.
    pub rest: Option<Rest>,
}

impl Plan {
    /// Leaves no steps, because nobody knows what becomes of the operator.
    pub(crate) fn make_unknown(&mut self, reason: Reason) {
        (self.cost, self.rest, self.reason) = (None, None, Some(reason));
        self.steps.clear();
        self.stations.clear();
    }

    /// Whether nothing is done and nothing happens, although the goal is reached.
    #[must_use]
    pub fn rests(&self) -> bool {
        self.cost.is_some_and(|cost| cost.missed == 0 && cost.manual == 0 && cost.hops == 0) && self.waiting.is_none()
    }
}

/// What an operator is on a version of OpenShift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Station {
    pub openshift: OpenShift,
    pub csv: Option<BundleName>,
    /// The CSV that is to replace it and stays Pending, because it needs a later Kubernetes.
    pub pending: Option<BundleName>,
    pub channel: Option<ChannelName>,
    /// Why the namespace does not resolve there, when the cluster comes or leaves; absent if it does.
    pub frozen: Option<Frozen>,
}

/// The plans of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plans {
    /// One for each Subscription, of which something is known.
    pub plans: Vec<Plan>,
    /// What stops updates of OpenShift, by version.
    pub blocked: Vec<Blocker>,
    /// Whether there are catalogs. Without them only what stops the first update is known, what waits, and what is stuck.
    pub is_planned: bool,
}

/// An installed operator that stops an update of OpenShift, whatever is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocker {
    /// The version of OpenShift that the cluster stays on.
    pub openshift: OpenShift,
    /// What stops it.
    pub blocker: UpgradeBlocker,
    /// Whether it has no Subscription.
    pub is_freestanding: bool,
}
