//! How much work the search for causes and fixes may take.
//!
//! Each trial compares a package once more, and a change may give as many reasons to try something as there are
//! entries. What is counted are the entries and bundles that trials look at, not time: the same input always gives the
//! same answer.

use std::cell::Cell;

/// Work for every comparison.
const FLOOR: usize = 60_000;

/// Further work for each compared package: some dozen trials with one of usual size.
const PER_PACKAGE: usize = 12_000;

/// Further work for each entry of the compared states.
const PER_ENTRY: usize = 6;

/// The work that is left for one comparison.
#[derive(Debug)]
pub struct Budget {
    left: Cell<usize>,
    refused: Cell<bool>,
    /// Groups of rows whose causes and fixes were not searched to the end.
    unsearched: Cell<usize>,
}

impl Budget {
    /// For so many packages, with so many entries in both states together.
    #[must_use]
    pub const fn of(packages: usize, entries: usize) -> Self {
        let left = FLOOR.saturating_add(PER_PACKAGE.saturating_mul(packages));
        let left = left.saturating_add(PER_ENTRY.saturating_mul(entries));
        Self { left: Cell::new(left), refused: Cell::new(false), unsearched: Cell::new(0) }
    }

    /// Takes work. `None` if less is left.
    pub fn take(&self, work: usize) -> Option<()> {
        let left = self.left.get().checked_sub(work);
        self.refused.set(self.refused.get() || left.is_none());
        self.left.set(left?);
        Some(())
    }

    /// Searches for one group of rows, and counts it if the work did not suffice.
    pub fn group<T>(&self, search: impl FnOnce() -> T) -> T {
        self.refused.set(false);
        let found = search();
        self.unsearched.set(self.unsearched.get() + usize::from(self.refused.get()));
        found
    }

    /// For how many groups of rows the work did not suffice.
    #[must_use]
    pub const fn unsearched(&self) -> usize {
        self.unsearched.get()
    }

    /// The work that is left.
    #[must_use]
    pub const fn left(&self) -> usize {
        self.left.get()
    }
}
