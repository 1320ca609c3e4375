//! Hop by hop.

use crate::world::{World, installed, lines, package};
use simulate::End;

#[test]
fn a_hop_fails_in_between_as_long_as_the_old_csv_exists() {
    let catalog = package("a", "ch", &["a.v1", "a.v2>a.v1", "a.v3>a.v2"]);
    let world = World::new(&catalog, &installed("a", "", "a.v1"));
    let run = world.controller().settle(200);
    let lines = lines(&run.events);
    let hop = lines
        .iter()
        .skip_while(|line| *line != "ns: resolved [a.v2]")
        .take_while(|line| *line != "ns: resolved [a.v3]");
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
