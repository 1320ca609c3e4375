//! The worked cases of the official migration: states, checks and texts, each with what differs from the first case.

use crate::case::{ALL_FLAGS, CATALOG, CLUSTER_CATALOG, Case, GROUP, MODES, SOURCE, SUBSCRIPTION, ended};
use migration::{Acknowledgments, CheckOutcome, ConvertOptions, MigrationState, already_migrated};
use serde_json::json;

#[test]
fn m1_base() {
    let case = Case::new();
    let verdict = case.verdict();
    let messages: Vec<&str> = verdict.checks.iter().map(|check| check.message.as_str()).collect();
    assert!(verdict.checks.iter().all(|check| check.outcome == CheckOutcome::Passed));
    assert_eq!(
        messages,
        [
            "ClusterObjectSet CRD is established",
            "state is \"AtLatestKnown\"",
            "widgets.v1.0.0",
            "no olm.generated-by annotation",
            "no other Subscription references package \"widgets\"",
            "phase: Succeeded, reason: InstallSucceeded",
            "OperatorGroup does not use a scoped service account",
            "OperatorGroup does not use a namespace selector",
            "upgrade strategy is Default or unset",
            "operator is in AllNamespaces mode",
            "CSV supports AllNamespaces install mode",
            "no olm.package.required or olm.gvk.required properties",
            "CSV does not define owned APIServices",
            "no OperatorCondition resource found",
            "CSV clusterPermissions do not grant OLMv0 API access",
            "package available in ClusterCatalog community",
        ]
    );
    assert_eq!(verdict.reason, "passes all readiness, compatibility, and catalog-availability checks");
    assert!(verdict.state == MigrationState::Eligible && verdict.is_certain() && verdict.warnings.is_empty());
    let expected = json!({
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "metadata": {
            "name": "widgets",
            "annotations": {
                "olm.operatorframework.io/migrated-from-subscription": "ops/widgets",
                "olm.operatorframework.io/migration-subscription-backup":
                    "{\"source\":\"community\",\"sourceNamespace\":\"olm\",\"name\":\"widgets\",\"channel\":\"stable\"}",
                "olm.operatorframework.io/migration-operatorgroup-backup": "{}",
            },
        },
        "spec": {
            "namespace": "ops",
            "source": {
                "sourceType": "Catalog",
                "catalog": {
                    "packageName": "widgets",
                    "channels": ["stable"],
                    "selector": { "matchLabels": { "olm.operatorframework.io/metadata.name": "community" } },
                },
            },
        },
    });
    assert_eq!(case.extension(), expected);
}

#[test]
fn m2_manual_with_config() {
    let mut case = Case::new();
    let config = "sourceNamespace: olm, installPlanApproval: Manual, config: {env: [{name: EXAMPLE, value: value}], selector: {matchLabels: {app: widgets}}}";
    case.subscription = SUBSCRIPTION.replace("sourceNamespace: olm", config);
    let verdict = case.verdict();
    let warning = "Subscription spec.config.selector is not supported by OLMv1 and will be dropped during migration";
    assert_eq!((verdict.state, verdict.warnings), (MigrationState::Eligible, vec![warning.to_owned()]));
    let extension = case.extension();
    assert_eq!(extension["spec"]["source"]["catalog"]["version"], "1.0.0");
    let config = json!({"configType": "Inline", "inline": {"deploymentConfig": {"env": [{"name": "EXAMPLE", "value": "value"}]}}});
    assert_eq!(extension["spec"]["config"], config);
}

#[test]
fn m3_upgrade_pending() {
    let mut case = Case::new();
    case.subscription =
        SUBSCRIPTION.replace("state: AtLatestKnown", "state: UpgradePending, currentCSV: widgets.v1.1.0");
    let verdict = case.verdict();
    assert_eq!(
        (verdict.state, verdict.checks[1].message.as_str()),
        (MigrationState::Eligible, "state is \"UpgradePending\"")
    );
}

/// The options with every acknowledgment that a check knows.
fn all_flags() -> ConvertOptions {
    ConvertOptions { acknowledged: ALL_FLAGS, ..ConvertOptions::default() }
}

const OWN: &str = "kind: OperatorGroup
metadata: {name: global, namespace: ops}
spec: {targetNamespaces: [ops]}
status: {namespaces: [ops]}
";
const TARGETS: &str = "[AllNamespaces mode] OperatorGroup has spec.targetNamespaces set; operator must be in AllNamespaces mode for migration";
const SCOPE: &str = "[Namespace scope change] OperatorGroup targets namespace \"ops\"; post-migration the operator will run in AllNamespaces mode";

#[test]
fn m4_own_namespace() {
    let mut case = Case { group: OWN.to_owned(), ..Case::new() };
    assert_eq!(case.failed(), [TARGETS, SCOPE]);
    let verdict = case.verdict();
    assert_eq!((verdict.state, verdict.reason.as_str()), (MigrationState::Ineligible, "2 check(s) failed"));
    case.options.acknowledged.watch_scope_change = true;
    let verdict = case.verdict();
    assert_eq!((verdict.state, verdict.count(CheckOutcome::Overridden)), (MigrationState::Eligible, 2));
    let annotations = &case.extension()["metadata"]["annotations"];
    assert_eq!(annotations["olm.operatorframework.io/acknowledged-watch-scope-change"], "true");
    let without = Case { group: OWN.replace("status: {namespaces: [ops]}\n", "status: {}\n"), ..Case::new() };
    assert_eq!(without.failed(), [TARGETS]);
}

#[test]
fn m5_own_namespace_without_all_namespaces() {
    let spec = "installModes: [{type: OwnNamespace, supported: true}]".to_owned();
    let mut case = Case { group: OWN.to_owned(), spec, ..Case::new() };
    let modes = "[AllNamespaces install mode supported] CSV does not declare AllNamespaces install mode as supported; --acknowledge-watch-scope-change cannot override bundle capabilities";
    assert_eq!(case.failed(), [TARGETS, SCOPE, modes]);
    case.options.acknowledged = ALL_FLAGS;
    assert_eq!((case.failed(), case.verdict().state), (vec![modes.to_owned()], MigrationState::Ineligible));
}

#[test]
fn m6_selector() {
    let group = "kind: OperatorGroup\nmetadata: {name: global, namespace: ops}\nspec: {selector: {matchLabels: {team: a}}}\nstatus: {namespaces: [a, b]}\n";
    let case = Case { group: group.to_owned(), ..Case::new() };
    let text = "[No namespace selector] OperatorGroup has spec.selector set; OLMv1 uses AllNamespaces — pass --acknowledge-watch-scope-change to override";
    assert_eq!(case.failed(), [text]);
}

#[test]
fn m7_scoped_service_account_and_active_condition() {
    let mut case = Case::new();
    case.group = GROUP.replace("status:", "spec: {serviceAccountName: restricted}\nstatus:");
    case.more = "kind: OperatorCondition\nmetadata: {name: widgets.v1.0.0, namespace: ops}\nstatus: {conditions: [{type: Upgradeable, status: 'False'}]}\n".to_owned();
    let account = "[No scoped ServiceAccount] OperatorGroup has spec.serviceAccountName set; OLMv1 does not support scoped service accounts";
    let condition = "[No OperatorCondition usage] OperatorCondition has status.conditions entries; operator actively uses the OperatorCondition API";
    assert_eq!(case.failed(), [account, condition]);
    case.options.acknowledged.scoped_serviceaccount = true;
    assert_eq!(case.failed(), [condition]);
    case.options.acknowledged = Acknowledgments { operator_condition: true, ..Acknowledgments::default() };
    assert_eq!(case.failed(), [account]);
    case.options.acknowledged = ALL_FLAGS;
    assert_eq!(case.extension()["spec"].get("serviceAccount"), None);
}

#[test]
fn m8_dependencies() {
    let list = "{\"type\":\"olm.package.required\",\"value\":{\"packageName\":\"other\",\"versionRange\":\">=1.0.0\"}},{\"type\":\"olm.gvk.required\",\"value\":{\"group\":\"x.io\",\"version\":\"v1\",\"kind\":\"X\"}}";
    let expected = [
        "[No dependency resolution] bundle declares olm.package.required dependency: {\"packageName\":\"other\",\"versionRange\":\">=1.0.0\"}",
        "[No dependency resolution] bundle declares olm.gvk.required dependency: {\"group\":\"x.io\",\"version\":\"v1\",\"kind\":\"X\"}",
    ];
    for properties in [format!("[{list}]"), format!("{{\"properties\":[{list}]}}")] {
        let case = Case { properties, options: all_flags(), ..Case::new() };
        assert_eq!(case.failed(), expected);
    }
    let broken = Case { properties: "not json".to_owned(), ..Case::new() };
    let text = "[No dependency resolution] failed to parse bundle properties: invalid character 'o' in literal null (expecting 'u')";
    assert_eq!(broken.failed(), [text]);
}

#[test]
fn m9_api_service() {
    let spec = format!("{MODES}, apiservicedefinitions: {{owned: [{{name: v1.widgets.example.com}}]}}");
    let case = Case { spec, options: all_flags(), ..Case::new() };
    let text = "[No APIService definitions] CSV has spec.apiservicedefinitions.owned set; OLMv1 does not yet fully support APIService-based operators";
    assert_eq!(case.failed(), [text]);
    let spec = format!("{MODES}, apiservicedefinitions: {{required: [{{name: v1.widgets.example.com}}]}}");
    assert_eq!(Case { spec, ..Case::new() }.failed(), [""; 0]);
}

#[test]
fn m10_access_to_olm_v0() {
    let with = |permissions: &str, resource: &str, more: &str| {
        let rule = format!("{{apiGroups: [operators.coreos.com], resources: [{resource}], verbs: [get]}}{more}");
        let spec = format!("{MODES}, install: {{spec: {{{permissions}: [{{rules: [{rule}]}}]}}}}");
        Case { spec, ..Case::new() }
    };
    let mut case = with("clusterPermissions", "subscriptions", "");
    let text = "[OLMv0-API RBAC] CSV clusterPermissions grant operators.coreos.com access without OLMv1 equivalent; pass --acknowledge-olmv0-api-access to override";
    assert_eq!(case.failed(), [text]);
    case.options.acknowledged.olmv0_api_access = true;
    assert_eq!(case.failed(), [""; 0]);
    let both = with("clusterPermissions", "subscriptions", ", {apiGroups: [olm.operatorframework.io], resources: [x]}");
    let texts = ended(&both.verdict(), CheckOutcome::Passed);
    let expected =
        "[OLMv0-API RBAC] CSV clusterPermissions grant both OLMv0 and OLMv1 API access (updated for compatibility)";
    assert!(texts.iter().any(|text| text == expected), "{texts:?}");
    assert_eq!(with("permissions", "subscriptions", "").failed(), [""; 0]);
    assert_eq!(with("clusterPermissions", "operatorconditions", "").failed(), [""; 0]);
}

#[test]
fn m11_not_steady() {
    let mut case = Case { status: "{phase: Failed}", ..Case::new() };
    case.subscription = SUBSCRIPTION.replace("AtLatestKnown", "UpgradeAvailable");
    assert_eq!(
        case.failed(),
        [
            "[Subscription state] must be \"AtLatestKnown\" or \"UpgradePending\", got \"UpgradeAvailable\"; pass --acknowledge-not-steady-state to override",
            "[CSV health] phase is \"Failed\", expected \"Succeeded\"",
        ]
    );
    case.options.acknowledged.not_steady_state = true;
    assert_eq!(case.verdict().state, MigrationState::Eligible);
}

/// OLM sets phase and reason together: without the reason the manifests were cut.
#[test]
fn m11_without_a_reason() {
    let case = Case { status: "{phase: Succeeded}", ..Case::new() };
    let expected = "[CSV health] the manifests do not have `status.reason` of ClusterServiceVersion `widgets.v1.0.0`";
    let texts = ended(&case.verdict(), CheckOutcome::NotKnown);
    assert!(texts.iter().any(|text| text == expected), "{texts:?}");
    assert_eq!(case.failed(), [""; 0]);
}

#[test]
fn m12_generated_and_a_duplicate() {
    let mut case = Case::new();
    case.subscription = SUBSCRIPTION.replace("namespace: ops}", "namespace: ops, annotations: {olm.generated-by: ''}}");
    case.more = "kind: Subscription\nmetadata: {name: w2, namespace: other}\nspec: {name: widgets, source: private, sourceNamespace: other}\nstatus: {}\n".to_owned();
    assert_eq!(
        case.failed(),
        [
            "[Not a dependency] olm.generated-by annotation present — operator is an OLMv0-managed dependency of another operator; do not migrate individually",
            "[Package uniqueness] another Subscription other/w2 references the same package \"widgets\"",
        ]
    );
    let other = case.of("other", "w2");
    assert_eq!(
        (other.state, other.reason.as_str()),
        (MigrationState::Ineligible, "failed to get CSV: subscription has no installedCSV")
    );
}

#[test]
fn m13_no_cluster_object_set_api() {
    let mut case = Case { crd: "", ..Case::new() };
    let text = "[ClusterObjectSet API] ClusterObjectSet CRD \"clusterobjectsets.olm.operatorframework.io\" is required before migration: customresourcedefinitions.apiextensions.k8s.io \"clusterobjectsets.olm.operatorframework.io\" not found";
    assert_eq!(case.failed(), [text]);
    case.is_complete = false;
    let verdict = case.verdict();
    assert!(verdict.state == MigrationState::Eligible && !verdict.is_certain(), "{verdict:?}");
}

#[test]
fn m14_csv_or_plan_missing() {
    let mut case = Case::new();
    case.subscription = SUBSCRIPTION.replace("widgets.v1.0.0", "widgets.v0.9.0");
    let text = "failed to get CSV: failed to get CSV widgets.v0.9.0: clusterserviceversions.operators.coreos.com \"widgets.v0.9.0\" not found";
    assert_eq!((case.verdict().state, case.verdict().reason.as_str()), (MigrationState::Ineligible, text));
    let plan = "status: {installPlanRef: {name: install-x}, ";
    case.subscription = SUBSCRIPTION.replace("status: {", plan);
    let text = "failed to get CSV: failed to get InstallPlan install-x: installplans.operators.coreos.com \"install-x\" not found";
    assert_eq!(case.verdict().reason, text);
    // Manifests that a user selected prove nothing by what they lack.
    case.is_complete = false;
    assert_eq!(case.verdict().state, MigrationState::Eligible);
}

#[test]
fn m15_source_not_image_backed() {
    let mut case = Case::new();
    case.source = SOURCE.replace("image: 'example.com/community:1'", "address: 'community.olm.svc:50051'");
    let text = "[CatalogSource type] subscription ops/widgets references non-image CatalogSource olm/community (sourceType \"grpc\", spec.image \"\"); only grpc CatalogSources with spec.image can be migrated";
    assert_eq!(case.failed(), [text]);
}

#[test]
fn m16_effective_source_differs() {
    let mut case = Case::new();
    case.subscription = SUBSCRIPTION.replace("status: {", "status: {installPlanRef: {name: install-x}, ");
    case.more = "kind: InstallPlan\nmetadata: {name: install-x, namespace: ops}\nstatus: {bundleLookups: [{identifier: widgets.v1.0.0, path: 'example.com/widgets@sha256:1', catalogSourceRef: {name: gone, namespace: olm}}]}\n".to_owned();
    let text = "[CatalogSource type] failed to validate effective CatalogSource olm/gone: failed to get CatalogSource olm/gone: catalogsources.operators.coreos.com \"gone\" not found";
    assert_eq!(case.failed(), [text]);
    case.more += &format!("---\n{}", SOURCE.replace("name: community", "name: gone"));
    assert_eq!(case.verdict().state, MigrationState::Eligible);
}

#[test]
fn m17_catalog_availability() {
    let mut case = Case { cluster_catalog: String::new(), ..Case::new() };
    let lost = "package \"widgets\" at version \"1.0.0\" in channel \"stable\" not found in any serving ClusterCatalog";
    let text = format!(
        "[Catalog availability] No ClusterCatalog found for package \"widgets\"; run migrate-catalogs-v0-to-v1 first: {lost}"
    );
    assert_eq!(case.failed(), [text.as_str()]);
    assert_eq!(case.verdict().reason, "package \"widgets\" not found in any serving ClusterCatalog");
    case.cluster_catalog = CLUSTER_CATALOG.to_owned();
    case.channel_text = CATALOG.replace("version: 1.0.0", "version: 0.9.0");
    assert_eq!(case.failed(), [format!("{text} (queried: [community])")]);
    // The version need not be in the channel.
    let mut beta = Case::new();
    beta.subscription = SUBSCRIPTION.replace("channel: stable", "channel: beta");
    assert_eq!(beta.verdict().state, MigrationState::Eligible);
    let gone = Case { subscription: SUBSCRIPTION.replace("channel: stable", "channel: gone"), ..Case::new() };
    assert_eq!(gone.verdict().state, MigrationState::Ineligible);
}

#[test]
fn m17_catalogs_that_are_not_migrated_yet() {
    let mut case = Case { cluster_catalog: String::new(), is_complete: false, ..Case::new() };
    let verdict = case.verdict();
    let text = "[Catalog availability] the manifests have no ClusterCatalog; after `migrate-catalogs-v0-to-v1`, the one made of CatalogSource `community` has the package";
    assert!(ended(&verdict, CheckOutcome::NotKnown).contains(&text.to_owned()), "{verdict:?}");
    assert_eq!((verdict.state, verdict.is_certain()), (MigrationState::Eligible, false));
    case.channel_text = CATALOG.replace("version: 1.0.0", "version: 0.9.0");
    assert_eq!(case.verdict().state, MigrationState::Ineligible);
}

#[test]
fn m18_two_cluster_catalogs() {
    let zeta = CLUSTER_CATALOG.replace("name: community", "name: zeta");
    let mut case = Case { more: zeta.replace("spec: {", "spec: {priority: 10, "), ..Case::new() };
    assert_eq!(case.verdict().catalog.as_deref(), Some("zeta"));
    case.more = zeta;
    assert_eq!(case.verdict().catalog.as_deref(), Some("community"));
}

#[test]
fn m19_no_channel() {
    let case = Case { subscription: SUBSCRIPTION.replace("channel: stable, ", ""), ..Case::new() };
    assert_eq!(case.verdict().state, MigrationState::Eligible);
    assert_eq!(case.extension()["spec"]["source"]["catalog"]["channels"], json!(["stable"]));
}

#[test]
fn m20_conflict_and_already_migrated() {
    let made = |name: &str, of: &str| {
        format!(
            "kind: ClusterExtension\nmetadata: {{name: {name}, annotations: {{olm.operatorframework.io/migrated-from-subscription: {of}}}}}\n"
        )
    };
    let more = format!("{}---\n{}", made("conflict-ce", "ops/widgets"), made("done-ce", "old/gone"));
    let case = Case { more, ..Case::new() };
    let verdict = case.verdict();
    let text = "both Subscription and annotated ClusterExtension conflict-ce exist; resolve with cleanup or rollback";
    assert_eq!((verdict.state, verdict.reason.as_str(), verdict.checks.len()), (MigrationState::Conflict, text, 0));
    let done = case.with(|dump, _| already_migrated(dump));
    let rows: Vec<_> = done.iter().map(|row| (row.extension.as_str(), row.subscription.as_str())).collect();
    assert_eq!(rows, [("done-ce", "old/gone")]);
}

#[test]
fn m21_an_extension_of_the_name_is_no_matter_for_the_check() {
    let more = "kind: ClusterExtension\nmetadata: {name: widgets}\n".to_owned();
    assert_eq!(Case { more, ..Case::new() }.verdict().state, MigrationState::Eligible);
}

#[test]
fn m22_dependents() {
    let dependent = |name: &str, properties: &str| {
        format!(
            "kind: Subscription\nmetadata: {{name: {name}, namespace: first}}\nspec: {{name: {name}, source: community, sourceNamespace: olm}}\nstatus: {{installedCSV: {name}.v1, state: AtLatestKnown}}\n---\n\
             kind: ClusterServiceVersion\nmetadata: {{name: {name}.v1, namespace: first, annotations: {{operatorframework.io/properties: '{properties}'}}}}\nspec: {{{MODES}}}\nstatus: {{phase: Succeeded, reason: InstallSucceeded}}\n"
        )
    };
    let required =
        "[{\"type\":\"olm.package.required\",\"value\":{\"packageName\":\"widgets\",\"versionRange\":\">=1.0.0\"}}]";
    let more = format!("{}---\n{}", dependent("consumer", required), dependent("other", "broken"));
    let case = Case { more, ..Case::new() };
    let verdict = case.verdict();
    let warning = "other operator(s) may depend on package \"widgets\": [first/consumer] — verify they remain functional after migration";
    assert_eq!((verdict.state, verdict.warnings), (MigrationState::Eligible, vec![warning.to_owned()]));
    let consumer = ended(&case.of("first", "consumer"), CheckOutcome::Failed);
    assert!(consumer.iter().any(|text| text.starts_with("[No dependency resolution]")), "{consumer:?}");
}

#[test]
fn m23_no_operator_group() {
    let mut case = Case { group: String::new(), ..Case::new() };
    assert_eq!(case.failed(), ["[OperatorGroup exists] no OperatorGroup found in namespace ops"]);
    let names: Vec<&str> = case.verdict().checks.iter().map(|check| check.name).collect();
    assert!(names.contains(&"OLMv0-API RBAC") && !names.contains(&"Upgrade strategy"), "{names:?}");
    case.is_complete = false;
    assert_eq!(case.failed(), [""; 0]);
}

#[test]
fn m24_upgrade_strategy() {
    let mut case = Case::new();
    case.group = GROUP.replace("status:", "spec: {upgradeStrategy: TechPreviewUnsafeFailForward}\nstatus:");
    let text = "[Upgrade strategy] OperatorGroup upgradeStrategy \"TechPreviewUnsafeFailForward\" is not mapped to OLMv1 and will be ignored post-migration";
    let verdict = case.verdict();
    assert_eq!(verdict.state, MigrationState::Eligible);
    assert!(ended(&verdict, CheckOutcome::Passed).contains(&text.to_owned()));
}

#[test]
fn manifests_without_status_prove_nothing() {
    let mut case = Case { is_complete: false, ..Case::new() };
    case.subscription = SUBSCRIPTION.replace("status: {installedCSV: widgets.v1.0.0, state: AtLatestKnown}\n", "");
    let verdict = case.verdict();
    assert_eq!((verdict.state, verdict.is_certain()), (MigrationState::Eligible, false));
    assert!(
        ended(&verdict, CheckOutcome::NotKnown)
            .contains(&"[Installed CSV] the Subscription has no `status`".to_owned())
    );
}
