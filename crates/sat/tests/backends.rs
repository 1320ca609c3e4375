//! The corners of a formula, asked of every backend.

use sat::{Backend, Bound, BruteForce, Cnf, Core, Lit, Session, Splr, Verdict, minimal_core};

/// Whether the formula is satisfiable, by unanimous verdict.
#[track_caller]
fn satisfiable(cnf: &Cnf<u32>, assumptions: &[Lit]) -> bool {
    let verdicts = [
        Splr::new(cnf).solve(assumptions),
        BruteForce::new(cnf).solve(assumptions),
        Session::new(cnf).solve(assumptions),
        Session::<_, BruteForce>::with_backend(cnf).solve(assumptions),
    ]
    .map(|verdict| match verdict {
        Verdict::Satisfiable(model) => {
            assert!(cnf.is_satisfied_by(&model) && assumptions.iter().all(|&lit| model.holds(lit)));
            true
        }
        Verdict::Unsatisfiable => false,
        Verdict::GaveUp(_) => panic!("gave up"),
    });
    assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]), "{verdicts:?}");
    verdicts[0]
}

#[test]
fn formula_without_clauses() {
    let mut cnf = Cnf::new();
    assert!(satisfiable(&cnf, &[]));
    let a = cnf.add_var();
    assert!(satisfiable(&cnf, &[a.positive()]));
    assert!(!satisfiable(&cnf, &[a.positive(), a.negative()]));
}

#[test]
fn empty_clause() {
    let mut cnf = Cnf::new();
    cnf.add_clause([], 0);
    assert!(!satisfiable(&cnf, &[]));
    let a = cnf.add_var();
    cnf.add_clause([a.positive()], 1);
    assert!(!satisfiable(&cnf, &[]));
    assert_eq!(minimal_core(&cnf, &[0, 1]), Core::Minimal(vec![0]));
}

#[test]
fn conflicting_units() {
    let mut cnf = Cnf::new();
    let a = cnf.add_var();
    cnf.add_clause([a.positive()], 0);
    assert!(satisfiable(&cnf, &[]));
    assert!(!satisfiable(&cnf, &[a.negative()]));
    cnf.add_clause([a.negative()], 1);
    assert!(!satisfiable(&cnf, &[]));
}

#[test]
fn variables_in_no_clause() {
    let mut cnf = Cnf::new();
    let [a, b, c] = [(); 3].map(|()| cnf.add_var());
    cnf.add_clause([b.positive(), b.negative()], 0);
    cnf.add_clause([b.positive()], 0);
    assert!(satisfiable(&cnf, &[a.negative(), c.positive()]));
    assert!(!satisfiable(&cnf, &[c.positive(), c.negative()]));
    assert!(!satisfiable(&cnf, &[a.positive(), a.negative()]));
}

#[test]
fn questions_do_not_disturb_each_other() {
    let mut cnf = Cnf::new();
    let [a, b, c] = [(); 3].map(|()| cnf.add_var());
    cnf.add_clause([a.positive(), b.positive(), c.positive()], 0);
    cnf.add_clause([a.negative(), b.negative()], 1);
    cnf.add_clause([b.positive(), c.negative()], 2);
    let splr = Splr::new(&cnf);
    for _ in 0..2 {
        assert_eq!(splr.solve(&[a.negative(), b.negative()]), Verdict::Unsatisfiable);
        assert!(matches!(splr.solve(&[a.positive()]), Verdict::Satisfiable(_)));
        assert!(matches!(splr.solve(&[c.positive()]), Verdict::Satisfiable(_)));
    }
}

/// `pigeons` into one hole fewer: unsatisfiable, and out of reach of unit propagation.
fn pigeonhole(pigeons: usize) -> Cnf<u32> {
    let mut cnf = Cnf::new();
    let holes: Vec<Vec<Lit>> = (1..pigeons).map(|_| (0..pigeons).map(|_| cnf.add_var().positive()).collect()).collect();
    for pigeon in 0..pigeons {
        cnf.add_clause(holes.iter().map(|hole| hole[pigeon]), 0);
    }
    for (reason, hole) in (1..).zip(&holes) {
        cnf.add_at_most_one(hole, reason);
    }
    cnf
}

#[test]
fn pigeons_do_not_fit() {
    assert!(!satisfiable(&pigeonhole(4), &[]));
    let cnf = pigeonhole(8);
    assert_eq!(Session::new(&cnf).solve(&[]), Verdict::Unsatisfiable);
    // Twenty variables are the limit of brute force, and silence beats a guess.
    assert_eq!(BruteForce::new(&cnf).solve(&[]), Verdict::GaveUp(Bound::Variables(20)));
}

#[test]
fn later_reasons_are_kept() {
    let mut cnf = Cnf::new();
    let [a, b] = [(); 2].map(|()| cnf.add_var());
    cnf.add_clause([a.positive()], 1);
    cnf.add_clause([a.negative()], 2);
    cnf.add_clause([b.positive()], 3);
    cnf.add_clause([b.negative()], 4);
    assert_eq!(minimal_core(&cnf, &[1, 2, 3, 4]), Core::Minimal(vec![3, 4]));
    assert_eq!(minimal_core(&cnf, &[4, 3, 2, 1, 1]), Core::Minimal(vec![2, 1]));
    assert_eq!(minimal_core(&cnf, &[1]), Core::Minimal(vec![]));
    assert_eq!(minimal_core(&Cnf::<u32>::new(), &[1]), Core::Satisfiable);
}
