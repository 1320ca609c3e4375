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
    let generated = |by: &str| {
        format!(
            "---\nkind: Subscription\nmetadata: {{name: q-c-community-olm, namespace: operators, annotations: {{{by}}}}}\nspec: {{name: q, channel: c, source: community, sourceNamespace: olm}}\n"
        )
    };
    // The tool asks for the key alone, and not for the form of the name.
    for by in ["olm.generated-by: install-a", "olm.generated-by: ''"] {
        let found = migrate(&catalog(&[READY]), &(installed() + &generated(by)));
        let subscription = "q-c-community-olm".into();
        assert_eq!(
            found[0].obstacles,
            [MigrationObstacle::GeneratedDependency { subscription, package: "q".into() }],
            "{by}"
        );
        let elsewhere = generated(by).replace("namespace: operators", "namespace: other");
        assert_eq!(migrate(&catalog(&[READY]), &(installed() + &elsewhere))[0].obstacles, []);
    }
    assert_eq!(migrate(&catalog(&[READY]), &(installed() + &generated("")))[0].obstacles, []);
}

#[test]
fn a_pinned_version_that_the_api_rejects() {
    let manual = installed().replace("spec: {name: p,", "spec: {name: p, installPlanApproval: Manual,");
    let long = format!("1.0.0-{}", "a".repeat(64));
    let cluster = manual.replace("spec: {version: 1.0.0}", &format!("spec: {{version: {long}}}"));
    let found = migrate(&catalog(&[READY]), &cluster).remove(0);
    assert_eq!(found.object["spec"]["source"]["catalog"]["version"], *long);
    assert_eq!(found.obstacles, [MigrationObstacle::Version(long.as_str().into())]);
    assert_eq!(found.verdict, MigrationVerdict::Refused);
}

#[test]
fn a_phase_of_more_than_50_objects_is_rejected() {
    let roles = |count: usize| -> String {
        let role = |number: usize| {
            format!(
                "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {{name: r-{number}, labels: {{olm.owner: p.v1}}}}\n"
            )
        };
        (0..count).map(role).collect()
    };
    let found = |count| migrate(&catalog(&[READY]), &(installed() + &roles(count))).remove(0);
    assert_eq!(found(50).obstacles, []);
    assert_eq!(found(51).obstacles, [MigrationObstacle::FullPhase { phase: "roles", objects: 51 }]);
    assert_eq!(found(51).verdict, MigrationVerdict::Refused);
}

#[test]
fn a_first_revision_that_exists_is_in_the_way() {
    let set = "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterObjectSet\nmetadata: {name: my-p-1}\n";
    check(&(installed() + set), &[MigrationObstacle::SetTaken("my-p-1".into())]);
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
