//! Plans of an update of OpenShift: a line for each operator, a column for each version.

use crate::dom;
use crate::kit::{option, plural, press, prose, prose_items};
use crate::store::{Action, GOALS, SetAction, State};
use views::{EntryKey, OpenShift, PlanCell, PlanGoal, PlanQuery, PlanRow, PlanTable, SetRow};
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
        { form(&state.sets.query, way, matches!(state.sets.plans, Some(Ok(_))), row, send) }
        <p class="mute">{ if state.simulation.has_cluster() {
            "For the Subscriptions of your cluster."
        } else {
            "For the head of every channel, each by itself. Drop a must-gather or manifests to plan for your cluster."
        } }</p>
        { answer }
    </> }
}

fn form(
    query: &PlanQuery,
    way: Option<(OpenShift, OpenShift)>,
    is_known: bool,
    row: &SetRow,
    send: &Callback<Action>,
) -> Html {
    let changed = |change: fn(&mut PlanQuery, String)| {
        let (query, send) = (query.clone(), send.clone());
        Callback::from(move |event: Event| {
            let mut query = query.clone();
            change(&mut query, dom::select_text(&event));
            send.emit(Action::Set(SetAction::QueryChanged(query)));
        })
    };
    let versions = |on: Option<OpenShift>| {
        // The planner chooses what the user does not.
        let unknown = on.is_none().then(|| option("", true, "…"));
        let versions = row
            .versions
            .iter()
            .map(move |version| option(version.to_string(), on == Some(*version), &version.to_string()));
        unknown.into_iter().chain(versions)
    };
    let from = changed(|query, text| query.from = text.parse().ok());
    let to = changed(|query, text| query.to = text.parse().ok());
    let goal = changed(|query, text| {
        let chosen = GOALS.iter().find(|(_, name)| *name == text);
        query.goal = chosen.map(|(goal, _)| *goal).unwrap_or_default();
    });
    html! { <div class="tools plan-form">
        <label>{ "From" }
            <select data-testid="plan-from" onchange={from}>{ for versions(way.map(|way| way.0)) }</select></label>
        <label>{ "to" }
            <select data-testid="plan-to" onchange={to}>{ for versions(way.map(|way| way.1)) }</select></label>
        <label>{ "so that" }<select data-testid="plan-goal" onchange={goal}>
            { for GOALS.iter().map(|(goal, name)| option(*name, *goal == query.goal, name)) }
        </select></label>
        <button type="button" data-testid="plan-copy" disabled={!is_known}
            onclick={press(send, Action::Set(SetAction::ReportCopied))}>{ "Copy the checklist" }</button>
    </div> }
}

fn plans(view: &PlanTable, query: &PlanQuery, send: &Callback<Action>) -> Html {
    let (resting, moving): (Vec<&PlanRow>, Vec<&PlanRow>) = view.rows.iter().partition(|row| row.is_at_rest);
    html! { <>
        <p class="sentence" data-testid="plan-sentence"><b>{ &view.sentence }</b></p>
        <ul class="gate">{ prose_items(&view.notices) }</ul>
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

fn table(view: &PlanTable, query: &PlanQuery, rows: &[&PlanRow], send: &Callback<Action>) -> Html {
    html! { <table class="matrix plans">
        <thead><tr><th scope="col">{ "Operator" }</th>
            { for view.way.iter().map(|version| html! { <th scope="col">{ format!("On {version}") }</th> }) }
        </tr></thead>
        <tbody>{ for rows.iter().map(|row| line(view, query, row, send)) }</tbody>
    </table> }
}

fn line(view: &PlanTable, query: &PlanQuery, row: &PlanRow, send: &Callback<Action>) -> Html {
    let to_head = Action::Set(SetAction::QueryChanged(PlanQuery { goal: PlanGoal::Head, ..query.clone() }));
    let cells = view.way.iter().zip(&row.cells).map(|(version, one)| cell(row, *version, one, send));
    html! { <>
        <tr data-testid="plan-row" data-name={row.package.clone()}>
            <th scope="row"><b>{ &row.package }</b><small class="mute">{ format!(" {}", row.channel) }</small></th>
            { for cells }
        </tr>
        if !row.reason.is_empty() || !row.rest.is_empty() {
            <tr class="unfolded"><td colspan={(view.way.len() + 1).to_string()}><div>
                if !row.reason.is_empty() {
                    <p class="reason" data-testid="plan-reason"><b>{ "✕ " }</b>{ prose(&row.reason) }</p>
                }
                if !row.rest.is_empty() {
                    <p class="mark warning" data-testid="plan-rest">
                        <b>{ "! " }</b>{ prose(&row.rest) }{ " " }
                        if query.goal != PlanGoal::Head {
                            <button type="button" class="link" data-testid="plan-head" onclick={press(send, to_head)}>
                                { "Look for a way to the head" }</button>
                        }
                    </p>
                }
                if !row.lifts.is_empty() {
                    <details><summary>{ format!("{} way{} out", row.lifts.len(), plural(row.lifts.len())) }</summary>
                        <ul>{ prose_items(&row.lifts) }</ul></details>
                }
            </div></td></tr>
        }
    </> }
}

/// What is done and what happens on a version, and what is installed when it is left.
fn cell(row: &PlanRow, version: OpenShift, cell: &PlanCell, send: &Callback<Action>) -> Html {
    let entry = EntryKey { channel: None, name: cell.csv.clone() };
    let action = Action::Set(SetAction::EntryOpened { package: row.package.clone(), entry, version });
    html! { <td data-on={format!("On {version}")}>
        { for cell.todo.iter().map(|text| html! { <span class="todo">{ "☞ " }{ prose(text) }</span> }) }
        <button type="button" class="link" data-testid="plan-cell" disabled={cell.csv.is_empty()}
            onclick={press(send, action)}>
            { &cell.label }</button>
        { for cell.notes.iter().map(|text| html! { <span class="mute">{ text }</span> }) }
    </td> }
}
