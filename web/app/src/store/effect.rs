//! What the page has to do in the world, as values.

use super::{Draft, FocusTarget, Shared, Theme};
use std::rc::Rc;
use views::{FileView, Request, TextRange};

/// Milliseconds since the page was opened.
pub type Millis = u32;

/// Something to do at the edge.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// End the worker, if there is one, and start another.
    StartWorker,
    /// End the worker for good.
    EndWorker,
    /// Send a request, and report when it stays without a reply.
    Send {
        /// The request.
        request: Request,
        /// The files that go with it, by the number of their batch.
        batch: Option<u32>,
    },
    /// Tell when a notice was in sight for long enough to be read.
    AwaitReading {
        /// Its number.
        notice: u32,
    },
    /// Report that typing has paused, unless it goes on within the debounce time.
    AwaitPause,
    /// Report when it is time for the next step of the playback.
    AwaitPlaybackTick,
    /// Keep the draft for the next visit.
    SaveDraft(Box<Draft>),
    /// Keep the manifests for the next visit.
    SaveManifests(Rc<str>),
    /// Fetch what is said about rules.
    FetchRules,
    /// Put a text on the clipboard, where the browser lets the page.
    Copy(Rc<str>),
    /// Give the user a text as a file.
    SaveFile {
        /// The file's name.
        name: String,
        /// Its media type.
        kind: &'static str,
        /// What is in it.
        text: String,
    },
    /// Forget the draft and the manifests.
    ForgetDraft,
    /// Show the page in a colour scheme.
    ApplyTheme(Theme),
    /// Scroll the excerpt of the source to the line that was asked for.
    RevealExcerpt,
    /// Load the code editor, and report whether it could be loaded.
    LoadEditor,
    /// Open a file in the editor, with the text that came beside the answer.
    OpenInEditor {
        /// Identifies the file, and with it its undo history, while the page is open.
        key: String,
        /// The path of the file, which the editor announces.
        label: String,
        /// Why it cannot be edited, if so.
        read_only: Option<String>,
    },
    /// Compare the editor's text with the worker's, which came beside the answer. The editor keeps its text, and the
    /// differences count as typed.
    ReconcileEditor,
    /// Replace the editor's text by the one that came beside the answer, as a change that can be undone.
    ReplaceInEditor,
    /// Mark the findings of a file in the editor, or report that its text differs.
    ShowFindings(Shared<FileView>),
    /// Mark a range in the editor and scroll to it.
    RevealInEditor {
        /// The range.
        range: TextRange,
        /// Whether the user followed a link. The editor takes the focus if the link was removed with it.
        linked: bool,
    },
    /// Scroll the manifests to a range of UTF-16 units, select it and give the field the focus.
    RevealManifests {
        /// First unit.
        start: u32,
        /// One past the last unit.
        end: u32,
    },
    /// Give the focus to a target if the control that has it is removed from the page before the user does anything else.
    MoveFocus(FocusTarget),
    /// Bring the selected package's row into view.
    RevealPackage,
    /// Take what was opened out of the address, so that a reload does not open it again.
    ForgetFragment,
    /// Go over to the newer version of the page that the browser has.
    Renew,
}

impl Effect {
    /// Whether it leaves something in the browser for the next visit.
    #[must_use]
    pub const fn keeps(&self) -> bool {
        matches!(self, Self::SaveDraft(_) | Self::SaveManifests(_) | Self::ForgetDraft)
    }
}
