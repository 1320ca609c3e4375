//! The objects to create.

use crate::world::{READY, catalog, installed, migrate, read};
use extension::ClusterExtension;
use migration::manifests;

fn written(cluster: &str) -> String {
    manifests(&migrate(&catalog(&[READY]), cluster))
}

#[test]
fn a_catalog_a_first_revision_and_an_extension_are_written() {
    let expected = r#"# Without `pollIntervalMinutes` the image is pulled once, and later changes of its tag are not seen.
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  annotations:
    olm.operatorframework.io/migrated-from-catalogsource: olm/community
  name: community
spec:
  availabilityMode: Available
  priority: 0
  source:
    image:
      ref: example.com/community:latest
    type: Image
---
# `convert` of the migration tool creates this object.
# `phases` has the objects of the cluster. Of these the manifests name: none.
apiVersion: olm.operatorframework.io/v1
kind: ClusterObjectSet
metadata:
  annotations:
    olm.operatorframework.io/bundle-name: p.v1
    olm.operatorframework.io/bundle-version: 1.0.0
    olm.operatorframework.io/migrated-from-subscription: operators/my-p
    olm.operatorframework.io/package-name: p
  labels:
    olm.operatorframework.io/owner-kind: ClusterExtension
    olm.operatorframework.io/owner-name: my-p
  name: my-p-1
spec:
  collisionProtection: None
  lifecycleState: Active
  revision: 1
---
# `convert` of the migration tool creates this object; if it exists before, `convert` refuses.
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  annotations:
    olm.operatorframework.io/migrated-from-subscription: operators/my-p
    olm.operatorframework.io/migration-subscription-backup: '{"source":"community","sourceNamespace":"olm","name":"p","channel":"stable"}'
  name: my-p
spec:
  namespace: operators
  source:
    catalog:
      channels:
      - stable
      packageName: p
      selector:
        matchLabels:
          olm.operatorframework.io/metadata.name: community
    sourceType: Catalog
"#;
    assert_eq!(written(&installed()), expected);
}

#[test]
fn a_catalog_that_exists_is_not_written() {
    let cluster = installed() + "---\nkind: ClusterCatalog\nmetadata: {name: community}\n";
    assert!(!written(&cluster).contains("kind: ClusterCatalog\n"), "{}", written(&cluster));
}

#[test]
fn a_catalog_without_image_is_a_comment() {
    let cluster = installed().replace("spec: {image: 'example.com/community:latest'}\n", "");
    let comment = "# Create ClusterCatalog `community` first: the image of its CatalogSource is not known.\n";
    assert!(written(&cluster).contains(comment), "{}", written(&cluster));
}

#[test]
fn a_catalog_that_the_tool_refuses_is_a_comment() {
    let cluster = installed().replace("spec: {image:", "spec: {sourceType: configmap, image:");
    let comment = "# Create ClusterCatalog `community` first: `migrate-catalogs-v0-to-v1` does not: configmap-type CatalogSource has no OLMv1 equivalent.\n";
    assert!(written(&cluster).contains(comment), "{}", written(&cluster));
}

/// A ClusterCatalog of the name with another image does not have the content of the CatalogSource.
#[test]
fn a_catalog_of_another_image_is_not_selected() {
    let other = "---\nkind: ClusterCatalog\nmetadata: {name: community}\nspec: {source: {type: Image, image: {ref: 'r/o:1'}}}\n";
    let text = written(&(installed() + other));
    let comment = "# Create ClusterCatalog `community-olm` first: `migrate-catalogs-v0-to-v1` does not: ClusterCatalog community already exists with image \"r/o:1\"";
    assert!(text.contains(comment), "{text}");
    assert!(text.contains("olm.operatorframework.io/metadata.name: community-olm\n"), "{text}");
}

#[test]
fn an_adopted_catalog_is_selected_and_not_written() {
    let other = "---\nkind: ClusterCatalog\nmetadata: {name: already}\nspec: {source: {type: Image, image: {ref: 'example.com/community:latest'}}}\n";
    let text = written(&(installed() + other));
    assert!(!text.contains("kind: ClusterCatalog\n"), "{text}");
    assert!(text.contains("olm.operatorframework.io/metadata.name: already\n"), "{text}");
}

#[test]
fn poll_intervals_are_written() {
    let more = "community:latest', updateStrategy: {registryPoll: {interval: 10m}}";
    let text = written(&installed().replace("community:latest'", more));
    assert!(text.starts_with("apiVersion") && text.contains("      pollIntervalMinutes: 10\n"), "{text}");
}

#[test]
fn priorities_and_digests_are_kept() {
    let cluster =
        installed().replace("'example.com/community:latest'", "'example.com/community@sha256:0', priority: -5");
    let text = written(&cluster);
    assert!(text.starts_with("apiVersion") && text.contains("  priority: -5\n"), "{text}");
}

#[test]
fn opscope_reads_what_it_writes() {
    let more = "---\nkind: Subscription\nmetadata: {name: 'on', namespace: '1'}\nspec: {name: p, installPlanApproval: Manual, channel: '4.10', source: community, sourceNamespace: olm}\n\
                status: {installedCSV: p.v1}\n---\nkind: ClusterServiceVersion\nmetadata: {name: p.v1, namespace: '1'}\n\
                ---\nkind: Subscription\nmetadata: {name: c, namespace: '1'}\nspec: {name: p, channel: b, source: other, sourceNamespace: olm}\n";
    let migrations = migrate(&catalog(&[READY]), &(installed() + more));
    let expected: Vec<ClusterExtension> = migrations.iter().map(|migration| migration.extension.clone()).collect();
    let again = read(&manifests(&migrations));
    assert_eq!(again.diagnostics, []);
    assert_eq!(again.cluster_extensions, expected);
    assert_eq!(again.cluster_catalogs.len(), 1);
}

/// Manifests that were written by hand have no status.
#[test]
fn a_catalog_without_status_may_serve() {
    let other =
        "---\nkind: ClusterCatalog\nmetadata: {name: already}\nspec: {source: {type: Image, image: {ref: 'r/o:1'}}}\n";
    let migrations = migrate(&catalog(&[READY]), &(installed() + other));
    let unknown = "the manifests do not tell whether ClusterCatalog `already` serves";
    let checks = &migrations[0].eligibility.checks;
    assert!(checks.iter().any(|check| check.message == unknown), "{checks:?}");
}
