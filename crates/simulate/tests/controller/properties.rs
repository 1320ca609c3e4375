//! Compares events with the timeline and the update graph, over random small catalogs.

use std::collections::BTreeSet;

use crate::world::{World, catalog, installed, package, subscription};
use proptest::prelude::*;
use simulate::{EventKind, Object, timeline};

/// A channel of `a.v0 … a.vN` in which each entry replaces the one below it and may skip more by range, and the version to
/// start at.
fn channel() -> impl Strategy<Value = (Vec<String>, usize)> {
    proptest::collection::vec((0usize..4, any::<bool>()), 1..6).prop_flat_map(|entries| {
        let count = entries.len();
        let entries = entries.into_iter().enumerate().map(|(at, (back, ranged))| {
            let replaces = if at > 0 { format!(">a.v{}", at - 1) } else { String::new() };
            let range = format!("~>={}.0.0 <{at}.0.0", at.saturating_sub(back));
            format!("a.v{at}{replaces}{}", if ranged && at > 0 { range } else { String::new() })
        });
        (Just(entries.collect()), 0..count)
    })
}

/// The bundles of each plan, from the controller and from the timeline.
fn both(world: &World) -> (Vec<String>, Vec<String>) {
    let steps = timeline(&world.cluster, "ns", &world.snapshots, 12).steps;
    let steps = steps.iter().filter(|step| step.install_plan_created).map(|step| {
        let names: Vec<&str> = step.selected.iter().map(|bundle| bundle.name.as_str()).collect();
        names.join(" ")
    });
    (world.plans(), steps.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_controllers_go_where_the_timeline_goes((entries, start) in channel(), fresh: bool) {
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let text = package("a", "ch", &entries);
        let manifests = match fresh {
            true => subscription("a", &format!(", startingCSV: a.v{start}")),
            false => installed("a", "", &format!("a.v{start}")),
        };
        let (controllers, steps) = both(&World::new(&text, &manifests));
        prop_assert_eq!(controllers, steps);
    }

    #[test]
    fn every_hop_is_an_edge_of_the_update_graph((entries, start) in channel()) {
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let text = package("a", "ch", &entries);
        let world = World::new(&text, &installed("a", "", &format!("a.v{start}")));
        let run = world.controller().settle(2000);
        let catalog = catalog(&text);
        let package = catalog.package("a").expect("it was written");
        let channel = package.channel("ch").expect("it was written");
        let mut created = BTreeSet::new();
        for event in &run.events {
            let (Object::Csv(name), EventKind::CsvCreated { replaces: Some(old) }) = (&event.object, &event.kind) else { continue };
            let to = channel.entry(name.as_str()).expect("only entries are installed");
            let version = package.bundle(old.as_str()).and_then(|bundle| bundle.version());
            prop_assert!(update_graph::hop(to, old, version).is_some(), "{} to {}", old, name);
            created.insert(name.clone());
        }
        // The head is reached unless it was installed at first.
        prop_assert_eq!(created.is_empty(), start + 1 == entries.len());
    }
}
