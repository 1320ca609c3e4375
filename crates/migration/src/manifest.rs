//! The objects to apply, as YAML, and objects of a cluster as they are written: a ClusterExtension takes over fields
//! that no simulation reads.

use crate::cluster_catalog::{CatalogOrigin, CatalogTarget, MIGRATED_FROM, NewClusterCatalog};
use crate::plan::{ChannelChoice, Migration, VersionChoice};
use cluster::{CatalogName, every_object};
use fbc::Node;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use views::MigrationVerdict;

/// The ClusterCatalogs that have to be created, each once, then the ClusterExtension of each package, as a YAML stream. Comments
/// say what to know before they are applied.
#[must_use]
pub fn manifests<'m>(migrations: impl IntoIterator<Item = &'m Migration>) -> String {
    let migrations: Vec<&Migration> =
        migrations.into_iter().filter(|migration| migration.verdict != MigrationVerdict::Ends).collect();
    let mut written: BTreeSet<&CatalogName> = BTreeSet::new();
    let catalogs = migrations.iter().filter_map(|migration| migration.catalog.as_ref());
    let catalogs = catalogs.filter(|target| written.insert(&target.name)).filter_map(catalog);
    let extensions = migrations.iter().map(|migration| document(&comments(migration), &migration.object));
    let documents: Vec<String> = catalogs.chain(extensions).collect();
    documents.join("---\n")
}

fn catalog(CatalogTarget { source, name, origin, .. }: &CatalogTarget) -> Option<String> {
    let CatalogOrigin::New(NewClusterCatalog { image, poll_minutes, priority }) = origin else { return None };
    let mut image_source = json!({ "ref": **image });
    if let Some(minutes) = poll_minutes {
        image_source["pollIntervalMinutes"] = json!(minutes);
    }
    // A digest never changes; a tag does, and the API has no default for it.
    let is_pulled_once = poll_minutes.is_none() && !image.contains('@');
    let comment = "Without `pollIntervalMinutes` the image is pulled once, and later changes of its tag are not seen.";
    let object = json!({
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterCatalog",
        "metadata": {
            "name": name.as_str(),
            "annotations": { MIGRATED_FROM: format!("{}/{}", source.namespace, source.name) },
        },
        "spec": {
            "source": { "type": "Image", "image": image_source },
            "priority": priority,
            "availabilityMode": "Available",
        },
    });
    let comments: Vec<String> = is_pulled_once.then(|| comment.to_owned()).into_iter().collect();
    Some(document(&comments, &object))
}

fn comments(migration: &Migration) -> Vec<String> {
    let refused = matches!(migration.verdict, MigrationVerdict::Fails | MigrationVerdict::Refused)
        .then(|| format!("Under OLM v1 it {}.", crate::words::summary(migration)));
    let catalog = migration.catalog.as_ref().and_then(|CatalogTarget { name, origin, .. }| match origin {
        CatalogOrigin::New(_) | CatalogOrigin::SameImage | CatalogOrigin::SameName => None,
        CatalogOrigin::OtherImage(image) => Some(format!(
            "ClusterCatalog `{name}` has the image `{image}`, not that of the CatalogSource: create another one."
        )),
        CatalogOrigin::NoImage => {
            Some(format!("Create ClusterCatalog `{name}` first: its CatalogSource has no image."))
        }
        CatalogOrigin::UnknownImage => {
            Some(format!("Create ClusterCatalog `{name}` first: the image of its CatalogSource is not known."))
        }
    });
    let channel = match &migration.channel {
        ChannelChoice::Named(_) | ChannelChoice::Default(Some(_)) => None,
        ChannelChoice::Default(None) => Some("No channel: the Subscription names none.".to_owned()),
        ChannelChoice::NotAccepted(channel) => {
            Some(format!("The API does not accept channel `{channel}`, which is no DNS subdomain."))
        }
    };
    let version = match &migration.version {
        VersionChoice::Any => None,
        VersionChoice::Installed(_) => Some("Approval is Manual: change `version` to update."),
        VersionChoice::NotAccepted(_) => Some("The API does not accept the version."),
        VersionChoice::NotKnown => {
            Some("Approval is Manual: state the installed version, which the manifests do not show.")
        }
    };
    let by_tool = migration.installed.as_ref().map(|_| BY_TOOL.to_owned());
    let Migration { subscription, namespace, .. } = migration;
    let shared = crate::words::shared(migration);
    let shared = shared.map(|note| format!("Made of Subscription `{subscription}` in `{namespace}`: {}.", note.text));
    [refused, shared, by_tool, catalog, channel, version.map(ToOwned::to_owned)].into_iter().flatten().collect()
}

const BY_TOOL: &str =
    "The migration tool of operator-framework/library-olm creates this object itself, and refuses if it exists.";

/// A document behind comments. A control character in a comment, which could end it, becomes a blank.
fn document(comments: &[String], value: &Value) -> String {
    let line = |comment: &String| {
        let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        format!("# {}\n", comment.replace(is_break, " "))
    };
    comments.iter().map(line).collect::<String>() + &fbc::to_yaml(value)
}

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
