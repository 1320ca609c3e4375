//! What becomes of the operators of a cluster if one of its catalogs is exchanged.
//!
//! The rows of [`compare`](crate::compare()) ask what could happen to anyone; here everything that OLM looks at is known:
//! the other Subscriptions of the namespace, dependencies, operators without a Subscription and the other catalogs. Each
//! namespace is simulated before and after the change, in the default order, from what the cluster has installed.
//!
//! As in the rows, every InstallPlan counts as approved and successful. With approval Manual the same happens, each plan
//! after its approval.

mod namespace;

pub use namespace::{Cause, Dependency, Failure, SimulatedPath};

use crate::rule::Rule;
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use cluster::{Approval, CatalogKey, Cluster, Subscription};
use go_semver::blang::Version;
use namespace::{Case, Namespace};
use simulate::{ReadModes, Snapshots};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The catalogs of a cluster in one state. Both states have the same CatalogSources.
#[derive(Clone, Copy)]
pub struct ClusterCatalogs<'c> {
    /// The content of each CatalogSource.
    pub snapshots: &'c Snapshots,
    /// The CatalogSources whose pod does not run, for example because `opm` rejects the catalog. They count in addition to
    /// those of the cluster.
    pub not_served: &'c BTreeSet<CatalogKey>,
    /// The install modes of its bundles.
    pub modes: &'c ReadModes<'c>,
}

/// The comparison of a cluster.
#[derive(Clone, Debug)]
pub struct ClusterComparison {
    pub subscriptions: Vec<SubscriptionComparison>,
    /// The namespaces in which OLM's resolution fails in one state or in both, by name.
    pub failures: Vec<NamespaceFailure>,
    /// The cluster with the old state, after all updates.
    pub old_end: Cluster,
    /// The cluster with the new state, after all updates.
    pub new_end: Cluster,
}

/// What becomes of one Subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionComparison {
    pub namespace: Arc<str>,
    pub subscription: Arc<str>,
    pub package: PackageName,
    /// The channel; absent if the Subscription names none.
    pub channel: Option<ChannelName>,
    /// The catalog; absent if the Subscription names none.
    pub catalog: Option<CatalogKey>,
    /// How the plans of the namespace are approved: by a user if any Subscription of the namespace requires that.
    pub approval: Approval,
    /// What is installed; absent if nothing is.
    pub installed: Option<BundleName>,
    /// The version of that, according to the CSV.
    pub version: Option<Version>,
    /// What becomes of it before the change.
    pub old: SimulatedPath,
    /// What becomes of it after the change.
    pub new: SimulatedPath,
    /// What the difference means: the worst rule that applies.
    pub rule: Rule,
}

/// A namespace in which the resolution fails in at least one state. Then none of its Subscriptions is updated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamespaceFailure {
    pub namespace: Arc<str>,
    /// The failure before the change.
    pub old: Option<Failure>,
    /// The failure after the change.
    pub new: Option<Failure>,
}

/// Compares what OLM does on a cluster with two states of its catalogs.
#[must_use]
pub fn compare_cluster(cluster: &Cluster, old: ClusterCatalogs<'_>, new: ClusterCatalogs<'_>) -> ClusterComparison {
    let (before, after) = (Run::of(cluster, old), Run::of(cluster, new));
    let mut subscriptions = Vec::new();
    let mut failures = Vec::new();
    for (namespace, part) in cluster.by_namespace() {
        let mut here: Vec<&Subscription> = part.subscriptions.iter().collect();
        here.sort_by(|a, b| a.spec.name.cmp(&b.spec.name));
        subscriptions.extend(here.into_iter().map(|one| comparison(&part, one, &before, &after)));
        let (old, new) = (before.failure(&namespace).cloned(), after.failure(&namespace).cloned());
        if old.is_some() || new.is_some() {
            failures.push(NamespaceFailure { namespace, old, new });
        }
    }
    ClusterComparison { subscriptions, failures, old_end: before.end, new_end: after.end }
}

/// The simulation of all namespaces.
struct Run {
    namespaces: BTreeMap<Arc<str>, Namespace>,
    end: Cluster,
}

impl Run {
    /// Namespaces do not influence each other, so each is simulated by itself.
    fn of(cluster: &Cluster, catalogs: ClusterCatalogs<'_>) -> Self {
        let mut end = cluster.clone();
        end.not_served.extend(catalogs.not_served.iter().cloned());
        let parts = end.by_namespace();
        end.subscriptions.clear();
        end.csvs.retain(|csv| !parts.contains_key(&csv.namespace));
        let mut namespaces = BTreeMap::new();
        for (namespace, part) in parts {
            let (found, next) = Namespace::simulate(&part, &namespace, catalogs);
            namespaces.insert(namespace, found);
            end.subscriptions.extend(next.subscriptions);
            end.csvs.extend(next.csvs);
        }
        Self { namespaces, end }
    }

    fn failure(&self, namespace: &str) -> Option<&Failure> {
        self.namespaces.get(namespace)?.failure.as_ref()
    }

    fn path(&self, subscription: &Subscription) -> SimulatedPath {
        let namespace = self.namespaces.get(&subscription.namespace);
        namespace.and_then(|found| found.paths.get(&subscription.spec.name)).cloned().unwrap_or_default()
    }
}

fn comparison(cluster: &Cluster, subscription: &Subscription, before: &Run, after: &Run) -> SubscriptionComparison {
    let (namespace, spec) = (&subscription.namespace, &subscription.spec);
    let csv = cluster.installed(subscription).csv().map(|csv| &csv.installed);
    let (installed, version) = (csv.map(|csv| csv.name.clone()), csv.map(|csv| csv.version.clone()));
    let (old, new) = (before.path(subscription), after.path(subscription));
    let is_cause = after.failure(namespace).is_some_and(|failure| failure.is_caused_by(spec));
    let case = Case { installed: installed.as_ref(), version: version.as_ref(), old: &old, new: &new, is_cause };
    let rule = case.rule();
    SubscriptionComparison {
        namespace: Arc::clone(namespace),
        subscription: Arc::clone(&spec.name),
        package: spec.package.clone(),
        channel: spec.channel.clone(),
        catalog: spec.catalog.clone(),
        approval: before.namespaces.get(namespace).map(|found| found.approval).unwrap_or_default(),
        installed,
        version,
        old,
        new,
        rule,
    }
}

impl SubscriptionComparison {
    /// What is installed in the end with the old state.
    #[must_use]
    pub fn old_end(&self) -> Option<&BundleName> {
        self.old.end(self.installed.as_ref())
    }

    /// What is installed in the end with the new state.
    #[must_use]
    pub fn new_end(&self) -> Option<&BundleName> {
        self.new.end(self.installed.as_ref())
    }

    /// The operators that only the new state installs as dependencies.
    pub fn added_dependencies(&self) -> impl Iterator<Item = &Dependency> {
        self.new.dependencies_without(&self.old)
    }

    /// The operators that only the old state installs as dependencies.
    pub fn removed_dependencies(&self) -> impl Iterator<Item = &Dependency> {
        self.old.dependencies_without(&self.new)
    }
}
