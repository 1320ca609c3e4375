//! Plans for updates of OpenShift. Sentences have names in backticks. The command line prints [`PlansView`] as JSON, so that its
//! field names are part of its contract; the page shows a [`PlanTable`].

use serde::{Deserialize, Serialize};
use source::OpenShift;

/// What a plan is to reach on the last version of OpenShift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlanGoal {
    /// OLM resolves every namespace.
    Resolves,
    /// Each installed version is an entry of its channel.
    #[default]
    Listed,
    /// Each installed version is the head of its channel.
    Head,
}

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanQuery {
    /// The version that the cluster has; absent for that of the manifests, or of the first catalog.
    pub from: Option<OpenShift>,
    /// The version that it is to have; absent for that of the last catalog.
    pub to: Option<OpenShift>,
    /// What is to be so then.
    pub goal: PlanGoal,
    /// Whether a Subscription may be removed.
    pub may_remove: bool,
    /// Whether an operator may be removed and installed again.
    pub may_reinstall: bool,
}

/// The plans of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlansView {
    /// What they ask for, in a sentence.
    pub sentence: String,
    /// The versions of OpenShift, from the present one to the last.
    pub way: Vec<OpenShift>,
    /// What to do about CSVs without a Subscription that stop the update: sentences.
    pub freestanding: Vec<String>,
    /// What to know of the cluster before: CSVs that fail, CatalogSources that are named for one version of OpenShift. Sentences.
    pub notices: Vec<String>,
    /// One for each Subscription: those that somebody has to look at first.
    pub plans: Vec<PlanView>,
    /// What stops updates of OpenShift, by version.
    pub blocked: Vec<BlockerRow>,
    /// What OLM says on the versions that the cluster cannot leave.
    pub gates: Vec<GateView>,
}

/// The plan of one Subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanView {
    pub namespace: String,
    pub subscription: String,
    /// `spec.name`
    pub package: String,
    /// `spec.channel`; empty if it names none.
    pub channel: String,
    /// The CSV that is installed; empty if there is none.
    pub installed: String,
    /// What the best steps cost; absent where none lead to the last version.
    pub cost: Option<PlanCost>,
    /// In order.
    pub steps: Vec<PlanStep>,
    /// Why the goal is missed.
    pub reason: Option<PlanReason>,
    /// An InstallPlan that waits for an approval, and that no step approves on the first version: what to do, in words.
    pub waiting: Option<String>,
    /// Where it is in the end, if the goal is reached.
    pub rest: Option<PlanRest>,
    /// What is to be done, in a few words.
    pub summary: String,
    /// What it is on each version of the way.
    pub stations: Vec<PlanStation>,
}

/// What steps cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanCost {
    /// How many levels they are short of the goal.
    pub missed: u32,
    /// On how many versions of OpenShift the namespace does not resolve.
    pub frozen: u32,
    /// How many operators are removed, or installed again.
    pub reinstalls: u32,
    /// How many steps somebody has to make, beside the updates of OpenShift.
    pub manual: u32,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanStep {
    /// The version of OpenShift on which it happens.
    pub openshift: OpenShift,
    /// `update`, `switch-channel`, `switch-source`, `openshift`, `approve`, `remove` or `reinstall`.
    #[serde(rename = "do")]
    pub what: String,
    /// The CSV before; of `switch-channel` the channel, of `switch-source` the CatalogSource, of `openshift` the version.
    pub from: String,
    /// The same afterwards; empty after `remove`.
    pub to: String,
    /// The channel of the Subscription after the step; empty if it names none.
    pub channel: String,
    /// Whether it happens by itself.
    pub automatic: bool,
    /// The InstallPlan that `approve` approves, if the cluster has it already; else empty.
    pub install_plan: String,
    pub text: String,
    pub commands: Vec<String>,
}

/// Why a goal is missed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanReason {
    /// The kind of obstacle, such as `package-ends`.
    pub id: String,
    pub sentence: String,
    /// What would lift it, each by itself.
    pub lifts: Vec<String>,
}

/// Where an operator is in the end, if the goal is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRest {
    /// `head` of its channel, `stuck` below it, or `waits` for an approval.
    pub id: String,
    pub sentence: String,
}

/// What an operator is on a version of OpenShift, when the cluster leaves it, or in the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanStation {
    /// The version.
    pub openshift: OpenShift,
    /// Its CSV; empty if there is none.
    pub csv: String,
    /// What is to replace the CSV and waits for a later Kubernetes; empty if nothing does.
    pub pending: String,
    pub channel: String,
    /// Whether the namespace does not resolve there.
    pub is_frozen: bool,
}

/// An operator that stops an update of OpenShift.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockerRow {
    /// The version of OpenShift that the cluster stays on.
    pub openshift: OpenShift,
    pub namespace: String,
    pub csv: String,
    /// The highest version of OpenShift that it supports, or what is wrong with that.
    pub max: String,
    /// The kind of obstacle: `blocked`, `invalid-max`, or `freestanding` if it has no Subscription.
    pub id: String,
}

/// What OLM says on a version of OpenShift that the cluster cannot leave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateView {
    /// The version.
    pub openshift: OpenShift,
    /// The message of the condition `Upgradeable=False` of the ClusterOperator `operator-lifecycle-manager`.
    pub message: String,
}

/// Plans as a table: a row for each Subscription, a column for each version of OpenShift.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanTable {
    /// What the plans ask for, in a sentence.
    pub sentence: String,
    /// The versions of OpenShift, from the present one to the last.
    pub way: Vec<OpenShift>,
    /// What stops the update whatever is done: sentences.
    pub notices: Vec<String>,
    /// Those that somebody has to look at first.
    pub rows: Vec<PlanRow>,
}

/// The plan of one Subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRow {
    /// `spec.name`
    pub package: String,
    /// `spec.channel`; empty if it names none.
    pub channel: String,
    /// Whether nothing is to be done and nothing happens, because it is at the head of its channel.
    pub is_at_rest: bool,
    /// One for each version; none where no steps lead on.
    pub cells: Vec<PlanCell>,
    /// Why the goal is missed, or why nobody knows; else empty.
    pub reason: String,
    /// Where it is in the end, if that is not the head of its channel; else empty.
    pub rest: String,
    /// What would help, each by itself.
    pub lifts: Vec<String>,
}

/// What an operator is on a version of OpenShift.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanCell {
    /// What somebody has to do there.
    pub todo: Vec<String>,
    /// What happens by itself, and what is wrong there.
    pub notes: Vec<String>,
    /// The entry that it is in the catalog; empty if there is none, or OLM resolves nothing.
    pub csv: String,
    /// The version of the CSV when the cluster leaves, or its name.
    pub label: String,
}
