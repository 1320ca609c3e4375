//! Paths from the simulation: for what the update chains do not know, and for OLM's own error texts.

use crate::path::{Hop, Path, PathError, Update, Updates};
use crate::state::{Installed, State};
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, Catalog, ChannelName};
use cluster::{
    Approval, CatalogKey, CatalogSource, Cluster, Csv, CsvProperties, InstalledCsv, PlacedProperty, Subscription,
    SubscriptionStatus,
};
use go_semver::blang::Version;
use resolver::{Listing, Snapshot};
use simulate::{Snapshots, Step, no_modes, step};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// The name of the Subscription in the errors of rows.
pub const SUBSCRIPTION: &str = "sub";
/// The names in OLM's texts: of the namespace and the CatalogSource.
const NAMESPACE: &str = "operators";
const CATALOG: (&str, &str) = ("catalog", "olm");

/// The versions of an update graph that were found so far.
#[derive(Default)]
struct Found {
    names: Vec<BundleName>,
    index: BTreeMap<BundleName, usize>,
}

impl Found {
    fn index(&mut self, name: &BundleName) -> usize {
        let Self { names, index } = self;
        *index.entry(name.clone()).or_insert_with(|| {
            names.push(name.clone());
            names.len() - 1
        })
    }
}

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

    /// The paths of installed versions. Each version is resolved once, because what OLM does next depends only on what is
    /// installed, as long as nothing else is installed beside it.
    pub(crate) fn paths(&self, channel: &ChannelName, installed: &[Installed<'_>]) -> Vec<Path> {
        let one_by_one = || installed.iter().map(|installed| self.path(channel, *installed)).collect();
        self.shared_paths(channel, installed).unwrap_or_else(one_by_one)
    }

    /// `None` if an update installs something else, too.
    fn shared_paths(&self, channel: &ChannelName, installed: &[Installed<'_>]) -> Option<Vec<Path>> {
        let mut found = Found::default();
        let package = self.state.catalog.package(self.package.as_str());
        let bundle = |name: &BundleName| package.and_then(|package| package.bundle(name.as_str()));
        let mut starts: Vec<Result<Option<usize>, PathError>> = Vec::new();
        for one in installed {
            // What is as in this state is a version of the update graph.
            let is_own = one.bundle.is_some() && one.bundle == bundle(one.name);
            starts.push(if is_own {
                Ok(Some(found.index(one.name)))
            } else {
                self.next(channel, *one)?.map(|to| to.map(|to| found.index(&to)))
            });
        }
        let (mut next, mut errors) = (Vec::new(), BTreeMap::new());
        while let Some(name) = found.names.get(next.len()).cloned() {
            let installed = Installed { name: &name, bundle: bundle(&name) };
            let to = self.next(channel, installed)?.unwrap_or_else(|error| {
                errors.insert(next.len(), error);
                None
            });
            next.push(to.map(|to| Update { to: found.index(&to), via: None }));
        }
        let versions = found.names.iter().map(|name| (name.clone(), self.version(name))).collect();
        let updates = Arc::new(Updates::new(versions, &next, errors.clone()));
        let path = |(start, one): (Result<Option<usize>, PathError>, &Installed<'_>)| {
            let failed = |error| Path { error: Some(error), ..Path::default() };
            let is_own = one.bundle.is_some() && one.bundle == bundle(one.name);
            match start {
                Err(error) => failed(error),
                Ok(Some(own)) if is_own => match errors.get(&own) {
                    Some(error) => failed(error.clone()),
                    None => Path::through(&updates, one.name, next[own]),
                },
                Ok(to) => Path::through(&updates, one.name, to.map(|to| Update { to, via: None })),
            }
        };
        Some(starts.into_iter().zip(installed).map(path).collect())
    }

    /// What OLM updates an installed version to, or why it cannot; `None` if something else is installed with it.
    fn next(&self, channel: &ChannelName, installed: Installed<'_>) -> Option<Result<Option<BundleName>, PathError>> {
        let (step, next) = self.step(&self.cluster(channel, installed));
        if let Some(error) = step.error {
            return Some(Err(PathError::other(error)));
        }
        let update = step.updated_subscriptions.first().filter(|_| step.install_plan_created);
        let is_alone = (next.subscriptions.len(), next.csvs.len()) == (1, 1);
        is_alone.then(|| Ok(update.map(|update| update.current_csv.clone())))
    }

    /// The path of one installed version, with all that its updates install.
    fn path(&self, channel: &ChannelName, installed: Installed<'_>) -> Path {
        let mut hops: Vec<Hop> = Vec::new();
        let mut cluster = self.cluster(channel, installed);
        loop {
            let (step, next) = self.step(&cluster);
            let update = step.updated_subscriptions.first().filter(|_| step.install_plan_created);
            let Some(update) = update else {
                return Path { error: step.error.map(PathError::other), ..Path::listed(hops, false) };
            };
            let to = update.current_csv.clone();
            let repeats = to == *installed.name || hops.iter().any(|hop| hop.to == to);
            hops.push(Hop { version: self.version(&to), to, via: None });
            if repeats {
                return Path::listed(hops, true);
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
        step(cluster, NAMESPACE, &Snapshots::from([(key(), Arc::new(snapshot))]), &no_modes)
    }

    /// The package alone. If it is gone, another one, so that the catalog is not empty.
    fn listing(&self) -> Listing {
        let package = self.state.catalog.shared_package(self.package.as_str());
        let package = package.or(self.state.catalog.packages.first());
        Listing::of(&Catalog { packages: package.into_iter().cloned().collect(), ..Catalog::default() })
    }

    fn cluster(&self, channel: &ChannelName, installed: Installed<'_>) -> Cluster {
        installed_cluster(&self.package, channel, installed)
    }
}

/// A cluster with nothing but an installed version and its Subscription to a channel.
pub(crate) fn installed_cluster(package: &PackageName, channel: &ChannelName, installed: Installed<'_>) -> Cluster {
    let spec = cluster::SubscriptionSpec {
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
        catalog_sources: vec![CatalogSource::new(key(), 0)],
        subscriptions: vec![Subscription {
            namespace: NAMESPACE.into(),
            spec,
            approval: Approval::Automatic,
            current_csv: Some(installed.name.clone()),
            config: BTreeSet::new(),
            status: SubscriptionStatus::default(),
        }],
        csvs: vec![Csv::running(NAMESPACE, csv)],
        ..Cluster::default()
    }
}

pub(crate) fn key() -> CatalogKey {
    CatalogKey::new(CATALOG.0, CATALOG.1)
}

fn properties(bundle: &Bundle) -> Arc<[PlacedProperty]> {
    let placed = |property: &source::Spanned<catalog::predicate::Property>| PlacedProperty {
        property: property.value.clone(),
        span: None,
    };
    bundle.properties.iter().map(placed).collect()
}
