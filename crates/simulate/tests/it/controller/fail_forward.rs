//! The upgrade strategy `TechPreviewUnsafeFailForward`.

use super::world::{World, csv, installed, lines, subscription};
use simulate::{Action, End, EventKind, FailureReason};

fn world(text: &str, manifests: &str) -> World {
    let mut world = World::new(text, manifests);
    fail_forward(&mut world, true);
    world
}

fn fail_forward(world: &mut World, is_on: bool) {
    let groups = std::sync::Arc::make_mut(&mut world.cluster.operator_groups);
    groups.values_mut().flatten().for_each(|group| group.fail_forward = is_on);
}

#[test]
fn resolution_fails_for_a_while_in_an_ordinary_update() {
    let world = world("package a\nch: a.v1 <- a.v2", &installed("a", "", "a.v1"));
    let run = world.controller().settle(200);
    let failures: Vec<(FailureReason, &str, bool)> = run
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::ResolutionFailed { reason, message, transient } => Some((*reason, message.as_str(), *transient)),
            _ => None,
        })
        .collect();
    let expected = "error using catalogsource ns/@existing: csv ns/a.v1 in phase Succeeded instead of Replacing";
    assert_eq!(failures, [(FailureReason::ErrorPreventedResolution, expected, true)]);
    assert_eq!(run.end, End::Settled);
}

#[test]
fn a_newer_version_replaces_a_failed_one() {
    let manifests = installed("a", "", "a.v1");
    let world = world("package a\nch: a.v1 <- a.v2", &manifests);
    let mut controller = world.controller();
    controller.act(Action::CsvFails("a.v2".into()));
    // There is nothing newer: the failed CSV stays and is not tried again.
    assert!(matches!(controller.settle(300).end, End::Blocked(_)));
    let newer = World::new("package a\nch: a.v1 <- a.v2 <- a.v3", &manifests);
    controller.act(newer.update());
    let run = controller.settle(300);
    let lines = lines(&run.events);
    for line in [
        "ns: resolved [a.v3]",
        "csv a.v2: Failed->Replacing",
        "csv a.v1: deleted for a.v2",
        "csv a.v2: deleted for a.v3",
    ] {
        assert!(lines.contains(&line.to_owned()), "{line} is not in {lines:#?}");
    }
    assert_eq!(run.end, End::Settled);
}

#[test]
fn a_failed_plan_is_resolved_again() {
    let text = "package a\nch: a.v1 <- a.v2";
    for (forward, state) in [(false, "UpgradePending"), (true, "UpgradeFailed")] {
        let mut world = World::new(text, &installed("a", "", "a.v1"));
        fail_forward(&mut world, forward);
        let mut controller = world.controller();
        while controller.cluster().install_plans.is_empty() {
            assert!(!controller.advance().is_empty());
        }
        controller.act(Action::FailPlan("install-1".into()));
        let run = controller.settle(200);
        assert!(matches!(run.end, End::Blocked(_)), "{:?}", run.end);
        let status = &controller.cluster().subscriptions[0].status;
        assert_eq!(status.state.as_str(), state);
        // A newer version is found only if the state allows a resolution.
        let newer = World::new("package a\nch: a.v1 <- a.v2 <- a.v3 (skipRange <3.0.0)", "");
        controller.act(newer.update());
        let found = lines(&controller.settle(300).events).contains(&"ns: resolved [a.v3]".to_owned());
        assert_eq!(found, forward);
    }
}

#[test]
fn a_chain_with_a_failed_csv_in_the_middle_is_an_error() {
    let manifests = subscription("a", "")
        + "status: {currentCSV: a.v2, installedCSV: a.v2, state: AtLatestKnown}\n"
        + &csv("a.v1", "Failed", "")
        + &csv("a.v2", "Failed", "a.v1");
    let world = world("package a\nch: a.v1 <- a.v2 <- a.v3", &manifests);
    let run = world.controller().settle(300);
    // The old CSV is deleted at last, and the next update follows.
    assert_eq!(lines(&run.events)[0], "ns: failed ErrorPreventedResolution, passes");
    assert!(lines(&run.events).contains(&"ns: resolved [a.v3]".to_owned()));
}
