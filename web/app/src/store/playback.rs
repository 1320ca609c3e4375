//! Playback of an outcome: the moments before the first plan and after each plan that is carried out, which the graph
//! follows. Calls `navigation`.

use super::navigation::{resolve, select};
use super::{Effect, Simulation, State, outcome, state::Wanted};
use views::{EntryKey, OutcomeView, SelectedView};

/// So many plans are carried out: all before the first that waits and that nobody approved.
#[must_use]
pub fn carried_out(outcome: &OutcomeView, approved: usize) -> usize {
    let waits = outcome.steps.iter().enumerate().filter(|(_, step)| step.waits_for_approval);
    let halt = waits.map(|(at, _)| at).nth(approved).unwrap_or(outcome.steps.len());
    outcome.steps[..halt].iter().take_while(|step| step.plan_created).count()
}

/// So many plans are carried out at the moment that is shown.
#[must_use]
pub fn moment(simulation: &Simulation) -> usize {
    simulation.moment.min(last(simulation))
}

/// The last moment that there is.
fn last(simulation: &Simulation) -> usize {
    let outcome = simulation.view.as_ref().and_then(|view| view.outcomes.get(simulation.outcome));
    outcome.map_or(0, |outcome| carried_out(outcome, simulation.approved))
}

/// Shows a moment and stops the playback.
pub(super) fn choose(state: &mut State, effects: &mut Vec<Effect>, at: usize) {
    state.simulation.playing = false;
    show(state, effects, at);
}

/// Starts or stops the playback. From the last moment it starts again at the first.
pub(super) fn play(state: &mut State, effects: &mut Vec<Effect>, on: bool) {
    state.simulation.playing = on;
    if on {
        if moment(&state.simulation) == last(&state.simulation) {
            show(state, effects, 0);
        }
        effects.push(Effect::AwaitBeat);
    }
}

/// Shows the next moment of the playback, if it goes on.
pub(super) fn advance(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.simulation.playing {
        return;
    }
    let (at, last) = (moment(&state.simulation) + 1, last(&state.simulation));
    state.simulation.playing = at < last;
    if at <= last {
        show(state, effects, at);
    }
    if state.simulation.playing {
        effects.push(Effect::AwaitBeat);
    }
}

/// Shows the moment after the plan that was approved.
pub(super) fn approved(state: &mut State, effects: &mut Vec<Effect>) {
    let last = last(&state.simulation);
    choose(state, effects, last);
}

/// Shows a moment, and brings into view what is installed then: in the selected package, else in the first that changes.
fn show(state: &mut State, effects: &mut Vec<Effect>, at: usize) {
    state.simulation.moment = at;
    let Some(outcome) = outcome(state) else { return };
    let Some(step) = outcome.steps.get(at.saturating_sub(1)) else { return };
    let key = state.selection.package.as_ref();
    let catalog = key.and_then(|key| state.catalog(key.catalog)).map(|row| row.name.as_str());
    let is_here = |row: &&SelectedView| {
        key.is_some_and(|key| key.package == row.csv.package) && catalog == Some(row.csv.catalog.as_str())
    };
    let Some(row) = step.selected.iter().find(is_here).or(step.selected.first()) else { return };
    let csv = row.csv.clone();
    let name = if at == 0 { row.replaces.clone() } else { Some(csv.name) };
    let wanted = Wanted { catalog: csv.catalog, package: csv.package, entry: None };
    let Some(package) = resolve(&state.overview, &wanted) else { return };
    if state.selection.package.as_ref() != Some(&package) {
        select(state, effects, package, None);
    }
    state.explore.followed = name.map(|name| EntryKey { channel: Some(csv.channel), name });
}
