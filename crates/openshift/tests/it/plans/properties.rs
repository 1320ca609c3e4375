//! Plans of small random sets against a search whose every step is one of the simulator.

use crate::plans::scene::{Scene, key, shown};
use cluster::Cluster;
use openshift::plans::Served;
use proptest::prelude::*;
use resolver::Snapshot;
use simulate::{Snapshots, no_modes, step};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the reference search tells states apart by: the version, whether the namespace did not resolve on arrival, and channel and
/// CSV of each Subscription.
type Key = (usize, bool, Vec<(String, String)>);
/// Levels missed, frozen versions, manual steps.
type Cost = (u32, u32, u32);

struct Reference<'s> {
    scene: &'s Scene,
    snapshots: Vec<Snapshots>,
}

impl<'s> Reference<'s> {
    fn new(scene: &'s Scene) -> Self {
        let snapshot = |served: &dyn Served| {
            let snapshot = Snapshot { key: key(), priority: 0, listing: served.listing() };
            Snapshots::from([(key(), Arc::new(snapshot))])
        };
        let snapshots = scene.members.values().map(|member| snapshot(member)).collect();
        Self { scene, snapshots }
    }

    /// All that happens by itself. Returns whether the namespace resolves.
    fn settle(&self, cluster: &mut Cluster, at: usize) -> bool {
        for _ in 0..20 {
            let (step, next) = step(cluster, "operators", &self.snapshots[at], &no_modes);
            *cluster = next;
            if step.error.is_some() || !step.install_plan_created {
                return step.error.is_none();
            }
        }
        true
    }

    fn key(cluster: &Cluster, at: usize, came_frozen: bool) -> Key {
        let one = |one: &cluster::Subscription| {
            let installed = cluster.installed(one).name().map(ToString::to_string).unwrap_or_default();
            (one.spec.channel.as_ref().map(ToString::to_string).unwrap_or_default(), installed)
        };
        (at, came_frozen, cluster.subscriptions.iter().map(one).collect())
    }

    fn missed(&self, cluster: &Cluster, at: usize, resolves: bool) -> u32 {
        let catalog = self.scene.members.values().nth(at).expect("a version of the way").state().catalog;
        let lists = |one: &cluster::Subscription| {
            let channel = catalog.package(one.spec.package.as_str())?.channel(one.spec.channel.as_ref()?.as_str())?;
            channel.entry(cluster.installed(one).name()?.as_str())
        };
        let missed = |one| match (resolves, lists(one)) {
            (false, _) => 2,
            (true, None) => 1,
            (true, Some(_)) => 0,
        };
        cluster.subscriptions.iter().map(missed).sum()
    }

    /// The least cost of all courses.
    fn least(&self) -> Cost {
        let last = self.scene.members.len() - 1;
        let mut start = self.scene.cluster.clone();
        self.settle(&mut start, 0);
        let mut open: BTreeMap<(Cost, Key), Cluster> = BTreeMap::new();
        open.insert(((0, 0, 0), Self::key(&start, 0, false)), start);
        let mut done: BTreeSet<Key> = BTreeSet::new();
        let mut best: Option<Cost> = None;
        while let Some((((_, frozen, manual), key), cluster)) = open.pop_first() {
            if !done.insert(key.clone()) {
                continue;
            }
            let (at, came_frozen, _) = key;
            let resolves = step(&cluster, "operators", &self.snapshots[at], &no_modes).0.error.is_none();
            let frozen_here = frozen + u32::from(came_frozen || !resolves);
            if at == last {
                let end = (self.missed(&cluster, at, resolves), frozen_here, manual);
                best = Some(best.map_or(end, |best| best.min(end)));
            } else {
                let mut next = cluster.clone();
                let came = step(&next, "operators", &self.snapshots[at + 1], &no_modes).0.error.is_some();
                self.settle(&mut next, at + 1);
                open.insert(((0, frozen_here, manual), Self::key(&next, at + 1, came)), next);
            }
            let catalog = self.scene.members.values().nth(at).expect("a version of the way").state().catalog;
            for index in 0..cluster.subscriptions.len() {
                let Some(package) = catalog.package(cluster.subscriptions[index].spec.package.as_str()) else {
                    continue;
                };
                for channel in &package.channels {
                    let mut next = cluster.clone();
                    next.subscriptions[index].spec.channel = Some(channel.name.value.clone());
                    self.settle(&mut next, at);
                    open.insert(((0, frozen, manual + 1), Self::key(&next, at, came_frozen)), next);
                }
            }
        }
        best.expect("no gate is closed")
    }
}

/// A channel: entries one above the other, of which some are left out; the lowest may replace one that is no entry.
fn channel(name: &'static str) -> impl Strategy<Value = Option<String>> {
    (proptest::collection::vec(any::<bool>(), 5), any::<bool>(), 0..6_u32).prop_map(move |(listed, dangling, skip)| {
        let versions: Vec<usize> = (1..=5).filter(|version| listed[version - 1]).collect();
        let lowest = *versions.first()?;
        let head = versions[versions.len() - 1];
        let entry = |version: &usize| {
            let mut clauses = Vec::new();
            if *version == lowest && dangling && lowest > 1 {
                clauses.push(format!("replaces {}.0.0", lowest - 1));
            }
            if *version == head && skip > 0 && (skip as usize) < head {
                clauses.push(format!("skips {skip}.0.0"));
            }
            let clauses = if clauses.is_empty() { String::new() } else { format!(" ({})", clauses.join("; ")) };
            format!("{version}.0.0{clauses}")
        };
        Some(format!("{name}: {}", versions.iter().map(entry).collect::<Vec<_>>().join(" <- ")))
    })
}

/// A package with two channels; absent if both are.
fn package(name: &'static str) -> impl Strategy<Value = Option<String>> {
    (channel("a"), channel("b")).prop_map(move |channels| {
        let (a, b) = channels;
        let channels: Vec<String> = [a, b].into_iter().flatten().collect();
        let default = channels.first()?.split(':').next().unwrap_or_default().to_owned();
        Some(format!("package {name}, default {default}\n{}", channels.join("\n")))
    })
}

const EMPTY: &str = "package other, default c\nc: 1.0.0";

fn set(packages: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    let member = move || {
        let packages: Vec<_> = packages.iter().map(|name| package(name).boxed()).collect();
        packages.prop_map(|found| {
            let found: Vec<String> = found.into_iter().flatten().collect();
            format!("{EMPTY}\n{}", found.join("\n"))
        })
    };
    proptest::collection::vec(member(), 2..4)
}

fn scene(members: &[String], subscriptions: &[(&str, usize)]) -> Scene {
    let names = ["4.18", "4.19", "4.20"];
    let members: Vec<(&str, &str)> = names.into_iter().zip(members.iter().map(String::as_str)).collect();
    let scene = Scene::new(&members);
    subscriptions
        .iter()
        .fold(scene, |scene, (package, installed)| scene.subscribe(&format!("{package}/a@{installed}.0.0")))
}

fn check(scene: &Scene) {
    let found = scene.plans();
    let costs: Vec<_> = found.plans.iter().map(|plan| plan.cost.expect("no gate is closed")).collect();
    let sum = (costs.iter().map(|cost| cost.missed).sum(), costs[0].frozen, costs.iter().map(|cost| cost.manual).sum());
    let texts: Vec<String> = found.plans.iter().map(shown).collect();
    assert_eq!(sum, Reference::new(scene).least(), "{texts:?}");
    for plan in &found.plans {
        assert_eq!(plan.reason.is_some(), plan.cost.expect("no gate is closed").missed > 0, "{texts:?}");
    }
    assert_eq!(scene.plans(), found);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn no_course_of_the_simulator_is_cheaper(members in set(&["p"]), installed in 1..6_usize) {
        check(&scene(&members, &[("p", installed)]));
    }

    #[test]
    fn nor_with_two_subscriptions(members in set(&["p", "q"]), installed in (1..6_usize, 1..6_usize)) {
        check(&scene(&members, &[("p", installed.0), ("q", installed.1)]));
    }
}
