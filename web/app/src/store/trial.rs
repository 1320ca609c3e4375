//! Edits of a catalog that were offered as a way out, and the way back from them.

use super::worker::{command, notify};
use super::{Effect, NoticeKind, State, play, source};
use views::{Command, FileKey, Revision, TextSplice};

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

/// Tries a change to a catalog, unless the text may be another one than that it was offered for.
pub(super) fn go(
    state: &mut State,
    effects: &mut Vec<Effect>,
    what: String,
    (file, splices, back): (FileKey, Vec<TextSplice>, Vec<TextSplice>),
) {
    let read = state.revision;
    source::flush(state, effects);
    if state.revision != read || play::is_asked(state) {
        return;
    }
    command(state, effects, Command::Edit { file, splices });
    state.example = None;
    let back = WayBack { file, splices: back, revision: state.revision };
    notify(state, NoticeKind::CatalogEdited { what, back });
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
