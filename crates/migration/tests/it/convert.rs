//! What `convert` does besides the checks: where it refuses, other namespaces, the ClusterObjectSet and what is deleted.

use crate::case::{Case, SUBSCRIPTION};
use migration::{Conversion, InstallNamespace};
use serde_json::json;

/// A case with an install namespace.
fn into(wanted: InstallNamespace) -> Case {
    let mut case = Case::new();
    case.options.install_namespace = wanted;
    case
}

fn named(name: &str) -> InstallNamespace {
    InstallNamespace::Named(name.into())
}

fn refusal(conversion: &Conversion) -> &str {
    conversion.refusal.as_deref().unwrap_or("none")
}

fn phases(conversion: &Conversion) -> Vec<(&str, Vec<&str>)> {
    let set = conversion.object_set.as_ref().expect("a ClusterObjectSet");
    set.phases.iter().map(|phase| (phase.name, phase.objects.iter().map(String::as_str).collect())).collect()
}

#[test]
fn m1_creates_the_first_revision() {
    let conversion = Case::new().conversion();
    assert_eq!((refusal(&conversion), conversion.namespace.as_deref()), ("none", Some("ops")));
    let expected = json!({
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterObjectSet",
        "metadata": {
            "name": "widgets-1",
            "labels": {
                "olm.operatorframework.io/owner-kind": "ClusterExtension",
                "olm.operatorframework.io/owner-name": "widgets",
            },
            "annotations": {
                "olm.operatorframework.io/migrated-from-subscription": "ops/widgets",
                "olm.operatorframework.io/package-name": "widgets",
                "olm.operatorframework.io/bundle-name": "widgets.v1.0.0",
                "olm.operatorframework.io/bundle-version": "1.0.0",
            },
        },
        "spec": { "revision": 1, "lifecycleState": "Active", "collisionProtection": "None" },
    });
    assert_eq!(conversion.object_set.as_ref().map(|set| &set.object), Some(&expected));
    assert_eq!(phases(&conversion), []);
    assert_eq!(
        conversion.plan,
        [
            "Delete Subscription ops/widgets with orphan propagation (operator workloads remain).",
            "Delete ClusterServiceVersion ops/widgets.v1.0.0 with orphan propagation (operator workloads remain).",
            "Delete Operator CR widgets.ops.",
            "Delete OperatorCondition ops/widgets.v1.0.0 if present.",
            "Delete copied ClusterServiceVersions derived from widgets.v1.0.0 if present, with orphan propagation.",
            "Retain InstallPlan resources; conversion does not delete them.",
            "Retain OperatorGroup(s); --delete-operatorgroup was not specified.",
        ]
    );
}

#[test]
fn m16_the_revision_names_the_image_of_the_lookup() {
    let mut case = Case::new();
    case.subscription = SUBSCRIPTION.replace("status: {", "status: {installPlanRef: {name: install-x}, ");
    case.more = "kind: InstallPlan\nmetadata: {name: install-x, namespace: ops}\nstatus: {bundleLookups: [{identifier: widgets.v1.0.0, path: 'example.com/widgets@sha256:1', catalogSourceRef: {name: community, namespace: olm}}]}\n".to_owned();
    let set = case.conversion().object_set.expect("a ClusterObjectSet");
    let image = &set.object["metadata"]["annotations"]["olm.operatorframework.io/bundle-reference"];
    assert_eq!(image, "example.com/widgets@sha256:1");
}

/// Objects of each way in which the tool finds them, and one that it does not take.
const OBJECTS: &str = "apiVersion: operators.coreos.com/v1
kind: Operator
metadata: {name: widgets.ops}
status:
  components:
    refs:
    - {apiVersion: operators.coreos.com/v1alpha1, kind: ClusterServiceVersion, namespace: ops, name: widgets.v1.0.0}
    - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, name: widgets.v1.0.0-abc}
    - {apiVersion: example.com/v1, kind: Widget, namespace: ops, name: first}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com, labels: {olm.managed: 'true', operators.coreos.com/widgets.ops: ''}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: widgets, namespace: ops, labels: {olm.owner: widgets.v1.0.0}}
---
apiVersion: v1
kind: Service
metadata: {name: widgets, namespace: ops, ownerReferences: [{kind: ClusterServiceVersion, name: widgets.v1.0.0}]}
---
apiVersion: v1
kind: Pod
metadata: {name: widgets-1, namespace: ops, labels: {olm.owner: widgets.v1.0.0}}
---
apiVersion: operators.coreos.com/v1alpha1
kind: InstallPlan
metadata: {name: install-x, namespace: ops}
status:
  plan:
  - {resolving: widgets.v1.0.0, resource: {group: operators.coreos.com, version: v1alpha1, kind: ClusterServiceVersion, name: widgets.v1.0.0}}
  - {resolving: widgets.v1.0.0, resource: {group: core, version: v1, kind: ServiceAccount, name: widgets}}
  - {resolving: widgets.v1.0.0, resource: {group: rbac.authorization.k8s.io, version: v1, kind: ClusterRole, name: widgets.v1.0.0-abc}}
  - {resolving: other.v1, resource: {group: core, version: v1, kind: ConfigMap, name: other}}
";

/// The case with objects of the operator.
fn with_objects() -> Case {
    let mut case = Case { more: OBJECTS.to_owned(), ..Case::new() };
    case.subscription = SUBSCRIPTION.replace("status: {", "status: {installPlanRef: {name: install-x}, ");
    case
}

#[test]
fn the_phases_have_the_objects_that_the_manifests_name() {
    let conversion = with_objects().conversion();
    assert_eq!(
        phases(&conversion),
        [
            ("identity", vec!["ServiceAccount ops/widgets"]),
            ("crds", vec!["CustomResourceDefinition widgets.example.com"]),
            ("roles", vec!["ClusterRole widgets.v1.0.0-abc"]),
            ("infrastructure", vec!["Service ops/widgets"]),
            // A kind that the tool does not know is here, too.
            ("deploy", vec!["Deployment ops/widgets", "Widget ops/first"]),
        ]
    );
}

#[test]
fn m26_system_managed_namespace() {
    let mut case = into(InstallNamespace::SystemManaged);
    case.is_complete = false;
    let conversion = case.conversion();
    assert_eq!((refusal(&conversion), conversion.namespace.as_deref()), ("none", Some("widgets-system")));
    assert_eq!(case.extension()["spec"].get("namespace"), None);
    assert_eq!(phases(&conversion), [("namespaces", vec!["Namespace widgets-system"])]);
    let last = [
        "Prepare install namespace widgets-system from bundle metadata for the migration COS; ClusterExtension.spec.namespace is omitted and OLMv1 manages the namespace.",
        "Move collected namespaced operator resources from ops to widgets-system and delete their source copies after ClusterExtension installation.",
        "Retain source namespace ops; --acknowledge-namespace-delete was not specified.",
    ];
    assert_eq!(conversion.plan[7..], last);
    let suggested = |key: &str, value: &str| {
        let mut case = into(InstallNamespace::SystemManaged);
        case.is_complete = false;
        case.annotations = format!(", operatorframework.io/{key}: '{value}'");
        case.conversion()
    };
    let text = "system-managed install namespace resolves to source namespace \"ops\"; use standard migration without --system-managed-install-namespace";
    assert_eq!(refusal(&suggested("suggested-namespace", "ops")), text);
    let template = suggested("suggested-namespace-template", "{\"metadata\":{\"name\":\"of-template\"}}");
    assert_eq!(template.namespace.as_deref(), Some("of-template"));
    assert!(refusal(&suggested("suggested-namespace", "Not-A-Label")).starts_with(
        "resolved system-managed namespace \"Not-A-Label\" is invalid: a lowercase RFC 1123 label must consist of"
    ));
}

#[test]
fn m26_needs_an_api_without_the_namespace() {
    let missing = into(InstallNamespace::SystemManaged);
    assert!(refusal(&missing.conversion()).starts_with("system-managed install namespace requires ClusterExtension CRD \"clusterextensions.olm.operatorframework.io\" with optional spec.namespace: "));
    let with = |required: &str, status: &str| {
        let mut case = into(InstallNamespace::SystemManaged);
        case.more = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: clusterextensions.olm.operatorframework.io}}\nspec: {{versions: [{{name: v1, served: true, schema: {{openAPIV3Schema: {{properties: {{spec: {{required: [{required}], properties: {{namespace: {{}}}}}}}}}}}}}}]}}\nstatus: {{conditions: [{{type: Established, status: '{status}'}}]}}\n"
        );
        case.conversion()
    };
    assert_eq!(refusal(&with("source", "True")), "none");
    assert_eq!(
        refusal(&with("namespace, source", "True")),
        "system-managed install namespace requires an operator-controller experimental CRD with optional spec.namespace; the installed ClusterExtension CRD requires it"
    );
    assert_eq!(
        refusal(&with("source", "False")),
        "system-managed install namespace requires established ClusterExtension CRD \"clusterextensions.olm.operatorframework.io\""
    );
}

/// The case with a namespace of the Subscription and one that the operator moves to, with these labels.
fn moved(source: &str, target: &str) -> Conversion {
    let mut case = into(named("target"));
    case.more = format!(
        "apiVersion: v1\nkind: Namespace\nmetadata: {{name: ops, labels: {{{source}}}}}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: target, labels: {{{target}}}}}\n"
    );
    case.conversion()
}

#[test]
fn another_namespace_must_not_enforce_more() {
    const WEAKENS: &str = "source namespace PSA enforcement may weaken existing target namespace \"target\"; choose a target with an explicit equal or weaker enforcement label";
    let level = |level: &str| format!("pod-security.kubernetes.io/enforce: {level}");
    let versioned =
        |name: &str, version: &str| format!("{}, pod-security.kubernetes.io/enforce-version: {version}", level(name));
    for (source, target, expected) in [
        (String::new(), level("restricted"), "none"),
        (level("baseline"), String::new(), WEAKENS),
        (level("baseline"), level("restricted"), WEAKENS),
        (level("baseline"), level("privileged"), "none"),
        (level("baseline"), level("baseline"), "none"),
        (versioned("baseline", "v1.30"), level("baseline"), WEAKENS),
        (versioned("baseline", "v1.30"), versioned("baseline", "v1.31"), WEAKENS),
        (versioned("baseline", "v1.30"), versioned("baseline", "v1.30"), "none"),
    ] {
        assert_eq!(refusal(&moved(&source, &target)), expected, "{source} to {target}");
    }
}

#[test]
fn another_namespace_gets_the_labels_and_the_objects() {
    let mut case = with_objects();
    case.options.install_namespace = named("target");
    case.more += "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: ops, labels: {pod-security.kubernetes.io/enforce: baseline, team: a}}\n";
    let conversion = case.conversion();
    assert_eq!(
        conversion.new_namespace,
        Some(json!({
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": { "name": "target", "labels": { "pod-security.kubernetes.io/enforce": "baseline" } },
        }))
    );
    assert_eq!(case.extension()["spec"]["namespace"], "target");
    assert_eq!(phases(&conversion)[4], ("deploy", vec!["Deployment target/widgets", "Widget target/first"]));
    case.more += "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: widgets, namespace: target}\n";
    let text = "target namespace resource collision: apps/v1, Kind=Deployment target/widgets already exists";
    assert_eq!(refusal(&case.conversion()), text);
}

#[test]
fn the_source_namespace_is_deleted_only_if_acknowledged() {
    let mut case = into(named("target"));
    case.options.acknowledged.namespace_delete = true;
    let plan = case.conversion().plan;
    assert_eq!(
        plan.last().map(String::as_str),
        Some(
            "Delete source namespace ops after migration (--acknowledge-namespace-delete); this also removes any remaining InstallPlans and OperatorGroups."
        )
    );
    assert!(!plan.iter().any(|line| line.starts_with("Retain")), "{plan:?}");
    let annotations = &case.extension()["metadata"]["annotations"];
    assert_eq!(annotations["olm.operatorframework.io/acknowledged-namespace-delete"], "true");
    for wanted in [InstallNamespace::Source, named("ops")] {
        case.options.install_namespace = wanted;
        let text = "--acknowledge-namespace-delete requires --install-namespace to differ from -n/--namespace";
        assert_eq!(refusal(&case.conversion()), text);
    }
}

#[test]
fn m21_convert_refuses_an_extension_of_the_name() {
    let case = Case { more: "kind: ClusterExtension\nmetadata: {name: widgets}\n".to_owned(), ..Case::new() };
    assert_eq!(refusal(&case.conversion()), "ClusterExtension widgets already exists");
}

#[test]
fn convert_counts_failed_checks() {
    let mut case = Case { status: "{phase: Failed}", group: String::new(), ..Case::new() };
    case.subscription = SUBSCRIPTION.replace("AtLatestKnown", "UpgradeAvailable");
    assert_eq!(refusal(&case.conversion()), "readiness checks failed (2 issues)");
    case.options.acknowledged.not_steady_state = true;
    let text = "operator is not compatible with OLMv1 migration (1 issues found)";
    assert_eq!(refusal(&case.conversion()), text);
    let lost = Case { cluster_catalog: String::new(), ..Case::new() };
    let text = "failed to resolve ClusterCatalog: package \"widgets\" at version \"1.0.0\" in channel \"stable\" not found in any serving ClusterCatalog";
    assert_eq!(refusal(&lost.conversion()), text);
    let gone = Case { source: String::new(), ..Case::new() };
    let text = "failed to get bundle info: subscription ops/widgets references CatalogSource olm/community: catalogsources.operators.coreos.com \"community\" not found";
    assert_eq!(refusal(&gone.conversion()), text);
    let missing = Case { subscription: SUBSCRIPTION.replace("widgets.v1.0.0", "gone"), ..Case::new() };
    let text = "failed to profile operator: failed to get CSV gone: clusterserviceversions.operators.coreos.com \"gone\" not found";
    assert_eq!(refusal(&missing.conversion()), text);
}

#[test]
fn several_controllers_are_refused() {
    let controller = |namespace: &str| {
        format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: operator-controller-controller-manager, namespace: {namespace}, labels: {{app.kubernetes.io/name: operator-controller}}}}\n"
        )
    };
    let one = Case { more: controller("olmv1-system"), ..Case::new() }.conversion();
    assert!(one.refusal.is_none() && one.unknown == ["whether the cluster has more objects of the operator"]);
    let two = Case { more: controller("b") + &controller("a"), ..Case::new() }.conversion();
    let text = "found operator-controller Deployment \"operator-controller-controller-manager\" in multiple namespaces [a b]; set Options.SystemNamespace";
    assert_eq!(refusal(&two), text);
}
