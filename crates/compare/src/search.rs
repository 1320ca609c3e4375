//! Why the rows of a package came out as they did, and what helps: searched group by group, at once or in pieces.

use crate::cause::Causes;
use crate::cluster::SubscriptionComparison;
use crate::edit::Edit;
use crate::fix::{VerifiedFix, fixes};
use crate::row::{Group, PackageComparison};
use crate::state::State;
use crate::subscription::{Listings, with_dependencies};
use std::cell::{Cell, RefCell};

/// A package in both states, whose groups are explained.
#[derive(Clone, Copy)]
pub struct Explained<'c> {
    /// The state before.
    pub old: State<'c>,
    /// The state after.
    pub new: State<'c>,
    /// The rows.
    pub comparison: &'c PackageComparison,
    /// Whether somebody writes the new state. A mirror has one cause alone, that it lacks entries, and the search for the
    /// smallest set of them would take long.
    pub is_written: bool,
    /// The catalogs of the cluster, asked for if they are needed.
    pub listings: &'c dyn Fn() -> Listings,
}

/// Why the rows of a group came out as they did, and what helps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The edits that the first row is due to.
    pub cause: Vec<Edit>,
    /// Changes that were tried and help.
    pub fixes: Vec<VerifiedFix>,
    /// Of OLM v0: what it does with the first row when it resolves all that the versions require, if that is something else.
    pub simulated: Option<SubscriptionComparison>,
}

/// The search for the explanations of the groups of one package.
#[derive(Debug, Default)]
pub struct Search {
    /// Those of the groups that are done, in their order.
    pub found: Vec<Explanation>,
    /// Single edits that were a cause.
    known: Vec<Edit>,
    /// The trials of the next group.
    causes: Log<bool>,
    fixes: Log<Option<VerifiedFix>>,
}

impl Search {
    /// Goes on with the groups, which are the same for each piece. Returns whether it has ended.
    pub fn advance(&mut self, of: Explained<'_>, groups: &[Group<'_>], budget: &Budget) -> bool {
        let name = of.comparison.package.as_str();
        let states = of.old.catalog.package(name).zip(of.new.catalog.package(name));
        let states = states.filter(|_| of.new.rejected.is_none());
        let causes = states.filter(|_| of.is_written).map(|(old, new)| Causes::new(old, new));
        while let Some(group) = groups.get(self.found.len()) {
            self.causes.rewind();
            self.fixes.rewind();
            let first = group.first;
            let explanation = budget.group(|| {
                let cause = causes.as_ref().map(|causes| causes.of(first, &self.known, &self.causes, budget));
                let is_written = of.is_written.then_some(());
                let fixes = is_written.map(|()| fixes((of.old, of.new), of.comparison, group, &self.fixes, budget));
                let simulated = states.filter(|_| of.old.rejected.is_none() && !first.updated_by.is_v1());
                let simulated = simulated.filter(|_| budget.take(first.old.len + first.new.len).is_some());
                Explanation {
                    cause: cause.unwrap_or_default(),
                    fixes: fixes.unwrap_or_default(),
                    simulated: simulated
                        .and_then(|states| with_dependencies(first, states, of.listings, budget.solver())),
                }
            });
            let Some(explanation) = explanation else { return false };
            if let [only] = &explanation.cause[..]
                && !self.known.contains(only)
            {
                self.known.push(only.clone());
            }
            self.found.push(explanation);
            (self.causes, self.fixes) = (Log::default(), Log::default());
        }
        true
    }
}

// How much work the search for causes and fixes may take.
//
// Each trial compares a package once more, and a change may give as many reasons to try something as there are
// entries. What is counted are the entries and bundles that trials look at, not time: the same input always gives the
// same answer.
//
// The work can be done in pieces. A search whose piece is used up starts again with the next one, and takes from a
// [`Log`] what its trials answered before.

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
    fn rewind(&self) {
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
