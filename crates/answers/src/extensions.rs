//! The ClusterExtensions of manifests, resolved with the loaded catalogs.

use crate::reported;
use catalog::BundleName;
use cluster::{CatalogName, ClusterCatalog, ClusterExtension, Manifests};
use extension::{
    Candidate, CatalogState, Fix, Readiness, Reconciliation, Refusal, Resolution, ResolveError, Resolved, fixes,
    timeline_with_refusals,
};
use session::pair_cluster_catalogs;
use session::{CatalogInput, Workbench};
use std::collections::BTreeMap;
use views::{ExplainedMessage, FileKey, Verdict};

/// An extension and what OLM v1 does with it, one update after the other.
#[derive(Clone, Debug)]
pub struct ExtensionAnswer {
    /// The extension as the manifests have it.
    pub extension: ClusterExtension,
    /// Why the API server rejects the extension, each with the path of the field; empty if it accepts it. A rejected extension
    /// does not exist: the first reconciliation is what would happen if the API server accepted it, and there is no later one.
    pub rejections: Vec<Box<str>>,
    pub first: Reconciliation,
    /// Those after it, until nothing changes or OLM v1 refuses a bundle.
    pub later: Vec<Reconciliation>,
    /// Changes of the extension that help if its first resolution fails or its bundle is refused, and those that lead to a bundle
    /// that is refused.
    pub fixes: Vec<Fix>,
    /// What OLM v1 refuses in each bundle of its package, as far as the catalogs show it, by catalog and bundle.
    pub refused: BTreeMap<(CatalogName, BundleName), Vec<Refusal>>,
}

impl ExtensionAnswer {
    /// The first resolution.
    #[must_use]
    pub fn first(&self) -> &Resolution {
        &self.first.resolution
    }

    /// Why nobody can tell what OLM v1 chooses.
    #[must_use]
    pub fn unknown(&self) -> Option<&ResolveError> {
        self.first().outcome.as_ref().err().filter(|error| matches!(error, ResolveError::NotLoaded { .. }))
    }

    /// The last reconciliation.
    #[must_use]
    pub fn last(&self) -> &Reconciliation {
        self.later.last().unwrap_or(&self.first)
    }
}

/// Resolves the ClusterExtensions of the manifests; sorted by name.
#[must_use]
pub fn extensions(workbench: &Workbench) -> Vec<ExtensionAnswer> {
    extensions_of(workbench, workbench.cluster_manifests().1)
}

pub(crate) fn extensions_of(workbench: &Workbench, manifests: &Manifests) -> Vec<ExtensionAnswer> {
    let loaded = workbench.catalogs();
    let (paired, _) = pair_cluster_catalogs(workbench, manifests);
    let content = |name: &str| workbench.catalog(*paired.get(name)?);
    let assumed: Vec<ClusterCatalog>;
    let objects = if !manifests.has_cluster_catalogs() {
        assumed = loaded.iter().map(|catalog| ClusterCatalog::new(catalog.name.as_str().into())).collect();
        &assumed
    } else {
        &manifests.cluster_catalogs
    };
    let catalogs: Vec<CatalogState<'_>> = objects
        .iter()
        .map(|object| CatalogState { object, content: content(object.name.as_str()).map(|one| &one.analysis.catalog) })
        .collect();
    let accepted = manifests.cluster_extensions.iter().map(|extension| (extension, &[][..]));
    let rejected = manifests.rejected_extensions.iter().map(|rejected| (&rejected.extension, &rejected.reasons[..]));
    let mut extensions: Vec<(&ClusterExtension, &[Box<str>])> = accepted.chain(rejected).collect();
    extensions.sort_by_key(|(extension, _)| &extension.name);
    let reported = if extensions.is_empty() { Vec::new() } else { reported(workbench) };
    // What the extension reports itself of a bundle.
    let reported = |extension: &ClusterExtension, bundle: &BundleName| {
        let about = format!("ClusterExtension {} Progressing", extension.name);
        let is_it = |one: &&ExplainedMessage| {
            let mut csvs = one.names.iter().filter(|name| name.kind == "csv");
            one.verdict == Some(Verdict::Stuck)
                && one.about.starts_with(&about)
                && csvs.any(|csv| csv.name == bundle.as_str())
        };
        reported.iter().find(is_it).map(|one| Refusal::Reported(one.text.as_str().into()))
    };
    let answer = |(extension, rejections): (&ClusterExtension, &[Box<str>])| {
        let extension = extension.clone();
        let refusals_in = |catalog: &str, bundle: &BundleName| {
            let shown = || refusals(content(catalog)?, &extension, bundle);
            reported(&extension, bundle).into_iter().chain(shown().unwrap_or_default()).collect::<Vec<_>>()
        };
        let refusals = |resolved: &Resolved| refusals_in(resolved.catalog.as_str(), &resolved.bundle);
        let reconciliations = timeline_with_refusals(&extension, std::slice::from_ref(&catalogs), &refusals);
        let most = if rejections.is_empty() { usize::MAX } else { 1 };
        let mut reconciliations = reconciliations.into_iter().take(most);
        let first = reconciliations.next()?;
        let refused = first.resolution.candidates.iter().filter_map(|candidate| {
            let Candidate { catalog, bundle, .. } = candidate;
            let refused = refusals_in(catalog.as_str(), bundle);
            (!refused.is_empty()).then(|| ((catalog.clone(), bundle.clone()), refused))
        });
        let refused = refused.collect();
        let fixes = fixes(&extension, &catalogs, &refusals);
        let (rejections, later) = (rejections.to_vec(), reconciliations.collect());
        Some(ExtensionAnswer { rejections, first, later, fixes, refused, extension: extension.clone() })
    };
    extensions.into_iter().filter_map(answer).collect()
}

/// What the catalog shows that OLM v1 refuses in a bundle.
fn refusals(catalog: &CatalogInput, extension: &ClusterExtension, bundle: &BundleName) -> Option<Vec<Refusal>> {
    let bundle = catalog.analysis.catalog.package(extension.package.as_str())?.bundle(bundle.as_str())?;
    let file = catalog.file(FileKey(bundle.span.file.0))?;
    Some(Readiness::of(bundle, Some(&file.text), extension.olm).refusals_for(extension))
}
