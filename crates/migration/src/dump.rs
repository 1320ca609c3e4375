//! Objects of a cluster as they are written: the checks read more fields and kinds than a simulation.

use crate::index::Index;
use fbc::Node;
use serde_json::Value;
use simulate::every_object;
use std::collections::BTreeMap;

/// The group of OLM v0.
pub(crate) const V0: &str = "operators.coreos.com";
/// The group of OLM v1.
pub(crate) const V1: &str = "olm.operatorframework.io";
/// The group of CustomResourceDefinitions.
pub(crate) const CRDS: &str = "apiextensions.k8s.io";

/// Objects by group and kind, in the order of namespaces and names, as an API server lists them.
pub(crate) type Objects = BTreeMap<(String, String), BTreeMap<(String, String), Value>>;

/// The objects of manifests.
#[derive(Debug, Default)]
pub struct Dump {
    objects: Objects,
    /// What is looked up for each Subscription.
    pub(crate) index: Index,
    /// Whether the cluster has no other objects of OLM, so that what is missing does not exist.
    pub(crate) is_complete: bool,
}

impl Dump {
    /// The objects in a text with these values. `is_complete` says that the cluster has no others.
    #[must_use]
    pub fn of(text: &str, nodes: &[Node], is_complete: bool) -> Self {
        let mut dump = Self { is_complete, ..Self::default() };
        for (kind, api_version, node) in every_object(nodes) {
            let Ok(mut value) = node.to_exact_json(text) else { continue };
            let group = api_version.rsplit_once('/').map_or("", |(group, _)| group);
            // Manifests may leave out `apiVersion`.
            let group = if api_version.is_empty() { group_of(kind) } else { group };
            // An Operator is the one kind of the group without namespaces.
            if group == V0 && kind != "Operator" && text_at(&value, "/metadata/namespace").is_empty() {
                // kubectl's default.
                if let Some(metadata) = value.pointer_mut("/metadata").and_then(Value::as_object_mut) {
                    metadata.insert("namespace".to_owned(), "default".into());
                }
            }
            let key = (text_at(&value, "/metadata/namespace").to_owned(), text_at(&value, "/metadata/name").to_owned());
            // The first of two objects counts, as everywhere.
            dump.objects.entry((group.to_owned(), kind.to_owned())).or_default().entry(key).or_insert(value);
        }
        dump.index = Index::of(&dump.objects);
        dump
    }

    /// The objects of a kind, by namespace and name.
    pub(crate) fn all(&self, group: &str, kind: &str) -> impl Iterator<Item = &Value> {
        self.objects.get(&(group.to_owned(), kind.to_owned())).into_iter().flat_map(BTreeMap::values)
    }

    /// The objects of a kind in a namespace, by name.
    pub(crate) fn all_in(&self, group: &str, kind: &str, namespace: &str) -> impl Iterator<Item = &Value> {
        let objects = self.objects.get(&(group.to_owned(), kind.to_owned()));
        objects.into_iter().flat_map(move |objects| in_namespace(objects, namespace))
    }

    /// Whether an object of a namespace shows that it exists.
    pub(crate) fn has_namespace(&self, name: &str) -> bool {
        self.find("", "Namespace", "", name).is_some()
            || self.objects.values().any(|objects| in_namespace(objects, name).next().is_some())
    }

    pub(crate) fn find(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<&Value> {
        self.objects.get(&(group.to_owned(), kind.to_owned()))?.get(&(namespace.to_owned(), name.to_owned()))
    }
}

fn in_namespace<'o>(
    objects: &'o BTreeMap<(String, String), Value>,
    namespace: &str,
) -> impl Iterator<Item = &'o Value> {
    let namespace = namespace.to_owned();
    let from = objects.range((namespace.clone(), String::new())..);
    from.take_while(move |((own, _), _)| *own == namespace).map(|(_, value)| value)
}

fn group_of(kind: &str) -> &'static str {
    match kind {
        "ClusterCatalog" | "ClusterExtension" | "ClusterObjectSet" => V1,
        "CustomResourceDefinition" => CRDS,
        "Operator"
        | "Subscription"
        | "ClusterServiceVersion"
        | "OperatorGroup"
        | "CatalogSource"
        | "InstallPlan"
        | "OperatorCondition" => V0,
        _ => "",
    }
}

/// A text at a JSON pointer; empty if there is none.
pub(crate) fn text_at<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The items at a JSON pointer; none if it is absent or no list.
pub(crate) fn list_at<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// An annotation; absent if the object does not have it.
pub(crate) fn annotation<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.pointer("/metadata/annotations")?.get(key)?.as_str()
}

/// Whether a condition of this type is `True`.
pub(crate) fn is_true(value: &Value, kind: &str) -> bool {
    let conditions = list_at(value, "/status/conditions");
    conditions.iter().any(|row| text_at(row, "/type") == kind && text_at(row, "/status") == "True")
}

/// Whether a value is absent, null, or an empty list or object.
pub(crate) fn is_empty(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(fields)) => fields.is_empty(),
        Some(_) => false,
    }
}
