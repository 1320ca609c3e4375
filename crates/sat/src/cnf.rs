//! A formula in conjunctive normal form whose clauses carry the caller's reasons.

use crate::backend::Model;
use crate::lit::{Lit, Var};

/// A conjunction of clauses; each clause carries a reason `R` of the caller's choosing.
#[derive(Clone, Debug)]
pub struct Cnf<R> {
    var_count: u32,
    /// Literals of all clauses, one after the other.
    lits: Vec<Lit>,
    /// End of each clause in `lits`, and its reason.
    clauses: Vec<(usize, R)>,
}

/// A disjunction of literals, sorted and free of repetitions, and why it is in the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause<'c, R> {
    /// At least one of these holds; none at all is a contradiction.
    pub lits: &'c [Lit],
    /// What the caller gave with the clause.
    pub reason: R,
}

impl<R: Copy> Cnf<R> {
    /// The formula without variables and clauses, which is true.
    pub fn new() -> Cnf<R> {
        Cnf { var_count: 0, lits: Vec::new(), clauses: Vec::new() }
    }

    /// A fresh variable.
    pub fn add_var(&mut self) -> Var {
        let var = Var::from_index(self.var_count);
        self.var_count += 1;
        var
    }

    /// How many variables were added, auxiliary ones included.
    pub fn var_count(&self) -> u32 {
        self.var_count
    }

    /// Demands that one of the literals hold. A clause that always holds (`a or not a`) is left out.
    pub fn add_clause(&mut self, lits: impl IntoIterator<Item = Lit>, reason: R) {
        let mut lits: Vec<Lit> = lits.into_iter().collect();
        lits.sort_unstable();
        lits.dedup();
        assert!(
            lits.last().is_none_or(|lit| lit.var().index() < self.var_count),
            "every variable of a clause was added to the same formula"
        );
        if lits.is_sorted_by(|a, b| a.var() != b.var()) {
            self.lits.append(&mut lits);
            self.clauses.push((self.lits.len(), reason));
        }
    }

    /// The clauses in the order they were added.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = Clause<'_, R>> {
        (0..self.clauses.len()).map(|at| self.clause(at))
    }

    /// Whether every clause has a literal that holds in the model.
    pub fn is_satisfied_by(&self, model: &Model) -> bool {
        self.clauses().all(|clause| clause.lits.iter().any(|&lit| model.holds(lit)))
    }

    /// The same variables with only the clauses whose reason is wanted.
    pub(crate) fn restricted(&self, mut wanted: impl FnMut(R) -> bool) -> Cnf<R> {
        let mut kept = Cnf { var_count: self.var_count, lits: Vec::new(), clauses: Vec::new() };
        for clause in self.clauses().filter(|clause| wanted(clause.reason)) {
            kept.lits.extend_from_slice(clause.lits);
            kept.clauses.push((kept.lits.len(), clause.reason));
        }
        kept
    }

    pub(crate) fn clause(&self, at: usize) -> Clause<'_, R> {
        let start = at.checked_sub(1).map_or(0, |before| self.clauses[before].0);
        let (end, reason) = self.clauses[at];
        Clause { lits: &self.lits[start..end], reason }
    }
}

impl<R: Copy> Default for Cnf<R> {
    fn default() -> Cnf<R> {
        Cnf::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_normalised() {
        let mut cnf = Cnf::new();
        let (a, b) = (cnf.add_var(), cnf.add_var());
        cnf.add_clause([b.negative(), a.positive(), b.negative()], 'r');
        cnf.add_clause([b.negative(), a.positive(), b.positive()], 's');
        cnf.add_clause([], 't');
        let clauses: Vec<Clause<'_, char>> = cnf.clauses().collect();
        assert_eq!(
            clauses,
            [Clause { lits: &[a.positive(), b.negative()], reason: 'r' }, Clause { lits: &[], reason: 't' },]
        );
    }
}
