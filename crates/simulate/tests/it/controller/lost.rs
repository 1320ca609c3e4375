//! Deleted objects, and what OLM does not restore.

use super::world::{World, installed, lines, subscription};
use simulate::{Action, Blocker, End};

#[test]
fn a_deleted_csv_is_not_installed_again() {
    let world = World::new("package a\nch: a.v1", &installed("a", "", "a.v1"));
    let mut controller = world.controller();
    controller.settle(200);
    assert_eq!(lines(&controller.act(Action::DeleteCsv("a.v1".into()))), ["csv a.v1: deleted for -"]);
    let run = controller.settle(200);
    assert_eq!(lines(&run.events), ["sub a: state 'UpgradePending' current a.v1 installed a.v1 plan -"]);
    assert!(controller.cluster().csvs.is_empty());
}

#[test]
fn a_plan_deleted_after_its_csv_leaves_the_subscription_pending_forever() {
    let world = World::new("package a\nch: a.v1", &subscription("a", ""));
    let mut controller = world.controller();
    assert_eq!(controller.settle(200).end, End::Settled);
    controller.act(Action::DeleteCsv("a.v1".into()));
    controller.settle(200);
    controller.act(Action::DeletePlan("install-1".into()));
    let run = controller.settle(200);
    assert_eq!(run.end, End::Blocked(vec![Blocker::PlanLost("a".into())]));
}

#[test]
fn with_csv_and_plan_gone_at_once_everything_starts_over() {
    let world = World::new(
        "package a\nch: a.v1 <- a.v2",
        &subscription("a", ", startingCSV: a.v1, installPlanApproval: Manual"),
    );
    let mut controller = world.controller();
    controller.settle(200);
    controller.act(Action::DeletePlan("install-1".into()));
    let lines = lines(&controller.settle(200).events);
    // startingCSV applies again because nothing is installed.
    assert!(lines.contains(&"ns: resolved [a.v1]".to_owned()), "{lines:?}");
}

#[test]
fn a_deleted_subscription_leaves_its_csv_behind() {
    let world = World::new("package a\nch: a.v1 <- a.v2", &installed("a", "", "a.v1"));
    let mut controller = world.controller();
    assert_eq!(lines(&controller.act(Action::DeleteSubscription("a".into()))), ["sub a: Deleted"]);
    let run = controller.settle(200);
    assert_eq!((lines(&run.events), run.end), (vec!["ns: NoSubscriptions".to_owned()], End::Settled));
    assert_eq!(controller.cluster().csvs.len(), 1);
}

#[test]
fn a_deleted_dependency_is_not_restored_while_nothing_else_changes() {
    let text = "package a\nch: a.v1 (requires g/v1/K)\npackage b\nch: b.v1 (provides g/v1/K)";
    let world = World::new(text, &subscription("a", ""));
    let mut controller = world.controller();
    assert_eq!(controller.settle(500).end, End::Settled);
    controller.act(Action::DeleteSubscription("b-ch-c-olm".into()));
    controller.act(Action::DeleteCsv("b.v1".into()));
    controller.settle(500);
    let names: Vec<&str> = controller.cluster().csvs.iter().map(|csv| csv.installed.name.as_str()).collect();
    assert_eq!(names, ["a.v1"]);
}

#[test]
fn only_the_newest_five_plans_are_kept() {
    let chain = "package a\nch: a.v1 <- a.v2 <- a.v3 <- a.v4 <- a.v5 <- a.v6 <- a.v7";
    let world = World::new(chain, &subscription("a", ", startingCSV: a.v1"));
    let mut controller = world.controller();
    let lines = lines(&controller.settle(2000).events);
    let deleted: Vec<&String> = lines.iter().filter(|line| line.ends_with(": deleted")).collect();
    assert_eq!(deleted, ["plan install-1: deleted", "plan install-2: deleted"]);
    assert_eq!(controller.cluster().install_plans.len(), 5);
}
