//! Sending requests to the worker and adding notices, for all areas.

use super::{Effect, Notice, NoticeKind, Pending, PendingKind, State, Tab, Wait};
use std::mem::discriminant;
use views::{AnyQuery, Ask, Command, Compared, FollowedFiles, NewFile, Query, Request, RequestId, Revision, query};

/// Takes the answer to a query: each area has implementations of [`views::Take`] for its queries.
pub(super) struct Arrival<'s> {
    pub(super) state: &'s mut State,
    pub(super) effects: &'s mut Vec<Effect>,
    pub(super) id: RequestId,
}

/// Starts the worker, unless it was started before.
pub(super) fn start(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.worker.started {
        state.worker.started = true;
        effects.push(Effect::StartWorker);
    }
}

/// Sends a query to the worker, as soon as it is ready.
pub(super) fn send_query(state: &mut State, effects: &mut Vec<Effect>, query: impl Query) -> RequestId {
    ask(state, effects, Ask::Query(query.into()), None)
}

/// Sends a query about the cluster to the worker, after the cluster if that is another one than before.
pub(super) fn send_cluster_query(state: &mut State, effects: &mut Vec<Effect>, query: impl Query) {
    let manifests = state.simulation.manifests.clone();
    if state.worker.cluster.as_ref() != Some(&manifests) {
        ask(state, effects, Ask::SetCluster(manifests.to_string()), None);
        state.worker.cluster = Some(manifests);
    }
    send_query(state, effects, query);
}

/// Sends the worker the states that queries compare, if they are others than before.
pub(super) fn set_comparison(state: &mut State, effects: &mut Vec<Effect>, compared: &Compared) {
    if state.worker.comparison.as_ref().is_none_or(|(_, known)| known != compared) {
        let id = ask(state, effects, Ask::SetComparison(compared.clone()), None);
        state.worker.comparison = Some((id, compared.clone()));
    }
}

/// Whether an equal query is pending that was sent after the last change of the inputs.
pub(super) fn is_asked<Q: Query + PartialEq + 'static>(state: &State, query: &Q) -> bool {
    let is_input = |pending: &Pending| matches!(pending.kind, PendingKind::Cluster | PendingKind::Comparison);
    let since = state.pending.iter().rev().take_while(|pending| !is_input(pending));
    let mut current = since.filter(|pending| pending.revision == state.revision);
    current.any(|pending| matches!(&pending.kind, PendingKind::Query(other) if Q::of(other) == Some(query)))
}

/// Sends a command to the worker, as soon as it is ready.
pub(super) fn command(state: &mut State, effects: &mut Vec<Effect>, command: Command) {
    ask(state, effects, Ask::Command(command), None);
}

/// Sends the command that opens a batch of files. In the Compare tab a session file is a state to compare with.
pub(super) fn open_files(state: &mut State, effects: &mut Vec<Effect>, files: Vec<NewFile>, batch: u32) {
    let adds_session = state.tab == Tab::Compare && !state.overview.catalogs.is_empty();
    ask(state, effects, Ask::Command(Command::Open { files, adds_session }), Some(batch));
}

/// Sends the command that takes files as they are on the disk now, with the batch of their contents.
pub(super) fn follow_files(state: &mut State, effects: &mut Vec<Effect>, files: FollowedFiles, batch: u32) {
    ask(state, effects, Ask::Command(Command::Follow(files)), Some(batch));
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
    state.last_request.0 += 1;
    state.last_request
}

fn send(state: &mut State, effects: &mut Vec<Effect>, id: RequestId, ask: Ask, batch: Option<u32>) {
    let kind = match &ask {
        Ask::Query(query) => PendingKind::Query(query.clone()),
        Ask::Command(command) => {
            state.revision = Revision(state.revision.0 + 1);
            PendingKind::Command { restores: *command == Command::Restore }
        }
        Ask::SetCluster(_) => PendingKind::Cluster,
        Ask::SetComparison(_) => PendingKind::Comparison,
        Ask::Cancel | Ask::Stop(_) => PendingKind::Cancel,
    };
    let revision = state.revision;
    state.pending.push(Pending { id, revision, kind });
    effects.push(Effect::Send { request: Request { id, revision, ask }, batch });
}

/// Sends the requests that waited for the worker to start.
pub(super) fn send_queued(state: &mut State, effects: &mut Vec<Effect>) {
    for (id, ask, batch) in std::mem::take(&mut state.queued) {
        send(state, effects, id, ask, batch);
    }
}

/// Removes a request from the list of those without a reply. Returns `None` for a request to an older worker.
pub(super) fn settle(state: &mut State, id: RequestId) -> Option<Pending> {
    let at = state.pending.iter().position(|pending| pending.id == id)?;
    let pending = state.pending.remove(at);
    if matches!(pending.kind, PendingKind::Command { .. }) && !is_changing(state) {
        // A folder of which the files are still listed is opened by a later command.
        state.opening.take_if(|opening| opening.bytes.is_some());
    }
    if state.pending.is_empty() {
        state.wait = None;
        state.progress = None;
    }
    Some(pending)
}

/// Whether the answer to a query is still valid: it was computed from the current inputs, and no query of the same kind
/// was sent since.
pub(super) fn is_current(state: &State, query: &AnyQuery, revision: Revision) -> bool {
    let is_same_kind = |pending: &Pending| match &pending.kind {
        PendingKind::Query(other) => discriminant(other) == discriminant(query),
        PendingKind::Command { .. } | PendingKind::Cluster | PendingKind::Comparison | PendingKind::Cancel => false,
    };
    revision >= state.revision && !state.pending.iter().any(is_same_kind)
}

/// The queries of a type without a reply, oldest first.
pub(super) fn pending<Q: Query + 'static>(state: &State) -> impl Iterator<Item = (RequestId, &Q)> {
    state.pending.iter().filter_map(|pending| match &pending.kind {
        PendingKind::Query(query) => Some((pending.id, Q::of(query)?)),
        PendingKind::Command { .. } | PendingKind::Cluster | PendingKind::Comparison | PendingKind::Cancel => None,
    })
}

/// The queries of a type without a reply that were sent after the last change of the inputs.
pub(super) fn pending_now<Q: Query + 'static>(state: &State) -> impl Iterator<Item = &Q> {
    let current = state.pending.iter().filter(|pending| pending.revision == state.revision);
    current.filter_map(|pending| match &pending.kind {
        PendingKind::Query(query) => Q::of(query),
        PendingKind::Command { .. } | PendingKind::Cluster | PendingKind::Comparison | PendingKind::Cancel => None,
    })
}

/// The comparisons without a reply.
#[must_use]
pub fn running(state: &State) -> Vec<RequestId> {
    let all = pending::<query::Compare>(state).map(|(id, _)| id);
    let packages = pending::<query::ComparePackage>(state).map(|(id, _)| id);
    all.chain(packages).chain(pending::<query::CompareReport>(state).map(|(id, _)| id)).collect()
}

/// Whether a command is pending.
pub(super) fn is_changing(state: &State) -> bool {
    state.pending.iter().any(|pending| matches!(pending.kind, PendingKind::Command { .. }))
}

/// Handles that a request has been waiting for its reply for a while.
pub(super) fn waited(state: &mut State, id: RequestId, wait: Wait) {
    // What can be stopped has its own progress and its own button.
    if !running(state).contains(&id) && state.pending.iter().any(|pending| pending.id == id) {
        state.wait = state.wait.max(Some(wait));
    }
}

/// Cancels the pending command; the worker can cancel loading only.
pub(super) fn cancel(state: &mut State, effects: &mut Vec<Effect>) {
    if state.worker.ready && is_changing(state) {
        ask(state, effects, Ask::Cancel, None);
    }
}

/// Stops a comparison: the reply has what was found so far.
pub(super) fn stop(state: &mut State, effects: &mut Vec<Effect>, id: RequestId) {
    ask(state, effects, Ask::Stop(id), None);
}

/// Adds a notice. It replaces an equal one.
pub(super) fn notify(state: &mut State, kind: NoticeKind) {
    state.notices.retain(|notice| notice.kind != kind);
    state.last_notice += 1;
    state.notices.push(Notice { number: state.last_notice, kind, read: false });
}
