//! The corners of a formula.

use sat::{Bound, Cnf, Lit, Part, PartialSolution, Role, Tally, Var, minimal_core};

/// Whether the formula has a model.
#[track_caller]
fn satisfiable(cnf: &Cnf<u32>) -> bool {
    cnf.is_satisfiable(&Tally::default()).expect("the formula is small")
}

/// The formula together with these literals.
fn with(cnf: &Cnf<u32>, lits: &[Lit]) -> Cnf<u32> {
    let mut longer = cnf.clone();
    lits.iter().for_each(|&lit| longer.add_clause([lit], u32::MAX));
    longer
}

/// The core of the listed reasons; those listed first are deleted first.
fn core(cnf: &Cnf<u32>, order: &[u32]) -> Option<Vec<u32>> {
    let role = |reason| match (0..).zip(order.iter().rev()).find(|(_, listed)| **listed == reason) {
        Some((rank, _)) => Role::Deletable(rank),
        None => Role::Always,
    };
    let parts = minimal_core(cnf, role, &[], &[], None, &Tally::default()).expect("the formula is small")?;
    let reason = |part: &Part| match part {
        Part::Rank(rank) => order[order.len() - 1 - *rank as usize],
        Part::Given(_) => unreachable!("no literal was given"),
    };
    Some(parts.iter().map(reason).collect())
}

#[test]
fn a_formula_without_constraints_is_true() {
    let mut cnf = Cnf::default();
    assert!(satisfiable(&cnf));
    let a = cnf.add_var();
    assert!(satisfiable(&with(&cnf, &[a.positive()])));
    assert!(!satisfiable(&with(&cnf, &[a.positive(), a.negative()])));
}

#[test]
fn an_empty_clause_is_a_contradiction() {
    let mut cnf = Cnf::default();
    cnf.add_clause([], 0);
    assert!(!satisfiable(&cnf));
    let a = cnf.add_var();
    cnf.add_clause([a.positive()], 1);
    assert!(!satisfiable(&cnf));
    assert_eq!(core(&cnf, &[0, 1]), Some(vec![0]));
}

#[test]
fn a_change_of_the_formula_changes_the_answer() {
    let mut cnf = Cnf::default();
    let a = cnf.add_var();
    cnf.add_clause([a.positive()], 0);
    assert!(satisfiable(&cnf));
    cnf.add_clause([a.negative()], 1);
    assert!(!satisfiable(&cnf));
}

#[test]
fn variables_in_no_constraint_are_free() {
    let mut cnf = Cnf::default();
    let [a, b, c] = [(); 3].map(|()| cnf.add_var());
    cnf.add_clause([b.positive(), b.negative()], 0);
    cnf.add_clause([b.positive()], 0);
    let tally = Tally::default();
    let mut solution = PartialSolution::new(&cnf, &tally).unwrap().unwrap();
    for lit in [a.negative(), a.positive(), c.negative(), c.positive(), b.positive()] {
        assert_eq!(solution.is_possible(lit), Ok(true));
    }
    assert_eq!(solution.is_possible(b.negative()), Ok(false));
}

#[test]
fn fixed_literals_stay_fixed() {
    let mut cnf = Cnf::default();
    let [a, b, c] = [(); 3].map(|()| cnf.add_var());
    cnf.add_clause([a.positive(), b.positive(), c.positive()], 0);
    cnf.add_at_most_one(&[a, b], 1);
    cnf.add_clause([b.positive(), c.negative()], 2);
    let tally = Tally::default();
    let mut solution = PartialSolution::new(&cnf, &tally).unwrap().unwrap();
    assert_eq!(solution.is_possible(c.positive()), Ok(true));
    assert_eq!(solution.is_possible(a.positive()), Ok(true));
    solution.fix(a.positive());
    assert_eq!(solution.is_possible(b.positive()), Ok(false));
    assert_eq!(solution.is_possible(c.positive()), Ok(false));
    assert!(
        solution.is_refuted_by_propagation(&[c.positive()]) && !solution.is_refuted_by_propagation(&[c.negative()])
    );
    assert_eq!(tally.splr.get(), 1, "splr finds the first model, and the bounded search moves on from it");
}

#[test]
fn splr_refutes_every_core() {
    let mut cnf = Cnf::default();
    let [a, b, c] = [(); 3].map(|()| cnf.add_var());
    cnf.add_clause([a.positive()], 0);
    cnf.add_clause([a.negative(), b.positive()], 1);
    cnf.add_clause([c.positive()], 2);
    let tally = Tally::default();
    // Unit propagation finds the conflict.
    let core = minimal_core(&cnf, Role::Deletable, &[b.negative()], &[c.positive()], None, &tally);
    assert_eq!(core, Ok(Some(vec![Part::Rank(0), Part::Rank(1)])));
    assert_eq!(tally.splr.get(), 1);
}

/// `pigeons` into one hole fewer, hole by hole: unsatisfiable, and out of reach of unit propagation.
fn pigeonhole(pigeons: usize) -> Cnf<u32> {
    let mut cnf = Cnf::default();
    let holes: Vec<Vec<Var>> = (1..pigeons).map(|_| (0..pigeons).map(|_| cnf.add_var()).collect()).collect();
    for pigeon in 0..pigeons {
        cnf.add_clause(holes.iter().map(|hole| hole[pigeon].positive()), 0);
    }
    for (reason, hole) in (1..).zip(&holes) {
        cnf.add_at_most_one(hole, reason);
    }
    cnf
}

#[test]
fn pigeons_do_not_fit() {
    assert!(!satisfiable(&pigeonhole(4)));
    let cnf = pigeonhole(8);
    let tally = Tally::default();
    assert_eq!(cnf.is_satisfiable(&tally), Ok(false));
    assert_eq!(tally.to_string(), "propagation 0, model 0, descent 0, splr 1");
}

#[test]
fn splr_decides_the_part_that_a_literal_affects() {
    // Everything fits as long as one pigeon may stay out.
    let mut cnf = Cnf::default();
    let out = cnf.add_var();
    let holes: Vec<Vec<Var>> = (1..8).map(|_| (0..8).map(|_| cnf.add_var()).collect()).collect();
    for pigeon in 0..8 {
        let places = holes.iter().map(|hole| hole[pigeon].positive());
        cnf.add_clause(places.chain([out.positive()].into_iter().filter(|_| pigeon == 0)), 0);
    }
    holes.iter().for_each(|hole| cnf.add_at_most_one(hole, 1));
    let tally = Tally::default();
    let mut solution = PartialSolution::new(&cnf, &tally).unwrap().unwrap();
    assert_eq!(solution.is_possible(out.negative()), Ok(false));
    assert_eq!(tally.to_string(), "propagation 0, model 0, descent 0, splr 2");
    assert_eq!(solution.is_possible(out.positive()), Ok(true));
}

#[test]
fn a_core_that_takes_too_many_questions_is_given_up() {
    let cnf = pigeonhole(4);
    let role = Role::Deletable;
    let tally = Tally::default();
    let core = |limit| minimal_core(&cnf, role, &[], &[], limit, &tally);
    assert_eq!(core(None), Ok(Some((0..4).map(Part::Rank).collect())));
    assert_eq!(core(Some(2)), Err(Bound::Questions(2)));
}

#[test]
fn later_reasons_are_kept() {
    let mut cnf = Cnf::default();
    let [a, b] = [(); 2].map(|()| cnf.add_var());
    cnf.add_clause([a.positive()], 1);
    cnf.add_clause([a.negative()], 2);
    cnf.add_clause([b.positive()], 3);
    cnf.add_clause([b.negative()], 4);
    assert_eq!(core(&cnf, &[1, 2, 3, 4]), Some(vec![4, 3]));
    assert_eq!(core(&cnf, &[4, 3, 2, 1]), Some(vec![1, 2]));
    assert_eq!(core(&cnf, &[1]), Some(vec![]));
    assert_eq!(core(&Cnf::default(), &[1]), None);
}

#[test]
fn a_long_formula_that_is_easy_needs_no_splr() {
    // A package with many bundles of which one is wanted. splr took seconds for these.
    let mut cnf = Cnf::default();
    let bundles: Vec<Var> = (0..20_000).map(|_| cnf.add_var()).collect();
    cnf.add_clause(bundles.iter().map(|bundle| bundle.positive()), 0);
    cnf.add_at_most_one(&bundles, 1);
    let tally = Tally::default();
    assert!(PartialSolution::new(&cnf, &tally).unwrap().unwrap().model().holds(bundles[0].positive()));
    assert_eq!(tally.to_string(), "propagation 0, model 0, descent 1, splr 0");
}

#[test]
fn a_long_formula_that_is_hard_is_put_to_splr() {
    let mut cnf = pigeonhole(8);
    let others: Vec<Var> = (0..2000).map(|_| cnf.add_var()).collect();
    cnf.add_at_most_one(&others, 100);
    let tally = Tally::default();
    assert_eq!(cnf.is_satisfiable(&tally), Ok(false));
    assert_eq!(tally.to_string(), "propagation 0, model 0, descent 0, splr 1");
}
