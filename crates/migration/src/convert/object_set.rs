//! The ClusterObjectSet that makes the installed bundle known to OLM v1: its phases, with the objects that the manifests name
//! (library-olm `migration/pkg/migration/collector.go`, `phase.go`).

use crate::dump::{CRDS, Dump, V0, list_at, text_at};
use crate::index::ObjectKey;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most objects of a phase that the API server accepts (operator-controller `api/v1/clusterobjectset_types.go`).
pub(crate) const MOST_OBJECTS: usize = 50;

const CORE: &str = "";
const RBAC: &str = "rbac.authorization.k8s.io";
const MONITORING: &str = "monitoring.coreos.com";
const CONSOLE: &str = "console.openshift.io";
const ADMISSION: &str = "admissionregistration.k8s.io";
const NETWORKING: &str = "networking.k8s.io";
const CERTIFICATES: &str = "cert-manager.io";

/// A group, a kind, and whether the tool looks for objects of the kind by labels and owners.
type KindRow = (&'static str, &'static str, bool);

/// The phases in their order, with their kinds. What is not listed is in the phase `deploy`.
const PHASES: &[(&str, &[KindRow])] = &[
    ("namespaces", &[(CORE, "Namespace", true)]),
    (
        "policies",
        &[
            (NETWORKING, "NetworkPolicy", true),
            ("policy", "PodDisruptionBudget", true),
            ("scheduling.k8s.io", "PriorityClass", true),
        ],
    ),
    ("identity", &[(CORE, "ServiceAccount", true)]),
    ("configuration", &[(CORE, "Secret", true), (CORE, "ConfigMap", true)]),
    (
        "storage",
        &[
            (CORE, "PersistentVolume", false),
            (CORE, "PersistentVolumeClaim", false),
            ("storage.k8s.io", "StorageClass", false),
        ],
    ),
    ("crds", &[(CRDS, "CustomResourceDefinition", true)]),
    ("roles", &[(RBAC, "ClusterRole", true), (RBAC, "Role", true)]),
    ("bindings", &[(RBAC, "ClusterRoleBinding", true), (RBAC, "RoleBinding", true)]),
    (
        "infrastructure",
        &[(CORE, "Service", true), (CERTIFICATES, "Issuer", false), (CERTIFICATES, "Certificate", false)],
    ),
    (DEPLOY, &[("apps", "Deployment", true)]),
    ("scaling", &[("autoscaling.k8s.io", "VerticalPodAutoscaler", true)]),
    (
        "publish",
        &[
            (MONITORING, "PrometheusRule", true),
            (MONITORING, "ServiceMonitor", true),
            (MONITORING, "PodMonitor", true),
            (NETWORKING, "Ingress", false),
            ("route.openshift.io", "Route", false),
            (CONSOLE, "ConsoleYAMLSample", true),
            (CONSOLE, "ConsoleQuickStart", true),
            (CONSOLE, "ConsoleCLIDownload", true),
            (CONSOLE, "ConsoleLink", true),
            (CONSOLE, "ConsolePlugin", true),
        ],
    ),
    (
        "admission",
        &[(ADMISSION, "ValidatingWebhookConfiguration", true), (ADMISSION, "MutatingWebhookConfiguration", true)],
    ),
];
const DEPLOY: &str = "deploy";

/// The kinds of an InstallPlan that belong to no namespace.
const CLUSTER_SCOPED: [&str; 12] = [
    "ClusterRole",
    "ClusterRoleBinding",
    "ConsoleCLIDownload",
    "ConsoleLink",
    "ConsolePlugin",
    "ConsoleQuickStart",
    "ConsoleYAMLSample",
    "CustomResourceDefinition",
    "MutatingWebhookConfiguration",
    "Namespace",
    "PriorityClass",
    "ValidatingWebhookConfiguration",
];

/// The kinds of OLM v0 that are never collected.
const NEVER: [&str; 6] =
    ["ClusterServiceVersion", "InstallPlan", "Operator", "OperatorCondition", "OperatorGroup", "Subscription"];

/// What names an object. The order is that within a phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ObjectId {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
    pub(super) namespace: String,
    pub(super) name: String,
}

impl ObjectId {
    fn of(group: &str, kind: &str, value: &Value) -> Self {
        let text = |pointer| text_at(value, pointer).to_owned();
        let version = text_at(value, "/apiVersion");
        let version = version.rsplit_once('/').map_or(version, |(_, version)| version);
        let (group, version, kind) = (group.to_owned(), version.to_owned(), kind.to_owned());
        Self { group, version, kind, namespace: text("/metadata/namespace"), name: text("/metadata/name") }
    }

    fn phase(&self) -> &'static str {
        let has =
            |kinds: &[KindRow]| kinds.iter().any(|(group, kind, _)| (&*self.group, &*self.kind) == (*group, *kind));
        PHASES.iter().find(|(_, kinds)| has(kinds)).map_or(DEPLOY, |(phase, _)| phase)
    }

    fn is_looked_for(&self) -> bool {
        let kinds = PHASES.iter().flat_map(|(_, kinds)| *kinds);
        kinds.into_iter().any(|(group, kind, is)| *is && (&*self.group, &*self.kind) == (*group, *kind))
    }

    /// `Kind namespace/name`
    pub(super) fn text(&self) -> String {
        let Self { kind, namespace, name, .. } = self;
        if namespace.is_empty() { format!("{kind} {name}") } else { format!("{kind} {namespace}/{name}") }
    }
}

/// The objects that the tool puts into the ClusterObjectSet, as far as the manifests name them: each once, whatever its version.
#[derive(Debug, Default)]
pub(super) struct Collected(BTreeMap<(String, String, String, String), ObjectId>);

impl Collected {
    /// The objects of an operator. `csv` is the installed one, `plan` its InstallPlan.
    pub(super) fn of(dump: &Dump, (namespace, package): (&str, &str), csv: &str, plan: Option<&Value>) -> Self {
        let mut found = Self::default();
        let component = format!("{package}.{namespace}");
        let operator = dump.find(V0, "Operator", "", &component);
        for row in operator.into_iter().flat_map(|operator| list_at(operator, "/status/components/refs")) {
            let text = |pointer| text_at(row, pointer).to_owned();
            let api_version = text_at(row, "/apiVersion");
            let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
            let (group, version) = (group.to_owned(), version.to_owned());
            found.add(ObjectId {
                group,
                version,
                kind: text("/kind"),
                namespace: text("/namespace"),
                name: text("/name"),
            });
        }
        let id = |(group, kind, namespace, name): &ObjectKey| {
            Some(ObjectId::of(group, kind, dump.find(group, kind, namespace, name)?))
        };
        let owned = dump.index.owned(namespace, csv).filter_map(id).filter(ObjectId::is_looked_for);
        dump.index.crds(&component).filter_map(id).chain(owned).for_each(|object| found.add(object));
        let steps = plan.into_iter().flat_map(|plan| list_at(plan, "/status/plan"));
        for resource in steps.filter(|step| text_at(step, "/resolving") == csv).filter_map(|step| step.get("resource"))
        {
            let kind = text_at(resource, "/kind");
            let namespace = if CLUSTER_SCOPED.contains(&kind) { "" } else { namespace };
            let text = |pointer| text_at(resource, pointer).to_owned();
            let (group, version) = (text("/group"), text("/version"));
            let group = if group == "core" { String::new() } else { group };
            found.add(ObjectId {
                group,
                version,
                kind: kind.to_owned(),
                namespace: namespace.to_owned(),
                name: text("/name"),
            });
        }
        found
    }

    fn add(&mut self, object: ObjectId) {
        if object.group != V0 || !NEVER.contains(&&*object.kind) {
            let ObjectId { group, kind, namespace, name, .. } = object.clone();
            self.0.entry((group, kind, namespace, name)).or_insert(object);
        }
    }

    /// Adds the Namespace that OLM v1 manages.
    pub(super) fn add_namespace(&mut self, name: &str) {
        let (version, kind) = ("v1".to_owned(), "Namespace".to_owned());
        self.add(ObjectId { group: String::new(), version, kind, namespace: String::new(), name: name.to_owned() });
    }

    /// The same with the objects of a namespace in another one.
    pub(super) fn moved(self, source: &str, target: &str) -> Self {
        let mut moved = Self::default();
        for object in self.0.into_values() {
            let is_moved = object.namespace == source;
            moved.add(if is_moved { ObjectId { namespace: target.to_owned(), ..object } } else { object });
        }
        moved
    }

    pub(super) fn objects(&self) -> impl Iterator<Item = &ObjectId> {
        self.0.values()
    }

    /// The phases that have objects, in their order.
    pub(super) fn phases(&self) -> Vec<Phase> {
        let of = |phase: &'static str| {
            let mut objects: Vec<&ObjectId> = self.objects().filter(|object| object.phase() == phase).collect();
            objects.sort();
            Phase { name: phase, objects: objects.into_iter().map(ObjectId::text).collect() }
        };
        let phases = PHASES.iter().map(|(phase, _)| of(phase));
        phases.filter(|phase| !phase.objects.is_empty()).collect()
    }
}

/// The ClusterObjectSet that the tool creates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectSet {
    pub name: String,
    /// The phases that have objects, in their order, with the objects that the manifests name. The cluster may have more.
    pub phases: Vec<Phase>,
    /// The object without `phases` and without the random annotation `migration-invocation`.
    pub object: Value,
}

/// A phase of a ClusterObjectSet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    pub name: &'static str,
    /// Its objects in their order, as `Kind namespace/name`.
    pub objects: Vec<String>,
}

/// What a ClusterObjectSet says of its bundle.
pub(super) struct Bundle<'b> {
    pub(super) package: &'b str,
    pub(super) csv: &'b str,
    pub(super) version: &'b str,
    /// The image, if the InstallPlan names it.
    pub(super) image: Option<&'b str>,
}

impl ObjectSet {
    /// That of an extension, which was made of a Subscription (`namespace/name`).
    pub(super) fn new(extension: &str, subscription: &str, bundle: &Bundle<'_>, collected: &Collected) -> Self {
        let name = format!("{extension}-1");
        let mut annotations = json!({
            "olm.operatorframework.io/migrated-from-subscription": subscription,
            "olm.operatorframework.io/package-name": bundle.package,
            "olm.operatorframework.io/bundle-name": bundle.csv,
            "olm.operatorframework.io/bundle-version": bundle.version,
        });
        if let Some(image) = bundle.image {
            annotations["olm.operatorframework.io/bundle-reference"] = image.into();
        }
        let labels = json!({
            "olm.operatorframework.io/owner-kind": "ClusterExtension",
            "olm.operatorframework.io/owner-name": extension,
        });
        let object = json!({
            "apiVersion": "olm.operatorframework.io/v1",
            "kind": "ClusterObjectSet",
            "metadata": { "name": name, "labels": labels, "annotations": annotations },
            "spec": { "revision": 1, "lifecycleState": "Active", "collisionProtection": "None" },
        });
        Self { name, phases: collected.phases(), object }
    }
}
