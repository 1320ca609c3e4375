//! What becomes of the Subscriptions of a cluster.

use crate::lowered;
use catalog::Catalog;
use cluster::{CatalogKey, Cluster};
use compare::{Cause, ClusterCatalogs, ClusterComparison, Level, Rule, compare_cluster};
use source::FileId;
use std::collections::BTreeSet;

/// A catalog in the notation of `fixture`.
fn packages(notation: &str) -> Catalog {
    lowered(&fixture::yaml(notation))
}

/// A cluster with a catalog `c`. A line is `namespace package/channel version`; without a version nothing is installed, and
/// a `!` in front means approval `Manual`.
fn cluster(lines: &str) -> Cluster {
    let mut text = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n".to_owned();
    for line in lines.lines() {
        let words: Vec<&str> = line.trim_start_matches('!').split(' ').collect();
        let (package, channel) = words[1].split_once('/').expect("a line has a channel");
        let approval = if line.starts_with('!') { "Manual" } else { "Automatic" };
        let installed = words.get(2).map(|version| format!("{package}.v{version}")).unwrap_or_default();
        text += &format!(
            "---\nkind: Subscription\nmetadata: {{name: {package}, namespace: {}}}\nspec: {{name: {package}, channel: {channel}, source: c, sourceNamespace: olm, installPlanApproval: {approval}}}\nstatus: {{installedCSV: {installed:?}, currentCSV: {installed:?}}}\n",
            words[0]
        );
        if let Some(version) = words.get(2) {
            text += &format!(
                "---\nkind: ClusterServiceVersion\nmetadata:\n  name: {installed}\n  namespace: {}\n  annotations:\n    operatorframework.io/properties: '{{\"properties\":[{{\"type\":\"olm.package\",\"value\":{{\"packageName\":\"{package}\",\"version\":\"{version}\"}}}}]}}'\nspec: {{version: {version}}}\n",
                words[0]
            );
        }
    }
    let manifests = cluster::read(FileId(0), &text);
    assert_eq!(manifests.diagnostics, []);
    manifests.cluster
}

fn compared(cluster: &Cluster, old: &str, new: &str) -> ClusterComparison {
    let (old, new) = (packages(old), packages(new));
    let (old, new) = (simulate::snapshots(cluster, |_| Some(&old)), simulate::snapshots(cluster, |_| Some(&new)));
    let not_served = BTreeSet::new();
    let catalogs = |snapshots| ClusterCatalogs { snapshots, not_served: &not_served, modes: &simulate::no_modes };
    compare_cluster(cluster, catalogs(&old), catalogs(&new))
}

/// Lines `namespace/name difference: old end -> new end`, with the dependencies that only one state installs.
fn lines(comparison: &ClusterComparison) -> Vec<String> {
    let end = |found: &compare::SimulatedPath, csv: Option<&catalog::BundleName>| match &found.path {
        _ if found.gave_up.is_some() => "unknown".to_owned(),
        path if path.error.is_some() => "failed".to_owned(),
        path if path.repeats => "circle".to_owned(),
        _ => csv.map_or_else(|| "nothing".to_owned(), ToString::to_string),
    };
    let rows = comparison.subscriptions.iter().map(|row| {
        let (old, new) = (end(&row.old, row.old_end()), end(&row.new, row.new_end()));
        let mut line = format!("{}/{} {}: {old} -> {new}", row.namespace, row.subscription, row.rule.id());
        line.extend(row.added_dependencies().map(|one| format!(" +{}", one.csv)));
        line.extend(row.removed_dependencies().map(|one| format!(" -{}", one.csv)));
        line
    });
    rows.collect()
}

#[track_caller]
fn check(subscriptions: &str, old: &str, new: &str, expected: &[&str]) {
    assert_eq!(lines(&compared(&cluster(subscriptions), old, new)), expected);
}

const RELEASED: &str = "c: 1.1.0 (replaces 1.0.0), 1.0.0";

#[test]
fn a_normal_release_goes_further_in_every_namespace() {
    let new = RELEASED.replace("c: ", "c: 1.2.0 (replaces 1.1.0), ");
    let expected = ["a/p goes-further: p.v1.1.0 -> p.v1.2.0", "b/p goes-further: p.v1.1.0 -> p.v1.2.0"];
    check("b p/c 1.1.0\na p/c 1.0.0", RELEASED, &new, &expected);
    check("a p/c 1.0.0", RELEASED, RELEASED, &["a/p same: p.v1.1.0 -> p.v1.1.0"]);
    check("a p/c", RELEASED, &new, &["a/p goes-further: p.v1.1.0 -> p.v1.2.0"]);
    let found = compared(&cluster("a p/c 1.0.0"), RELEASED, &new);
    let hops: Vec<&str> = found.subscriptions[0].new.path.names().map(|name| name.as_str()).collect();
    assert_eq!(hops, ["p.v1.1.0", "p.v1.2.0"]);
    let csvs: Vec<&str> = found.new_end.csvs.iter().map(|csv| csv.installed.name.as_str()).collect();
    assert_eq!((csvs, found.failures), (vec!["p.v1.2.0"], vec![]));
}

#[test]
fn a_channel_that_is_gone_freezes_the_neighbours() {
    let old = format!("{RELEASED}\npackage q\nc: 1.0.0");
    let new = "package p\nd: 1.1.0 (replaces 1.0.0), 1.0.0\npackage q\nc: 1.1.0 (replaces 1.0.0), 1.0.0";
    let found = compared(&cluster("a p/c 1.0.0\na q/c 1.0.0\nb q/c 1.0.0"), &old, new);
    let expected =
        ["a/p frozen: p.v1.1.0 -> failed", "a/q frozen: q.v1.0.0 -> failed", "b/q goes-further: q.v1.0.0 -> q.v1.1.0"];
    assert_eq!(lines(&found), expected);
    let causes: Vec<_> = found.subscriptions.iter().map(|row| row.rule).collect();
    assert_eq!(causes[..2], [Rule::Frozen, Rule::FrozenByOthers]);
    let [failure] = &found.failures[..] else { panic!("one namespace fails") };
    let new = failure.new.as_ref().expect("it fails with the new state");
    assert_eq!((&*failure.namespace, &failure.old), ("a", &None));
    let error = "constraints not satisfiable: no operators found in channel c of package p in the catalog referenced by subscription p, subscription p exists";
    assert_eq!((&*new.error, &new.causes[..]), (error, &[Cause::Subscription("p".into())][..]));
}

#[test]
fn both_causes_of_a_failure_are_named() {
    let old = "package p\nc: 1.0.0\npackage q\nc: 1.0.0\npackage r\nc: 1.0.0";
    let found = compared(
        &cluster("a p/c 1.0.0\na q/c 1.0.0\na r/c 1.0.0"),
        old,
        "package p\nd: 1.0.0\npackage q\nd: 1.0.0\npackage r\nc: 1.0.0",
    );
    let causes = found.failures[0].new.as_ref().map(|failure| failure.causes.clone());
    assert_eq!(causes, Some(vec![Cause::Subscription("p".into()), Cause::Subscription("q".into())]));
    let back = compared(&cluster("a p/c 1.0.0"), "d: 1.0.0", "c: 1.0.0");
    assert_eq!(lines(&back), ["a/p unfrozen: failed -> p.v1.0.0"]);
    assert_eq!(back.subscriptions[0].rule.level(), Level::Good);
    assert!(back.failures[0].old.is_some() && back.failures[0].new.is_none());
    let other = compared(&cluster("a p/c 1.0.0"), "d: 1.0.0", "package q\nc: 1.0.0");
    assert_eq!(lines(&other), ["a/p still-frozen: failed -> failed"]);
}

#[test]
fn a_channel_without_order_is_the_cause() {
    let found = compared(&cluster("a p/c 1.0.0"), RELEASED, "c: 1.1.0, 1.0.0");
    assert_eq!(lines(&found), ["a/p frozen: p.v1.1.0 -> failed"]);
    let causes = found.failures[0].new.as_ref().map(|failure| failure.causes.clone());
    assert_eq!(causes, Some(vec![Cause::Channel("p".into(), "c".into())]));
    assert_eq!(found.subscriptions[0].rule, Rule::Frozen);
}

#[test]
fn a_catalog_that_is_not_served_freezes_all_namespaces() {
    let (cluster, catalog) = (cluster("a p/c 1.0.0\nb q/c"), packages("package p\nc: 1.0.0\npackage q\nc: 1.0.0"));
    let snapshots = simulate::snapshots(&cluster, |_| Some(&catalog));
    let key = CatalogKey::new("c", "olm");
    let (all, none) = (BTreeSet::from([key.clone()]), BTreeSet::new());
    let state = |not_served| ClusterCatalogs { snapshots: &snapshots, not_served, modes: &simulate::no_modes };
    let found = compare_cluster(&cluster, state(&none), state(&all));
    assert_eq!(lines(&found), ["a/p frozen: p.v1.0.0 -> failed", "b/q frozen: q.v1.0.0 -> failed"]);
    let new = found.failures[0].new.as_ref().expect("it fails with the new state");
    assert!(new.error.starts_with("error using catalogsource olm/c: failed to list bundles: "), "{}", new.error);
    assert_eq!(new.causes, [Cause::Catalog(key)]);
}

#[test]
fn a_dependency_whose_provider_disappears_stops_the_updates() {
    let old = "package p\nc: 1.1.0 (replaces 1.0.0; requires q >=0.0.0), 1.0.0\npackage q\nc: 1.0.0";
    let expected = ["a/p stuck: p.v1.1.0 -> p.v1.0.0 -q.v1.0.0"];
    check("a p/c 1.0.0", old, "c: 1.1.0 (replaces 1.0.0; requires q >=0.0.0), 1.0.0", &expected);
    // What is installed already needs its provider, so the namespace fails.
    let mut installed = cluster("a p/c 1.0.0");
    let needs = packages("package p\nc: 1.0.0 (requires q >=0.0.0)\npackage q\nc: 1.0.0");
    let listed = simulate::snapshots(&installed, |_| Some(&needs));
    let snapshot = listed.values().next().expect("there is one catalog");
    installed.csvs[0].installed = snapshot.listing.entries()[0].installed();
    let found = compared(
        &installed,
        "package p\nc: 1.0.0 (requires q >=0.0.0)\npackage q\nc: 1.0.0",
        "c: 1.0.0 (requires q >=0.0.0)",
    );
    assert_eq!(found.subscriptions[0].rule, Rule::Frozen);
}

#[test]
fn dependencies_come_and_go() {
    let needs = "package p\nc: 1.1.0 (replaces 1.0.0; requires q >=0.0.0), 1.0.0\npackage q\nc: 1.0.0 (requires r >=0.0.0)\npackage r\nc: 2.0.0";
    let free =
        "package p\nc: 1.1.0 (replaces 1.0.0), 1.0.0\npackage q\nc: 1.0.0 (requires r >=0.0.0)\npackage r\nc: 2.0.0";
    check("a p/c 1.0.0", free, needs, &["a/p dependencies-added: p.v1.1.0 -> p.v1.1.0 +q.v1.0.0 +r.v2.0.0"]);
    check("a p/c 1.0.0", needs, free, &["a/p dependencies-removed: p.v1.1.0 -> p.v1.1.0 -q.v1.0.0 -r.v2.0.0"]);
    // An operator with a Subscription of its own is no new dependency, and only those that need it have it.
    check(
        "a p/c 1.0.0\na q/c 1.0.0\na s/c 1.0.0",
        &format!("{free}\npackage s\nc: 1.0.0"),
        &format!("{needs}\npackage s\nc: 1.0.0"),
        &["a/p same: p.v1.1.0 -> p.v1.1.0", "a/q same: q.v1.0.0 -> q.v1.0.0", "a/s same: s.v1.0.0 -> s.v1.0.0"],
    );
}

#[test]
fn updates_stop_earlier_lead_down_or_repeat() {
    let subscription = "a p/c 1.0.0";
    check(subscription, RELEASED, "c: 1.0.0", &["a/p stops-earlier: p.v1.1.0 -> p.v1.0.0"]);
    check(subscription, RELEASED, "c: 1.1.0, 1.0.0 (skips 1.1.0)", &["a/p stops-earlier: p.v1.1.0 -> p.v1.0.0"]);
    check(subscription, RELEASED, "c: 1.1.0 (skips 1.0.0), 1.0.0", &["a/p same: p.v1.1.0 -> p.v1.1.0"]);
    check(subscription, RELEASED, "c: 1.2.0", &["a/p stuck: p.v1.1.0 -> p.v1.0.0"]);
    check(subscription, "c: 1.2.0", RELEASED, &["a/p unstuck: p.v1.0.0 -> p.v1.1.0"]);
    let behind = "c: 1.2.0, 1.1.0 (replaces 1.0.0), 1.0.0";
    let behind = behind.replace("1.2.0", "1.2.0 (replaces 1.1.0; requires q >=0.0.0)");
    check(subscription, RELEASED, &behind, &["a/p stops-earlier: p.v1.1.0 -> p.v1.1.0"]);
    check(subscription, "c: 1.0.0", "c: 0.9.0 (skipRange >=0.9.1)", &["a/p downgraded: p.v1.0.0 -> p.v0.9.0"]);
    check(subscription, "c: 1.0.0", "c: 0.9.0 (replaces 1.0.0)", &["a/p lower-by-name: p.v1.0.0 -> p.v0.9.0"]);
    let way = "c: 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    let short = way.replace("replaces 1.1.0", "replaces 1.1.0; skips 1.0.0");
    check(subscription, way, &short, &["a/p other-way: p.v1.2.0 -> p.v1.2.0"]);
    let round = "c: 1.2.0 (replaces 1.0.0; skipRange <1.2.0), 1.0.0 (skipRange >=1.1.0)";
    check("a p/c 1.2.0", "c: 1.2.0 (replaces 1.0.0), 1.0.0", round, &["a/p downgraded: p.v1.2.0 -> circle"]);
}

#[test]
fn manual_plans_count_as_approved() {
    let new = RELEASED.replace("c: ", "c: 1.2.0 (replaces 1.1.0), ");
    let found = compared(&cluster("!a p/c 1.0.0\nb p/c 1.0.0"), RELEASED, &new);
    let expected = ["a/p goes-further: p.v1.1.0 -> p.v1.2.0", "b/p goes-further: p.v1.1.0 -> p.v1.2.0"];
    assert_eq!(lines(&found), expected);
    let approvals: Vec<_> = found.subscriptions.iter().map(|row| row.approval).collect();
    assert_eq!(approvals, [cluster::Approval::Manual, cluster::Approval::Automatic]);
}

#[test]
fn what_the_simulation_cannot_tell_is_not_compared() {
    // OLM would crash on this range.
    let new = format!("{RELEASED}\npackage q\nc: 1.0.0")
        .replace("replaces 1.0.0", "replaces 1.0.0; skipRange <1.0.0 || || >2.0.0");
    let found = compared(&cluster("a p/c 1.0.0"), RELEASED, &new);
    let [row] = &found.subscriptions[..] else { panic!("there is one Subscription") };
    assert_eq!((row.rule, row.rule.level()), (Rule::NotCompared, Level::Risky), "{:?}", row.new);
}

#[test]
fn a_dropped_install_mode_breaks_the_namespaces_whose_group_needs_it() {
    let new = RELEASED.replace("c: ", "c: 1.2.0 (replaces 1.1.0), ");
    let mut cluster = cluster("a p/c 1.1.0\nb p/c 1.1.0");
    let groups = "kind: OperatorGroup\nmetadata: {name: g, namespace: a}\n---\nkind: OperatorGroup\nmetadata: {name: g, namespace: b}\nspec: {targetNamespaces: [b]}\n";
    cluster.operator_groups = cluster::read(FileId(0), groups).cluster.operator_groups;
    let (old, new) = (packages(RELEASED), packages(&new));
    let (old, new) = (simulate::snapshots(&cluster, |_| Some(&old)), simulate::snapshots(&cluster, |_| Some(&new)));
    let not_served = BTreeSet::new();
    let modes = |_: &_, _: &_, name: &catalog::BundleName| {
        let all = name.as_str() != "p.v1.2.0";
        Some([("OwnNamespace", true), ("AllNamespaces", all)].into_iter().collect::<catalog::InstallModes>())
    };
    simulate::complete(&mut cluster, &old, &modes);
    let catalogs = |snapshots| ClusterCatalogs { snapshots, not_served: &not_served, modes: &modes };
    let found = compare_cluster(&cluster, catalogs(&old), catalogs(&new));
    let rules: Vec<_> = found.subscriptions.iter().map(|row| (&*row.namespace, row.rule, row.rule.level())).collect();
    assert_eq!(rules, [("a", Rule::CsvFails, Level::Breaking), ("b", Rule::GoesFurther, Level::Neutral)]);
    let text = compare::words::simulated_path(&found.subscriptions[0], &found.subscriptions[0].new);
    assert_eq!(
        text,
        "updated to 1.2.0, whose CSV fails: `UnsupportedOperatorGroup`: `AllNamespaces InstallModeType not supported, \
         cannot configure to watch all namespaces`, and the namespace cannot be resolved any more"
    );
}
