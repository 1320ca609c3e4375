//! The updates of an installed version together with what it requires: the rows know one package, OLM resolves all catalogs of
//! the cluster (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`).

use crate::cluster::{ClusterCatalogs, SimulatedPath, SubscriptionComparison, compare_cluster};
use crate::path::Path;
use crate::row::Row;
use crate::simulated::{installed_cluster, key};
use crate::state::Installed;
use catalog::{Bundle, Package};
use cluster::{Budget, CatalogKey, CatalogSource};
use resolver::{Listing, Snapshot};
use simulate::{Snapshots, no_modes};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The kinds of properties by which a bundle requires something.
const REQUIREMENTS: [&str; 3] = ["olm.package.required", "olm.gvk.required", "olm.constraint"];

/// Both states of a catalog, and the other catalogs of the cluster, which are the same before and after the change.
#[derive(Clone, Debug)]
pub struct Listings {
    /// The state before.
    pub old: Arc<Listing>,
    /// The state after.
    pub new: Arc<Listing>,
    /// The other catalogs.
    pub others: Vec<Arc<Listing>>,
}

/// Simulates a row with one Subscription, in a cluster that has nothing else installed. `None` if nothing on its way requires
/// anything, or if the answer is that of the row. `listings` is asked only if it is needed, because an index of a catalog takes
/// a while. The solver takes its work from `budget`.
#[must_use]
pub fn with_dependencies(
    row: &Row,
    (old, new): (&Package, &Package),
    listings: impl FnOnce() -> Listings,
    budget: &Budget,
) -> Option<SubscriptionComparison> {
    let installed = old.bundle(row.installed.as_str());
    let on_way =
        |package: &Package, path: &Path| path.names().filter_map(|name| package.bundle(name.as_str())).any(requires);
    if !(installed.is_some_and(requires) || on_way(old, &row.old) || on_way(new, &row.new)) {
        return None;
    }
    let listings = listings();
    let installed = Installed { name: &row.installed, bundle: installed };
    let mut cluster = installed_cluster(&old.name, &row.channel, installed);
    let others: Vec<(CatalogKey, &Arc<Listing>)> = (listings.others.iter().enumerate())
        .map(|(at, listing)| (CatalogKey::new(&format!("other-{at}"), "olm"), listing))
        .collect();
    let sources = others.iter().map(|(key, _)| CatalogSource::new(key.clone(), 0));
    cluster.catalog_sources.extend(sources);
    cluster.budget = budget.for_extras();
    let snapshots = |listing: &Arc<Listing>| -> Snapshots {
        let all = std::iter::once((key(), listing)).chain(others.iter().map(|(key, listing)| (key.clone(), *listing)));
        let snapshot = |(key, listing): (CatalogKey, &Arc<Listing>)| {
            (key.clone(), Arc::new(Snapshot { key, priority: 0, listing: Arc::clone(listing) }))
        };
        all.map(snapshot).collect()
    };
    let (before, after) = (snapshots(&listings.old), snapshots(&listings.new));
    let served = BTreeSet::new();
    let catalogs = |snapshots| ClusterCatalogs { snapshots, not_served: &served, modes: &no_modes };
    let compared = compare_cluster(&cluster, catalogs(&before), catalogs(&after));
    let found = compared.subscriptions.into_iter().next()?;
    let is_same = agrees(&row.old, &found.old) && agrees(&row.new, &found.new);
    let dependencies = found.added_dependencies().next().is_some() || found.removed_dependencies().next().is_some();
    (!is_same || dependencies).then_some(found)
}

fn requires(bundle: &Bundle) -> bool {
    bundle.properties.iter().any(|property| REQUIREMENTS.contains(&property.value.kind()))
}

/// Whether the simulation comes to the same updates as the update chain.
fn agrees(path: &Path, simulated: &SimulatedPath) -> bool {
    path.names().eq(simulated.path.names()) && path.error.is_some() == simulated.path.error.is_some()
}
