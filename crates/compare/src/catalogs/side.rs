//! What a comparison asks of a state of a catalog.

use crate::state::State;
use catalog::predicate::PackageName;
use cluster::{ClusterCatalog, Manifests, Selector};
use resolver::Listing;
use source::{FileId, Span};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A state of a catalog, with its texts.
pub trait Side<'c>: Copy {
    /// What it says, and whether `opm` rejects it.
    fn state(self) -> State<'c>;

    /// Where the text has what `opm` rejects, as `path:line:column`, if that is known.
    fn rejected_at(self) -> Option<String>;

    /// The packages for which `opm` rejects it, if that is known.
    fn at_fault(self) -> Option<BTreeSet<&'c str>>;

    /// Whether `opm` accepts what was read of it.
    fn is_accepted(self) -> bool;

    /// Whether nothing can be said about it: a part was not read, or it has no package.
    fn is_unread(self) -> bool;

    /// What was not read and why, a line each.
    fn unread(self) -> Vec<String>;

    /// Whether somebody edits its text.
    fn is_editable(self) -> bool;

    /// Whether it is a mirror of another catalog.
    fn is_mirror(self) -> bool;

    /// Whether it may have a package: a mirror lacks those that nobody asks for.
    fn mirrors(self, package: &str) -> bool;

    /// The text of a file, if it is kept.
    fn text(self, file: FileId) -> Option<Cow<'c, str>>;

    /// The rules of comparisons that comments tell to ignore, and where.
    fn ignored(self) -> Vec<(&'c str, Span)>;

    /// The index that resolutions look bundles up in.
    fn listing(self) -> Arc<Listing>;

    /// The ClusterCatalog of OLM v1 that it is taken for if there are no manifests.
    fn cluster_catalog(self) -> ClusterCatalog;
}

// The cluster of OLM v1 that a comparison is about: which ClusterCatalogs there are, and which of them an extension
// selects.

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
