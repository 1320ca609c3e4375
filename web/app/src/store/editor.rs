//! What the Source tab shows: the file in the code editor, or an excerpt.

use super::{Selection, Shared};
use views::{FileKey, FileTarget, FileView, RequestId, SourceView, Subject, SymbolView};

/// The Source tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// Whether the editor is loaded.
    pub editor: EditorStatus,
    pub open: Option<OpenFile>,
    /// The excerpt that is shown where the editor cannot be loaded.
    pub excerpt: Option<Excerpt>,
    /// How many lines of the open file were changed since it was opened.
    pub changed_lines: u32,
    /// Whether the editor shows these changes in the text.
    pub shows_changes: bool,
    /// The symbol at the cursor.
    pub symbol: Option<Shared<SymbolView>>,
    /// The file to show once the editor is loaded or has failed to.
    pub(super) deferred: Option<(FileKey, FileTarget, Purpose)>,
    /// The last request for a file, until it is answered.
    pub(super) awaited: Option<Awaited>,
    /// The request for the text of a file that the user wants to save.
    pub(super) save_request: Option<RequestId>,
    /// The request for a definition that the user wants to go to.
    pub(super) definition_request: Option<RequestId>,
    /// The selection when the source last showed a place.
    pub(super) shown_for: Selected,
    /// Whether to show the place of the selection once the worker has answered where it is.
    pub(super) waits_for_selection: bool,
    /// Whether a fix changed the open file without the editor.
    pub(super) fixed: bool,
    /// Whether the worker was restarted since the file was opened: its text may be older than the editor's.
    pub(super) out_of_sync: bool,
}

/// Whether the editor is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EditorStatus {
    /// It was not needed yet.
    #[default]
    Unasked,
    Loading,
    /// It is loaded.
    Ready,
    /// It cannot be loaded.
    Failed {
        reason: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct OpenFile {
    pub file: FileKey,
    /// The last answer.
    pub view: Shared<FileView>,
    /// The name of its catalog, which outlives the keys of a worker.
    pub catalog: String,
    /// Whether something was typed that was not sent to the worker.
    pub dirty: bool,
}

/// A read-only excerpt of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Excerpt {
    pub file: FileKey,
    /// The place at its middle.
    pub target: FileTarget,
    /// The last answer.
    pub view: Shared<SourceView>,
    /// The name of the catalog, which outlives the keys of a worker.
    pub(super) catalog: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Awaited {
    pub(super) id: RequestId,
    pub(super) file: FileKey,
    pub(super) target: FileTarget,
    pub(super) purpose: Purpose,
}

/// What a file was requested for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To show it. The text of a file that is open already is not requested again.
    Open,
    /// To show it because the user followed a link.
    Follow,
    /// To compare it with the editor's text after a restart of the worker; the editor's text wins.
    Reconcile,
    /// To replace the editor's text, which differs although nothing was typed; the worker's text wins.
    Replace,
}

impl Source {
    /// Whether a file is shown or requested.
    pub(super) const fn is_used(&self) -> bool {
        self.open.is_some() || self.excerpt.is_some() || self.awaited.is_some()
    }

    /// Whether the source has shown a place since this was selected.
    pub(super) fn shown_for(&self, selected: &Selected) -> bool {
        self.shown_for == *selected
    }
}

impl OpenFile {
    /// The number of findings in it.
    #[must_use]
    pub fn findings(&self) -> u32 {
        u32::try_from(self.view.marks.len()).unwrap_or(u32::MAX).saturating_add(self.view.unmarked)
    }
}

impl Purpose {
    /// Whether the file is shown, rather than compared with the editor's text.
    pub(super) const fn shows(self) -> bool {
        matches!(self, Self::Open | Self::Follow)
    }
}

/// The selected entry or subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Selected {
    pub(super) selection: Selection,
    pub(super) subject: Option<Subject>,
}
