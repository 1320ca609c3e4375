//! What the page and the command line say.

use crate::world::{READY, catalog, installed, migrate, view};
use migration::{Migration, NextV1};
use views::{CatalogMigrationStatus, CrdUpgradeStatus, MigrationGroup, MigrationNoteKind, MigrationVerdict};

/// A property that declares a dependency.
const DEPENDENCY: &str = "{type: olm.package.required, value: {packageName: q, versionRange: '>=1.0.0'}}";
const ERROR: &str = "validating bundle \"p.v2\": bundle \"p.v2\" has a dependency declared via property \"olm.package.required\" which is currently not supported";

#[track_caller]
fn single(text: &str, cluster: &str) -> MigrationGroup {
    let [group] = <[MigrationGroup; 1]>::try_from(view(text, cluster).groups).expect("there is one group");
    group
}

fn texts(group: &MigrationGroup, kind: MigrationNoteKind) -> Vec<&str> {
    group.notes.iter().filter(|note| note.kind == kind).map(|note| note.text.as_str()).collect()
}

#[test]
fn a_subscription_has_a_verdict_with_notes() {
    let group = single(&catalog(&[READY]), &installed());
    assert_eq!((group.verdict, group.summary.as_str()), (MigrationVerdict::Moves, "moves first to `p.v2`"));
    assert_eq!((group.v0.as_str(), group.differs), ("OLM v0 updates it to `p.v2`", false));
    assert_eq!(group.v1, "OLM v1 updates it to `p.v2`");
    let unknown = [
        "the catalog does not show the webhooks, deployments and other manifests of `p.v2`",
        "whether OLM v1 upgrades the CustomResourceDefinitions to those of `p.v2` is not known: the catalog does not have all of their manifests",
    ];
    assert_eq!(texts(&group, MigrationNoteKind::Unknown), unknown);
    let hints = [
        "ClusterCatalog `community` is made of the image `example.com/community:latest` of the CatalogSource",
        "a ClusterExtension that is applied by hand does not know that `p.v1` is installed, and installs `p.v3`; with `version: 1.0.0` it begins with the installed version",
    ];
    assert_eq!(texts(&group, MigrationNoteKind::Hint), hints);
    let bundles: Vec<_> =
        group.bundles.iter().map(|row| (row.bundle.as_str(), row.is_chosen, row.is_installed)).collect();
    assert_eq!(bundles, [("p.v3", false, false), ("p.v2", true, false), ("p.v1", false, true)]);
}

#[test]
fn the_summary_says_why() {
    let check = |text: &str, cluster: &str, verdict: MigrationVerdict, expected: &str| {
        let group = single(text, cluster);
        assert_eq!((group.verdict, group.summary.as_str()), (verdict, expected));
        group
    };
    let ready = catalog(&[READY]);
    let because = "is refused, because `p.v2` has a dependency";
    let refused = check(&catalog(&[READY, DEPENDENCY]), &installed(), MigrationVerdict::Refused, because);
    assert_eq!((refused.v1, refused.differs), (format!("OLM v1 fails: `{ERROR}`"), true));
    assert_eq!(refused.v0, "OLM v0 does not update it");
    let fails = "fails, because OLM v1 finds no bundle";
    check(&ready, &installed().replace("channel: stable", "channel: d"), MigrationVerdict::Fails, fails);
    let rejected = "is refused, because the API server rejects the ClusterExtension";
    check(&ready, &installed().replace("name: p,", "name: P_,"), MigrationVerdict::Refused, rejected);
    let manual = installed().replace("name: p,", "name: p, installPlanApproval: Manual,");
    let held = check(&ready, &manual, MigrationVerdict::Stays, "stays at `p.v1`");
    assert!(held.differs);
    assert_eq!(held.v0, "OLM v0 updates it to `p.v2` once somebody approves it");
    let unknown = "moves first to `p.v2`, if OLM v1 accepts it: the catalog does not show its ClusterServiceVersion";
    check(&catalog(&[]), &installed(), MigrationVerdict::CannotBeKnown, unknown);
    let other = "cannot be known, because no catalog is loaded for CatalogSource `other` in `olm`";
    check(&ready, &installed().replace("source: community", "source: other"), MigrationVerdict::CannotBeKnown, other);
}

/// The bundle that OLM v0 updates to by its channel alone requires another package.
#[test]
fn what_olm_v0_does_with_requirements_is_simulated() {
    let text = catalog(&[READY, DEPENDENCY]);
    let required = "---\nschema: olm.package\nname: q\ndefaultChannel: c\n---\nschema: olm.channel\npackage: q\nname: c\nentries: [{name: q.v1}]\n---\nschema: olm.bundle\npackage: q\nname: q.v1\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: q, version: 1.0.0}}\n";
    assert_eq!(single(&(text.clone() + required), &installed()).v0, "OLM v0 updates it to `p.v2`");
    assert_eq!(single(&text, &installed()).v0, "OLM v0 does not update it");
    let other = installed() + "---\nkind: CatalogSource\nmetadata: {name: other, namespace: olm}\n";
    assert_eq!(single(&text, &other).v0, "OLM v0 updates it to `p.v2`, if all that it requires is there");
}

#[test]
fn what_comes_after_the_next_bundle() {
    let third = catalog(&[READY]).replace("version: 3.0.0}}\n", &format!("version: 3.0.0}}}}\n- {DEPENDENCY}\n"));
    let group = single(&third, &installed());
    let refused = ["of the bundles that updates may lead to, OLM v1 refuses `p.v3`"];
    assert_eq!(texts(&group, MigrationNoteKind::Obstacle), refused);
}

#[test]
fn obstacles_are_worded() {
    let cluster = installed().replace("name: p,", "name: p, config: {env: []},")
        + "status: {phase: Failed, reason: ComponentUnhealthy}\n\
           ---\nkind: OperatorGroup\nmetadata: {name: g, namespace: operators}\nspec: {targetNamespaces: [b, a], serviceAccountName: few}\n\
           ---\nkind: OperatorCondition\nmetadata: {name: p.v1, namespace: operators}\nstatus: {conditions: [{type: Upgradeable}]}\n\
           ---\nkind: Subscription\nmetadata: {name: q-c-c-olm, namespace: operators, annotations: {olm.generated-by: install-a}}\nspec: {name: q, channel: c, source: community, sourceNamespace: olm}\n";
    let view = view(&catalog(&[READY]), &cluster);
    let expected = [
        "ClusterServiceVersion `p.v1` is `Failed` (`ComponentUnhealthy`), so OLM v0 has not installed it completely (check C8 of the migration tool)",
        "OperatorGroup `g` lets the operator watch the namespaces `a`, `b` only; OLM v1 installs it for all namespaces, and it then sees all (check C1 of the migration tool)",
        "OperatorGroup `g` lets OLM v0 install with the permissions of ServiceAccount `few` only; OLM v1 does not limit its own (check C6 of the migration tool)",
        "`spec.config` (`env`) becomes `config.inline.deploymentConfig`, which OLM v1 takes only with the feature gate DeploymentConfig; without it: `unknown field \"deploymentConfig\"`",
        "the operator reports conditions with OperatorCondition `p.v1`, which OLM v1 does not read: it updates also when the operator forbids it (check C4 of the migration tool)",
        "OLM v0 created Subscription `q-c-c-olm` of this namespace for a dependency: under OLM v1 package `q` needs a ClusterExtension of its own",
    ];
    assert_eq!(texts(&view.groups[0], MigrationNoteKind::Obstacle), expected);
    let generated = "OLM v0 created the Subscription for a dependency of another operator; OLM v1 resolves no dependencies (check C9 of the migration tool)";
    assert!(texts(&view.groups[1], MigrationNoteKind::Obstacle).contains(&generated), "{:?}", view.groups[1].notes);
}

#[test]
fn catalog_sources_have_rows() {
    let cluster = installed()
        + "---\nkind: CatalogSource\nmetadata: {name: old, namespace: olm}\nspec: {sourceType: configmap}\n";
    let rows = view(&catalog(&[READY]), &cluster).catalogs;
    let found: Vec<_> = rows.iter().map(|row| (&*row.source, &*row.catalog, row.status, &*row.reason)).collect();
    let made = "is made of the image `example.com/community:latest` of the CatalogSource";
    let missing = "has to be created first: OLM v1 serves catalogs from images, and the CatalogSource has none";
    assert_eq!(
        found,
        [
            ("community", "community", CatalogMigrationStatus::New, made),
            ("old", "old", CatalogMigrationStatus::Missing, missing),
        ]
    );
}

#[test]
fn a_crd_has_a_row() {
    let described =
        READY.replace("installModes", "crdDescriptions: {owned: [{name: as.b, version: v1}]}, installModes");
    let text = catalog(&[&described]).replace(READY, &described);
    let group = single(&text, &installed());
    assert_eq!((group.crds[0].name.as_str(), group.crds[0].status), ("as.b", CrdUpgradeStatus::Unknown));
    assert_eq!(group.crds[0].lines, ["the catalog does not have its manifest in the next bundle"]);
}

/// The answer is as long as the list of names, not the number of Subscriptions times the list of bundles.
#[test]
fn subscriptions_with_the_same_answer_are_a_group() {
    let objects = |number: usize| {
        format!(
            "---\nkind: OperatorGroup\nmetadata: {{name: own, namespace: ns-{number}}}\n---\nkind: Subscription\n\
             metadata: {{name: s-{number}, namespace: ns-{number}}}\nspec: {{name: p, channel: stable, source: community, sourceNamespace: olm}}\n"
        )
    };
    let groups = view(&catalog(&[READY]), &(0..50).map(objects).collect::<String>()).groups;
    let [one, others] = &groups[..] else { panic!("{groups:?}") };
    assert_eq!((&*one.subscriptions[0].subscription, one.subscriptions.len()), ("s-0", 1));
    assert_eq!((others.verdict, others.subscriptions.len()), (MigrationVerdict::Ends, 49));
    let shared = "OLM v1 installs a package once, at one version: the ClusterExtension also stands for Subscriptions `s-1` in `ns-1`, `s-10` in `ns-10`, `s-11` in `ns-11`, `s-12` in `ns-12`, `s-13` in `ns-13` and 44 more, which have to go with their ClusterServiceVersions";
    assert!(texts(one, MigrationNoteKind::Obstacle).contains(&shared), "{:?}", one.notes);
}

/// Both ways to a ClusterExtension have their answer.
#[test]
fn a_new_extension_may_fail_where_an_adopted_one_stays() {
    let text = catalog(&[READY]).replace("version: 3.0.0}}\n", &format!("version: 3.0.0}}}}\n- {DEPENDENCY}\n"));
    let found: Vec<Migration> = migrate(&text, &installed());
    assert!(matches!(found[0].v1_new, NextV1::Fails(_)), "{:?}", found[0].v1_new);
    assert_eq!(found[0].v1_adopted, NextV1::Moves("p.v2".into()));
}
