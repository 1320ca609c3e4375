//! Plans that wait for approval.

use super::world::{World, csv, installed, lines, subscription};
use simulate::{Action, Controller, End};

const MANUAL: &str = ", installPlanApproval: Manual";

fn waits(controller: &mut Controller) -> Vec<String> {
    let End::WaitsForApproval(plans) = controller.settle(500).end else { panic!("nothing waits") };
    plans.iter().map(ToString::to_string).collect()
}

#[test]
fn a_manual_plan_waits_and_is_executed_once_approved() {
    let world = World::new("package a\nch: a.v1", &subscription("a", MANUAL));
    let mut controller = world.controller();
    let run = controller.settle(200);
    let expected = [
        "ns: resolved [a.v1]",
        "plan install-1: created 1 Manual [a.v1] []",
        "plan install-1: waits",
        "sub a: state 'UpgradePending' current a.v1 installed - plan install-1",
        "sub a: InstallPlanPending=True RequiresApproval",
        "ns: AllPending",
    ];
    assert_eq!(lines(&run.events), expected);
    assert_eq!(run.end, End::WaitsForApproval(vec!["install-1".into()]));
    assert_eq!(lines(&controller.act(Action::Approve("install-1".into()))), ["plan install-1: approved"]);
    let run = controller.settle(200);
    assert_eq!(
        lines(&run.events)[..3],
        [
            "plan install-1: RequiresApproval->Installing",
            "sub a: InstallPlanPending=True Installing",
            "csv a.v1: created replaces -"
        ]
    );
    assert_eq!(run.end, End::Settled);
    assert!(controller.act(Action::Approve("install-1".into())).is_empty());
    assert!(controller.act(Action::Approve("gone".into())).is_empty());
}

#[test]
fn one_manual_subscription_makes_the_whole_plan_manual() {
    let manifests = subscription("a", "") + &installed("b", MANUAL, "b.v1");
    let world = World::new("package a\nch: a.v1\npackage b\nch: b.v1", &manifests);
    let lines = lines(&world.controller().settle(200).events);
    assert!(lines.contains(&"plan install-1: created 1 Manual [a.v1] []".to_owned()), "{lines:?}");
}

#[test]
fn a_newer_catalog_does_not_change_a_pending_plan() {
    let world = World::new("package a\nch: a.v1 <- a.v2", &installed("a", MANUAL, "a.v1"));
    let newer = World::new("package a\nch: a.v1 <- a.v2 <- a.v3 (skipRange <3.0.0)", &installed("a", MANUAL, "a.v1"));
    let mut controller = world.controller();
    assert_eq!(waits(&mut controller), ["install-1"]);
    assert_eq!(lines(&controller.act(newer.update())), ["catalog olm/c: updated"]);
    let run = controller.settle(200);
    assert_eq!(lines(&run.events), [""; 0]);
    assert_eq!(run.end, End::WaitsForApproval(vec!["install-1".into()]));
}

#[test]
fn a_new_plan_also_has_the_steps_of_the_pending_one() {
    let text = "package a\nch: a.v1 <- a.v2\npackage b\nch: b.v1";
    let world = World::new(text, &installed("a", MANUAL, "a.v1"));
    let mut controller = world.controller();
    assert_eq!(waits(&mut controller), ["install-1"]);
    let other = World::new(text, &subscription("b", "")).cluster.subscriptions.remove(0);
    controller.act(Action::CreateSubscription(Box::new(other)));
    assert_eq!(waits(&mut controller), ["install-1", "install-2"]);
    let plans: Vec<Vec<&str>> = controller
        .cluster()
        .install_plans
        .iter()
        .map(|plan| plan.csvs.iter().map(catalog::BundleName::as_str).collect())
        .collect();
    assert_eq!(plans, [vec!["a.v2"], vec!["a.v2", "b.v1"]]);
    // The pending Subscription still references its old plan; approving the new one installs both.
    let plan = |controller: &Controller| controller.cluster().subscriptions[0].status.install_plan.clone();
    assert_eq!(plan(&controller).as_deref(), Some("install-1"));
    controller.act(Action::Approve("install-2".into()));
    controller.settle(500);
    let mut names: Vec<&str> = controller.cluster().csvs.iter().map(|csv| csv.installed.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["a.v2", "b.v1"]);
}

#[test]
fn an_approved_old_plan_leaves_a_csv_without_subscription() {
    let old = "package a\nch: a.v1 <- a.v2\npackage b\nch: b.v1 <- b.v2";
    let new = "package a\nch: a.v1 <- a.v2 <- a.v3 (skipRange <3.0.0)\npackage b\nch: b.v1 <- b.v2";
    let manifests = installed("a", MANUAL, "a.v1");
    let (old, new) = (World::new(old, &manifests), World::new(new, &manifests));
    let mut controller = old.controller();
    assert_eq!(waits(&mut controller), ["install-1"]);
    controller.act(new.update());
    let other = World::new("", &subscription("b", "")).cluster.subscriptions.remove(0);
    controller.act(Action::CreateSubscription(Box::new(other)));
    assert_eq!(waits(&mut controller), ["install-1", "install-2"]);
    // The newer bundle replaced it.
    assert_eq!(controller.cluster().subscriptions[0].current_csv, Some("a.v3".into()));
    controller.act(Action::Approve("install-1".into()));
    let lines = lines(&controller.settle(500).events);
    assert!(lines.contains(&"csv a.v2: created replaces a.v1".to_owned()), "{lines:?}");
    let subscription = &controller.cluster().subscriptions[0];
    assert_eq!(
        (subscription.current_csv.clone(), subscription.status.state.as_str()),
        (Some("a.v3".into()), "UpgradePending")
    );
}

#[test]
fn a_deleted_pending_plan_starts_over() {
    let world = World::new("package a\nch: a.v1", &subscription("a", MANUAL));
    let mut controller = world.controller();
    waits(&mut controller);
    assert_eq!(lines(&controller.act(Action::DeletePlan("install-1".into()))), ["plan install-1: deleted"]);
    let run = controller.settle(200);
    let expected = [
        "sub a: InstallPlanPending removed",
        "sub a: state '' current - installed - plan -",
        "ns: resolved [a.v1]",
        "plan install-2: created 2 Manual [a.v1] []",
    ];
    assert_eq!(lines(&run.events)[..4], expected);
    assert_eq!(run.end, End::WaitsForApproval(vec!["install-2".into()]));
}

#[test]
fn a_plan_from_manifests_can_be_approved() {
    let plan = "---\nkind: InstallPlan\nmetadata: {name: install-x7k2p, namespace: ns}\nspec: {approval: Manual, approved: false, \
                generation: 4, clusterServiceVersionNames: [a.v2]}\nstatus: {phase: RequiresApproval}\n";
    let status = "status: {currentCSV: a.v2, installedCSV: a.v1, state: UpgradePending, installPlanGeneration: 4, installPlanRef: \
                  {name: install-x7k2p}}\n";
    let manifests = subscription("a", MANUAL) + status + &csv("a.v1", "Succeeded", "") + plan;
    let world = World::new("package a\nch: a.v1 <- a.v2", &manifests);
    let mut controller = world.controller();
    assert_eq!(waits(&mut controller), ["install-x7k2p"]);
    controller.act(Action::Approve("install-x7k2p".into()));
    let run = controller.settle(200);
    assert!(lines(&run.events).contains(&"csv a.v2: created replaces a.v1".to_owned()));
    assert_eq!(run.end, End::Settled);
}
