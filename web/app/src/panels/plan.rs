//! Plans of an update of OpenShift: a line for each operator, a column for each version.

use crate::dom;
use crate::kit::{option, plural, press, prose, prose_items};
use crate::store::{Action, GOALS, SetAction, State};
use views::{EntryKey, OpenShift, PlanQuery, PlanStation, PlanStep, PlanView, PlansView, SetRow};
use yew::prelude::*;

/// The plans, with what they are asked for.
pub(super) fn plan(state: &State, row: &SetRow, send: &Callback<Action>) -> Html {
    let answer = match &state.sets.plans {
        None => html! { <p class="mute waiting">{ "Planning…" }</p> },
        Some(Err(reason)) => html! { <p class="sentence" role="alert">{ reason }</p> },
        Some(Ok(view)) => plans(view, send),
    };
    let way = match &state.sets.plans {
        Some(Ok(view)) => view.way.first().copied().zip(view.way.last().copied()),
        _ => None,
    };
    html! { <>
        { form(&state.sets.query, way, row, send) }
        <p class="mute">{ if state.simulation.has_cluster() {
            "For the Subscriptions of your cluster."
        } else {
            "For the head of every channel, each by itself. Drop a must-gather or manifests to plan for your cluster."
        } }</p>
        { answer }
    </> }
}

fn form(query: &PlanQuery, way: Option<(OpenShift, OpenShift)>, row: &SetRow, send: &Callback<Action>) -> Html {
    let changed = |change: fn(&mut PlanQuery, String)| {
        let (query, send) = (query.clone(), send.clone());
        Callback::from(move |event: Event| {
            let mut query = query.clone();
            change(&mut query, dom::select_text(&event));
            send.emit(Action::Set(SetAction::QueryChanged(query)));
        })
    };
    let versions = |on: Option<OpenShift>| {
        row.versions.iter().map(move |version| option(version.to_string(), on == Some(*version), &version.to_string()))
    };
    let from = changed(|query, text| query.from = text.parse().ok());
    let to = changed(|query, text| query.to = text.parse().ok());
    let goal = changed(|query, text| {
        let chosen = GOALS.iter().find(|(_, name)| *name == text);
        query.goal = chosen.map(|(goal, _)| *goal).unwrap_or_default();
    });
    let toggle = |label: &'static str, on: bool, change: fn(&mut PlanQuery)| {
        let mut changed = query.clone();
        change(&mut changed);
        let onclick = press(send, Action::Set(SetAction::QueryChanged(changed)));
        html! { <button type="button" aria-pressed={on.to_string()} {onclick}>{ label }</button> }
    };
    html! { <div class="tools plan-form">
        <label>{ "From" }<select data-testid="plan-from" onchange={from}>{ for versions(way.map(|way| way.0)) }</select></label>
        <label>{ "to" }<select data-testid="plan-to" onchange={to}>{ for versions(way.map(|way| way.1)) }</select></label>
        <label>{ "so that" }<select data-testid="plan-goal" onchange={goal}>
            { for GOALS.iter().map(|(goal, name)| option(*name, *goal == query.goal, name)) }
        </select></label>
        { toggle("may remove", query.may_remove, |query| query.may_remove = !query.may_remove) }
        { toggle("may reinstall", query.may_reinstall, |query| query.may_reinstall = !query.may_reinstall) }
        <button type="button" data-testid="plan-copy" onclick={press(send, Action::Set(SetAction::ReportCopied))}>
            { "Copy the checklist" }</button>
    </div> }
}

fn plans(view: &PlansView, send: &Callback<Action>) -> Html {
    let stays = |plan: &&PlanView| {
        plan.reason.is_none() && plan.differs.is_none() && plan.steps.iter().all(|step| step.what == "openshift")
    };
    let (resting, moving): (Vec<&PlanView>, Vec<&PlanView>) = view.plans.iter().partition(stays);
    html! { <>
        <p class="sentence" data-testid="plan-sentence"><b>{ &view.sentence }</b></p>
        <ul class="gate">{ prose_items(&view.notices) }</ul>
        if !moving.is_empty() { { table(view, &moving, send) } }
        if !resting.is_empty() {
            <details>
                <summary>{ format!("{} operator{} without anything to do", resting.len(), plural(resting.len())) }</summary>
                { table(view, &resting, send) }
            </details>
        }
        <p class="mute">{ "Assumed: the catalogs stay as they are, updates that happen by themselves are over before the next step, \
            and every operator stays healthy. OpenShift may have other reasons to stop an update." }</p>
    </> }
}

fn table(view: &PlansView, plans: &[&PlanView], send: &Callback<Action>) -> Html {
    html! { <table class="matrix plans">
        <thead><tr><th scope="col">{ "Operator" }</th>
            { for view.way.iter().map(|version| html! { <th scope="col">{ format!("On {version}") }</th> }) }
        </tr></thead>
        <tbody>{ for plans.iter().map(|plan| line(view, plan, send)) }</tbody>
    </table> }
}

fn line(view: &PlansView, plan: &PlanView, send: &Callback<Action>) -> Html {
    let key = format!("{}/{}/{}", plan.namespace, plan.subscription, plan.channel);
    let cells = view.way.iter().map(|version| {
        let station = plan.stations.iter().find(|station| station.openshift == *version);
        let steps: Vec<&PlanStep> =
            plan.steps.iter().filter(|step| step.openshift == *version && step.what != "openshift").collect();
        cell(plan, *version, station, &steps, send)
    });
    html! { <>
        <tr key={key.clone()} data-testid="plan-row" data-name={plan.package.clone()}>
            <th scope="row"><b>{ &plan.package }</b><small class="mute">{ format!(" {}", plan.channel) }</small></th>
            { for cells }
        </tr>
        if plan.reason.is_some() || plan.differs.is_some() {
            <tr key={format!("{key} reason")} class="unfolded"><td colspan={(view.way.len() + 1).to_string()}>
                if let Some(reason) = &plan.reason {
                    <p class="reason" data-testid="plan-reason"><b>{ "✕ " }</b>{ prose(&reason.sentence) }</p>
                    if !reason.lifts.is_empty() {
                        <details><summary>{ format!("{} way{} out", reason.lifts.len(), plural(reason.lifts.len())) }</summary>
                            <ul>{ prose_items(&reason.lifts) }</ul></details>
                    }
                }
                if let Some(text) = &plan.differs {
                    <p class="mute">{ "The simulation differs from this plan: " }{ prose(text) }</p>
                }
            </td></tr>
        }
    </> }
}

/// What is done and what happens on a version, and what is installed when it is left.
fn cell(
    plan: &PlanView,
    version: OpenShift,
    station: Option<&PlanStation>,
    steps: &[&PlanStep],
    send: &Callback<Action>,
) -> Html {
    let Some(station) = station else { return html! { <td class="absent">{ "–" }</td> } };
    let manual = steps.iter().filter(|step| !step.automatic).map(|step| {
        html! { <span class="todo" title={step.commands.join("\n")}>{ "☞ " }{ prose(&step.text) }</span> }
    });
    let updates = steps.iter().filter(|step| step.automatic).count();
    let name = if station.pending.is_empty() { &station.csv } else { &station.pending };
    let entry = EntryKey { channel: Some(station.channel.clone()), name: name.clone() };
    let action = Action::Set(SetAction::EntryOpened { package: plan.package.clone(), entry, version });
    html! { <td class={classes!(station.is_frozen.then_some("frozen"))}>
        { for manual }
        if updates > 0 { <span class="mute">{ format!("{updates} update{} by itself", plural(updates)) }</span> }
        if name.is_empty() { <span class="mute">{ "nothing installed" }</span> } else {
            <button type="button" class="link" data-testid="plan-cell" onclick={press(send, action)}>{ short(name) }</button>
        }
        if !station.pending.is_empty() { <span class="warn">{ "waits for a later Kubernetes" }</span> }
        if station.is_frozen { <span class="warn">{ "namespace not resolved" }</span> }
    </td> }
}

/// A CSV without the name of the package in front of its version.
fn short(name: &str) -> &str {
    name.split_once(".v")
        .filter(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
        .map_or(name, |(_, version)| version)
}
