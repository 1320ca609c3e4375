//! What becomes of the Subscriptions of a cluster when the catalog is exchanged.

use crate::Failure;
use crate::places::{Inputs, NamedPath};
use extension::ClusterCatalog;
use simulate::Cluster;
use source::{FileId, LineIndex, Severity};
use std::cmp::Reverse;
use std::path::Path;
use views::{CatalogId, ClusterComparisonView, ClusterInput, Compared, SideKey};
use workbench::CatalogInput;

/// Compares the cluster of a file of manifests with this text. The first two catalogs are the states before and after; the others have the
/// names of their CatalogSources. `levels` are those of the user, as text.
///
/// # Errors
/// When the manifests are wrong, or have no CatalogSource for one of the catalogs.
pub(super) fn compare(
    inputs: &mut Inputs,
    (path, text): (&Path, String),
    others: &[NamedPath],
    levels: String,
) -> Result<ClusterComparisonView, Failure> {
    let (cluster, cluster_catalogs) = read(path, &text)?;
    let [before, after, rest @ ..] = &inputs.ids()[..] else {
        return Err("one of the catalogs is not open".to_owned());
    };
    for (name, _) in others {
        let is_cluster_catalog = cluster_catalogs.iter().any(|catalog| catalog.name.as_str() == name);
        if !is_cluster_catalog && cluster.catalog_sources.iter().all(|source| *source.key.name != **name) {
            return Err(format!("`{}` has no CatalogSource or ClusterCatalog named `{name}`", path.display()));
        }
    }
    let name = exchanged(inputs, &cluster, *before, others)
        .ok_or_else(|| format!("`{}` has no CatalogSource for the compared catalog", path.display()))?;
    inputs.workbench.set_baseline(*before, true);
    let names =
        std::iter::once((*after, name)).chain(rest.iter().copied().zip(others.iter().map(|(name, _)| name.clone())));
    for (id, name) in names {
        let Some(catalog) = inputs.workbench.catalog(id) else { continue };
        let (namespace, priority) = (catalog.namespace.clone(), catalog.priority);
        inputs.workbench.set_metadata(id, &name, &namespace, priority);
    }
    let side = |catalog| SideKey { catalog, is_opened: false };
    let compared = Compared { before: side(*before), after: side(*after), levels, runtime: views::Runtime::V0 };
    let cluster = ClusterInput::Manifests { text, namespace: String::new() };
    let view = inputs.workbench.compare_cluster(&compared, &cluster);
    // OLM v1 has priorities of its own, which the simulation of OLM v0 must not see.
    for catalog in &cluster_catalogs {
        let named = |input: &&CatalogInput| input.name == catalog.name.as_str();
        let known = inputs.workbench.catalogs().iter().find(named).map(|input| (input.id, input.namespace.clone()));
        if let Some((id, namespace)) = known {
            inputs.workbench.set_metadata(id, catalog.name.as_str(), &namespace, catalog.priority);
        }
    }
    view.ok_or_else(|| "one of the catalogs is not open".to_owned())
}

/// The names of the CSVs in manifests.
pub(super) fn installed(text: &str) -> Vec<String> {
    simulate::read(FileId(0), text).cluster.csvs.iter().map(|csv| csv.installed.name.to_string()).collect()
}

/// Reads the manifests, with the ClusterCatalogs of OLM v1.
fn read(path: &Path, text: &str) -> Result<(Cluster, Vec<ClusterCatalog>), Failure> {
    let manifests = simulate::read(FileId(0), text);
    let lines = LineIndex::new(text);
    let errors = manifests.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    let errors: Vec<String> = errors
        .map(|finding| {
            let at = lines.position(text, finding.span.start);
            format!("{}:{}:{}: {}", path.display(), at.line, at.column, finding.message)
        })
        .collect();
    if errors.is_empty() { Ok((manifests.cluster, manifests.cluster_catalogs)) } else { Err(errors.join("\n")) }
}

/// The name of the CatalogSource that is exchanged: of those that have no other catalog, the one with most Subscriptions to
/// packages of the state before. Manifests without CatalogSources have those that their Subscriptions name.
fn exchanged(inputs: &Inputs, cluster: &Cluster, before: CatalogId, others: &[NamedPath]) -> Option<String> {
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
