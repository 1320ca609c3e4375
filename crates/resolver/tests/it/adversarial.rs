//! Namespaces made to be hard. Each has an answer, or says at which bound the search for one ended.

use cluster::Budget;
use resolver::{GaveUp, Namespace, Outcome, Problem, outcomes, resolve};

use crate::world;

fn problem(lines: impl IntoIterator<Item = String>) -> Problem {
    within(&Budget::default(), lines)
}

fn within(budget: &Budget, lines: impl IntoIterator<Item = String>) -> Problem {
    let namespace = world::namespace(&lines.into_iter().collect::<Vec<_>>().join("\n"));
    Problem::new(Namespace { budget: budget.clone(), ..namespace })
}

fn answer(problem: &Problem) -> Outcome {
    let answer = resolve(problem, problem.anchors());
    let all = outcomes(problem, 10);
    assert_eq!(std::mem::discriminant(&all.outcomes[0]), std::mem::discriminant(&answer));
    answer
}

/// How many bundles are chosen; the namespace has an answer.
#[track_caller]
fn chosen(problem: &Problem) -> usize {
    match answer(problem) {
        Outcome::Resolved(resolution) => resolution.selected.len(),
        other => panic!("{other:?}"),
    }
}

/// Whether the conflict was found; if not, the answer says why.
#[track_caller]
fn is_refuted(problem: &Problem) -> bool {
    match answer(problem) {
        Outcome::Unsolvable(conflict) => !conflict.facts.is_empty(),
        Outcome::GaveUp(why @ GaveUp::Solver(_)) => {
            assert_eq!(why.to_string(), "the solver's budget does not suffice");
            false
        }
        other => panic!("{other:?}"),
    }
}

/// A chain of versions, each with a word of its own.
fn package(name: &str, versions: usize, word: impl Fn(usize) -> String) -> Vec<String> {
    let line = |version: usize| {
        let replaces = if version > 1 { format!(" replaces={name}.v{}", version - 1) } else { String::new() };
        format!("c/ns {name}.v{version}{replaces} {}", word(version))
    };
    (1..=versions).map(line).collect()
}

/// Each package can only have one of the APIs, of which there is one too few.
fn pigeonhole(pigeons: usize) -> Vec<String> {
    let names: Vec<String> = (0..pigeons).map(|at| format!("p{at}")).collect();
    let packages = names.iter().flat_map(|name| package(name, pigeons - 1, |version| format!("gvk=H{version}")));
    packages.chain(names.iter().map(|name| format!("sub {name}"))).collect()
}

/// Two packages of which only one can have its head.
fn rivals() -> impl Iterator<Item = String> {
    let packages =
        ["a", "b"].map(|name| package(name, 2, |version| if version == 2 { "gvk=K".into() } else { String::new() }));
    packages.concat().into_iter().chain(["sub a", "sub b"].map(str::to_owned))
}

#[test]
fn pigeons_are_refuted() {
    for pigeons in [5, 8] {
        assert!(is_refuted(&problem(pigeonhole(pigeons))));
    }
}

/// No solver without cardinality reasoning refutes these in a lifetime.
#[test]
fn a_question_that_is_too_hard_is_given_up() {
    assert!(!is_refuted(&problem(pigeonhole(16))));
}

#[test]
fn problems_share_a_budget_that_ends_at_the_same_point_each_time() {
    let answers = || {
        let budget = Budget::of(100_000_000);
        let is_resolved = |lines: Vec<String>| {
            let problem = within(&budget, lines);
            match resolve(&problem, problem.anchors()) {
                Outcome::Resolved(_) => Some(true),
                Outcome::Unsolvable(_) => Some(false),
                Outcome::GaveUp(_) => None,
                Outcome::Prevented(prevented) => panic!("{prevented}"),
            }
        };
        let missing = ["c/ns a.v1 needs=NOPE", "sub a"].map(str::to_owned).to_vec();
        // The formula of six pigeons is small enough for what the two hard ones leave.
        let asked = [pigeonhole(12), pigeonhole(12), pigeonhole(6), rivals().collect(), missing];
        (asked.map(is_resolved), budget.left())
    };
    let (found, left) = answers();
    assert_eq!(found, [None, None, Some(false), Some(true), Some(false)]);
    assert!((1..100_000_000 / 3).contains(&left), "{left}");
    assert_eq!(answers(), (found, left));
}

/// What is left is for the answers of other namespaces.
#[test]
fn other_outcomes_are_not_looked_for_when_little_is_left() {
    let found = |budget| {
        let found = outcomes(&within(&budget, rivals()), 10);
        (found.outcomes.len(), found.bounded)
    };
    assert_eq!(found(Budget::default()), (2, false));
    assert_eq!(found(Budget::of(10_000_000)), (1, true));
}

#[test]
fn two_hundred_providers_exclude_each_other() {
    let providers = || (0..200).map(|at| format!("c/ns q{at}.v1 gvk=K"));
    let users = ["c/ns a.v1 needs=K", "c/ns b.v1 needs=K", "sub a", "sub b"].map(str::to_owned);
    assert_eq!(chosen(&problem(providers().chain(users))), 3);
    let both = ["sub q17", "sub q170"].map(str::to_owned);
    assert!(is_refuted(&problem(providers().chain(both))));
}

#[test]
fn requirements_go_round() {
    let ring =
        |length: usize| (0..length).map(move |at| format!("c/ns r{at}.v1 gvk=K{at} needs=K{}", (at + 1) % length));
    assert_eq!(chosen(&problem(ring(300).chain(["sub r0".to_owned()]))), 300);
}

#[test]
fn the_last_of_ten_thousand_candidates_is_found() {
    let candidates = (10_000..20_000).map(|at| {
        let unmet = if at < 19_999 { " needs=NOPE" } else { "" };
        format!("c/ns q{at}.v1 gvk=K{unmet}")
    });
    let user = ["c/ns a.v1 needs=K".to_owned(), "sub a".to_owned()];
    assert_eq!(chosen(&problem(candidates.chain(user))), 2);
}

#[test]
fn sixty_packages_that_outbid_each_other_are_refuted() {
    let name = |at: usize| format!("p{:02}", at % 60);
    let packages = (0..60).flat_map(|at| {
        package(&name(at), 12, |version| {
            format!("gvk=K{at} wants={}:>{version}.0.0 needs=K{}", name(at + 1), (at + 7) % 60)
        })
    });
    let subscriptions = (0..60).map(|at| format!("sub {}", name(at)));
    assert!(is_refuted(&problem(packages.collect::<Vec<_>>().into_iter().chain(subscriptions))));
}

/// What each CSV costs may not grow with how many there are: with copies of all before it this takes minutes.
#[test]
fn thousands_of_unowned_csvs_are_parts_of_their_own() {
    let csvs = (0..3_000).map(|at| format!("csv p{at}.v1 gvk=K{at}"));
    let found = outcomes(&problem(csvs.chain(rivals())), 10);
    assert_eq!((found.outcomes.len(), found.bounded), (2, false));
}
