//! The cluster of OLM v1 that a comparison is about: which ClusterCatalogs there are, and which of them an extension selects.

use super::Side;
use catalog::predicate::PackageName;
use cluster::{ClusterCatalog, Manifests, Selector};

/// A cluster whose manifests are known.
#[derive(Clone, Copy)]
pub struct V1Cluster<'c> {
    /// Its objects.
    pub manifests: &'c Manifests,
    /// The name of the ClusterCatalog that serves the compared catalog; absent if the manifests have none for it.
    pub exchanged: Option<&'c str>,
}

impl V1Cluster<'_> {
    fn object(self, name: &str) -> Option<ClusterCatalog> {
        self.manifests.cluster_catalogs.iter().find(|object| object.name.as_str() == name).cloned()
    }

    /// The compared catalog. One that the manifests do not have is taken for a ClusterCatalog of its own name.
    pub(super) fn compared<'c>(cluster: Option<Self>, side: impl Side<'c>) -> ClusterCatalog {
        let object = cluster.and_then(|cluster| cluster.object(cluster.exchanged?));
        object.unwrap_or_else(|| side.cluster_catalog())
    }

    /// Another catalog; `None` if the cluster has no ClusterCatalog of its name. Without ClusterCatalogs each loaded catalog is
    /// taken for one.
    pub(super) fn other<'c>(cluster: Option<Self>, side: impl Side<'c>) -> Option<ClusterCatalog> {
        let assumed = side.cluster_catalog();
        match cluster.filter(|cluster| cluster.manifests.has_cluster_catalogs()) {
            Some(cluster) => cluster.object(assumed.name.as_str()),
            None => Some(assumed),
        }
    }

    /// The catalog selectors of the extensions of a package. Without such extensions, the one that selects everything.
    pub(super) fn selectors(cluster: Option<Self>, package: &PackageName) -> Vec<Selector> {
        let extensions = cluster.iter().flat_map(|cluster| &cluster.manifests.cluster_extensions);
        let of_package = extensions.filter(|extension| extension.package == *package);
        let found: Vec<Selector> = of_package.map(|extension| extension.selector.clone()).collect();
        if found.is_empty() { vec![Selector::default()] } else { found }
    }
}
