//! Applies fixes that the simulation offers, and undoes those of catalogs. Calls `run`.

use super::request::{command, is_changing, notify};
use super::run::{forget_undo, is_asked, run};
use super::{Effect, NoticeKind, State};
use views::{Command, FileKey, InputEdit, Revision, TextSplice};

/// What makes a file again what it was before it was edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayBack {
    /// The file.
    pub file: FileKey,
    /// The edits of it, as it is at that revision.
    pub splices: Vec<TextSplice>,
    /// The revision. At a later one it may be another text.
    pub revision: Revision,
}

/// Applies a fix, unless what it edits may be another text than it was offered for.
pub(super) fn apply(state: &mut State, effects: &mut Vec<Effect>, what: String, trial: InputEdit) {
    match trial {
        InputEdit::Catalog { file, splices, undo } => {
            if !is_changing(state) && !is_asked(state) {
                command(state, effects, Command::Edit { file, splices });
                state.example = None;
                let back = WayBack { file, splices: undo, revision: state.revision };
                notify(state, NoticeKind::CatalogEdited { what, back });
            }
        }
        InputEdit::Form(form) => {
            state.simulation.replace_form(form);
            applied(state, effects, what);
        }
        InputEdit::Manifests(splices) => {
            if !is_asked(state) {
                state.simulation.edit_manifests(&splices);
                effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
                applied(state, effects, what);
            }
        }
    }
}

/// The cluster is another one.
fn applied(state: &mut State, effects: &mut Vec<Effect>, what: String) {
    forget_undo(state);
    notify(state, NoticeKind::FormChanged { what });
    run(state, effects);
}

/// Takes it back.
pub(super) fn back(state: &mut State, effects: &mut Vec<Effect>, way: WayBack) {
    if way.revision == state.revision {
        command(state, effects, Command::Edit { file: way.file, splices: way.splices });
    }
}

/// There is a way back until something else is changed.
pub(super) fn forget(state: &mut State) {
    let now = state.revision;
    let is_old = |kind: &NoticeKind| matches!(kind, NoticeKind::CatalogEdited { back, .. } if back.revision != now);
    state.notices.retain(|notice| !is_old(&notice.kind));
}
