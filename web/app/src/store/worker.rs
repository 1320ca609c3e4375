//! The worker's life and its requests: numbering, waiting, dying and coming back.

use super::source;
use super::state::Wanted;
use super::{Asked, Effect, Millis, NoticeKind, Pending, Shared, State, Wait};
use std::mem::discriminant;
use views::{Ask, Command, NewFile, PackageKey, Query, Request, RequestId, Revision};

/// A second death within this time means that restoring the catalogs kills the worker.
const QUICK_DEATH: Millis = 5_000;

/// Starts the worker, the first time.
pub(crate) fn start(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.worker.started {
        state.worker.started = true;
        effects.push(Effect::StartWorker);
    }
}

/// Puts a query to the worker, once it is ready.
pub(crate) fn query(state: &mut State, effects: &mut Vec<Effect>, query: Query) -> RequestId {
    ask(state, effects, Ask::Query(query), None)
}

/// Has the worker change the inputs, once it is ready.
pub(crate) fn command(state: &mut State, effects: &mut Vec<Effect>, command: Command) {
    ask(state, effects, Ask::Command(command), None);
}

/// Has the worker open a batch of files.
pub(crate) fn open_files(state: &mut State, effects: &mut Vec<Effect>, files: Vec<NewFile>, batch: u32) {
    ask(state, effects, Ask::Command(Command::Open { files }), Some(batch));
}

fn ask(state: &mut State, effects: &mut Vec<Effect>, ask: Ask, batch: Option<u32>) -> RequestId {
    let id = next_id(state);
    if state.worker.ready {
        send(state, effects, id, ask, batch);
    } else {
        state.queued.push((id, ask, batch));
        start(state, effects);
    }
    id
}

const fn next_id(state: &mut State) -> RequestId {
    state.requests.0 += 1;
    state.requests
}

fn send(state: &mut State, effects: &mut Vec<Effect>, id: RequestId, ask: Ask, batch: Option<u32>) {
    let asked = match &ask {
        Ask::Query(query) => Asked::Query(query.clone()),
        Ask::Command(command) => {
            state.revision = Revision(state.revision.0 + 1);
            Asked::Command { restores: *command == Command::Restore }
        }
        Ask::Cancel => Asked::Cancel,
    };
    let revision = state.revision;
    state.pending.push(Pending { id, revision, asked });
    effects.push(Effect::Send { request: Request { id, revision, ask }, batch });
}

/// The worker takes requests.
pub(crate) fn ready(state: &mut State, effects: &mut Vec<Effect>) {
    state.worker.ready = true;
    let rules = (!state.rules.off.is_empty()).then(|| state.rules.request());
    let kept =
        if state.embedded { Some(Command::KeepNothing) } else { state.worker.restore.then_some(Command::Restore) };
    rules.into_iter().chain(kept).for_each(|first| command(state, effects, first));
    for (id, ask, batch) in std::mem::take(&mut state.queued) {
        send(state, effects, id, ask, batch);
    }
}

/// Takes a request off the list of those without a reply. There is none when the page gave it up with an older worker.
pub(crate) fn settle(state: &mut State, id: RequestId) -> Option<Pending> {
    let at = state.pending.iter().position(|pending| pending.id == id)?;
    let pending = state.pending.remove(at);
    if state.pending.is_empty() {
        state.wait = None;
        state.progress = None;
    }
    Some(pending)
}

/// Whether the answer to a query is to be used: it was computed from the current inputs, and no query of its kind was
/// sent since.
pub(crate) fn is_current(state: &State, query: &Query, revision: Revision) -> bool {
    let is_same_kind =
        |pending: &Pending| matches!(&pending.asked, Asked::Query(other) if discriminant(other) == discriminant(query));
    revision >= state.revision && !state.pending.iter().any(is_same_kind)
}

/// Whether a query that matches waits for its answer.
pub(crate) fn is_asked(state: &State, is: impl Fn(&Query) -> bool) -> bool {
    state.pending.iter().any(|pending| matches!(&pending.asked, Asked::Query(query) if is(query)))
}

/// Whether a command waits for its reply.
fn is_changing(state: &State) -> bool {
    state.pending.iter().any(|pending| matches!(pending.asked, Asked::Command { .. }))
}

/// A request has stayed unanswered for a while.
pub(crate) fn waited(state: &mut State, id: RequestId, wait: Wait) {
    if state.pending.iter().any(|pending| pending.id == id) {
        state.wait = state.wait.max(Some(wait));
    }
}

/// Has the worker stop loading, if that is what it does.
pub(crate) fn cancel(state: &mut State, effects: &mut Vec<Effect>) {
    if state.worker.ready && is_changing(state) {
        ask(state, effects, Ask::Cancel, None);
    }
}

/// The worker died: it is started again, the second time without the catalogs that may have killed it.
pub(crate) fn died(state: &mut State, effects: &mut Vec<Effect>, reason: String, at: Millis) {
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
pub(crate) fn restart(state: &mut State, effects: &mut Vec<Effect>, restore: bool) {
    forget_worker(state);
    state.worker.started = true;
    state.worker.restore = restore;
    state.worker.not_restored = !restore;
    state.worker.kept |= !restore;
    if !restore {
        state.overview = Shared::default();
        state.graph = None;
        state.entry = None;
        state.explore = super::Explore::default();
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
    state.wanted = wanted(state).or(state.wanted.take());
}

/// What is selected, by name.
pub(crate) fn wanted(state: &State) -> Option<Wanted> {
    let PackageKey { catalog, package } = state.selection.package.clone()?;
    let catalog = state.catalog(catalog)?.name.clone();
    Some(Wanted { catalog, package, entry: state.selection.entry.clone() })
}

/// Tells the user; the same thing is said once.
pub(crate) fn notify(state: &mut State, kind: NoticeKind) {
    state.notices.retain(|notice| notice.kind != kind);
    state.noticed += 1;
    state.notices.push(super::Notice { number: state.noticed, kind, read: false });
}
