//! Operators that block an upgrade of OpenShift.

use catalog::{Catalog, ParsedFile, lower};
use cluster::Cluster;
use compare::{ClusterCatalogs, compare_cluster};
use go_semver::blang::Version;
use openshift::{BlockReason, MinorUpgrade, MinorUpgradeComparison, next_minor};
use simulate::Snapshots;
use source::FileId;
use std::collections::BTreeSet;

fn packages(notation: &str) -> Catalog {
    let text = &fixture::yaml(notation);
    let parse = &fbc::parse(FileId(0), text);
    lower(&[ParsedFile { text, parse }]).0
}

fn version(text: &str) -> Version {
    Version::parse_tolerant(text).expect("a test has valid versions")
}

/// A cluster with one CSV in `ns`, and these properties in its annotation.
fn installed(properties: &str) -> Cluster {
    let text = format!(
        "kind: ClusterServiceVersion\nmetadata:\n  name: p.v1\n  namespace: ns\n  annotations:\n    operatorframework.io/properties: '{properties}'\n"
    );
    cluster::read(FileId(0), &text).cluster
}

/// The value of the property as JSON, the version of OpenShift, and the line of OLM's message.
#[track_caller]
fn check_annotation(properties: &str, current: &str, expected: Option<&str>) {
    let found = MinorUpgrade::of(&installed(properties), &version(current), &Snapshots::new());
    let lines: Vec<String> = found.blockers.iter().map(|blocker| found.line(blocker)).collect();
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
    let found = ["4.17.3", "4.20.3", "4.21.0-rc.1", "4.22.9", "4.23.1", "5.0.0", "5.1.2"].map(next);
    assert_eq!(found, ["4.18.0", "4.21.0", "4.22.0", "4.23.0", "5.1.0", "5.1.0", "5.2.0"]);
}

#[test]
fn up_to_4_17_a_pre_release_is_its_own_next_version() {
    let next = |current: &str| next_minor(&version(current)).to_string();
    assert_eq!(["4.12.0-rc.1", "4.17.0-ec.2", "4.18.0-rc.1"].map(next), ["4.12.0", "4.17.0", "4.19.0"]);
    check("\"4.17\"", "4.17.0-rc.1", None);
    check("\"4.16\"", "4.17.0-rc.1", Some("ns/p.v1 is incompatible with OpenShift minor versions greater than 4.16"));
    check("\"4.18\"", "4.18.0-rc.1", Some("- maximum supported OCP version for ns/p.v1 is 4.18"));
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
    check("4.9", "4.9.0", Some("ns/p.v1 is incompatible with OpenShift minor versions greater than 4.9"));
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
    let blocked = |value: &str, error: &str| check(value, "4.18.0", Some(&invalid(error)));
    blocked("\"\"", "value cannot be \"\" (an empty string)");
    blocked("\"4.x\"", "failed to parse \"4.x\" as semver: Invalid character(s) found in minor number \"x\"");
    let form = "property olm.maxOpenShiftVersion must specify only <major>.<minor> version, got invalid value";
    blocked("\"4.20.1\"", &format!("{form} 4.20.1"));
    blocked("\"4.20.0-rc.1\"", &format!("{form} 4.20.0-rc.1"));
    let twice = "{\"properties\":[{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.99\"},{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.99\"}]}";
    let error = invalid("defining more than one \"olm.maxOpenShiftVersion\" property is not allowed");
    check_annotation(twice, "4.18.0", Some(&error));
    let error = invalid("failed to unmarshal properties annotation: unexpected end of JSON input");
    check_annotation("{", "4.18.0", Some(&error));
}

#[test]
fn what_does_not_name_a_maximum_blocks_nothing() {
    check_annotation("{\"properties\":[{\"type\":\"other\",\"value\":\"4.8\"}]}", "4.8.0", None);
    let upgrade = |text: &str| {
        let cluster = cluster::read(FileId(0), text).cluster;
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

/// CSVs in `ns` by name, with the value of the property of each.
fn csvs(csvs: &[(&str, &str)]) -> Cluster {
    let csv = |(name, value): &(&str, &str)| {
        format!(
            "---\nkind: ClusterServiceVersion\nmetadata:\n  name: {name}\n  namespace: ns\n  annotations:\n    operatorframework.io/properties: '{{\"properties\":[{{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"{value}\"}}]}}'\n"
        )
    };
    cluster::read(FileId(0), &csvs.iter().map(csv).collect::<String>()).cluster
}

/// The message on each of these versions of OpenShift.
#[track_caller]
fn check_message(cluster: &Cluster, on: &[&str], expected: &str) {
    for current in on {
        let message = MinorUpgrade::of(cluster, &version(current), &Snapshots::new()).message();
        assert_eq!(message.as_deref(), Some(expected), "{current}");
    }
}

/// The order of the items is the same on all versions: what is invalid first, then the others in reverse.
const MIXED: [(&str, &str); 4] = [("a", "4.11"), ("b", ""), ("c", "4.10"), ("d", "4.x")];

#[test]
fn the_message_of_4_12_to_4_17() {
    let expected = "ClusterServiceVersions blocking cluster upgrade: \
        ns/b has invalid olm.maxOpenShiftVersion properties: value cannot be \"\" (an empty string),\
        ns/d has invalid olm.maxOpenShiftVersion properties: failed to parse \"4.x\" as semver: Invalid character(s) found in minor number \"x\",\
        ns/c is incompatible with OpenShift minor versions greater than 4.10,\
        ns/a is incompatible with OpenShift minor versions greater than 4.11";
    check_message(&csvs(&MIXED), &["4.12.0", "4.15.3", "4.17.9", "4.12.0-rc.1"], expected);
}

const LINES: &str = "- ns/b has invalid olm.maxOpenShiftVersion properties: value cannot be \"\" (an empty string)
- ns/d has invalid olm.maxOpenShiftVersion properties: failed to parse \"4.x\" as semver: Invalid character(s) found in minor number \"x\"
- maximum supported OCP version for ns/c is 4.10
- maximum supported OCP version for ns/a is 4.11";

#[test]
fn the_message_of_4_18_to_4_21_names_the_version_behind_the_maximum_of_the_first() {
    let expected = format!("ClusterServiceVersions blocking minor version upgrades to 4.12.0 or higher:\n{LINES}");
    check_message(&csvs(&MIXED), &["4.18.0", "4.19.1", "4.20.0-rc.1", "4.21.7"], &expected);
    let expected = "ClusterServiceVersions blocking minor version upgrades to 4.19.0 or higher:\n\
        - maximum supported OCP version for ns/p is 4.18";
    check_message(&csvs(&[("p", "4.18")]), &["4.18.3", "4.20.3"], expected);
    let expected = "ClusterServiceVersions blocking minor version upgrades to 0.1.0 or higher:\n\
        - ns/a has invalid olm.maxOpenShiftVersion properties: value cannot be \"\" (an empty string)\n\
        - maximum supported OCP version for ns/b is 4.18";
    check_message(&csvs(&[("a", ""), ("b", "4.18")]), &["4.18.3"], expected);
}

#[test]
fn the_message_of_4_22_and_later_always_names_4_23_and_5_0() {
    let first = "ClusterServiceVersions blocking minor version upgrades to 4.23 or major version upgrades to 5.0:";
    check_message(&csvs(&MIXED), &["4.22.0", "4.23.1", "5.0.2", "5.1.0"], &format!("{first}\n{LINES}"));
}

#[test]
fn nothing_blocks_4_23_and_5_0_but_what_is_below_5_1() {
    let first = "ClusterServiceVersions blocking minor version upgrades to 4.23 or major version upgrades to 5.0:";
    for max in ["4.23", "5.0"] {
        let line = format!("{first}\n- maximum supported OCP version for ns/p is {max}");
        check_message(&csvs(&[("p", max)]), &["4.23.0", "5.0.0", "5.1.0"], &line);
        let on_4_22 = MinorUpgrade::of(&csvs(&[("p", max)]), &version("4.22.4"), &Snapshots::new());
        assert_eq!(on_4_22.message(), None, "{max}");
    }
}

/// Subscriptions to `p`, `q` and `r`, whose CSVs have no annotation.
const CLUSTER: &str = "kind: ClusterVersion
metadata: {name: version}
status: {desired: {version: 4.20.1}}
---
kind: CatalogSource
metadata: {name: c, namespace: olm}
";

const MAX: &str = "property olm.maxOpenShiftVersion";

#[test]
fn an_update_can_end_a_block() {
    let mut text = CLUSTER.to_owned();
    for package in ["p", "q", "r"] {
        text += &format!(
            "---\nkind: Subscription\nmetadata: {{name: {package}, namespace: ns}}\nspec: {{name: {package}, channel: c, source: c, sourceNamespace: olm}}\nstatus: {{installedCSV: {package}.v1.0.0, currentCSV: {package}.v1.0.0}}\n---\nkind: ClusterServiceVersion\nmetadata: {{name: {package}.v1.0.0, namespace: ns}}\nspec: {{version: 1.0.0}}\n"
        );
    }
    let cluster = cluster::read(FileId(0), &text).cluster;
    let (old, new) = (
        packages(&format!("c: 1.0.0 ({MAX} '4.20')\npackage q\nc: 1.0.0 ({MAX} '4.19')\npackage r\nc: 1.0.0")),
        packages(&format!(
            "
            c: 1.0.0 ({MAX} '4.20') <- 1.1.0 ({MAX} '4.21')
            package q
            c: 1.0.0 ({MAX} '4.19') <- 1.1.0 ({MAX} '4.20')
            package r
            c: 1.0.0 <- 1.1.0 ({MAX} '4.20')"
        )),
    );
    let (old, new) = (simulate::snapshots(&cluster, |_| Some(&old)), simulate::snapshots(&cluster, |_| Some(&new)));
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
