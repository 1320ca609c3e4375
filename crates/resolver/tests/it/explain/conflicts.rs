//! Conflicts as arguments.

use resolver::{Conflict, Fact, Outcome, Problem, Role, conflict_text, conflicts, fact_text, resolve};

use super::problem;

/// One line for each of a conflict's: its role, the first rule in OLM's words and how many more there are like it.
/// Conflicts begin with their packages.
#[track_caller]
fn check(namespace: &str, expected: &[&str]) {
    let problem = problem(namespace);
    let found = conflicts(&problem).unwrap();
    assert!(!found.bounded);
    let lines: Vec<String> = found.conflicts.iter().flat_map(|conflict| shown(&problem, conflict)).collect();
    assert_eq!(lines, expected);
    // What the condition message is about comes first.
    let Outcome::Unsolvable(conflict) = resolve(&problem, problem.anchors()) else { panic!("there is an answer") };
    assert_eq!(conflict, found.conflicts[0]);
}

fn shown(problem: &Problem, conflict: &Conflict) -> Vec<String> {
    let packages: Vec<String> = conflict.packages(problem).iter().map(ToString::to_string).collect();
    let lines = conflict.lines(problem).into_iter().map(|line| {
        let mark = match line.role {
            Role::Given => "-",
            Role::Consequence => ">",
            Role::Obstacle => "!",
        };
        let more = match line.facts.len() {
            1 => String::new(),
            count => format!(" (+{})", count - 1),
        };
        format!("{mark} {}{more}", fact_text(problem, line.facts[0]))
    });
    [packages.join(" ")].into_iter().chain(lines).collect()
}

/// `name: position of the conflict, or blocked`
fn involvements(namespace: &str) -> Vec<String> {
    let problem = problem(namespace);
    let found = conflicts(&problem).unwrap().conflicts;
    if found.is_empty() {
        return Vec::new();
    }
    let subscriptions = problem.anchors().iter().filter(|&&id| problem.subscription(id).is_some());
    let shown = subscriptions.map(|&id| {
        let own = found.iter().position(|conflict| conflict.anchors(&problem).any(|anchor| anchor == id));
        format!("{}: {}", problem.name(id), own.map_or("blocked".to_owned(), |at| at.to_string()))
    });
    shown.collect()
}

#[test]
fn s04_an_upgrade_in_flight() {
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 replaces=a.v2\n csv a.v1\n csv a.v2\n sub a has=a.v2",
        &[
            "a",
            "- clusterserviceversion a.v1 exists and is not referenced by a subscription",
            "- subscription a exists",
            "> subscription a requires at least one of c/ns/ch/a.v3 or @existing/ns//a.v2",
            "! @existing/ns//a.v1, @existing/ns//a.v2 and c/ns/ch/a.v3 originate from package a",
        ],
    );
}

#[test]
fn s11h_an_installed_operator_that_lost_its_provider() {
    check(
        "c/ns a.v1\n csv a.v1 needs=NOPE\n sub a has=a.v1",
        &[
            "a",
            "- subscription a exists",
            "> subscription a requires @existing/ns//a.v1",
            "! bundle a.v1 requires an operator providing an API with group: g, version: v1, kind: NOPE",
        ],
    );
}

#[test]
fn s12_one_unmet_requirement_suffices() {
    check(
        "c/ns a.v1 needs=X needs=Y\n sub a",
        &[
            "a",
            "- subscription a exists",
            "> subscription a requires c/ns/ch/a.v1",
            "! bundle a.v1 requires an operator providing an API with group: g, version: v1, kind: X",
        ],
    );
}

#[test]
fn s14_a_subscription_to_a_csv_that_exists() {
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n csv a.v1\n sub a",
        &[
            "a",
            "- clusterserviceversion a.v1 exists and is not referenced by a subscription",
            "- subscription a exists",
            "> subscription a requires at least one of c/ns/ch/a.v2 or c/ns/ch/a.v1",
            "! @existing/ns//a.v1, c/ns/ch/a.v1 and c/ns/ch/a.v2 originate from package a",
        ],
    );
}

#[test]
fn s18c_a_neighbour_blocks_a_healthy_subscription() {
    let namespace = "c/ns a.v1\n sub bad pkg=nope\n sub good pkg=a";
    let found = "no operators found in package nope in the catalog referenced by subscription bad";
    check(namespace, &["nope", "- subscription bad exists", &format!("! {found}")]);
    assert_eq!(involvements(namespace), ["bad: 0", "good: blocked"]);
}

#[test]
fn s36_two_hops_at_once() {
    check(
        "c/ns cc.v1\n c/ns cc.v2 replaces=cc.v1\n c/ns cc.v3 replaces=cc.v2\n c/ns a.v1 wants=cc:>=3.0.0\n csv cc.v1\n \
         sub cc has=cc.v1\n sub a",
        &[
            "a cc",
            "- subscription a exists",
            "> subscription a requires c/ns/ch/a.v1",
            "> bundle a.v1 requires an operator with package: cc and with version in range: >=3.0.0",
            "- subscription cc exists",
            "> subscription cc requires at least one of c/ns/ch/cc.v2 or @existing/ns//cc.v1",
            "! @existing/ns//cc.v1, c/ns/ch/cc.v2 and c/ns/ch/cc.v3 originate from package cc",
        ],
    );
}

#[test]
fn s39_a_second_subscription_to_an_installed_package() {
    check(
        "c/ns a.v1\n csv a.v1\n sub a1 pkg=a has=a.v1\n sub a2 pkg=a",
        &[
            "a",
            "- subscription a1 exists",
            "> subscription a1 requires @existing/ns//a.v1",
            "- subscription a2 exists",
            "> subscription a2 requires c/ns/ch/a.v1",
            "! @existing/ns//a.v1 and c/ns/ch/a.v1 originate from package a",
        ],
    );
}

#[test]
fn s64_two_conflicts_are_both_reported() {
    let namespace = "c/ns a.v1 needs=X\n c/ns b.v1 needs=Y\n c/ns d.v1\n sub a\n sub b\n sub d";
    check(
        namespace,
        &[
            "a",
            "- subscription a exists",
            "> subscription a requires c/ns/ch/a.v1",
            "! bundle a.v1 requires an operator providing an API with group: g, version: v1, kind: X",
            "b",
            "- subscription b exists",
            "> subscription b requires c/ns/ch/b.v1",
            "! bundle b.v1 requires an operator providing an API with group: g, version: v1, kind: Y",
        ],
    );
    assert_eq!(involvements(namespace), ["a: 0", "b: 1", "d: blocked"]);
}

#[test]
fn s64c_a_provider_that_lacks_its_own() {
    check(
        "c/ns a.v1 needs=X\n c/ns x.v1 gvk=X needs=Y\n sub a",
        &[
            "a x",
            "- subscription a exists",
            "> subscription a requires c/ns/ch/a.v1",
            "> bundle a.v1 requires an operator providing an API with group: g, version: v1, kind: X",
            "! bundle x.v1 requires an operator providing an API with group: g, version: v1, kind: Y",
        ],
    );
}

#[test]
fn s71_the_dependency_is_in_another_channel() {
    check(
        "c/ns d.v1 in=beta*\n c/ns d.v2 in=alpha\n c/ns a.v1 wants=d:>=2.0.0\n csv d.v1\n sub a\n sub d in=beta has=d.v1",
        &[
            "a d",
            "- subscription a exists",
            "> subscription a requires c/ns/ch/a.v1",
            "> bundle a.v1 requires an operator with package: d and with version in range: >=2.0.0",
            "- subscription d exists",
            "> subscription d requires @existing/ns//d.v1",
            "! @existing/ns//d.v1 and c/ns/alpha/d.v2 originate from package d",
        ],
    );
}

#[test]
fn s78_the_provider_is_the_own_package_in_another_channel() {
    check(
        "c/ns a.v1 needs=K\n c/ns a.v0 in=other gvk=K\n sub a",
        &[
            "a",
            "- subscription a exists",
            "> subscription a requires c/ns/ch/a.v1",
            "> bundle a.v1 requires an operator providing an API with group: g, version: v1, kind: K",
            "! c/ns/ch/a.v1 and c/ns/other/a.v0 originate from package a",
        ],
    );
}

#[test]
fn like_rules_of_many_versions_are_one_line() {
    let mut namespace = "sub a\n c/ns a.v0 needs=X".to_owned();
    for version in 1..40 {
        let older = version - 1;
        namespace.push_str(&format!("\n c/ns a.v{version} replaces=a.v{older} wants=d:>={version}.0.0"));
    }
    let problem = problem(&namespace);
    let found = conflicts(&problem).unwrap();
    let lines = found.conflicts[0].lines(&problem);
    let counts: Vec<usize> = lines.iter().map(|line| line.facts.len()).collect();
    // Subscribed, Wants, the requirements of d, the one of X.
    assert_eq!(counts, [1, 1, 39, 1]);
    let group = &lines[2];
    assert!(
        matches!(problem.fact(group.facts[0]), Fact::Requires { bundle, .. } if problem.name(*bundle) == "c/ns/ch/a.v39")
    );
    assert!(conflict_text(&problem, &found.conflicts[0]).len() > 3_000);
}

#[test]
fn a_namespace_with_an_answer_has_no_conflict() {
    assert!(conflicts(&problem("c/ns a.v1\n sub a")).unwrap().conflicts.is_empty());
    assert_eq!(involvements("c/ns a.v1\n sub a"), Vec::<String>::new());
}
