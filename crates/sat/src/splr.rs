//! Solving with splr, a CDCL solver. The only file that names the crate.
//!
//! splr has no limit in steps, only one in time, and asks a clock at the end of each stage of its search. The crate `instant` gives
//! it a clock that counts the stages, so that the same formula gets the same answer on every machine. How many stages it may have
//! follows from the [`Budget`](crate::Budget), which then pays for the conflicts that there were.

use std::collections::BTreeSet;

use instant::Instant;
use splr::{Certificate, Config, SolveIF, Solver, SolverError};

use crate::cnf::{Constraints, Kind, Lit, Var};
use crate::solution::{Bound, Model, Tally};

/// What it costs to load and simplify a formula: so often is each of its literals looked at.
const LOAD: u64 = 128;

/// The most literals of a formula that costs nothing if splr decides it without a conflict: to make it took longer, and a large
/// cluster has a million of these.
const SMALL: u64 = 1000;

/// What a conflict costs beside the literals of the formula.
const CONFLICT: u64 = 2_300;

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
    let size: u64 = clauses.iter().map(|clause| clause.len() as u64).sum();
    let Some(search) = (tally.budget.left() / 2).checked_sub(LOAD * size) else { return Err(Bound::Budget) };
    let config = Config { quiet_mode: true, c_timeout: 1.0, ..Config::default() };
    let certificate = match Solver::try_from((config, &clauses[..])) {
        Ok(mut solver) => {
            solver.state.start = Instant::after(stages(search / (CONFLICT + size)));
            let certificate = solver.solve();
            let conflicts = solver.asg.num_conflict as u64;
            if conflicts > 0 || size > SMALL {
                tally.budget.charge(LOAD * size + conflicts * (CONFLICT + size));
            }
            certificate
        }
        Err(certificate_or_error) => {
            tally.budget.charge(size);
            certificate_or_error
        }
    };
    match certificate {
        Ok(Certificate::UNSAT) => Ok(None),
        // These errors mean that the formula is unsatisfiable.
        Err(SolverError::EmptyClause | SolverError::Inconsistent | SolverError::RootLevelConflict(_)) => Ok(None),
        Err(SolverError::TimeOut) => Err(Bound::Budget),
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

/// How often splr may ask its clock so that it has about so many conflicts. It asks at the end of each stage, and stages grow: `n`
/// of them have some `7 n²` conflicts, whatever the formula. It also asks a few times while it simplifies a formula.
fn stages(conflicts: u64) -> u32 {
    const SIMPLIFYING: u32 = 4;
    u32::try_from((conflicts / 7).isqrt()).unwrap_or(u32::MAX).saturating_add(SIMPLIFYING)
}

/// The variables that the constraints name, numbered from 1: splr takes memory for each number up to the highest.
struct Numbering {
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
    use crate::budget::Budget;
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

    /// `pigeons` into one hole fewer: unsatisfiable, and hard to see for a solver.
    fn pigeonhole(pigeons: usize) -> Cnf<()> {
        let mut cnf = Cnf::default();
        let holes: Vec<Vec<Var>> = (1..pigeons).map(|_| (0..pigeons).map(|_| cnf.add_var()).collect()).collect();
        (0..pigeons).for_each(|pigeon| cnf.add_clause(holes.iter().map(|hole| hole[pigeon].positive()), ()));
        holes.iter().for_each(|hole| cnf.add_at_most_one(hole, ()));
        cnf
    }

    /// The answer within a budget, and what is left of it.
    fn solved_within(cnf: &Cnf<()>, work: u64) -> (Result<bool, Bound>, u64) {
        let tally = Tally::within(&Budget::of(work));
        (solve_with_splr(&cnf.constraints, &tally).map(|model| model.is_some()), tally.budget.left())
    }

    #[test]
    fn the_same_question_costs_the_same_and_is_given_up_at_the_same_point() {
        let cnf = pigeonhole(9);
        let enough = 100_000_000;
        let (answer, left) = solved_within(&cnf, enough);
        assert_eq!((answer, solved_within(&cnf, enough)), (Ok(false), (answer, left)));
        let cost = enough - left;
        let (answer, left) = solved_within(&cnf, cost);
        assert_eq!((answer, solved_within(&cnf, cost)), (Err(Bound::Budget), (answer, left)));
        assert!((cost / 4..cost).contains(&left), "half of the budget is for others: {left} of {cost}");
    }

    #[test]
    fn a_budget_that_is_spent_loads_no_formula() {
        let cnf = pigeonhole(3);
        let size = 2 * 3 + 2 * 3 * 2;
        assert_eq!(solved_within(&cnf, 2 * LOAD * size - 1), (Err(Bound::Budget), 2 * LOAD * size - 1));
        assert_eq!(solved_within(&cnf, 2 * LOAD * size).0, Ok(false));
    }

    /// Otherwise a cluster with many namespaces would get no answer, although no question is hard.
    #[test]
    fn small_questions_without_a_conflict_cost_nothing() {
        let mut cnf = Cnf::default();
        let [a, b] = [(); 2].map(|()| cnf.add_var());
        cnf.add_clause([a.positive(), b.positive()], ());
        assert_eq!(solved_within(&cnf, 10 * LOAD), (Ok(true), 10 * LOAD));
        // A larger one costs what it takes to load it.
        let many: Vec<Var> = (0..SMALL).map(|_| cnf.add_var()).collect();
        cnf.add_clause(many.iter().map(|var| var.positive()), ());
        let enough = 10 * LOAD * SMALL;
        assert_eq!(solved_within(&cnf, enough), (Ok(true), enough - LOAD * (SMALL + 2)));
    }

    #[test]
    fn a_formula_without_clauses_has_a_model_and_an_empty_clause_none() {
        assert_eq!(answers(2, &[], &[]), (true, true));
        assert_eq!(answers(2, &[vec![]], &[]), (false, false));
        assert_eq!(answers(1, &[vec![(0, true)], vec![(0, false)]], &[]), (false, false));
    }
}
