//! Plans: what is done and what happens by itself, in order.

use crate::gate::UpgradeBlocker;
use crate::plans::explain::Reason;
use crate::plans::model::Model;
use crate::plans::search::{Route, State};
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use cluster::{Cluster, InstallPlan, NotUpgradeable, PlanPhase, Subscription};
use source::OpenShift;
use std::collections::BTreeSet;
use std::sync::Arc;
use views::{PlanAction, PlanCost};

/// The plan of one Subscription, or of one ClusterExtension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub namespace: Arc<str>,
    pub subscription: Arc<str>,
    /// Whether it is that of a ClusterExtension, which `subscription` names then, with its `spec.namespace`.
    pub is_extension: bool,
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
    /// What ClusterOperators report of the present version, each with whether the plans say why and what to do.
    pub reported: Vec<(NotUpgradeable, bool)>,
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
    /// The ClusterExtension that has installed it; absent for what OLM v0 has installed.
    pub extension: Option<Arc<str>>,
}

// A step, and why there may be none.

/// Why OLM resolves nothing in a namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frozen {
    /// The Subscriptions that cannot be resolved, each with the reason in words, and whether another Subscription would help.
    pub causes: Vec<(Arc<str>, String, bool)>,
    /// Whether it is so only until the steps on this version are made.
    pub is_until_steps: bool,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The version of OpenShift on which it happens.
    pub openshift: OpenShift,
    /// What is done.
    pub what: PlanAction,
    /// The CSV before; of OpenShift the version, and of a switch the channel or the CatalogSource.
    pub from: String,
    /// The same afterwards; empty if nothing is left.
    pub to: String,
    /// The channel of the Subscription, after the step.
    pub channel: Option<ChannelName>,
    /// Whether the new CSV stays Pending, because it needs a later Kubernetes.
    pub hangs: bool,
    /// The InstallPlan to approve, if the cluster has it already.
    pub install_plan: Option<Arc<str>>,
    /// What makes it necessary, as a clause; absent where no single fact does.
    pub because: Option<String>,
}

// Where an operator is in the end, if the goal is reached: also what its plan does nothing about.

/// Where an operator is at the end of a plan that reaches the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rest {
    Head,
    /// Below the head, and no update leads on.
    Stuck {
        at: BundleName,
        head: BundleName,
    },
    /// Updates wait for an approval that the goal does not need.
    Waits {
        /// How many, one after the other, on the first version of the way that has any.
        updates: u32,
        /// Where they end.
        to: BundleName,
    },
}

impl Rest {
    /// Of one operator of a namespace; nothing if it has no Subscription in the end, or neither a CSV nor one to approve.
    pub(crate) fn of(model: &Model<'_>, route: &Route, own: usize) -> Option<Self> {
        let end = route.states.last()?;
        let operator = Some(&end.operators[own]).filter(|operator| operator.is_subscribed)?;
        if let Some(waits) = route.states.iter().find_map(|state| approvals(model, state.clone(), own)) {
            return Some(waits);
        }
        let csv = operator.csv.as_ref()?;
        let head = &model.operators[own].at[end.at].as_ref()?.chain(operator.channel.as_ref())?.entries[0].name.value;
        Some(match *head == csv.name {
            true => Self::Head,
            false => Self::Stuck { at: csv.name.clone(), head: head.clone() },
        })
    }
}

/// The updates that somebody could approve in a state.
fn approvals(model: &Model<'_>, mut state: State, own: usize) -> Option<Rest> {
    let (mut acts, mut seen) = (Vec::new(), BTreeSet::new());
    while seen.insert(state.operators.clone()) && model.hop(&mut state, &mut acts) {}
    let mine = acts.iter().filter(|act| act.operator == own);
    let last = mine.clone().next_back()?;
    Some(Rest::Waits { updates: mine.count() as u32, to: last.step.to.as_str().into() })
}

// InstallPlans that already wait for an approval. What such a plan installs stays as it is, also when a newer catalog
// has something else (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`), so that it is
// approved or deleted before an update of OpenShift.

/// An InstallPlan that waits for an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingPlan {
    pub name: Arc<str>,
    /// What it installs for the Subscription.
    pub csv: BundleName,
}

impl WaitingPlan {
    /// The InstallPlan that waits for an approval of what a Subscription is to get: the one that its status names, or the newest.
    pub(crate) fn of_subscription(cluster: &Cluster, subscription: &Subscription) -> Option<Self> {
        let csv =
            subscription.current_csv.as_ref().filter(|csv| cluster.installed(subscription).name() != Some(*csv))?;
        let waits = |plan: &&InstallPlan| {
            plan.namespace == subscription.namespace
                && !plan.approved
                && plan.phase == PlanPhase::RequiresApproval
                && plan.csvs.contains(csv)
        };
        let is_named = |plan: &&InstallPlan| subscription.status.install_plan.as_ref() == Some(&plan.name);
        let found = cluster.install_plans.iter().filter(waits).max_by_key(|plan| (is_named(plan), plan.generation))?;
        Some(Self { name: Arc::clone(&found.name), csv: csv.clone() })
    }

    /// Gives the InstallPlan to the step of a plan that approves it. Without such a step on the first version the plan has to be approved or
    /// deleted beside the steps.
    pub(crate) fn name_in(self, plan: &mut Plan) {
        let is_first = |step: &&mut Step| step.what == PlanAction::Approve;
        let first = plan.steps.iter_mut().take_while(|step| step.what != PlanAction::OpenShift).find(is_first);
        match first.filter(|step| step.to == self.csv.as_str()) {
            Some(step) => step.install_plan = Some(self.name),
            None => plan.waiting = Some(self),
        }
    }
}
