//! Playback of an outcome: shows the cluster before the first step and after each completed one; the graph follows.
//! Calls `navigation`.

use super::navigation::{resolve, select};
use super::{Effect, Simulation, State, outcome, state::NamedSelection};
use views::{EntryKey, OutcomeView, SelectedView};

/// How many steps complete: all before the first one whose InstallPlan waits for an approval that was not given.
#[must_use]
pub fn completed_steps(outcome: &OutcomeView, approved: usize) -> usize {
    let waits = outcome.steps.iter().enumerate().filter(|(_, step)| step.waits_for_approval);
    let halt = waits.map(|(at, _)| at).nth(approved).unwrap_or(outcome.steps.len());
    outcome.steps[..halt].iter().take_while(|step| step.plan_created).count()
}

/// How many steps are completed at the point that is shown.
#[must_use]
pub fn shown_step(simulation: &Simulation) -> usize {
    simulation.step.min(last_step(simulation))
}

/// The largest value of [`shown_step`].
fn last_step(simulation: &Simulation) -> usize {
    simulation.shown_outcome().map_or(0, |outcome| completed_steps(outcome, simulation.approved))
}

/// Shows the point after `step` completed steps, and stops the playback.
pub(super) fn choose(state: &mut State, effects: &mut Vec<Effect>, step: usize) {
    state.simulation.playing = false;
    show(state, effects, step);
}

/// Starts or stops the playback. At the end of the outcome it starts again from the beginning.
pub(super) fn play(state: &mut State, effects: &mut Vec<Effect>, on: bool) {
    state.simulation.playing = on;
    if on {
        if shown_step(&state.simulation) == last_step(&state.simulation) {
            show(state, effects, 0);
        }
        effects.push(Effect::AwaitPlaybackTick);
    }
}

/// Shows the next step, if the playback still runs.
pub(super) fn advance(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.simulation.playing {
        return;
    }
    let (step, last) = (shown_step(&state.simulation) + 1, last_step(&state.simulation));
    state.simulation.playing = step < last;
    if step <= last {
        show(state, effects, step);
    }
    if state.simulation.playing {
        effects.push(Effect::AwaitPlaybackTick);
    }
}

/// Shows the point after the InstallPlan that was approved.
pub(super) fn approved(state: &mut State, effects: &mut Vec<Effect>) {
    let last = last_step(&state.simulation);
    choose(state, effects, last);
}

/// Shows the point after `completed` steps, and scrolls the drawing to the entry that the last of them installed: one
/// of the selected package or, if it changes none there, of another package, which is selected.
fn show(state: &mut State, effects: &mut Vec<Effect>, completed: usize) {
    state.simulation.step = completed;
    let Some(outcome) = outcome(state) else { return };
    let Some(step) = outcome.steps.get(completed.saturating_sub(1)) else { return };
    let key = state.selection.package.as_ref();
    let catalog = key.and_then(|key| state.catalog(key.catalog)).map(|row| row.name.as_str());
    let is_here = |row: &&SelectedView| {
        key.is_some_and(|key| key.package == row.csv.package) && catalog == Some(row.csv.catalog.as_str())
    };
    let Some(row) = step.selected.iter().find(is_here).or(step.selected.first()) else { return };
    let csv = row.csv.clone();
    let name = if completed == 0 { row.replaces.clone() } else { Some(csv.name) };
    let selection = NamedSelection { catalog: csv.catalog, package: csv.package, entry: None };
    let Some(package) = resolve(&state.overview, &selection) else { return };
    if state.selection.package.as_ref() != Some(&package) {
        select(state, effects, package, None);
    }
    state.explore.followed = name.map(|name| EntryKey { channel: Some(csv.channel), name });
}
