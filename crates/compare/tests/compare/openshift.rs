//! Operators that block an upgrade of OpenShift.

use crate::cluster::packages;
use blang_semver::Version;
use compare::{BlockReason, ClusterCatalogs, MinorUpgrade, MinorUpgradeComparison, compare_cluster, next_minor};
use simulate::{Cluster, Snapshots};
use source::FileId;
use std::collections::BTreeSet;

fn version(text: &str) -> Version {
    Version::parse_tolerant(text).expect("a test has valid versions")
}

/// A cluster with one CSV in `ns`, and these properties in its annotation.
fn installed(properties: &str) -> Cluster {
    let text = format!(
        "kind: ClusterServiceVersion\nmetadata:\n  name: p.v1\n  namespace: ns\n  annotations:\n    operatorframework.io/properties: '{properties}'\n"
    );
    simulate::read(FileId(0), &text).cluster
}

/// The value of the property as JSON, the version of OpenShift, and the line of OLM's message.
#[track_caller]
fn check_annotation(properties: &str, current: &str, expected: Option<&str>) {
    let found = MinorUpgrade::of(&installed(properties), &version(current), &Snapshots::new());
    let lines: Vec<String> = found.blockers.iter().map(ToString::to_string).collect();
    assert_eq!(lines, expected.into_iter().collect::<Vec<_>>(), "{properties}");
}

#[track_caller]
fn check(value: &str, current: &str, expected: Option<&str>) {
    let properties = format!("{{\"properties\":[{{\"type\":\"olm.maxOpenShiftVersion\",\"value\":{value}}}]}}");
    check_annotation(&properties, current, expected);
}

#[test]
fn the_next_minor_version_follows() {
    let next = |current: &str| next_minor(&version(current)).to_string();
    let found = ["4.20.3", "4.21.0-rc.1", "4.22.9", "4.23.1", "5.0.0", "5.1.2"].map(next);
    assert_eq!(found, ["4.21.0", "4.22.0", "4.23.0", "5.1.0", "5.1.0", "5.2.0"]);
}

#[test]
fn a_maximum_below_the_next_minor_version_blocks() {
    let blocks = Some("- maximum supported OCP version for ns/p.v1 is 4.20");
    check("\"4.20\"", "4.20.7", blocks);
    check("\"4.20\"", "4.21.0", blocks);
    check("\"4.20.0\"", "4.20.7", blocks);
    check("\"v4.20\"", "4.20.7", blocks);
    check("\"4.20.0+build\"", "4.20.7", blocks);
    check("\"4.20\"", "4.19.9", None);
    check("\"4.21\"", "4.20.0", None);
    check("\"4.21\"", "4.20.0-rc.1", None);
    check("4.9", "4.9.0", Some("- maximum supported OCP version for ns/p.v1 is 4.9"));
    check("4.9", "4.8.0", None);
    // 4.23 and 5.0 are the same release.
    check("\"4.23\"", "4.22.0", None);
    check("\"5.0\"", "4.22.0", None);
    check("\"4.23\"", "4.23.0", Some("- maximum supported OCP version for ns/p.v1 is 4.23"));
    check("\"5.0\"", "4.23.0", Some("- maximum supported OCP version for ns/p.v1 is 5.0"));
    check("\"5.1\"", "4.23.0", None);
    check("\"5.1\"", "5.0.0", None);
}

#[test]
fn an_invalid_property_blocks() {
    let invalid = |error: &str| format!("- ns/p.v1 has invalid olm.maxOpenShiftVersion properties: {error}");
    let blocked = |value: &str, error: &str| check(value, "4.8.0", Some(&invalid(error)));
    blocked("\"\"", "value cannot be \"\" (an empty string)");
    blocked("\"4.x\"", "failed to parse \"4.x\" as semver: Invalid character(s) found in minor number \"x\"");
    let form = "property olm.maxOpenShiftVersion must specify only <major>.<minor> version, got invalid value";
    blocked("\"4.20.1\"", &format!("{form} 4.20.1"));
    blocked("\"4.20.0-rc.1\"", &format!("{form} 4.20.0-rc.1"));
    let twice = "{\"properties\":[{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.99\"},{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.99\"}]}";
    let error = invalid("defining more than one \"olm.maxOpenShiftVersion\" property is not allowed");
    check_annotation(twice, "4.8.0", Some(&error));
    let error = invalid("failed to unmarshal properties annotation: unexpected end of JSON input");
    check_annotation("{", "4.8.0", Some(&error));
}

#[test]
fn what_does_not_name_a_maximum_blocks_nothing() {
    check_annotation("{\"properties\":[{\"type\":\"other\",\"value\":\"4.8\"}]}", "4.8.0", None);
    let upgrade = |text: &str| {
        let cluster = simulate::read(FileId(0), text).cluster;
        MinorUpgrade::of(&cluster, &version("4.8"), &Snapshots::new())
    };
    let csv = "kind: ClusterServiceVersion\nmetadata:\n  name: p.v1\n  namespace: ns\n";
    let annotation = "  annotations:\n    operatorframework.io/properties: '{\"properties\":[{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.8\"}]}'\n";
    assert_eq!(upgrade(csv).blockers, []);
    let no_group = format!("{csv}spec: {{customresourcedefinitions: {{owned: [{{name: no-group}}]}}}}\n");
    assert_eq!(upgrade(&no_group).blockers, []);
    assert_eq!(upgrade(&format!("{csv}  labels: {{olm.copiedFrom: other}}\n{annotation}")).blockers, []);
    let found = upgrade(&format!("{csv}{annotation}"));
    assert_eq!((found.blockers.len(), found.blockers[0].is_from_catalog), (1, false));
    assert_eq!(upgrade("").message(), None);
}

#[test]
fn the_message_has_invalid_properties_first() {
    let csvs = [("a", "4.20"), ("b", ""), ("c", "4.19"), ("d", "4.x")].map(|(name, value)| {
        format!(
            "---\nkind: ClusterServiceVersion\nmetadata:\n  name: {name}\n  namespace: ns\n  annotations:\n    operatorframework.io/properties: '{{\"properties\":[{{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"{value}\"}}]}}'\n"
        )
    });
    let cluster = simulate::read(FileId(0), &csvs.concat()).cluster;
    let message = |current: &str| MinorUpgrade::of(&cluster, &version(current), &Snapshots::new()).message();
    let lines = "- ns/b has invalid olm.maxOpenShiftVersion properties: value cannot be \"\" (an empty string)\n- ns/d has invalid olm.maxOpenShiftVersion properties: failed to parse \"4.x\" as semver: Invalid character(s) found in minor number \"x\"\n- maximum supported OCP version for ns/c is 4.19\n- maximum supported OCP version for ns/a is 4.20";
    let first = "ClusterServiceVersions blocking minor version upgrades to";
    assert_eq!(message("4.20.1"), Some(format!("{first} 4.21.0 or higher:\n{lines}")));
    assert_eq!(message("4.22.0"), Some(format!("{first} 4.23 or major version upgrades to 5.0:\n{lines}")));
    assert_eq!(message("4.23.0"), Some(format!("{first} 5.1.0 or higher:\n{lines}")));
}

/// Subscriptions to `p`, `q` and `r`, whose CSVs have no annotation.
const CLUSTER: &str = "kind: ClusterVersion
metadata: {name: version}
status: {desired: {version: 4.20.1}}
---
kind: CatalogSource
metadata: {name: c, namespace: olm}
";

#[test]
fn an_update_can_end_a_block() {
    let mut text = CLUSTER.to_owned();
    for package in ["p", "q", "r"] {
        text += &format!(
            "---\nkind: Subscription\nmetadata: {{name: {package}, namespace: ns}}\nspec: {{name: {package}, channel: c, source: c, sourceNamespace: olm}}\nstatus: {{installedCSV: {package}.v1.0.0, currentCSV: {package}.v1.0.0}}\n---\nkind: ClusterServiceVersion\nmetadata: {{name: {package}.v1.0.0, namespace: ns}}\nspec: {{version: 1.0.0}}\n"
        );
    }
    let cluster = simulate::read(FileId(0), &text).cluster;
    let (old, new) = (
        packages("p/c 1.0.0 max=4.20\nq/c 1.0.0 max=4.19\nr/c 1.0.0"),
        packages(
            "p/c 1.1.0 replaces=1.0.0 max=4.21\np/c 1.0.0 max=4.20\nq/c 1.1.0 replaces=1.0.0 max=4.20\nq/c 1.0.0 max=4.19\nr/c 1.1.0 replaces=1.0.0 max=4.20\nr/c 1.0.0",
        ),
    );
    let (old, new) = (cluster.snapshots(|_| Some(&old)), cluster.snapshots(|_| Some(&new)));
    let served = BTreeSet::new();
    let state = |snapshots| ClusterCatalogs { snapshots, not_served: &served, modes: &simulate::no_modes };
    let found = compare_cluster(&cluster, state(&old), state(&new));
    let current = cluster.openshift.clone().expect("the manifests have the version");
    let ends = (&found.old_end, &found.new_end);
    let upgrade = MinorUpgradeComparison::of(&cluster, ends, &current, &old);
    let names = |upgrade: &MinorUpgrade| {
        upgrade.blockers.iter().map(|one| (one.csv.to_string(), one.is_from_catalog)).collect::<Vec<_>>()
    };
    let now = [("p.v1.0.0".to_owned(), true), ("q.v1.0.0".to_owned(), true)];
    assert_eq!((names(&upgrade.now), names(&upgrade.old_end)), (now.to_vec(), now.to_vec()));
    let end = [("q.v1.1.0".to_owned(), false), ("r.v1.1.0".to_owned(), false)];
    assert_eq!(names(&upgrade.new_end), end);
    let [remaining] = &upgrade.remaining[..] else { panic!("one operator still blocks") };
    assert_eq!((remaining.before.csv.as_str(), remaining.after.csv.as_str()), ("q.v1.0.0", "q.v1.1.0"));
    assert_eq!(remaining.after.reason, BlockReason::MaxVersion(version("4.20")));
}
