//! `Splr`: the CDCL solver of the same name as a backend. The only file that names the crate.

use ::splr::{Certificate, Config, SatSolverIF, SolveIF, Solver, SolverError};

use crate::amo::{Dimacs, dimacs};
use crate::backend::{Backend, Bound, Model, Verdict};
use crate::cnf::Cnf;
use crate::lit::Lit;

/// Seconds of wall clock after which one question is given up: splr counts nothing else.
const SECONDS: u32 = 1;

/// The splr solver, prepared once and cloned for every question.
///
/// A solver is never asked twice: splr fixes eliminated and pure variables for good, so that a second answer after
/// adding assumptions can be wrong.
#[derive(Clone, Debug)]
pub struct Splr {
    base: Base,
    var_count: u32,
}

#[derive(Clone, Debug)]
enum Base {
    /// No clause, so splr would know no variable.
    True,
    /// Contradictory already while loading.
    False,
    Ready(Box<Solver>),
    Broken,
}

impl Backend for Splr {
    fn new<R: Copy>(cnf: &Cnf<R>) -> Splr {
        let plain = |lits: &[Lit]| lits.iter().map(|&lit| dimacs(lit)).collect();
        let clauses: Vec<Vec<i32>> = cnf.clauses().map(|clause| plain(clause.lits)).collect();
        let var_count = i32::try_from(cnf.var_count()).expect("variable indices stay below `Var::LIMIT`");
        let mut formula = Dimacs { clauses, var_count };
        for group in cnf.at_most_ones() {
            let lits: Vec<i32> = plain(group.lits);
            formula.add_at_most_one(&lits);
        }
        Splr { base: load(&formula.clauses), var_count: cnf.var_count() }
    }

    fn solve(&self, assumptions: &[Lit]) -> Verdict {
        match &self.base {
            Base::True => self.model(assumptions, Vec::new()),
            Base::False => Verdict::Unsatisfiable,
            Base::Ready(solver) => match certificate(Solver::clone(solver), assumptions) {
                Ok(Certificate::SAT(lits)) => self.model(assumptions, lits),
                Ok(Certificate::UNSAT) => Verdict::Unsatisfiable,
                Err(error) if is_contradiction(&error) => Verdict::Unsatisfiable,
                Err(SolverError::TimeOut) => Verdict::GaveUp(Bound::Seconds(SECONDS)),
                Err(_) => Verdict::GaveUp(Bound::Failure),
            },
            Base::Broken => Verdict::GaveUp(Bound::Failure),
        }
    }
}

impl Splr {
    /// The model splr names, with assumed values for the variables it does not know and false for the rest.
    fn model(&self, assumptions: &[Lit], lits: Vec<i32>) -> Verdict {
        if assumptions.iter().any(|&lit| assumptions.contains(&!lit)) {
            return Verdict::Unsatisfiable;
        }
        let mut values = vec![false; self.var_count as usize];
        for lit in assumptions {
            values[lit.var().index() as usize] = lit.is_positive();
        }
        for lit in lits {
            // Beyond the formula's own variables there are those of at-most-one constraints.
            if let Some(value) = values.get_mut(lit.unsigned_abs() as usize - 1) {
                *value = lit > 0;
            }
        }
        Verdict::Satisfiable(Model::new(values))
    }
}

fn load(clauses: &[Vec<i32>]) -> Base {
    if clauses.is_empty() {
        return Base::True;
    }
    let config = Config { quiet_mode: true, c_timeout: f64::from(SECONDS), ..Config::default() };
    match Solver::try_from((config, clauses)) {
        Ok(solver) => Base::Ready(Box::new(solver)),
        Err(Ok(Certificate::UNSAT)) => Base::False,
        Err(Err(error)) if is_contradiction(&error) => Base::False,
        Err(Ok(Certificate::SAT(_)) | Err(_)) => Base::Broken,
    }
}

fn certificate(mut solver: Solver, assumptions: &[Lit]) -> Result<Certificate, SolverError> {
    let known = solver.asg.num_vars;
    for lit in assumptions.iter().filter(|lit| (lit.var().index() as usize) < known) {
        solver.add_assignment(dimacs(*lit))?;
    }
    solver.solve()
}

/// splr reports some contradictions as errors.
fn is_contradiction(error: &SolverError) -> bool {
    matches!(error, SolverError::EmptyClause | SolverError::Inconsistent | SolverError::RootLevelConflict(_))
}
