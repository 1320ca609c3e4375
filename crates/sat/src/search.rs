//! A bounded search for a model near a given one, without clause learning.
//!
//! Variables that propagation leaves unassigned keep their values in the given model. While that breaks a clause, the
//! search decides for the clause's first unassigned literal, then for the next one if that fails. After a conflict it
//! changes the last decision that the conflict follows from (conflict-directed backjumping: Prosser 1993), and so does
//! not try all combinations of unrelated decisions.

use crate::answer::Model;
use crate::constraints::{ConstraintId, Kind};
use crate::trail::{Blame, Conflict, Trail};

/// The end of a search.
#[derive(Debug)]
pub(crate) enum End {
    /// The trail, completed by the given model, is a model.
    Model,
    /// There is no model, for this reason.
    Refuted(Blame),
    /// The limit on conflicts is reached.
    Bound,
}

pub(crate) struct Search<'t, 'c> {
    trail: &'t mut Trail<'c>,
    model: &'t Model,
    /// Decisions up to this level were there before the search.
    base: usize,
    /// One for each decision of the search.
    branches: Vec<Branch>,
    checked: Checked,
}

/// A decision for one of the literals of a broken clause.
struct Branch {
    clause: ConstraintId,
    /// The position of the literal that is decided.
    at: usize,
    /// Why the literals before it failed.
    blame: Blame,
    checked_before: Checked,
}

/// Which clauses are known to be met.
#[derive(Clone, Copy, Debug)]
struct Checked {
    /// All that the first `lits` literals of the trail restrict,
    lits: usize,
    /// of those that the next literal restricts the first `restricted`,
    restricted: usize,
    /// and of the whole formula the first `clauses`.
    clauses: u32,
}

impl<'t, 'c> Search<'t, 'c> {
    /// A search near `model`. `met` is given if the first `met` literals of the trail, completed by the model, are
    /// known to meet all active constraints; then only the clauses that later literals restrict are checked.
    pub(crate) fn new(trail: &'t mut Trail<'c>, model: &'t Model, met: Option<usize>) -> Self {
        let checked = match met {
            Some(lits) => Checked { lits, restricted: 0, clauses: u32::MAX },
            None => Checked { lits: trail.lits().len(), restricted: 0, clauses: 0 },
        };
        Search { base: trail.level(), trail, model, branches: Vec::new(), checked }
    }

    /// Looks for a model that contains the trail; stops at `limit` conflicts.
    pub(crate) fn run(&mut self, limit: u32) -> End {
        let mut conflicts = 0;
        while let Some(clause) = self.next_broken() {
            let branch = Branch { clause, at: 0, blame: Blame::default(), checked_before: self.checked };
            let mut result = self.try_next(branch);
            while let Err(blame) = result {
                conflicts += 1;
                if conflicts >= limit {
                    return End::Bound;
                }
                result = match self.back_to_cause(blame) {
                    Ok(branch) => self.try_next(branch),
                    Err(blame) => return End::Refuted(blame),
                };
            }
        }
        End::Model
    }

    /// Decides for the next unassigned literal of a clause.
    fn try_next(&mut self, mut branch: Branch) -> Result<(), Blame> {
        let (_, lits) = self.trail.constraints.get(branch.clause);
        let open = (branch.at..lits.len()).find(|&at| self.trail.value(lits[at]).is_none());
        let Some(at) = open else {
            let falsified: Vec<_> = lits.iter().copied().filter(|&lit| self.trail.value(lit) == Some(false)).collect();
            self.trail.blame_values(&falsified, &mut branch.blame);
            branch.blame.constraints.insert(branch.clause);
            return Err(branch.blame);
        };
        branch.at = at;
        self.branches.push(branch);
        self.trail.decide(lits[at]).map_err(|conflict: Conflict| self.trail.blame(&conflict))
    }

    /// Undoes the last decision of the search that the conflict follows from, and all decisions after it.
    fn back_to_cause(&mut self, mut blame: Blame) -> Result<Branch, Blame> {
        let Some(level) = blame.levels.last().copied().filter(|&level| level > self.base) else { return Err(blame) };
        blame.levels.remove(&level);
        self.trail.back_to(level - 1);
        self.branches.truncate(level - self.base);
        let mut branch = self.branches.pop().expect("every decision of a search has a branch");
        self.checked = branch.checked_before;
        branch.at += 1;
        branch.blame.add(blame);
        Ok(branch)
    }

    /// The first clause that the trail, completed by the model, breaks.
    fn next_broken(&mut self) -> Option<ConstraintId> {
        while let Some(&lit) = self.trail.lits().get(self.checked.lits) {
            if !self.model.holds(lit) {
                let restricted = self.trail.constraints.restricted_by(lit);
                while let Some(&id) = restricted.get(self.checked.restricted) {
                    if is_broken(self.trail, self.model, id) {
                        return Some(id);
                    }
                    self.checked.restricted += 1;
                }
            }
            self.checked.restricted = 0;
            self.checked.lits += 1;
        }
        while self.checked.clauses < self.trail.constraints.len() {
            let id = ConstraintId(self.checked.clauses);
            if is_broken(self.trail, self.model, id) {
                return Some(id);
            }
            self.checked.clauses += 1;
        }
        None
    }
}

/// Whether the trail, completed by the model, breaks this active clause.
pub(crate) fn is_broken(trail: &Trail<'_>, model: &Model, id: ConstraintId) -> bool {
    let (kind, lits) = trail.constraints.get(id);
    trail.add_work(lits.len());
    kind == Kind::Clause && trail.is_active(id) && !lits.iter().any(|&lit| trail.holds(lit, model))
}
