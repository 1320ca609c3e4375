//! Solving with splr, a CDCL solver. The only file that names the crate.

use std::collections::BTreeSet;

use ::splr::state::StateIF;
use ::splr::{Certificate, Config, SolveIF, Solver, SolverError};

use crate::answer::{Bound, Model, Tally};
use crate::constraints::{Constraints, Kind};
use crate::lit::{Lit, Var};

/// Seconds of wall clock that splr has for all questions of a tally. It has no limit that counts steps.
const SECONDS: u32 = 5;

/// A model of the formula, or none if it is unsatisfiable. Variables that no constraint names are false in it.
///
/// Each call builds a new solver: splr fixes eliminated and pure variables for good, so that its answer to a second
/// question with other assumptions can be wrong.
pub(crate) fn solve_with_splr(constraints: &Constraints, tally: &Tally) -> Result<Option<Model>, Bound> {
    let numbering = Numbering::of(constraints);
    let clauses = dimacs(constraints, &numbering);
    if clauses.is_empty() {
        // splr refuses a formula without variables.
        return Ok(Some(Model::all_false(constraints.var_count)));
    }
    tally.splr.update(|count| count + 1);
    let left = (SECONDS * 1000).saturating_sub(tally.splr_millis.get());
    if left == 0 {
        return Err(Bound::Seconds(SECONDS));
    }
    // splr cuts off parts of a second.
    let seconds = left.div_ceil(1000);
    let config = Config { quiet_mode: true, c_timeout: f64::from(seconds), ..Config::default() };
    let certificate = match Solver::try_from((config, &clauses[..])) {
        Ok(mut solver) => {
            let certificate = solver.solve();
            let used = solver.state.elapsed().unwrap_or(1.0) * f64::from(seconds * 1000);
            tally.splr_millis.update(|millis| millis.saturating_add(used as u32));
            certificate
        }
        Err(certificate_or_error) => certificate_or_error,
    };
    match certificate {
        Ok(Certificate::UNSAT) => Ok(None),
        // These errors mean that the formula is unsatisfiable.
        Err(SolverError::EmptyClause | SolverError::Inconsistent | SolverError::RootLevelConflict(_)) => Ok(None),
        Err(SolverError::TimeOut) => {
            tally.splr_millis.set(SECONDS * 1000);
            Err(Bound::Seconds(SECONDS))
        }
        Ok(Certificate::SAT(lits)) => {
            let mut model = Model::all_false(constraints.var_count);
            // The model ends with the variables that encode at-most-one constraints, or before unused variables.
            for (&var, lit) in numbering.vars.iter().zip(lits) {
                model.set(var, lit > 0);
            }
            // A wrong model is a bug of splr and must not be taken for an answer.
            if constraints.is_satisfied_by(&model) { Ok(Some(model)) } else { Err(Bound::Failure) }
        }
        Err(_) => Err(Bound::Failure),
    }
}

/// The variables that the constraints name, numbered from 1: splr takes memory for each number up to the highest.
struct Numbering {
    /// By number.
    vars: Vec<Var>,
    /// By variable index; 0 for those without a number.
    numbers: Vec<i32>,
}

impl Numbering {
    fn of(constraints: &Constraints) -> Self {
        let mut numbering = Self { vars: Vec::new(), numbers: vec![0; constraints.var_count as usize] };
        for var in constraints.ids().flat_map(|id| constraints.get(id).1).map(|lit| lit.var()) {
            if numbering.numbers[var.index() as usize] == 0 {
                numbering.vars.push(var);
                numbering.numbers[var.index() as usize] = numbering.count();
            }
        }
        numbering
    }

    fn count(&self) -> i32 {
        i32::try_from(self.vars.len()).expect("variable indices stay below `Var::LIMIT`")
    }

    fn signed(&self, lit: Lit) -> i32 {
        let number = self.numbers[lit.var().index() as usize];
        if lit.is_positive() { number } else { -number }
    }
}

/// The clauses in DIMACS notation: variables are negated by sign.
fn dimacs(constraints: &Constraints, numbering: &Numbering) -> Vec<Vec<i32>> {
    let mut var_count = numbering.count();
    let mut clauses = Vec::new();
    // Many lists are equal: the bundles of a package often provide the same APIs.
    let mut known = BTreeSet::new();
    for (kind, lits) in constraints.ids().map(|id| constraints.get(id)) {
        let signed: Vec<i32> = lits.iter().map(|&lit| numbering.signed(lit)).collect();
        match kind {
            Kind::Clause => clauses.push(signed),
            Kind::AtMostOne if known.insert(lits) => add_at_most_one(&mut clauses, &mut var_count, &signed),
            Kind::AtMostOne => {}
        }
    }
    clauses
}

/// Encodes that at most one of the literals is true: at most one of the first three and a new variable, and at most one
/// of its negation and the others (Heule; Knuth, TAOCP 7.2.2.2, exercise 12). Unit propagation then finds everything
/// that follows.
fn add_at_most_one(clauses: &mut Vec<Vec<i32>>, var_count: &mut i32, lits: &[i32]) {
    let (mut left, mut group) = (lits, Vec::new());
    loop {
        let is_last = group.len() + left.len() <= 4;
        let (taken, others) = left.split_at(if is_last { left.len() } else { 3 - group.len() });
        group.extend(taken);
        if !is_last {
            *var_count = var_count.checked_add(1).expect("a formula has fewer than 2^31 variables");
            group.push(*var_count);
        }
        for (at, &one) in group.iter().enumerate() {
            clauses.extend(group[at + 1..].iter().map(|&other| vec![-one, -other]));
        }
        if is_last {
            return;
        }
        (left, group) = (others, vec![-*var_count]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cnf::Cnf;

    /// Whether splr and a truth table find a model of clauses over `count` variables, of which at most one of `few` is true.
    fn answers(count: usize, clauses: &[Vec<(usize, bool)>], few: &[usize]) -> (bool, bool) {
        let mut cnf = Cnf::default();
        let vars: Vec<Var> = (0..count).map(|_| cnf.add_var()).collect();
        let lit = |&(at, sign): &(usize, bool)| if sign { vars[at].positive() } else { vars[at].negative() };
        clauses.iter().for_each(|clause| cnf.add_clause(clause.iter().map(lit), ()));
        let few: BTreeSet<usize> = few.iter().copied().collect();
        cnf.add_at_most_one(&few.iter().map(|&at| vars[at]).collect::<Vec<_>>(), ());
        let expected = (0..1_usize << count).any(|bits| {
            let holds = |at: usize| bits >> at & 1 == 1;
            few.iter().filter(|&&at| holds(at)).count() <= 1
                && clauses.iter().all(|clause| clause.iter().any(|&(at, sign)| holds(at) == sign))
        });
        (solve_with_splr(&cnf.constraints, &Tally::default()).unwrap().is_some(), expected)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn answers_agree_with_the_truth_table(
            clauses in prop::collection::vec(prop::collection::vec((0..10_usize, any::<bool>()), 1..4), 0..40),
            few in prop::collection::vec(0..10_usize, 0..8),
        ) {
            let (answer, expected) = answers(10, &clauses, &few);
            prop_assert_eq!(answer, expected);
        }
    }

    #[test]
    fn all_questions_of_a_tally_share_their_time() {
        let mut cnf = Cnf::default();
        let [a, b] = [(); 2].map(|()| cnf.add_var());
        cnf.add_clause([a.positive(), b.positive()], ());
        let tally = Tally::default();
        tally.splr_millis.set(SECONDS * 1000);
        assert_eq!(solve_with_splr(&cnf.constraints, &tally.continued()), Err(Bound::Seconds(SECONDS)));
        assert!(solve_with_splr(&cnf.constraints, &Tally::default()).unwrap().is_some());
    }

    #[test]
    fn a_formula_without_clauses_has_a_model_and_an_empty_clause_none() {
        assert_eq!(answers(2, &[], &[]), (true, true));
        assert_eq!(answers(2, &[vec![]], &[]), (false, false));
        assert_eq!(answers(1, &[vec![(0, true)], vec![(0, false)]], &[]), (false, false));
    }
}
