//! The strip above the views of a package: what becomes of each Subscription, in a few words.

use crate::kit::press;
use crate::store::{Action, SimulationAction, State, outcome};
use views::{Runtime, Severity, SubscriptionStatus, SubscriptionView};
use yew::prelude::*;

/// The verdict of each Subscription; nothing without a result.
pub(crate) fn verdicts(state: &State, send: &Callback<Action>) -> Html {
    let simulation = &state.simulation;
    let Some(outcome) =
        outcome(state).filter(|outcome| !outcome.subscriptions.is_empty() && !simulation.is_empty(state.runtime))
    else {
        return Html::default();
    };
    let several = simulation.view.as_ref().is_some_and(|view| view.outcomes.len() > 1);
    html! {
        <nav class="verdicts" aria-label="What OLM does" data-testid="verdicts">
            // Subscriptions are of OLM v0; what OLM v1 does is in the simulation.
            if state.runtime != Runtime::V0 { <span class="mute">{ "OLM v0:" }</span> }
            <ul>{ for outcome.subscriptions.iter().map(|row| html! { <li>{ chip(row, state, send) }</li> }) }</ul>
            if several {
                <span class="badge hint" title="OLM’s choice is random. The simulation lists the other outcomes.">
                    { "or otherwise" }
                </span>
            }
        </nav>
    }
}

fn chip(row: &SubscriptionView, state: &State, send: &Callback<Action>) -> Html {
    let onclick = press(send, SimulationAction::VerdictFollowed(row.name.clone()));
    let (mark, class) = look(row.status);
    let here = row.package_key.is_some() && row.package_key == state.selection.package;
    html! {
        <button type="button" class={classes!("chip", class)} data-testid="verdict-chip" data-name={row.name.clone()}
        aria-current={here.then_some("true")} title={format!("{} {}", row.name, row.verdict)} {onclick}>
        <span aria-hidden="true">{ mark }</span>{ &row.short }</button>
    }
}

/// The mark of a status and the class of its colour.
pub(super) fn look(status: SubscriptionStatus) -> (&'static str, &'static str) {
    let severity = severity_of(status);
    let mark = match (status, severity) {
        (SubscriptionStatus::Unknown, _) => "?",
        (_, None) => "✓",
        (_, Some(Severity::Warning)) => "▲",
        (_, Some(Severity::Error)) => "✕",
        (_, Some(Severity::Hint)) => "…",
    };
    (mark, severity.map_or("fine", Severity::as_str))
}

/// How bad a status is; `None` if nothing is wrong.
pub(super) const fn severity_of(status: SubscriptionStatus) -> Option<Severity> {
    match status {
        SubscriptionStatus::Installs | SubscriptionStatus::Updates | SubscriptionStatus::AtHead => None,
        SubscriptionStatus::Waits | SubscriptionStatus::Behind | SubscriptionStatus::NotInstalled => {
            Some(Severity::Warning)
        }
        SubscriptionStatus::Fails | SubscriptionStatus::Blocked | SubscriptionStatus::Loops => Some(Severity::Error),
        SubscriptionStatus::Passes | SubscriptionStatus::Unknown => Some(Severity::Hint),
    }
}
