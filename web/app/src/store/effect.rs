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
    LoadCode,
    /// Show the text beside the answer in the code editor.
    OpenCode {
        /// What names the file for as long as the page is open.
        key: String,
        /// What it is called.
        label: String,
        /// Why it cannot be edited, if so.
        read_only: Option<String>,
    },
    /// Take the text beside the answer for what the worker has; what is shown stays, and what differs counts as typed.
    ReconcileCode,
    /// Show the text beside the answer in place of what is shown, as a change that can be undone.
    RenewCode,
    /// Show the findings of a file, or report that its text is not the one that is shown.
    MarkCode(Shared<FileView>),
    /// Mark a range and bring it into view.
    RevealCode {
        /// The range.
        range: TextRange,
        /// A link led there: the editor takes the focus if that is gone with it.
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
