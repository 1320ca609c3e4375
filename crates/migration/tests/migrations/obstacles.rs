//! What is in the way of a Subscription, apart from bundles.

use crate::world::{READY, catalog, installed, migrate, single};
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
fn generated_dependencies() {
    let annotation = "---\nkind: Subscription\nmetadata: {name: q, namespace: operators, annotations: {olm.generated-by: install-a}}\nspec: {name: q, source: community, sourceNamespace: olm}\n";
    let name = "---\nkind: Subscription\nmetadata: {name: q-c-community-olm, namespace: operators}\nspec: {name: q, channel: c, source: community, sourceNamespace: olm}\n";
    for (text, subscription) in [(annotation, "q"), (name, "q-c-community-olm")] {
        let found = migrate(&catalog(&[READY]), &(installed() + text));
        let dependency =
            MigrationObstacle::GeneratedDependency { subscription: subscription.into(), package: "q".into() };
        assert_eq!(found[0].obstacles, [dependency], "{subscription}");
        let elsewhere = text.replace("namespace: operators", "namespace: other");
        assert_eq!(migrate(&catalog(&[READY]), &(installed() + &elsewhere))[0].obstacles, []);
    }
}

#[test]
fn names_that_the_extensions_cannot_have() {
    let other = "---\nkind: Subscription\nmetadata: {name: my-p, namespace: team}\nspec: {name: p, source: community, sourceNamespace: olm}\n";
    let extension = |name: &str, package: &str| {
        format!(
            "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {{name: {name}}}\nspec: {{namespace: apps, source: {{sourceType: Catalog, catalog: {{packageName: {package}}}}}}}\n"
        )
    };
    let more = other.to_owned() + &extension("my-p", "q") + &extension("mine", "p");
    let found = migrate(&catalog(&[READY]), &(installed() + &more));
    let expected = [
        MigrationObstacle::SharedName(["operators", "team"].map(Into::into).into()),
        MigrationObstacle::OtherExtension("mine".into()),
        MigrationObstacle::NameTaken("my-p".into()),
    ];
    assert_eq!([&found[0].obstacles[..], &found[1].obstacles[..]], [&expected, &expected]);
    let names: Vec<&str> = found.iter().map(|migration| migration.extension.name.as_str()).collect();
    assert_eq!(names, ["my-p", "my-p"], "an extension is named like its Subscription");
    let long = "s".repeat(62);
    check(&installed().replace("my-p", &long), &[MigrationObstacle::LongName]);
}
