//! A bounded search for a model near another one, without clause learning.
//!
//! What propagation leaves open keeps its value in the model at hand. Clauses that this breaks are met one after the other,
//! each by its first open literal that leads on. A contradiction is blamed on the decisions that it follows from, and the
//! last of them is changed (conflict-directed backjumping: Prosser 1993), so that decisions which have nothing to do with
//! it are not tried in all combinations.

use crate::answer::Model;
use crate::cnf::{ConstraintId, Kind};
use crate::trail::{Blame, Conflict, Trail};

/// The end of a search.
#[derive(Debug)]
pub(crate) enum End {
    /// The model with the values of the trail is one.
    Model,
    /// There is none, because of this.
    Refuted(Blame),
    /// Too many conflicts.
    Bound,
}

pub(crate) struct Search<'t, 'c> {
    trail: &'t mut Trail<'c>,
    model: &'t Model,
    /// Decisions up to this level are not the search's own.
    base: usize,
    /// Of each decision of the search.
    branches: Vec<Branch>,
    checked: Checked,
}

/// A clause that one of its open literals has to meet.
struct Branch {
    clause: ConstraintId,
    /// Place of the literal that is tried.
    at: usize,
    /// Why those before it were refused.
    blame: Blame,
    checked_before: Checked,
}

/// How far it is known that all clauses are met.
#[derive(Clone, Copy, Debug)]
struct Checked {
    /// True literals of the trail.
    lits: usize,
    /// Of the clauses that the literal at `lits` restricts.
    restricted: usize,
    /// Of all clauses.
    clauses: u32,
}

impl<'t, 'c> Search<'t, 'c> {
    /// A search near a model. If that is known to meet all active constraints together with the first so many true
    /// literals of the trail, only what comes after these is checked.
    pub(crate) fn new(trail: &'t mut Trail<'c>, model: &'t Model, met: Option<usize>) -> Self {
        let checked = match met {
            Some(lits) => Checked { lits, restricted: 0, clauses: u32::MAX },
            None => Checked { lits: trail.lits().len(), restricted: 0, clauses: 0 },
        };
        Search { base: trail.level(), trail, model, branches: Vec::new(), checked }
    }

    /// Looks for a model that contains the trail, with at most so many conflicts.
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

    /// Decides for the next open literal of a clause.
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

    /// Takes back the last decision of the search that is to blame, and all after it.
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

    /// The first clause that the model breaks with the values of the trail.
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

/// Whether the model breaks an active clause with the values of the trail.
pub(crate) fn is_broken(trail: &Trail<'_>, model: &Model, id: ConstraintId) -> bool {
    let (kind, lits) = trail.constraints.get(id);
    kind == Kind::Clause && trail.is_active(id) && !lits.iter().any(|&lit| trail.holds(lit, model))
}
