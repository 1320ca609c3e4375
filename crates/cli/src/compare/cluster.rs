//! What becomes of a cluster when the catalog is exchanged: of its Subscriptions, and which of its ClusterCatalogs count.

use crate::output::Failure;
use crate::paths::{NamedPath, shown_path};
use crate::places::Inputs;
use crate::scene::{check_read, check_used};
use session::Exchanged;
use std::path::Path;

/// Finds what the first two catalogs, the states before and after, are in the cluster of the manifests, which messages name `path`; the others have the
/// names of their CatalogSources or ClusterCatalogs.
///
/// # Errors
/// When the manifests are wrong, or have no CatalogSource and no ClusterCatalog for one of the catalogs.
pub(super) fn exchange(inputs: &mut Inputs, path: &Path, others: &[NamedPath]) -> Result<Exchanged, Failure> {
    let [before, after, ..] = inputs.ids()[..] else {
        return Err("one of the catalogs is not open".to_owned().into());
    };
    inputs.workbench.set_baseline(before, true);
    inputs.take_names(others)?;
    let workbench = &inputs.workbench;
    check_read(workbench, path)?;
    let exchanged = workbench.exchange_of(before, after).ok_or("one of the catalogs is not open")?;
    check_used(workbench, exchanged.unused.clone(), path)?;
    if !exchanged.is_source && exchanged.cluster_catalog.is_none() {
        let path = shown_path(path);
        return Err(format!("`{path}` has no CatalogSource or ClusterCatalog for the compared catalog").into());
    }
    Ok(exchanged)
}
