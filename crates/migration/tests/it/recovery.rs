//! What `rollback` and `cleanup` do with ClusterExtensions that the tool made.

use crate::case::{Case, SUBSCRIPTION};
use migration::{Cleanup, Recovery, recoveries};
use serde_json::json;

/// The ClusterExtension of the first case, with these annotations and conditions.
fn extension(annotations: &str, conditions: &str) -> String {
    format!(
        "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {{name: widgets, annotations: {{{annotations}}}}}\nspec: {{namespace: ops, source: {{sourceType: Catalog, catalog: {{packageName: widgets}}}}}}\nstatus: {{conditions: [{conditions}]}}\n"
    )
}

const MADE: &str = "olm.operatorframework.io/migrated-from-subscription: ops/widgets, olm.operatorframework.io/migration-subscription-backup: '{\"source\":\"community\",\"sourceNamespace\":\"olm\",\"name\":\"widgets\",\"channel\":\"stable\",\"startingCSV\":\"widgets.v0\"}'";

fn recovery(more: String) -> Recovery {
    let case = Case { more, ..Case::new() };
    case.with(|dump, _| recoveries(dump)).into_iter().next().expect("a ClusterExtension of the tool")
}

#[test]
fn rollback_restores_the_spec_and_nothing_else() {
    let sets = "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterObjectSet\nmetadata: {name: widgets-2, labels: {olm.operatorframework.io/owner-name: widgets}}\n---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterObjectSet\nmetadata: {name: other-1, labels: {olm.operatorframework.io/owner-name: other}}\n";
    let found = recovery(extension(MADE, "") + sets).rollback;
    assert_eq!((found.acknowledge, found.refusal, found.is_namespace_unknown), (None, None, false));
    assert_eq!(found.deleted, ["ClusterObjectSet widgets-1", "ClusterObjectSet widgets-2", "ClusterExtension widgets"]);
    let expected = json!({
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "Subscription",
        "metadata": { "name": "widgets", "namespace": "ops" },
        "spec": {
            "source": "community",
            "sourceNamespace": "olm",
            "name": "widgets",
            "channel": "stable",
            "startingCSV": "widgets.v0",
        },
    });
    assert_eq!(found.restored, Some(expected));
}

#[test]
fn rollback_of_an_installed_extension_must_be_acknowledged() {
    let found = recovery(extension(MADE, "{type: Installed, status: 'True'}")).rollback;
    let text = "ClusterExtension widgets is Installed=True; pass --acknowledge-installed to confirm rollback";
    assert_eq!((found.acknowledge.as_deref(), found.refusal), (Some(text), None));
    assert!(found.restored.is_some());
}

#[test]
fn rollback_refuses_before_it_deletes() {
    let made = "olm.operatorframework.io/migrated-from-subscription";
    let backup = "olm.operatorframework.io/migration-subscription-backup";
    let whole = "{\"source\":\"c\",\"sourceNamespace\":\"olm\",\"name\":\"widgets\"}";
    for (annotations, expected) in [
        (
            format!("{made}: ops/widgets"),
            "ClusterExtension widgets has no migration-subscription-backup annotation; cannot restore Subscription",
        ),
        (
            format!("{made}: '', {backup}: '{whole}'"),
            "ClusterExtension widgets has no migrated-from-subscription annotation",
        ),
        (
            format!("{made}: ops/widgets, {backup}: '{{\"source\":\"c\",\"name\":\"widgets\"}}'"),
            "subscription backup is missing required package, source, or sourceNamespace",
        ),
        (
            format!("{made}: widgets, {backup}: '{whole}'"),
            "invalid migrated-from-subscription annotation \"widgets\": invalid namespace/name ref \"widgets\"",
        ),
    ] {
        let found = recovery(extension(&annotations, "")).rollback;
        assert_eq!((found.refusal.as_deref(), found.deleted, found.restored), (Some(expected), Vec::new(), None));
    }
}

#[test]
fn rollback_does_not_know_namespaces_that_the_manifests_lack() {
    assert!(recovery(extension(&MADE.replace("ops/widgets", "gone/widgets"), "")).rollback.is_namespace_unknown);
}

#[test]
fn cleanup_deletes_what_olm_v0_has() {
    let copy = "---\nkind: ClusterServiceVersion\nmetadata: {name: widgets.v1.0.0, namespace: copies, labels: {olm.managed: 'true', olm.copiedFrom: ops}}\n";
    let expected = [
        "Subscription ops/widgets",
        "ClusterServiceVersion ops/widgets.v1.0.0",
        "OperatorCondition ops/widgets.v1.0.0",
        "ClusterServiceVersion copies/widgets.v1.0.0",
        "Operator widgets.ops",
    ];
    let found = recovery(extension(MADE, "") + copy).cleanup;
    assert_eq!(found, Some(Cleanup::Deletes(expected.map(str::to_owned).to_vec())));
    // Without the Subscription there is no conflict.
    let case = Case { more: extension(&MADE.replace("ops/widgets", "ops/gone"), ""), ..Case::new() };
    assert_eq!(case.with(|dump, _| recoveries(dump))[0].cleanup, None);
}

#[test]
fn cleanup_refuses_what_belongs_to_others() {
    let refused = |case: Case| match case.with(|dump, _| recoveries(dump)).remove(0).cleanup {
        Some(Cleanup::Refused(text)) => text,
        other => format!("{other:?}"),
    };
    let with = |more: String| Case { more, ..Case::new() };
    let no_package = extension(MADE, "").replace("packageName: widgets", "channels: []");
    let text = "ClusterExtension widgets has no catalog package for conflict cleanup";
    assert_eq!(refused(with(no_package)), text);
    let other_package = extension(MADE, "").replace("packageName: widgets", "packageName: other");
    let text = "conflict Subscription package does not match ClusterExtension package \"other\"";
    assert_eq!(refused(with(other_package)), text);
    let mut foreign = with(extension(MADE, ""));
    foreign.properties = foreign.properties.replace("\"packageName\":\"widgets\"", "\"packageName\":\"gadgets\"");
    let text = "conflict CSV ops/widgets.v1.0.0 belongs to package \"gadgets\", not \"widgets\"";
    assert_eq!(refused(foreign), text);
    let second = SUBSCRIPTION.replace("metadata: {name: widgets", "metadata: {name: second");
    let text = "cannot clean up package \"widgets\": Subscription ops/second still references its CSVs";
    assert_eq!(refused(with(format!("{}---\n{second}", extension(MADE, "")))), text);
}
