//! An outcome step by step, or as all events on the cluster.

use super::conflict::conflict;
use crate::kit::{button, press, prose};
use crate::parts::{bundle_link, place_after, reasons, refusals};
use crate::store::{Action, SimulationAction};
use views::{
    DifferenceView, EventGroup, EventStatus, EventView, FailureKind, KeptView, ObjectKind, OutcomeView, SelectedView,
    SimulationView, StepView, TimelineView,
};
use yew::prelude::*;

/// Number of steps that are not folded.
const SHOWN: usize = 12;

/// The steps up to the first InstallPlan that waits for approval; the step at the slider's position is marked.
pub(super) fn steps(outcome: &OutcomeView, approved: usize, shown: usize, send: &Callback<Action>) -> Html {
    let pending = outcome.board.pending as usize;
    let Some(approved) = approved.checked_sub(pending) else {
        let approve = press(send, SimulationAction::PlanApproved);
        return html! {
            <section class="step" data-testid="step">
                <h4 tabindex="-1">{ "The InstallPlan of the cluster waits for approval" }</h4>
                <p class="actions">
                    <button type="button" class="primary" data-testid="approve" onclick={approve}>{ "Approve" }</button>
                </p>
            </section>
        };
    };
    let waiting = |view: &&StepView| view.waits_for_approval;
    let mut plans = outcome.steps.iter().enumerate().filter(|(_, view)| waiting(view)).map(|(at, _)| at);
    let halt = plans.nth(approved);
    let until = halt.map_or(outcome.steps.len(), |at| at + 1);
    let row = |at: usize| step(&outcome.steps[at], at + 1, halt == Some(at), shown == at + 1, send);
    let first = until.min(SHOWN);
    html! {
        <>
            { for (0..first).map(row) }
            if until > first {
                <details>
                    <summary>{ format!("{} more steps", until - first) }</summary>
                    { for (first..until).map(row) }
                </details>
            }
        </>
    }
}

fn step(view: &StepView, number: usize, waits: bool, now: bool, send: &Callback<Action>) -> Html {
    let title = match (view.plan_created, view.waits_for_approval) {
        (true, true) if waits => "InstallPlan waits for approval",
        (true, true) => "InstallPlan approved",
        (true, false) => "InstallPlan approved automatically",
        (false, _) => match view.failure.as_ref().map(|failure| failure.kind) {
            Some(FailureKind::Conflict | FailureKind::Refused) => "no solution",
            Some(FailureKind::Unknown) => "unknown",
            None => "no InstallPlan",
        },
    };
    let approve = press(send, SimulationAction::PlanApproved);
    html! {
        <section class={classes!("step", now.then_some("now"))} data-testid="step" aria-current={now.then_some("step")}>
            <h4 tabindex="-1"><span class="number">{ number }</span>{ format!(" Step {number}: {title}") }</h4>
            { for view.selected.iter().map(|row| selected(row, send)) }
            if !view.generated.is_empty() {
                <p class="label">{ "Subscriptions that OLM creates" }</p>
                <ul class="plain">
                    { for view.generated.iter().map(|line| html! { <li><code>{ line }</code></li> }) }
                </ul>
            }
            if !view.kept.is_empty() {
                <ul class="plain kept">{ for view.kept.iter().map(|row| kept(row, send)) }</ul>
            }
            if waits {
                <p class="actions">
                    <button type="button" class="primary" data-testid="approve" onclick={approve}>{ "Approve" }</button>
                </p>
            }
            { for view.failure.as_ref().map(|row| conflict(row, send)) }
        </section>
    }
}

/// A Subscription that a step does not update to the head.
fn kept(view: &KeptView, send: &Callback<Action>) -> Html {
    html! {
        <li data-testid="kept">
            <b>{ &view.subscription }</b>{ " stays at " }<code>{ &view.csv }</code>{ ": " }{ why_kept(view, send) }
        </li>
    }
}

/// Why a Subscription keeps its CSV, with a button that asks why it does not get the better one.
pub(super) fn why_kept(view: &KeptView, send: &Callback<Action>) -> Html {
    let ask = press(send, SimulationAction::WhyNotFollowed(view.better.clone()));
    html! {
        <>
            { prose(&view.because.text) }
            { place_after(view.because.place, send) }
            { " " }
            <button type="button" class="link" data-testid="why-not-better" onclick={ask}>
                { format!("Why not {}?", view.better.name) }
            </button>
        </>
    }
}

fn selected(view: &SelectedView, send: &Callback<Action>) -> Html {
    let csv = &view.csv;
    html! {
        <article class="selected" data-testid="selected" data-name={csv.name.clone()}>
            <p>
                { bundle_link(csv, send) }
                <span class="mute">{ " " }<bdi>{ &csv.channel }</bdi>{ " · " }<bdi>{ &csv.catalog }</bdi></span>
                if let Some(old) = &view.replaces {
                    <span class="mute">{ " · in place of " }<code>{ old }</code></span>
                }
            </p>
            { reasons(&view.because, send) }
            { refusals(&view.refused, view.unexplained, send) }
        </article>
    }
}

/// The events, and why they end.
pub(super) fn events(view: &TimelineView, send: &Callback<Action>) -> Html {
    let approve = press(send, SimulationAction::PlanApproved);
    let end = |(at, text): (usize, &String)| html! { <>if at > 0 { { "; " } }{ prose(text) }</> };
    html! {
        <div class="timeline" data-testid="timeline">
            { for view.groups.iter().map(group) }
            <p class="ends">
                <b>{ "Nothing more happens on its own: " }</b>
                { for view.ends.iter().enumerate().map(end) }
                if view.waits {
                    { " " }
                    <button type="button" class="primary" data-testid="approve" onclick={approve}>{ "Approve" }</button>
                }
            </p>
        </div>
    }
}

fn group(group: &EventGroup) -> Html {
    html! {
        <section data-testid="event-group">
            <h4>{ prose(&group.title) }</h4>
            <ol>{ for group.events.iter().map(event) }</ol>
        </section>
    }
}

fn event(view: &EventView) -> Html {
    let (class, word) = match view.status {
        EventStatus::Normal => ("", ""),
        EventStatus::Waiting => ("waits", "waits"),
        EventStatus::Transient => ("passes", "resolves on its own"),
        EventStatus::Failed => ("fails", "fails"),
    };
    let kind = match view.object {
        ObjectKind::Namespace => "namespace",
        ObjectKind::CatalogSource => "CatalogSource",
        ObjectKind::Subscription => "Subscription",
        ObjectKind::InstallPlan => "InstallPlan",
        ObjectKind::Csv => "CSV",
    };
    html! {
        <li class={class} data-testid="event">
            <span class="kind">{ kind }</span>
            <div>
                <p>
                    if !view.name.is_empty() { <b>{ &view.name }</b>{ " " } }
                    { prose(&view.text) }
                    if !word.is_empty() { { " " }<span class="badge">{ word }</span> }
                </p>
                if !view.detail.is_empty() {
                    <details><summary>{ "OLM's words" }</summary><pre>{ &view.detail }</pre></details>
                }
            </div>
        </li>
    }
}

// Comparison of the outcomes between which OLM leaves the choice to chance.

/// The largest number of outcome columns; if there are more, buttons select one.
const COLUMNS: usize = 4;

/// The comparison; nothing if there is only one outcome.
pub(super) fn outcome_comparison(view: &SimulationView, shown: usize, send: &Callback<Action>) -> Html {
    if view.outcomes.len() < 2 {
        return if view.bounded { not_all(send) } else { Html::default() };
    }
    let text = match view.outcomes.len() {
        2 => "OLM may do either.".to_owned(),
        many => format!("OLM may do any of {many}{}.", if view.bounded { " things, or more" } else { " things" }),
    };
    html! { <section class="either" data-testid="outcomes">
        <p><b>{ text }</b>{ " Which one happens depends on an order that OLM does not fix." }
            if view.bounded { { " There may be more outcomes: not all orders were tried." } }</p>
        { table(view, shown, send) }
    </section> }
}

fn not_all(send: &Callback<Action>) -> Html {
    html! { <p class="remark">{ "There may be other outcomes: not all orders were tried. " }
    { button("run", "Try again", send, SimulationAction::Run) }</p> }
}

fn table(view: &SimulationView, shown: usize, send: &Callback<Action>) -> Html {
    // Keep the outcome that is shown among the columns.
    let first = shown.saturating_sub(COLUMNS - 1);
    let columns: Vec<usize> = (first..view.outcomes.len()).take(COLUMNS).collect();
    let heads = columns.iter().map(|&index| head(view, index, shown, send));
    html! { <>
        if view.outcomes.len() > COLUMNS { { choices(view.outcomes.len(), shown, send) } }
        <div class="sideways"><table>
            <thead><tr><td></td>{ for heads }</tr></thead>
            <tbody>{ for view.differences.iter().map(|difference| row(difference, &columns, shown)) }</tbody>
        </table></div>
    </> }
}

fn head(view: &SimulationView, index: usize, shown: usize, send: &Callback<Action>) -> Html {
    let onclick = press(send, SimulationAction::OutcomeChosen(index));
    html! {
        <th scope="col" class={classes!((index == shown).then_some("on"))}>
            <button type="button" data-testid="outcome" aria-pressed={(index == shown).to_string()} {onclick}>
                { format!("Outcome {}", index + 1) }
            </button>
            <small>{ prose(&view.outcomes[index].when) }</small>
        </th>
    }
}

fn row(difference: &DifferenceView, columns: &[usize], shown: usize) -> Html {
    let cell = |index: usize| {
        html! {
            <td class={classes!((index == shown).then_some("on"))}>
                { prose(difference.cells.get(index).map_or("", String::as_str)) }
            </td>
        }
    };
    html! {
        <tr data-testid="difference">
            <th scope="row">{ &difference.subject }</th>
            { for columns.iter().map(|&index| cell(index)) }
        </tr>
    }
}

/// A button for each outcome.
fn choices(count: usize, shown: usize, send: &Callback<Action>) -> Html {
    let button = |index: usize| {
        let onclick = press(send, SimulationAction::OutcomeChosen(index));
        html! {
            <button type="button" aria-pressed={(index == shown).to_string()}
                aria-label={format!("Outcome {}", index + 1)} {onclick}>
                { index + 1 }
            </button>
        }
    };
    html! { <div class="choice" role="group" aria-label="Outcomes">{ for (0..count).map(button) }</div> }
}
