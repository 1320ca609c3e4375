//! Starting the worker, and starting it again after it died. Calls `authoring` and `source`.

use super::request::{command, follow_files, notify, send_query, send_queued};
use super::simulation::with_unix_line_ends;
use super::{Effect, Explore, Millis, NoticeKind, Opening, Shared, State, Tab, Wait, authoring, history, source};
use std::rc::Rc;
use views::{Command, Download, FileKey, FileState, FollowedFiles, OpmVersion, Overview, Revision, query};

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
fn restart(state: &mut State, effects: &mut Vec<Effect>, restore: bool) {
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
    begin_following(state, effects);
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

// The files of `opscope open`: the page takes them as they are on the disk, and then each change.

/// What the page has of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Follow {
    /// The version of the files that it asked for changes of; 0 before the first.
    version: u32,
    /// Whether the next answer of the worker is about all files.
    is_first: bool,
    /// Whether edits can be saved to the files.
    is_writable: bool,
    /// The revision before the changes that the worker takes.
    pub(super) before: Option<Revision>,
    /// The roots that are not on the disk now.
    gone: Vec<String>,
    /// The manifests that the program sent last.
    pub(super) manifests: Rc<str>,
}

/// Actions about the files of `opscope open`; `since` is the version that the page had when it asked for changes.
#[derive(Clone, Debug, PartialEq)]
pub enum FollowAction {
    /// Files came. The batch with this number holds their contents.
    Arrived { since: u32, batch: u32, files: FollowedFiles },
    /// Nothing has changed for a while.
    Unchanged { since: u32 },
    /// The edits are to be saved to their files.
    SaveAsked,
    /// The program has saved the files with these names, or says why not.
    Saved { names: String, outcome: Result<(), String> },
    /// The text of the disk is to take the place of the edited one.
    DiskChosen(FileKey),
    /// The program does not answer.
    Ended { since: u32, reason: String },
}

pub(super) fn handle_follow(state: &mut State, effects: &mut Vec<Effect>, action: FollowAction) {
    let now = state.revision;
    // Else it is an answer to a worker before the present one.
    let is_known = |follow: &&mut Follow, since: u32| follow.version == since;
    match action {
        FollowAction::Arrived { since, batch, files } => {
            let Some(follow) = state.follow.as_mut().filter(|follow| is_known(follow, since)) else { return };
            follow.version = files.version;
            follow.is_writable = files.is_writable;
            let former = std::mem::replace(&mut follow.gone, files.gone.clone());
            if !files.files.is_empty() {
                follow.before.get_or_insert(now);
            }
            if since == 0 {
                let mut names: Vec<String> = files.files.iter().map(|file| file.root.clone()).collect();
                names.dedup();
                state.opening = Opening::of(names, Some(files.files.iter().map(|file| bytes(&file.state)).sum()));
            }
            effects.push(Effect::AwaitFiles { since: files.version });
            let is_back =
                |kind: &NoticeKind| matches!(kind, NoticeKind::RootGone { name } if !files.gone.contains(name));
            state.notices.retain(|notice| !is_back(&notice.kind));
            for name in files.gone.iter().filter(|name| !former.contains(name)) {
                notify(state, NoticeKind::RootGone { name: name.clone() });
            }
            if since == 0 || !files.files.is_empty() {
                follow_files(state, effects, files, batch);
            }
        }
        FollowAction::Unchanged { since } => {
            if state.follow.as_mut().is_some_and(|follow| is_known(&follow, since)) {
                effects.push(Effect::AwaitFiles { since });
            }
        }
        FollowAction::SaveAsked => _ = send_query(state, effects, query::Download { what: Download::Unsaved }),
        FollowAction::Saved { names, outcome: Ok(()) } => notify(state, NoticeKind::Saved { name: names }),
        FollowAction::Saved { outcome: Err(reason), .. } => notify(state, NoticeKind::NotWritten { reason }),
        FollowAction::DiskChosen(file) => {
            let is_of = |kind: &NoticeKind| matches!(kind, NoticeKind::Contradicted { file: of, .. } if *of == file);
            state.notices.retain(|notice| !is_of(&notice.kind));
            state.authored_from = Some(state.revision);
            command(state, effects, Command::Revert { file });
        }
        FollowAction::Ended { since, reason } => {
            if state.follow.as_mut().is_some_and(|follow| is_known(&follow, since)) {
                notify(state, NoticeKind::FollowEnded { reason });
            }
        }
    }
}

const fn bytes(state: &FileState) -> u32 {
    match state {
        FileState::Read(bytes) => *bytes,
        FileState::Unread(_) | FileState::Gone => 0,
    }
}

/// Asks for all files, for a worker that has none.
pub(super) fn begin_following(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(follow) = &mut state.follow {
        follow.version = 0;
        follow.is_first = true;
        effects.push(Effect::AwaitFiles { since: 0 });
    }
}

/// Handles that the worker has files as they are on the disk. Returns whether they are the first ones, which are
/// opened as if they had been dropped: the page opens with the comparison if there is a baseline. What is shown of
/// others stays.
pub(super) fn taken(state: &mut State, contradicted: &[FileKey], changed: &[FileKey], overview: &Overview) -> bool {
    let rows = || overview.catalogs.iter().flat_map(|catalog| &catalog.files);
    for row in rows().filter(|row| contradicted.contains(&row.file)) {
        notify(state, NoticeKind::Contradicted { file: row.file, path: row.path.clone() });
    }
    // What was done before can still be undone if the files have the same texts.
    let is_same = |file: FileKey| !changed.contains(&file) && rows().any(|row| row.file == file);
    let mut undos = state.notices.iter_mut().filter_map(|notice| notice.kind.file_undo_mut());
    let are_same = undos.all(|undo| undo.edits.iter().all(|edit| is_same(edit.file)));
    let (now, before) = (state.revision, state.follow.as_mut().and_then(|follow| follow.before.take()));
    if let Some(before) = before.filter(|before| are_same && now.0 == before.0 + 1) {
        authoring::same_texts(state, before, now);
    }
    let is_first = state.follow.as_mut().is_some_and(|follow| std::mem::take(&mut follow.is_first));
    // The address of a page that was loaded again says more.
    if is_first && !overview.baselines.is_empty() && state.pending_selection.is_none() {
        state.tab = Tab::Compare;
    }
    source::note_followed(state);
    is_first
}

/// Takes manifests that changed on the disk, and leaves what is shown of the simulation. If the user changed those
/// before, that can be brought back.
pub(super) fn renew_manifests(state: &mut State, text: &str) {
    let Some(follow) = state.follow.as_mut().filter(|follow| *follow.manifests != *text) else { return };
    let former = std::mem::replace(&mut follow.manifests, text.into());
    let is_changed = *state.simulation.manifests != *with_unix_line_ends(&former);
    history::save(state, None);
    state.simulation.replace_manifests(text);
    if is_changed {
        notify(state, NoticeKind::ManifestsFound);
    }
}

/// The edited files that can be saved to the disk.
#[must_use]
pub fn unsaved_files(state: &State) -> Vec<&str> {
    let is_writable = state.follow.as_ref().is_some_and(|follow| follow.is_writable);
    let rows = state.overview.catalogs.iter().filter(|_| is_writable).flat_map(|catalog| &catalog.files);
    rows.filter(|row| row.edited).map(|row| &*row.path).collect()
}
