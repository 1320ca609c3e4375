//! What the page has to do in the world, as values.

use super::{Draft, Theme};
use std::rc::Rc;
use views::Request;

/// Milliseconds since the page was opened.
pub type Millis = u32;

/// Something to do at the edge.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// End the worker, if there is one, and start another.
    StartWorker,
    /// End the worker for good.
    EndWorker,
    /// Send a request, and report when it stays unanswered.
    Ask {
        /// Counts requests of the session.
        number: u32,
        /// The request.
        request: Request,
        /// The files that go with it, by the number of their batch.
        batch: Option<u32>,
    },
    /// Report that typing has paused, unless it goes on within the debounce time.
    AwaitPause,
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
    /// Scroll the source to a range of UTF-16 units of the text shown, and select it.
    RevealSource {
        /// First unit.
        start: u32,
        /// One past the last unit.
        end: u32,
    },
    /// Scroll the manifests to a range of UTF-16 units, select it and give the field the focus.
    RevealManifests {
        /// First unit.
        start: u32,
        /// One past the last unit.
        end: u32,
    },
    /// Bring the selected package's row into view.
    RevealPackage,
}
