//! OperatorGroups against install modes: which CSVs fail, and what follows for the namespace.

use catalog::InstallModes;
use cluster::Manifests;
use simulate::{CsvFailure, timeline, timelines};
use source::FileId;
use std::collections::BTreeSet;

const CATALOG: &str = "
package store
stable: store.v1 <- store.v2
package etcd
stable: etcd.v1 (provides etcd.io/v1/Etcd)
";

/// The install modes of a bundle, by its name: each supports the modes in this list.
type Modes<'m> = &'m [(&'m str, &'m [&'m str])];

/// A CatalogSource, and a Subscription to `package` in `ns`, with a CSV installed unless its name is empty.
fn cluster(package: &str, installed: &str, groups: &str) -> String {
    let status = format!("status: {{currentCSV: {installed}, installedCSV: {installed}}}\n");
    let text = format!(
        "kind: CatalogSource\nmetadata: {{name: c, namespace: olm}}\n---\nkind: Subscription\nmetadata: {{name: {package}, namespace: ns}}\n\
         spec: {{name: {package}, channel: stable, source: c, sourceNamespace: olm}}\n{}{groups}",
        if installed.is_empty() { "" } else { &status }
    );
    text + &if installed.is_empty() { String::new() } else { csv(installed, "Succeeded", "") }
}

fn csv(name: &str, phase: &str, rest: &str) -> String {
    let (package, version) = name.split_once(".v").expect("names end in .vN");
    format!(
        "---\nkind: ClusterServiceVersion\nmetadata:\n  name: {name}\n  namespace: ns\n  annotations: {{operatorframework.io/properties: \
         '{{\"properties\":[{{\"type\":\"olm.package\",\"value\":{{\"packageName\":\"{package}\",\"version\":\"{version}.0.0\"}}}}]}}'}}\n\
         spec: {{version: {version}.0.0{rest}}}\nstatus: {{phase: {phase}}}\n"
    )
}

/// An OperatorGroup in a namespace, with a text of its spec and one of the rest.
fn group(namespace: &str, name: &str, spec: &str, rest: &str) -> String {
    format!("---\nkind: OperatorGroup\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec: {{{spec}}}\n{rest}")
}

fn read(text: &str) -> Manifests {
    let manifests = cluster::read(FileId(0), text);
    assert!(manifests.diagnostics.is_empty(), "{:?}", manifests.diagnostics);
    manifests
}

/// For each step the updates or the error, and the CSVs that fail after it.
fn steps(text: &str, modes: Modes<'_>) -> Vec<String> {
    let catalog = super::catalog(&fixture::yaml(CATALOG));
    let mut cluster = read(text).cluster;
    let snapshots = simulate::snapshots(&cluster, |_| Some(&catalog));
    let read = |_: &_, _: &_, name: &catalog::BundleName| -> Option<InstallModes> {
        let supported = modes.iter().find(|(bundle, _)| *bundle == name.as_str())?.1;
        Some(supported.iter().map(|mode| (*mode, true)).collect())
    };
    simulate::complete(&mut cluster, &snapshots, &read);
    let found = timeline(&cluster, "ns", &snapshots, &read, 12);
    let all = timelines(&cluster, "ns", &snapshots, &read, 12, 8).timelines;
    assert_eq!(all[0].steps.len(), found.steps.len(), "the search agrees");
    let line = |step: &simulate::Step| {
        let updated = step.updated_subscriptions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let what = step.error.clone().unwrap_or(updated);
        let failures = step.csv_failures.iter().map(failure);
        let waiting = step.waiting.iter().map(|(csv, old)| format!("{csv} waits for {old}"));
        std::iter::once(what).chain(failures).chain(waiting).collect::<Vec<_>>().join(" | ")
    };
    found.steps.iter().map(line).collect()
}

fn failure(failure: &CsvFailure) -> String {
    let CsvFailure { csv, reason, message, still_runs, .. } = failure;
    let old = still_runs.as_ref().map(|old| format!(", {old} still runs")).unwrap_or_default();
    format!("{csv} {reason}: {message}{old}")
}

const ALL: &[&str] = &["AllNamespaces"];
const OWN: &[&str] = &["OwnNamespace", "SingleNamespace"];
const ALL_TEXT: &str = "AllNamespaces InstallModeType not supported, cannot configure to watch all namespaces";
const OWN_TEXT: &str = "OwnNamespace InstallModeType not supported, cannot configure to watch own namespace";

/// Installs `store.v2` with a group and modes.
#[track_caller]
fn check(groups: &str, modes: &[&str], failure: &str) {
    let line = format!("store -> store.v2{failure}");
    assert_eq!(steps(&cluster("store", "", groups), &[("store.v2", modes)]), [line]);
}

#[test]
fn a_new_csv_is_compared_with_the_targets_of_its_group() {
    let unsupported = |text: &str| format!(" | store.v2 UnsupportedOperatorGroup: {text}");
    let all = group("ns", "g", "", "");
    check(&all, ALL, "");
    check(&all, OWN, &unsupported(ALL_TEXT));
    check(&all, &[], &unsupported(ALL_TEXT));
    check(&group("ns", "g", "targetNamespaces: [ns]", ""), ALL, &unsupported(OWN_TEXT));
    check(&group("ns", "g", "targetNamespaces: [ns]", ""), OWN, "");
    let two = group("ns", "g", "targetNamespaces: [a, ns]", "");
    check(&two, &["MultiNamespace"], &unsupported(OWN_TEXT));
    let multi = "MultiNamespace InstallModeType not supported, cannot configure to watch 2 namespaces";
    check(&two, OWN, &unsupported(multi));
    let single = "SingleNamespace InstallModeType not supported, cannot configure to watch one namespace";
    check(&group("ns", "g", "targetNamespaces: [a]", ""), &["OwnNamespace"], &unsupported(single));
}

#[test]
fn a_selector_needs_the_status_of_the_group() {
    let selector = "selector: {matchLabels: {a: b}}";
    check(&group("ns", "g", selector, ""), OWN, "");
    check(
        &group("ns", "g", selector, "status: {lastUpdated: '2026-01-01T00:00:00Z'}\n"),
        ALL,
        " | store.v2 NoTargetNamespaces: no targetNamespaces are matched operatorgroups namespace selection",
    );
    let one = group("ns", "g", selector, "status: {namespaces: [ns]}\n");
    check(&one, ALL, &format!(" | store.v2 UnsupportedOperatorGroup: {OWN_TEXT}"));
    // Names count, and the selector beside them does not.
    check(&group("ns", "g", "targetNamespaces: [ns], selector: {matchLabels: {a: b}}", ""), OWN, "");
    check(
        &group("ns", "g", "targetNamespaces: ['', ns]", ""),
        OWN,
        " | store.v2 NoTargetNamespaces: csv missing olm.targetNamespaces annotation",
    );
}

#[test]
fn an_update_that_drops_the_mode_freezes_the_namespace() {
    let text = cluster("store", "store.v1", &group("ns", "g", "", ""));
    let fails = format!("store.v2 UnsupportedOperatorGroup: {ALL_TEXT}, store.v1 still runs");
    let found = steps(&text, &[("store.v1", ALL), ("store.v2", OWN)]);
    assert_eq!(found[0], format!("store -> store.v2 | {fails}"));
    assert!(found[1].starts_with("constraints not satisfiable: ") && found[1].ends_with(&fails), "{found:?}");
    assert!(found[1].contains("clusterserviceversion store.v1 exists and is not referenced by a subscription"));
    assert_eq!(found.len(), 2);
}

#[test]
fn an_old_csv_that_does_not_fit_is_not_replaced() {
    let text = cluster("store", "store.v1", &group("ns", "g", "", ""));
    let found = steps(&text, &[("store.v1", OWN), ("store.v2", ALL)]);
    let rest = format!(" | store.v1 UnsupportedOperatorGroup: {ALL_TEXT} | store.v2 waits for store.v1");
    assert_eq!(found[0], format!("store -> store.v2{rest}"));
    assert!(found[1].starts_with("constraints not satisfiable: ") && found[1].ends_with(&rest), "{found:?}");
}

/// The frozen state of a dump: the new CSV failed, the old one is in phase `Replacing`.
#[test]
fn a_corrected_group_ends_the_freeze() {
    let frozen = |groups: &str| {
        let failed = csv("store.v2", "Failed, reason: UnsupportedOperatorGroup, message: m", ", replaces: store.v1");
        cluster("store", "", groups) + &csv("store.v1", "Replacing", "") + &failed
    };
    let with_status = |groups: &str| {
        frozen(groups).replacen(
            "sourceNamespace: olm}\n",
            "sourceNamespace: olm}\nstatus: {currentCSV: store.v2, installedCSV: store.v2}\n",
            1,
        )
    };
    let modes: Modes<'_> = &[("store.v1", &["AllNamespaces", "OwnNamespace"]), ("store.v2", OWN)];
    let still = steps(&with_status(&group("ns", "g", "", "")), modes);
    assert!(still[0].contains("UnsupportedOperatorGroup") && still[0].ends_with("store.v1 still runs"), "{still:?}");
    assert_eq!(steps(&with_status(&group("ns", "g", "targetNamespaces: [ns]", "")), modes), [""]);
    // Without install modes the status of the dump stands.
    let unknown = steps(&with_status(&group("ns", "g", "targetNamespaces: [ns]", "")), &[]);
    assert!(unknown[0].ends_with("store.v2 UnsupportedOperatorGroup: m, store.v1 still runs"), "{unknown:?}");
}

#[test]
fn two_groups_with_one_api_conflict() {
    let other = |spec: &str, apis: &str| {
        format!(
            "---\nkind: OperatorGroup\nmetadata: {{name: x, namespace: other, annotations: {{olm.providedAPIs: '{apis}'}}}}\nspec: {{{spec}}}\n"
        )
    };
    let run = |groups: &str| steps(&cluster("etcd", "", groups), &[("etcd.v1", &["OwnNamespace"])]);
    let own = group("ns", "g", "targetNamespaces: [ns]", "");
    let conflict =
        "etcd -> etcd.v1 | etcd.v1 InterOperatorGroupOwnerConflict: intersecting operatorgroups provide the same apis";
    let etcd = "Other.v1.x, Etcd.v1.etcd.io";
    assert_eq!(run(&(own.clone() + &other("", etcd))), [conflict]);
    assert_eq!(run(&(own.clone() + &other("targetNamespaces: [a]", etcd))), ["etcd -> etcd.v1"]);
    assert_eq!(run(&(own.clone() + &other("", "Etcd.v2.etcd.io"))), ["etcd -> etcd.v1"]);
    let fixed = own.replace("spec: {", "spec: {staticProvidedAPIs: true, ");
    let text = "etcd -> etcd.v1 | etcd.v1 CannotModifyStaticOperatorGroupProvidedAPIs: static provided api operatorgroup cannot be modified by these apis";
    assert_eq!(run(&fixed), [text]);
    let listed = fixed.replace("namespace: ns}", "namespace: ns, annotations: {olm.providedAPIs: Etcd.v1.etcd.io}}");
    assert_eq!(run(&listed), ["etcd -> etcd.v1"]);
}

#[test]
fn the_number_of_groups_counts() {
    let two = group("ns", "g", "", "") + &group("ns", "h", "", "");
    let text = "csv created in namespace with multiple operatorgroups, can't pick one automatically";
    let found = steps(&cluster("store", "store.v1", &two), &[]);
    assert_eq!(found, [format!("found 2 operatorGroups, expected 1 | store.v1 TooManyOperatorGroups: {text}")]);
    let mut manifests = read(&cluster("store", "store.v1", ""));
    manifests.cluster.has_all_groups = true;
    let catalog = super::catalog(&fixture::yaml(CATALOG));
    let snapshots = simulate::snapshots(&manifests.cluster, |_| Some(&catalog));
    let found = timeline(&manifests.cluster, "ns", &snapshots, &simulate::no_modes, 9).steps;
    assert_eq!(found[0].error.as_deref(), Some("found 0 operatorGroups, expected 1"));
    assert_eq!(failure(&found[0].csv_failures[0]), "store.v1 NoOperatorGroup: csv in namespace with no operatorgroups");
}

#[test]
fn a_missing_group_is_assumed() {
    let run = |installed: &str, modes: Modes<'_>| steps(&cluster("store", installed, ""), modes);
    assert_eq!(run("", &[("store.v2", ALL)]), ["store -> store.v2"]);
    // It fits what is installed.
    assert_eq!(run("", &[("store.v2", OWN)]), ["store -> store.v2"]);
    // What runs already tells more than the default.
    assert_eq!(run("store.v1", &[("store.v1", OWN), ("store.v2", OWN)]), ["store -> store.v2"]);
    assert_eq!(run("store.v1", &[("store.v1", &["SingleNamespace"]), ("store.v2", &[])]), ["store -> store.v2"]);
}

#[test]
fn a_mode_that_is_listed_twice_is_invalid() {
    let modes: InstallModes = [("OwnNamespace", true), ("OwnNamespace", false)].into_iter().collect();
    assert!(modes.has_duplicates());
    let spec = ", installModes: [{type: OwnNamespace, supported: true}, {type: OwnNamespace, supported: false}]";
    let text = cluster("store", "", &group("ns", "g", "", "")) + &csv("other.v1", "Succeeded", spec);
    let expected = "other.v1 InvalidInstallModes: InstallMode list contains duplicates, cannot make set: [{OwnNamespace true} {OwnNamespace false}]";
    assert!(steps(&text, &[])[0].contains(expected), "{:?}", steps(&text, &[]));
    let set: BTreeSet<Box<str>> = BTreeSet::from(["OwnNamespace".into()]);
    assert_eq!(modes.supported(), set);
}
