//! An outcome step by step, or as all events on the cluster.

use super::conflict::conflict;
use crate::kit::{press, prose};
use crate::parts::{bundle_link, place_after, reasons, refusals};
use crate::store::{Action, SimulationAction};
use views::{
    EventGroup, EventStatus, EventView, FailureKind, KeptView, ObjectKind, OutcomeView, SelectedView, StepView,
    TimelineView,
};
use yew::prelude::*;

/// Number of steps that are not folded.
const SHOWN: usize = 12;

/// The steps up to the first InstallPlan that waits for approval; the step at the slider's position is marked.
pub(super) fn steps(outcome: &OutcomeView, approved: usize, shown: usize, send: &Callback<Action>) -> Html {
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
                if let Some(old) = &view.replaces { <span class="mute">{ " · replaces " }<code>{ old }</code></span> }
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
