//! What a cluster has that OLM v1 does not take over, or that the API server rejects.

use crate::cluster_catalog::{installer, is_generated, service_account};
use crate::manifest::{Objects, V0, V1, list_at};
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName, is_dns_subdomain};
use cluster::{Cluster, ClusterExtension, ExtensionName, OperatorGroup, Subscription, TargetNamespaces};
use extension::Refusal;
use serde_json::Value;
use source::{FeatureGate, OlmV1, OlmV1Release};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The maximum length of a DNS subdomain.
const LONGEST_NAME: usize = 253;

/// The longest name whose first revision, `<name>-1`, is still a value of a label.
const LONGEST_REVISED: usize = 61;

/// The objects of OLM v0 that an operator may read or write (library-olm `migration/pkg/migration/compatibility.go`).
const V0_RESOURCES: [&str; 5] = ["subscriptions", "installplans", "clusterserviceversions", "catalogsources", "*"];

/// Something in the way of a Subscription, apart from bundles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationObstacle {
    /// The name of the package is no DNS subdomain, so that the API server rejects the ClusterExtension.
    PackageName(PackageName),
    /// The same of the channel.
    ChannelName(ChannelName),
    /// The same of the installed version, which the ClusterExtension pins and the API does not accept.
    Version(Box<str>),
    /// The name is too long for a label of the revisions that OLM v1 makes of the ClusterExtension.
    LongName,
    /// The installed ClusterServiceVersion is in another phase than `Succeeded`.
    NotInstalled { csv: BundleName, phase: Box<str>, reason: Box<str> },
    /// An OperatorGroup lets the operators of the namespace watch some namespaces only. OLM v1 installs for all namespaces.
    TargetNamespaces { group: Arc<str>, targets: TargetNamespaces },
    /// An OperatorGroup limits OLM v0 to what a ServiceAccount may do.
    ServiceAccount { group: Arc<str>, account: Box<str> },
    /// The Subscription configures the deployments of the operator, which OLM v1 takes only with a feature gate: the names of
    /// the fields of `spec.config`.
    Config(BTreeSet<Box<str>>),
    /// The operator reports conditions to OLM v0 with its OperatorCondition.
    OperatorCondition(BundleName),
    /// The operator may use objects of OLM v0, and not those of OLM v1.
    UsesOlmV0(BundleName),
    /// OLM v0 created the Subscription for a dependency of another operator.
    GeneratedForOther,
    /// OLM v0 created this Subscription of the namespace for a dependency.
    GeneratedDependency { subscription: Arc<str>, package: PackageName },
    /// The installed bundles of these Subscriptions, by namespace and name, require the package.
    RequiredBy(Vec<(String, String)>),
    /// Several Subscriptions have the package: their namespaces and names, in order.
    SharedPackage(Arc<[(Arc<str>, Arc<str>)]>),
    /// The OLM v1 of the cluster installs with the permissions of this ServiceAccount, which the ClusterExtension names.
    Installer(String),
    /// A ClusterExtension of the cluster has the name.
    NameTaken(ExtensionName),
    /// A ClusterExtension of the cluster has the same package.
    OtherExtension(ExtensionName),
}

impl MigrationObstacle {
    /// Whether the API server rejects the ClusterExtension or an object that OLM v1 makes of it.
    #[must_use]
    pub const fn is_rejection(&self) -> bool {
        matches!(self, Self::PackageName(_) | Self::ChannelName(_) | Self::Version(_) | Self::LongName)
    }

    /// The check of the migration tool that it fails (library-olm `migration/pkg/migration/readiness.go` and `compatibility.go`, by
    /// the names of `specs/20260821-migration-v0-to-v1/requirements.md`).
    #[must_use]
    pub const fn check(&self) -> Option<&'static str> {
        match self {
            Self::TargetNamespaces { .. } => Some("C1"),
            Self::OperatorCondition(_) => Some("C4"),
            Self::UsesOlmV0(_) => Some("C5"),
            Self::ServiceAccount { .. } => Some("C6"),
            Self::NotInstalled { .. } => Some("C8"),
            Self::GeneratedForOther => Some("C9"),
            Self::PackageName(_)
            | Self::ChannelName(_)
            | Self::Version(_)
            | Self::LongName
            | Self::Config(_)
            | Self::GeneratedDependency { .. }
            | Self::RequiredBy(_)
            | Self::SharedPackage(_)
            | Self::Installer(_)
            | Self::NameTaken(_)
            | Self::OtherExtension(_) => None,
        }
    }
}

/// The check of the migration tool that an installed bundle fails which OLM v1 refuses for this.
pub(crate) const fn check_of_refusal(refusal: &Refusal) -> Option<&'static str> {
    match refusal {
        Refusal::InstallModes { .. } => Some("C1a"),
        Refusal::Dependency { .. } => Some("C2"),
        Refusal::ApiServices { .. } => Some("C3"),
        Refusal::Webhooks | Refusal::Configuration(_) | Refusal::Manifests(_) | Refusal::Reported(_) => None,
    }
}

/// Whether the API server accepts a name of a package or channel in a ClusterExtension.
pub(crate) fn is_accepted_name(name: &str) -> bool {
    is_dns_subdomain(name) && name.len() <= LONGEST_NAME
}

/// The namespace and the name of a Subscription.
type Key = (Arc<str>, Arc<str>);

/// The Subscriptions of each package, in order.
pub(crate) type ByPackage = BTreeMap<PackageName, Arc<[Key]>>;

pub(crate) fn by_package(subscriptions: &[Subscription]) -> ByPackage {
    let mut found: BTreeMap<&PackageName, BTreeSet<Key>> = BTreeMap::new();
    for Subscription { namespace, spec, .. } in subscriptions {
        found.entry(&spec.package).or_default().insert((Arc::clone(namespace), Arc::clone(&spec.name)));
    }
    found.into_iter().map(|(package, keys)| (package.clone(), keys.into_iter().collect())).collect()
}

/// What the obstacles of all Subscriptions of a cluster are looked up in.
#[derive(Debug)]
pub(crate) struct Surroundings<'i> {
    pub(crate) objects: &'i Objects,
    /// The release of OLM v1 and its feature gates.
    pub(crate) olm: OlmV1,
    /// The ClusterExtensions of the cluster, by name.
    pub(crate) extensions: Vec<&'i ClusterExtension>,
    pub(crate) by_package: ByPackage,
    pub(crate) namespaces: BTreeMap<Arc<str>, Cluster>,
}

/// The obstacles to a Subscription that becomes an extension of this name, in a fixed order.
pub(crate) fn obstacles(
    around: &Surroundings<'_>,
    subscription: &Subscription,
    name: &ExtensionName,
) -> Vec<MigrationObstacle> {
    let Subscription { namespace, spec, config, .. } = subscription;
    let here = &around.namespaces[namespace];
    let mut found = Vec::new();
    if !is_accepted_name(spec.package.as_str()) {
        found.push(MigrationObstacle::PackageName(spec.package.clone()));
    }
    let channel = spec.channel.as_ref().filter(|channel| !is_accepted_name(channel.as_str()));
    found.extend(channel.map(|channel| MigrationObstacle::ChannelName(channel.clone())));
    if name.as_str().len() > LONGEST_REVISED {
        found.push(MigrationObstacle::LongName);
    }
    found.extend(not_installed(here, subscription));
    found.extend(operator_groups(around.objects, here, namespace));
    if !config.is_empty() && !around.olm.is_on(FeatureGate::DeploymentConfig) {
        found.push(MigrationObstacle::Config(config.clone()));
    }
    found.extend(of_csv(around.objects, subscription));
    if is_generated(around.objects, subscription) {
        found.push(MigrationObstacle::GeneratedForOther);
    }
    found.extend(generated_dependencies(around.objects, here, subscription));
    let dependents: Vec<_> = around.objects.dependents_on(spec.package.as_str()).cloned().collect();
    if !dependents.is_empty() {
        found.push(MigrationObstacle::RequiredBy(dependents));
    }
    let shared = around.by_package.get(&spec.package).filter(|all| all.len() > 1);
    found.extend(shared.map(|all| MigrationObstacle::SharedPackage(Arc::clone(all))));
    if around.olm.release() < OlmV1Release::NO_SERVICE_ACCOUNT {
        found.push(MigrationObstacle::Installer(installer(name)));
    }
    for extension in &around.extensions {
        if extension.name == *name {
            found.push(MigrationObstacle::NameTaken(extension.name.clone()));
        } else if extension.package == spec.package {
            found.push(MigrationObstacle::OtherExtension(extension.name.clone()));
        }
    }
    found
}

fn not_installed(here: &Cluster, subscription: &Subscription) -> Option<MigrationObstacle> {
    let installed = subscription.spec.installed_csv.as_ref()?;
    let csv =
        here.csvs.iter().find(|csv| csv.namespace == subscription.namespace && csv.installed.name == *installed)?;
    let phase = csv.phase.clone().filter(|phase| **phase != *"Succeeded")?;
    Some(MigrationObstacle::NotInstalled {
        csv: installed.clone(),
        phase,
        reason: csv.reason.clone().unwrap_or_default(),
    })
}

/// What the OperatorGroups of the namespace have that OLM v1 does not, by name.
fn operator_groups(objects: &Objects, here: &Cluster, namespace: &Arc<str>) -> Vec<MigrationObstacle> {
    let mut groups: Vec<&OperatorGroup> = here.groups_of(namespace).iter().collect();
    groups.sort_by(|a, b| a.name.cmp(&b.name));
    let obstacles = groups.into_iter().flat_map(|group| {
        let narrow = (group.targets != TargetNamespaces::All).then(|| MigrationObstacle::TargetNamespaces {
            group: Arc::clone(&group.name),
            targets: group.targets.clone(),
        });
        let account = service_account(objects, namespace, &group.name);
        let limited = (!account.is_empty())
            .then(|| MigrationObstacle::ServiceAccount { group: Arc::clone(&group.name), account: account.into() });
        [narrow, limited]
    });
    obstacles.flatten().collect()
}

/// What the operator itself needs of OLM v0, as its ClusterServiceVersion and OperatorCondition show it.
fn of_csv(objects: &Objects, Subscription { namespace, spec, .. }: &Subscription) -> Vec<MigrationObstacle> {
    let Some(name) = &spec.installed_csv else { return Vec::new() };
    let condition = objects.find("OperatorCondition", namespace, name.as_str());
    let reports = condition.is_some_and(|condition| !list_at(condition, "/status/conditions").is_empty());
    let csv = objects.find("ClusterServiceVersion", namespace, name.as_str());
    let reports = reports.then(|| MigrationObstacle::OperatorCondition(name.clone()));
    let uses = csv.is_some_and(uses_olm_v0).then(|| MigrationObstacle::UsesOlmV0(name.clone()));
    reports.into_iter().chain(uses).collect()
}

fn uses_olm_v0(csv: &Value) -> bool {
    let has = |rule: &Value, list: &str, wanted: &[&str]| {
        list_at(rule, list).iter().any(|item| item.as_str().is_some_and(|item| wanted.contains(&item)))
    };
    let permissions = list_at(csv, "/spec/install/spec/clusterPermissions").iter();
    let rules: Vec<&Value> = permissions.flat_map(|permission| list_at(permission, "/rules")).collect();
    rules.iter().any(|rule| has(rule, "/apiGroups", &[V0]) && has(rule, "/resources", &V0_RESOURCES))
        && !rules.iter().any(|rule| has(rule, "/apiGroups", &[V1]))
}

/// The other Subscriptions of the namespace that OLM v0 created for dependencies, by name.
fn generated_dependencies(objects: &Objects, here: &Cluster, subscription: &Subscription) -> Vec<MigrationObstacle> {
    let is_other = |other: &&Subscription| other.spec.name != subscription.spec.name && is_generated(objects, other);
    let mut generated: Vec<&Subscription> = here.subscriptions.iter().filter(is_other).collect();
    generated.sort_by_key(|other| &other.spec.name);
    let obstacle = |other: &Subscription| MigrationObstacle::GeneratedDependency {
        subscription: Arc::clone(&other.spec.name),
        package: other.spec.package.clone(),
    };
    generated.into_iter().map(obstacle).collect()
}
