//! The search for the cheapest steps of a namespace: Dijkstra's algorithm over its states.

use crate::plans::model::{Csv, Model};
use crate::plans::plan::{Frozen, Step};
use crate::plans::question::Allowed;
use catalog::ChannelName;
use source::parse_min_kube;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::rc::Rc;
use views::{PlanAction, PlanCost, PlanGoal};

/// The most states that are looked at. The largest real package has some 200 on each version.
const MOST_STATES: usize = 200_000;

pub(crate) enum Found {
    /// The cheapest steps to the last version.
    Route(Box<Route>),
    /// No steps lead past a version of the way: something installed blocks in each of these states.
    Blocked { at: usize, states: Vec<State> },
    /// There are more states than are looked at.
    TooMany,
}

/// The cheapest steps.
pub(crate) struct Route {
    /// Of the whole namespace; `missed` counts the levels of all operators.
    pub(crate) cost: PlanCost,
    /// All steps but those of OpenShift.
    pub(crate) acts: Vec<Act>,
    /// The state when the cluster leaves each version, and the last one.
    pub(crate) states: Vec<State>,
}

impl Route {
    pub(crate) fn end(&self) -> &State {
        &self.states[self.states.len() - 1]
    }
}

struct Visit {
    cost: PlanCost,
    /// The state before, and what leads here from there.
    from: Option<(State, Vec<Act>)>,
}

/// The cheapest steps that come as near to the goal as any.
pub(crate) fn search(model: &Model<'_>, goal: PlanGoal, allowed: Allowed) -> Found {
    let mut visits: BTreeMap<State, Visit> = BTreeMap::new();
    let mut queue = BinaryHeap::new();
    let mut first = State::first(model);
    let mut first_acts = Vec::new();
    model.run_updates(&mut first, &mut first_acts);
    let cost = cost_of(&first_acts, 0);
    queue.push(Reverse((cost, first.clone())));
    visits.insert(first, Visit { cost, from: None });
    let last = model.way.len() - 1;
    let mut best: Option<(PlanCost, State)> = None;
    let mut done = 0;
    while let Some(Reverse((cost, state))) = queue.pop() {
        // Cheaper steps to this state were found after it had been queued; the heap cannot change what it has.
        if visits[&state].cost < cost {
            continue;
        }
        done += 1;
        if done > MOST_STATES {
            return Found::TooMany;
        }
        // What a state misses counts before all that leads to it, and is known only at the end. So the first state of the last
        // version need not be the best, and the search goes on through all states.
        if state.at == last {
            let end = PlanCost { missed: missed(model, &state, goal), ..cost + leaving(model, &state) };
            if best.as_ref().is_none_or(|(least, _)| end < *least) {
                best = Some((end, state.clone()));
            }
        }
        for (next, acts, step) in moves(model, &state, allowed) {
            let cost = cost + step;
            if visits.get(&next).is_none_or(|known| cost < known.cost) {
                queue.push(Reverse((cost, next.clone())));
                visits.insert(next, Visit { cost, from: Some((state.clone(), acts)) });
            }
        }
    }
    match best {
        Some((cost, end)) => Found::Route(Box::new(trace(model, visits, first_acts, (cost, end)))),
        None => {
            let at = visits.keys().map(|state| state.at).max().unwrap_or_default();
            Found::Blocked { at, states: visits.into_keys().filter(|state| state.at == at).collect() }
        }
    }
}

/// How far a state on the last version is from the goal, all operators together.
fn missed(model: &Model<'_>, state: &State, goal: PlanGoal) -> u32 {
    (0..state.operators.len()).map(|index| short_of(goal, model.level(state, index))).sum()
}

/// How many levels are missing.
pub(crate) fn short_of(goal: PlanGoal, level: u32) -> u32 {
    (goal as u32 + 1).saturating_sub(level)
}

/// What a version of OpenShift costs by the state in which the cluster leaves it.
fn leaving(model: &Model<'_>, state: &State) -> PlanCost {
    PlanCost {
        frozen: u32::from(model.is_frozen(state)),
        incompatible: model.incompatible(state),
        ..PlanCost::default()
    }
}

/// What steps on a version of the way cost. The updates that one InstallPlan makes are approved together.
fn cost_of(acts: &[Act], at: usize) -> PlanCost {
    let mut cost = PlanCost::default();
    for (index, act) in acts.iter().enumerate() {
        let what = act.step.what;
        cost.hops += u32::from(matches!(what, PlanAction::Update | PlanAction::Approve));
        cost.risky += u32::from(act.is_risky);
        cost.reinstalls += u32::from(matches!(what, PlanAction::Remove | PlanAction::Reinstall));
        if what.is_manual() && !(what == PlanAction::Approve && index > 0) {
            cost.manual += 1;
            cost.delay += at as u32;
        }
    }
    cost
}

/// What can be done in a state, and what happens by itself then.
fn moves(model: &Model<'_>, state: &State, allowed: Allowed) -> Vec<(State, Vec<Act>, PlanCost)> {
    let mut found = Vec::new();
    let at = state.at;
    // Where every InstallPlan waits, the next update is one more thing that somebody can do or leave.
    if model.is_manual {
        let (mut next, mut acts) = (state.clone(), Vec::new());
        if model.hop(&mut next, &mut acts) {
            let cost = cost_of(&acts, at);
            found.push((next, acts, cost));
        }
    }
    for index in (0..state.operators.len()).filter(|index| state.operators[*index].is_subscribed) {
        let changes = switches(model, state, index).into_iter().chain(losses(model, state, index, allowed));
        for (operator, step) in changes {
            let mut next = state.clone();
            next.operators[index] = operator;
            let mut acts = vec![Act { operator: index, step, is_risky: false }];
            model.run_updates(&mut next, &mut acts);
            let cost = cost_of(&acts, at);
            found.push((next, acts, cost));
        }
    }
    // The gate asks every CSV, whether a Subscription has it or not (operator-lifecycle-manager
    // `pkg/controller/operators/openshift/helpers.go`, `incompatibleOperators`).
    let is_open = at + 1 < model.way.len() && state.csvs().all(|csv| model.blocks(csv, at).is_none());
    if is_open {
        let mut next = State { at: at + 1, came_frozen: false, operators: state.operators.clone() };
        model.finish_pending(&mut next);
        // Asked before anything else happens on the new version: what somebody does there ends it, but comes too late to prevent it.
        next.came_frozen = !model.resolves(&next);
        let mut acts = Vec::new();
        model.run_updates(&mut next, &mut acts);
        let cost = cost_of(&acts, at + 1) + leaving(model, state);
        found.push((next, acts, cost));
    }
    found
}

/// The other channels that the Subscription can change to.
fn switches(model: &Model<'_>, state: &State, index: usize) -> Vec<(OperatorState, Step)> {
    let operator = &state.operators[index];
    let Some(found) = &model.operators[index].at[state.at] else { return Vec::new() };
    let others = found.chains.keys().filter(|name| operator.channel.as_ref() != Some(**name));
    let switch = |name: &&catalog::ChannelName| {
        let channel = Some((*name).clone());
        let step = Step {
            openshift: model.way[state.at],
            what: PlanAction::SwitchChannel,
            from: operator.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
            to: name.to_string(),
            channel: channel.clone(),
            hangs: false,
            install_plan: None,
            because: None,
        };
        (OperatorState { channel, ..operator.clone() }, step)
    };
    others.map(switch).collect()
}

/// The moves that lose something, if they are allowed.
fn losses(model: &Model<'_>, state: &State, index: usize, allowed: Allowed) -> Vec<(OperatorState, Step)> {
    let operator = &state.operators[index];
    let from = operator.csv.as_ref().map(|csv| csv.name.to_string()).unwrap_or_default();
    let step = |what, to: String, channel| Step {
        openshift: model.way[state.at],
        what,
        from: from.clone(),
        to,
        channel,
        hangs: false,
        install_plan: None,
        because: None,
    };
    let mut found = Vec::new();
    if allowed.remove {
        let removed = OperatorState { is_subscribed: false, ..operator.clone() };
        found.push((removed, step(PlanAction::Remove, String::new(), operator.channel.clone())));
    }
    let at = model.operators[index].at[state.at].as_ref().filter(|_| allowed.reinstall);
    for (name, chain) in at.iter().flat_map(|at| at.chains.iter().map(move |(name, chain)| (*name, (at, chain)))) {
        let (at, chain) = chain;
        let head = at.csv(&chain.entries[0].name.value);
        // What would stay Pending is nothing to give up a running operator for.
        if operator.csv.as_ref() == Some(&head) || head.hangs_on(model.way[state.at]) {
            continue;
        }
        let channel = Some(name.clone());
        let step = step(PlanAction::Reinstall, head.name.to_string(), channel.clone());
        found.push((OperatorState { channel, csv: Some(head), pending: None, is_subscribed: true }, step));
    }
    found
}

/// The steps that lead to a state: those at first, and then those of each visit.
fn trace(
    model: &Model<'_>,
    mut visits: BTreeMap<State, Visit>,
    first: Vec<Act>,
    (cost, end): (PlanCost, State),
) -> Route {
    let mut parts: Vec<Vec<Act>> = Vec::new();
    let mut states: Vec<State> = vec![end.clone()];
    let mut state = end;
    while let Some((before, acts)) = visits.get_mut(&state).and_then(|visit| visit.from.take()) {
        parts.push(acts);
        // The last state on each version is the one in which the cluster leaves it.
        if before.at < state.at {
            states.push(before.clone());
        }
        state = before;
    }
    parts.push(first);
    parts.reverse();
    states.reverse();
    debug_assert_eq!(states.len(), model.way.len());
    Route { cost, acts: parts.concat(), states }
}

// The state of a namespace on its way, what OLM does by itself in it, and what somebody can do.

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    /// The version of OpenShift, as an index into the way.
    pub(crate) at: usize,
    /// Whether the namespace did not resolve when the cluster came to this version.
    pub(crate) came_frozen: bool,
    /// In the order of the model.
    pub(crate) operators: Vec<OperatorState>,
}

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
                let least = operator.pending.as_ref().and_then(|pending| pending.min_kube.as_deref());
                match least.and_then(parse_min_kube) {
                    Some(_) => format!("`{name}` waits for a later Kubernetes"),
                    None => format!("`{name}` stays Pending with a `minKubeVersion` that OLM cannot parse"),
                }
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
        // A route has the states in which the cluster leaves versions. That in which it came follows from the one before.
        let before = at.checked_sub(1).map(|before| {
            let mut came = State { at: left.at, came_frozen: false, operators: states[before].operators.clone() };
            self.finish_pending(&mut came);
            came
        });
        let cause = |index: usize| {
            let of = |state: &State| {
                let why = self.why_unresolved(state, index)?;
                Some((why.sentence(self, state, index), !matches!(why, Unresolved::Pending)))
            };
            let (sentence, can_change) = of(left).or_else(|| of(before.as_ref()?))?;
            Some((self.operators[index].subscription.spec.name.clone(), sentence, can_change))
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

    fn finish_pending(&self, state: &mut State) {
        for operator in &mut state.operators {
            if operator.pending.as_ref().is_some_and(|pending| !pending.hangs_on(self.way[state.at])) {
                operator.csv = operator.pending.take();
            }
        }
    }

    /// One InstallPlan: every operator of the namespace makes its next update. Returns whether there was one.
    pub(crate) fn hop(&self, state: &mut State, acts: &mut Vec<Act>) -> bool {
        // OLM resolves all Subscriptions of a namespace together, so that one without an answer keeps the others waiting
        // (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, `syncResolvingNamespace`).
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
            // OLM removes the old CSV only when the new one has succeeded (operator-lifecycle-manager
            // `pkg/controller/operators/olm/operator.go`, `transitionCSVState`): until then the gate asks both.
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
    fn incompatible(&self, state: &State) -> u32 {
        let misfit = |(index, operator): (usize, &OperatorState)| {
            let found = self.operators[index].at[state.at].as_ref();
            let misfits = found.zip(operator.csv.as_ref());
            u32::from(misfits.is_some_and(|(found, csv)| found.is_incompatible(csv, self.way[state.at])))
        };
        state.operators.iter().enumerate().map(misfit).sum()
    }
}
