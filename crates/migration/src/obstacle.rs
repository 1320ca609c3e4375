//! What a cluster has that a ClusterExtension does not take over, or that the API server rejects.

use crate::plan::Inputs;
use catalog::BundleName;
use extension::{ExtensionName, is_dns_subdomain};
use predicate::PackageName;
use simulate::{Approval, Cluster, OperatorGroup, Subscription, TargetNamespaces};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The maximum length of a DNS subdomain.
pub(crate) const LONGEST_NAME: usize = 253;

/// Something in the way of a Subscription, apart from bundles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationObstacle {
    /// The name of the package is no DNS subdomain, so that the API server rejects the ClusterExtension.
    PackageName(PackageName),
    /// The Subscription names no catalog.
    NoCatalog,
    /// The status of the Subscription names this CSV as installed, and the manifests do not have it, so that nothing counts as
    /// installed.
    MissingCsv(BundleName),
    /// OLM v0 created the Subscription for a dependency of another one.
    IsGenerated,
    /// Nothing is installed, and OLM v0 begins with this bundle; a ClusterExtension begins with the highest version.
    StartingCsv(BundleName),
    /// An OperatorGroup lets the operators of the namespace watch some namespaces only. OLM v1 installs for all namespaces.
    TargetNamespaces {
        /// The name of the OperatorGroup.
        group: Arc<str>,
        /// What it selects.
        targets: TargetNamespaces,
    },
    /// The Subscription configures the deployments of the operator; a ClusterExtension has no such fields.
    Config(
        /// The names of the fields of `spec.config`.
        BTreeSet<Box<str>>,
    ),
    /// OLM v0 created this Subscription of the namespace for a dependency. OLM v1 manages no dependencies.
    GeneratedDependency {
        /// Its name.
        subscription: Arc<str>,
        /// Its package.
        package: PackageName,
    },
    /// Several Subscriptions have the same package. OLM v1 installs a package once for the whole cluster.
    SharedPackage {
        /// The package.
        package: PackageName,
        /// All its Subscriptions: their namespaces and names, in this order.
        subscriptions: Arc<[NamespacedName]>,
    },
    /// A ClusterExtension of the cluster has the same package.
    OtherExtension(ExtensionName),
}

/// A namespace, and the name of an object in it.
pub type NamespacedName = (Arc<str>, Arc<str>);

/// The Subscriptions of each package, in order.
pub(crate) type BySubscribedPackage = BTreeMap<PackageName, Arc<[NamespacedName]>>;

/// The Subscriptions of each package of the cluster.
pub(crate) fn by_package(subscriptions: &[Subscription]) -> BySubscribedPackage {
    let mut found: BTreeMap<PackageName, BTreeSet<NamespacedName>> = BTreeMap::new();
    for Subscription { namespace, spec, .. } in subscriptions {
        found.entry(spec.package.clone()).or_default().insert((Arc::clone(namespace), Arc::clone(&spec.name)));
    }
    found.into_iter().map(|(package, names)| (package, names.into_iter().collect())).collect()
}

/// The obstacles to a Subscription, in a fixed order. `here` is the part of the cluster in its namespace.
pub(crate) fn obstacles(
    inputs: &Inputs<'_, '_>,
    here: &Cluster,
    by_package: &BySubscribedPackage,
    subscription: &Subscription,
    is_installed: bool,
) -> Vec<MigrationObstacle> {
    let Subscription { spec, config, .. } = subscription;
    let mut found = Vec::new();
    let package = spec.package.as_str();
    if !is_dns_subdomain(package) || package.len() > LONGEST_NAME {
        found.push(MigrationObstacle::PackageName(spec.package.clone()));
    }
    if spec.catalog.is_none() {
        found.push(MigrationObstacle::NoCatalog);
    }
    if let (Some(csv), false) = (&spec.installed_csv, is_installed) {
        found.push(MigrationObstacle::MissingCsv(csv.clone()));
    }
    if is_generated(subscription) {
        found.push(MigrationObstacle::IsGenerated);
    }
    if let (Some(csv), Approval::Automatic, false) = (&spec.starting_csv, subscription.approval, is_installed) {
        found.push(MigrationObstacle::StartingCsv(csv.clone()));
    }
    found.extend(target_namespaces(here, &subscription.namespace));
    if !config.is_empty() {
        found.push(MigrationObstacle::Config(config.clone()));
    }
    found.extend(generated_dependencies(here, subscription));
    if let Some(subscriptions) = by_package.get(&spec.package).filter(|all| all.len() > 1) {
        let (package, subscriptions) = (spec.package.clone(), Arc::clone(subscriptions));
        found.push(MigrationObstacle::SharedPackage { package, subscriptions });
    }
    let extensions = inputs.extensions.iter().filter(|extension| extension.package == spec.package);
    let names: BTreeSet<&ExtensionName> = extensions.map(|extension| &extension.name).collect();
    found.extend(names.into_iter().map(|name| MigrationObstacle::OtherExtension(name.clone())));
    found
}

/// The OperatorGroups of the namespace that select some namespaces only, by name.
fn target_namespaces(here: &Cluster, namespace: &Arc<str>) -> Vec<MigrationObstacle> {
    let is_narrow = |group: &&OperatorGroup| group.namespace == *namespace && group.targets != TargetNamespaces::All;
    let mut groups: Vec<_> = here.operator_groups.iter().filter(is_narrow).collect();
    groups.sort_by(|a, b| a.name.cmp(&b.name));
    let obstacle = |group: &OperatorGroup| MigrationObstacle::TargetNamespaces {
        group: Arc::clone(&group.name),
        targets: group.targets.clone(),
    };
    groups.into_iter().map(obstacle).collect()
}

/// The other Subscriptions of the namespace that OLM v0 created for dependencies, by name.
fn generated_dependencies(here: &Cluster, subscription: &Subscription) -> Vec<MigrationObstacle> {
    let is_other = |other: &&Subscription| other.spec.name != subscription.spec.name && is_generated(other);
    let mut generated: Vec<&Subscription> = here.subscriptions.iter().filter(is_other).collect();
    generated.sort_by_key(|other| &other.spec.name);
    let obstacle = |other: &Subscription| MigrationObstacle::GeneratedDependency {
        subscription: Arc::clone(&other.spec.name),
        package: other.spec.package.clone(),
    };
    generated.into_iter().map(obstacle).collect()
}

/// Whether OLM v0 created the Subscription for a dependency: by its annotation, or by the name that such a Subscription gets
/// (operator-lifecycle-manager `pkg/controller/registry/resolver/step_resolver.go`).
fn is_generated(subscription: &Subscription) -> bool {
    let spec = &subscription.spec;
    let name = spec
        .channel
        .as_ref()
        .zip(spec.catalog.as_ref())
        .map(|(channel, catalog)| format!("{}-{channel}-{}-{}", spec.package, catalog.name, catalog.namespace));
    subscription.status.generated_by.is_some() || name.is_some_and(|name| *name == *spec.name)
}
