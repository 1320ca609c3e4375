//! The ClusterCatalogs that stand for CatalogSources.

use cluster::{CatalogKey, CatalogName, CatalogSource, Cluster, ClusterCatalog};
use std::collections::{BTreeMap, BTreeSet};

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
        by_image.entry(image).or_insert_with(|| name.clone());
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
            (Some(Ok(image)), Some(Some(other))) if image == other => (own, CatalogOrigin::SameImage),
            (Some(Ok(image)), _) if by_image.contains_key(image) => (by_image[image].clone(), CatalogOrigin::SameImage),
            (Some(Ok(_)), Some(Some(other))) => (own, CatalogOrigin::OtherImage(other.into())),
            (Some(Ok(image)), None) => {
                images.insert(own.clone(), Some(image));
                by_image.insert(image, own.clone());
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
