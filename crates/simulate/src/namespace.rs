//! What a resolution reads of a cluster and of its catalogs.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::{BundleName, Catalog, InstallModes};
use cluster::{CatalogKey, Cluster, Csv, Subscription};
use resolver::{Entry, Namespace, Snapshot};

use crate::fail_forward;

/// OLM's error for a CatalogSource whose pod does not run. The pod and its service exist, so OLM has a client; the client
/// cannot connect to the address of the service, which we do not know. OLM reports "no registry client established" only
/// for a CatalogSource that it never synchronised and that therefore has no address.
const NOT_SERVED: &str = "failed to list bundles: rpc error: code = Unavailable desc = connection error: desc = \"transport: \
                          Error while dialing: dial tcp <service IP>:50051: connect: connection refused\"";

/// The content of the catalogs, by CatalogSource.
pub type Snapshots = BTreeMap<CatalogKey, Arc<Snapshot>>;

/// The snapshots of the CatalogSources for which `content` returns a catalog.
#[must_use]
pub fn snapshots<'c>(cluster: &Cluster, content: impl Fn(&CatalogKey) -> Option<&'c Catalog>) -> Snapshots {
    let known = cluster.catalog_sources.iter().filter_map(|source| {
        let snapshot = Snapshot::of(content(&source.key)?, source.key.clone(), source.priority);
        Some((source.key.clone(), Arc::new(snapshot)))
    });
    known.collect()
}

/// The input of a resolution of the namespace.
#[must_use]
pub fn namespace_of(cluster: &Cluster, name: &str, snapshots: &Snapshots) -> Namespace {
    let budget = cluster.budget.clone();
    let mut namespace = Namespace { name: name.into(), budget, ..Namespace::default() };
    for key in cluster.visible_to(name) {
        match snapshots.get(key) {
            _ if cluster.not_served.contains(key) => namespace.broken.push((key.clone(), NOT_SERVED.into())),
            Some(snapshot) => namespace.catalogs.push(Arc::clone(snapshot)),
            None => {
                let error = format!("no registry client established for catalogsource {key}");
                namespace.broken.push((key.clone(), error.into()));
            }
        }
    }
    let mut csvs: Vec<&Csv> = cluster.csvs.iter().filter(|csv| &*csv.namespace == name).collect();
    csvs.sort_by(|a, b| a.installed.name.cmp(&b.installed.name));
    let installed = if cluster.fails_forward(name) { fail_forward::installed_csvs(&csvs) } else { Ok(csvs) };
    match installed {
        Ok(csvs) => namespace.installed = csvs.into_iter().map(|csv| csv.installed.clone()).collect(),
        Err(error) => namespace.broken.push((CatalogKey::existing(name), error.into())),
    }
    let subscriptions = cluster.subscriptions.iter().filter(|subscription| &*subscription.namespace == name);
    namespace.subscriptions = subscriptions.map(|subscription| subscription.spec.clone()).collect();
    namespace
}

/// Gives CSVs that the manifests do not have the version and the properties of their bundle.
pub(crate) fn describe_assumed_csvs(cluster: &mut Cluster, snapshots: &Snapshots) {
    for csv in cluster.csvs.iter_mut().filter(|csv| csv.is_assumed) {
        let is_owner = |one: &&Subscription| {
            one.namespace == csv.namespace && one.spec.installed_csv.as_ref() == Some(&csv.installed.name)
        };
        let Some(owner) = cluster.subscriptions.iter().find(is_owner) else { continue };
        let snapshot = owner.spec.catalog.as_ref().and_then(|key| snapshots.get(key));
        let entry = snapshot.and_then(|snapshot| snapshot.listing.named(&csv.installed.name).next());
        if let Some(entry) = entry {
            csv.installed = entry.installed();
        }
    }
}

/// The CSV of a bundle, with the properties of the bundle, which OLM writes into an annotation of the CSV.
pub(crate) fn csv_of_bundle(
    namespace: &str,
    entry: &Entry,
    replaces: Option<BundleName>,
    install_modes: Option<InstallModes>,
) -> Csv {
    Csv { replaces, install_modes, ..Csv::running(namespace, entry.installed()) }
}
