//! The life of the worker: it starts, dies and is started again. Calls `source`.

use super::request::{command, notify, send_queued};
use super::{Effect, Explore, Millis, NoticeKind, Shared, State, source};
use views::Command;

/// A second death within this time means that restoring the catalogs kills the worker.
const QUICK_DEATH: Millis = 5_000;

/// The worker takes requests.
pub(super) fn ready(state: &mut State, effects: &mut Vec<Effect>) {
    state.worker.ready = true;
    let rules = (!state.rules.off.is_empty()).then(|| state.rules.command());
    let kept =
        if state.embedded { Some(Command::KeepNothing) } else { state.worker.restore.then_some(Command::Restore) };
    rules.into_iter().chain(kept).for_each(|first| command(state, effects, first));
    send_queued(state, effects);
}

/// The worker died: it is started again, the second time without the catalogs that may have killed it.
pub(super) fn died(state: &mut State, effects: &mut Vec<Effect>, reason: String, at: Millis) {
    let again = state.worker.died.is_some_and(|before| at.saturating_sub(before) < QUICK_DEATH);
    let restored = state.worker.restore;
    state.worker.died = Some(at);
    if again && !restored {
        forget_worker(state);
        state.worker.gone = true;
        effects.push(Effect::EndWorker);
        notify(state, NoticeKind::Gone { reason });
        return;
    }
    restart(state, effects, !again);
    notify(state, if again { NoticeKind::StartedEmpty { reason } } else { NoticeKind::Restarted { reason } });
}

/// Starts another worker, with or without the catalogs of the last one.
pub(super) fn restart(state: &mut State, effects: &mut Vec<Effect>, restore: bool) {
    forget_worker(state);
    state.worker.started = true;
    state.worker.restore = restore;
    state.worker.not_restored = !restore;
    state.worker.kept |= !restore;
    if !restore {
        state.overview = Shared::default();
        state.graph = None;
        state.entry = None;
        state.explore = Explore::default();
    }
    effects.push(Effect::StartWorker);
}

/// Forgets whatever belongs to a worker that is no more: its requests and its keys.
fn forget_worker(state: &mut State) {
    state.worker.ready = false;
    state.pending.clear();
    state.queued.clear();
    state.wait = None;
    state.progress = None;
    state.partial = false;
    state.displaced = None;
    source::forget_worker(state);
    state.icons = Shared::default();
    // What it kept to be taken back went with it.
    state.notices.retain(|notice| notice.kind.undo().is_none());
    state.wanted = state.selected_by_name().or(state.wanted.take());
}
