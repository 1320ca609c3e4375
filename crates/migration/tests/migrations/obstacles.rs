//! What is in the way of a Subscription, apart from bundles.

use crate::world::{NEW, READY, catalog, installed, migrate, single};
use migration::{MigrationObstacle, MigrationVerdict};
use simulate::TargetNamespaces;

#[track_caller]
fn check(cluster: &str, expected: &[MigrationObstacle]) {
    assert_eq!(single(&catalog(&[READY]), cluster).obstacles, expected);
}

#[test]
fn a_plain_subscription_has_no_obstacle() {
    let group = "---\nkind: OperatorGroup\nmetadata: {name: g, namespace: operators}\n";
    check(&(installed() + group), &[]);
}

#[test]
fn a_package_name_that_the_api_rejects() {
    let cluster = installed().replace("name: p,", "name: P_1,");
    let found = single(&catalog(&[READY]), &cluster);
    assert_eq!(
        (found.obstacles, found.verdict),
        (vec![MigrationObstacle::PackageName("P_1".into())], MigrationVerdict::Refused)
    );
}

#[test]
fn a_subscription_without_catalog() {
    let cluster = installed().replace(", source: community, sourceNamespace: olm", "");
    let found = single(&catalog(&[READY]), &cluster);
    assert_eq!((found.obstacles, found.verdict), (vec![MigrationObstacle::NoCatalog], MigrationVerdict::CannotBeKnown));
}

#[test]
fn a_csv_that_only_the_status_names() {
    let without = installed().replace("kind: ClusterServiceVersion", "kind: ConfigMap");
    check(&without, &[MigrationObstacle::MissingCsv("p.v1".into())]);
}

#[test]
fn target_namespaces() {
    let group =
        "---\nkind: OperatorGroup\nmetadata: {name: g, namespace: operators}\nspec: {targetNamespaces: [b, a]}\n";
    let targets = TargetNamespaces::Named(["a", "b"].map(Into::into).into());
    check(&(installed() + group), &[MigrationObstacle::TargetNamespaces { group: "g".into(), targets }]);
    check(&(installed() + &group.replace("namespace: operators", "namespace: other")), &[]);
    let labels = group.replace("targetNamespaces: [b, a]", "selector: {matchLabels: {a: b}}");
    let targets = TargetNamespaces::Labelled;
    check(&(installed() + &labels), &[MigrationObstacle::TargetNamespaces { group: "g".into(), targets }]);
}

#[test]
fn configuration_of_the_operator() {
    let cluster = installed().replace("name: p,", "name: p, config: {env: [], tolerations: []},");
    check(&cluster, &[MigrationObstacle::Config(["env", "tolerations"].map(Into::into).into())]);
}

#[test]
fn a_starting_csv_of_automatic_updates() {
    let starting = |cluster: &str| cluster.replace("name: p,", "name: p, startingCSV: p.v1,");
    check(&starting(NEW), &[MigrationObstacle::StartingCsv("p.v1".into())]);
    check(&starting(&installed()), &[]);
}

#[test]
fn generated_dependencies() {
    let annotation = "---\nkind: Subscription\nmetadata: {name: q, namespace: operators, annotations: {olm.generated-by: install-a}}\nspec: {name: q, source: community, sourceNamespace: olm}\n";
    let name = "---\nkind: Subscription\nmetadata: {name: q-c-community-olm, namespace: operators}\nspec: {name: q, channel: c, source: community, sourceNamespace: olm}\n";
    for (text, subscription) in [(annotation, "q"), (name, "q-c-community-olm")] {
        let found = migrate(&catalog(&[READY]), &(installed() + text));
        let dependency =
            MigrationObstacle::GeneratedDependency { subscription: subscription.into(), package: "q".into() };
        assert_eq!(found[0].obstacles, [dependency], "{subscription}");
        assert_eq!(found[1].obstacles, [MigrationObstacle::IsGenerated], "{subscription}");
        let elsewhere = text.replace("namespace: operators", "namespace: other");
        assert_eq!(migrate(&catalog(&[READY]), &(installed() + &elsewhere))[0].obstacles, []);
    }
}

#[test]
fn a_package_that_is_installed_twice() {
    let other = "---\nkind: Subscription\nmetadata: {name: my-p, namespace: team}\nspec: {name: p, source: community, sourceNamespace: olm}\n";
    let extension = "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: my-p-team}\nspec: {namespace: apps, source: {sourceType: Catalog, catalog: {packageName: p}}}\n";
    let found = migrate(&catalog(&[READY]), &(installed() + other + extension));
    let subscriptions = [("operators".into(), "my-p".into()), ("team".into(), "my-p".into())].into();
    let shared = MigrationObstacle::SharedPackage { package: "p".into(), subscriptions };
    let expected = [shared, MigrationObstacle::OtherExtension("my-p-team".into())];
    assert_eq!([&found[0].obstacles[..], &found[1].obstacles[..]], [&expected, &expected]);
    let names: Vec<&str> = found.iter().map(|migration| migration.extension.name.as_str()).collect();
    assert_eq!(names, ["my-p-operators", "my-p-team-2"], "names are unique in the cluster");
}
