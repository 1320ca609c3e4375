//! Backends against brute force, at-most-one against counting, cores against their definition.

use proptest::prelude::*;
use sat::{Backend, BruteForce, Cnf, Core, Lit, Model, Session, Splr, Var, Verdict, minimal_core};

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
    let mut cnf = Cnf::new();
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

/// Whether the formula, read from the data and not from the `Cnf`, has a model under the assumptions.
fn satisfiable((count, clauses): &Formula, assumptions: &[(u32, bool)], wanted: impl Fn(u8) -> bool) -> bool {
    let holds = |bits: u32, &(var, sign): &(u32, bool)| (bits >> (var % count) & 1 == 1) == sign;
    (0..1_u32 << count).any(|bits| {
        assumptions.iter().all(|lit| holds(bits, lit))
            && clauses.iter().filter(|(_, reason)| wanted(*reason)).all(|(c, _)| c.iter().any(|lit| holds(bits, lit)))
    })
}

fn is_model(model: &Model, formula: &Formula, vars: &[Var], assumptions: &[Lit]) -> bool {
    assumptions.iter().all(|&lit| model.holds(lit))
        && formula.1.iter().all(|(clause, _)| literals(clause, vars).iter().any(|&lit| model.holds(lit)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn backends_agree_with_the_truth_table(formula in formula(), questions in prop::collection::vec(lits(12, 4), 3)) {
        let (cnf, vars) = build(&formula);
        let (splr, brute, session) = (Splr::new(&cnf), BruteForce::new(&cnf), Session::new(&cnf));
        for question in questions {
            let assumptions = literals(&question, &vars);
            let expected = satisfiable(&formula, &question, |_| true);
            for verdict in [splr.solve(&assumptions), brute.solve(&assumptions), session.solve(&assumptions)] {
                match verdict {
                    Verdict::Satisfiable(model) => {
                        prop_assert!(expected && is_model(&model, &formula, &vars, &assumptions));
                    }
                    Verdict::Unsatisfiable => prop_assert!(!expected),
                    Verdict::GaveUp(_) => prop_assert!(false, "gave up"),
                }
            }
            prop_assert_eq!(session.solve(&assumptions), session.solve(&assumptions));
        }
    }

    #[test]
    fn cores_are_minimal_and_in_order(
        formula in formula(),
        order in Just((0..7_u8).collect::<Vec<u8>>()).prop_shuffle(),
    ) {
        // Reason 7 is never listed: its clauses always stay.
        let clashes = |kept: &[u8]| !satisfiable(&formula, &[], |reason| reason == 7 || kept.contains(&reason));
        let expected = clashes(&order).then(|| {
            let mut kept = order.clone();
            for reason in &order {
                let without: Vec<u8> = kept.iter().copied().filter(|other| other != reason).collect();
                if clashes(&without) {
                    kept = without;
                }
            }
            kept
        });
        prop_assert_eq!(minimal_core(&build(&formula).0, &order), expected.map_or(Core::Satisfiable, Core::Minimal));
    }

    #[test]
    fn at_most_one_counts(count in 0..24_usize, chosen in prop::collection::vec(0..24_usize, 0..4)) {
        let mut cnf = Cnf::new();
        let lits: Vec<Lit> = (0..count).map(|_| cnf.add_var().positive()).collect();
        cnf.add_at_most_one(&lits, ());
        // All others are assumed false: nothing but the constraint is left to decide.
        let assumptions: Vec<Lit> =
            lits.iter().enumerate().map(|(at, &lit)| if chosen.contains(&at) { lit } else { !lit }).collect();
        let expected = (0..count).filter(|at| chosen.contains(at)).count() <= 1;
        for verdict in [Splr::new(&cnf).solve(&assumptions), Session::new(&cnf).solve(&assumptions)] {
            prop_assert_eq!(matches!(verdict, Verdict::Satisfiable(_)), expected);
        }
    }
}
