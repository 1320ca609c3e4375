//! Applies fixes that the simulation offers, and undoes edits of catalogs. Calls `new_bundle` and `run`.

use super::request::{command, is_changing, notify};
use super::run::{awaits_result, forget_undo, run};
use super::{Effect, FileUndo, NoticeKind, State, new_bundle, source};
use views::{AuthoringInput, Command, FileEdit, InputEdit};

/// Applies a fix, unless the text that it edits may have changed since it was offered.
pub(super) fn apply(state: &mut State, effects: &mut Vec<Effect>, what: String, edit: InputEdit) {
    match edit {
        InputEdit::Catalog { catalog, changes } => {
            if !is_changing(state) && !awaits_result(state) {
                let input = AuthoringInput::Fix { title: what, changes };
                command(state, effects, Command::Author { catalog, input });
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

/// Reports a fix of the cluster and runs the simulation.
fn applied(state: &mut State, effects: &mut Vec<Effect>, what: String) {
    forget_undo(state);
    notify(state, NoticeKind::FormChanged { what });
    run(state, effects);
}

/// Undoes a fix or a trial, unless something else was changed since.
pub(super) fn undo(state: &mut State, effects: &mut Vec<Effect>, undo: FileUndo) {
    if undo.revision == state.revision {
        new_bundle::undone(state, &undo);
        for FileEdit { file, splices } in undo.edits {
            source::note_fix(state, file);
            command(state, effects, Command::Edit { file, splices });
        }
    }
}

/// Removes the offer to undo a fix of a file once something else was changed.
pub(super) fn drop_outdated_undo(state: &mut State) {
    let now = state.revision;
    let is_old = |kind: &NoticeKind| matches!(kind, NoticeKind::CatalogEdited { undo, .. } if undo.revision != now);
    state.notices.retain(|notice| !is_old(&notice.kind));
}
