//! The search for the cheapest steps of a namespace: Dijkstra's algorithm over its states.

use crate::plans::model::Model;
use crate::plans::question::Allowed;
use crate::plans::state::{Act, OperatorState, State};
use crate::plans::step::Step;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use views::{PlanAction, PlanCost, PlanGoal};

/// The most states that are looked at. The largest real package has some 200 on each version.
const MOST_STATES: usize = 200_000;

/// What the search found.
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
        if visits[&state].cost < cost {
            continue;
        }
        done += 1;
        if done > MOST_STATES {
            return Found::TooMany;
        }
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
    let is_open = at + 1 < model.way.len() && state.csvs().all(|csv| model.blocks(csv, at).is_none());
    if is_open {
        let mut next = State { at: at + 1, came_frozen: false, operators: state.operators.clone() };
        model.finish_pending(&mut next);
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
