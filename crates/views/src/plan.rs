//! Plans for updates of OpenShift. Sentences have names in backticks. The command line prints [`PlansView`] as JSON, so that its
//! names are part of its contract.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::OpenShift;
use std::collections::{BTreeMap, BTreeSet};

/// What a plan is to reach on the last version of OpenShift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PlansView {
    /// What they ask for, in a sentence.
    pub sentence: String,
    /// The versions of OpenShift, from the present one to the last.
    pub way: Vec<OpenShift>,
    /// What to do about CSVs that stop the update and that no plan is about, without a Subscription or without catalogs: sentences.
    pub freestanding: Vec<String>,
    /// What to know of the cluster before: CSVs that fail, CatalogSources that are named for one version of OpenShift. Sentences.
    pub notices: Vec<String>,
    /// Where OLM does not resolve a namespace, by version.
    pub frozen: Vec<FrozenView>,
    /// One for each Subscription of which something is known: those that somebody has to look at first.
    pub plans: Vec<PlanView>,
    /// What stops updates of OpenShift, by version.
    pub blocked: Vec<BlockerRow>,
    /// What OLM says on the versions that the cluster cannot leave.
    pub gates: Vec<GateView>,
    /// Of each CatalogSource on each version of the way which catalog it is taken to serve: its name, a colon, and the catalogs.
    pub catalogs: Vec<String>,
}

/// The plan of one Subscription.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PlanView {
    pub namespace: String,
    pub subscription: String,
    /// Whether it is the plan of a ClusterExtension, which `subscription` names then, with its `spec.namespace`.
    pub is_extension: bool,
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

/// What steps cost. The fields are compared one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
pub struct PlanCost {
    /// How many levels they are short of the goal.
    pub missed: u32,
    /// Versions of OpenShift on which the namespace does not resolve when the cluster comes there or leaves.
    pub frozen: u32,
    /// Operators that are removed or installed again.
    pub reinstalls: u32,
    /// Steps that somebody has to make, without the updates of OpenShift.
    pub manual: u32,
    /// Versions of OpenShift that something installed does not fit, by its lifecycle data.
    pub incompatible: u32,
    /// Updates to a lower version or across a major version.
    pub risky: u32,
    /// Updates.
    pub hops: u32,
    /// The versions of OpenShift before each manual step, added up: what can be done now is done now, because the catalogs of
    /// today are known best.
    pub delay: u32,
}

impl std::ops::Add for PlanCost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            missed: self.missed + other.missed,
            frozen: self.frozen + other.frozen,
            reinstalls: self.reinstalls + other.reinstalls,
            manual: self.manual + other.manual,
            incompatible: self.incompatible + other.incompatible,
            risky: self.risky + other.risky,
            hops: self.hops + other.hops,
            delay: self.delay + other.delay,
        }
    }
}

/// What is done in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanAction {
    /// OLM updates the operator.
    Update,
    /// Somebody approves the InstallPlan of an update.
    Approve,
    /// Somebody changes the channel of the Subscription.
    SwitchChannel,
    /// Somebody changes the CatalogSource of the Subscription.
    SwitchSource,
    /// Somebody changes the version of the ClusterExtension.
    SetVersion,
    /// Somebody removes the Subscription; the CSV stays.
    Remove,
    /// Somebody removes the operator, and installs it anew.
    Reinstall,
    /// Somebody updates OpenShift.
    #[serde(rename = "openshift")]
    OpenShift,
}

impl PlanAction {
    /// Whether somebody has to do it, beside the updates of OpenShift.
    #[must_use]
    pub const fn is_manual(self) -> bool {
        !matches!(self, Self::Update | Self::OpenShift)
    }
}

/// A kind of obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanObstacle {
    /// What is installed does not support the next version of OpenShift, and OLM stops the update.
    Blocked,
    /// The same because of an `olm.maxOpenShiftVersion` that cannot be read.
    InvalidMax,
    /// A CSV needs a later Kubernetes and stays Pending, and what it is to replace stops the update of OpenShift; or it stays so on the
    /// last version.
    Hung,
    /// A CSV without a Subscription stops the update of OpenShift.
    Freestanding,
    /// The namespace is stuck as it stands, so that OLM resolves nothing, whatever the catalogs have.
    Stuck,
    /// `opm` rejects the catalog of a version, so that nothing in the namespace is resolved there.
    Rejected,
    /// The catalog of a version has no such package.
    PackageEnds,
    /// It has no such channel, and no other channel leads on.
    ChannelEnds,
    /// The installed version gets no updates any more.
    Stranded,
    /// Another Subscription keeps the namespace from being resolved.
    Namespace,
    /// A catalog on the way is not loaded or not read completely, there are too many states, or the simulation has something else.
    Unknown,
}

/// Where an operator is in the end, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanEnd {
    Head,
    /// Below the head, and no update leads on.
    Stuck,
    /// Updates wait for an approval that the goal does not need.
    Waits,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PlanStep {
    /// The version of OpenShift on which it happens.
    pub openshift: OpenShift,
    #[serde(rename = "do")]
    pub what: PlanAction,
    /// The CSV before; of `switch-channel` the channel, of `switch-source` the CatalogSource, of `set-version` and `openshift` the
    /// version.
    pub from: String,
    /// The same afterwards; empty after `remove`.
    pub to: String,
    /// The channel of the Subscription after the step; empty if it names none.
    pub channel: String,
    /// Whether it happens by itself.
    pub automatic: bool,
    /// The InstallPlan that `approve` approves, if the cluster has it already; else empty.
    pub install_plan: String,
    /// What makes it necessary, as a clause; empty where no single fact does.
    pub because: String,
    pub text: String,
    pub commands: Vec<String>,
}

/// What happens at once on a version of OpenShift: updates of an operator by themselves that follow each other, another step of it,
/// or what one InstallPlan updates.
#[derive(Clone, Debug)]
pub struct PlanTurn<'p> {
    /// The operators, each with its steps.
    pub rows: Vec<(&'p PlanView, Vec<&'p PlanStep>)>,
}

impl PlanTurn<'_> {
    /// What is done, or waited for.
    #[must_use]
    pub fn text(&self) -> String {
        let last = |steps: &[&PlanStep]| steps.last().map(|step| format!("`{}`", step.to)).unwrap_or_default();
        match &self.rows[..] {
            [(_, steps)] => match &steps[..] {
                [step] if !step.automatic => step.text.clone(),
                [step] => format!("wait until OLM has installed `{}`", step.to) + &self.because(),
                steps => {
                    let updates = format!(", after {} updates", steps.len());
                    format!("wait until OLM has installed {}", last(steps)) + &updates + &self.because()
                }
            },
            rows => {
                let to: Vec<String> = rows.iter().map(|(_, steps)| last(steps)).collect();
                let plan = rows.first().and_then(|(_, steps)| steps.first()).map(|step| &*step.install_plan);
                let name = plan.filter(|name| !name.is_empty()).map(|name| format!(" `{name}`")).unwrap_or_default();
                format!("approve the InstallPlan{name} that updates to {}", to.join(", ")) + &self.because()
            }
        }
    }

    /// The steps of all operators.
    pub fn steps(&self) -> impl Iterator<Item = &PlanStep> {
        self.rows.iter().flat_map(|(_, steps)| steps.iter().copied())
    }

    /// What makes it necessary, as the end of a sentence.
    fn because(&self) -> String {
        self.rows
            .iter()
            .filter_map(|(_, steps)| steps.first())
            .map(|step| &*step.because)
            .find(|reason| !reason.is_empty())
            .map(|reason| format!(", because {reason}"))
            .unwrap_or_default()
    }

    /// The commands for it.
    #[must_use]
    pub fn commands(&self) -> &[String] {
        let steps = self.rows.first().map(|(_, steps)| &steps[..]).unwrap_or_default();
        steps.last().map(|step| &step.commands[..]).unwrap_or_default()
    }

    /// Whether nobody has to do anything.
    #[must_use]
    pub fn is_automatic(&self) -> bool {
        self.steps().all(|step| step.automatic)
    }
}

impl PlansView {
    /// What happens on a version of OpenShift, in the order of the namespaces. One InstallPlan updates the whole namespace, and is
    /// approved once.
    #[must_use]
    pub fn turns_on(&self, version: OpenShift) -> Vec<PlanTurn<'_>> {
        let mut namespaces: BTreeMap<&str, Vec<(&PlanView, Vec<&PlanStep>)>> = BTreeMap::new();
        for plan in &self.plans {
            namespaces.entry(&plan.namespace).or_default().push((plan, plan.steps_on(version).collect()));
        }
        let mut turns = Vec::new();
        for mut left in namespaces.into_values() {
            loop {
                for (plan, steps) in &mut left {
                    let is_approved = |step: &&PlanStep| step.what == PlanAction::Approve;
                    let before = steps.iter().position(is_approved).unwrap_or(steps.len());
                    let before: Vec<&PlanStep> = steps.drain(..before).collect();
                    let runs = before.chunk_by(|one, other| one.automatic && other.automatic);
                    turns.extend(runs.map(|run| PlanTurn { rows: vec![(*plan, run.to_vec())] }));
                }
                // One that the cluster has comes first, and has a name.
                let next = left.iter().filter_map(|(_, steps)| steps.first());
                let Some(name) = next.map(|step| step.install_plan.clone()).max() else { break };
                let is_next = |steps: &[&PlanStep]| steps.first().is_some_and(|step| step.install_plan == name);
                let approved = left.iter_mut().filter(|(_, steps)| is_next(steps));
                turns.push(PlanTurn { rows: approved.map(|(plan, steps)| (*plan, vec![steps.remove(0)])).collect() });
            }
        }
        turns
    }
}

/// Why a goal is missed.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PlanReason {
    pub id: PlanObstacle,
    pub sentence: String,
    /// What would lift it, each by itself.
    pub lifts: Vec<String>,
}

/// Where an operator is in the end, if the goal is reached.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PlanRest {
    pub id: PlanEnd,
    pub sentence: String,
}

/// What an operator is on a version of OpenShift, when the cluster leaves it, or in the end.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PlanStation {
    /// The version.
    pub openshift: OpenShift,
    /// Its CSV; empty if there is none.
    pub csv: String,
    /// What is to replace the CSV and waits for a later Kubernetes; empty if nothing does.
    pub pending: String,
    /// The version of the one that is to be there, or its name.
    pub label: String,
    pub channel: String,
    /// Whether the namespace does not resolve there.
    pub is_frozen: bool,
}

/// A namespace that OLM does not resolve on a version of OpenShift.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct FrozenView {
    /// The version.
    pub openshift: OpenShift,
    pub namespace: String,
    /// Why, and who waits.
    pub sentence: String,
    /// The Subscriptions that would have to be changed or removed before.
    pub causes: Vec<String>,
}

/// An operator that stops an update of OpenShift.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct BlockerRow {
    /// The version of OpenShift that the cluster stays on.
    pub openshift: OpenShift,
    pub namespace: String,
    pub csv: String,
    /// The ClusterExtension that has installed it; absent for what OLM v0 has installed.
    pub extension: Option<String>,
    /// The highest version of OpenShift that it supports, or what is wrong with that.
    pub max: String,
    pub id: PlanObstacle,
}

/// What OLM says on a version of OpenShift that the cluster cannot leave.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct GateView {
    /// The version.
    pub openshift: OpenShift,
    /// The ClusterOperator: `operator-lifecycle-manager` of OLM v0, or `olm` of OLM v1.
    pub operator: String,
    /// The message of its condition `Upgradeable=False`.
    pub message: String,
}

impl GateView {
    /// What goes before the message.
    #[must_use]
    pub fn title(&self) -> String {
        let says = match &*self.operator {
            "operator-lifecycle-manager" => "OLM".to_owned(),
            other => format!("ClusterOperator `{other}`"),
        };
        format!("OpenShift {} cannot be left. {says} says:", self.openshift)
    }
}

impl PlansView {
    /// Whether there are catalogs. Without them only what stops the first update is known, what waits, and what is stuck.
    #[must_use]
    pub const fn is_planned(&self) -> bool {
        !self.catalogs.is_empty()
    }

    /// The namespaces that OLM does not resolve on a version of OpenShift: sentences.
    pub fn frozen_on(&self, version: OpenShift) -> impl Iterator<Item = &str> {
        self.frozen.iter().filter(move |frozen| frozen.openshift == version).map(|frozen| &*frozen.sentence)
    }

    /// The Subscriptions that keep a namespace from being resolved on the next version of OpenShift, and not yet on this one: the
    /// next version, the namespace, and their names.
    #[must_use]
    pub fn last_chances(&self, version: OpenShift) -> BTreeMap<(OpenShift, &str), BTreeSet<&str>> {
        let next = self.way.iter().skip_while(|one| **one != version).nth(1);
        let is_next = |frozen: &&FrozenView| Some(&frozen.openshift) == next;
        let mut found: BTreeMap<(OpenShift, &str), BTreeSet<&str>> = BTreeMap::new();
        for frozen in self.frozen.iter().filter(is_next) {
            let before = self.frozen.iter().filter(|one| one.openshift == version && one.namespace == frozen.namespace);
            let known: BTreeSet<&String> = before.flat_map(|one| &one.causes).collect();
            let new = frozen.causes.iter().filter(|name| !known.contains(name)).map(|name| &**name);
            found.entry((frozen.openshift, &frozen.namespace)).or_default().extend(new);
        }
        found.retain(|_, names| !names.is_empty());
        found
    }

    /// What stops the update whatever is done, and what to know of the cluster before: sentences.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let gate = |gate: &GateView| format!("{} {}", gate.title(), gate.message);
        self.gates.iter().map(gate).chain(self.freestanding.iter().chain(&self.notices).cloned())
    }
}

impl PlanView {
    /// Whether it is at the head of its channel in the end.
    #[must_use]
    pub fn is_at_head(&self) -> bool {
        self.rest.as_ref().is_none_or(|rest| rest.id == PlanEnd::Head)
    }

    /// Whether nothing is to be done and nothing happens, because it is at the head of its channel.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        let has_step = self.steps.iter().any(|step| step.what != PlanAction::OpenShift);
        self.reason.is_none() && self.waiting.is_none() && self.is_at_head() && !has_step
    }

    /// The steps with the operator on a version of OpenShift.
    pub fn steps_on(&self, version: OpenShift) -> impl Iterator<Item = &PlanStep> {
        self.steps.iter().filter(move |step| step.openshift == version && step.what != PlanAction::OpenShift)
    }
}
