//! Playback of an outcome: shows the cluster before the first step and after each completed one; the graph follows.
//! Calls `navigation`.

use super::navigation::{resolve, select};
use super::select::last_step;
use super::{Effect, NamedSelection, State, outcome, shown_step};
use views::{EntryKey, SelectedView};

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
    let selection = NamedSelection { catalog: csv.catalog, package: Some(csv.package), entry: None };
    let Some(package) = resolve(&state.overview, &selection).and_then(|found| found.package) else { return };
    if state.selection.package.as_ref() != Some(&package) {
        select(state, effects, package, None);
    }
    state.explore.followed = name.map(|name| EntryKey { channel: Some(csv.channel), name });
}
