//! Starting the worker, and starting it again after it died. Calls `follow` and `source`.

use super::request::{command, notify, send_queued};
use super::{Effect, Explore, Millis, NoticeKind, Shared, State, Wait, follow, source};
use views::{Command, OpmVersion};

/// If the worker dies twice within this time, restoring the catalogs is what kills it.
const QUICK_DEATH: Millis = 5_000;

/// So many workers in a row may end before they are ready.
const STARTS: u32 = 3;

/// Handles that the worker is ready: disables rules, chooses the `opm` that judges and the OLM v1 that answers are
/// about, restores catalogs, and sends the queued requests, in this order.
pub(super) fn ready(state: &mut State, effects: &mut Vec<Effect>) {
    state.worker.ready = true;
    state.worker.failed_starts = 0;
    state.wait = None;
    let rules = (!state.rules.off.is_empty()).then(|| state.rules.command());
    let kept = if state.embedded || state.follow.is_some() {
        Some(Command::KeepNothing)
    } else {
        state.worker.restore.then_some(Command::Restore)
    };
    let judge = (state.opm != OpmVersion::NEWEST).then_some(Command::JudgeAs { opm: state.opm });
    let answer = state.olm_v1.is_some().then_some(Command::AnswerAs { olm_v1: state.olm_v1 });
    rules.into_iter().chain(judge).chain(answer).chain(kept).for_each(|first| command(state, effects, first));
    send_queued(state, effects);
}

/// Starts the worker again after it died: the first time with the catalogs, and without them if it dies
/// again at once, because they may have killed it. If it dies at once without them too, it is not started again.
///
/// One that was never ready was sent nothing, so the next one gets all that waits, such as the catalogs of a link.
pub(super) fn died(state: &mut State, effects: &mut Vec<Effect>, reason: String, at: Millis) {
    if !state.worker.ready {
        state.worker.failed_starts += 1;
        if state.worker.failed_starts < STARTS {
            effects.push(Effect::StartWorker);
            notify(state, NoticeKind::NotStarted { reason });
        } else {
            give_up(state, effects, reason);
        }
        return;
    }
    let again = state.worker.died.is_some_and(|before| at.saturating_sub(before) < QUICK_DEATH);
    let restored = state.worker.restore;
    state.worker.died = Some(at);
    if again && !restored {
        forget_worker(state);
        give_up(state, effects, reason);
        return;
    }
    restart(state, effects, !again);
    notify(state, if again { NoticeKind::StartedEmpty { reason } } else { NoticeKind::Restarted { reason } });
}

/// Does not start the worker again unless the user asks for it.
fn give_up(state: &mut State, effects: &mut Vec<Effect>, reason: String) {
    state.worker.gone = true;
    state.wait = None;
    state.notices.retain(|notice| !matches!(notice.kind, NoticeKind::NotStarted { .. }));
    effects.push(Effect::EndWorker);
    notify(state, NoticeKind::Gone { reason });
}

/// Starts the worker again because the user stopped it.
pub(super) fn stopped(state: &mut State, effects: &mut Vec<Effect>) {
    if state.worker.ready {
        restart(state, effects, true);
    } else {
        state.wait = None;
        effects.push(Effect::StartWorker);
    }
    notify(state, NoticeKind::Stopped);
}

/// Starts the worker that did not start. What waited for it waits still.
pub(super) fn start_again(state: &mut State, effects: &mut Vec<Effect>) {
    state.worker.gone = false;
    state.worker.failed_starts = 0;
    state.notices.retain(|notice| !matches!(notice.kind, NoticeKind::Gone { .. }));
    effects.push(Effect::StartWorker);
}

/// Handles that the worker has been starting for a while: that is shown if something waits for it.
pub(super) fn start_waited(state: &mut State, wait: Wait) {
    let is_awaited = !state.queued.is_empty() || (state.worker.restore && state.worker.kept);
    if is_awaited && !state.worker.ready && !state.worker.gone {
        state.wait = state.wait.max(Some(wait));
    }
}

/// Starts a new worker, with or without the catalogs of the last one.
pub(super) fn restart(state: &mut State, effects: &mut Vec<Effect>, restore: bool) {
    forget_worker(state);
    state.worker.started = true;
    state.worker.restore = restore;
    state.worker.not_restored = !restore;
    // The browser still stores the catalogs that are not restored.
    state.worker.kept |= !restore;
    if !restore {
        state.overview = Shared::default();
        state.graph = None;
        state.entry = None;
        state.explore = Explore::default();
    }
    effects.push(Effect::StartWorker);
    follow::begin(state, effects);
}

/// Forgets everything that refers to the worker that ended: its requests and its keys.
fn forget_worker(state: &mut State) {
    state.worker.ready = false;
    state.worker.cluster = None;
    state.worker.comparison = None;
    state.pending.clear();
    state.queued.clear();
    state.wait = None;
    state.progress = None;
    state.opening = None;
    state.is_preview = false;
    state.selection_before_preview = None;
    state.catalogs_before_preview.clear();
    source::forget_worker(state);
    state.icons = Shared::default();
    // The worker's undo stack ended with it.
    state.notices.retain(|notice| notice.kind.undo().is_none());
    state.pending_selection = state.selected_by_name().or(state.pending_selection.take());
}
