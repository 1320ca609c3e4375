//! Both states of a package in one.

use crate::catalog;
use compare::{Presence, Union};
use std::collections::BTreeSet;
use update_graph::Via;

#[test]
fn a_union_knows_what_each_state_has() {
    let old = catalog("stable: 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0\nfast: 1.0.0");
    let new = catalog("stable: 1.3.0 (replaces 1.2.0), 1.2.0 (replaces 1.0.0), 1.0.0");
    let union = Union::of(&old.packages[0], &new.packages[0]);
    let names = |channel: &str| -> Vec<&str> {
        let found = union.package.channel(channel).expect("both states have it, or one of them");
        found.entries.iter().map(|entry| entry.name.value.as_str()).collect()
    };
    assert_eq!(names("stable"), ["p.v1.3.0", "p.v1.2.0", "p.v1.0.0", "p.v1.1.0"]);
    assert_eq!(union.entry("stable", "p.v1.3.0"), Presence::After);
    assert_eq!(union.entry("stable", "p.v1.1.0"), Presence::Before);
    assert_eq!(union.entry("stable", "p.v1.0.0"), Presence::Both);
    assert_eq!(union.channel("fast"), Presence::Before);
    let edge = |older: &str, newer: &str, via| union.edge("stable", (older, newer), via);
    assert_eq!(edge("p.v1.0.0", "p.v1.2.0", Via::Replaces), (Presence::After, Via::Replaces));
    // In the union it is a skip, because the entry replaces another one now.
    assert_eq!(edge("p.v1.1.0", "p.v1.2.0", Via::Skips), (Presence::Before, Via::Replaces));
    assert_eq!(edge("p.v1.0.0", "p.v1.1.0", Via::Replaces), (Presence::Before, Via::Replaces));
}

#[test]
fn in_mermaid_a_channel_has_an_id_of_its_own() {
    let (old, new) = (catalog("n0: 1.0.0"), catalog("n0: 1.1.0 (replaces 1.0.0), 1.0.0"));
    let expected = "  subgraph c0[\"n0\"]
    n0[\"p.v1.0.0\"]
    n1[\"p.v1.1.0\"]:::added
    n0 ==>|added| n1
  end
";
    let drawing = compare::mermaid(&old.packages[0], &new.packages[0], &BTreeSet::new()).unwrap();
    assert!(drawing.ends_with(expected), "{drawing}");
}
