//! Playback of the InstallPlans: a slider and a play button.

use super::result::Props;
use crate::dom;
use crate::store::{Action, SimulationAction, completed_steps};
use views::{OutcomeView, StepView};
use yew::prelude::*;

/// The largest number of bundle names in the label.
const NAMES: usize = 3;

/// The slider; nothing if no InstallPlan completes.
pub(super) fn playback(outcome: &OutcomeView, props: &Props) -> Html {
    let last = completed_steps(outcome, props.approved);
    if last == 0 {
        return Html::default();
    }
    let (at, on) = (props.step.min(last), !props.playing);
    let label = label(outcome, at, last);
    let oninput = props.send.reform(|event: InputEvent| {
        Action::Simulation(SimulationAction::StepChosen(dom::input_text(&event).parse().unwrap_or_default()))
    });
    let play = props.send.reform(move |_: MouseEvent| Action::Simulation(SimulationAction::PlaybackSwitched { on }));
    html! { <div class="moments" role="group" aria-label="Moments" data-testid="moments">
        <button type="button" data-testid="play" aria-label={if on { "Play" } else { "Stop" }} title={if on { "Play plan by plan; the graph follows" } else { "Stop" }} onclick={play}>
            <span aria-hidden="true">{ if on { "▶" } else { "■" } }</span></button>
        <input type="range" min="0" max={last.to_string()} step="1" value={at.to_string()} aria-label="InstallPlans completed" aria-valuetext={label.clone()} data-testid="moment" {oninput} />
        <span class="mute" aria-hidden="true" data-testid="moment-said">{ label }</span>
    </div> }
}

/// The label of a position of the slider.
fn label(outcome: &OutcomeView, at: usize, last: usize) -> String {
    let Some(step) = at.checked_sub(1).and_then(|at| outcome.steps.get(at)) else {
        return "Before the first plan".to_owned();
    };
    let next = outcome.steps.get(at).is_some_and(|step| step.waits_for_approval);
    let waits = if at == last && next { "; the next plan waits for approval" } else { "" };
    format!("After plan {at} of {last}: {}{waits}", names(step))
}

fn names(step: &StepView) -> String {
    let names: Vec<&str> = step.selected.iter().take(NAMES).map(|row| row.csv.name.as_str()).collect();
    match step.selected.len().saturating_sub(NAMES) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
