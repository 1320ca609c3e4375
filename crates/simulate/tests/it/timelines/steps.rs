//! The steps of a cluster: what a plan changes, which catalogs and CSVs count, which error a failure gives.

use cluster::Approval;
use simulate::{Step, step, timeline};
use source::{FileId, Severity};

const CATALOG: &str = "
package a
ch: a.v1 <- a.v2 <- a.v3 (requires g/v1/K)
package b
ch: b.v1 (provides g/v1/K)
";

const SOURCE: &str = "---\nkind: CatalogSource\nmetadata: {name: c, namespace: olm}\n";

const SUBSCRIPTION: &str = "---\nkind: Subscription\nmetadata: {name: a, namespace: ns}\n\
                            spec: {name: a, channel: ch, source: c, sourceNamespace: olm}\n";

fn steps(manifests: &str) -> Vec<Step> {
    let catalog = super::catalog(&fixture::yaml(CATALOG));
    let manifests = cluster::read(FileId(0), manifests);
    assert!(
        manifests.diagnostics.iter().all(|found| found.severity == Severity::Warning),
        "{:?}",
        manifests.diagnostics
    );
    let snapshots = simulate::snapshots(&manifests.cluster, |key| (&*key.name == "c").then_some(&catalog));
    let steps = timeline(&manifests.cluster, "ns", &snapshots, &simulate::no_modes, 12).steps;
    let (first, _) = step(&manifests.cluster, "ns", &snapshots, &simulate::no_modes);
    assert_eq!(first.selected, steps[0].selected);
    steps
}

/// Asserts the steps, one line each: `<bundles>; <generated>; <updated>; plan` or the error.
#[track_caller]
fn check(manifests: &str, expected: &[&str]) {
    let lines = steps(manifests).into_iter().map(|step| {
        let joined = |list: Vec<String>| list.join(" ");
        let plan = if step.install_plan_created { "plan" } else { "no plan" };
        step.error.unwrap_or_else(|| {
            format!(
                "{}; {}; {}; {plan}",
                joined(step.selected.iter().map(|bundle| bundle.name.to_string()).collect()),
                joined(step.generated_subscriptions.iter().map(ToString::to_string).collect()),
                joined(step.updated_subscriptions.iter().map(ToString::to_string).collect()),
            )
        })
    });
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}

#[test]
fn a_new_subscription_installs_its_dependency() {
    check(
        &format!("{SOURCE}{SUBSCRIPTION}"),
        &["a.v3 b.v1; b-ch-c-olm package=b channel=ch catalog=olm/c startingCSV=b.v1; a -> a.v3; plan"],
    );
}

#[test]
fn upgrades_go_hop_by_hop() {
    let installed = "---\nkind: ClusterServiceVersion\nmetadata: {name: a.v1, namespace: ns}\nspec: {version: 1.0.0}\n";
    check(
        &format!("{SOURCE}{SUBSCRIPTION}status: {{currentCSV: a.v1, installedCSV: a.v1}}\n{installed}"),
        &[
            "a.v2; ; a -> a.v2; plan",
            "a.v3 b.v1; b-ch-c-olm package=b channel=ch catalog=olm/c startingCSV=b.v1; a -> a.v3; plan",
        ],
    );
}

#[test]
fn a_deleted_csv_does_not_come_back_without_an_update() {
    let starting = SUBSCRIPTION.replace("sourceNamespace: olm", "sourceNamespace: olm, startingCSV: a.v1");
    let deleted = format!("{SOURCE}{starting}status: {{currentCSV: a.v1, installedCSV: a.v1}}\n");
    let other = "---\nkind: ClusterServiceVersion\nmetadata: {name: x.v1, namespace: other}\n";
    check(&format!("{deleted}{other}"), &["a.v1; ; ; no plan"]);
    // Without any CSV the manifests do not tell that it was deleted.
    let assumed = [
        "a.v2; ; a -> a.v2; plan",
        "a.v3 b.v1; b-ch-c-olm package=b channel=ch catalog=olm/c startingCSV=b.v1; a -> a.v3; plan",
    ];
    check(&deleted, &assumed);
}

#[test]
fn one_manual_subscription_makes_the_plan_manual() {
    let manual = SUBSCRIPTION.replace("source: c", "source: c, installPlanApproval: Manual");
    assert_eq!(steps(&format!("{SOURCE}{manual}"))[0].approval, Approval::Manual);
    assert_eq!(steps(&format!("{SOURCE}{SUBSCRIPTION}"))[0].approval, Approval::Automatic);
}

#[test]
fn an_annotation_excludes_the_global_catalogs() {
    let group = |value: &str| {
        format!(
            "---\nkind: OperatorGroup\nmetadata:\n  name: og\n  namespace: ns\n  annotations:\n    \
             olm.operatorframework.io/exclude-global-namespace-resolution: '{value}'\n"
        )
    };
    check(
        &format!("{SOURCE}{SUBSCRIPTION}{}", group("true")),
        &[
            "constraints not satisfiable: no operators found from catalog c in namespace olm referenced by subscription a, \
           subscription a exists",
        ],
    );
    assert_eq!(steps(&format!("{SOURCE}{SUBSCRIPTION}{}", group("yes")))[0].error, None);
}

#[test]
fn a_catalog_source_without_content_fails_the_namespace() {
    check(
        &format!("{SOURCE}{SUBSCRIPTION}---\nkind: CatalogSource\nmetadata: {{name: lost, namespace: ns}}\n"),
        &["error using catalogsource ns/lost: no registry client established for catalogsource ns/lost"],
    );
}

#[test]
fn a_malformed_annotation_fails_the_namespace() {
    check(
        &format!(
            "{SOURCE}{SUBSCRIPTION}---\nkind: ClusterServiceVersion\nmetadata:\n  name: x\n  namespace: ns\n  annotations: \
             {{operatorframework.io/properties: ''}}\n"
        ),
        &["error using catalogsource ns/@existing: failed to retrieve properties of csv \"x\": failed to unmarshal \
           properties annotation: unexpected end of JSON input"],
    );
}

#[test]
fn a_crd_without_a_group_fails_the_namespace() {
    check(
        &format!(
            "{SOURCE}{SUBSCRIPTION}---\nkind: ClusterServiceVersion\nmetadata: {{name: x, namespace: ns}}\nspec:\n  \
             customresourcedefinitions: {{owned: [{{name: ks, version: v1, kind: K}}]}}\n"
        ),
        &["error using catalogsource ns/@existing: error parsing crd name: ks"],
    );
}

#[test]
fn csvs_of_other_namespaces_and_copies_do_not_count() {
    let csv = |namespace: &str, labels: &str| {
        format!(
            "---\nkind: ClusterServiceVersion\nmetadata: {{name: b.v0, namespace: {namespace}, labels: {{{labels}}}}}\nspec:\n  \
             customresourcedefinitions: {{owned: [{{name: ks.g, version: v1, kind: K}}]}}\n"
        )
    };
    let own = ["a.v3; ; a -> a.v3; plan"];
    let brought = ["a.v3 b.v1; b-ch-c-olm package=b channel=ch catalog=olm/c startingCSV=b.v1; a -> a.v3; plan"];
    check(&format!("{SOURCE}{SUBSCRIPTION}{}", csv("ns", "")), &own);
    check(&format!("{SOURCE}{SUBSCRIPTION}{}", csv("other", "")), &brought);
    check(&format!("{SOURCE}{SUBSCRIPTION}{}", csv("ns", "olm.copiedFrom: other")), &brought);
}

#[test]
fn fail_forward_ignores_the_csv_that_a_failed_one_replaces() {
    let csv = |name: &str, phase: &str, replaces: &str| {
        format!(
            "---\nkind: ClusterServiceVersion\nmetadata: {{name: {name}, namespace: ns}}\nspec: {{version: 1.0.0, replaces: \
             '{replaces}'}}\nstatus: {{phase: {phase}}}\n"
        )
    };
    let group = "---\nkind: OperatorGroup\nmetadata: {name: og, namespace: ns}\nspec: {upgradeStrategy: \
                 TechPreviewUnsafeFailForward}\n";
    let status = "status: {currentCSV: a.v2, installedCSV: a.v2}\n";
    let chain = |phase: &str| {
        format!("{SOURCE}{SUBSCRIPTION}{status}{}{}{group}", csv("a.v1", phase, ""), csv("a.v2", "Failed", "a.v1"))
    };
    assert_eq!(steps(&chain("Replacing"))[0].error, None);
    check(
        &chain("Succeeded"),
        &["error using catalogsource ns/@existing: csv ns/a.v1 in phase Succeeded instead of Replacing"],
    );
}

#[test]
fn several_operator_groups_stop_everything() {
    let group = |name: &str| format!("---\nkind: OperatorGroup\nmetadata: {{name: {name}, namespace: ns}}\n");
    check(&format!("{SOURCE}{SUBSCRIPTION}{}{}", group("one"), group("two")), &["found 2 operatorGroups, expected 1"]);
}

/// A generated Subscription that has no reference to its plan.
fn generated(plan: &str, csv: &str) -> String {
    let subscription = "---\nkind: Subscription\nmetadata: {name: b, namespace: ns, annotations: {olm.generated-by: made}}\n\
                        spec: {name: b, channel: ch, startingCSV: b.v1, source: c, sourceNamespace: olm}\n";
    format!("{SOURCE}{SUBSCRIPTION}{subscription}{plan}{csv}")
}

#[test]
fn a_generated_subscription_without_its_plan_stops_the_namespace() {
    let complete = "---\nkind: InstallPlan\nmetadata: {name: made, namespace: ns}\nspec: {clusterServiceVersionNames: [b.v1]}\n\
                    status: {phase: Complete}\n";
    let csv = "---\nkind: ClusterServiceVersion\nmetadata: {name: b.v1, namespace: ns}\nspec: {version: 1.0.0}\n";
    check(&generated("", csv), &["Subscription `b` is generated by InstallPlan `made`, which does not exist"]);
    check(
        &generated(complete, ""),
        &["Subscription `b` is generated by InstallPlan `made`, which is complete, and its CSV `b.v1` does not exist"],
    );
    // With the CSV it is adopted.
    assert_eq!(steps(&generated(complete, csv))[0].error, None);
    let linked = generated("", csv).replace(
        "sourceNamespace: olm}\n---\nkind: ClusterServiceVersion",
        "sourceNamespace: olm}\nstatus: {installPlanRef: {name: made}}\n---\nkind: ClusterServiceVersion",
    );
    assert_eq!(steps(&linked)[0].error, None);
}

/// Since operator-lifecycle-manager `39ea714fa`, which is in no release yet, a CSV that names itself replaces nothing.
#[test]
fn a_csv_that_replaces_itself_is_updated_like_any_other() {
    let installed = |rest: &str| {
        format!(
            "{SOURCE}{SUBSCRIPTION}status: {{currentCSV: a.v2, installedCSV: a.v2}}\n---\nkind: ClusterServiceVersion\n\
             metadata: {{name: a.v2, namespace: ns}}\nspec: {{version: 2.0.0, replaces: a.v2}}\nstatus: {{phase: Succeeded}}\n{rest}"
        )
    };
    let updated = "a.v3 b.v1; b-ch-c-olm package=b channel=ch catalog=olm/c startingCSV=b.v1; a -> a.v3; plan";
    check(&installed(""), &[updated]);
    let forward = "---\nkind: OperatorGroup\nmetadata: {name: og, namespace: ns}\nspec: {upgradeStrategy: TechPreviewUnsafeFailForward}\n";
    check(
        &installed(forward),
        &["error using catalogsource ns/@existing: csv ns/a.v2 in phase Succeeded instead of Replacing"],
    );
}
