//! Applies fixes that the simulation offers, and undoes edits of catalogs. Calls `new_bundle` and `run`.

use super::request::{command, is_changing, notify};
use super::run::{awaits_result, forget_undo, run};
use super::{Effect, FileUndo, Notice, NoticeKind, State, new_bundle, source};
use std::collections::{BTreeMap, BTreeSet};
use views::{AuthoringInput, CatalogId, Command, FileEdit, InputEdit, Revision};

/// Applies a fix, unless the text that it edits may have changed since it was offered.
pub(super) fn apply(state: &mut State, effects: &mut Vec<Effect>, what: String, edit: InputEdit) {
    match edit {
        InputEdit::Catalog { catalog, changes } => {
            if !is_changing(state) && !awaits_result(state) {
                let input = AuthoringInput::Fix { title: what, changes };
                author(state, effects, catalog, input);
            }
        }
        InputEdit::Manifests(splices) => {
            if !awaits_result(state) {
                state.simulation.edit_manifests(&splices);
                effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
                applied(state, effects, what);
            }
        }
    }
}

/// Sends what is to be written into a catalog.
pub(super) fn author(state: &mut State, effects: &mut Vec<Effect>, catalog: CatalogId, input: AuthoringInput) {
    state.authored_from = Some(state.revision);
    command(state, effects, Command::Author { catalog, input });
}

/// Reports a fix of the cluster and runs the simulation.
fn applied(state: &mut State, effects: &mut Vec<Effect>, what: String) {
    forget_undo(state);
    notify(state, NoticeKind::FormChanged { what });
    run(state, effects);
}

/// Undoes a fix or a trial, or makes it again, unless something else was changed since.
pub(super) fn take_back(state: &mut State, effects: &mut Vec<Effect>, undo: FileUndo, is_redo: bool) {
    if undo.revision != state.revision {
        return;
    }
    if !is_redo {
        new_bundle::undone(state, &undo);
    }
    undo.edits.iter().for_each(|edit| source::note_fix(state, edit.file));
    command(state, effects, Command::Edit(undo.edits.clone()));
    let now = state.revision;
    same_texts(state, undo.leads_to, now);
    state.taken_back = Some((FileUndo { revision: now, leads_to: undo.revision, ..undo }, is_redo));
}

/// Takes that the texts at two revisions are the same, so that what could be taken back at the first one can be at the
/// second.
pub(super) fn same_texts(state: &mut State, first: Revision, second: Revision) {
    let undos = state.notices.iter_mut().filter_map(|notice| notice.kind.file_undo_mut());
    undos.filter(|undo| undo.revision == first).for_each(|undo| undo.revision = second);
}

/// Takes the edits that lead back to the texts before the last undo or redo.
pub(super) fn taken_back(state: &mut State, edits: Vec<FileEdit>) {
    let Some((of, is_redo)) = state.taken_back.take() else { return };
    let back = FileUndo { edits, ..of };
    notify(
        state,
        if is_redo { NoticeKind::CatalogEdited { undo: back } } else { NoticeKind::EditUndone { redo: back } },
    );
}

/// Removes the offers to undo or redo edits of files once something else was changed: those stay that can be reached
/// from the texts as they are, one after the other.
pub(super) fn drop_outdated_undo(state: &mut State) {
    let mut reached = BTreeSet::new();
    type Of = fn(&NoticeKind) -> Option<&FileUndo>;
    let directions: [(Of, bool); 2] = [(NoticeKind::edit_undo, true), (NoticeKind::edit_redo, false)];
    for (of, of_redo) in directions {
        let by_revision =
            |notice: &Notice| Some((of(&notice.kind)?.revision, (notice.number, of(&notice.kind)?.leads_to)));
        let mut all: BTreeMap<_, _> = state.notices.iter().filter_map(by_revision).collect();
        // What is being written may be refused, or can be undone after it. What comes from the disk may leave the files
        // as they are.
        let followed_from = state.follow.as_ref().and_then(|follow| follow.before);
        let mut now = state.authored_from.or(followed_from).unwrap_or(state.revision);
        // The notice of the last undo or redo comes with its answer.
        if let Some((back, _)) =
            state.taken_back.as_ref().filter(|(back, is_redo)| *is_redo == of_redo && back.revision == now)
        {
            now = back.leads_to;
        }
        while let Some((number, next)) = all.remove(&now) {
            reached.insert(number);
            now = next;
        }
    }
    let is_of_file = |kind: &NoticeKind| kind.edit_undo().or(kind.edit_redo()).is_some();
    state.notices.retain(|notice| !is_of_file(&notice.kind) || reached.contains(&notice.number));
}
