//! Objects of a cluster as they are written: a ClusterExtension takes over fields that no simulation reads.

use cluster::every_object;
use fbc::Node;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The group of OLM v0.
pub(crate) const V0: &str = "operators.coreos.com";
/// The group of OLM v1.
pub(crate) const V1: &str = "olm.operatorframework.io";

/// The annotation of a ClusterServiceVersion with the properties of its bundle.
const PROPERTIES: &str = "operatorframework.io/properties";

/// The namespace and the name of an object.
type ObjectKey = (String, String);

/// The objects of OLM v0 in manifests, by kind, in the order of namespaces and names.
#[derive(Debug, Default)]
pub struct Objects {
    by_kind: BTreeMap<String, BTreeMap<ObjectKey, Value>>,
    /// The Subscriptions whose ClusterServiceVersions require a package, each with its own package.
    dependents: BTreeMap<String, Vec<(String, ObjectKey)>>,
}

impl Objects {
    /// The objects in a text with these values. Of two objects with the same name the first counts.
    #[must_use]
    pub fn of(text: &str, nodes: &[Node]) -> Self {
        let mut objects = Self::default();
        for (kind, api_version, node) in every_object(nodes) {
            // Manifests may leave out `apiVersion`.
            let is_v0 = api_version.is_empty() || api_version.starts_with(&format!("{V0}/"));
            let Some(value) = is_v0.then(|| node.to_exact_json(text).ok()).flatten() else { continue };
            let namespace = match text_at(&value, "/metadata/namespace") {
                // kubectl's default.
                "" => "default",
                namespace => namespace,
            };
            let key = (namespace.to_owned(), text_at(&value, "/metadata/name").to_owned());
            objects.by_kind.entry(kind.to_owned()).or_default().entry(key).or_insert(value);
        }
        objects.dependents = objects.dependents();
        objects
    }

    fn dependents(&self) -> BTreeMap<String, Vec<(String, ObjectKey)>> {
        let mut found: BTreeMap<String, Vec<(String, ObjectKey)>> = BTreeMap::new();
        for (key, subscription) in self.by_kind.get("Subscription").into_iter().flatten() {
            let package = text_at(subscription, "/spec/name");
            for required in self.installed_csv(&key.0, &key.1).map(required_packages).unwrap_or_default() {
                let dependents = found.entry(required).or_default();
                if dependents.last().is_none_or(|(_, last)| last != key) {
                    dependents.push((package.to_owned(), key.clone()));
                }
            }
        }
        found
    }

    /// The Subscriptions of other packages whose installed bundles require this one, by namespace and name.
    pub(crate) fn dependents_on(&self, package: &str) -> impl Iterator<Item = &(String, String)> {
        let all = self.dependents.get(package).map_or(&[][..], Vec::as_slice);
        all.iter().filter(move |(own, _)| own != package).map(|(_, key)| key)
    }

    pub(crate) fn find(&self, kind: &str, namespace: &str, name: &str) -> Option<&Value> {
        self.by_kind.get(kind)?.get(&(namespace.to_owned(), name.to_owned()))
    }

    /// The ClusterServiceVersion that is installed for a Subscription.
    pub(crate) fn installed_csv(&self, namespace: &str, subscription: &str) -> Option<&Value> {
        let subscription = self.find("Subscription", namespace, subscription)?;
        self.find("ClusterServiceVersion", namespace, text_at(subscription, "/status/installedCSV"))
    }

    /// The version that is installed for a Subscription: that of the property `olm.package` in the annotation of its
    /// ClusterServiceVersion, else `spec.version`. `None` without the ClusterServiceVersion.
    pub(crate) fn installed_version(&self, namespace: &str, subscription: &str) -> Option<String> {
        let csv = self.installed_csv(namespace, subscription)?;
        let property = properties(csv).into_iter().find(|property| property.kind == "olm.package");
        let value = property.and_then(|property| serde_json::from_str::<Value>(property.value?.get()).ok());
        let of_property = value.as_ref().map(|value| text_at(value, "/version")).filter(|version| !version.is_empty());
        let version = of_property.unwrap_or_else(|| text_at(csv, "/spec/version"));
        Some(if version.is_empty() { "0.0.0" } else { version }.to_owned())
    }
}

#[derive(Deserialize)]
struct Listed<'t> {
    #[serde(borrow, default)]
    properties: Vec<Property<'t>>,
}

/// A property with its value as written.
#[derive(Deserialize)]
struct Property<'t> {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(borrow, default)]
    value: Option<&'t RawValue>,
}

/// The properties in the annotation of a ClusterServiceVersion: a list, or an object with a list.
fn properties(csv: &Value) -> Vec<Property<'_>> {
    let text = annotation(csv, PROPERTIES).unwrap_or_default();
    serde_json::from_str::<Vec<Property<'_>>>(text)
        .or_else(|_| serde_json::from_str::<Listed<'_>>(text).map(|listed| listed.properties))
        .unwrap_or_default()
}

/// The packages that the properties of a ClusterServiceVersion require.
fn required_packages(csv: &Value) -> Vec<String> {
    let required = properties(csv).into_iter().filter(|property| property.kind == "olm.package.required");
    let package = |property: Property<'_>| {
        let value: Value = serde_json::from_str(property.value?.get()).ok()?;
        Some(text_at(&value, "/packageName").to_owned())
    };
    required.filter_map(package).collect()
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
