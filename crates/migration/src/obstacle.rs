//! What a cluster has that a ClusterExtension does not take over, or that the API server rejects.

use crate::dump::{Dump, V0};
use crate::eligibility::is_generated as has_generated_annotation;
use catalog::ChannelName;
use catalog::predicate::PackageName;
use extension::{CatalogName, ClusterExtension, ExtensionName, is_dns_subdomain};
use simulate::{Cluster, OperatorGroup, Subscription, TargetNamespaces};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The maximum length of a DNS subdomain.
pub(crate) const LONGEST_NAME: usize = 253;

/// The longest name whose first revision, `<name>-1`, is still a value of a label.
const LONGEST_REVISED: usize = 61;

/// Something in the way of a Subscription, apart from bundles and from the checks of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationObstacle {
    /// The name of the package is no DNS subdomain, so that the API server rejects the ClusterExtension.
    PackageName(PackageName),
    /// The same of the channel.
    ChannelName(ChannelName),
    /// The same of the installed version, which the ClusterExtension pins and the API does not accept.
    Version(Box<str>),
    /// A phase of the ClusterObjectSet has more than 50 objects, so that the API server rejects it.
    FullPhase {
        phase: &'static str,
        /// The number of its objects that the manifests name.
        objects: usize,
    },
    /// The cluster has a ClusterObjectSet of this name, which the tool creates.
    SetTaken(Box<str>),
    /// The name of the Subscription is too long for a label of the objects that the tool creates.
    LongName,
    /// An OperatorGroup lets the operators of the namespace watch some namespaces only. OLM v1 installs for all namespaces.
    TargetNamespaces {
        /// The name of the OperatorGroup.
        group: Arc<str>,
        /// What it selects.
        targets: TargetNamespaces,
    },
    /// The Subscription configures the deployments of the operator, which OLM v1 takes only with a feature gate.
    Config(
        /// The names of the fields of `spec.config`.
        BTreeSet<Box<str>>,
    ),
    /// OLM v0 created this Subscription of the namespace for a dependency, which the tool does not take.
    GeneratedDependency { subscription: Arc<str>, package: PackageName },
    /// Several Subscriptions have the same name, which their ClusterExtensions get, too.
    SharedName(
        /// Their namespaces, in order.
        Arc<[Arc<str>]>,
    ),
    /// A ClusterExtension of the cluster has the name.
    NameTaken(ExtensionName),
    /// A ClusterExtension of the cluster has the same package.
    OtherExtension(ExtensionName),
    /// The tool selects another ClusterCatalog than that of the CatalogSource, because it has a higher priority.
    OtherCatalog(CatalogName),
}

impl MigrationObstacle {
    /// Whether the API server rejects an object of the tool, which it notices when the Subscription is gone.
    #[must_use]
    pub const fn is_rejection(&self) -> bool {
        matches!(
            self,
            Self::PackageName(_) | Self::ChannelName(_) | Self::Version(_) | Self::FullPhase { .. } | Self::LongName
        )
    }
}

/// The namespaces of the Subscriptions of each name, in order.
pub(crate) type BySubscribedName = BTreeMap<Arc<str>, Arc<[Arc<str>]>>;

/// The namespaces of the Subscriptions of each name.
pub(crate) fn by_name(subscriptions: &[Subscription]) -> BySubscribedName {
    let mut found: BTreeMap<Arc<str>, BTreeSet<Arc<str>>> = BTreeMap::new();
    for Subscription { namespace, spec, .. } in subscriptions {
        found.entry(Arc::clone(&spec.name)).or_default().insert(Arc::clone(namespace));
    }
    found.into_iter().map(|(name, namespaces)| (name, namespaces.into_iter().collect())).collect()
}

/// The obstacles to a Subscription, in a fixed order. `extensions` are those of the cluster by name, and `here` is the part of
/// the cluster in its namespace.
pub(crate) fn obstacles(
    dump: &Dump,
    extensions: &[&ClusterExtension],
    here: &Cluster,
    by_name: &BySubscribedName,
    subscription: &Subscription,
) -> Vec<MigrationObstacle> {
    let Subscription { spec, config, .. } = subscription;
    let mut found = Vec::new();
    let is_accepted = |name: &str| is_dns_subdomain(name) && name.len() <= LONGEST_NAME;
    if !is_accepted(spec.package.as_str()) {
        found.push(MigrationObstacle::PackageName(spec.package.clone()));
    }
    let channel = spec.channel.as_ref().filter(|channel| !is_accepted(channel.as_str()));
    found.extend(channel.map(|channel| MigrationObstacle::ChannelName(channel.clone())));
    if spec.name.len() > LONGEST_REVISED {
        found.push(MigrationObstacle::LongName);
    }
    found.extend(target_namespaces(here, &subscription.namespace));
    if !config.is_empty() {
        found.push(MigrationObstacle::Config(config.clone()));
    }
    found.extend(generated_dependencies(dump, here, subscription));
    if let Some(namespaces) = by_name.get(&spec.name).filter(|all| all.len() > 1) {
        found.push(MigrationObstacle::SharedName(Arc::clone(namespaces)));
    }
    for extension in extensions {
        if extension.name.as_str() == &*spec.name {
            found.push(MigrationObstacle::NameTaken(extension.name.clone()));
        } else if extension.package == spec.package {
            found.push(MigrationObstacle::OtherExtension(extension.name.clone()));
        }
    }
    found
}

/// The OperatorGroups of the namespace that select some namespaces only, by name.
fn target_namespaces(here: &Cluster, namespace: &Arc<str>) -> Vec<MigrationObstacle> {
    let is_narrow = |group: &&OperatorGroup| group.targets != TargetNamespaces::All;
    let mut groups: Vec<_> = here.groups_of(namespace).iter().filter(is_narrow).collect();
    groups.sort_by(|a, b| a.name.cmp(&b.name));
    let obstacle = |group: &OperatorGroup| MigrationObstacle::TargetNamespaces {
        group: Arc::clone(&group.name),
        targets: group.targets.clone(),
    };
    groups.into_iter().map(obstacle).collect()
}

/// The other Subscriptions of the namespace that OLM v0 created for dependencies, by name.
fn generated_dependencies(dump: &Dump, here: &Cluster, subscription: &Subscription) -> Vec<MigrationObstacle> {
    let is_other = |other: &&Subscription| other.spec.name != subscription.spec.name && is_generated(dump, other);
    let mut generated: Vec<&Subscription> = here.subscriptions.iter().filter(is_other).collect();
    generated.sort_by_key(|other| &other.spec.name);
    let obstacle = |other: &Subscription| MigrationObstacle::GeneratedDependency {
        subscription: Arc::clone(&other.spec.name),
        package: other.spec.package.clone(),
    };
    generated.into_iter().map(obstacle).collect()
}

/// Whether the tool takes the Subscription for one that OLM v0 created for a dependency: by its annotation, whatever the value.
fn is_generated(dump: &Dump, Subscription { namespace, spec, .. }: &Subscription) -> bool {
    dump.find(V0, "Subscription", namespace, &spec.name).is_some_and(has_generated_annotation)
}
