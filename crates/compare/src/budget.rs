//! How much work the search for causes and fixes may take.
//!
//! Each trial compares a package once more, and a change may give as many reasons to try something as there are
//! entries. What is counted are the entries and bundles that trials look at, not time: the same input always gives the
//! same answer.
//!
//! The work can be done in pieces. A search whose piece is used up starts again with the next one, and takes from a [`Log`]
//! what its trials answered before.

use std::cell::{Cell, RefCell};

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
    /// The work that is left for this piece.
    piece: Cell<usize>,
    /// Whether the piece did not suffice.
    is_paused: Cell<bool>,
    refused: Cell<bool>,
    /// Groups of rows whose causes and fixes were not searched to the end.
    unsearched: Cell<usize>,
    /// The work that the solver may do.
    solver: cluster::Budget,
}

impl Budget {
    /// For a number of packages, the number of their entries in both states together, and a budget of the solver.
    #[must_use]
    pub const fn of(packages: usize, entries: usize, solver: cluster::Budget) -> Self {
        let left = FLOOR.saturating_add(PER_PACKAGE.saturating_mul(packages));
        let left = left.saturating_add(PER_ENTRY.saturating_mul(entries));
        Self {
            left: Cell::new(left),
            piece: Cell::new(usize::MAX),
            is_paused: Cell::new(false),
            refused: Cell::new(false),
            unsearched: Cell::new(0),
            solver,
        }
    }

    /// Begins a piece of about so much work; one trial at least is made in it.
    pub fn begin_piece(&self, work: usize) {
        self.piece.set(work.max(1));
    }

    /// Takes work. `None` if less is left, or if the piece is used up.
    pub(crate) fn take(&self, work: usize) -> Option<()> {
        let piece = self.piece.get();
        if piece == 0 {
            self.is_paused.set(true);
            return None;
        }
        let left = self.left.get().checked_sub(work);
        self.refused.set(self.refused.get() || left.is_none());
        self.left.set(left?);
        self.piece.set(piece.saturating_sub(work));
        Some(())
    }

    /// Searches for one group of rows, and counts it if the work did not suffice. `None` if the piece is used up before the
    /// search has ended.
    pub(crate) fn group<T>(&self, search: impl FnOnce() -> T) -> Option<T> {
        self.refused.set(false);
        self.is_paused.set(false);
        let found = search();
        if self.is_paused.get() {
            return None;
        }
        self.unsearched.set(self.unsearched.get() + usize::from(self.refused.get()));
        Some(found)
    }

    /// For how many groups of rows the work did not suffice.
    #[must_use]
    pub const fn unsearched(&self) -> usize {
        self.unsearched.get()
    }

    /// The work that the solver may do.
    #[must_use]
    pub const fn solver(&self) -> &cluster::Budget {
        &self.solver
    }

    /// The work that is left.
    #[must_use]
    pub const fn left(&self) -> usize {
        self.left.get()
    }
}

/// The answers to the trials of a search, in their order. `None` stands for one that the work did not suffice for.
#[derive(Debug)]
pub(crate) struct Log<T> {
    answers: RefCell<Vec<Option<T>>>,
    next: Cell<usize>,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { answers: RefCell::default(), next: Cell::new(0) }
    }
}

impl<T: Clone> Log<T> {
    /// Has the first trial of the search answered next.
    pub(crate) fn rewind(&self) {
        self.next.set(0);
    }

    /// The answer to the next trial, which takes so much work if it was not made before. `None` if the work does not suffice.
    pub(crate) fn answer(&self, budget: &Budget, work: usize, trial: impl FnOnce() -> T) -> Option<T> {
        let at = self.next.replace(self.next.get() + 1);
        if let Some(known) = self.answers.borrow().get(at) {
            budget.refused.set(budget.refused.get() || known.is_none());
            return known.clone();
        }
        let answer = budget.take(work).map(|()| trial());
        if !budget.is_paused.get() {
            self.answers.borrow_mut().push(answer.clone());
        }
        answer
    }
}
