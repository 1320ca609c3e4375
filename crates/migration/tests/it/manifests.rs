//! The objects to create.

use crate::world::{READY, catalog, installed, migrate, read};
use cluster::ClusterExtension;
use migration::manifests;

fn written(cluster: &str) -> String {
    manifests(&migrate(&catalog(&[READY]), cluster))
}

#[test]
fn a_catalog_and_an_extension_are_written() {
    let expected =
        "# Without `pollIntervalMinutes` the image is pulled once, and later changes of its tag are not seen.
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
# The migration tool of operator-framework/library-olm creates this object itself, and refuses if it exists.
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
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
";
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
fn a_catalog_source_without_image_needs_a_catalog() {
    let cluster = installed().replace("spec: {image:", "spec: {sourceType: configmap, image:");
    let comment = "# Create ClusterCatalog `community` first: its CatalogSource has no image.\n";
    assert!(written(&cluster).contains(comment), "{}", written(&cluster));
}

/// A ClusterCatalog of the name with another image does not have the content of the CatalogSource.
#[test]
fn a_catalog_of_another_image_is_a_comment() {
    let other = "---\nkind: ClusterCatalog\nmetadata: {name: community}\nspec: {source: {type: Image, image: {ref: 'r/o:1'}}}\n";
    let text = written(&(installed() + other));
    let comment =
        "# ClusterCatalog `community` has the image `r/o:1`, not that of the CatalogSource: create another one.\n";
    assert!(text.contains(comment), "{text}");
}

#[test]
fn the_configuration_is_kept_without_its_selector() {
    let config = "name: p, config: {env: [{name: A, value: b}], selector: {matchLabels: {a: b}}},";
    let text = written(&installed().replace("name: p,", config));
    let expected = "  config:
    configType: Inline
    inline:
      deploymentConfig:
        env:
        - name: A
          value: b
  namespace: operators
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_catalog_of_the_same_image_is_selected_and_not_written() {
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
    let more = "---\nkind: Subscription\nmetadata: {name: 'on', namespace: '1'}\nspec: {name: q, installPlanApproval: Manual, channel: '4.10', source: community, sourceNamespace: olm}\n\
                status: {installedCSV: p.v1}\n---\nkind: ClusterServiceVersion\nmetadata: {name: p.v1, namespace: '1'}\n\
                ---\nkind: Subscription\nmetadata: {name: c, namespace: '1'}\nspec: {name: r, channel: b, source: other, sourceNamespace: olm}\n";
    let migrations = migrate(&catalog(&[READY]), &(installed() + more));
    let expected: Vec<ClusterExtension> = migrations.iter().map(|migration| migration.extension.clone()).collect();
    let again = read(&manifests(&migrations));
    assert_eq!(again.diagnostics, []);
    assert_eq!(again.cluster_extensions, expected);
    assert_eq!(again.cluster_catalogs.len(), 1);
}
