//! The verdict of splr, a CDCL solver. The only file that names the crate.

use std::collections::BTreeSet;

use ::splr::{Certificate, Config, SolveIF, Solver, SolverError};

use crate::answer::{Bound, Model};
use crate::cnf::{Constraints, Kind};
use crate::lit::{Lit, Var};

/// Seconds of wall clock after which one question is given up: splr counts nothing else.
const SECONDS: u32 = 5;

/// A model of the formula, or none.
///
/// A solver is loaded for each question and never asked twice: splr fixes eliminated and pure variables for good, so that
/// a second answer after adding assumptions can be wrong.
pub(crate) fn verdict(constraints: &Constraints) -> Result<Option<Model>, Bound> {
    let dimacs = Dimacs::of(constraints);
    if dimacs.clauses.is_empty() {
        // splr refuses a formula without variables.
        return Ok(Some(Model::all_false(constraints.var_count)));
    }
    let config = Config { quiet_mode: true, c_timeout: f64::from(SECONDS), ..Config::default() };
    let certificate = match Solver::try_from((config, &dimacs.clauses[..])) {
        Ok(mut solver) => solver.solve(),
        Err(certificate_or_error) => certificate_or_error,
    };
    match certificate {
        Ok(Certificate::UNSAT) => Ok(None),
        // These errors say that the formula contradicts itself.
        Err(SolverError::EmptyClause | SolverError::Inconsistent | SolverError::RootLevelConflict(_)) => Ok(None),
        Err(SolverError::TimeOut) => Err(Bound::Seconds(SECONDS)),
        Ok(Certificate::SAT(lits)) => {
            let mut model = Model::all_false(constraints.var_count);
            // Behind the formula's own variables there are those of at-most-one constraints; splr may know fewer of either.
            for (var, lit) in (0..constraints.var_count).map(Var::from_index).zip(lits) {
                model.set(var, lit > 0);
            }
            // A solver that names a wrong model is broken; that must not pass for an answer.
            if constraints.is_satisfied_by(&model) { Ok(Some(model)) } else { Err(Bound::Failure) }
        }
        Err(_) => Err(Bound::Failure),
    }
}

/// Clauses of literals in DIMACS notation: variables are numbered from 1 and negated by sign.
struct Dimacs {
    clauses: Vec<Vec<i32>>,
    var_count: i32,
}

impl Dimacs {
    fn of(constraints: &Constraints) -> Dimacs {
        let var_count = i32::try_from(constraints.var_count).expect("variable indices stay below `Var::LIMIT`");
        let mut dimacs = Dimacs { clauses: Vec::new(), var_count };
        // The bundles of a package often provide the same APIs, so that many of the lists are equal.
        let mut known = BTreeSet::new();
        for (kind, lits) in constraints.ids().map(|id| constraints.get(id)) {
            let signed: Vec<i32> = lits.iter().copied().map(signed).collect();
            match kind {
                Kind::Clause => dimacs.clauses.push(signed),
                Kind::AtMostOne if known.insert(lits) => dimacs.add_at_most_one(&signed),
                Kind::AtMostOne => {}
            }
        }
        dimacs
    }

    /// Demands that at most one of the literals hold: at most one of the first three and a fresh one, and at most one of
    /// its negation and the others (Heule; Knuth, TAOCP 7.2.2.2, exercise 12). Unit propagation finds every consequence.
    fn add_at_most_one(&mut self, lits: &[i32]) {
        let (mut left, mut group) = (lits, Vec::new());
        loop {
            let is_last = group.len() + left.len() <= 4;
            let (taken, others) = left.split_at(if is_last { left.len() } else { 3 - group.len() });
            group.extend(taken);
            if !is_last {
                self.var_count = self.var_count.checked_add(1).expect("a formula has fewer than 2^31 variables");
                group.push(self.var_count);
            }
            for (at, &one) in group.iter().enumerate() {
                self.clauses.extend(group[at + 1..].iter().map(|&other| vec![-one, -other]));
            }
            if is_last {
                return;
            }
            (left, group) = (others, vec![-self.var_count]);
        }
    }
}

fn signed(lit: Lit) -> i32 {
    let number = i32::try_from(lit.var().index() + 1).expect("variable indices stay below `Var::LIMIT`");
    if lit.is_positive() { number } else { -number }
}
