//! Models, possible literals and cores against truth tables, at-most-one against counting.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sat::{Cnf, Lit, Part, PartialSolution, Role, Tally, Var, minimal_core};

/// A formula as data: how many variables, and clauses of (variable, sign) pairs, each with a reason.
type Formula = (u32, Vec<(Vec<(u32, bool)>, u8)>);

fn lits(vars: u32, longest: usize) -> impl Strategy<Value = Vec<(u32, bool)>> {
    prop::collection::vec((0..vars, any::<bool>()), 0..=longest)
}

/// Formulas around the density at which random ones turn unsatisfiable; some variables occur in no clause.
fn formula() -> impl Strategy<Value = Formula> {
    (1..=12_u32).prop_flat_map(|vars| {
        // Longer clauses are more frequent: units and the empty clause make a formula dull.
        let clause = prop_oneof![1 => lits(vars, 1), 30 => lits(vars, 3).prop_filter("short", |c| c.len() > 1)];
        (Just(vars), prop::collection::vec((clause, 0..8_u8), 0..48))
    })
}

fn build((count, clauses): &Formula) -> (Cnf<u8>, Vec<Var>) {
    let mut cnf = Cnf::default();
    let vars: Vec<Var> = (0..*count).map(|_| cnf.add_var()).collect();
    for (clause, reason) in clauses {
        cnf.add_clause(literals(clause, &vars), *reason);
    }
    (cnf, vars)
}

fn literals(pairs: &[(u32, bool)], vars: &[Var]) -> Vec<Lit> {
    let lit = |&(var, sign): &(u32, bool)| {
        let var = vars[var as usize % vars.len()];
        if sign { var.positive() } else { var.negative() }
    };
    pairs.iter().map(lit).collect()
}

/// Whether the formula, read from the data and not from the `Cnf`, has a model with these literals.
fn satisfiable((count, clauses): &Formula, fixed: &[(u32, bool)], wanted: impl Fn(u8) -> bool) -> bool {
    let holds = |bits: u32, &(var, sign): &(u32, bool)| (bits >> (var % count) & 1 == 1) == sign;
    (0..1_u32 << count).any(|bits| {
        fixed.iter().all(|lit| holds(bits, lit))
            && clauses.iter().filter(|(_, reason)| wanted(*reason)).all(|(c, _)| c.iter().any(|lit| holds(bits, lit)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn answers_agree_with_the_truth_table(formula in formula()) {
        let (cnf, vars) = build(&formula);
        let tally = Tally::default();
        let expected = satisfiable(&formula, &[], |_| true);
        prop_assert_eq!(cnf.is_satisfiable(&tally), Ok(expected));
        match cnf.solve(&tally) {
            Ok(Some(model)) => {
                let mut clauses = formula.1.iter().map(|(clause, _)| literals(clause, &vars));
                prop_assert!(clauses.all(|clause| clause.iter().any(|&lit| model.holds(lit))));
            }
            Ok(None) => prop_assert!(!expected),
            Err(bound) => prop_assert!(false, "{bound}"),
        }
    }

    #[test]
    fn possible_literals_agree_with_the_truth_table(formula in formula(), choices in lits(12, 8)) {
        let (cnf, vars) = build(&formula);
        let tally = Tally::default();
        let solution = PartialSolution::new(&cnf, &tally).unwrap();
        prop_assert_eq!(solution.is_some(), satisfiable(&formula, &[], |_| true));
        let Some(mut solution) = solution else { return Ok(()) };
        let mut fixed = Vec::new();
        for choice in choices {
            let lit = literals(&[choice], &vars)[0];
            fixed.push(choice);
            let expected = satisfiable(&formula, &fixed, |_| true);
            prop_assert!(!expected || !solution.is_refuted_by_propagation(&[lit]));
            prop_assert_eq!(solution.is_possible(lit), Ok(expected));
            if expected {
                solution.fix(lit);
            } else {
                fixed.pop();
            }
        }
    }

    #[test]
    fn cores_are_minimal_and_in_order(
        formula in formula(),
        order in Just((0..7_u8).collect::<Vec<u8>>()).prop_shuffle(),
        given in lits(12, 3),
        fixed in lits(12, 1),
    ) {
        // Reason 7 is never listed: its clauses always stay. Parts are deleted from the last to the first.
        let parts = (0..7).map(Part::Rank).chain((0..3).map(Part::Given).take(given.len()));
        let all: Vec<Part> = parts.collect();
        let contradicts = |left: &[Part]| {
            let given = (0..).zip(&given).filter(|(at, _)| left.contains(&Part::Given(*at))).map(|(_, lit)| *lit);
            let rank = |reason| u32::try_from(order.iter().position(|&listed| listed == reason).unwrap()).unwrap();
            let lits: Vec<(u32, bool)> = given.chain(fixed.iter().copied()).collect();
            !satisfiable(&formula, &lits, |reason| reason == 7 || left.contains(&Part::Rank(rank(reason))))
        };
        let expected = contradicts(&all).then(|| {
            let mut left = all.clone();
            for part in all.iter().rev() {
                let without: Vec<Part> = left.iter().copied().filter(|other| other != part).collect();
                if contradicts(&without) {
                    left = without;
                }
            }
            left
        });
        let (cnf, vars) = build(&formula);
        let role = |reason| match order.iter().position(|&listed| listed == reason) {
            Some(rank) => Role::Deletable(u32::try_from(rank).unwrap()),
            None => Role::Always,
        };
        let (fixed, given) = (literals(&fixed, &vars), literals(&given, &vars));
        prop_assert_eq!(minimal_core(&cnf, role, &fixed, &given, None, &Tally::default()), Ok(expected));
    }

    #[test]
    fn at_most_one_counts(count in 0..24_usize, chosen in prop::collection::vec(0..24_usize, 0..4)) {
        let mut cnf = Cnf::default();
        let vars: Vec<Var> = (0..count).map(|_| cnf.add_var()).collect();
        cnf.add_at_most_one(&vars, ());
        // All others are false: nothing but the constraint is left to decide.
        for (at, var) in vars.iter().enumerate() {
            cnf.add_clause([if chosen.contains(&at) { var.positive() } else { var.negative() }], ());
        }
        let expected = (0..count).filter(|at| chosen.contains(at)).count() <= 1;
        let tally = Tally::default();
        prop_assert_eq!(cnf.solve(&tally).as_ref().unwrap().is_some(), expected);
        prop_assert_eq!(cnf.is_satisfiable(&tally), Ok(expected));
    }
}

/// The other properties say little if the formulas are all alike.
#[test]
fn random_formulas_are_of_all_kinds() {
    let mut runner = TestRunner::deterministic();
    let (mut satisfiable_ones, mut refuted_at_once) = (0, 0);
    for _ in 0..500 {
        let formula = formula().new_tree(&mut runner).unwrap().current();
        let tally = Tally::default();
        satisfiable_ones += u32::from(satisfiable(&formula, &[], |_| true));
        build(&formula).0.is_satisfiable(&tally).unwrap();
        refuted_at_once += tally.propagation.get();
    }
    let searched = 500 - satisfiable_ones - refuted_at_once;
    assert!((100..=400).contains(&satisfiable_ones), "{satisfiable_ones} of 500 are satisfiable");
    assert!(searched >= 25, "a search is needed to refute {searched} of 500");
}
