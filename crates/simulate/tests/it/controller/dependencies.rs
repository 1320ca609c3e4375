//! Operators that depend on each other, over several updates.

use super::world::{World, installed, lines, subscription};
use simulate::{End, EventKind, FailureReason};

#[test]
fn two_updates_in_one_resolution_never_happen() {
    let text = "package a\nch: a.v1 <- a.v2 <- a.v3 (provides g/v1/K)\npackage b\nch: b.v1 (requires g/v1/K)";
    let world = World::new(text, &(installed("a", "", "a.v1") + &subscription("b", "")));
    let run = world.controller().settle(200);
    assert!(matches!(run.end, End::Blocked(_)));
    let failed = run.events.iter().find_map(|event| match &event.kind {
        EventKind::ResolutionFailed { reason, transient, .. } => Some((*reason, *transient)),
        _ => None,
    });
    assert_eq!(failed, Some((FailureReason::ConstraintsNotSatisfiable, false)));
    // Without the new Subscription the installed operator makes both updates.
    assert_eq!(World::new(text, &installed("a", "", "a.v1")).plans(), ["a.v2", "a.v3"]);
}

#[test]
fn updates_that_depend_on_each_other_happen_together() {
    let text = "package a\nch: a.v1 (provides g/v1/K) <- a.v2 (provides g/v1/L)\npackage b\nch: b.v1 (requires g/v1/K) <- b.v2 (requires g/v1/L)";
    let world =
        World::new(text, &(subscription("a", ", startingCSV: a.v1") + &subscription("b", ", startingCSV: b.v1")));
    assert_eq!(world.plans(), ["a.v1 b.v1", "a.v2 b.v2"]);
}

#[test]
fn another_outcome_can_be_simulated() {
    let text = "package a\nch: a.v1 <- a.v2 (provides g/v1/K)\npackage b\nch: b.v1 <- b.v2 (provides g/v1/K)";
    let world = World::new(text, &(installed("a", "", "a.v1") + &installed("b", "", "b.v1")));
    let first = |outcome| {
        let lines = lines(&world.controller().with_outcome(outcome).settle(300).events);
        lines.into_iter().find(|line| line.starts_with("ns: resolved"))
    };
    assert_eq!(first(0).as_deref(), Some("ns: resolved [a.v2]"));
    assert_eq!(first(1).as_deref(), Some("ns: resolved [b.v2]"));
    // An index beyond the last outcome means the first.
    assert_eq!(first(7), first(0));
}
