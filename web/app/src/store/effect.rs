//! Effects: what the reducer asks the root component to do, as values.

use super::{Boundary, Draft, FocusTarget, Route, Shared, Theme};
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{FileView, Request, TextChange, TextRange};

/// Whether the editor takes the focus when it shows a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditorFocus {
    /// No.
    Keep,
    /// If nothing has the focus, because the link that the user followed was removed.
    IfLost,
    /// Yes: the user is going to type.
    Take,
}

/// Something for the root component to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// End the worker, if there is one, and start another.
    StartWorker,
    /// End the worker.
    EndWorker,
    /// Send a request, with the batch of files that has this number, and report if the reply takes long.
    Send { request: Request, batch: Option<u32> },
    /// Ask `opscope open` for what changed after a version of its files; 0 for all files.
    AwaitFiles { since: u32 },
    /// Report when a notice was visible long enough to be read.
    AwaitReading { notice: u32 },
    /// Report when nothing was typed for the debounce time.
    AwaitTypingPause,
    /// Report when it is time for the next step of the playback.
    AwaitPlaybackTick,
    /// Store the draft for the next visit.
    SaveDraft(Box<Draft>),
    /// Store the manifests for the next visit.
    SaveManifests(Rc<str>),
    /// Fetch the descriptions of rules.
    FetchRules,
    /// Copy a text to the clipboard, if the browser permits it.
    Copy(Rc<str>),
    /// Download a text as a file of a media type.
    SaveFile { name: String, kind: &'static str, text: String },
    /// Download the text of a file that has just arrived.
    SaveArrived { name: String },
    /// Send `opscope open` the edits that have just arrived, to save them to the files with these names.
    SaveToDisk { names: String },
    /// Remove the draft and the manifests from the browser.
    ForgetDraft,
    /// Show the page in a colour scheme.
    ApplyTheme(Theme),
    /// Give regions their sizes in CSS pixels; those without one are sized by the style sheet.
    ApplySizes(BTreeMap<Boundary, u32>),
    /// Scroll the excerpt of the source to its target line.
    RevealExcerpt,
    /// Load the code editor, and report whether it could be loaded.
    LoadEditor,
    /// Open a file in the editor, with the text that came beside the answer, and perhaps the reason why it cannot be
    /// edited. `key` identifies the file, and with it its undo history, while the page is open; the editor announces
    /// `label`; `opened` makes the text as it was opened.
    OpenInEditor { key: String, label: String, read_only: Option<String>, opened: Option<TextChange> },
    /// Compare the editor's text with the worker's, which came beside the answer. The editor keeps its text, and the
    /// differences count as typed.
    ReconcileEditor,
    /// Replace the editor's text by the one that came beside the answer, as a change that can be undone. `opened` makes
    /// it as it was opened.
    ReplaceInEditor { opened: Option<TextChange> },
    /// Show in the editor how the text differs from what was opened, or hide it.
    ShowChanges(bool),
    /// Mark the findings of a file in the editor, or report that its text differs.
    ShowFindings(Shared<FileView>),
    /// Mark a range in the editor and scroll to it.
    RevealInEditor { range: TextRange, focus: EditorFocus },
    /// Scroll the manifests to a range of UTF-16 units, select it and give the field the focus.
    RevealManifests { start: u32, end: u32 },
    /// Give the focus to a target if the control that has it is removed from the page before the user does anything
    /// else.
    MoveFocus(FocusTarget),
    /// Scroll to the verdict of the Subscription with this name.
    RevealVerdict(String),
    /// Scroll to the row of the selected package.
    RevealPackage,
    /// Show a route in the address and in the title of the browser's tab; without one, remove it. From a step the
    /// browser's Back button leads back to the address before.
    ShowRoute { route: Option<Route>, is_step: bool },
    /// Remove the fragment from the address, so that a reload does not open the link again.
    ForgetFragment,
    /// Load the newer version of the page that the service worker has installed.
    LoadNewVersion,
}

impl Effect {
    /// Whether it changes something outside of the page: what the browser stores for the next visit, or the address.
    #[must_use]
    pub const fn keeps(&self) -> bool {
        self.stores() || matches!(self, Self::ShowRoute { .. })
    }

    /// Whether it changes what the browser stores for the next visit.
    #[must_use]
    pub const fn stores(&self) -> bool {
        matches!(self, Self::SaveDraft(_) | Self::SaveManifests(_) | Self::ForgetDraft)
    }
}
