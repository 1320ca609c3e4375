//! A simulation and its outcomes. Calls `apply_fix`, `navigation_update`, `playback`, `run` and `verdict`.

use super::action::{NavigationAction, SimulationAction};
use super::run::{ask_events, ask_why_not, ask_why_not_again, run};
use super::{Effect, Selection, State, apply_fix, navigation_update, playback, verdict};
use views::{CsvRef, EntryKey};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: SimulationAction) {
    let simulation = &mut state.simulation;
    match action {
        SimulationAction::Run => {
            simulation.reset_progress();
            run(state, effects);
        }
        SimulationAction::VerdictFollowed(name) => verdict::follow(state, effects, &name),
        SimulationAction::OutcomeChosen(index) => {
            simulation.outcome = index;
            simulation.reset_progress();
            ask_events(state, effects);
            ask_why_not_again(state, effects);
        }
        SimulationAction::PlanApproved => {
            simulation.approved += 1;
            ask_events(state, effects);
            playback::approved(state, effects);
        }
        SimulationAction::StepChosen(at) => playback::choose(state, effects, at),
        SimulationAction::PlaybackSwitched { on } => playback::play(state, effects, on),
        SimulationAction::PlaybackTicked => playback::advance(state, effects),
        SimulationAction::EventsChosen { every } => {
            simulation.every_event = every;
            ask_events(state, effects);
        }
        SimulationAction::WhyNotAsked => ask_about_selection(state, effects),
        SimulationAction::WhyNotFollowed(CsvRef { name, package, channel, catalog, .. }) => {
            let entry = EntryKey { channel: Some(channel), name };
            navigation_update::handle(state, effects, NavigationAction::BundleFollowed { catalog, package, entry });
            ask_about_selection(state, effects);
        }
        SimulationAction::FixUndone(undo) => apply_fix::take_back(state, effects, undo, false),
        SimulationAction::FixRedone(redo) => apply_fix::take_back(state, effects, redo, true),
    }
}

/// Asks why OLM does or does not choose the selected entry.
fn ask_about_selection(state: &mut State, effects: &mut Vec<Effect>) {
    if let Selection { package: Some(package), entry: Some(entry), .. } = state.selection.clone() {
        ask_why_not(state, effects, package, entry);
    }
}
