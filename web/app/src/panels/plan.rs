//! Plans of an update of OpenShift: a line for each operator, a column for each version.

use crate::kit::{plural, press, prose, select};
use crate::parts::{answer as headline, sign_of};
use crate::store::{Action, GOALS, SetAction, State};
use std::collections::BTreeSet;
use views::{
    EntryKey, OpenShift, PlanAction, PlanGoal, PlanQuery, PlanStation, PlanTurn, PlanView, PlansView, SetRow, Severity,
    first_and_more,
};
use yew::prelude::*;

/// The plans, with what they are asked for.
pub(super) fn plan(state: &State, row: &SetRow, send: &Callback<Action>) -> Html {
    let answer = match &state.sets.plans {
        None => html! { <p class="mute waiting">{ "Planning…" }</p> },
        Some(Err(reason)) => html! { <p class="sentence" role="alert">{ reason }</p> },
        Some(Ok(view)) => plans(view, &state.sets.query, send),
    };
    let way = match &state.sets.plans {
        Some(Ok(view)) => view.way.first().copied().zip(view.way.last().copied()),
        Some(Err(_)) | None => state.sets.query.from.zip(state.sets.query.to),
    };
    html! { <>
        { form(&state.sets.query, way, row, send) }
        { answer }
        <p class="mute">{ if state.simulation.has_cluster() {
            "For the Subscriptions of your cluster."
        } else {
            "For the head of every channel, each by itself. Drop a must-gather or manifests to plan for your cluster."
        } }</p>
    </> }
}

fn form(query: &PlanQuery, way: Option<(OpenShift, OpenShift)>, row: &SetRow, send: &Callback<Action>) -> Html {
    let changed = |change: fn(&mut PlanQuery, String)| {
        let query = query.clone();
        move |text| {
            let mut query = query.clone();
            change(&mut query, text);
            Some(SetAction::QueryChanged(query))
        }
    };
    let version = |testid: &'static str, on: Option<OpenShift>, change| {
        // The planner chooses what the user does not.
        let unknown = on.is_none().then(|| (String::new(), "…".to_owned()));
        let versions = row.versions.iter().map(|version| (version.to_string(), version.to_string()));
        let on = on.map(|on| on.to_string()).unwrap_or_default();
        select(testid, unknown.into_iter().chain(versions), &on, send, changed(change))
    };
    let goals = GOALS.iter().map(|(_, name)| ((*name).to_owned(), (*name).to_owned()));
    let goal = GOALS.iter().find(|(goal, _)| *goal == query.goal).map_or("", |(_, name)| name);
    let set_goal = changed(|query, text| {
        let chosen = GOALS.iter().find(|(_, name)| *name == text);
        query.goal = chosen.map(|(goal, _)| *goal).unwrap_or_default();
    });
    html! { <div class="tools plan-form">
        <label>{ "From" }
            { version("plan-from", way.map(|way| way.0), |query, text| query.from = text.parse().ok()) }</label>
        <label>{ "to" }
            { version("plan-to", way.map(|way| way.1), |query, text| query.to = text.parse().ok()) }</label>
        <label>{ "so that" }{ select("plan-goal", goals, goal, send, set_goal) }</label>
    </div> }
}

/// How many stops on the way are drawn at the most.
const STOPS: usize = 8;
/// How many operators a column names that have their last chance there.
const CHANCES: usize = 2;

fn plans(view: &PlansView, query: &PlanQuery, send: &Callback<Action>) -> Html {
    let (resting, moving): (Vec<&PlanView>, Vec<&PlanView>) = view.plans.iter().partition(|plan| plan.is_at_rest());
    let remarks = html! { { for view.remarks().map(|text| html! { <>{ prose(&text) }<br /></> }) } };
    let copy = press(send, SetAction::ReportCopied);
    let copy = html! { <button type="button" class="primary" data-testid="plan-copy" onclick={copy}>
    { "Copy checklist" }</button> };
    html! { <>
        { headline(severity(&moving), &view.sentence, remarks, Some(copy), "plan-answer") }
        if !moving.is_empty() { { table(view, query, &moving, send) } }
        if !resting.is_empty() {
            <details>
                <summary>
                    { format!("{} operator{} at the head of the channel", resting.len(), plural(resting.len())) }
                </summary>
                { table(view, query, &resting, send) }
            </details>
        }
        <p class="mute">
            { "Assumed: the catalogs stay as they are, updates that happen by themselves are over before the next \
              step, and every operator stays healthy. OpenShift may have other reasons to stop an update. \
              Where OLM resolves nothing in a namespace, it updates none of its operators." }
        </p>
    </> }
}

/// How bad the worst plan is: an operator that ends without updates, or one that needs somebody.
fn severity(moving: &[&PlanView]) -> Option<Severity> {
    let is_stuck = moving.iter().any(|plan| plan.reason.is_some());
    let is_manual = |plan: &&PlanView| plan.cost.is_some_and(|cost| cost.manual > 0);
    let needs_somebody = || moving.iter().any(|plan| plan.waiting.is_some() || !plan.is_at_head() || is_manual(plan));
    match is_stuck {
        true => Some(Severity::Error),
        false => needs_somebody().then_some(Severity::Warning),
    }
}

fn table(view: &PlansView, query: &PlanQuery, rows: &[&PlanView], send: &Callback<Action>) -> Html {
    let on = |version: &OpenShift| {
        html! { <th scope="col">{ format!("OpenShift {version}") }<small>{ in_all(view, *version) }</small></th> }
    };
    // If several channels of a package have the same problem, it is below the last of them.
    let reason = |plan: &PlanView| plan.reason.as_ref().map(|reason| reason.sentence.clone());
    let same = |one: &&PlanView, next: &&PlanView| one.package == next.package && reason(one) == reason(next);
    let groups = rows.chunk_by(same).flat_map(|group| {
        let last = group.len() - 1;
        let lifts = group.iter().filter_map(|plan| plan.reason.as_ref()).flat_map(|reason| reason.lifts.iter());
        let lifts: BTreeSet<&String> = lifts.collect();
        group
            .iter()
            .enumerate()
            .map(move |(at, row)| line(view, query, row, (at == last).then_some(&lifts), send))
            .collect::<Vec<_>>()
    });
    html! { <table class="matrix plans">
        <thead><tr><th scope="col"><span class="unseen">{ "Operator" }</span></th>
            { for view.way.iter().map(on) }</tr></thead>
        <tbody>{ for groups }</tbody>
    </table> }
}

/// What happens on a version to all operators together.
fn in_all(view: &PlansView, version: OpenShift) -> String {
    let turns = view.turns_on(version);
    let manual = turns.iter().filter(|turn| !turn.is_automatic()).count();
    let automatic = view.plans.iter().filter(|plan| plan.steps_on(version).any(|step| step.automatic)).count();
    let is_last = view.way.last() == Some(&version);
    let is_frozen = |plan: &PlanView| plan.stations.iter().any(|one| one.openshift == version && one.is_frozen);
    let stopped = view.plans.iter().filter(|plan| is_frozen(plan) || is_last && plan.reason.is_some()).count();
    let chances: Vec<&str> = view.last_chances(version).into_values().flatten().collect();
    let parts = [
        (manual, format!("{manual} step{} by you", plural(manual))),
        (automatic, format!("OLM updates {automatic}")),
        (stopped, format!("{stopped} get{} no updates", if stopped == 1 { "s" } else { "" })),
        (chances.len(), format!("last chance for {}", first_and_more(&chances, CHANCES))),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    if parts.is_empty() { "nothing to do".to_owned() } else { parts.join(", ") }
}

/// The row of an operator. The last row of a group has the ways out of its problem, `lifts`.
fn line(
    view: &PlansView,
    query: &PlanQuery,
    row: &PlanView,
    lifts: Option<&BTreeSet<&String>>,
    send: &Callback<Action>,
) -> Html {
    let to_head = Action::Set(SetAction::QueryChanged(PlanQuery { goal: PlanGoal::Head, ..query.clone() }));
    // Beside the name of its package a bundle is named by its version.
    let installed = row.installed.replace(&format!("{}.v", row.package), "");
    let before = std::iter::once(&installed).chain(row.stations.iter().map(|station| &station.label));
    let cells = row.stations.iter().zip(before).map(|(station, before)| cell(view, row, station, before, send));
    let reason = row.reason.as_ref().filter(|_| lifts.is_some());
    let rest = row.rest.as_ref().filter(|_| !row.is_at_head());
    // The reason says it, too.
    let frozen = row.stations.iter().filter(|station| station.is_frozen && row.reason.is_none());
    let frozen: Vec<OpenShift> = frozen.map(|station| station.openshift).collect();
    html! { <>
        <tr data-testid="plan-row" data-name={row.package.clone()}>
            <th scope="row"><b>{ &row.package }</b><small class="mute">{ format!(" {}", row.channel) }</small></th>
            { for cells }
        </tr>
        if reason.is_some() || rest.is_some() || !frozen.is_empty() {
            <tr class="unfolded"><td colspan={(view.way.len() + 1).to_string()}><div>
                if !frozen.is_empty() {
                    <p class="mute" data-testid="plan-frozen">
                        { format!("OLM resolves nothing in the namespace on {}.", OpenShift::list(&frozen)) }</p>
                }
                if let Some(reason) = reason {
                    <p class="reason" data-testid="plan-reason">
                        { sign_of(Some(Severity::Error)) }<span>{ prose(&reason.sentence) }</span></p>
                }
                if let Some(rest) = rest {
                    <p class="reason" data-testid="plan-rest">
                        { sign_of(Some(Severity::Warning)) }<span>{ prose(&rest.sentence) }{ " " }
                        if query.goal != PlanGoal::Head {
                            <button type="button" class="link" data-testid="plan-head" onclick={press(send, to_head)}>
                                { "Look for a way to the head" }</button>
                        }</span>
                    </p>
                }
                if let Some(lifts) = lifts.filter(|lifts| !lifts.is_empty()) {
                    <details><summary>{ format!("{} way{} out", lifts.len(), plural(lifts.len())) }</summary>
                        <ul>{ for lifts.iter().map(|lift| html! { <li>{ prose(lift) }</li> }) }</ul></details>
                }
            </div></td></tr>
        }
    </> }
}

/// What is done and what happens on a version, and what is installed when it is left.
fn cell(view: &PlansView, row: &PlanView, station: &PlanStation, before: &str, send: &Callback<Action>) -> Html {
    let version = station.openshift;
    let waiting = row.waiting.iter().filter(|_| view.way.first() == Some(&version));
    // What one InstallPlan updates is approved once, in the row of its first operator.
    let (own, shared): (Vec<PlanTurn<'_>>, Vec<PlanTurn<'_>>) = (view.turns_on(version).into_iter())
        .filter(|turn| !turn.is_automatic() && turn.rows.iter().any(|(plan, _)| std::ptr::eq(*plan, row)))
        .partition(|turn| turn.rows.first().is_some_and(|(plan, _)| std::ptr::eq(*plan, row)));
    let is_approval = |turn: &PlanTurn<'_>| turn.steps().all(|step| step.what == PlanAction::Approve);
    let todo = own.chunk_by(|one, other| is_approval(one) && is_approval(other)).map(|run| match run {
        [one] => one.text(),
        // One line for each says nothing more.
        run => format!("{} approvals", run.len()),
    });
    let chances = view.last_chances(version);
    let chance = chances
        .iter()
        .find(|((_, namespace), names)| *namespace == row.namespace && names.contains(&*row.subscription));
    let chance = chance.map(|((next, _), _)| format!("last chance before {next}: change or remove the Subscription"));
    let todo: Vec<String> = waiting.cloned().chain(todo).chain(chance).collect();
    let shared = shared
        .iter()
        .filter_map(|turn| turn.rows.first())
        .map(|(plan, _)| format!("updated by the InstallPlan of {}", plan.package));
    let hops = row.steps_on(version).filter(|step| step.automatic).count();
    let updates = (hops > 0).then(|| format!("{hops} update{} by OLM", plural(hops)));
    let pending = (!station.pending.is_empty()).then(|| "waits for a later Kubernetes".to_owned());
    let csv = if station.pending.is_empty() { &station.csv } else { &station.pending };
    // Where nothing is resolved, the catalog may not have the package.
    let disabled = station.is_frozen || csv.is_empty();
    let entry = EntryKey { channel: None, name: csv.clone() };
    let action = Action::Set(SetAction::EntryOpened { package: row.package.clone(), entry, version });
    let notes = shared.chain([updates, pending].into_iter().flatten());
    // The line from what is installed before to what is then, with what somebody does and a dot for each stop.
    let is_first = view.way.first() == Some(&version);
    let moves = !todo.is_empty() || hops > 0 || before != station.label;
    let begins = (is_first && moves)
        .then(|| html! { <code class="now">{ if before.is_empty() { "new" } else { before } }</code> });
    let stops = (1..hops.min(STOPS)).map(|_| html! { <i></i> });
    let sign = (!moves && !is_first).then(|| sign_of(station.is_frozen.then_some(Severity::Error)));
    html! { <td data-on={format!("On {version}")}>
        <div class="leg">
            { for begins }
            if moves || !is_first {
                <span class={classes!("track", (!moves).then_some("still"))}>
                    { for todo.iter().map(|text| html! { <span class="todo">{ prose(text) }</span> }) }{ for stops }
                </span>
            }
            { for sign }
            <button type="button" class={classes!("link", (!moves).then_some(if is_first { "now" } else { "same" }))}
                data-testid="plan-cell" {disabled} onclick={press(send, action)}>{ &station.label }</button>
            if is_first && !moves { <span class="track still"></span> }
        </div>
        { for notes.map(|text| html! { <span class="mute">{ text }</span> }) }
    </td> }
}
