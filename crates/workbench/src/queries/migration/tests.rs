//! Tests of migrations and their words.

use crate::Workbench;
use crate::testing::{form, workbench, yaml};
use views::{
    CatalogId, CatalogMigrationRow, CatalogMigrationStatus, CheckOutcomeView, CrdUpgradeStatus, MigrationNoteKind,
    MigrationRow, MigrationVerdictView, MigrationView, PackageKey, ReadinessVerdictView, SubscriptionForm,
};

const CATALOG: &str = "package p c\nchannel p c p.v1.0.0 p.v2.0.0>p.v1.0.0 p.v3.0.0>p.v2.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0 requires q >=1.0.0";

const CLUSTER: &str = "kind: CatalogSource
metadata: {name: c, namespace: olm}
spec: {image: 'example.com/c@sha256:0'}
---
kind: Subscription
metadata: {name: my-p, namespace: operators}
spec: {name: p, channel: c, source: c, sourceNamespace: olm}
status: {installedCSV: p.v1.0.0}
---
kind: ClusterServiceVersion
metadata: {name: p.v1.0.0, namespace: operators}
spec: {version: 1.0.0}
";

/// A property that shows install modes.
const MODES: &str = "- type: olm.csv.metadata\n  value: {installModes: [{type: AllNamespaces, supported: true}]}\n";

/// A workbench with the catalog, of which `p.v2.0.0` shows its install modes.
fn ready() -> Workbench {
    let text = yaml(CATALOG).replace("version: 2.0.0}\n", &format!("version: 2.0.0}}\n{MODES}"));
    Workbench::new().with_text("c", "catalog.yaml", text)
}

fn migrate(workbench: Workbench, cluster: &str) -> MigrationView {
    workbench.with_cluster(cluster).migration()
}

#[track_caller]
fn single(workbench: Workbench, cluster: &str) -> MigrationRow {
    let view = migrate(workbench, cluster);
    let [row] = <[MigrationRow; 1]>::try_from(view.subscriptions).expect("there is one Subscription");
    row
}

fn texts(row: &MigrationRow, kind: MigrationNoteKind) -> Vec<&str> {
    row.notes.iter().filter(|note| note.kind == kind).map(|note| note.text.as_str()).collect()
}

#[test]
fn what_the_next_bundle_requires_may_keep_olm_v0_from_it() {
    let row = single(ready(), &CLUSTER.replace("p.v1.0.0", "p.v2.0.0"));
    assert_eq!(row.v0, "OLM v0 updates it to `p.v3.0.0`, if all that it requires is there");
}

#[test]
fn a_subscription_has_a_verdict_with_notes() {
    let row = single(ready(), CLUSTER);
    assert_eq!((row.verdict, row.summary.as_str()), (MigrationVerdictView::Moves, "moves first to `p.v2.0.0`"));
    assert_eq!((row.v0.as_str(), row.differs), ("OLM v0 updates it to `p.v2.0.0`", false));
    assert_eq!(row.v1, "OLM v1 updates it to `p.v2.0.0`");
    let obstacles = texts(&row, MigrationNoteKind::Obstacle);
    let refused = "of the bundles that updates may lead to, OLM v1 refuses `p.v3.0.0`";
    let anew = "without the migration tool, a ClusterExtension that is written by hand does not know that `p.v1.0.0` is installed, and fails: `validating bundle \"p.v3.0.0\": bundle \"p.v3.0.0\" has a dependency declared via property \"olm.package.required\" which is currently not supported`; with `version: 1.0.0` it begins with the installed version";
    assert_eq!(obstacles, [refused]);
    let unknown = [
        "the catalog does not show the webhooks, deployments and other manifests of `p.v2.0.0`",
        "whether OLM v1 upgrades the CustomResourceDefinitions to those of `p.v2.0.0` is not known: the catalog does not have all of their manifests",
    ];
    assert_eq!(texts(&row, MigrationNoteKind::Unknown), unknown);
    let hints = ["ClusterCatalog `c` is made of the image of the CatalogSource", anew];
    assert_eq!(texts(&row, MigrationNoteKind::Hint), hints);
    let bundles: Vec<_> =
        row.bundles.iter().map(|row| (row.bundle.as_str(), row.verdict, row.is_chosen, row.is_installed)).collect();
    let expected = [
        ("p.v3.0.0", ReadinessVerdictView::Refused, false, false),
        ("p.v2.0.0", ReadinessVerdictView::NothingFound, true, false),
        ("p.v1.0.0", ReadinessVerdictView::CannotBeKnown, false, true),
    ];
    assert_eq!(bundles, expected);
}

#[test]
fn the_tool_does_not_see_that_olm_v1_fails() {
    let cluster = CLUSTER.replace("p.v1.0.0", "p.v2.0.0").replace("version: 1.0.0", "version: 2.0.0");
    let cluster = cluster.replace("status: {", "status: {state: AtLatestKnown, ");
    let hidden = "the migration tool still reports success, because its first revision is installed";
    let row = single(ready(), &cluster);
    assert_eq!((row.verdict, row.succeeds()), (MigrationVerdictView::Refused, false));
    assert!(texts(&row, MigrationNoteKind::Obstacle).contains(&hidden), "{:?}", row.notes);
    assert!(!texts(&single(ready(), CLUSTER), MigrationNoteKind::Obstacle).contains(&hidden));
}

#[test]
fn the_manifests_have_the_image_of_a_catalog_source_that_is_not_loaded() {
    let cluster = CLUSTER.replace("source: c,", "source: other,")
        + "---\nkind: CatalogSource\nmetadata: {name: other, namespace: olm}\nspec: {image: 'example.com/other:1'}\n";
    let view = migrate(ready(), &cluster);
    assert_eq!(
        view.subscriptions[0].summary,
        "cannot be known, because no catalog is loaded for CatalogSource `other` in `olm`"
    );
    assert_eq!(view.subscriptions[0].package_key, None);
    assert!(view.manifests.contains("ref: example.com/other:1\n"), "{}", view.manifests);
}

#[test]
fn a_form_is_migrated_too() {
    let row =
        SubscriptionForm { package: "p".to_owned(), installed: "p.v1.0.0".to_owned(), ..SubscriptionForm::default() };
    let view = ready().with_form(&form(&[row])).migration();
    let row = &view.subscriptions[0];
    assert_eq!((row.subscription.as_str(), row.summary.as_str()), ("p", "moves first to `p.v2.0.0`"));
    let hint = "the Subscription names no channel, so the tool names the default channel `c`";
    assert!(texts(row, MigrationNoteKind::Hint).contains(&hint), "{:?}", row.notes);
    assert_eq!(row.manifest, view.manifests);
}

#[test]
fn the_summary_says_why() {
    let check = |cluster: &str, verdict: MigrationVerdictView, expected: &str| {
        let row = single(ready(), cluster);
        assert_eq!((row.verdict, row.summary.as_str()), (verdict, expected));
        row
    };
    let refused = check(
        &CLUSTER.replace("p.v1.0.0", "p.v2.0.0").replace("version: 1", "version: 2"),
        MigrationVerdictView::Refused,
        "is refused, because `p.v3.0.0` has a dependency",
    );
    let error = "OLM v1 fails: `validating bundle \"p.v3.0.0\": bundle \"p.v3.0.0\" has a dependency declared via property \"olm.package.required\" which is currently not supported`";
    assert_eq!((refused.v1.as_str(), refused.differs), (error, true));
    let fails = "fails, because OLM v1 finds no bundle";
    check(&CLUSTER.replace("channel: c", "channel: d"), MigrationVerdictView::Fails, fails);
    let rejected = "is refused, because the API server rejects the objects of the migration";
    check(&CLUSTER.replace("name: p,", "name: P_,"), MigrationVerdictView::Refused, rejected);
    let manual = CLUSTER.replace("name: p,", "name: p, installPlanApproval: Manual,");
    let unknown = "stays at `p.v1.0.0`, if OLM v1 accepts it: the catalog does not show its ClusterServiceVersion";
    let held = check(&manual, MigrationVerdictView::CannotBeKnown, unknown);
    assert!(held.differs && held.manifest.contains("version: 1.0.0\n"), "{}", held.manifest);
    assert_eq!(held.v0, "OLM v0 updates it to `p.v2.0.0` once somebody approves it");
    let nothing = CLUSTER.replace("kind: ClusterServiceVersion", "kind: ConfigMap");
    // A bundle that the manifests lack is still installed.
    let missing = check(&nothing, MigrationVerdictView::Moves, "moves first to `p.v2.0.0`");
    let csv = missing.eligibility.checks.iter().find(|check| check.name == "CSV health").unwrap();
    let unknown = "the manifests do not have ClusterServiceVersion `p.v1.0.0`";
    assert_eq!((csv.outcome, csv.message.as_str()), (CheckOutcomeView::NotKnown, unknown));
}

#[test]
fn obstacles_are_worded() {
    let cluster = CLUSTER.replace("name: p,", "name: p, config: {env: []},")
        + "---\nkind: OperatorGroup\nmetadata: {name: g, namespace: operators}\nspec: {targetNamespaces: [b, a]}\n\
           ---\nkind: Subscription\nmetadata: {name: q-c-c-olm, namespace: operators, annotations: {olm.generated-by: install-a}}\nspec: {name: q, channel: c, source: c, sourceNamespace: olm}\n";
    let view = migrate(ready(), &cluster);
    let expected = [
        "OperatorGroup `g` lets the operator watch the namespaces `a`, `b` only; OLM v1 installs it for all namespaces, and it then sees all",
        "`spec.config` (`env`) becomes `config.inline.deploymentConfig`, which OLM v1 takes only with the feature gate DeploymentConfig; without it: `unknown field \"deploymentConfig\"`. The tool does not check that",
        "OLM v0 created Subscription `q-c-c-olm` of this namespace for a dependency: the migration tool does not take it, and package `q` is not managed by OLM v1 afterwards",
    ];
    assert_eq!(texts(&view.subscriptions[0], MigrationNoteKind::Obstacle)[..3], expected);
}

#[test]
fn catalog_sources_have_rows() {
    let cluster = CLUSTER.replace("image: 'example.com/c@sha256:0'", "image: 'example.com/c:1', secrets: [a]")
        + "---\nkind: ClusterCatalog\nmetadata: {name: same}\nspec: {source: {type: Image, image: {ref: 'example.com/c:1'}}}\n";
    let view = migrate(ready(), &cluster);
    let expected = CatalogMigrationRow {
        source: "c".to_owned(),
        namespace: "olm".to_owned(),
        status: CatalogMigrationStatus::Adopted,
        catalog: Some("same".to_owned()),
        reason: "existing ClusterCatalog with matching image adopted".to_owned(),
        notes: vec![
            "spec.secrets (1 secret(s)) has no OLMv1 equivalent; OLMv1 uses the cluster global pull secret".to_owned(),
        ],
        hint: Some(
            "only an annotation is added to ClusterCatalog `same`; its priority and poll interval stay".to_owned(),
        ),
        deletion: Some("CatalogSource retained because one or more Subscriptions still reference it".to_owned()),
    };
    assert_eq!((view.catalogs, view.unknown_catalogs), (vec![expected], None), "nothing new has to serve");
    let hints = ["ClusterCatalog `same` exists, and has the image of the CatalogSource"];
    assert_eq!(texts(&view.subscriptions[0], MigrationNoteKind::Hint)[..1], hints);
    let refused = migrate(ready(), &CLUSTER.replace("spec: {image", "spec: {sourceType: internal, image"));
    assert_eq!(refused.catalogs[0].status, CatalogMigrationStatus::Skipped);
    let obstacle = "ClusterCatalog `c` has to be created first: `migrate-catalogs-v0-to-v1` says `internal-type CatalogSource has no OLMv1 equivalent`";
    assert!(texts(&refused.subscriptions[0], MigrationNoteKind::Obstacle).contains(&obstacle));
    assert!(!refused.manifests.contains("kind: ClusterCatalog\n"), "{}", refused.manifests);
}

#[test]
fn a_crd_has_a_row() {
    let described =
        MODES.replace("installModes", "crdDescriptions: {owned: [{name: as.b, version: v1}]}, installModes");
    let text = yaml(CATALOG)
        .replace("version: 1.0.0}\n", &format!("version: 1.0.0}}\n{described}"))
        .replace("version: 2.0.0}\n", &format!("version: 2.0.0}}\n{described}"));
    let row = single(Workbench::new().with_text("c", "catalog.yaml", text), CLUSTER);
    assert_eq!((row.crds[0].name.as_str(), row.crds[0].status), ("as.b", CrdUpgradeStatus::Unknown));
    assert_eq!(row.crds[0].lines, ["the catalog does not have its manifest in the next bundle"]);
}

#[test]
fn a_catalog_that_opm_rejects_is_noticed() {
    let broken = CATALOG.replace("package p c\n", "package p d\n");
    let notices = migrate(workbench(&[("c", &broken)]), CLUSTER).notices;
    let expected = "`opm` rejects catalog `c`, so OLM v0 gets nothing from it; OLM v1 validates no catalog";
    assert_eq!(notices, [expected, super::wording::TOOL]);
}

#[test]
fn a_package_has_a_summary() {
    let key = |package: &str| PackageKey { catalog: CatalogId(0), package: package.to_owned() };
    let view = ready().readiness(&key("p")).unwrap();
    let names: Vec<_> = view.bundles.iter().map(|row| (row.bundle.as_str(), row.verdict)).collect();
    let expected = [
        ("p.v3.0.0", ReadinessVerdictView::Refused),
        ("p.v2.0.0", ReadinessVerdictView::NothingFound),
        ("p.v1.0.0", ReadinessVerdictView::CannotBeKnown),
    ];
    assert_eq!(
        (names, view.summary.as_str()),
        (expected.to_vec(), "OLM v1 refuses 1 of 3 bundles, and 1 cannot be known")
    );
    assert_eq!(
        view.bundles[2].unknown,
        [
            "not shown by the catalog: the install modes and API services",
            "not shown by the catalog: the webhooks, deployments and other manifests"
        ]
    );
    assert_eq!(ready().readiness(&key("q")), None);
}

/// The example shows both ends of a dependency that the migration tool does not take.
#[test]
fn the_blocked_example_is_blocked() {
    let examples = crate::gallery::gallery();
    let example = examples.iter().find(|example| example.slug == "migration-blocked").expect("an example");
    let workbench = Workbench::new().with_text("community", "catalog.yaml", example.catalogs[0].text.to_owned());
    let view = migrate(workbench, example.cluster);
    let failed = |row: &MigrationRow| -> Vec<String> {
        let checks = row.eligibility.checks.iter().filter(|check| check.outcome == CheckOutcomeView::Failed);
        checks.map(|check| check.name.clone()).collect()
    };
    let found: Vec<_> = view.subscriptions.iter().map(|row| (row.subscription.as_str(), failed(row))).collect();
    let group = ["AllNamespaces mode", "Namespace scope change"].map(str::to_owned);
    let with = |one: &str| [one.to_owned()].into_iter().chain(group.clone());
    assert_eq!(
        found,
        [
            ("cache-stable-community-olm", with("Not a dependency").collect()),
            ("store", group.clone().into_iter().chain(["No dependency resolution".to_owned()]).collect()),
        ]
    );
}
