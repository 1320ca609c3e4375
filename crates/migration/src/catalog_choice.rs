//! The ClusterCatalog that stands for a CatalogSource.

use crate::catalogs::{CatalogOptions, CatalogOutcome, NewClusterCatalog, catalog_migrations};
use crate::names::unique_names;
use crate::plan::Inputs;
use extension::{CatalogName, ClusterCatalog};
use resolver::CatalogKey;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The ClusterCatalog that a ClusterExtension selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogChoice {
    /// The name that `migrate-catalogs-v0-to-v1` gives it. If the tool creates none, the name of the CatalogSource, followed by
    /// its namespace if another ClusterCatalog has that name.
    pub name: CatalogName,
    /// Where it comes from.
    pub origin: CatalogOrigin,
}

/// Where a ClusterCatalog comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogOrigin {
    /// The cluster has one with the image of the CatalogSource.
    SameImage,
    /// The cluster has one of this name. It is taken to serve what the CatalogSource serves.
    Existing,
    /// `migrate-catalogs-v0-to-v1` creates it.
    Created(Arc<NewClusterCatalog>),
    /// It has to be created, and the image is not known: the manifests do not have the CatalogSource, or it names none.
    NoImage,
    /// It has to be created by hand, because `migrate-catalogs-v0-to-v1` does not create it, with this text.
    Refused(Box<str>),
}

/// The choice for each CatalogSource that a Subscription names, with the object that OLM v1 would read.
pub(crate) fn choices(inputs: &Inputs<'_, '_>) -> BTreeMap<CatalogKey, (CatalogChoice, ClusterCatalog)> {
    // An extension needs the names that a real run gives to ClusterCatalogs; a dry run does not remember them.
    let options = CatalogOptions { is_dry_run: false, ..inputs.catalog_options };
    let found = catalog_migrations(inputs.cluster, inputs.cluster_catalogs, options);
    let outcomes: BTreeMap<&CatalogKey, &CatalogOutcome> =
        found.iter().map(|migration| (&migration.source, &migration.outcome)).collect();
    let mut created: BTreeMap<&CatalogName, &Arc<NewClusterCatalog>> = BTreeMap::new();
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for outcome in outcomes.values() {
        match outcome {
            CatalogOutcome::Created(new) => {
                created.insert(&new.name, new);
                taken.insert(new.name.as_str());
            }
            CatalogOutcome::Failed(collision) => {
                taken.insert(collision.catalog.as_str());
            }
            _ => {}
        }
    }
    let named: BTreeSet<&CatalogKey> =
        inputs.cluster.subscriptions.iter().filter_map(|subscription| subscription.spec.catalog.as_ref()).collect();
    let catalog = |key: &CatalogKey| outcomes.get(key).and_then(|outcome| outcome.catalog());
    let (migrated, others): (Vec<_>, Vec<_>) = named.into_iter().partition(|key| catalog(key).is_some());
    let pairs = others.iter().map(|key| (Arc::clone(&key.namespace), Arc::clone(&key.name))).collect();
    let existing = |name: &CatalogName| inputs.cluster_catalogs.iter().find(|catalog| catalog.name == *name);
    let choice = |name: CatalogName, origin| {
        let object = existing(&name).cloned().unwrap_or_else(|| ClusterCatalog::new(name.clone()));
        (CatalogChoice { name, origin }, object)
    };
    let migrated = migrated.into_iter().filter_map(|key| {
        let name = catalog(key)?;
        let new = created.get(name).map(|new| CatalogOrigin::Created(Arc::clone(new)));
        Some((key.clone(), choice(name.clone(), new.unwrap_or(CatalogOrigin::SameImage))))
    });
    let others = unique_names(&pairs, &taken).into_iter().map(|((namespace, source), name)| {
        let key = CatalogKey { namespace, name: source };
        let name = CatalogName::from(name.as_str());
        let origin = match outcomes.get(&key) {
            _ if existing(&name).is_some() => CatalogOrigin::Existing,
            Some(outcome @ (CatalogOutcome::Skipped(_) | CatalogOutcome::Failed(_))) => {
                CatalogOrigin::Refused(outcome.to_string().into())
            }
            _ => CatalogOrigin::NoImage,
        };
        (key, choice(name, origin))
    });
    migrated.chain(others).collect()
}
