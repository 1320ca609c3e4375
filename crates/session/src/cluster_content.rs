//! The cluster that queries are about.

use crate::Workbench;
use crate::pairing::release;
use source::OpenShift;
use views::ManifestFinding;

/// What the manifests of a cluster have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterContent {
    pub has_subscriptions: bool,
    /// CSVs, also without a Subscription.
    pub has_csvs: bool,
    /// ClusterExtensions, accepted or rejected ones.
    pub has_extensions: bool,
    /// ClusterCatalogs, accepted or rejected ones.
    pub has_cluster_catalogs: bool,
    /// The version of the ClusterVersion.
    pub openshift: Option<OpenShift>,
}

impl Workbench {
    /// What the manifests have.
    #[must_use]
    pub fn cluster_content(&self) -> ClusterContent {
        let objects = &self.cluster.read().objects;
        ClusterContent {
            has_subscriptions: !objects.cluster.subscriptions.is_empty(),
            has_csvs: !objects.cluster.csvs.is_empty(),
            has_extensions: objects.has_extensions(),
            has_cluster_catalogs: objects.has_cluster_catalogs(),
            openshift: release(&objects.cluster),
        }
    }

    /// The names of the CSVs that are installed.
    #[must_use]
    pub fn installed_csvs(&self) -> Vec<String> {
        let csvs = self.cluster.read().objects.cluster.csvs.iter();
        csvs.map(|csv| csv.installed.name.to_string()).collect()
    }

    /// What is wrong in the manifests.
    #[must_use]
    pub fn cluster_findings(&self) -> Vec<ManifestFinding> {
        let text = self.cluster.read();
        text.objects.diagnostics.iter().map(|found| text.finding(found)).collect()
    }

    /// A warning for each CatalogSource of the manifests whose catalog is not loaded.
    #[must_use]
    pub fn sources_without_catalog(&self) -> Vec<ManifestFinding> {
        let (text, loaded) = (self.cluster.read(), self.pairing().sources());
        let found = text.objects.without_content(|key| loaded.contains_key(key));
        found.iter().map(|found| text.finding(found)).collect()
    }

    /// A warning for each ClusterCatalog of the manifests whose catalog is not loaded.
    #[must_use]
    pub fn cluster_catalogs_without_catalog(&self) -> Vec<ManifestFinding> {
        let (text, loaded) = (self.cluster.read(), self.pairing().cluster_catalogs);
        let found = text.objects.cluster_catalogs_without_content(|name| loaded.contains_key(name));
        found.iter().map(|found| text.finding(found)).collect()
    }
}
