//! A formula of clauses and at-most-one constraints, each with the caller's reason.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::answer::{Bound, Model};
use crate::constraints::{Constraints, Kind};
use crate::lit::{Lit, Var};

/// A conjunction of clauses and at-most-one constraints; each carries a reason of the caller's type `R`.
#[derive(Clone, Debug)]
pub struct Cnf<R> {
    pub(crate) constraints: Constraints,
    /// By constraint.
    pub(crate) reasons: Vec<R>,
    /// The answer of [`Cnf::solve`]. A change of the formula empties it.
    pub(crate) solution: OnceLock<Result<Option<Model>, Bound>>,
}

impl<R: Copy> Cnf<R> {
    /// Adds a variable.
    pub fn add_var(&mut self) -> Var {
        self.solution.take();
        self.constraints.add_var()
    }

    /// Adds the clause that at least one of the literals is true. Searches try its literals in the given order.
    /// Repeated literals are dropped, and a clause that is always true (`a or not a`) is not added.
    pub fn add_clause(&mut self, lits: impl IntoIterator<Item = Lit>, reason: R) {
        let mut seen = BTreeSet::new();
        let lits: Vec<Lit> = lits.into_iter().filter(|&lit| seen.insert(lit)).collect();
        if lits.iter().all(|&lit| !seen.contains(&!lit)) {
            self.add(Kind::Clause, lits, reason);
        }
    }

    /// Adds the constraint that at most one of the variables is true. A variable that is listed twice must be false.
    pub fn add_at_most_one(&mut self, vars: &[Var], reason: R) {
        let mut sorted: Vec<Lit> = vars.iter().map(|var| var.positive()).collect();
        sorted.sort_unstable();
        let repeated: Vec<Lit> = sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        repeated.into_iter().for_each(|lit| self.add_clause([!lit], reason));
        sorted.dedup();
        if sorted.len() > 1 {
            self.add(Kind::AtMostOne, sorted, reason);
        }
    }

    fn add(&mut self, kind: Kind, lits: Vec<Lit>, reason: R) {
        self.solution.take();
        self.constraints.push(kind, lits);
        self.reasons.push(reason);
    }
}

impl<R> Default for Cnf<R> {
    /// The empty formula, which is true.
    fn default() -> Cnf<R> {
        Cnf { constraints: Constraints::default(), reasons: Vec::new(), solution: OnceLock::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraints(cnf: &Cnf<()>) -> Vec<(Kind, &[Lit])> {
        cnf.constraints.ids().map(|id| cnf.constraints.get(id)).collect()
    }

    #[test]
    fn clauses_are_free_of_repetitions_and_keep_their_order() {
        let mut cnf = Cnf::default();
        let (a, b) = (cnf.add_var(), cnf.add_var());
        cnf.add_clause([b.negative(), a.positive(), b.negative()], ());
        cnf.add_clause([b.negative(), a.positive(), b.positive()], ());
        cnf.add_clause([], ());
        assert_eq!(constraints(&cnf), [(Kind::Clause, &[b.negative(), a.positive()][..]), (Kind::Clause, &[])]);
    }

    #[test]
    fn an_at_most_one_constraint_excludes_a_repeated_variable() {
        let mut cnf = Cnf::default();
        let vars @ [a, b] = [(); 2].map(|()| cnf.add_var());
        cnf.add_at_most_one(&[a, b, a], ());
        let [a, b] = vars.map(Var::positive);
        assert_eq!(constraints(&cnf), [(Kind::Clause, &[!a][..]), (Kind::AtMostOne, &[a, b])]);
    }
}
