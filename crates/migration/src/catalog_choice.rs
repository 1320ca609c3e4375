//! The ClusterCatalog that stands for a CatalogSource.

use crate::names::unique_names;
use crate::plan::Inputs;
use extension::{CatalogName, ClusterCatalog};
use resolver::CatalogKey;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The ClusterCatalog that a ClusterExtension selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogChoice {
    /// Its name: that of the CatalogSource, with the namespace behind it if Subscriptions name CatalogSources of this name in
    /// several namespaces.
    pub name: CatalogName,
    /// Where it comes from.
    pub origin: CatalogOrigin,
}

/// Where a ClusterCatalog comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogOrigin {
    /// The cluster has one of this name. It is taken to serve what the CatalogSource serves.
    Existing,
    /// It has to be created.
    Image {
        /// The image of the CatalogSource.
        image: Box<str>,
        /// The priority of the CatalogSource.
        priority: i32,
    },
    /// It has to be created, and the image is not known: the manifests do not have the CatalogSource, or it names none.
    NoImage,
}

/// The choice for each CatalogSource that a Subscription names, with the object that OLM v1 would read.
pub(crate) fn choices(inputs: &Inputs<'_, '_>) -> BTreeMap<CatalogKey, (CatalogChoice, ClusterCatalog)> {
    let named = inputs.cluster.subscriptions.iter().filter_map(|subscription| subscription.spec.catalog.as_ref());
    let pairs: BTreeSet<_> = named.map(|key| (Arc::clone(&key.namespace), Arc::clone(&key.name))).collect();
    let choice = |((namespace, source), name): ((Arc<str>, Arc<str>), String)| {
        let key = CatalogKey { namespace, name: source };
        let name = CatalogName::from(name.as_str());
        let existing = inputs.cluster_catalogs.iter().find(|catalog| catalog.name == name);
        let source = inputs.cluster.catalog_sources.iter().find(|source| source.key == key);
        let origin = match (existing, source.and_then(|source| Some((source.image.clone()?, source.priority)))) {
            (Some(_), _) => CatalogOrigin::Existing,
            (None, Some((image, priority))) => CatalogOrigin::Image { image, priority },
            (None, None) => CatalogOrigin::NoImage,
        };
        let object = existing.cloned().unwrap_or_else(|| ClusterCatalog::new(name.clone()));
        (key, (CatalogChoice { name, origin }, object))
    };
    unique_names(&pairs, &BTreeSet::new()).into_iter().map(choice).collect()
}
