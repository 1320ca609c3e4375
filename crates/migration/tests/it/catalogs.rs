//! The ClusterCatalogs for CatalogSources.

use crate::world::read;
use migration::{CatalogOrigin, CatalogTarget, NewClusterCatalog, cluster_catalogs};

/// A CatalogSource `namespace/name` with the fields of its `spec`.
fn source(key: &str, spec: &str) -> String {
    let (namespace, name) = key.split_once('/').expect("a namespace and a name");
    format!("---\nkind: CatalogSource\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec: {{{spec}}}\n")
}

fn image(key: &str, image: &str) -> String {
    source(key, &format!("sourceType: grpc, image: '{image}'"))
}

fn cluster_catalog(name: &str, image: &str) -> String {
    format!(
        "---\nkind: ClusterCatalog\nmetadata: {{name: {name}}}\nspec: {{source: {{type: Image, image: {{ref: '{image}'}}}}}}\n"
    )
}

fn targets(objects: &[String]) -> Vec<CatalogTarget> {
    let manifests = read(&objects.concat());
    cluster_catalogs(&manifests.cluster, &manifests.cluster_catalogs)
}

/// The targets as text: the CatalogSource, the ClusterCatalog, and where that comes from.
#[track_caller]
fn check(objects: &[String], expected: &[&str]) {
    let text = |target: &CatalogTarget| {
        let origin = match &target.origin {
            CatalogOrigin::New(new) => format!("new of {}", new.image),
            CatalogOrigin::OtherImage(image) => format!("taken by {image}"),
            other => format!("{other:?}"),
        };
        format!("{}/{} {}: {origin}", target.source.namespace, target.source.name, target.name)
    };
    assert_eq!(targets(objects).iter().map(text).collect::<Vec<_>>(), expected);
}

fn created(object: String) -> NewClusterCatalog {
    match targets(&[object]).remove(0).origin {
        CatalogOrigin::New(new) => new,
        other => panic!("{other:?}"),
    }
}

/// library-olm `TestMigrateCatalogsDryRunAndAdoption`, as the next two.
#[test]
fn sources_of_the_same_image_share_a_catalog() {
    let objects = [image("two/shared", "r/s:1"), image("one/shared", "r/s:1")];
    check(&objects, &["one/shared shared: new of r/s:1", "two/shared shared: SameImage"]);
}

#[test]
fn another_image_gives_every_name_its_namespace() {
    check(
        &[image("one/shared", "r/s:1"), image("two/shared", "r/s:1"), image("three/shared", "r/o:1")],
        &[
            "one/shared shared-one: new of r/s:1",
            "three/shared shared-three: new of r/o:1",
            "two/shared shared-one: SameImage",
        ],
    );
}

#[test]
fn a_catalog_of_the_same_image_is_taken() {
    let objects = [image("one/covered", "r/c:1"), image("two/other", "r/c:1"), cluster_catalog("already", "r/c:1")];
    check(&objects, &["one/covered already: SameImage", "two/other already: SameImage"]);
    let several = [cluster_catalog("b", "r/x:1"), cluster_catalog("a", "r/x:1"), image("ns/x", "r/x:1")];
    check(&several, &["ns/x a: SameImage"]);
    check(&[several.concat(), cluster_catalog("x", "r/x:1")], &["ns/x x: SameImage"]);
}

#[test]
fn a_name_that_is_taken() {
    check(
        &[image("tenant/catalog", "r/new:1"), cluster_catalog("catalog", "r/old:1")],
        &["tenant/catalog catalog: taken by r/old:1"],
    );
    let unknown = "---\nkind: ClusterCatalog\nmetadata: {name: catalog}\n".to_owned();
    check(&[image("tenant/catalog", "r/new:1"), unknown], &["tenant/catalog catalog: SameName"]);
}

#[test]
fn sources_without_an_image() {
    let subscription = "---\nkind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: gone, sourceNamespace: ns}\n";
    check(
        &[
            source("ns/configmap", "sourceType: configmap, image: i"),
            source("ns/address-only", "sourceType: grpc, address: 'a:50051'"),
            source("ns/abbreviated", ""),
            subscription.to_owned(),
        ],
        &[
            "ns/abbreviated abbreviated: UnknownImage",
            "ns/address-only address-only: NoImage",
            "ns/configmap configmap: NoImage",
            "ns/gone gone: UnknownImage",
        ],
    );
}

#[test]
fn a_priority_beyond_32_bits_becomes_the_nearest() {
    let priority = |priority: &str| {
        created(source("a/x", &format!("sourceType: grpc, image: 'r/x:1', priority: {priority}"))).priority
    };
    assert_eq!([priority("2147483648"), priority("-2147483649"), priority("5")], [i32::MAX, i32::MIN, 5]);
    let beyond = targets(&[source("a/x", "sourceType: grpc, image: i, priority: 2147483648")]).remove(0).notes;
    let text = "`spec.priority` 2147483648 is outside of the range of a ClusterCatalog, whose priority has 32 bits";
    assert_eq!(beyond, [text]);
}

/// library-olm `TestConvertPollInterval`.
#[test]
fn intervals_are_whole_minutes() {
    let minutes = |image: &str, strategy: &str| {
        let spec = format!("sourceType: grpc, image: '{image}', updateStrategy: {{{strategy}}}");
        created(source("a/z", &spec)).poll_minutes
    };
    let polled = |interval: &str| minutes("r/y:1", &format!("registryPoll: {{interval: {interval}}}"));
    assert_eq!(
        ["30s", "90s", "5m", "1h1m59.9s", "0s", "'-5m'"].map(polled),
        [Some(1), Some(1), Some(5), Some(61), None, Some(1)]
    );
    assert_eq!(minutes("r/z@sha256:0", "registryPoll: {interval: 5m}"), None);
    assert_eq!(minutes("r/y:1", ""), None);
    // operator-framework/api `TestUpdateStrategyUnmarshal`: what is no duration is 15 minutes.
    assert_eq!([polled("19mError Code"), polled("''"), minutes("r/y:1", "registryPoll: {}")], [Some(15); 3]);
}

#[test]
fn fields_without_an_equivalent_are_noted() {
    let spec = "sourceType: grpc, image: i, secrets: [a, b], grpcPodConfig: {nodeSelector: {a: b}}";
    assert_eq!(
        targets(&[source("a/x", spec)]).remove(0).notes,
        [
            "OLM v1 pulls images with the pull secret of the cluster, not with `spec.secrets`",
            "catalogd serves all catalogs from one pod, which `spec.grpcPodConfig` does not configure",
        ]
    );
}
