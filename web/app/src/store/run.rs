//! Running the simulation: when it is asked for again, and with what.

use super::request::{self, query};
use super::{Effect, Mode, NoticeKind, Pane, State, WhyNot, units};
use views::{EntryKey, PackageKey, Query};

/// Runs the simulation, if it was run before.
pub(super) fn run(state: &mut State, effects: &mut Vec<Effect>) {
    if state.simulation.ran {
        query(state, effects, Query::Simulate { cluster: state.simulation.input() });
        ask_events(state, effects);
        ask_why_not_again(state, effects);
    }
}

/// Tells the worker what was typed as manifests, and saves it.
pub(super) fn flush(state: &mut State, effects: &mut Vec<Effect>) {
    if std::mem::take(&mut state.simulation.typed) {
        effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
        // What is pasted is read at once: its errors have lines, and nothing is applied by looking.
        state.simulation.ran = true;
        state.simulation.replaced = None;
        forget_undo(state);
        run(state, effects);
    }
}

/// Whether a newer answer to the simulation is on its way.
pub(super) fn is_asked(state: &State) -> bool {
    request::is_asked(state, |_, query| matches!(query, Query::Simulate { .. }))
}

/// Asks for every event of the outcome shown, if they are shown.
pub(super) fn ask_events(state: &mut State, effects: &mut Vec<Effect>) {
    let simulation = &state.simulation;
    if simulation.ran && simulation.every_event {
        let (outcome, approved) = (number(simulation.outcome), number(simulation.approved));
        query(state, effects, Query::Timeline { cluster: state.simulation.input(), outcome, approved });
    }
}

/// Asks why an entry is not chosen.
pub(super) fn ask_why_not(state: &mut State, effects: &mut Vec<Effect>, package: PackageKey, entry: EntryKey) {
    let (cluster, outcome) = (state.simulation.input(), number(state.simulation.outcome));
    query(state, effects, Query::WhyNot { cluster, outcome, package, entry });
}

/// Asks it again, if the answer is shown: it belongs to what was simulated before.
pub(super) fn ask_why_not_again(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(WhyNot { package, entry, .. }) = state.simulation.why_not.clone() {
        ask_why_not(state, effects, package, entry);
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Resets approvals, playback and outcome: another cluster has other plans and other outcomes.
pub(super) fn begin_again(state: &mut State) {
    state.simulation.begin_again();
    state.simulation.outcome = 0;
}

/// Withdraws the offers to put back what was removed or replaced: the cluster has changed since.
pub(super) fn forget_undo(state: &mut State) {
    let is_undo = |kind: &NoticeKind| {
        matches!(
            kind,
            NoticeKind::SubscriptionRemoved { .. }
                | NoticeKind::FormChanged { .. }
                | NoticeKind::FieldsEmptied { .. }
                | NoticeKind::ManifestsFound
                | NoticeKind::Exported
                | NoticeKind::Rewritten
        )
    };
    state.notices.retain(|notice| !is_undo(&notice.kind));
}

/// Shows a range of bytes of the manifests.
pub(super) fn reveal(state: &mut State, effects: &mut Vec<Effect>, start: u32, end: u32) {
    state.pane = Pane::Simulation;
    state.simulation.mode = Mode::Manifests;
    let text = &state.simulation.manifests;
    effects.push(Effect::RevealManifests { start: units(text, start), end: units(text, end) });
}
