//! The state of a namespace on its way, what OLM does by itself in it, and what somebody can do.

use crate::plans::csv::Csv;
use crate::plans::model::Model;
use crate::plans::step::{Frozen, Step};
use catalog::ChannelName;
use std::collections::BTreeSet;
use std::rc::Rc;
use views::PlanAction;

/// A state of a namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    /// The version of OpenShift, as an index into the way.
    pub(crate) at: usize,
    /// Whether the namespace did not resolve when the cluster came to this version.
    pub(crate) came_frozen: bool,
    /// In the order of the model.
    pub(crate) operators: Vec<OperatorState>,
}

/// A Subscription in a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OperatorState {
    pub(crate) channel: Option<ChannelName>,
    pub(crate) csv: Option<Rc<Csv>>,
    /// The CSV that is to replace it and stays Pending, because it needs a later Kubernetes.
    pub(crate) pending: Option<Rc<Csv>>,
    /// Whether there still is a Subscription.
    pub(crate) is_subscribed: bool,
}

/// A step of one of the operators, by its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Act {
    pub(crate) operator: usize,
    pub(crate) step: Step,
    /// Whether the update leads to a lower version, or across a major version.
    pub(crate) is_risky: bool,
}

/// Why a Subscription cannot be resolved.
enum Unresolved<'c> {
    /// `opm` rejects the catalog, with the first error that it prints.
    Rejected(&'c str),
    NoPackage,
    /// There is no such channel, or OLM cannot order it.
    NoChannel,
    /// What is to be installed waits for a later Kubernetes.
    Pending,
}

impl Unresolved<'_> {
    fn sentence(&self, model: &Model<'_>, state: &State, index: usize) -> String {
        let (version, operator) = (model.way[state.at], &state.operators[index]);
        let package = &model.operators[index].subscription.spec.package;
        match self {
            Self::Rejected(text) => format!("`opm` rejects the catalog of {version}: {text}"),
            Self::NoPackage => format!("the catalog of {version} has no package `{package}`"),
            Self::NoChannel => {
                let channel = operator.channel.as_ref().map(ToString::to_string).unwrap_or_default();
                format!("the catalog of {version} has no channel `{channel}` of `{package}` that OLM can use")
            }
            Self::Pending => {
                let name = operator.pending.as_ref().map(|pending| pending.name.to_string()).unwrap_or_default();
                format!("`{name}` waits for a later Kubernetes")
            }
        }
    }
}

impl State {
    pub(crate) fn first(model: &Model<'_>) -> Self {
        let operators = model.operators.iter().map(|operator| OperatorState {
            channel: operator.subscription.spec.channel.clone(),
            csv: operator.installed.clone(),
            pending: None,
            is_subscribed: true,
        });
        Self { at: 0, came_frozen: false, operators: operators.collect() }
    }

    /// All CSVs that the gate of OpenShift asks: also one that is Pending, and one without a Subscription.
    pub(crate) fn csvs(&self) -> impl Iterator<Item = &Rc<Csv>> {
        self.operators.iter().flat_map(|operator| operator.csv.iter().chain(&operator.pending))
    }
}

impl Model<'_> {
    /// Whether OLM resolves the namespace: each Subscription finds its package and channel, and nothing is Pending.
    pub(crate) fn resolves(&self, state: &State) -> bool {
        (0..state.operators.len()).all(|index| self.operator_resolves(state, index))
    }

    /// Whether it did not resolve when the cluster came to its version, or does not now.
    pub(crate) fn is_frozen(&self, state: &State) -> bool {
        state.came_frozen || !self.resolves(state)
    }

    pub(crate) fn operator_resolves(&self, state: &State, index: usize) -> bool {
        self.why_unresolved(state, index).is_none()
    }

    fn why_unresolved(&self, state: &State, index: usize) -> Option<Unresolved<'_>> {
        let operator = &state.operators[index];
        if !operator.is_subscribed {
            return None;
        }
        let Some(found) = &self.operators[index].at[state.at] else { return Some(Unresolved::NoPackage) };
        if found.chain(operator.channel.as_ref()).is_none() {
            return Some(found.rejected().map_or(Unresolved::NoChannel, Unresolved::Rejected));
        }
        operator.pending.as_ref().map(|_| Unresolved::Pending)
    }

    /// Why the namespace does not resolve on a version of the way, when the cluster comes there or leaves.
    pub(crate) fn frozen(&self, states: &[State], at: usize) -> Option<Frozen> {
        let left = &states[at];
        let before = at.checked_sub(1).map(|before| {
            let mut came = State { at: left.at, came_frozen: false, operators: states[before].operators.clone() };
            self.finish_pending(&mut came);
            came
        });
        let cause = |index: usize| {
            let of = |state: &State| Some(self.why_unresolved(state, index)?.sentence(self, state, index));
            let sentence = of(left).or_else(|| of(before.as_ref()?))?;
            Some((self.operators[index].subscription.spec.name.clone(), sentence))
        };
        let causes: Vec<_> = (0..left.operators.len()).filter_map(cause).collect();
        (!causes.is_empty()).then(|| Frozen { causes, is_until_steps: self.resolves(left) })
    }

    /// What happens by itself after something changed. A Pending CSV goes on as soon as Kubernetes is new enough; in a namespace
    /// without Manual approval the updates follow, up to one that repeats a state.
    pub(crate) fn run_updates(&self, state: &mut State, acts: &mut Vec<Act>) {
        self.finish_pending(state);
        let mut seen = BTreeSet::new();
        while !self.is_manual && seen.insert(state.operators.clone()) && self.hop(state, acts) {}
    }

    pub(crate) fn finish_pending(&self, state: &mut State) {
        for operator in &mut state.operators {
            if operator.pending.as_ref().is_some_and(|pending| !pending.hangs_on(self.way[state.at])) {
                operator.csv = operator.pending.take();
            }
        }
    }

    /// One InstallPlan: every operator of the namespace makes its next update. Returns whether there was one.
    pub(crate) fn hop(&self, state: &mut State, acts: &mut Vec<Act>) -> bool {
        if !self.resolves(state) {
            return false;
        }
        let before = acts.len();
        for index in 0..state.operators.len() {
            let Some(next) = self.next(state, index) else { continue };
            let operator = &mut state.operators[index];
            let hangs = next.hangs_on(self.way[state.at]);
            let versions = operator.csv.as_ref().and_then(|csv| csv.version.as_ref()).zip(next.version.as_ref());
            acts.push(Act {
                operator: index,
                is_risky: versions.is_some_and(|(old, new)| new < old || new.major() != old.major()),
                step: Step {
                    openshift: self.way[state.at],
                    what: if self.is_manual { PlanAction::Approve } else { PlanAction::Update },
                    from: operator.csv.as_ref().map(|csv| csv.name.to_string()).unwrap_or_default(),
                    to: next.name.to_string(),
                    channel: operator.channel.clone(),
                    hangs,
                    install_plan: None,
                    because: None,
                },
            });
            *(if hangs { &mut operator.pending } else { &mut operator.csv }) = Some(next);
        }
        acts.len() > before
    }

    /// What an operator is updated to, or what it gets at first.
    fn next(&self, state: &State, index: usize) -> Option<Rc<Csv>> {
        let operator = &state.operators[index];
        let found = self.operators[index].at[state.at].as_ref().filter(|_| operator.is_subscribed)?;
        let chain = found.chain(operator.channel.as_ref())?;
        let next = match &operator.csv {
            Some(csv) => chain.next_update(&csv.name, csv.version.as_ref())?.to,
            None => {
                let wanted = self.operators[index].subscription.spec.starting_csv.as_ref();
                let start = wanted.and_then(|name| chain.channel.entry(name.as_str()));
                start.unwrap_or(chain.entries[0])
            }
        };
        Some(found.csv(&next.name.value))
    }

    /// How many levels of the goal a state on the last version has: 0 if the namespace does not resolve.
    pub(crate) fn level(&self, state: &State, index: usize) -> u32 {
        if !self.resolves(state) {
            return 0;
        }
        let operator = &state.operators[index];
        let found = self.operators[index].at[state.at].as_ref().filter(|_| operator.is_subscribed);
        let Some((found, csv)) = found.zip(operator.csv.as_ref()) else { return 1 };
        let head = found.chain(operator.channel.as_ref()).map(|chain| &chain.entries[0].name.value);
        match found.lists(operator.channel.as_ref(), csv) {
            false => 1,
            true if head != Some(&csv.name) => 2,
            true => 3,
        }
    }

    /// How many of the installed versions do not fit the version of OpenShift by their lifecycle data.
    pub(crate) fn incompatible(&self, state: &State) -> u32 {
        let misfit = |(index, operator): (usize, &OperatorState)| {
            let found = self.operators[index].at[state.at].as_ref();
            let misfits = found.zip(operator.csv.as_ref());
            u32::from(misfits.is_some_and(|(found, csv)| found.is_incompatible(csv, self.way[state.at])))
        };
        state.operators.iter().enumerate().map(misfit).sum()
    }
}
