//! `BruteForce`: tries every assignment. The oracle the other backend is tested against.

use crate::backend::{Backend, Bound, Model, Verdict};
use crate::cnf::Cnf;
use crate::lit::Lit;

/// Most variables tried; a million assignments.
const VAR_LIMIT: u32 = 20;

/// Tries assignments in ascending binary order, first variable lowest; gives up on more than 20 variables.
#[derive(Clone, Debug)]
pub struct BruteForce {
    cnf: Cnf<()>,
}

impl Backend for BruteForce {
    fn new<R: Copy>(cnf: &Cnf<R>) -> BruteForce {
        let mut plain = Cnf::new();
        for _ in 0..cnf.var_count() {
            plain.add_var();
        }
        for clause in cnf.clauses() {
            plain.add_clause(clause.lits.iter().copied(), ());
        }
        for group in cnf.at_most_ones() {
            plain.add_at_most_one(group.lits, ());
        }
        BruteForce { cnf: plain }
    }

    fn solve(&self, assumptions: &[Lit]) -> Verdict {
        let count = self.cnf.var_count();
        if count > VAR_LIMIT {
            return Verdict::GaveUp(Bound::Variables(VAR_LIMIT));
        }
        let models = (0..1_u32 << count).map(|bits| Model::new((0..count).map(|var| bits >> var & 1 == 1).collect()));
        models
            .filter(|model| assumptions.iter().all(|&lit| model.holds(lit)))
            .find(|model| self.cnf.is_satisfied_by(model))
            .map_or(Verdict::Unsatisfiable, Verdict::Satisfiable)
    }
}
