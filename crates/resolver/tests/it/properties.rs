//! Properties of resolutions of small random namespaces.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use resolver::{Fact, FactId, GaveUp, Outcome, Problem, Refusal, VarId, outcomes, refusal, resolve};

use crate::{backtracking, checker, world};

const PACKAGES: [&str; 3] = ["a", "b", "d"];

/// Something that a bundle says of itself or requires.
fn word() -> impl Strategy<Value = String> {
    let api = || select(vec!["K", "L", "M"]);
    let range = select(vec![">=1.0.0", ">=2.0.0", "<2.0.0", "<3.0.0", "=2.0.0"]);
    prop_oneof![
        3 => api().prop_map(|api| format!(" gvk={api}")),
        3 => api().prop_map(|api| format!(" needs={api}")),
        3 => (select(PACKAGES.to_vec()), range).prop_map(|(package, range)| format!(" wants={package}:{range}")),
        1 => Just(" deprecated".to_owned()),
    ]
}

fn words() -> impl Strategy<Value = String> {
    proptest::collection::vec(word(), 0..3).prop_map(|words| words.concat())
}

/// A chain of three versions, of which one may be installed, with or without a Subscription.
fn package(name: &'static str) -> impl Strategy<Value = Vec<String>> {
    let installed = prop_oneof![3 => Just(None), 2 => (1..3u32, words()).prop_map(Some)];
    (proptest::array::uniform3(words()), installed, any::<bool>(), any::<bool>()).prop_map(
        move |(words, installed, subscribed, elsewhere)| {
            let [first, second, third] = words;
            let mut lines = vec![
                format!("c/ns {name}.v1{first}"),
                format!("c/ns {name}.v2 replaces={name}.v1{second}"),
                format!("c/ns {name}.v3 replaces={name}.v2{third}"),
            ];
            if elsewhere {
                lines.push(format!("z/ns {name}.v2 gvk=M"));
            }
            let has = installed.as_ref().map(|(version, _)| format!(" has={name}.v{version}")).unwrap_or_default();
            if subscribed {
                lines.push(format!("sub {name}{has}"));
            }
            lines.extend(installed.map(|(version, words)| format!("csv {name}.v{version}{words}")));
            lines
        },
    )
}

/// Two APIs, P and Q, that no set of bundles has both of, because every provider of either also provides R. Unit
/// propagation does not find that out, so OLM selects what requires both and has to step back later.
const EXCLUSIVE: [&str; 4] = [
    "c/ns p.v1 gvk=P gvk=R",
    "c/ns p.v2 replaces=p.v1 gvk=P gvk=R",
    "c/ns q.v1 gvk=Q gvk=R",
    "c/ns q.v2 replaces=q.v1 gvk=Q gvk=R",
];

fn namespace() -> impl Strategy<Value = Vec<String>> {
    let trap =
        (select(PACKAGES.to_vec()), 2..=3u32).prop_map(|(package, version)| format!("c/ns {package}.v{version}"));
    (package("a"), package("b"), package("d"), proptest::option::of(trap)).prop_map(|(a, b, d, trap)| {
        let mut lines = [a, b, d].concat();
        if let Some(entry) = trap {
            let trapped = lines.iter_mut().filter(|line| line.starts_with(&entry));
            trapped.for_each(|line| line.push_str(" needs=P needs=Q"));
            lines.extend(EXCLUSIVE.map(str::to_owned));
        }
        lines
    })
}

fn problem(lines: &[String]) -> Problem {
    Problem::new(world::namespace(&lines.join("\n")))
}

/// The new bundles by identifier, or nothing.
fn chosen(problem: &Problem, outcome: &Outcome) -> Option<Vec<String>> {
    match outcome {
        Outcome::Resolved(resolution) => {
            Some(resolution.selected.iter().map(|selected| problem.name(selected.id).to_owned()).collect())
        }
        Outcome::Unsolvable(_) | Outcome::Prevented(_) | Outcome::GaveUp(_) => None,
    }
}

/// The new bundles of each outcome.
fn all_answers(lines: &[&str]) -> BTreeSet<String> {
    let problem = Problem::new(world::namespace(&lines.join("\n")));
    let all = outcomes(&problem, 100);
    assert!(!all.bounded);
    all.outcomes.iter().map(|outcome| chosen(&problem, outcome).expect("a resolution").join(" ")).collect()
}

/// Of what is selected the new bundles, by identifier.
fn new(problem: &Problem, selected: &[VarId]) -> Vec<String> {
    let is_new = |id: &&VarId| problem.catalog(**id).is_some_and(|key| !key.is_existing());
    let mut names: Vec<String> = selected.iter().filter(is_new).map(|&id| problem.name(id).to_owned()).collect();
    names.sort();
    names
}

fn rules<'p>(problem: &'p Problem, facts: &[FactId]) -> Vec<&'p Fact> {
    facts.iter().map(|&id| problem.fact(id)).collect()
}

fn without<T: Copy + PartialEq>(all: &[T], left_out: T) -> Vec<T> {
    all.iter().copied().filter(|item| *item != left_out).collect()
}

/// All orders of a few things.
fn orders(of: &[VarId]) -> Vec<Vec<VarId>> {
    let Some((first, rest)) = of.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in orders(rest) {
        for at in 0..=order.len() {
            let mut longer = order.clone();
            longer.insert(at, *first);
            all.push(longer);
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn the_choice_is_the_one_that_backtracking_finds(lines in namespace()) {
        let problem = problem(&lines);
        prop_assume!(problem.unresolvable().is_none());
        let expected = backtracking::search(&problem);
        match resolve(&problem, problem.anchors()) {
            Outcome::Resolved(resolution) => {
                let selected: BTreeSet<_> = resolution.picks.iter().map(|pick| pick.selected).collect();
                prop_assert_eq!(Some(selected), expected);
            }
            other => prop_assert!(expected.is_none() && matches!(other, Outcome::Unsolvable(_)), "{other:?}"),
        }
    }

    #[test]
    fn what_the_search_to_the_letter_may_find_is_among_the_outcomes(lines in namespace()) {
        let problem = problem(&lines);
        prop_assume!(problem.unresolvable().is_none());
        let all = outcomes(&problem, 1_000);
        prop_assert!(!all.bounded);
        let is_unknown = |outcome: &Outcome| matches!(outcome, Outcome::GaveUp(GaveUp::LeftToSolver { .. }));
        let is_known = !all.outcomes.iter().any(is_unknown);
        let all: BTreeSet<_> = all.outcomes.iter().map(|outcome| chosen(&problem, outcome)).collect();
        for order in orders(problem.anchors()) {
            let answer = chosen(&problem, &resolve(&problem, &order));
            let Some(end) = backtracking::literal::search(&problem, &order) else {
                prop_assert_eq!(answer, None);
                continue;
            };
            let possible: Vec<_> = end.answers.iter().map(|selected| Some(new(&problem, selected))).collect();
            if end.all_made {
                prop_assert_eq!(&possible, &[answer]);
            }
            for one in possible.into_iter().filter(|_| is_known) {
                prop_assert!(all.contains(&one), "{one:?} is not among {all:?}");
            }
        }
    }

    #[test]
    fn what_is_chosen_meets_every_rule_of_the_namespace(lines in namespace()) {
        let problem = problem(&lines);
        for outcome in outcomes(&problem, 50).outcomes {
            if let Outcome::Resolved(resolution) = outcome {
                prop_assert_eq!(checker::violations(&problem, &resolution), Vec::<String>::new());
            }
        }
    }

    #[test]
    fn the_order_of_the_input_makes_no_difference(lines in namespace().prop_shuffle()) {
        let mut sorted = lines.clone();
        sorted.sort();
        let (one, other) = (problem(&lines), problem(&sorted));
        prop_assert_eq!(
            chosen(&one, &resolve(&one, one.anchors())),
            chosen(&other, &resolve(&other, other.anchors()))
        );
    }

    #[test]
    fn fewer_requirements_cannot_make_it_unsolvable(lines in namespace()) {
        let before = problem(&lines);
        prop_assume!(matches!(resolve(&before, before.anchors()), Outcome::Resolved(_)));
        for at in 0..lines.len() {
            let mut fewer = lines.clone();
            let kept = lines[at].split(' ').filter(|word| !word.starts_with("needs=") && !word.starts_with("wants="));
            fewer[at] = kept.collect::<Vec<_>>().join(" ");
            let after = problem(&fewer);
            prop_assert!(matches!(resolve(&after, after.anchors()), Outcome::Resolved(_)), "{}", lines[at]);
        }
    }

    #[test]
    fn a_conflict_is_a_minimal_set_of_facts_that_cannot_all_hold(lines in namespace()) {
        let problem = problem(&lines);
        if let Outcome::Unsolvable(conflict) = resolve(&problem, problem.anchors()) {
            let is_consistent = |facts: &[FactId]| backtracking::is_consistent(&rules(&problem, facts), &[]);
            prop_assert!(!is_consistent(&conflict.facts));
            for &id in &conflict.facts {
                let others = without(&conflict.facts, id);
                prop_assert!(is_consistent(&others), "{:?} is superfluous", problem.fact(id));
            }
        }
    }

    /// The picks of a refusal come before the choice. With them its facts exclude the alternative, and not without any
    /// one.
    #[test]
    fn a_refusal_is_a_minimal_reason_against_the_alternative(lines in namespace()) {
        let problem = problem(&lines);
        let Outcome::Resolved(resolution) = resolve(&problem, problem.anchors()) else { return Ok(()) };
        let is_consistent = |facts: &[FactId], picks: &[VarId], alternative: VarId| {
            backtracking::is_consistent(&rules(&problem, facts), &[picks, &[alternative]].concat())
        };
        for (at, pick) in resolution.picks.iter().enumerate() {
            for (place, &alternative) in pick.refused.iter().enumerate() {
                let Refusal { refused, picks, facts } = refusal(&problem, &resolution.picks, at, place).unwrap();
                prop_assert_eq!(refused, alternative);
                let is_earlier = |id: &VarId| resolution.picks[..at].iter().any(|pick| pick.selected == *id);
                prop_assert!(picks.iter().all(is_earlier));
                prop_assert!(!is_consistent(&facts, &picks, alternative));
                for &id in &facts {
                    prop_assert!(is_consistent(&without(&facts, id), &picks, alternative), "{:?}", problem.fact(id));
                }
                for &id in &picks {
                    prop_assert!(is_consistent(&facts, &without(&picks, id), alternative), "{}", problem.name(id));
                }
            }
        }
    }

    #[test]
    fn the_default_order_comes_first_among_all_outcomes(lines in namespace()) {
        let problem = problem(&lines);
        let all = outcomes(&problem, 50);
        let first = chosen(&problem, &all.outcomes[0]);
        prop_assert_eq!(first, chosen(&problem, &resolve(&problem, problem.anchors())));
        let distinct: BTreeSet<_> = all.outcomes.iter().map(|outcome| chosen(&problem, outcome)).collect();
        prop_assert_eq!(distinct.len(), all.outcomes.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    /// All orders of each namespace: thousands of runs for the outcomes of a thousand.
    #[test]
    fn every_order_of_anchors_gives_one_of_the_outcomes(lines in namespace()) {
        let problem = problem(&lines);
        let all = outcomes(&problem, 1_000);
        prop_assert!(!all.bounded);
        let all: BTreeSet<_> = all.outcomes.iter().map(|outcome| chosen(&problem, outcome)).collect();
        for order in orders(problem.anchors()) {
            let answer = chosen(&problem, &resolve(&problem, &order));
            prop_assert!(all.contains(&answer), "{order:?} gives {answer:?}");
        }
    }
}

/// `d` waits while OLM steps back over `a.v2`, and unit propagation refuses all its alternatives then. It cannot end with
/// the last one, because `d.v1` requires another version of its own package. So the solver may select any other one, and
/// any version of `b`, which waits as well, with each of them.
#[test]
fn a_waiting_choice_whose_last_alternative_is_impossible_may_take_any_other() {
    let found = all_answers(&[
        "c/ns a.v1",
        "c/ns a.v2 replaces=a.v1 needs=M",
        "c/ns b.v1",
        "c/ns b.v2 replaces=b.v1",
        "c/ns d.v1 gvk=M wants=d:>=2.0.0",
        "c/ns d.v2 replaces=d.v1",
        "c/ns d.v3 replaces=d.v2",
        "z/ns d.v2 gvk=M",
        "sub a",
        "sub b",
        "sub d",
    ]);
    let expected = [
        "c/ns/ch/a.v1 c/ns/ch/b.v1 c/ns/ch/d.v2",
        "c/ns/ch/a.v1 c/ns/ch/b.v1 c/ns/ch/d.v3",
        "c/ns/ch/a.v1 c/ns/ch/b.v2 c/ns/ch/d.v2",
        "c/ns/ch/a.v1 c/ns/ch/b.v2 c/ns/ch/d.v3",
    ];
    assert_eq!(found, expected.map(str::to_owned).into());
}

/// No provider of `M` goes with what the Subscriptions of `a` and `d` want. If `b` comes first, OLM steps back over `b.v2`,
/// and unit propagation has refused all alternatives of `a` and `d`. Then the requirement of the installed `b.v1` is a new
/// choice, which OLM decides itself: it takes `a.v2`, before the solver could end the choice of `a` with `a.v1`.
#[test]
fn the_solver_decides_after_the_choices_that_olm_makes_itself() {
    let found = all_answers(&[
        "c/ns a.v1",
        "c/ns a.v2 replaces=a.v1",
        "c/ns b.v1",
        "c/ns b.v2 replaces=b.v1 needs=M",
        "c/ns d.v1",
        "c/ns d.v2 replaces=d.v1",
        "z/ns a.v2 gvk=M",
        "z/ns d.v2 gvk=M",
        "csv b.v1 wants=a:<3.0.0",
        "sub a",
        "sub b has=b.v1",
        "sub d",
    ]);
    let expected = ["c/ns/ch/a.v2 c/ns/ch/d.v1", "c/ns/ch/a.v2 c/ns/ch/d.v2"];
    assert_eq!(found, expected.map(str::to_owned).into());
}

/// Neither provider of `P` goes with one of `Q`, but unit propagation does not detect it: if `b` comes first, OLM steps back
/// over `b.v2`. Clauses that the solver learned meanwhile can end that before the choice of `a` is used up. OLM then goes on
/// with `a.v1`, before the requirement of the installed `b.v1` prefers `a.v2`.
#[test]
fn olm_may_come_to_a_waiting_choice_before_its_solver_does() {
    let mut lines = vec![
        "c/ns a.v1",
        "c/ns a.v2 replaces=a.v1",
        "c/ns b.v1",
        "c/ns b.v2 replaces=b.v1 needs=P needs=Q",
        "csv b.v1 wants=a:<3.0.0",
        "sub a",
        "sub b has=b.v1",
    ];
    lines.extend(EXCLUSIVE);
    assert_eq!(all_answers(&lines), ["c/ns/ch/a.v1", "c/ns/ch/a.v2"].map(str::to_owned).into());
}

/// The properties say little if the generated namespaces are all alike.
#[test]
fn random_namespaces_are_of_all_kinds() {
    let mut runner = TestRunner::deterministic();
    let (mut solvable, mut unsolvable, mut with_several_outcomes, mut with_refusals, mut with_steps_back) =
        (0, 0, 0, 0, 0);
    for _ in 0..1_000 {
        let problem = problem(&namespace().new_tree(&mut runner).unwrap().current());
        let all = outcomes(&problem, 50).outcomes;
        with_several_outcomes += u32::from(all.len() > 1);
        match &all[0] {
            Outcome::Resolved(resolution) => {
                solvable += 1;
                with_refusals += u32::from(resolution.picks.iter().any(|pick| !pick.refused.is_empty()));
                let end = backtracking::literal::search(&problem, problem.anchors());
                with_steps_back += u32::from(end.is_some_and(|end| end.went_back));
            }
            Outcome::Unsolvable(_) => unsolvable += 1,
            Outcome::Prevented(_) | Outcome::GaveUp(_) => {}
        }
    }
    let counts = [solvable, unsolvable, with_several_outcomes, with_refusals, with_steps_back];
    assert!(counts.iter().zip([500, 150, 30, 200, 20]).all(|(count, least)| *count >= least), "{counts:?}");
}
