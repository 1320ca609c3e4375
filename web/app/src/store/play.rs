//! The simulation: what it starts from, and when it is run.

use super::worker::{self, notify, query};
use super::{Action, Effect, Mode, NoticeKind, Pane, Selection, State, WhyNot, moment, sides, trial, units};
use views::{EntryKey, InputEdit, PackageKey, Query, SubscriptionForm};

/// An event of the simulation; others change nothing.
pub(super) fn take(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    match action {
        Action::ModeChosen(mode) => {
            let before = state.simulation.mode;
            sides::turn(state, effects, mode);
            if state.simulation.mode == before {
                return;
            }
        }
        Action::FormTakenBack => {
            state.simulation.take_back();
            begin_again(state);
            forget_undo(state);
        }
        Action::ManifestsTyped(text) => {
            state.simulation.manifests = text.into();
            state.simulation.typed = true;
            state.simulation.begin_again();
            effects.push(Effect::AwaitPause);
            return;
        }
        Action::NamespaceChosen(namespace) => {
            state.simulation.namespace = namespace;
            begin_again(state);
        }
        Action::ExportAsked => {
            state.simulation.copying = true;
            query(state, effects, Query::Export { form: state.simulation.cluster.clone() });
            return;
        }
        Action::InputRestored => {
            state.simulation.put_back();
            forget_undo(state);
            effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
        }
        Action::FixTried { what, trial } => {
            match trial {
                InputEdit::Catalog { file, splices, undo } => {
                    return trial::go(state, effects, what, (file, splices, undo));
                }
                InputEdit::Form(form) => state.simulation.replace_form(form),
                // The edits are of the text that was read: another one is about to be.
                InputEdit::Manifests(_) if state.simulation.typed || is_asked(state) => return,
                InputEdit::Manifests(splices) => {
                    state.simulation.edit_manifests(&splices);
                    effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
                }
            }
            forget_undo(state);
            notify(state, NoticeKind::FormChanged { what });
        }
        Action::Run => {
            state.simulation.ran = true;
            state.simulation.begin_again();
        }
        action => return show(state, effects, action),
    }
    run(state, effects);
}

/// Events that change what is shown of the answer and not the answer.
fn show(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    let simulation = &mut state.simulation;
    match action {
        Action::OutcomeChosen(index) => {
            simulation.outcome = index;
            simulation.begin_again();
            ask_events(state, effects);
            ask_why_not_again(state, effects);
        }
        Action::PlanApproved => {
            simulation.approved += 1;
            ask_events(state, effects);
            moment::approved(state, effects);
        }
        Action::MomentChosen(at) => moment::choose(state, effects, at),
        Action::Played { on } => moment::play(state, effects, on),
        Action::BeatPassed => moment::beat(state, effects),
        Action::EventsChosen { every } => {
            simulation.every_event = every;
            ask_events(state, effects);
        }
        Action::WhyNotAsked => {
            let Selection { package: Some(package), entry: Some(entry) } = state.selection.clone() else { return };
            ask_why_not(state, effects, package, entry);
        }
        Action::RoomChosen { all } => state.roomy = all,
        action => edit(state, effects, action),
    }
}

/// Events of the form.
fn edit(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    let simulation = &mut state.simulation;
    match action {
        Action::SubscriptionAdded => {
            let package = state.selection.package.clone().map_or_else(String::new, |key| key.package);
            simulation.cluster.subscriptions.push(SubscriptionForm { package, ..Default::default() });
        }
        Action::SubscriptionEdited { index, field, text } => simulation.set(index, field, text),
        Action::PackageSettled(index) => {
            let Some(package) = simulation.settle(index, &state.overview) else { return };
            forget_undo(state);
            notify(state, NoticeKind::FieldsEmptied { package });
            begin_again(state);
            return run(state, effects);
        }
        Action::ApprovalChosen { index, approval } => {
            if let Some(form) = simulation.cluster.subscriptions.get_mut(index) {
                form.approval = approval;
            }
        }
        Action::SubscriptionRemoved(index) => {
            let removed = simulation.remove(index);
            forget_undo(state);
            if let Some(package) = removed {
                notify(state, NoticeKind::SubscriptionRemoved { package });
            }
            begin_again(state);
            return run(state, effects);
        }
        Action::SubscriptionRestored => simulation.restore(),
        Action::InstallAsked => subscribe(state, |form, name| form.starting_csv = name),
        Action::InstalledAsked => subscribe(state, |form, name| form.installed = name),
        _ => return,
    }
    forget_undo(state);
    begin_again(state);
    run(state, effects);
}

/// What was removed or replaced can be put back until the cluster changes again.
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

/// Another cluster has other plans and other outcomes.
pub(super) fn begin_again(state: &mut State) {
    state.simulation.begin_again();
    state.simulation.outcome = 0;
}

fn subscribe(state: &mut State, set: impl FnOnce(&mut SubscriptionForm, String)) {
    let Selection { package: Some(key), entry: Some(entry) } = state.selection.clone() else { return };
    state.pane = Pane::Simulation;
    if state.simulation.mode == Mode::Manifests {
        sides::to_form(state);
    }
    let catalog = state.catalog(key.catalog).map(|row| row.name.clone()).unwrap_or_default();
    let form = state.simulation.subscription_to(&key.package);
    form.catalog = catalog;
    form.channel = entry.channel.unwrap_or_default();
    set(form, entry.name);
}

/// Tells the worker what was typed as manifests, and keeps it.
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

/// Runs the simulation, if it was run before.
pub(super) fn run(state: &mut State, effects: &mut Vec<Effect>) {
    if state.simulation.ran {
        query(state, effects, Query::Simulate { cluster: state.simulation.input() });
        ask_events(state, effects);
        ask_why_not_again(state, effects);
    }
}

fn ask_why_not(state: &mut State, effects: &mut Vec<Effect>, package: PackageKey, entry: EntryKey) {
    let simulation = &state.simulation;
    let outcome = u32::try_from(simulation.outcome).unwrap_or(u32::MAX);
    query(state, effects, Query::WhyNot { cluster: simulation.input(), outcome, package, entry });
}

/// The answer that is in sight belongs to what was played before.
fn ask_why_not_again(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(WhyNot { package, entry, .. }) = state.simulation.why_not.clone() {
        ask_why_not(state, effects, package, entry);
    }
}

/// Whether the answer that is in sight is about to be followed by another one.
pub(super) fn is_asked(state: &State) -> bool {
    worker::is_asked(state, |query| matches!(query, Query::Simulate { .. }))
}

/// Asks for every event of the outcome shown, if they are to be seen.
fn ask_events(state: &mut State, effects: &mut Vec<Effect>) {
    let simulation = &state.simulation;
    if simulation.ran && simulation.every_event {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (outcome, approved) = (number(simulation.outcome), number(simulation.approved));
        query(state, effects, Query::Timeline { cluster: state.simulation.input(), outcome, approved });
    }
}

/// Shows a range of bytes of the manifests.
pub(super) fn reveal(state: &mut State, effects: &mut Vec<Effect>, start: u32, end: u32) {
    state.pane = Pane::Simulation;
    state.simulation.mode = Mode::Manifests;
    let text = &state.simulation.manifests;
    effects.push(Effect::RevealManifests { start: units(text, start), end: units(text, end) });
}
