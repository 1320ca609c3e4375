//! What changes took away, so that they can be taken back: the last few, as long as the worker lives.

use std::collections::VecDeque;
use views::{CatalogId, Revision};
use workbench::CatalogInput;

/// So many changes can be taken back; what an older one took away is forgotten.
const CHANGES: usize = 8;

/// One change.
pub(crate) struct Change {
    at: Revision,
    /// What it took away.
    pub(crate) took: Vec<CatalogInput>,
    /// What it brought.
    pub(crate) brought: Vec<CatalogId>,
}

/// The last changes that took something away, oldest first.
#[derive(Default)]
pub(crate) struct Kept(VecDeque<Change>);

impl Kept {
    /// Remembers a change, if it took something away.
    pub(crate) fn push(&mut self, at: Revision, took: Vec<CatalogInput>, brought: Vec<CatalogId>) {
        if took.is_empty() {
            return;
        }
        if self.0.len() == CHANGES {
            self.0.pop_front();
        }
        self.0.push_back(Change { at, took, brought });
    }

    /// Forgets a change and gives it back.
    pub(crate) fn take(&mut self, at: Revision) -> Option<Change> {
        let index = self.0.iter().position(|change| change.at == at)?;
        self.0.remove(index)
    }
}
