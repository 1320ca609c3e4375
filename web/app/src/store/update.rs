//! The reducer.
//!
//! Modules call each other in one direction: this one calls the handlers of the areas (`catalogs`, `explore`,
//! `source`, ...); an area calls `request` and the areas that its head comment names.

use super::action::{Action, NavigationAction, PageAction, SessionAction, WorkerAction};
use super::focus_target::focus_target;
use super::request::{self, notify, start};
use super::session::{self, Draft};
use super::source::{self, Selected};
use super::{
    Dialog, Effect, NoticeKind, Route, State, authoring, catalogs, cluster, compare, explore, findings, layout,
    navigation_update, notice, palette, reply, run, set, simulation, tried, worker,
};
use views::{FromWorker, query};

/// The state after an action, and the effects for the root component to run.
#[must_use]
pub fn update(mut state: State, action: Action) -> (State, Vec<Effect>) {
    let mut effects = Vec::new();
    let (before, last_notice) = (Draft::of(&state), state.last_notice);
    let (route, is_step) = (Route::of(&state), action.is_by_user());
    let focus_target = focus_target(&state, &action);
    let follows = !matches!(action, Action::Navigation(NavigationAction::SymbolShown));
    let selected = Selected::of(&state);
    if action.flushes() {
        run::flush(&mut state, &mut effects);
    }
    if action.is_own() {
        state.example = None;
    }
    if action.opens() {
        notice::hide_passing(&mut state);
    }
    step(&mut state, &mut effects, action);
    if state.shows_both() && follows && Selected::of(&state) != selected {
        source::chosen(&mut state, &mut effects);
    }
    tried::ask_channels(&mut state, &mut effects);
    let has_target = effects.iter().any(|effect| matches!(effect, Effect::MoveFocus(_)));
    effects.extend(focus_target.filter(|_| !has_target).map(Effect::MoveFocus));
    authoring::drop_outdated_undo(&mut state);
    let draft = Draft::of(&state);
    if draft != before && !effects.contains(&Effect::ForgetDraft) {
        effects.push(Effect::SaveDraft(Box::new(draft)));
    }
    let passing = state.notices.iter().filter(|notice| notice.number > last_notice && !notice.kind.stays());
    effects.extend(passing.map(|notice| Effect::AwaitReading { notice: notice.number }));
    if Route::of(&state) != route {
        effects.push(Effect::ShowRoute { route: Route::of(&state), is_step: is_step && route.is_some() });
    }
    if state.embedded {
        effects.retain(|effect| !effect.keeps());
    }
    if state.follow.is_some() {
        effects.retain(|effect| !effect.stores());
    }
    (state, effects)
}

/// Whether the root must take the typed changes from the code editor, and reduce them as
/// [`SourceAction::Edited`](super::SourceAction::Edited), before this action: it needs them, or it brings another text
/// for the editor.
#[must_use]
pub fn needs_changes(state: &State, action: &Action) -> bool {
    let brings_text = match action {
        Action::Worker(WorkerAction::Received(message)) => match &**message {
            FromWorker::Reply(reply) => {
                request::pending::<query::File>(state).any(|(id, query)| id == reply.id && query.text)
            }
            FromWorker::Event(_) => false,
        },
        _ => false,
    };
    source::is_unsent(state) && (action.flushes() || brings_text)
}

fn step(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    match action {
        Action::Worker(action) => in_worker(state, effects, action),
        Action::Catalogs(action) => catalogs::handle(state, effects, action),
        Action::Follow(action) => worker::handle_follow(state, effects, action),
        Action::Navigation(action) => navigation_update::handle(state, effects, action),
        Action::Palette(action) => palette::handle(state, effects, action),
        Action::Explore(action) => explore::handle(state, effects, action),
        Action::Compare(action) => compare::handle(state, effects, action),
        Action::NewBundle(action) => authoring::handle_new_bundle(state, effects, action),
        Action::Mirror(action) => catalogs::handle_mirror(state, effects, action),
        Action::Edges(action) => authoring::handle_edge(state, effects, action),
        Action::Set(action) => set::handle(state, effects, action),
        Action::Findings(action) => findings::handle(state, effects, action),
        Action::Source(action) => source::handle(state, effects, action),
        Action::Cluster(action) => cluster::handle(state, effects, action),
        Action::Simulation(action) => simulation::handle(state, effects, action),
        Action::Layout(action) => layout::handle(state, effects, action),
        Action::Session(action) => session::handle(state, effects, action),
        Action::Page(action) => in_page(state, effects, action),
    }
}

fn in_worker(state: &mut State, effects: &mut Vec<Effect>, action: WorkerAction) {
    match action {
        WorkerAction::Needed => start(state, effects),
        WorkerAction::Received(message) => reply::take(state, effects, *message),
        WorkerAction::Died { reason, at } => worker::died(state, effects, reason, at),
        WorkerAction::StartWaited(wait) => worker::start_waited(state, wait),
        WorkerAction::StartedAgain => worker::start_again(state, effects),
        WorkerAction::Waited { id, wait } => request::waited(state, id, wait),
        WorkerAction::Stopped => worker::stopped(state, effects),
        WorkerAction::LoadCancelled => request::cancel(state, effects),
    }
}

fn in_page(state: &mut State, effects: &mut Vec<Effect>, action: PageAction) {
    match action {
        PageAction::Opened => {
            // Without catalogs to restore, the worker is started when something needs it, so that the page appears
            // sooner.
            if state.follow.is_some() {
                start(state, effects);
                worker::begin_following(state, effects);
            } else if state.worker.kept {
                start(state, effects);
            } else if !state.simulation.is_form_read {
                run::run(state, effects);
            }
        }
        PageAction::CopyAsked(text) => {
            effects.push(Effect::Copy(text));
            notify(state, NoticeKind::Copied);
        }
        PageAction::PictureCopied => notify(state, NoticeKind::Copied),
        PageAction::CopyBlocked => {
            let is_claim = |kind: &NoticeKind| matches!(kind, NoticeKind::Copied | NoticeKind::CommentCopied { .. });
            state.notices.retain(|notice| !is_claim(&notice.kind));
            notify(state, NoticeKind::CopyBlocked);
        }
        PageAction::FileSaved(name) => notify(state, NoticeKind::Saved { name }),
        // Nothing more to do: `flush` and `needs_changes` have sent what was typed before this action.
        PageAction::TypingPaused => {}
        PageAction::DraftLost(reason) => notify(state, NoticeKind::NotStored { reason }),
        PageAction::SingleKeysChosen { on } => state.single_keys_off = !on,
        PageAction::ThemeChosen(theme) => {
            state.theme = theme;
            effects.push(Effect::ApplyTheme(theme));
        }
        PageAction::RuntimeChosen(runtime) => run::choose_runtime(state, effects, runtime),
        PageAction::OpmChosen(opm) => run::choose_opm(state, effects, opm),
        PageAction::OlmV1Chosen(olm_v1) => run::choose_olm_v1(state, effects, olm_v1),
        PageAction::DialogOpened(dialog) => {
            state.dialog = Some(dialog);
            if matches!(dialog, Dialog::Paste | Dialog::Examples) {
                start(state, effects);
            }
        }
        PageAction::DialogClosed if state.dialog == Some(Dialog::OpenLink) => {
            session::handle(state, effects, SessionAction::OpenLinkAnswered { yes: false });
        }
        PageAction::DialogClosed => (state.dialog, state.unread) = (None, None),
        PageAction::NoticeDismissed(number) | PageAction::NoticeRead(number) => session::read(state, number),
        PageAction::Dragged { over } => {
            state.dragging = over;
            start(state, effects);
        }
        PageAction::Narrowed { narrow } => explore::narrowed(state, effects, narrow),
        PageAction::Widened { is_wide } => state.is_wide = is_wide,
        PageAction::Printed { begins } => state.printing = begins,
        PageAction::UndoAsked => {
            if let Some(action) = session::take_last(state, false) {
                step(state, effects, action);
            }
        }
        PageAction::RedoAsked => {
            if let Some(action) = session::take_last(state, true) {
                step(state, effects, action);
            }
        }
        PageAction::NewVersionFound => notify(state, NoticeKind::NewVersionReady),
        PageAction::NewVersionRequested => effects.push(Effect::LoadNewVersion),
    }
}
