//! The result of the simulation.

use super::outcome_comparison::outcome_comparison;
use super::playback::playback;
use super::steps::steps;
use super::subscription_result::subscription_result;
use super::timeline::events;
use super::unserved::unserved;
use crate::kit::{choice, prose};
use crate::parts::place_link;
use crate::store::{Action, Mode, Shared, SimulationAction};
use views::{ManifestsView, OutcomeView, Severity, SimulationView, TimelineView};
use yew::prelude::*;

/// Properties of the result.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The result, once the worker has answered.
    pub(crate) view: Option<Shared<SimulationView>>,
    /// Whether form or manifests are simulated.
    pub(crate) mode: Mode,
    /// Index of the outcome shown.
    pub(crate) outcome: usize,
    /// Number of Manual InstallPlans that the user approved.
    pub(crate) approved: usize,
    /// Number of InstallPlans completed at the slider's position.
    pub(crate) step: usize,
    /// Whether playback runs.
    pub(crate) playing: bool,
    /// Whether all events are shown instead of hops.
    pub(crate) every: bool,
    /// The events, once the worker has answered.
    pub(crate) timeline: Option<Shared<TimelineView>>,
    /// Whether there is anything to simulate.
    pub(crate) ready: bool,
    /// Whether the region is expanded.
    pub(crate) expanded: bool,
    /// Receives actions.
    pub(crate) send: Callback<Action>,
}

/// The result with the Run button.
#[component]
pub(crate) fn SimulationResult(props: &Props) -> Html {
    let run = props.send.reform(|_: MouseEvent| Action::Simulation(SimulationAction::Run));
    let on = !props.expanded;
    let room = props.send.reform(move |_: MouseEvent| Action::Simulation(SimulationAction::Expanded { on }));
    let shown = props.view.as_ref().filter(|_| props.ready);
    html! {
        <div class="outcome" data-testid="simulation-result" aria-live="polite">
            <div class="bar"><h3 id="result" tabindex="-1">{ "What OLM does" }</h3><span class="grow"></span>
                <button type="button" class="quiet room" data-testid="room" aria-pressed={props.expanded.to_string()} onclick={room}>{ if on { "Expand" } else { "Restore" } }</button>
                <button type="button" class="primary" data-testid="run" disabled={!props.ready} onclick={run}>{ "Run " }<kbd class="only-keys">{ "Ctrl ↵" }</kbd></button></div>
            if let Some(view) = shown { { answer(view, props) } } else { { nothing(props) } }
        </div>
    }
}

/// The text before the first run: what to do next.
fn nothing(props: &Props) -> Html {
    let text = match (props.ready, props.mode) {
        (true, _) => "Run the simulation to see which bundles OLM installs, step by step - or which rules conflict.",
        (false, Mode::Form) => {
            "Add a Subscription on the left, then run the simulation to see which bundles OLM installs - or which rules conflict."
        }
        (false, Mode::Manifests) => {
            "Paste the output of kubectl on the left, then run the simulation to see what OLM does in that cluster, and why."
        }
    };
    html! { <p class="mute waiting">{ text }</p> }
}

fn answer(view: &SimulationView, props: &Props) -> Html {
    let notices = view.notices.iter().map(|text| html! { <p class="remark">{ prose(text) }</p> });
    let outcomes = html! { <>
        { outcome_comparison(view, props.outcome, &props.send) }
        { for view.outcomes.get(props.outcome).map(|view| outcome(view, props)) }
    </> };
    html! { <>
        { for view.manifests.iter().map(|read| unread(read, &props.send)) }
        { for notices }
        { match &view.blocked {
            Some(blocked) => unserved(blocked, outcomes, &props.send),
            None => outcomes,
        } }
    </> }
}

/// A warning that part of the manifests could not be read, so that the result ignores it.
fn unread(view: &ManifestsView, send: &Callback<Action>) -> Html {
    let mut errors = view.findings.iter().filter(|row| row.severity == Severity::Error);
    let Some(first) = errors.next() else { return Html::default() };
    let more = match errors.count() {
        0 => String::new(),
        count => format!(" and {count} more, listed below the manifests"),
    };
    html! { <div class="finding error" data-testid="unread"><p class="message">
        <b>{ "Part of the manifests could not be read: " }</b>{ prose(&first.message) }{ ", " }{ place_link(None, first.place, send) }{ more }
    </p></div> }
}

fn outcome(view: &OutcomeView, props: &Props) -> Html {
    let done = view.steps.get(..props.step).unwrap_or_default();
    html! { <>
        { for view.subscriptions.iter().map(|row| subscription_result(row, done, &props.send)) }
        { playback(view, props) }
        { how_much(props) }
        { match &props.timeline {
            Some(timeline) if props.every => events(timeline, &props.send),
            _ => steps(view, props.approved, props.step, &props.send),
        } }
    </> }
}

fn how_much(props: &Props) -> Html {
    let options = [(false, "Hops"), (true, "Every event")];
    html! { <div class="how-much" data-testid="how-much">{ choice("How much is shown", &options, props.every, &props.send.reform(|every| Action::Simulation(SimulationAction::EventsChosen { every }))) }</div> }
}
