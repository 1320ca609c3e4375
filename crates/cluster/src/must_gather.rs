//! The state of OLM in the files of `oc adm must-gather` or `oc adm inspect` (openshift/must-gather).
//!
//! Such a folder has thousands of files, nearly all of them logs. Its root has a folder for each image that gathered, so files
//! are recognised by the end of their path.

use serde_json::{Value, json};
use source::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// The API group of OLM v0, as a folder.
const GROUP: &str = "operators.coreos.com";
/// The kinds of OLM v0 that answers depend on, as folders.
const PLURALS: [&str; 6] = [
    "catalogsources",
    "clusterserviceversions",
    "installplans",
    "operatorconditions",
    "operatorgroups",
    "subscriptions",
];
/// The API group of OLM v1, as a folder.
const GROUP_V1: &str = "olm.operatorframework.io";
/// The kinds of OLM v1 that answers depend on, as folders. They belong to no namespace.
const PLURALS_V1: [&str; 4] =
    ["clustercatalogs", "clusterextensionrevisions", "clusterextensions", "clusterobjectsets"];
/// The namespaces of OLM v1: on OpenShift, and upstream.
const NAMESPACES_V1: [&str; 2] = ["openshift-operator-controller", "olmv1-system"];
/// The folder of the objects that belong to no namespace.
const CLUSTER_SCOPED: &str = "cluster-scoped-resources";
/// The API group of CustomResourceDefinitions, as a folder.
const CRD_GROUP: &str = "apiextensions.k8s.io";
/// The first line of manifests that have all objects of OLM of a cluster.
const COMPLETE: &str = "# all objects of OLM, from a must-gather\n";
/// The label of CSVs that OLM copied from another namespace.
const COPIED: &str = "olm.copiedFrom";
/// Fields that are long, and that no answer depends on. Objects of OLM v1 keep those of `spec`: `install` has another meaning.
const LEFT_OUT: [&str; 10] = [
    "/metadata/managedFields",
    "/metadata/annotations/alm-examples",
    "/metadata/annotations/description",
    "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration",
    "/spec/description",
    "/spec/icon",
    "/spec/install/spec/deployments",
    "/spec/install/spec/permissions",
    "/spec/relatedImages",
    "/status/plan",
];
/// The requirements of a CSV. Those that are met are left out.
const REQUIREMENTS: &str = "/status/requirementStatus";

/// The manifests in a must-gather.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MustGather {
    /// The objects that OLM reads, each with a comment that names its file, without long fields that no answer depends on.
    pub manifests: String,
    pub objects: u32,
    /// How many CSVs were left out because OLM copied them from another namespace.
    pub copied: u32,
}

/// What a file is about: each is read once, even if several images gathered it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Content<'p> {
    /// The objects of a kind in a namespace, as a list. The namespace is empty for kinds without namespaces.
    List(&'p str, &'p str),
    /// An object of a kind in a namespace.
    One(&'p str, &'p str, &'p str),
    ClusterVersion,
    /// A ClusterOperator of OLM.
    ClusterOperator(&'p str),
    /// The Deployments of a namespace of OLM v1, with its release and feature gates.
    Deployments(&'p str),
    Crd(&'p str),
}

/// The positions of the paths that tell the state of OLM, in the order of the paths; `None` if these are not the files of a
/// must-gather.
///
/// ```
/// let paths = ["a/version", "a/namespaces/x/operators.coreos.com/subscriptions/s.yaml", "a/namespaces/x/core/pods.yaml"];
/// assert_eq!(cluster::must_gather_files(&paths), Some(vec![1]));
/// assert_eq!(cluster::must_gather_files(&["catalog/p/catalog.yaml"]), None);
/// ```
#[must_use]
pub fn must_gather_files(paths: &[&str]) -> Option<Vec<usize>> {
    let mut by_path: Vec<usize> = (0..paths.len()).collect();
    by_path.sort_by_key(|&at| paths[at]);
    let mut found: BTreeMap<Content<'_>, usize> = BTreeMap::new();
    for at in by_path {
        if let Some(content) = content(paths[at]) {
            found.entry(content).or_insert(at);
        }
    }
    let is_gathered = |path: &&str| path.split('/').any(|part| part == CLUSTER_SCOPED);
    let has_olm = found.keys().any(|content| matches!(content, Content::List(..) | Content::One(..)));
    if !has_olm && !paths.iter().any(is_gathered) {
        return None;
    }
    // Where each object has a file, the list has the same ones again.
    let single: BTreeSet<(&str, &str)> = (found.keys())
        .filter_map(
            |content| if let Content::One(namespace, plural, _) = content { Some((*namespace, *plural)) } else { None },
        )
        .collect();
    found.retain(
        |content, _| !matches!(content, Content::List(namespace, plural) if single.contains(&(*namespace, *plural))),
    );
    let mut files: Vec<usize> = found.into_values().collect();
    files.sort_by_key(|&at| paths[at]);
    Some(files)
}

/// Whether a file of this path tells the state of OLM, if it is in a must-gather.
#[must_use]
pub fn is_must_gather_file(path: &str) -> bool {
    content(path).is_some()
}

/// Whether a path is one of the logs of a must-gather, which are most of its bytes, or one of its objects that OLM does not read.
#[must_use]
pub fn is_must_gather_log(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let is_log = path.ends_with(".log")
        || parts.iter().any(|part| [CLUSTER_SCOPED, "audit_logs", "host_service_logs"].contains(part))
        || parts.windows(3).any(|parts| matches!(parts, ["namespaces", _, "pods"]));
    is_log && !is_must_gather_file(path)
}

fn content(path: &str) -> Option<Content<'_>> {
    let parts: Vec<&str> = path.strip_suffix(".yaml")?.split('/').collect();
    let known = |plural: &&str| PLURALS.contains(plural);
    match parts.as_slice() {
        [.., "namespaces", namespace, GROUP, plural] if known(plural) => Some(Content::List(namespace, plural)),
        [.., "namespaces", namespace, GROUP, plural, name] if known(plural) => {
            Some(Content::One(namespace, plural, name))
        }
        [.., CLUSTER_SCOPED, GROUP_V1, plural] if PLURALS_V1.contains(plural) => Some(Content::List("", plural)),
        [.., CLUSTER_SCOPED, GROUP_V1, plural, name] if PLURALS_V1.contains(plural) => {
            Some(Content::One("", plural, name))
        }
        [.., CLUSTER_SCOPED, "config.openshift.io", "clusterversions"]
        | [.., CLUSTER_SCOPED, "config.openshift.io", "clusterversions", _] => Some(Content::ClusterVersion),
        [.., CLUSTER_SCOPED, "config.openshift.io", "clusteroperators", name]
            if *name == "olm" || name.starts_with("operator-lifecycle-manager") =>
        {
            Some(Content::ClusterOperator(name))
        }
        [.., "namespaces", namespace, "apps", "deployments"] if NAMESPACES_V1.contains(namespace) => {
            Some(Content::Deployments(namespace))
        }
        [.., CLUSTER_SCOPED, CRD_GROUP, "customresourcedefinitions", name] => Some(Content::Crd(name)),
        _ => None,
    }
}

/// Reads files of a must-gather, given as paths and texts. A file that cannot be read is taken as it is, so that the reader of
/// manifests reports its place.
#[must_use]
pub fn must_gather<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> MustGather {
    let mut gathered = MustGather::default();
    let (mut crds, mut owned) = (Vec::new(), BTreeSet::new());
    for (path, text) in files {
        if matches!(content(path), Some(Content::Crd(_))) {
            crds.push((path, text));
            continue;
        }
        let read = fbc::untyped_values(FileId(0), text);
        let values: Option<Vec<Value>> = read.nodes.iter().map(|node| node.to_json(text).ok()).collect();
        match values.filter(|_| read.diagnostics.is_empty()) {
            Some(values) => values.into_iter().for_each(|value| gathered.add(path, value, &mut owned)),
            None => {
                gathered.push(path, text);
                gathered.objects += 1;
            }
        }
    }
    crds.into_iter().for_each(|(path, text)| gathered.add_crd(path, text, &owned));
    gathered
}

/// Whether the first line of manifests says that they have all objects of OLM of a cluster.
#[must_use]
pub fn is_marked_complete(text: &str) -> bool {
    text.starts_with(COMPLETE)
}

impl MustGather {
    /// The manifests, which say that they have all objects of OLM of the cluster: what is kept of them is their text.
    #[must_use]
    pub fn marked_complete(&self) -> String {
        format!("{COMPLETE}{}", self.manifests)
    }

    /// Adds an object, or the items of a list; the CustomResourceDefinitions of CSVs are added to `owned`.
    fn add(&mut self, path: &str, mut value: Value, owned: &mut BTreeSet<Box<str>>) {
        if let Some(Value::Array(items)) = value.get_mut("items").map(Value::take) {
            let kind =
                value["kind"].as_str().and_then(|kind| kind.strip_suffix("List")).filter(|kind| !kind.is_empty());
            for mut item in items {
                // The items of a typed list may have no kind of their own.
                if let (Some(kind), Value::Object(fields)) = (kind, &mut item) {
                    fields.entry("kind").or_insert_with(|| kind.into());
                    fields.entry("apiVersion").or_insert_with(|| value["apiVersion"].clone());
                }
                self.add(path, item, owned);
            }
            return;
        }
        if value.pointer("/metadata/labels").is_some_and(|labels| labels.get(COPIED).is_some()) {
            self.copied += 1;
            return;
        }
        let crds = value.pointer("/spec/customresourcedefinitions/owned").and_then(Value::as_array);
        owned.extend(crds.into_iter().flatten().filter_map(|crd| crd.get("name")?.as_str()).map(Box::from));
        let is_of_v1 = value["apiVersion"].as_str().is_some_and(|version| version.starts_with(GROUP_V1));
        let left_out = LEFT_OUT.iter().filter(|pointer| !is_of_v1 || pointer.starts_with("/metadata/"));
        left_out.for_each(|pointer| remove(&mut value, pointer));
        if let Some(Value::Array(requirements)) = value.pointer_mut(REQUIREMENTS) {
            requirements.retain(|one| !matches!(one["status"].as_str(), Some("Present" | "Satisfied")));
            let is_nothing_left = requirements.is_empty();
            if is_nothing_left {
                remove(&mut value, REQUIREMENTS);
            }
        }
        self.objects += 1;
        self.push(path, &fbc::to_yaml(&value));
    }

    /// Adds which versions the objects of a CustomResourceDefinition are stored in, if a CSV owns it: a cluster has hundreds of
    /// others, and their schemas are long.
    fn add_crd(&mut self, path: &str, text: &str, owned: &BTreeSet<Box<str>>) {
        let name = path.rsplit('/').next().and_then(|name| name.strip_suffix(".yaml"));
        let Some(name) = name.filter(|name| owned.contains(*name)) else { return };
        let read = fbc::untyped_values(FileId(0), text);
        let Some(crd) = read.nodes.first().and_then(|node| node.to_json(text).ok()) else { return };
        let kept = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": name},
            "status": {"storedVersions": crd.pointer("/status/storedVersions").cloned().unwrap_or_default()},
        });
        self.objects += 1;
        self.push(path, &fbc::to_yaml(&kept));
    }

    fn push(&mut self, path: &str, text: &str) {
        let text = text.strip_prefix("---\n").unwrap_or(text);
        let separator = if self.manifests.is_empty() { "" } else { "---\n" };
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.manifests += &format!("{separator}# {path}\n{text}{end}");
    }
}

/// Removes a field that a JSON pointer names.
fn remove(value: &mut Value, pointer: &str) {
    if let Some((parent, key)) = pointer.rsplit_once('/')
        && let Some(Value::Object(fields)) = value.pointer_mut(parent)
    {
        fields.remove(&key.replace("~1", "/"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    const CSV: &str = "---\napiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: p.v1.0.0\n  namespace: a\n  managedFields: [{manager: olm}]\n  annotations: {alm-examples: '[]', kubectl.kubernetes.io/last-applied-configuration: '{}'}\nspec:\n  version: 1.0.0\n  icon: [{base64data: aGVsbG8=}]\n";

    /// A migration asks for the permissions of a CSV, and the state of a namespace for the bundle of an InstallPlan.
    #[test]
    fn what_the_migration_reads_is_kept() {
        let csv = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: a.v1, namespace: n}\nspec: {install: {spec: {clusterPermissions: [{rules: []}], deployments: [{name: d}]}}}\n";
        let plan = "apiVersion: operators.coreos.com/v1alpha1\nkind: InstallPlan\nmetadata: {name: i, namespace: n}\nstatus: {bundleLookups: [{identifier: a.v1}]}\n";
        let condition =
            "apiVersion: operators.coreos.com/v2\nkind: OperatorCondition\nmetadata: {name: a.v1, namespace: n}\n";
        let path = |plural: &str| format!("root/image/namespaces/n/operators.coreos.com/{plural}/a.yaml");
        let paths = ["clusterserviceversions", "installplans", "operatorconditions"].map(path);
        let text = must_gather(paths.iter().map(String::as_str).zip([csv, plan, condition])).manifests;
        for kept in ["clusterPermissions:", "bundleLookups:", "kind: OperatorCondition"] {
            assert!(text.contains(kept), "{kept}\n{text}");
        }
        assert!(!text.contains("deployments:"), "{text}");
    }

    #[test]
    fn files_are_recognised_by_the_end_of_their_path() {
        let paths = [
            "quay-io-2/namespaces/a/operators.coreos.com/subscriptions/p.yaml",
            "quay-io-1/namespaces/a/operators.coreos.com/subscriptions/p.yaml",
            "quay-io-1/namespaces/a/operators.coreos.com/subscriptions.yaml",
            "quay-io-1/namespaces/a/operators.coreos.com/operatorgroups.yaml",
            "quay-io-1/namespaces/a/operators.coreos.com/olmconfigs/p.yaml",
            "quay-io-1/namespaces/a/pods/p/p.log",
            "quay-io-1/cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml",
        ];
        assert_eq!(must_gather_files(&paths), Some(vec![6, 3, 1]));
        let read: Vec<&str> = paths.into_iter().filter(|path| !is_must_gather_log(path)).collect();
        assert_eq!(read.len(), 6, "{read:?}");
        // Gathered without OLM.
        assert_eq!(must_gather_files(&["x/cluster-scoped-resources/core/nodes/n.yaml"]), Some(Vec::new()));
    }

    #[test]
    fn stored_versions_are_kept_of_crds_that_a_csv_owns() {
        let owner = format!("{CSV}  customresourcedefinitions: {{owned: [{{name: as.example.com, version: v1}}]}}\n");
        let crd = |name: &str| {
            format!(
                "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {name}}}\nspec: {{versions: []}}\nstatus: {{storedVersions: [v1alpha1, v1]}}\n"
            )
        };
        let folder = "x/cluster-scoped-resources/apiextensions.k8s.io/customresourcedefinitions";
        let paths = [format!("{folder}/as.example.com.yaml"), format!("{folder}/bs.example.com.yaml")];
        let csv = "x/namespaces/a/operators.coreos.com/clusterserviceversions/p.yaml";
        assert_eq!(must_gather_files(&[&*paths[0], csv]).map(|files| files.len()), Some(2));
        let (one, other) = (crd("as.example.com"), crd("bs.example.com"));
        let found = must_gather([(&*paths[0], &*one), (&*paths[1], &*other), (csv, &*owner)]);
        let manifests = read(FileId(0), &found.manifests);
        let crds: Vec<String> =
            manifests.cluster.crds.iter().map(|(name, stored)| format!("{name} {}", stored.join(","))).collect();
        assert_eq!((crds, found.objects), (vec!["as.example.com v1alpha1,v1".to_owned()], 2));
        assert_eq!((manifests.skipped.len(), manifests.diagnostics.len()), (0, 0));
    }

    #[test]
    fn objects_of_olm_v1_are_read() {
        let folder = "x/cluster-scoped-resources/olm.operatorframework.io";
        let paths = [
            format!("{folder}/clusterextensions/e.yaml"),
            format!("{folder}/clusterextensions.yaml"),
            format!("{folder}/clustercatalogs.yaml"),
        ];
        let paths = paths.each_ref().map(String::as_str);
        assert_eq!(must_gather_files(&paths), Some(vec![2, 0]));
        let other = format!("{folder}/others/o.yaml");
        assert!(!is_must_gather_log(paths[2]) && is_must_gather_log(&other));
        let extension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: e, managedFields: []}\nspec:\n  namespace: apps\n  install: {preflight: {crdUpgradeSafety: {enforcement: None}}}\n  source: {sourceType: Catalog, catalog: {packageName: p}}\n";
        let catalogs = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalogList\nitems:\n- metadata: {name: c}\n  spec: {priority: 1}\n";
        let found = must_gather([(paths[2], catalogs), (paths[0], extension)]);
        assert!(found.manifests.contains("enforcement: None") && !found.manifests.contains("managedFields"));
        let manifests = read(FileId(0), &found.manifests);
        assert_eq!((found.objects, manifests.diagnostics), (2, Vec::new()));
        assert_eq!((manifests.cluster_extensions[0].name.as_str(), manifests.cluster_catalogs[0].priority), ("e", 1));
    }

    /// `oc adm inspect` of a namespace writes lists.
    #[test]
    fn lists_of_oc_adm_inspect_are_read() {
        let folder = "inspect.local.1/namespaces/a/operators.coreos.com";
        let paths = [format!("{folder}/clusterserviceversions.yaml"), format!("{folder}/catalogsources.yaml")];
        let csvs = format!(
            "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersionList\nitems:\n- {}",
            CSV.trim_start_matches("---\n").trim_end().replace('\n', "\n  ")
        );
        let sources = "apiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSourceList\nitems:\n- metadata: {name: c, namespace: a}\n  spec: {image: 'example.com/c:1'}\n";
        assert_eq!(must_gather_files(&[&*paths[0], &*paths[1]]), Some(vec![1, 0]));
        let found = must_gather([(&*paths[0], &*csvs), (&*paths[1], sources)]);
        let manifests = read(FileId(0), &found.manifests);
        assert_eq!(manifests.diagnostics, []);
        assert_eq!(
            (manifests.cluster.csvs.len(), manifests.cluster.catalog_sources[0].image.as_deref()),
            (1, Some("example.com/c:1"))
        );
    }

    #[test]
    fn long_fields_and_copies_are_left_out() {
        let copied = CSV.replace("  namespace: a\n", "  namespace: b\n  labels: {olm.copiedFrom: a}\n");
        let found = must_gather([("a.yaml", CSV), ("b.yaml", copied.as_str())]);
        let expected = "# a.yaml\napiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  annotations: {}\n  name: p.v1.0.0\n  namespace: a\nspec:\n  version: 1.0.0\n";
        assert_eq!((found.manifests.as_str(), found.objects, found.copied), (expected, 1, 1));
    }

    #[test]
    fn a_list_becomes_its_objects_and_what_cannot_be_read_stays() {
        let list = "apiVersion: operators.coreos.com/v1\nkind: OperatorGroupList\nitems:\n- apiVersion: operators.coreos.com/v1\n  kind: OperatorGroup\n  metadata: {name: g, namespace: a}\n- metadata: {name: h, namespace: b}\n";
        let found = must_gather([("groups.yaml", list), ("broken.yaml", "kind: [")]);
        let manifests = read(FileId(0), &found.manifests);
        assert_eq!((manifests.cluster.operator_groups.len(), manifests.diagnostics.len()), (2, 1), "{manifests:?}");
        assert!(found.manifests.ends_with("---\n# broken.yaml\nkind: [\n"));
    }
}
