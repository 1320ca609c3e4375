//! What is in the way of a Subscription, apart from bundles.

use crate::world::{READY, catalog, installed, migrate, single};
use cluster::TargetNamespaces;
use migration::MigrationObstacle;
use views::MigrationVerdict;

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
    // The key alone counts, and not the form of the name.
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
fn a_limited_service_account() {
    let group =
        "---\nkind: OperatorGroup\nmetadata: {name: g, namespace: operators}\nspec: {serviceAccountName: few}\n";
    check(&(installed() + group), &[MigrationObstacle::ServiceAccount { group: "g".into(), account: "few".into() }]);
}

/// A release before v1.11 takes a ServiceAccount; one with the feature gate takes the configuration.
#[test]
fn what_the_release_and_the_feature_gates_of_olm_v1_need() {
    let openshift = "---\nkind: ClusterVersion\nmetadata: {name: version}\nstatus: {desired: {version: 5.0.1}}\n";
    let found = migrate(&catalog(&[READY]), &(installed() + openshift)).remove(0);
    assert_eq!(found.obstacles, [MigrationObstacle::Installer("my-p-installer".to_owned())]);
    assert_eq!(found.object["spec"]["serviceAccount"]["name"], "my-p-installer");
    let found = migrate(&catalog(&[READY]), &installed()).remove(0);
    assert_eq!((found.obstacles, &found.object["spec"]["serviceAccount"]), (vec![], &serde_json::Value::Null));

    let configured = installed().replace("spec: {name: p,", "spec: {config: {env: []}, name: p,");
    check(&configured, &[MigrationObstacle::Config(["env".into()].into())]);
    let gate = "---\nkind: Deployment\nmetadata: {name: operator-controller-controller-manager}\nspec: {template: {spec: {containers: [{args: ['--feature-gates=DeploymentConfig=true']}]}}}\n";
    check(&(configured + gate), &[]);
}

#[test]
fn an_operator_that_is_not_installed_completely() {
    let failed = installed() + "status: {phase: Failed, reason: UnsupportedOperatorGroup}\n";
    let (phase, reason) = ("Failed".into(), "UnsupportedOperatorGroup".into());
    check(&failed, &[MigrationObstacle::NotInstalled { csv: "p.v1".into(), phase, reason }]);
    check(&(installed() + "status: {phase: Succeeded, reason: InstallSucceeded}\n"), &[]);
}

#[test]
fn an_operator_that_reports_conditions() {
    let condition = "---\nkind: OperatorCondition\nmetadata: {name: p.v1, namespace: operators}\n";
    check(&(installed() + condition), &[]);
    let reports = installed() + condition + "status: {conditions: [{type: Upgradeable, status: 'False'}]}\n";
    check(&reports, &[MigrationObstacle::OperatorCondition("p.v1".into())]);
}

/// library-olm `TestCompatibilityPureChecks`.
#[test]
fn an_operator_that_uses_objects_of_olm_v0() {
    let with = |groups: &str, resource: &str| {
        let rule = format!("{{apiGroups: [{groups}], resources: [{resource}], verbs: [get]}}");
        let permissions = format!("install: {{spec: {{clusterPermissions: [{{rules: [{rule}]}}]}}}}");
        installed().replace("spec: {version: 1.0.0}", &format!("spec: {{version: 1.0.0, {permissions}}}"))
    };
    let uses = [MigrationObstacle::UsesOlmV0("p.v1".into())];
    check(&with("operators.coreos.com", "subscriptions"), &uses);
    check(&with("operators.coreos.com", "'*'"), &uses);
    check(&with("operators.coreos.com", "operatorconditions"), &[]);
    check(&with("operators.coreos.com, olm.operatorframework.io", "subscriptions"), &[]);
}

#[test]
fn what_other_operators_require() {
    let consumer = "---
kind: Subscription
metadata: {name: consumer, namespace: first}
spec: {name: q, source: community, sourceNamespace: olm}
status: {installedCSV: q.v1}
---
kind: ClusterServiceVersion
metadata:
  name: q.v1
  namespace: first
  annotations: {operatorframework.io/properties: '{\"properties\":[{\"type\":\"olm.package.required\",\"value\":{\"packageName\":\"p\"}}]}'}
";
    let found = migrate(&catalog(&[READY]), &(installed() + consumer));
    let required = MigrationObstacle::RequiredBy(vec![("first".to_owned(), "consumer".to_owned())]);
    assert_eq!([&found[0].obstacles[..], &found[1].obstacles[..]], [&[], &[required][..]]);
    let generated = installed().replace("name: my-p,", "name: my-p, annotations: {olm.generated-by: ''},");
    check(&generated, &[MigrationObstacle::GeneratedForOther]);
}

#[test]
fn names_that_the_extensions_cannot_have() {
    let other = "---\nkind: Subscription\nmetadata: {name: my-p, namespace: team}\nspec: {name: p, source: community, sourceNamespace: olm}\n";
    let extension = |name: &str, package: &str| {
        format!(
            "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {{name: {name}}}\nspec: {{namespace: apps, source: {{sourceType: Catalog, catalog: {{packageName: {package}}}}}}}\n"
        )
    };
    let more = other.to_owned() + &extension("my-p-team", "q") + &extension("mine", "p");
    let found = migrate(&catalog(&[READY]), &(installed() + &more));
    let keys = ["operators", "team"].map(|namespace| (namespace.into(), "my-p".into()));
    let both = [MigrationObstacle::SharedPackage(keys.into()), MigrationObstacle::OtherExtension("mine".into())];
    assert_eq!(found[0].obstacles, both);
    assert_eq!(found[1].obstacles[..2], both);
    assert_eq!(found[1].obstacles[2], MigrationObstacle::NameTaken("my-p-team".into()));
    let names: Vec<&str> = found.iter().map(|migration| migration.extension.name.as_str()).collect();
    assert_eq!(names, ["my-p-operators", "my-p-team"], "a shared name gets the namespace");
    let long = "s".repeat(62);
    check(&installed().replace("my-p", &long), &[MigrationObstacle::LongName]);
}
