//! Fates from the simulation: for what the update chains do not know, and for OLM's own error texts.

use crate::fate::{ChannelState, Fate, Hop};
use crate::state::{Installed, State};
use blang_semver::Version;
use catalog::{Bundle, BundleName, Catalog, ChannelName, Package};
use predicate::PackageName;
use resolver::{CatalogKey, CsvProperties, InstalledCsv, Listing, PlacedProperty, Snapshot};
use simulate::{Approval, CatalogSource, Cluster, Csv, Snapshots, Step, Subscription, SubscriptionStatus, step};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// The name of the Subscription in the errors of rows.
pub const SUBSCRIPTION: &str = "sub";
/// The names in OLM's texts: of the namespace and the CatalogSource.
const NAMESPACE: &str = "operators";
const CATALOG: (&str, &str) = ("catalog", "olm");

/// One package, alone in a catalog, with one Subscription to it.
pub(crate) struct Simulation<'c> {
    package: PackageName,
    state: State<'c>,
    /// Made when it is needed.
    listing: OnceLock<Arc<Listing>>,
}

impl<'c> Simulation<'c> {
    pub(crate) fn of(package: &PackageName, state: State<'c>) -> Self {
        Self { package: package.clone(), state, listing: OnceLock::new() }
    }

    /// OLM's error for a channel that it cannot choose from.
    pub(crate) fn error(&self, channel: &ChannelName, installed: Installed<'_>) -> Box<str> {
        if let Some(rejected) = self.state.rejected {
            return format!("error using catalogsource {}: {rejected}", key()).into();
        }
        let (step, _) = self.step(&self.cluster(channel, installed));
        step.error.unwrap_or_else(|| "the resolution changes nothing".to_owned()).into()
    }

    /// The updates of an installed version.
    pub(crate) fn fate(&self, channel: &ChannelName, installed: Installed<'_>, state: ChannelState) -> Fate {
        let mut fate = Fate { state, ..Fate::default() };
        let mut cluster = self.cluster(channel, installed);
        loop {
            let (step, next) = self.step(&cluster);
            fate.error = step.error.map(Into::into);
            let Some(update) = step.updated_subscriptions.first().filter(|_| step.install_plan_created) else {
                return fate;
            };
            let to = update.current_csv.clone();
            let repeats = to == *installed.name || fate.hops.iter().any(|hop| hop.to == to);
            fate.hops.push(Hop { version: self.version(&to), to, via: None });
            if repeats {
                return Fate { repeats, ..fate };
            }
            cluster = next;
        }
    }

    fn version(&self, name: &BundleName) -> Option<Version> {
        update_graph::version_of(self.state.catalog.package(self.package.as_str())?, name)
    }

    fn step(&self, cluster: &Cluster) -> (Step, Cluster) {
        let listing = self.listing.get_or_init(|| Arc::new(self.listing()));
        let snapshot = Snapshot { key: key(), priority: 0, listing: Arc::clone(listing) };
        step(cluster, NAMESPACE, &Snapshots::from([(key(), Arc::new(snapshot))]))
    }

    /// The package alone. If it is gone, another one, so that the catalog is not empty.
    fn listing(&self) -> Listing {
        let package = self.state.catalog.package(self.package.as_str()).or(self.state.catalog.packages.first());
        Listing::of(&Catalog { packages: package.into_iter().cloned().collect::<Vec<Package>>() })
    }

    fn cluster(&self, channel: &ChannelName, installed: Installed<'_>) -> Cluster {
        installed_cluster(&self.package, channel, installed)
    }
}

/// A cluster with nothing but an installed version and its Subscription to a channel.
pub(crate) fn installed_cluster(package: &PackageName, channel: &ChannelName, installed: Installed<'_>) -> Cluster {
    let spec = resolver::Subscription {
        name: SUBSCRIPTION.into(),
        package: package.clone(),
        channel: Some(channel.clone()),
        catalog: Some(key()),
        starting_csv: None,
        installed_csv: Some(installed.name.clone()),
    };
    let csv = InstalledCsv {
        name: installed.name.clone(),
        version: installed.version().unwrap_or(Version::new(0, 0, 0)),
        properties: CsvProperties::Known(installed.bundle.map(properties).unwrap_or_default()),
    };
    Cluster {
        catalog_sources: vec![CatalogSource { key: key(), priority: 0, image: None }],
        subscriptions: vec![Subscription {
            namespace: NAMESPACE.into(),
            spec,
            approval: Approval::Automatic,
            current_csv: Some(installed.name.clone()),
            config: BTreeSet::new(),
            status: SubscriptionStatus::default(),
        }],
        csvs: vec![Csv {
            namespace: NAMESPACE.into(),
            installed: csv,
            phase: Some("Succeeded".into()),
            replaces: None,
        }],
        ..Cluster::default()
    }
}

/// The catalog.
pub(crate) fn key() -> CatalogKey {
    CatalogKey::new(CATALOG.0, CATALOG.1)
}

fn properties(bundle: &Bundle) -> Arc<[PlacedProperty]> {
    let placed = |property: &source::Spanned<predicate::Property>| PlacedProperty {
        property: property.value.clone(),
        span: None,
    };
    bundle.properties.iter().map(placed).collect()
}
