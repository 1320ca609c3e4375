//! `Splr`: the CDCL solver of the same name as a backend. The only file that names the crate.

use ::splr::{Certificate, Config, SatSolverIF, SolveIF, Solver, SolverError};

use crate::backend::{Backend, Model, Verdict};
use crate::cnf::Cnf;
use crate::lit::Lit;

/// Seconds of wall clock after which one question is given up.
const TIME_LIMIT_SECONDS: f64 = 60.0;

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
        let clauses: Vec<Vec<i32>> =
            cnf.clauses().map(|clause| clause.lits.iter().map(|&lit| dimacs(lit)).collect()).collect();
        Splr { base: load(&clauses), var_count: cnf.var_count() }
    }

    fn solve(&self, assumptions: &[Lit]) -> Verdict {
        match &self.base {
            Base::True => self.model(assumptions, Vec::new()),
            Base::False => Verdict::Unsatisfiable,
            Base::Ready(solver) => match certificate(Solver::clone(solver), assumptions) {
                Ok(Certificate::SAT(lits)) => self.model(assumptions, lits),
                Ok(Certificate::UNSAT) => Verdict::Unsatisfiable,
                Err(error) if is_contradiction(&error) => Verdict::Unsatisfiable,
                Err(_) => Verdict::GaveUp,
            },
            Base::Broken => Verdict::GaveUp,
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
            values[lit.unsigned_abs() as usize - 1] = lit > 0;
        }
        Verdict::Satisfiable(Model::new(values))
    }
}

fn load(clauses: &[Vec<i32>]) -> Base {
    if clauses.is_empty() {
        return Base::True;
    }
    let config = Config { quiet_mode: true, c_timeout: TIME_LIMIT_SECONDS, ..Config::default() };
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

/// DIMACS numbers variables from 1 and negates by sign.
fn dimacs(lit: Lit) -> i32 {
    let number = i32::try_from(lit.var().index() + 1).expect("variable indices stay below `Var::LIMIT`");
    if lit.is_positive() { number } else { -number }
}
