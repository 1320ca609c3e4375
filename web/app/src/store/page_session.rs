//! What is remembered of the page: in a shared session, and before a change of the catalogs.

use super::{Draft, NamedSelection};
use serde::{Deserialize, Serialize};
use views::Revision;

/// How to undo a change of the catalogs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    pub change: Revision,
    /// The page before the change, if that changed more than catalogs.
    pub before: Option<Box<PageSession>>,
    /// The selection before the change.
    pub selection: Option<NamedSelection>,
}

/// The page's part of a session; the worker adds the catalogs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageSession {
    /// The part that is also saved for the next visit.
    pub draft: Draft,
    pub manifests: String,
}
