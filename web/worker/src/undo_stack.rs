//! The catalogs that commands removed, for undo. Kept until the worker ends.

use std::collections::VecDeque;
use views::{CatalogId, Revision};
use workbench::CatalogInput;

/// How many commands can be undone; the oldest are forgotten first. The page offers fewer.
const LIMIT: usize = 8;

/// What undoes one command.
pub(crate) struct Undo {
    at: Revision,
    pub(crate) removed: Vec<CatalogInput>,
    pub(crate) added: Vec<CatalogId>,
}

/// The last commands that removed catalogs, oldest first.
#[derive(Default)]
pub(crate) struct UndoStack(VecDeque<Undo>);

impl UndoStack {
    /// Adds a command, if it removed something.
    pub(crate) fn push(&mut self, at: Revision, removed: Vec<CatalogInput>, added: Vec<CatalogId>) {
        if removed.is_empty() {
            return;
        }
        if self.0.len() == LIMIT {
            self.0.pop_front();
        }
        self.0.push_back(Undo { at, removed, added });
    }

    /// Takes out the command of a revision, which need not be the last one.
    pub(crate) fn take(&mut self, at: Revision) -> Option<Undo> {
        let index = self.0.iter().position(|undo| undo.at == at)?;
        self.0.remove(index)
    }
}
