//! What a cluster has that a ClusterExtension does not take over, or that the API server rejects.

use crate::plan::Inputs;
use catalog::BundleName;
use extension::{ExtensionName, is_dns_subdomain};
use predicate::PackageName;
use simulate::{Approval, Subscription, TargetNamespaces};
use std::collections::BTreeSet;
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
    /// Another Subscription has the same package. OLM v1 installs a package once for the whole cluster.
    OtherSubscription {
        /// Its namespace.
        namespace: Arc<str>,
        /// Its name.
        name: Arc<str>,
    },
    /// A ClusterExtension of the cluster has the same package.
    OtherExtension(ExtensionName),
}

/// The obstacles to a Subscription, in a fixed order.
pub(crate) fn obstacles(
    inputs: &Inputs<'_, '_>,
    subscription: &Subscription,
    is_installed: bool,
) -> Vec<MigrationObstacle> {
    let Subscription { namespace, spec, config, .. } = subscription;
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
    let mut groups: Vec<_> =
        inputs.cluster.operator_groups.iter().filter(|group| group.namespace == *namespace).collect();
    groups.sort_by(|a, b| a.name.cmp(&b.name));
    for group in groups.into_iter().filter(|group| group.targets != TargetNamespaces::All) {
        found.push(MigrationObstacle::TargetNamespaces {
            group: Arc::clone(&group.name),
            targets: group.targets.clone(),
        });
    }
    if !config.is_empty() {
        found.push(MigrationObstacle::Config(config.clone()));
    }
    let mut others: Vec<&Subscription> = inputs.cluster.subscriptions.iter().collect();
    others.retain(|other| (&other.namespace, &other.spec.name) != (namespace, &spec.name));
    others.sort_by_key(|other| (&other.namespace, &other.spec.name));
    let generated = others.iter().filter(|other| other.namespace == *namespace && is_generated(other));
    found.extend(generated.map(|other| MigrationObstacle::GeneratedDependency {
        subscription: Arc::clone(&other.spec.name),
        package: other.spec.package.clone(),
    }));
    let same = others.iter().filter(|other| other.spec.package == spec.package);
    found.extend(same.map(|other| MigrationObstacle::OtherSubscription {
        namespace: Arc::clone(&other.namespace),
        name: Arc::clone(&other.spec.name),
    }));
    let extensions = inputs.extensions.iter().filter(|extension| extension.package == spec.package);
    let names: BTreeSet<&ExtensionName> = extensions.map(|extension| &extension.name).collect();
    found.extend(names.into_iter().map(|name| MigrationObstacle::OtherExtension(name.clone())));
    found
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
