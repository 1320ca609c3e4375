//! The migration of each Subscription of a cluster.

use crate::cluster_catalog::{
    CatalogOrigin, CatalogTarget, channel_choice, cluster_catalogs, cluster_extension, object, unique_names,
    version_choice,
};
use crate::crds::{BundleReadiness, CatalogContent, CrdCheck};
use crate::manifest::Objects;
use crate::obstacle::{MigrationObstacle, Surroundings, by_package, obstacles};
use catalog::predicate::{PackageName, Requirement};
use catalog::{Bundle, BundleName, ChannelName, Package};
use cluster::{CatalogKey, Cluster, ClusterCatalog, ClusterExtension, ExtensionName, InstalledBundle, Subscription};
use extension::{CatalogState, ReadinessVerdict, Resolution, ResolveError, VersionRelease, resolve};
use resolver::Outcome;
use serde_json::Value;
use simulate::{Snapshots, no_modes, step};
use source::OlmV1;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use update_graph::{Paths, UpdateChain};
use views::MigrationVerdict;

/// A cluster with its catalogs.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'i, 'c> {
    /// The objects of OLM v0.
    pub cluster: &'i Cluster,
    /// The ClusterCatalogs of the cluster.
    pub cluster_catalogs: &'i [ClusterCatalog],
    /// The ClusterExtensions of the cluster.
    pub extensions: &'i [ClusterExtension],
    /// The content of the catalogs that are known, by CatalogSource.
    pub contents: &'i BTreeMap<CatalogKey, CatalogContent<'c>>,
    /// The objects of OLM v0 as they are written.
    pub objects: &'i Objects,
    /// The release of OLM v1 and its feature gates.
    pub olm: OlmV1,
}

/// What becomes of a Subscription under OLM v1.
#[derive(Clone, Debug, PartialEq)]
pub struct Migration {
    pub namespace: Arc<str>,
    pub subscription: Arc<str>,
    /// The CatalogSource that it names.
    pub source: Option<CatalogKey>,
    /// The ClusterCatalog that stands for it.
    pub catalog: Option<CatalogTarget>,
    /// The ClusterExtension to apply.
    pub object: Value,
    /// The same as OLM v1 reads it, with nothing installed.
    pub extension: ClusterExtension,
    /// Why the extension names the channel or not.
    pub channel: ChannelChoice,
    /// Why the extension states a version or not.
    pub version: VersionChoice,
    /// What is installed for the Subscription.
    pub installed: Option<InstalledBundle>,
    /// What OLM v0 does next.
    pub v0: NextV0,
    /// Whether the bundle that OLM v0 takes next requires others, which a catalog of the cluster may have that is not known: without
    /// them it takes an older one, or nothing.
    pub v0_is_open: bool,
    /// What OLM v1 does next if it knows the installed bundle, as after the migration tool.
    pub v1_adopted: NextV1,
    /// What OLM v1 does next with a new ClusterExtension that somebody applies by hand.
    pub v1_new: NextV1,
    /// The `version` with which a new ClusterExtension begins with the installed bundle; absent if the extension states a version
    /// anyway, or none leads to the installed bundle.
    pub first_version: Option<Box<str>>,
    /// What the catalog shows of the bundle that OLM v1 applies.
    pub chosen: Option<Arc<BundleReadiness>>,
    /// What the catalog shows of the installed bundle; absent if it does not have the bundle.
    pub current: Option<Arc<BundleReadiness>>,
    /// What the catalog shows of the bundles that updates in the channel may lead to, the head first.
    pub reachable: Vec<Arc<BundleReadiness>>,
    /// The CRDs of the update; absent if OLM v1 makes none.
    pub crds: Option<CrdCheck>,
    /// What else is in the way.
    pub obstacles: Vec<MigrationObstacle>,
    /// What it is to others of its package; absent if it is the only one.
    pub share: Option<PackageShare>,
    pub verdict: MigrationVerdict,
}

/// What a Subscription is to others of its package. OLM v1 installs a package once: a second ClusterExtension fails at the objects of
/// the first one (operator-controller `internal/operator-controller/action/error/errors.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackageShare {
    /// The ClusterExtension is made of it, and stands for these others, by namespace and name.
    Stands { others: Vec<SubscriptionKey> },
    /// The ClusterExtension of another one stands for it.
    Ends {
        /// The Subscription that the ClusterExtension is made of; absent if the cluster has the ClusterExtension.
        of: Option<SubscriptionKey>,
        extension: ExtensionName,
        /// The bundle that runs for all then, if it is known.
        bundle: Option<BundleName>,
    },
}

/// Why an extension names a channel or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelChoice {
    /// It names the channel of the Subscription.
    Named(ChannelName),
    /// The Subscription names none, and the extension names the default channel of the package; none if it is not known, and then
    /// OLM v1 follows all channels.
    Default(Option<ChannelName>),
    /// It names the channel of the Subscription, and the API does not accept the name, because it is no DNS subdomain.
    NotAccepted(ChannelName),
}

/// Why an extension states a version or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionChoice {
    /// None: the Subscription approves updates automatically, as OLM v1 does.
    Any,
    /// The installed version, because updates of the Subscription wait for approval. OLM v1 has no approval.
    Installed(Box<str>),
    /// The installed version, for the same reason, and the API does not accept it in this field.
    NotAccepted(Box<str>),
    /// The installed version is not known.
    NotKnown,
}

/// What becomes of each Subscription, sorted by namespace and name.
#[must_use]
pub fn migrations(inputs: &Inputs<'_, '_>) -> Vec<Migration> {
    let mut subscriptions: Vec<&Subscription> = inputs.cluster.subscriptions.iter().collect();
    subscriptions.sort_by_key(|subscription| key(subscription));
    let targets = cluster_catalogs(inputs.cluster, inputs.cluster_catalogs);
    let mut extensions: Vec<&ClusterExtension> = inputs.extensions.iter().collect();
    extensions.sort_by_key(|extension| &extension.name);
    let keys: BTreeSet<(Arc<str>, Arc<str>)> = subscriptions.iter().copied().map(key).collect();
    let mut planner = Planner {
        inputs,
        targets: targets.iter().map(|target| (&target.source, target)).collect(),
        names: unique_names(&keys),
        around: Surroundings {
            objects: inputs.objects,
            extensions,
            olm: inputs.olm,
            by_package: by_package(&inputs.cluster.subscriptions),
            namespaces: inputs.cluster.by_namespace(),
        },
        readiness: BTreeMap::new(),
        snapshots: None,
    };
    let mut found: Vec<Migration> =
        subscriptions.into_iter().map(|subscription| planner.migration(subscription)).collect();
    share_packages(&mut found, inputs.extensions);
    found
}

/// Makes one ClusterExtension of each package: of the Subscription with the highest installed version, so that nothing is lowered,
/// among those that OLM v1 takes. None if the cluster has one that has installed the package.
fn share_packages(found: &mut [Migration], extensions: &[ClusterExtension]) {
    let mut by_package: BTreeMap<PackageName, Vec<usize>> = BTreeMap::new();
    for (at, migration) in found.iter().enumerate() {
        by_package.entry(migration.extension.package.clone()).or_default().push(at);
    }
    for (package, all) in by_package {
        let key =
            |at: usize, found: &[Migration]| (Arc::clone(&found[at].namespace), Arc::clone(&found[at].subscription));
        let is_own =
            |name: &ExtensionName, found: &[Migration]| all.iter().any(|at| found[*at].extension.name == *name);
        let existing = extensions.iter().find(|one| one.package == package && one.installed.is_some());
        let existing = existing.filter(|one| !is_own(&one.name, found));
        let end = match existing {
            Some(one) => PackageShare::Ends {
                of: None,
                extension: one.name.clone(),
                bundle: one.installed.as_ref().map(|installed| installed.name.clone()),
            },
            None if all.len() == 1 => continue,
            None => {
                let rank = |at: &usize| {
                    let Migration { verdict, installed, extension, .. } = &found[*at];
                    let version =
                        installed.as_ref().and_then(|one| VersionRelease::of_installed(one, extension.olm).ok());
                    (verdict.succeeds(), version, Reverse(*at))
                };
                let Some(first) = all.iter().copied().max_by_key(rank) else { continue };
                let others = all.iter().copied().filter(|at| *at != first).map(|at| key(at, found)).collect();
                found[first].share = Some(PackageShare::Stands { others });
                PackageShare::Ends {
                    of: Some(key(first, found)),
                    extension: found[first].extension.name.clone(),
                    bundle: found[first].v1_adopted.bundle().cloned(),
                }
            }
        };
        for at in all.into_iter().filter(|at| found[*at].share.is_none()).collect::<Vec<_>>() {
            (found[at].share, found[at].verdict) = (Some(end.clone()), MigrationVerdict::Ends);
        }
    }
}

/// The namespace and the name of a Subscription.
pub type SubscriptionKey = (Arc<str>, Arc<str>);

fn key(subscription: &Subscription) -> SubscriptionKey {
    (Arc::clone(&subscription.namespace), Arc::clone(&subscription.spec.name))
}

/// Plans the migrations of a cluster. Many Subscriptions may have one package, so it looks at every bundle once.
struct Planner<'i, 'c> {
    inputs: &'i Inputs<'i, 'c>,
    targets: BTreeMap<&'i CatalogKey, &'i CatalogTarget>,
    /// The names of the ClusterExtensions, by namespace and name of the Subscription.
    names: BTreeMap<(Arc<str>, Arc<str>), String>,
    around: Surroundings<'i>,
    /// What the catalogs show of the bundles that were looked at.
    readiness: BTreeMap<(CatalogKey, PackageName, BundleName), Arc<BundleReadiness>>,
    /// The content of the catalogs as OLM v0 reads it, made when it is needed.
    snapshots: Option<Snapshots>,
}

impl Planner<'_, '_> {
    fn migration(&mut self, subscription: &Subscription) -> Migration {
        let (inputs, spec) = (self.inputs, &subscription.spec);
        let target = spec.catalog.as_ref().and_then(|key| self.targets.get(key).copied());
        let content = spec.catalog.as_ref().and_then(|key| inputs.contents.get(key));
        let package = content.and_then(|content| content.catalog.package(spec.package.as_str()));
        let here = &self.around.namespaces[&subscription.namespace];
        let csv = here.installed(subscription).name();
        let installed_version = inputs.objects.installed_version(&subscription.namespace, &spec.name);
        let installed = csv.and_then(|name| installed_bundle(package, name, installed_version.clone(), inputs.olm));
        let channel = channel_choice(subscription, package);
        let version = version_choice(subscription, installed_version);
        let name = ExtensionName::from(&*self.names[&key(subscription)]);
        let catalog_name = target.map(|target| target.name.as_str());
        let extension = cluster_extension(subscription, name, &channel, &version, catalog_name, inputs.olm);
        let state = self.catalog_object(target).zip(content);
        let next = |extension: &ClusterExtension| match &state {
            Some((object, content)) => {
                let state = CatalogState { object, content: Some(content.catalog) };
                NextV1::of(resolve(extension, &[state]), extension)
            }
            None => NextV1::Unknown,
        };
        let v1_new = next(&extension);
        let v1_adopted = match (&installed, csv) {
            (Some(installed), _) => next(&with_installed(&extension, installed)),
            (None, Some(name)) if v1_new != NextV1::Unknown => NextV1::UnknownVersion(name.clone()),
            (None, _) => v1_new.clone(),
        };
        let first_version = installed.as_ref().filter(|_| version == VersionChoice::Any).and_then(|installed| {
            let version = Some(&installed.version).filter(|version| is_accepted_version(version))?;
            let first = next(&ClusterExtension { version: version.clone(), ..extension.clone() });
            (first.bundle() == Some(&installed.name)).then(|| version.clone())
        });
        let mut obstacles = obstacles(&self.around, subscription, &extension.name);
        if let VersionChoice::NotAccepted(version) = &version {
            obstacles.push(MigrationObstacle::Version(version.clone()));
        }
        let installed_name = installed.as_ref().map(|installed| &installed.name);
        let followed = match content {
            Some(_) => Followed::of(package, subscription, installed_name),
            None => Followed { next: NextV0::Unknown, requires: false, reachable: Vec::new() },
        };
        let simulated = if followed.requires { self.simulated(subscription) } else { None };
        let chosen = v1_adopted.bundle().and_then(|bundle| self.readiness(subscription, bundle));
        let crds = content.zip(package).and_then(|(content, package)| {
            let installed = installed_name?;
            // Also a bundle that stays by its version alone is applied.
            let new = v1_adopted.bundle().filter(|new| *new != installed)?;
            let old = package.bundle(installed.as_str());
            Some(CrdCheck::of(content, old, package.bundle(new.as_str())?, &inputs.cluster.crds))
        });
        Migration {
            namespace: Arc::clone(&subscription.namespace),
            subscription: Arc::clone(&spec.name),
            source: spec.catalog.clone(),
            catalog: target.cloned(),
            verdict: verdict(&v1_adopted, chosen.as_deref(), crds.as_ref(), &obstacles),
            current: installed_name.and_then(|name| self.readiness(subscription, name)),
            reachable: (followed.reachable.iter())
                .filter_map(|bundle| self.readiness(subscription, &bundle.name.value))
                .collect(),
            object: object(&extension, inputs.objects, subscription),
            extension,
            channel,
            version,
            installed,
            v0_is_open: followed.requires && simulated.is_none(),
            v0: simulated.unwrap_or(followed.next),
            v1_adopted,
            v1_new,
            first_version,
            chosen,
            crds,
            obstacles,
            share: None,
        }
    }

    /// What OLM v0 does with a Subscription when it resolves the namespace. `None` if the content of a catalog is not known, or the
    /// solver gave up.
    fn simulated(&mut self, subscription: &Subscription) -> Option<NextV0> {
        let Inputs { cluster, contents, .. } = self.inputs;
        if cluster.catalog_sources.iter().any(|source| !contents.contains_key(&source.key)) {
            return None;
        }
        let snapshots = self.snapshots.get_or_insert_with(|| {
            simulate::snapshots(cluster, |key| contents.get(key).map(|content| content.catalog))
        });
        let here = &self.around.namespaces[&subscription.namespace];
        let (step, _) = step(here, &subscription.namespace, snapshots, &no_modes);
        if matches!(step.outcome, Outcome::GaveUp(_)) {
            return None;
        }
        if let Some(error) = step.error {
            return Some(NextV0::Fails(error.into()));
        }
        let update = step.updated_subscriptions.into_iter().find(|update| update.name == subscription.spec.name);
        Some(match update {
            Some(update) if here.installed(subscription).name().is_some() => NextV0::Updates(update.current_csv),
            Some(update) => NextV0::Installs(update.current_csv),
            None => NextV0::Stays,
        })
    }

    /// The ClusterCatalog as OLM v1 reads it: that of the cluster, or the one to create. One with another image does not count.
    fn catalog_object(&self, target: Option<&CatalogTarget>) -> Option<ClusterCatalog> {
        let CatalogTarget { name, origin, .. } = target?;
        let existing = self.inputs.cluster_catalogs.iter().find(|catalog| catalog.name == *name);
        let existing = existing.filter(|_| !matches!(origin, CatalogOrigin::OtherImage(_)));
        Some(existing.cloned().unwrap_or_else(|| ClusterCatalog::new(name.clone())))
    }

    /// What the catalog of a Subscription shows of a bundle of its package.
    fn readiness(&mut self, subscription: &Subscription, name: &BundleName) -> Option<Arc<BundleReadiness>> {
        let source = subscription.spec.catalog.as_ref()?;
        let key = (source.clone(), subscription.spec.package.clone(), name.clone());
        if let Some(known) = self.readiness.get(&key) {
            return Some(Arc::clone(known));
        }
        let content = self.inputs.contents.get(source)?;
        let package = content.catalog.package(subscription.spec.package.as_str())?;
        let readiness =
            Arc::new(BundleReadiness::of(content, package, package.bundle(name.as_str())?, self.inputs.olm));
        self.readiness.insert(key, Arc::clone(&readiness));
        Some(readiness)
    }
}

// The summary of a migration.

/// What becomes of a Subscription as a ClusterExtension. Only what catalogs and manifests show counts: a bundle whose CRDs they
/// do not have may still be refused.
pub(crate) fn verdict(
    v1: &NextV1,
    chosen: Option<&BundleReadiness>,
    crds: Option<&CrdCheck>,
    obstacles: &[MigrationObstacle],
) -> MigrationVerdict {
    let is_rejected = obstacles.iter().any(MigrationObstacle::is_rejection);
    let readiness = chosen.map(|chosen| chosen.readiness.verdict());
    let forbids_crds = crds.is_some_and(|crds| crds.refused().next().is_some());
    match (v1, readiness) {
        _ if is_rejected || forbids_crds => MigrationVerdict::Refused,
        (NextV1::Fails(ResolveError::Dependency { .. }), _) | (_, Some(ReadinessVerdict::Refused)) => {
            MigrationVerdict::Refused
        }
        (NextV1::Fails(_), _) => MigrationVerdict::Fails,
        (NextV1::Unknown | NextV1::UnknownVersion(_), _) | (_, None | Some(ReadinessVerdict::CannotBeKnown)) => {
            MigrationVerdict::CannotBeKnown
        }
        (NextV1::Installs(_) | NextV1::Moves(_), _) => MigrationVerdict::Moves,
        (NextV1::Stays(_), _) => MigrationVerdict::Stays,
    }
}

// What each version of OLM does next with the installed bundle.

/// What OLM v0 does next with a Subscription: by its channel alone, or by a simulation of the namespace if the bundle requires others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextV0 {
    /// It installs this bundle, because nothing is installed.
    Installs(BundleName),
    Updates(BundleName),
    Stays,
    /// The catalog does not have the package.
    NoPackage,
    /// The package does not have the channel, or the channel lists nothing.
    NoChannel,
    /// OLM cannot order the channel, for this reason.
    BrokenChannel(Box<str>),
    /// It resolves nothing in the namespace, with this error.
    Fails(Box<str>),
    /// The catalog is not known.
    Unknown,
}

impl NextV0 {
    /// The bundle that OLM v0 installs.
    #[must_use]
    pub const fn bundle(&self) -> Option<&BundleName> {
        match self {
            Self::Installs(bundle) | Self::Updates(bundle) => Some(bundle),
            Self::Stays
            | Self::NoPackage
            | Self::NoChannel
            | Self::BrokenChannel(_)
            | Self::Fails(_)
            | Self::Unknown => None,
        }
    }
}

/// What OLM v1 does next with the installed bundle, if it had installed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextV1 {
    /// It installs this bundle, because nothing is installed.
    Installs(BundleName),
    Moves(BundleName),
    /// It applies this bundle, which is the installed one or has its version.
    Stays(BundleName),
    /// The resolution fails, and what is installed stays.
    Fails(ResolveError),
    /// The catalog is not known.
    Unknown,
    /// The version of this bundle, which is installed, is known neither from the manifests nor from the catalog.
    UnknownVersion(BundleName),
}

impl NextV1 {
    pub(crate) fn of(resolution: Resolution, extension: &ClusterExtension) -> Self {
        let resolved = match resolution.outcome {
            Ok(resolved) => resolved,
            Err(error) => return Self::Fails(error),
        };
        let Some(installed) = &extension.installed else { return Self::Installs(resolved.bundle) };
        let version = VersionRelease::of_installed(installed, extension.olm);
        let has_same_version = version.is_ok_and(|version| version == resolved.version_release());
        if resolved.bundle == installed.name || has_same_version {
            Self::Stays(resolved.bundle)
        } else {
            Self::Moves(resolved.bundle)
        }
    }

    /// The bundle that OLM v1 applies.
    #[must_use]
    pub fn bundle(&self) -> Option<&BundleName> {
        match self {
            Self::Installs(bundle) | Self::Moves(bundle) | Self::Stays(bundle) => Some(bundle),
            Self::Fails(_) | Self::Unknown | Self::UnknownVersion(_) => None,
        }
    }
}

/// The channel of a Subscription in a package: what OLM v0 makes of it, and the bundles that it could reach.
struct Followed<'c> {
    pub(crate) next: NextV0,
    /// Whether the bundle of the next step requires others, so that OLM v0 may choose an older one, or nothing.
    pub(crate) requires: bool,
    /// The bundles that updates in the channel may lead to, without the installed one, the head first.
    pub(crate) reachable: Vec<&'c Bundle>,
}

impl<'c> Followed<'c> {
    pub(crate) fn of(
        package: Option<&'c Package>,
        subscription: &Subscription,
        installed: Option<&BundleName>,
    ) -> Self {
        let without = |next: NextV0| Self { next, requires: false, reachable: Vec::new() };
        let Some(package) = package else { return without(NextV0::NoPackage) };
        let default = package.default_channel.as_ref().map(|channel| &channel.value);
        let name: Option<&ChannelName> = subscription.spec.channel.as_ref().or(default);
        let channel =
            name.and_then(|name| package.channel(name.as_str())).filter(|channel| !channel.entries.is_empty());
        let Some(channel) = channel else { return without(NextV0::NoChannel) };
        match UpdateChain::of(package, channel) {
            Ok(chain) => {
                let followed = Self::in_chain(package, &chain, subscription, installed);
                let bundle = followed.next.bundle().and_then(|name| package.bundle(name.as_str()));
                let properties = bundle.map(|bundle| &bundle.properties[..]).unwrap_or_default();
                let requires = properties.iter().any(|property| Requirement::of(&property.value).is_some());
                Self { requires, ..followed }
            }
            Err(error) => without(NextV0::BrokenChannel(error.to_string().into())),
        }
    }

    fn in_chain(
        package: &'c Package,
        chain: &UpdateChain<'c>,
        subscription: &Subscription,
        installed: Option<&BundleName>,
    ) -> Self {
        let paths = Paths::of(package);
        let Some(installed) = installed else {
            let start = subscription.spec.starting_csv.as_ref().filter(|name| chain.position(name).is_some());
            let first = start.or_else(|| chain.entries.first().map(|entry| &entry.name.value));
            let next = first.map_or(NextV0::NoChannel, |name| NextV0::Installs(name.clone()));
            let bundles = chain.entries.iter().filter_map(|entry| package.bundle(entry.name.value.as_str()));
            return Self { next, requires: false, reachable: bundles.collect() };
        };
        let next = paths.next_update(chain, installed);
        let next = next.map_or(NextV0::Stays, |next| NextV0::Updates(next.to.name.value.clone()));
        let reachable = paths.reachable(chain, installed).into_iter();
        let reachable = reachable.filter_map(|entry| package.bundle(entry.name.value.as_str()));
        Self { next, requires: false, reachable: reachable.collect() }
    }
}

/// The installed bundle as OLM v1 would know it. The version is that of the ClusterServiceVersion, else, where the manifests lack it,
/// that of the bundle in the catalog.
fn installed_bundle(
    package: Option<&Package>,
    name: &BundleName,
    of_csv: Option<String>,
    olm: OlmV1,
) -> Option<InstalledBundle> {
    let of_bundle = || {
        let bundle = package?.bundle(name.as_str())?;
        Some(VersionRelease::of(bundle, olm).ok()?.recorded().into())
    };
    let version: Box<str> = of_csv.map(Into::into).or_else(of_bundle)?;
    Some(InstalledBundle { name: name.clone(), version, release: None })
}

fn with_installed(extension: &ClusterExtension, installed: &InstalledBundle) -> ClusterExtension {
    ClusterExtension { installed: Some(installed.clone()), ..extension.clone() }
}

/// Whether the API accepts a version in the field `version` of a ClusterExtension.
pub(crate) fn is_accepted_version(version: &str) -> bool {
    version.len() <= go_semver::masterminds::MAX_LENGTH && go_semver::masterminds::is_accepted_by_api(version)
}
