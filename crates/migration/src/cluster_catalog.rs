//! The ClusterCatalogs that stand for CatalogSources, and the ClusterExtension that a Subscription becomes.

use crate::manifest::{Objects, text_at};
use crate::obstacle::is_accepted_name;
use crate::plan::{ChannelChoice, VersionChoice, is_accepted_version};
use catalog::{Package, image_identity};
use cluster::{
    Approval, CatalogKey, CatalogName, CatalogSource, Cluster, ClusterCatalog, ClusterExtension, ExtensionName,
    NAME_LABEL, Selector, Subscription,
};
use serde_json::{Value, json};
use source::{OlmV1, OlmV1Release};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The annotation of a ClusterCatalog with `<namespace>/<name>` of the CatalogSource that it was made of.
pub(crate) const MIGRATED_FROM: &str = "olm.operatorframework.io/migrated-from-catalogsource";

/// The interval that OLM v0 takes for one that it cannot read (operator-framework/api `DefaultRegistryPollDuration`).
const DEFAULT_POLL_MINUTES: i64 = 15;
const NANOS_PER_MINUTE: i64 = 60_000_000_000;

/// A CatalogSource, and the ClusterCatalog with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogTarget {
    pub source: CatalogKey,
    /// The name of the ClusterCatalog: that of the CatalogSource, with the namespace behind it if CatalogSources of this name differ
    /// in their images.
    pub name: CatalogName,
    pub origin: CatalogOrigin,
    /// What of the CatalogSource a ClusterCatalog does not have, a sentence each.
    pub notes: Vec<String>,
}

/// Where a ClusterCatalog comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogOrigin {
    /// It has to be created.
    New(NewClusterCatalog),
    /// The cluster has one with the image of the CatalogSource, or another CatalogSource of the same image gets it.
    SameImage,
    /// The cluster has one of this name, and one of the two images is not known. It is taken to serve what the CatalogSource serves.
    SameName,
    /// The name is taken by a ClusterCatalog with this other image.
    OtherImage(Box<str>),
    /// The CatalogSource has no image, which a ClusterCatalog needs.
    NoImage,
    /// The manifests do not show the image of the CatalogSource.
    UnknownImage,
}

/// A ClusterCatalog to create, with `availabilityMode: Available`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClusterCatalog {
    /// `spec.source.image.ref`
    pub image: Box<str>,
    /// `spec.source.image.pollIntervalMinutes`
    pub poll_minutes: Option<i64>,
    /// `spec.priority`
    pub priority: i32,
}

/// The ClusterCatalog for each CatalogSource of the manifests, and for each that a Subscription names, by namespace and name.
/// `existing` are those of the cluster.
#[must_use]
pub fn cluster_catalogs(cluster: &Cluster, existing: &[ClusterCatalog]) -> Vec<CatalogTarget> {
    let mut sources: BTreeMap<&CatalogKey, Option<&CatalogSource>> = BTreeMap::new();
    sources.extend(cluster.subscriptions.iter().filter_map(|row| Some((row.spec.catalog.as_ref()?, None))));
    sources.extend(cluster.catalog_sources.iter().map(|source| (&source.key, Some(source))));
    let differing = differing_names(sources.values().copied().flatten());
    let mut images: BTreeMap<CatalogName, Option<&str>> =
        existing.iter().map(|catalog| (catalog.name.clone(), catalog.image.as_deref())).collect();
    let mut by_image: BTreeMap<&str, CatalogName> = BTreeMap::new();
    for (name, image) in images.iter().filter_map(|(name, image)| Some((name, (*image)?))) {
        by_image.entry(image_identity(image)).or_insert_with(|| name.clone());
    }
    let mut found = Vec::new();
    for (key, source) in sources {
        let own = if differing.contains(&*key.name) {
            format!("{}-{}", key.name, key.namespace)
        } else {
            key.name.to_string()
        };
        let own = CatalogName::from(own.as_str());
        let taken = images.get(&own).copied();
        let (name, origin) = match (source.map(|source| image(source)), taken) {
            (Some(Ok(image)), Some(Some(other))) if image_identity(image) == image_identity(other) => {
                (own, CatalogOrigin::SameImage)
            }
            (Some(Ok(image)), _) if by_image.contains_key(image_identity(image)) => {
                (by_image[image_identity(image)].clone(), CatalogOrigin::SameImage)
            }
            (Some(Ok(_)), Some(Some(other))) => (own, CatalogOrigin::OtherImage(other.into())),
            (Some(Ok(image)), None) => {
                images.insert(own.clone(), Some(image));
                by_image.insert(image_identity(image), own.clone());
                let (poll_minutes, priority) =
                    (source.and_then(poll_minutes), source.map_or(0, |source| source.priority));
                // The nearest one in the range of a ClusterCatalog.
                let priority = i32::try_from(priority).unwrap_or(if priority < 0 { i32::MIN } else { i32::MAX });
                (own, CatalogOrigin::New(NewClusterCatalog { image: image.into(), poll_minutes, priority }))
            }
            (_, Some(_)) => (own, CatalogOrigin::SameName),
            (Some(Err(origin)), None) => (own, origin),
            (None, None) => (own, CatalogOrigin::UnknownImage),
        };
        let notes = source.filter(|_| matches!(origin, CatalogOrigin::New(_) | CatalogOrigin::SameImage)).map(notes);
        found.push(CatalogTarget { source: key.clone(), name, origin, notes: notes.unwrap_or_default() });
    }
    found
}

/// The image of a CatalogSource, or why it has none.
fn image(source: &CatalogSource) -> Result<&str, CatalogOrigin> {
    match (source.source_type.as_deref(), source.image.as_deref()) {
        (None, _) => Err(CatalogOrigin::UnknownImage),
        (Some("grpc"), Some(image)) => Ok(image),
        (Some(_), _) => Err(CatalogOrigin::NoImage),
    }
}

/// The names of CatalogSources that have different images in different namespaces.
fn differing_names<'c>(sources: impl Iterator<Item = &'c CatalogSource>) -> BTreeSet<&'c str> {
    let mut images: BTreeMap<&str, &str> = BTreeMap::new();
    let mut differing = BTreeSet::new();
    for source in sources {
        let Ok(image) = image(source) else { continue };
        let image = image_identity(image);
        if *images.entry(&source.key.name).or_insert(image) != image {
            differing.insert(&*source.key.name);
        }
    }
    differing
}

fn notes(source: &CatalogSource) -> Vec<String> {
    let secrets = (source.secrets > 0)
        .then(|| "OLM v1 pulls images with the pull secret of the cluster, not with `spec.secrets`".to_owned());
    let pod = source
        .has_pod_config
        .then(|| "catalogd serves all catalogs from one pod, which `spec.grpcPodConfig` does not configure".to_owned());
    let priority = i32::try_from(source.priority).is_err().then(|| {
        format!(
            "`spec.priority` {} is outside of the range of a ClusterCatalog, whose priority has 32 bits",
            source.priority
        )
    });
    [secrets, pod, priority].into_iter().flatten().collect()
}

/// The interval in whole minutes, at least 1. An image with a digest is not polled, and neither is one with the interval 0.
fn poll_minutes(source: &CatalogSource) -> Option<i64> {
    let has_digest = source.image.as_ref().is_some_and(|image| image.contains("@sha256:"));
    let interval = source.poll_interval.as_deref().filter(|_| !has_digest)?;
    match cel::parse_duration(interval) {
        Some(0) => None,
        Some(nanos) => Some((nanos / NANOS_PER_MINUTE).max(1)),
        // OLM's API reads an interval that is no duration, or none, as this one.
        None => Some(DEFAULT_POLL_MINUTES),
    }
}

// The ClusterExtension that a Subscription becomes.

/// The ClusterExtension as OLM v1 reads it, with nothing installed.
pub(crate) fn cluster_extension(
    subscription: &Subscription,
    name: ExtensionName,
    channel: &ChannelChoice,
    version: &VersionChoice,
    catalog: Option<&str>,
    olm: OlmV1,
) -> ClusterExtension {
    let mut extension = ClusterExtension::new(name, subscription.spec.package.clone());
    extension.olm = olm;
    extension.namespace = (*subscription.namespace).into();
    if let ChannelChoice::Named(channel) | ChannelChoice::Default(Some(channel)) | ChannelChoice::NotAccepted(channel) =
        channel
    {
        extension.channels = vec![channel.clone()];
    }
    if let VersionChoice::Installed(version) | VersionChoice::NotAccepted(version) = version {
        extension.version = version.clone();
    }
    if let Some(name) = catalog {
        let label = (NAME_LABEL.into(), name.into());
        extension.selector = Selector { match_labels: BTreeMap::from([label]), ..Selector::default() };
    }
    extension
}

/// The same as an object to apply, with the configuration of the Subscription.
pub(crate) fn object(extension: &ClusterExtension, objects: &Objects, subscription: &Subscription) -> Value {
    let mut catalog = json!({ "packageName": extension.package.as_str() });
    if !extension.channels.is_empty() {
        let channels: Vec<&str> = extension.channels.iter().map(|channel| channel.as_str()).collect();
        catalog["channels"] = json!(channels);
    }
    if !extension.version.is_empty() {
        catalog["version"] = json!(*extension.version);
    }
    if let Some(name) = extension.selector.match_labels.get(NAME_LABEL) {
        catalog["selector"] = json!({ "matchLabels": { NAME_LABEL: **name } });
    }
    let mut spec = json!({
        "namespace": *subscription.namespace,
        "source": { "sourceType": "Catalog", "catalog": catalog },
    });
    if extension.olm.release() < OlmV1Release::NO_SERVICE_ACCOUNT {
        spec["serviceAccount"] = json!({ "name": installer(&extension.name) });
    }
    let raw = objects.find("Subscription", &subscription.namespace, &subscription.spec.name);
    if let Some(Value::Object(config)) = raw.and_then(|raw| raw.pointer("/spec/config")) {
        let mut config = config.clone();
        // The Deployments of a bundle have their own selectors in OLM v1.
        config.remove("selector");
        spec["config"] = json!({ "configType": "Inline", "inline": { "deploymentConfig": config } });
    }
    json!({
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "metadata": { "name": extension.name.as_str() },
        "spec": spec,
    })
}

/// The name of the ServiceAccount with which an older OLM v1 installs an extension.
pub(crate) fn installer(name: &ExtensionName) -> String {
    format!("{name}-installer")
}

pub(crate) fn channel_choice(subscription: &Subscription, package: Option<&Package>) -> ChannelChoice {
    match &subscription.spec.channel {
        None => {
            let default = package.and_then(|package| package.default_channel.as_ref());
            ChannelChoice::Default(default.map(|name| name.value.clone()))
        }
        Some(channel) if is_accepted_name(channel.as_str()) => ChannelChoice::Named(channel.clone()),
        Some(channel) => ChannelChoice::NotAccepted(channel.clone()),
    }
}

pub(crate) fn version_choice(subscription: &Subscription, installed: Option<String>) -> VersionChoice {
    match installed {
        _ if subscription.approval == Approval::Automatic => VersionChoice::Any,
        Some(version) if is_accepted_version(&version) => VersionChoice::Installed(version.into()),
        Some(version) => VersionChoice::NotAccepted(version.into()),
        None => VersionChoice::NotKnown,
    }
}

/// Whether OLM v0 created the Subscription for a dependency of another one, which it says in an annotation with any value.
pub(crate) fn is_generated(objects: &Objects, Subscription { namespace, spec, .. }: &Subscription) -> bool {
    let raw = objects.find("Subscription", namespace, &spec.name);
    raw.and_then(|raw| crate::manifest::annotation(raw, "olm.generated-by")).is_some()
}

/// The ServiceAccount of an OperatorGroup; empty if it names none.
pub(crate) fn service_account<'o>(objects: &'o Objects, namespace: &str, group: &str) -> &'o str {
    objects
        .find("OperatorGroup", namespace, group)
        .map(|group| text_at(group, "/spec/serviceAccountName"))
        .unwrap_or_default()
}

// Names of objects without a namespace that are made of names in namespaces.

/// A name for each pair of namespace and name: the name itself if no other pair has it, else with the namespace behind it.
pub(crate) fn unique_names(pairs: &BTreeSet<(Arc<str>, Arc<str>)>) -> BTreeMap<(Arc<str>, Arc<str>), String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    pairs.iter().for_each(|(_, name)| *counts.entry(name).or_default() += 1);
    let is_single = |name: &Arc<str>| counts.get(&**name) == Some(&1);
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut found = BTreeMap::new();
    // Single names first, so that no longer one takes them.
    let (single, shared): (Vec<_>, Vec<_>) = pairs.iter().partition(|(_, name)| is_single(name));
    for (namespace, name) in single.into_iter().chain(shared) {
        let plain = is_single(name).then(|| name.to_string());
        let long = format!("{name}-{namespace}");
        let numbered = (2..).map(|number| format!("{long}-{number}"));
        let mut names = plain.into_iter().chain([long.clone()]).chain(numbered);
        if let Some(free) = names.find(|name| !used.contains(name)) {
            used.insert(free.clone());
            found.insert((Arc::clone(namespace), Arc::clone(name)), free);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::unique_names;

    #[test]
    fn a_shared_name_gets_the_namespace() {
        let pairs = [("a", "etcd"), ("b", "etcd"), ("b", "etcd-a"), ("c", "own")];
        let pairs = pairs.iter().map(|(namespace, name)| ((*namespace).into(), (*name).into())).collect();
        let found: Vec<String> = unique_names(&pairs).into_values().collect();
        assert_eq!(found, ["etcd-a-2", "etcd-b", "etcd-a", "own"]);
    }
}
