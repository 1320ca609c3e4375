//! Compares events with the timeline and the update graph, over random small catalogs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::world::{World, catalog, csv, installed, subscription};
use ::catalog::BundleName;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use simulate::{Action, End, EventKind, Object, timeline};

/// A channel of `a.v0 … a.vN` in which each entry replaces the one below it and may skip more by range, and the version to
/// start at.
fn channel() -> impl Strategy<Value = (Vec<String>, usize)> {
    proptest::collection::vec((0usize..4, any::<bool>()), 1..6).prop_flat_map(|entries| {
        let count = entries.len();
        let entries = entries.into_iter().enumerate().map(|(at, (back, ranged))| {
            let range = format!(" (skipRange >={}.0.0 <{at}.0.0)", at.saturating_sub(back));
            format!("a.v{at}{}", if ranged && at > 0 { range } else { String::new() })
        });
        (Just(entries.collect()), 0..count)
    })
}

/// The bundles of each plan, from the controller and from the timeline.
fn both(world: &World) -> (Vec<String>, Vec<String>) {
    let steps = timeline(&world.cluster, "ns", &world.snapshots, &simulate::no_modes, 12).steps;
    let steps = steps.iter().filter(|step| step.install_plan_created).map(|step| {
        let names: Vec<&str> = step.selected.iter().map(|bundle| bundle.name.as_str()).collect();
        names.join(" ")
    });
    (world.plans(), steps.collect())
}

/// The packages of random clusters.
const PACKAGES: [&str; 3] = ["a", "b", "c"];

/// What a cluster has of a package.
#[derive(Clone, Copy, Debug)]
enum Presence {
    Absent,
    /// A Subscription without a CSV.
    New,
    /// A Subscription with its CSV.
    Installed(usize),
    /// A Subscription whose CSV was deleted.
    Deleted(usize),
    /// A CSV without a Subscription.
    Unowned(usize),
}

impl Presence {
    fn manifests(self, package: &str) -> String {
        match self {
            Self::Absent => String::new(),
            Self::New => subscription(package, ""),
            Self::Installed(version) => installed(package, "", &format!("{package}.v{version}")),
            Self::Deleted(version) => {
                let name = format!("{package}.v{version}");
                let status = format!("status: {{currentCSV: {name}, installedCSV: {name}, state: AtLatestKnown}}\n");
                subscription(package, "") + &status
            }
            Self::Unowned(version) => csv(&format!("{package}.v{version}"), "Succeeded", ""),
        }
    }
}

/// A chain of each package, whose entries may require the API of another package, and what a cluster has of each.
fn cluster() -> impl Strategy<Value = (String, String)> {
    let package = |at: usize| {
        let entries = proptest::collection::vec((any::<bool>(), 0usize..4), 1..4);
        let presence = (0usize..5, 0usize..3);
        (entries, presence).prop_map(move |(entries, (presence, version))| {
            let name = PACKAGES[at];
            let version = version % entries.len();
            let entries = entries.into_iter().enumerate().map(|(number, (ranged, needs))| {
                let range = if ranged { format!("; skipRange <{number}.0.0") } else { String::new() };
                // Each package requires only later ones.
                let needs = PACKAGES.get(needs).filter(|_| needs > at).map(|api| format!("; requires g/v1/{api}"));
                format!("{name}.v{number} (provides g/v1/{name}{range}{})", needs.unwrap_or_default())
            });
            let entries: Vec<String> = entries.collect();
            let presence = match presence {
                0 => Presence::Absent,
                1 => Presence::New,
                2 => Presence::Installed(version),
                3 => Presence::Deleted(version),
                _ => Presence::Unowned(version),
            };
            (format!("package {name}\nch: {}\n", entries.join(" <- ")), presence.manifests(name))
        })
    };
    let packages: Vec<_> = (0..PACKAGES.len()).map(package).collect();
    packages.prop_map(|packages| packages.into_iter().unzip())
}

/// What each Subscription has after the last step, and after the last event if every plan is approved.
fn ends(world: &World) -> (BTreeMap<Arc<str>, BundleName>, BTreeMap<Arc<str>, BundleName>) {
    let timeline = timeline(&world.cluster, "ns", &world.snapshots, &simulate::no_modes, 12);
    let steps = timeline.steps.last().map(|step| step.installed.clone()).unwrap_or_default();
    let mut controller = world.controller();
    while let End::WaitsForApproval(plans) = controller.settle(3000).end {
        for plan in plans {
            controller.act(Action::Approve(plan));
        }
    }
    (steps, controller.cluster().installed_csvs("ns"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_controllers_go_where_the_timeline_goes((entries, start) in channel(), fresh: bool) {
        let text = format!("package a\nch: {}", entries.join(" <- "));
        let manifests = match fresh {
            true => subscription("a", &format!(", startingCSV: a.v{start}")),
            false => installed("a", "", &format!("a.v{start}")),
        };
        let (controllers, steps) = both(&World::new(&text, &manifests));
        prop_assert_eq!(controllers, steps);
    }

    #[test]
    fn steps_and_events_end_with_the_same_csvs((text, manifests) in cluster()) {
        let world = World::new(&text, &manifests);
        let (steps, events) = ends(&world);
        prop_assert_eq!(steps, events);
    }

    #[test]
    fn every_hop_is_an_edge_of_the_update_graph((entries, start) in channel()) {
        let text = format!("package a\nch: {}", entries.join(" <- "));
        let world = World::new(&text, &installed("a", "", &format!("a.v{start}")));
        let run = world.controller().settle(2000);
        let catalog = catalog(&fixture::yaml(&text));
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

/// The properties say little if the generated clusters are all alike.
#[test]
fn random_clusters_are_of_all_kinds() {
    let mut runner = TestRunner::deterministic();
    let (mut updates, mut reinstalls, mut failures, mut losses) = (0, 0, 0, 0);
    for _ in 0..500 {
        let (text, manifests) = cluster().new_tree(&mut runner).expect("a cluster").current();
        let world = World::new(&text, &manifests);
        let timeline = timeline(&world.cluster, "ns", &world.snapshots, &simulate::no_modes, 12);
        let before = world.cluster.installed_csvs("ns");
        let last = timeline.steps.last().expect("a step");
        let is_updated = |name: &Arc<str>| {
            timeline.steps.iter().flat_map(|step| &step.updated_subscriptions).any(|update| update.name == *name)
        };
        updates += u32::from(timeline.steps.iter().any(|step| step.install_plan_created));
        reinstalls += u32::from(last.installed.keys().any(|name| !before.contains_key(name) && !is_updated(name)));
        failures += u32::from(last.error.is_some());
        losses += u32::from(world.cluster.subscriptions.iter().any(|one| !last.installed.contains_key(&one.spec.name)));
    }
    let counts = [updates, reinstalls, failures, losses];
    assert!(counts.iter().zip([200, 40, 10, 40]).all(|(count, least)| *count >= least), "{counts:?}");
}
