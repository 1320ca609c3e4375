//! `opscope migrate`

use super::{CHAIN, CLUSTER, answer, catalog, check, check_failure, put, report};

/// A Subscription that moves, in a namespace of its own.
const MOVING: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
spec: {sourceType: grpc, image: 'example.com/community@sha256:0', secrets: [pull]}
---
kind: OperatorGroup
metadata: {name: own, namespace: shop}
spec: {targetNamespaces: [shop]}
---
kind: Subscription
metadata: {name: my-store, namespace: shop}
spec: {name: store, channel: stable, source: community, sourceNamespace: olm}
status: {installedCSV: store.v1.0.0, state: AtLatestKnown}
---
kind: ClusterServiceVersion
metadata: {name: store.v1.0.0, namespace: shop}
spec: {version: 1.0.0}
status: {phase: Succeeded, reason: InstallSucceeded}
";

/// Writes the catalog with install modes of `store`, and a cluster.
fn write(name: &str, cluster: &str) -> String {
    let version = "- {type: olm.package, value: {packageName: store";
    let modes = "- {type: olm.csv.metadata, value: {installModes: [{type: AllNamespaces, supported: true}]}}\n";
    let path = format!("ready-{name}");
    put(&path, catalog(CHAIN).replace(version, &[modes, version].concat()));
    put(name, cluster);
    format!("migrate --cluster {name} --catalog community={path}")
}

#[test]
fn in_text() {
    check(
        &write("moving.yaml", MOVING),
        0,
        "note: OLM v1 is taken for the newest release, with the defaults of its feature gates
note: the migration tool of operator-framework/library-olm makes the installed bundle known to OLM
      v1, which a ClusterExtension that is applied by hand does not

Subscription my-store in shop
✓ moves first to `store.v1.5.0`
▲ OperatorGroup `own` lets the operator watch the namespace `shop` only; OLM v1 installs it for all
  namespaces, and it then sees all
? the catalog does not show the webhooks, deployments and other manifests of `store.v1.5.0`
? whether OLM v1 upgrades the CustomResourceDefinitions to those of `store.v1.5.0` is not known: the
  catalog does not have all of their manifests
note: ClusterCatalog `community` is made of the image `example.com/community@sha256:0` of the
      CatalogSource
note: a ClusterExtension that is applied by hand does not know that `store.v1.0.0` is installed, and
      installs `store.v2.0.0`; with `version: 1.0.0` it begins with the installed version

bundle        version             OLM v1
store.v2.0.0  2.0.0               refuses nothing that the catalog shows
store.v1.5.0  1.5.0    next       refuses nothing that the catalog shows
store.v1.0.0  1.0.0    installed  refuses nothing that the catalog shows

CatalogSources
✓ community in olm: ClusterCatalog `community` is made of the image `example.com/community@sha256:0`
  of the CatalogSource
  note: OLM v1 pulls images with the pull secret of the cluster, not with `spec.secrets`

1 of 1 Subscription can be migrated as far as the manifests show; `--format yaml` prints the objects
",
    );
}

#[test]
fn a_dependency_is_refused_with_exit_code_1() {
    let (report, code) = report(&format!("{} --format json", write("refused.yaml", CLUSTER)));
    let groups = report["groups"].as_array().unwrap();
    let verdicts: Vec<_> = groups.iter().filter_map(|group| group["verdict"].as_str()).collect();
    assert_eq!((verdicts, code), (vec!["refused", "stays", "moves"], 1));
}

#[test]
fn the_order_of_objects_does_not_matter() {
    let first = answer(&format!("{} --format json", write("ordered.yaml", CLUSTER)));
    let mut documents: Vec<&str> = CLUSTER.split("---\n").collect();
    documents.reverse();
    let second = answer(&format!("{} --format json", write("reversed.yaml", &documents.join("---\n"))));
    assert_eq!(first, second);
}

#[test]
fn a_cluster_without_answer_ends_with_exit_code_2() {
    let empty = write("empty.yaml", "kind: CatalogSource\nmetadata: {name: community, namespace: olm}\n");
    check_failure(&empty, "`empty.yaml` has no Subscription, so there is nothing to migrate");
    check_failure(
        "migrate --cluster broken.yaml --catalog community=catalog.yaml",
        "broken.yaml:11:11: `metadata` must be an object, found a list",
    );
}
