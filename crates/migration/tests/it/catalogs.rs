//! What `migrate-catalogs-v0-to-v1` makes of CatalogSources.

use crate::world::read;
use migration::{CatalogOptions, CatalogOutcome, CatalogSkip, NewClusterCatalog, catalog_migrations};

/// A CatalogSource `namespace/name` with the fields of its `spec`.
fn source(key: &str, spec: &str) -> String {
    let (namespace, name) = key.split_once('/').expect("a namespace and a name");
    format!("---\nkind: CatalogSource\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec: {{{spec}}}\n")
}

/// A CatalogSource with an image.
fn image(key: &str, image: &str) -> String {
    source(key, &format!("sourceType: grpc, image: '{image}'"))
}

fn cluster_catalog(name: &str, image: &str) -> String {
    format!(
        "---\nkind: ClusterCatalog\nmetadata: {{name: {name}}}\nspec: {{source: {{type: Image, image: {{ref: '{image}'}}}}}}\n"
    )
}

fn outcomes(objects: &[String]) -> Vec<(String, CatalogOutcome)> {
    let manifests = read(&objects.concat());
    let found = catalog_migrations(&manifests.cluster, &manifests.cluster_catalogs, CatalogOptions::default());
    let row = |migration: &migration::CatalogMigration| {
        (format!("{}/{}", migration.source.namespace, migration.source.name), migration.outcome.clone())
    };
    found.iter().map(row).collect()
}

/// The outcomes as text: the CatalogSource, the ClusterCatalog and the reason.
#[track_caller]
fn check(objects: &[String], expected: &[&str]) {
    let found = outcomes(objects).into_iter().map(|(source, outcome)| {
        let catalog = outcome.catalog().map_or("-", |name| name.as_str());
        format!("{source} {catalog}: {outcome}")
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

fn created(objects: &[String]) -> Vec<NewClusterCatalog> {
    let new = |(_, outcome)| if let CatalogOutcome::Created(new) = outcome { Some((*new).clone()) } else { None };
    outcomes(objects).into_iter().filter_map(new).collect()
}

#[test]
fn m25_sources_of_the_same_image_share_a_catalog() {
    let objects = [image("two/shared", "r/s:1"), image("one/shared", "r/s:1")];
    check(
        &objects,
        &[
            "one/shared shared: created from image r/s:1",
            "two/shared shared: consolidated into shared ClusterCatalog shared",
        ],
    );
    let expected = NewClusterCatalog {
        name: "shared".into(),
        migrated_from: "one/shared".into(),
        image: "r/s:1".into(),
        poll_minutes: None,
        priority: 0,
    };
    assert_eq!(created(&objects), [expected]);
}

#[test]
fn m25_another_image_gives_every_name_its_namespace() {
    let objects = [image("one/shared", "r/s:1"), image("two/shared", "r/s:1"), image("three/shared", "r/o:1")];
    check(
        &objects,
        &[
            "one/shared shared-one: created from image r/s:1",
            "three/shared shared-three: created from image r/o:1",
            "two/shared shared-one: existing ClusterCatalog with matching image adopted",
        ],
    );
    let adopted = CatalogOutcome::Adopted { catalog: "shared-one".into(), adds_annotation: false };
    assert_eq!(outcomes(&objects)[2].1, adopted, "it has the annotation since its creation");
}

#[test]
fn m25_a_catalog_of_the_same_image_is_adopted() {
    let objects = [image("one/covered", "r/c:1"), image("two/other", "r/c:1"), cluster_catalog("already", "r/c:1")];
    let adopted = |adds_annotation| CatalogOutcome::Adopted { catalog: "already".into(), adds_annotation };
    let found: Vec<CatalogOutcome> = outcomes(&objects).into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(found, [adopted(true), adopted(false)], "the annotation is added once");
}

#[test]
fn m25_a_catalog_of_another_image_is_an_error() {
    check(
        &[image("tenant/catalog", "r/new:1"), cluster_catalog("catalog", "r/old:1")],
        &[
            r#"tenant/catalog -: ClusterCatalog catalog already exists with image "r/old:1", which does not match CatalogSource image "r/new:1""#,
        ],
    );
}

#[test]
fn m25_other_sources_are_skipped() {
    check(
        &[
            image("a/first", "r/f:1"),
            source("ns/configmap", "sourceType: configmap, image: i"),
            source("ns/internal", "sourceType: internal"),
            source("ns/address-only", "sourceType: grpc, address: 'a:50051'"),
            source("ns/unknown", "sourceType: unsupported"),
        ],
        &[
            "ns/address-only -: grpc address-only CatalogSource (no spec.image) has no OLMv1 equivalent",
            "ns/configmap -: configmap-type CatalogSource has no OLMv1 equivalent",
            "ns/internal -: internal-type CatalogSource has no OLMv1 equivalent",
            "ns/unknown -: unsupported sourceType \"unsupported\"",
            "a/first first: created from image r/f:1",
        ],
    );
}

#[test]
fn m25_a_priority_beyond_32_bits_is_skipped() {
    let objects = [
        source("a/x", "sourceType: grpc, image: 'r/x:1', priority: 2147483648"),
        source("a/z", "sourceType: grpc, image: 'r/y:1', priority: -2147483649, secrets: [s]"),
    ];
    let rest = "is out of int32 range; pass --acknowledge-priority-overflow to cap and proceed";
    let expected =
        [format!("a/x -: spec.priority 2147483648 {rest}"), format!("a/z -: spec.priority -2147483649 {rest}")];
    check(&objects, &expected.each_ref().map(|text| &**text));
    let capped = outcomes(&objects).into_iter().map(|(_, outcome)| match outcome {
        CatalogOutcome::Skipped(CatalogSkip::Priority { capped, .. }) => capped,
        other => panic!("{other:?}"),
    });
    assert_eq!(capped.collect::<Vec<_>>(), [2_147_483_647, -2_147_483_648]);
}

#[test]
fn m25_intervals_are_whole_minutes() {
    let minutes = |image: &str, strategy: &str| {
        let spec = format!("sourceType: grpc, image: '{image}', updateStrategy: {{{strategy}}}");
        created(&[source("a/z", &spec)])[0].poll_minutes
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
fn m25_every_unreferenced_source_is_deleted() {
    let subscription = "---\nkind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: shared, sourceNamespace: two}\n";
    let objects = [
        image("one/shared", "r/s:1"),
        image("two/shared", "r/s:1"),
        image("three/shared", "r/s:1"),
        source("four/shared", "sourceType: configmap"),
        subscription.to_owned(),
    ];
    let found = catalog_migrations(&read(&objects.concat()).cluster, &[], CatalogOptions::default());
    let deleted: Vec<_> = found.iter().map(|row| (&*row.source.namespace, row.is_deleted)).collect();
    assert_eq!(deleted, [("four", None), ("one", Some(true)), ("three", Some(true)), ("two", Some(false))]);
}

#[test]
fn a_selected_catalog_of_another_image_is_an_error() {
    check(
        &[image("a/x", "r/x:1"), image("b/already", "r/y:1"), cluster_catalog("already", "r/x:1")],
        &[
            "a/x already: existing ClusterCatalog with matching image adopted",
            r#"b/already -: ClusterCatalog already already selected with image "r/x:1", which does not match CatalogSource image "r/y:1""#,
        ],
    );
}

#[test]
fn of_several_catalogs_with_the_image_the_name_decides() {
    let catalogs = [cluster_catalog("b", "r/x:1"), cluster_catalog("a", "r/x:1"), cluster_catalog("x", "r/x:1")];
    let first = catalogs[..2].concat();
    check(&[image("ns/x", "r/x:1"), first], &["ns/x a: existing ClusterCatalog with matching image adopted"]);
    check(
        &[image("ns/x", "r/x:1"), catalogs.concat()],
        &["ns/x x: existing ClusterCatalog with matching image adopted"],
    );
}

#[test]
fn fields_without_an_equivalent_are_noted() {
    let spec = "sourceType: grpc, image: i, secrets: [a, b], grpcPodConfig: {nodeSelector: {a: b}}";
    let found = catalog_migrations(&read(&source("a/x", spec)).cluster, &[], CatalogOptions::default());
    let expected = [
        "spec.secrets (2 secret(s)) has no OLMv1 equivalent; OLMv1 uses the cluster global pull secret",
        "spec.grpcPodConfig has no OLMv1 equivalent; catalogd manages the serving pod configuration",
    ];
    assert_eq!(found[0].notes.iter().map(|note| &**note).collect::<Vec<_>>(), expected);
}

#[test]
fn what_manifests_leave_out_is_not_known() {
    let abbreviated = "---\nkind: ClusterCatalog\nmetadata: {name: x}\n".to_owned();
    check(
        &[source("a/bare", ""), image("a/x", "r/x:1"), abbreviated, cluster_catalog("other", "r/x:1")],
        &[
            "a/x -: the manifests do not show the image of ClusterCatalog `x`",
            "a/bare -: the manifests do not show the image of the CatalogSource",
        ],
    );
}

/// The texts of a dry run: the CatalogSource, the ClusterCatalog and the reason.
fn dry_run(objects: &[String]) -> Vec<String> {
    let manifests = read(&objects.concat());
    let options = CatalogOptions { is_dry_run: true, ..CatalogOptions::default() };
    let found = catalog_migrations(&manifests.cluster, &manifests.cluster_catalogs, options);
    let text = |migration: &migration::CatalogMigration| {
        let catalog = migration.outcome.catalog().map_or("-", |name| name.as_str());
        format!(
            "{}/{} {catalog}: {}",
            migration.source.namespace,
            migration.source.name,
            migration.outcome.dry_run_text()
        )
    };
    found.iter().map(text).collect()
}

#[test]
fn m25_a_dry_run_does_not_remember_names() {
    assert_eq!(
        dry_run(&[image("one/shared", "r/s:1"), image("two/shared", "r/s:1"), image("three/shared", "r/o:1")]),
        [
            "one/shared shared-one: would create ClusterCatalog shared-one from image r/s:1",
            "three/shared shared-three: would create ClusterCatalog shared-three from image r/o:1",
            "two/shared shared-two: would create ClusterCatalog shared-two from image r/s:1",
        ]
    );
    assert_eq!(
        dry_run(&[image("one/shared", "r/s:1"), image("two/shared", "r/s:1")]),
        [
            "one/shared shared: would create ClusterCatalog shared from image r/s:1",
            "two/shared shared: would create ClusterCatalog shared from image r/s:1",
        ]
    );
    assert_eq!(
        dry_run(&[cluster_catalog("already", "r/c:1"), image("one/covered", "r/c:1")]),
        ["one/covered already: would adopt existing ClusterCatalog already"]
    );
}

#[test]
fn m25_an_acknowledged_priority_is_capped() {
    let priority = |priority: &str| {
        let object = source("a/x", &format!("sourceType: grpc, image: 'r/x:1', priority: {priority}"));
        let options = CatalogOptions { caps_priority: true, ..CatalogOptions::default() };
        let found = catalog_migrations(&read(&object).cluster, &[], options);
        match &found[0].outcome {
            CatalogOutcome::Created(new) => new.priority,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!([priority("2147483648"), priority("-2147483649"), priority("5")], [i32::MAX, i32::MIN, 5]);
}
