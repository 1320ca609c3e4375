//! Sequences of updates.

use super::world::{World, blocking_csvs, csv, installed, lines, subscription};
use simulate::{Action, Blocker, End, FailureReason, timelines};

const CHAIN: &str = "package a\nch: a.v1 <- a.v2 <- a.v3";

#[test]
fn resolution_fails_during_an_update_while_the_old_csv_exists() {
    let world = World::new(CHAIN, &installed("a", "", "a.v1"));
    let run = world.controller().settle(200);
    let lines = lines(&run.events);
    let hop = lines.iter().skip_while(|line| *line != "ns: resolved [a.v2]");
    let hop = hop.take_while(|line| *line != "ns: resolved [a.v3]");
    let expected = [
        "ns: resolved [a.v2]",
        "plan install-1: created 1 Automatic [a.v2] []",
        "sub a: state 'UpgradePending' current a.v2 installed a.v1 plan install-1",
        "sub a: InstallPlanPending=True Installing",
        "ns: AllPending",
        "csv a.v2: created replaces a.v1",
        "plan install-1: Installing->Complete",
        "sub a: InstallPlanPending removed",
        "sub a: state 'AtLatestKnown' current a.v2 installed a.v2 plan install-1",
        "ns: failed ConstraintsNotSatisfiable, passes",
        "sub a: ResolutionFailed=True ConstraintsNotSatisfiable",
        "csv a.v1: Succeeded->Replacing",
        "csv a.v2: ->Pending",
        "csv a.v2: Pending->InstallReady",
        "csv a.v2: InstallReady->Installing",
        "csv a.v2: Installing->Succeeded",
        "csv a.v1: Replacing->Deleting",
        "csv a.v1: deleted for a.v2",
    ];
    assert_eq!(hop.collect::<Vec<_>>(), expected);
    assert_eq!(lines[lines.len() - 2..], ["ns: resolved [] no plan", "sub a: ResolutionFailed removed"]);
    assert_eq!(run.end, End::Settled);
}

#[test]
fn a_new_csv_that_does_not_succeed_blocks_the_namespace() {
    let world = World::new(CHAIN, &installed("a", "", "a.v1"));
    let mut controller = world.controller().holding_csvs();
    let run = controller.settle(200);
    let End::Blocked(blockers) = &run.end else { panic!("{:?}", run.end) };
    assert!(matches!(
        &blockers[0],
        Blocker::Resolution { reason: FailureReason::ConstraintsNotSatisfiable, message }
            if message.contains("clusterserviceversion a.v1 exists and is not referenced by a subscription")
    ));
    assert_eq!(blocking_csvs(&blockers[1..]), ["a.v1 Replacing", "a.v2 Installing"]);
    // A failed version is not skipped either.
    let mut failing = controller.clone();
    failing.act(Action::CsvFails("a.v2".into()));
    let run = failing.settle(200);
    assert_eq!(lines(&run.events), ["csv a.v2: Installing->Failed"]);
    assert!(matches!(run.end, End::Blocked(_)));
    // It continues where it stopped.
    controller.act(Action::CsvSucceeds("a.v2".into()));
    let lines = lines(&controller.settle(200).events);
    assert!(lines.contains(&"ns: resolved [a.v3]".to_owned()), "{lines:?}");
}

#[test]
fn a_failed_csv_can_succeed_later() {
    let world = World::new("package a\nch: a.v1 <- a.v2", &installed("a", "", "a.v1"));
    let mut controller = world.controller();
    controller.act(Action::CsvFails("a.v2".into()));
    assert!(matches!(controller.settle(200).end, End::Blocked(_)));
    controller.act(Action::CsvSucceeds("a.v2".into()));
    let run = controller.settle(200);
    assert_eq!(lines(&run.events)[..2], ["csv a.v2: Failed->Pending", "csv a.v2: Pending->InstallReady"]);
    assert_eq!(run.end, End::Settled);
}

#[test]
fn an_old_csv_that_does_not_run_is_never_replaced() {
    let manifests = subscription("a", "")
        + "status: {currentCSV: a.v1, installedCSV: a.v1, state: AtLatestKnown}\n"
        + &csv("a.v1", "Failed", "");
    let world = World::new(CHAIN, &manifests);
    let mut controller = world.controller();
    let run = controller.settle(200);
    let End::Blocked(blockers) = run.end else { panic!("{:?}", run.end) };
    assert_eq!(blocking_csvs(&blockers[1..]), ["a.v1 Failed", "a.v2 Pending"]);
    // The Subscription nevertheless names the new one as installed.
    let subscription = &controller.cluster().subscriptions[0];
    assert_eq!(subscription.status.state.as_str(), "AtLatestKnown");
    assert_eq!(subscription.spec.installed_csv, Some("a.v2".into()));
}

#[test]
fn nothing_to_do_gives_only_a_state_event() {
    let world = World::new(CHAIN, &installed("a", "", "a.v3"));
    let run = world.controller().settle(200);
    assert_eq!((lines(&run.events), run.end), (Vec::new(), End::Settled));
}

#[test]
fn starting_csv_does_not_pin() {
    let world = World::new(CHAIN, &subscription("a", ", startingCSV: a.v1"));
    assert_eq!(world.plans(), ["a.v1", "a.v2", "a.v3"]);
}

#[test]
fn a_channel_without_an_edge_from_the_installed_csv_is_at_its_latest() {
    let world = World::new(&format!("{CHAIN}\nother: a.v9"), &installed("a", "", "a.v3"));
    let mut controller = world.controller();
    controller.settle(200);
    let events = controller.act(Action::ChangeChannel { subscription: "a".into(), channel: Some("other".into()) });
    assert_eq!(lines(&events), ["sub a: Changed"]);
    let run = controller.settle(200);
    assert_eq!((lines(&run.events), run.end), (Vec::new(), End::Settled));
}

#[test]
fn two_csvs_that_replace_each_other_are_never_deleted() {
    // Two entries with an update to each other: the timeline of resolutions alone is a cycle.
    let world = World::new("package a\nch: a.v1 (skipRange <=2.0.0) <- a.v2", &installed("a", "", "a.v1"));
    let End::Blocked(blockers) = world.controller().settle(500).end else { panic!("it goes on") };
    assert_eq!(blocking_csvs(&blockers[1..]), ["a.v1 Replacing", "a.v2 Replacing"]);
    let found = timelines(&world.cluster, "ns", &world.snapshots, &simulate::no_modes, 12, 8);
    // An installed CSV has fewer properties than a CSV that a plan created from the same bundle.
    let [only] = &found.timelines[..] else { panic!("nothing is left to chance") };
    assert_eq!((only.steps.len(), only.cycle_start, found.bounded), (3, Some(1), false));
    let rounds: Vec<String> = only.cycling_csvs().into_iter().map(|(name, csvs)| format!("{name} {csvs:?}")).collect();
    assert_eq!(rounds, [r#"a [BundleName("a.v1"), BundleName("a.v2")]"#]);
    assert_eq!(only.unrolled(12).count(), 12);
}

#[test]
fn a_run_ends_at_its_limit() {
    let world = World::new(CHAIN, &installed("a", "", "a.v1"));
    let mut controller = world.controller();
    let first = controller.settle(10);
    assert_eq!(first.end, End::Bounded);
    let rest = controller.settle(200);
    let whole = world.controller().settle(200);
    assert_eq!([first.events, rest.events].concat(), whole.events);
    assert_eq!((rest.end, whole.end), (End::Settled, End::Settled));
}

#[test]
fn an_earlier_value_of_the_controller_is_unchanged() {
    let world = World::new(CHAIN, &installed("a", "", "a.v1"));
    let mut controller = world.controller();
    let mut past = vec![controller.clone()];
    let mut events = Vec::new();
    loop {
        let more = controller.advance();
        if more.is_empty() {
            break;
        }
        events.push(more);
        past.push(controller.clone());
    }
    for (at, mut back) in past.into_iter().enumerate().take(events.len()) {
        assert_eq!(back.advance(), events[at]);
    }
}

#[test]
fn an_old_csv_of_unknown_package_does_not_block_the_next_update() {
    let bare = "---\nkind: ClusterServiceVersion\nmetadata: {name: a.v1, namespace: ns}\nspec: {version: 1.0.0}\nstatus: {phase: \
                Succeeded}\n";
    let manifests =
        subscription("a", "") + "status: {currentCSV: a.v1, installedCSV: a.v1, state: AtLatestKnown}\n" + bare;
    let world = World::new(CHAIN, &manifests);
    let lines = lines(&world.controller().settle(200).events);
    let at = |wanted: &str| lines.iter().position(|line| line == wanted);
    assert!(at("ns: resolved [a.v3]") < at("csv a.v1: Succeeded->Replacing"), "{lines:#?}");
}

#[test]
fn two_csvs_that_replace_each_other_come_to_an_end() {
    let both = installed("a", "", "a.v1").replace("replaces: ''", "replaces: a.v2") + &csv("a.v2", "Succeeded", "a.v1");
    let run = World::new("package a\nch: a.v1 <- a.v2", &both).controller().settle(400);
    assert!(run.end != End::Bounded, "{:?}", lines(&run.events));
}
