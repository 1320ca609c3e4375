//! What becomes of a cluster when the catalog is exchanged: of its Subscriptions, and which of its ClusterCatalogs count.

use crate::output::Failure;
use crate::paths::{NamedPath, shown_path};
use crate::places::Inputs;
use extension::ClusterCatalog;
use simulate::{Cluster, Manifests};
use source::{FileId, LineIndex, Severity};
use std::cmp::Reverse;
use std::path::Path;
use views::CatalogId;

/// What serves the compared catalog in a cluster.
pub(super) struct Exchanged {
    /// Whether it is a CatalogSource.
    pub(super) is_of_v0: bool,
    /// The name of the ClusterCatalog.
    pub(super) cluster_catalog: Option<String>,
}

/// Gives the first two catalogs, the states before and after, to the CatalogSource or ClusterCatalog of the manifests that is
/// exchanged; the others have the names of theirs.
///
/// # Errors
/// When the manifests are wrong, or have no CatalogSource and no ClusterCatalog for one of the catalogs.
pub(super) fn exchange(
    inputs: &mut Inputs,
    (path, text): (&Path, String),
    others: &[NamedPath],
) -> Result<Exchanged, Failure> {
    let manifests = read(path, &text)?;
    let cluster = &manifests.cluster;
    let [before, after, rest @ ..] = &inputs.ids()[..] else {
        return Err("one of the catalogs is not open".to_owned().into());
    };
    for (name, _) in others {
        let is_cluster_catalog = manifests.cluster_catalogs.iter().any(|catalog| catalog.name.as_str() == name);
        if !is_cluster_catalog && cluster.catalog_sources.iter().all(|source| *source.key.name != **name) {
            return Err(format!("`{}` has no CatalogSource or ClusterCatalog named `{name}`", shown_path(path)).into());
        }
    }
    let source = exchanged_source(inputs, cluster, *before, others);
    let cluster_catalog = exchanged_cluster_catalog(inputs, &manifests, *before, others);
    let name = source.as_ref().or(cluster_catalog.as_ref()).cloned().ok_or_else(|| {
        format!("`{}` has no CatalogSource or ClusterCatalog for the compared catalog", shown_path(path))
    })?;
    inputs.workbench.set_baseline(*before, true);
    let names =
        std::iter::once((*after, name)).chain(rest.iter().copied().zip(others.iter().map(|(name, _)| name.clone())));
    for (id, name) in names {
        let Some(catalog) = inputs.workbench.catalog(id) else { continue };
        let (namespace, priority) = (catalog.namespace.clone(), catalog.priority);
        inputs.workbench.set_metadata(id, &name, &namespace, priority);
    }
    inputs.workbench.set_cluster(&text);
    Ok(Exchanged { is_of_v0: source.is_some(), cluster_catalog })
}

/// The names of the CSVs in manifests.
pub(super) fn installed(text: &str) -> Vec<String> {
    simulate::read(FileId(0), text).cluster.csvs.iter().map(|csv| csv.installed.name.to_string()).collect()
}

/// Reads the manifests of a cluster.
///
/// # Errors
/// When they are wrong.
pub(crate) fn read(path: &Path, text: &str) -> Result<Manifests, Failure> {
    let manifests = simulate::read(FileId(0), text);
    let lines = LineIndex::new(text);
    let errors = manifests.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    let errors: Vec<String> = errors
        .map(|finding| {
            let at = lines.position(text, finding.span.start);
            format!("{}:{}:{}: {}", shown_path(path), at.line, at.column, finding.message)
        })
        .collect();
    if errors.is_empty() { Ok(manifests) } else { Err(Failure::of_lines(errors)) }
}

/// The name of the CatalogSource that is exchanged: of those that have no other catalog, the one with most Subscriptions to
/// packages of the state before. Manifests without CatalogSources have those that their Subscriptions name.
fn exchanged_source(inputs: &Inputs, cluster: &Cluster, before: CatalogId, others: &[NamedPath]) -> Option<String> {
    let catalog = &inputs.workbench.catalog(before)?.analysis.catalog;
    let subscribed =
        cluster.subscriptions.iter().filter_map(|found| Some((found.spec.catalog.as_ref()?, &found.spec.package)));
    let given = cluster.catalog_sources.iter().map(|source| &source.key);
    let keys = given.chain(subscribed.clone().map(|(key, _)| key));
    let free = keys.filter(|key| others.iter().all(|(name, _)| **name != *key.name));
    let packages = |name: &str| {
        let here = subscribed.clone().filter(|(key, _)| *key.name == *name);
        here.filter(|(_, package)| catalog.package(package.as_str()).is_some()).count()
    };
    let mut names: Vec<String> = free.map(|key| key.name.to_string()).collect();
    names.sort();
    names.dedup();
    names.into_iter().min_by_key(|name| Reverse(packages(name)))
}

/// The same of the ClusterCatalogs: the one with most ClusterExtensions of packages of the state before that select it.
fn exchanged_cluster_catalog(
    inputs: &Inputs,
    manifests: &Manifests,
    before: CatalogId,
    others: &[NamedPath],
) -> Option<String> {
    let catalog = &inputs.workbench.catalog(before)?.analysis.catalog;
    let free =
        manifests.cluster_catalogs.iter().filter(|object| others.iter().all(|(name, _)| name != object.name.as_str()));
    let extensions = |object: &ClusterCatalog| {
        let of_package = manifests
            .cluster_extensions
            .iter()
            .filter(|extension| catalog.package(extension.package.as_str()).is_some());
        of_package.filter(|extension| extension.selector.matches(object) == Ok(true)).count()
    };
    free.min_by_key(|object| (Reverse(extensions(object)), &object.name)).map(|object| object.name.to_string())
}
