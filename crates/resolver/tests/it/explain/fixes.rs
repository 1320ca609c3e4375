//! What would help.

use cluster::InputChange;
use resolver::{Fix, Outcome, Problem, StuckAt, conflicts, fixes, resolve, stuck};

use super::problem;

/// Each fix as `change + change -> bundles`, in the order in which they are offered.
#[track_caller]
fn check(namespace: &str, expected: &[&str]) {
    let problem = problem(namespace);
    let found = fixes(&problem, &conflicts(&problem).unwrap());
    let shown: Vec<String> = found.fixes.iter().map(shown).collect();
    assert_eq!(shown, expected);
}

/// Each Subscription that cannot move, with what would move it.
#[track_caller]
fn check_stuck(namespace: &str, expected: &[&str]) {
    let problem = problem(namespace);
    let found = stuck(&problem, &resolve(&problem, problem.anchors()));
    let lines = found.iter().map(|stuck| {
        let at = match stuck.at {
            StuckAt::NotListed => "not listed",
            StuckAt::Listed => "listed",
        };
        let fixes: Vec<String> = stuck.fixes.iter().map(shown).collect();
        format!(
            "{}: {} {at} below {}: {}",
            problem.name(stuck.subscription),
            stuck.installed,
            stuck.head,
            fixes.join("; ")
        )
    });
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}

fn shown(fix: &Fix) -> String {
    let changes: Vec<String> = fix.changes.iter().map(change).collect();
    let installs: Vec<&str> = fix.installs.iter().map(|install| install.name.as_str()).collect();
    format!("{} -> {}", changes.join(" + "), installs.join(" "))
}

fn change(change: &InputChange) -> String {
    match change {
        InputChange::Channel { subscription, channel } => format!("{subscription} in {channel}"),
        InputChange::Manual { subscription } => format!("{subscription} manual"),
        InputChange::Package { subscription, package } => format!("{subscription} of {package}"),
        InputChange::Swap { subscription } => format!("{subscription} swapped"),
        InputChange::Catalog { subscription, catalog } => format!("{subscription} from {}", catalog.name),
        InputChange::StartingCsv { subscription, csv: None } => format!("{subscription} anywhere"),
        InputChange::StartingCsv { subscription, csv: Some(csv) } => format!("{subscription} at {csv}"),
        InputChange::AddSubscription(subscription) => format!("subscribe {}", subscription.name),
        InputChange::DropSubscription { subscription } => format!("drop {subscription}"),
        InputChange::AdoptCsv { csv, subscription } => format!("{subscription} adopts {csv}"),
        InputChange::DeleteCsv { csv } => format!("delete {csv}"),
        InputChange::WidenRange { bundle, required, to, .. } => format!("{bundle} wants {required}:{to}"),
        InputChange::EditEntry { edit, .. } => edit.describe(),
    }
}

#[test]
fn s04_the_old_csv_goes() {
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 replaces=a.v2\n csv a.v1\n csv a.v2\n sub a has=a.v2",
        &["delete a.v1 -> a.v3", "drop a + delete a.v2 -> "],
    );
}

#[test]
fn s14_the_subscription_takes_over_the_csv() {
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n csv a.v1\n sub a",
        &["a adopts a.v1 -> a.v2", "delete a.v1 -> a.v2", "drop a -> "],
    );
}

#[test]
fn s18_a_name_is_corrected() {
    check("c/ns etcd.v1\n sub etdc", &["etdc of etcd -> etcd.v1", "drop etdc -> "]);
    check("c/ns a.v1 in=stable*\n sub a in=stabel", &["a in stable -> a.v1", "drop a -> "]);
    check("c/ns acs.v1 in=stable*\n sub stable in=acs", &["stable swapped -> acs.v1", "drop stable -> "]);
    check("c/ns b.v1\n d/ns a.v1\n sub a", &["a from d -> a.v1", "drop a -> "]);
    check("c/ns a.v2\n sub a start=a.v1", &["a at a.v2 -> a.v2", "a anywhere -> a.v2", "drop a -> "]);
}

#[test]
fn s36_two_hops_at_once_need_an_edge_or_a_wider_range() {
    check(
        "c/ns cc.v1\n c/ns cc.v2 replaces=cc.v1\n c/ns cc.v3 replaces=cc.v2\n c/ns a.v1 wants=cc:>=3.0.0\n csv cc.v1\n \
         sub cc has=cc.v1\n sub a",
        &[
            "set `skipRange` of `cc.v3` to `>=1.0.0 <3.0.0` -> a.v1 cc.v3",
            "a.v1 wants cc:>=2.0.0 -> a.v1 cc.v2",
            "a.v1 wants cc:>=1.0.0 -> a.v1 cc.v2",
            "drop a -> cc.v2",
            "drop cc + delete cc.v1 -> a.v1 cc.v3",
        ],
    );
}

#[test]
fn s39_one_of_two_subscriptions_goes() {
    check(
        "c/ns a.v1\n csv a.v1\n sub a1 pkg=a has=a.v1\n sub a2 pkg=a",
        &["drop a2 -> ", "drop a1 + delete a.v1 -> a.v1"],
    );
}

#[test]
fn s61_a_range_is_widened_to_what_there_is() {
    check(
        "c/ns a.v1 wants=d:>=3.0.0\n c/ns d.v1\n c/ns d.v2 replaces=d.v1\n sub a",
        &["a.v1 wants d:>=2.0.0 -> a.v1 d.v2", "a.v1 wants d:>=1.0.0 -> a.v1 d.v2", "drop a -> "],
    );
}

#[test]
fn s64_two_conflicts_need_two_changes() {
    let problem =
        problem("c/ns a.v1 needs=X\n c/ns a.v0 in=old\n c/ns b.v1 wants=d:>=2.0.0\n c/ns d.v1\n sub a\n sub b");
    let found = fixes(&problem, &conflicts(&problem).unwrap());
    let partial: Vec<Vec<String>> =
        found.partial.iter().map(|explained| explained.iter().map(|changes| change(&changes[0])).collect()).collect();
    assert_eq!(partial, [vec!["a in old", "drop a"], vec!["b.v1 wants d:>=1.0.0", "drop b"]]);
    let offered: Vec<String> = found.fixes.iter().map(shown).collect();
    assert_eq!(
        offered,
        [
            "a in old + b.v1 wants d:>=1.0.0 -> b.v1 d.v1 a.v0",
            "drop a + b.v1 wants d:>=1.0.0 -> b.v1 d.v1",
            "a in old + drop b -> a.v0",
        ]
    );
}

#[test]
fn s71_the_subscription_changes_its_channel() {
    check(
        "c/ns d.v1 in=beta*\n c/ns d.v2 in=alpha replaces=d.v1\n c/ns a.v1 wants=d:>=2.0.0\n csv d.v1\n sub a\n \
         sub d in=beta has=d.v1",
        &["d in alpha -> d.v2 a.v1", "a.v1 wants d:>=1.0.0 -> a.v1", "drop a -> ", "drop d + delete d.v1 -> d.v2 a.v1"],
    );
}

#[test]
fn s11g_an_installed_operator_without_a_subscription_gets_one() {
    check("c/ns a.v2 replaces=a.v1\n csv a.v1 needs=NOPE", &["subscribe a + a adopts a.v1 -> a.v2", "delete a.v1 -> "]);
}

#[test]
fn constraints_are_widened_inside() {
    let constraint = r#"{"all":{"constraints":[{"package":{"packageName":"d","versionRange":">=3.0.0"}}]}}"#;
    check(
        &format!("c/ns a.v1 constraint={constraint}\n c/ns d.v1\n sub a"),
        &["a.v1 wants d:>=1.0.0 -> a.v1 d.v1", "drop a -> "],
    );
}

#[test]
fn s40_a_channel_without_an_edge_is_silent_trouble() {
    check_stuck(
        "c/ns a.v1 in=old*\n c/ns a.v2 in=old* replaces=a.v1\n c/ns a.v9 in=new\n csv a.v1\n sub a in=new has=a.v1",
        &["a: a.v1 not listed below a.v9: a in old -> a.v2"],
    );
    check_stuck("c/ns a.v1\n csv a.v1\n sub a has=a.v1", &[]);
}

#[test]
fn s10_a_stranded_start_cannot_move() {
    check_stuck(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 skips=a.v2\n csv a.v1\n sub a has=a.v1",
        &["a: a.v1 listed below a.v3: "],
    );
}

#[test]
fn a_namespace_with_an_answer_needs_nothing() {
    let problem: Problem = problem("c/ns a.v1\n sub a");
    assert!(fixes(&problem, &conflicts(&problem).unwrap()).fixes.is_empty());
    assert!(matches!(resolve(&problem, problem.anchors()), Outcome::Resolved(_)));
}
