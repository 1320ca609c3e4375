//! The CRD upgrade safety check between the installed bundle and the chosen one.

use crate::world::{CHANNELS, READY, bundle, installed, single};
use crd_upgrade::{Unknown, UpgradeOutcome};
use migration::Migration;
use serde_json::json;
use views::MigrationVerdict;

/// A property with the manifest of a CRD with one field.
fn crd(field: &str) -> String {
    let schema = json!({ "type": "object", "properties": { field: { "type": "string" } } });
    let version = |name: &str, stores: bool| json!({ "name": name, "served": true, "storage": stores, "schema": { "openAPIV3Schema": schema } });
    let manifest = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "as.b" },
        "spec": { "group": "b", "scope": "Namespaced", "names": { "kind": "A" }, "versions": [version("v1", true)] },
    });
    format!("{{type: olm.bundle.object, value: {{data: {}}}}}", base64(&manifest.to_string()))
}

fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let at = |index: usize| u32::from(bytes.get(index).copied().unwrap_or_default());
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        let digit = |index: usize| {
            if index > bytes.len() { '=' } else { char::from(DIGITS[(bits >> (18 - 6 * index) & 63) as usize]) }
        };
        [0, 1, 2, 3].map(digit)
    };
    text.as_bytes().chunks(3).flat_map(group).collect()
}

/// `p.v1` is installed and moves to `p.v2`.
fn moves(first: &str, second: &str, cluster: &str) -> Migration {
    let text = CHANNELS.to_owned() + &bundle(1, &[READY, first]) + &bundle(2, &[READY, second]) + &bundle(3, &[READY]);
    single(&text, cluster)
}

#[test]
fn a_removed_field_is_refused() {
    let found = moves(&crd("old"), &crd("new"), &installed());
    assert_eq!(found.verdict, MigrationVerdict::Refused);
    let crds = found.crds.unwrap();
    let texts: Vec<String> = crds.refused().map(|(name, finding)| format!("{name}: {finding}")).collect();
    let expected = [
        "as.b: existingFieldRemoval: removed field : v1.^.old",
        "as.b: v1: ^.old: type: type changed : \"string\" -> \"\"",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn an_unchanged_crd_is_no_obstacle() {
    let found = moves(&crd("a"), &crd("a"), &installed());
    assert_eq!(found.verdict, MigrationVerdict::Moves);
    assert!(!found.crds.unwrap().has_unknown());
}

#[test]
fn stored_versions_of_the_cluster_count() {
    let stored =
        "---\nkind: CustomResourceDefinition\nmetadata: {name: as.b}\nstatus: {storedVersions: [v1alpha1, v1]}\n";
    let found = moves(&crd("a"), &crd("a"), &(installed() + stored));
    let text: String = found.crds.unwrap().refused().map(|(_, finding)| finding.to_string()).collect();
    assert_eq!(text, "storedVersionRemoval: stored versions removed : [v1alpha1]");
}

#[test]
fn a_missing_body_is_unknown_and_not_safe() {
    let described = "{type: olm.csv.metadata, value: {installModes: [{type: AllNamespaces, supported: true}], crdDescriptions: {owned: [{name: as.b, version: v1, kind: A}, {name: as.b, version: v2, kind: A}]}}}";
    let text = CHANNELS.to_owned() + &bundle(1, &[described]) + &bundle(2, &[described]);
    let crds = single(&text, &installed()).crds.unwrap();
    assert!(crds.has_unknown());
    let [upgrade] = &crds.upgrades[..] else { panic!("{:?}", crds.upgrades) };
    assert_eq!((&*upgrade.name, &upgrade.outcome), ("as.b", &UpgradeOutcome::Unknown(Unknown::NoNewBody)));
}

#[test]
fn an_installed_bundle_that_the_catalog_lost_is_unknown() {
    let text = CHANNELS.to_owned() + &bundle(2, &[READY, &crd("a")]) + &bundle(3, &[READY]);
    let found = single(&text, &installed());
    assert_eq!((found.verdict, found.current), (MigrationVerdict::Moves, None));
    assert_eq!(found.crds.unwrap().upgrades[0].outcome, UpgradeOutcome::Unknown(Unknown::NoOldList));
}
