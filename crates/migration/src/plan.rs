//! The migration of each Subscription of a cluster.

use crate::cluster_catalog::{CatalogOrigin, CatalogTarget, cluster_catalogs};
use crate::cluster_extension::{channel_choice, cluster_extension, object, version_choice};
use crate::content::CatalogContent;
use crate::crds::CrdCheck;
use crate::names::unique_names;
use crate::next::{Followed, NextV0, NextV1, installed_bundle, is_accepted_version, with_installed};
use crate::objects::Objects;
use crate::obstacle::{MigrationObstacle, Surroundings, by_package, obstacles};
use crate::readiness::BundleReadiness;
use crate::verdict::verdict;
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use cluster::{CatalogKey, Cluster, ClusterCatalog, ClusterExtension, ExtensionName, InstalledBundle, Subscription};
use extension::{CatalogState, resolve};
use resolver::Outcome;
use serde_json::Value;
use simulate::{Snapshots, no_modes, step};
use source::OlmV1;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
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
    pub verdict: MigrationVerdict,
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
    subscriptions.into_iter().map(|subscription| planner.migration(subscription)).collect()
}

fn key(subscription: &Subscription) -> (Arc<str>, Arc<str>) {
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
        let csv = inputs.cluster.installed(subscription).name();
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
            simulate::snapshots(&cluster, |key| contents.get(key).map(|content| content.catalog))
        });
        let (step, _) = step(cluster, &subscription.namespace, snapshots, &no_modes);
        if matches!(step.outcome, Outcome::GaveUp(_)) {
            return None;
        }
        if let Some(error) = step.error {
            return Some(NextV0::Fails(error.into()));
        }
        let update = step.updated_subscriptions.into_iter().find(|update| update.name == subscription.spec.name);
        Some(match update {
            Some(update) if cluster.installed(subscription).name().is_some() => NextV0::Updates(update.current_csv),
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
