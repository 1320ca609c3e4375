//! Properties of explanations of small random namespaces.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use resolver::{
    EntryRef, Excluded, Fact, FactId, Filter, Funnel, Outcome, Problem, VarId, Ways, WhyNot, conflicts, fixes, refusal,
    refused_alternatives, requirement_funnel, resolve, stuck, subscription_funnel, why_not,
};

use crate::world;

fn word() -> impl Strategy<Value = String> {
    let range = select(vec![">=2.0.0", "<2.0.0", ">=3.0.0", "=1.0.0"]);
    prop_oneof![
        2 => select(vec!["K", "L"]).prop_map(|api| format!(" gvk={api}")),
        2 => select(vec!["K", "L", "K", "L", "N"]).prop_map(|api| format!(" needs={api}")),
        3 => (select(vec!["a", "b"]), range).prop_map(|(package, range)| format!(" wants={package}:{range}")),
        1 => Just(" deprecated".to_owned()),
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![3 => Just(String::new()), 2 => word(), 1 => (word(), word()).prop_map(|(one, other)| one + &other)]
}

/// Two channels of a package, of which an entry may be installed, and Subscriptions that may be mistaken.
fn package(name: &'static str) -> impl Strategy<Value = Vec<String>> {
    let edge = select(vec!["replaces={}.v1", "skips={}.v1", "range=<2.0.0 replaces={}.v1"]);
    let mistaken = select(vec!["in=nxt", "start={}.v9", "pkg=c", "from=d/ns"]);
    let subscription = prop_oneof![8 => Just(""), 2 => select(vec!["in=next", "start={}.v1"]), 1 => mistaken];
    let installed = select(vec![None, None, None, Some(1), Some(2), Some(4)]);
    (proptest::array::uniform4(words()), edge, subscription, installed, any::<(bool, bool)>()).prop_map(
        move |([first, second, third, fourth], edge, subscription, installed, (subscribed, owned))| {
            let named = |text: &str| text.replace("{}", name);
            let mut lines = vec![
                format!("c/ns {name}.v1{first}"),
                format!("c/ns {name}.v2 {}{second}", named(edge)),
                format!("c/ns {name}.v3 replaces={name}.v2{third}"),
                format!("c/ns {name}.v4 in=next{fourth}"),
            ];
            lines.extend(installed.map(|version| format!("csv {name}.v{version}{first}")));
            if subscribed {
                let has = installed.filter(|_| owned).map(|version| format!(" has={name}.v{version}"));
                lines.push(format!("sub {name} {}{}", named(subscription), has.unwrap_or_default()));
            }
            lines
        },
    )
}

fn problem() -> impl Strategy<Value = Problem> {
    (package("a"), package("b"), words()).prop_map(|(a, b, words)| {
        let lines = [a, b, vec![format!("c/ns z.v1{words}"), "sub z".to_owned()]].concat();
        Problem::new(world::namespace(&lines.join("\n")))
    })
}

/// Whether some selection meets these rules, by trying all.
fn is_consistent(problem: &Problem, facts: &[FactId], selected: &[VarId]) -> bool {
    let facts: Vec<&Fact> = facts.iter().map(|&id| problem.fact(id)).collect();
    let variables: BTreeSet<VarId> =
        facts.iter().flat_map(|fact| mentioned(fact)).chain(selected.iter().copied()).collect();
    let variables: Vec<VarId> = variables.into_iter().collect();
    (0u32..1 << variables.len()).any(|bits| {
        let chosen: BTreeSet<VarId> =
            variables.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, &id)| id).collect();
        selected.iter().all(|id| chosen.contains(id)) && facts.iter().all(|fact| is_kept(fact, &chosen))
    })
}

fn mentioned(fact: &Fact) -> Vec<VarId> {
    match fact {
        Fact::Wants { subscription: subject, alternatives, .. } => [&[*subject], &alternatives[..]].concat(),
        Fact::Requires { bundle: subject, alternatives, .. } => [&[*subject], &alternatives[..]].concat(),
        Fact::Subscribed { subscription: subject }
        | Fact::NothingFound { subscription: subject, .. }
        | Fact::Freestanding { bundle: subject }
        | Fact::Deprecated { bundle: subject } => vec![*subject],
        Fact::Supersedes { upgrade, installed } => vec![*upgrade, *installed],
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => members.clone(),
    }
}

fn is_kept(fact: &Fact, chosen: &BTreeSet<VarId>) -> bool {
    let any = |ids: &[VarId]| ids.iter().any(|id| chosen.contains(id));
    match fact {
        Fact::Subscribed { subscription: anchor } | Fact::Freestanding { bundle: anchor } => chosen.contains(anchor),
        Fact::Wants { subscription: subject, alternatives, .. } => !chosen.contains(subject) || any(alternatives),
        Fact::Requires { bundle: subject, alternatives, .. } => !chosen.contains(subject) || any(alternatives),
        Fact::NothingFound { subscription: subject, .. } | Fact::Deprecated { bundle: subject } => {
            !chosen.contains(subject)
        }
        Fact::Supersedes { upgrade, installed } => !(chosen.contains(upgrade) && chosen.contains(installed)),
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
            members.iter().filter(|id| chosen.contains(id)).count() < 2
        }
    }
}

fn without<T: Copy + PartialEq>(all: &[T], left_out: T) -> Vec<T> {
    all.iter().copied().filter(|item| *item != left_out).collect()
}

fn is_monotone(funnel: &Funnel) -> bool {
    funnel.stages.is_sorted_by(|before, after| before.left >= after.left)
        && funnel.stages.iter().rev().skip(1).all(|stage| stage.left > 0)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn conflicts_are_minimal_disjoint_and_stated_in_full(problem in problem()) {
        let found = conflicts(&problem).unwrap();
        let unsolvable = matches!(resolve(&problem, problem.anchors()), Outcome::Unsolvable(_));
        prop_assert_eq!(unsolvable, !found.conflicts.is_empty());
        let mut relaxed = BTreeSet::new();
        for conflict in &found.conflicts {
            let facts = &conflict.facts;
            prop_assert!(!is_consistent(&problem, facts, &[]));
            for &id in facts {
                prop_assert!(is_consistent(&problem, &without(facts, id), &[]), "{:?}", problem.fact(id));
            }
            let stated: Vec<FactId> = conflict.lines(&problem).into_iter().flat_map(|line| line.facts).collect();
            prop_assert_eq!(stated.len(), facts.len());
            prop_assert!(facts.iter().all(|id| stated.contains(id)));
            prop_assert!(!conflict.packages(&problem).is_empty());
            prop_assert!(conflict.anchors(&problem).all(|id| relaxed.insert(id)));
        }
    }

    #[test]
    fn refusals_are_minimal_and_alike_in_groups(problem in problem()) {
        let Outcome::Resolved(resolution) = resolve(&problem, problem.anchors()) else { return Ok(()) };
        for (at, pick) in resolution.picks.iter().enumerate() {
            let refused = refused_alternatives(&problem, &resolution.picks, at).unwrap();
            let members: Vec<VarId> = refused.groups.iter().flat_map(|group| group.members.iter().copied()).collect();
            prop_assert_eq!(&members, &pick.refused);
            for refused in 0..pick.refused.len() {
                let refusal = refusal(&problem, &resolution.picks, at, refused).unwrap();
                let granted = [&refusal.picks[..], &[refusal.refused]].concat();
                prop_assert!(!is_consistent(&problem, &refusal.facts, &granted));
                for &id in &refusal.facts {
                    prop_assert!(is_consistent(&problem, &without(&refusal.facts, id), &granted));
                }
                for &id in &refusal.picks {
                    prop_assert!(is_consistent(&problem, &refusal.facts, &without(&granted, id)));
                }
            }
        }
    }

    #[test]
    fn every_selected_bundle_has_a_way_to_it(problem in problem()) {
        let Outcome::Resolved(resolution) = resolve(&problem, problem.anchors()) else { return Ok(()) };
        let ways = Ways::new(&problem, &resolution.picks);
        for selected in &resolution.selected {
            let why = ways.to(selected.id).unwrap();
            prop_assert!(problem.anchors().contains(&why.anchor));
            prop_assert_eq!(why.links.last().map(|link| link.to), Some(selected.id));
            let mut chooser = why.anchor;
            for link in &why.links {
                prop_assert!(mentioned(problem.fact(link.choice)).first() == Some(&chooser));
                chooser = link.to;
            }
        }
    }

    #[test]
    fn every_offered_fix_works(problem in problem()) {
        let found = fixes(&problem, &conflicts(&problem).unwrap());
        let outcome = resolve(&problem, problem.anchors());
        let moves = stuck(&problem, &outcome).into_iter().flat_map(|stuck| stuck.fixes);
        for fix in found.fixes.into_iter().chain(moves) {
            let changed = fix.changes.iter().fold(problem.namespace().clone(), |namespace, change| namespace.with(change));
            let changed = Problem::new(changed);
            let Outcome::Resolved(resolution) = resolve(&changed, changed.anchors()) else {
                return Err(TestCaseError::fail(format!("{:?}", fix.changes)));
            };
            let names: Vec<_> = resolution.selected.iter().map(|selected| &selected.entry.name).collect();
            prop_assert_eq!(names, fix.installs.iter().map(|install| &install.name).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_partial_fix_leaves_only_what_the_others_take_part_in(problem in problem()) {
        let conflicts = conflicts(&problem).unwrap();
        let found = fixes(&problem, &conflicts);
        for (at, partial) in found.partial.iter().enumerate() {
            let others = conflicts.conflicts.iter().enumerate().filter(|(other, _)| *other != at);
            let others: BTreeSet<&str> = others.flat_map(|(_, conflict)| conflict.anchors(&problem)).map(|id| problem.name(id)).collect();
            for changes in partial {
                let changed = changes.iter().fold(problem.namespace().clone(), |namespace, change| namespace.with(change));
                let changed = Problem::new(changed);
                for conflict in resolver::conflicts(&changed).unwrap().conflicts {
                    prop_assert!(conflict.anchors(&changed).any(|id| others.contains(changed.name(id))), "{:?}", changes);
                }
            }
        }
    }

    #[test]
    fn one_subscription_less_is_always_among_the_fixes_of_one_conflict(problem in problem()) {
        let conflicts = conflicts(&problem).unwrap();
        if conflicts.conflicts.len() == 1 {
            let found = fixes(&problem, &conflicts);
            prop_assert!(!found.fixes.is_empty() || found.bounded);
        }
    }

    #[test]
    fn funnels_end_where_the_rules_say(problem in problem()) {
        for (id, fact) in problem.facts() {
            match fact {
                Fact::Requires { alternatives, .. } => {
                    let funnel = requirement_funnel(&problem, id).unwrap();
                    prop_assert!(is_monotone(&funnel));
                    let chained = funnel.stages.iter().find(|stage| matches!(stage.filter, Filter::Chain { .. }));
                    prop_assert_eq!(chained.map_or(0, |stage| stage.left), alternatives.len());
                }
                Fact::NothingFound { subscription, .. } => {
                    let funnel = subscription_funnel(&problem, problem.subscription(*subscription).unwrap());
                    prop_assert!(is_monotone(&funnel) && funnel.dry().is_some());
                }
                Fact::Wants { subscription, alternatives, .. } => {
                    let funnel = subscription_funnel(&problem, problem.subscription(*subscription).unwrap());
                    prop_assert!(is_monotone(&funnel));
                    let last = funnel.stages.iter().rev().find(|stage| !matches!(stage.filter, Filter::Allowed));
                    let offered = alternatives.iter().filter(|&&id| problem.catalog(id).is_some_and(|key| !key.is_existing()));
                    prop_assert_eq!(last.map_or(0, |stage| stage.left), offered.count());
                }
                _ => {}
            }
        }
    }

    #[test]
    fn every_entry_has_an_answer_that_agrees_with_the_choice(problem in problem()) {
        let outcome = resolve(&problem, problem.anchors());
        for subscription in problem.subscriptions() {
            for snapshot in &problem.namespace().catalogs {
                for entry in snapshot.listing.entries() {
                    let pointed = EntryRef {
                        catalog: snapshot.key.clone(),
                        package: entry.package.clone(),
                        channel: entry.channel.clone(),
                        name: entry.name.clone(),
                    };
                    let answer = why_not(&problem, &outcome, subscription, &pointed).unwrap();
                    prop_assert!(answer != WhyNot::Unknown);
                    let elsewhere = matches!(answer, WhyNot::Excluded(Excluded::OtherPackage(_)));
                    prop_assert_eq!(elsewhere, !entry.is_of(subscription.package.as_str())
                        && subscription.catalog.as_ref().is_none_or(|key| *key == snapshot.key));
                    if matches!(outcome, Outcome::Resolved(_)) {
                        prop_assert!(answer != WhyNot::NothingChosen, "{:?}", pointed);
                    }
                }
            }
        }
    }
}

/// The properties say little if the generated namespaces are all alike.
#[test]
fn random_namespaces_are_of_all_kinds() {
    let mut runner = TestRunner::deterministic();
    let (mut with_refusals, mut stuck_ones, mut with_a_conflict, mut with_several_conflicts, mut fixable) =
        (0, 0, 0, 0, 0);
    for _ in 0..500 {
        let problem = problem().new_tree(&mut runner).unwrap().current();
        let outcome = resolve(&problem, problem.anchors());
        if let Outcome::Resolved(resolution) = &outcome {
            with_refusals += u32::from(resolution.picks.iter().any(|pick| !pick.refused.is_empty()));
            stuck_ones += u32::from(!stuck(&problem, &outcome).is_empty());
        }
        let found = conflicts(&problem).unwrap();
        with_a_conflict += u32::from(found.conflicts.len() == 1);
        with_several_conflicts += u32::from(found.conflicts.len() > 1);
        fixable += u32::from(!fixes(&problem, &found).fixes.is_empty());
    }
    let counts = [with_refusals, stuck_ones, with_a_conflict, with_several_conflicts, fixable];
    assert!(counts.iter().zip([20, 5, 100, 50, 150]).all(|(count, least)| *count >= least), "{counts:?}");
}
