//! The migration of each Subscription of a cluster.

use crate::catalog_choice::{CatalogChoice, choices};
use crate::catalogs::CatalogOptions;
use crate::content::CatalogContent;
use crate::convert::{Conversion, ConvertOptions, MOST_OBJECTS, cluster_extension, conversion};
use crate::crds::CrdCheck;
use crate::dump::{Dump, V1};
use crate::eligibility::{Contents, Eligibility, eligibility, installed_version};
use crate::next::{Followed, NextV0, NextV1, installed_bundle, with_installed};
use crate::obstacle::{BySubscribedName, LONGEST_NAME, MigrationObstacle, by_name, obstacles};
use crate::readiness::BundleReadiness;
use crate::verdict::MigrationVerdict;
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName, Package};
use extension::{
    CatalogState, ClusterCatalog, ClusterExtension, InstalledBundle, NAME_LABEL, Selector, is_dns_subdomain, resolve,
};
use resolver::CatalogKey;
use serde_json::Value;
use simulate::{Approval, Cluster, Subscription};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A cluster with its catalogs.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'i, 'c> {
    /// The objects of OLM v0.
    pub cluster: &'i Cluster,
    pub cluster_catalogs: &'i [ClusterCatalog],
    pub extensions: &'i [ClusterExtension],
    /// The content of the catalogs that are known, by CatalogSource.
    pub contents: &'i BTreeMap<CatalogKey, CatalogContent<'c>>,
    /// The content of the ClusterCatalogs of the cluster that are known, by name.
    pub served: &'i BTreeMap<String, CatalogContent<'c>>,
    /// The objects as they are written, for the checks of the migration tool.
    pub dump: &'i Dump,
    /// The flags of `convert`.
    pub options: &'i ConvertOptions,
    /// The flags of `migrate-catalogs-v0-to-v1`.
    pub catalog_options: CatalogOptions,
}

/// What becomes of a Subscription under OLM v1.
#[derive(Clone, Debug, PartialEq)]
pub struct Migration {
    pub namespace: Arc<str>,
    pub subscription: Arc<str>,
    /// The CatalogSource that it names.
    pub source: Option<CatalogKey>,
    /// The ClusterCatalog that stands for it.
    pub catalog: Option<CatalogChoice>,
    /// Whether the migration tool takes the Subscription.
    pub eligibility: Eligibility,
    /// What `convert` does with it.
    pub conversion: Conversion,
    /// The ClusterExtension that the tool creates, without the random annotation `migration-invocation`.
    pub object: Value,
    /// The same as OLM v1 reads it, with nothing installed.
    pub extension: ClusterExtension,
    /// Why the extension names the channel or not.
    pub channel: ChannelChoice,
    /// Why the extension states a version or not.
    pub version: VersionChoice,
    pub installed: Option<InstalledBundle>,
    pub v0: NextV0,
    /// Whether the bundle that OLM v0 takes next requires others, so that it may take an older one, or nothing: only a simulation of
    /// the namespace tells.
    pub v0_requires: bool,
    /// What OLM v1 does next after the tool, which makes the installed bundle known to it.
    pub v1: NextV1,
    /// What a ClusterExtension does that is written by hand, which has nothing installed.
    pub anew: NextV1,
    /// The `version` with which a ClusterExtension that is written by hand begins with the installed bundle; absent if the extension states a version
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
    /// The summary.
    pub verdict: MigrationVerdict,
}

/// Why an extension names a channel or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelChoice {
    /// It names the channel of the Subscription.
    Named(ChannelName),
    /// The Subscription names none, and the tool names the default channel of the package; none if it is not known, and then OLM v1
    /// follows all channels.
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
    let catalogs = choices(inputs);
    let mut extensions: Vec<&ClusterExtension> = inputs.extensions.iter().collect();
    extensions.sort_by_key(|extension| &extension.name);
    let mut planner = Planner {
        inputs,
        extensions,
        by_name: by_name(&inputs.cluster.subscriptions),
        namespaces: inputs.cluster.by_namespace(),
        readiness: BTreeMap::new(),
    };
    let migration = |subscription: &Subscription| {
        let catalog = subscription.spec.catalog.as_ref().and_then(|key| catalogs.get(key));
        planner.migration(subscription, catalog)
    };
    subscriptions.into_iter().filter_map(migration).collect()
}

fn key(subscription: &Subscription) -> (Arc<str>, Arc<str>) {
    (Arc::clone(&subscription.namespace), Arc::clone(&subscription.spec.name))
}

/// Plans the migrations of a cluster. Many Subscriptions may have one package, so it looks at every bundle once.
struct Planner<'i, 'c> {
    inputs: &'i Inputs<'i, 'c>,
    /// The ClusterExtensions of the cluster, by name.
    extensions: Vec<&'i ClusterExtension>,
    by_name: BySubscribedName,
    /// The parts of the cluster, by namespace.
    namespaces: BTreeMap<Arc<str>, Cluster>,
    /// What the catalogs show of the bundles that were looked at.
    readiness: BTreeMap<(CatalogKey, PackageName, BundleName), Arc<BundleReadiness>>,
}

impl<'i, 'c> Planner<'i, 'c> {
    fn migration(
        &mut self,
        subscription: &Subscription,
        catalog: Option<&(CatalogChoice, ClusterCatalog)>,
    ) -> Option<Migration> {
        let spec = &subscription.spec;
        let Inputs { dump, contents, served, options, cluster_catalogs, .. } = *self.inputs;
        let id = (&*subscription.namespace, &*spec.name);
        let eligibility = eligibility(dump, &Contents { sources: contents, served }, id, options.acknowledged)?;
        let conversion = conversion(dump, id, &eligibility, options)?;
        let selected = eligibility.catalog.as_deref();
        // The tool chooses by content and priority, so it may be another ClusterCatalog than that of the CatalogSource.
        let other = cluster_catalogs.iter().find(|object| Some(object.name.as_str()) == selected);
        let own = spec.catalog.as_ref().and_then(|key| contents.get(key));
        let content = selected.filter(|_| other.is_some()).and_then(|name| served.get(name)).or(own);
        let package = content.and_then(|content| content.catalog.package(spec.package.as_str()));
        let here = &self.namespaces[&subscription.namespace];
        let csv = spec.installed_csv.as_ref();
        let installed = csv.and_then(|name| installed_bundle(package, name, installed_version(dump, id)));
        let channel = channel_choice(subscription, package);
        let version = version_choice(subscription, installed_version(dump, id));
        let selects = selected.or(catalog.map(|(choice, _)| choice.name.as_str()));
        let extension = extension(subscription, &channel, &version, selects);
        let object = other.or(catalog.map(|(_, object)| object));
        let state =
            object.zip(content).map(|(object, content)| CatalogState { object, content: Some(content.catalog) });
        let next = |extension: &ClusterExtension| next(extension, state.as_ref());
        let anew = next(&extension);
        let v1 = match (&installed, csv) {
            (Some(installed), _) => next(&with_installed(&extension, installed)),
            (None, Some(name)) if anew != NextV1::Unknown => NextV1::UnknownVersion(name.clone()),
            (None, _) => anew.clone(),
        };
        let first_version = installed.as_ref().filter(|_| version == VersionChoice::Any).and_then(|installed| {
            let version = Some(&installed.version).filter(|version| is_accepted(version))?;
            let first = next(&ClusterExtension { version: version.clone(), ..extension.clone() });
            (first.bundle() == Some(&installed.name)).then(|| version.clone())
        });
        let default = match &channel {
            ChannelChoice::Default(default) => default.as_ref().map(ChannelName::as_str),
            ChannelChoice::Named(_) | ChannelChoice::NotAccepted(_) => None,
        };
        let written = cluster_extension(dump, id, selects, default, options)?;
        let mut obstacles = obstacles(dump, &self.extensions, here, &self.by_name, subscription);
        if let (Some(selected), Some((choice, _))) = (selected, catalog)
            && choice.name.as_str() != selected
        {
            obstacles.push(MigrationObstacle::OtherCatalog(selected.into()));
        }
        if let VersionChoice::NotAccepted(version) = &version {
            obstacles.push(MigrationObstacle::Version(version.clone()));
        }
        let set =
            conversion.object_set.as_ref().filter(|set| dump.find(V1, "ClusterObjectSet", "", &set.name).is_some());
        obstacles.extend(set.map(|set| MigrationObstacle::SetTaken(set.name.as_str().into())));
        let phases = conversion.object_set.iter().flat_map(|set| &set.phases);
        for phase in phases.filter(|phase| phase.objects.len() > MOST_OBJECTS) {
            obstacles.push(MigrationObstacle::FullPhase { phase: phase.name, objects: phase.objects.len() });
        }
        let installed_name = installed.as_ref().map(|installed| &installed.name);
        let followed = match content {
            Some(_) => Followed::of(package, subscription, installed_name),
            None => Followed { next: NextV0::Unknown, requires: false, reachable: Vec::new() },
        };
        let chosen = v1.bundle().and_then(|bundle| self.readiness(subscription, bundle));
        let crds = content.zip(package).and_then(|(content, package)| {
            let installed = installed_name?;
            // Also a bundle that stays by its version alone is applied.
            let new = v1.bundle().filter(|new| *new != installed)?;
            let old = package.bundle(installed.as_str());
            Some(CrdCheck::of(content, old, package.bundle(new.as_str())?, &self.inputs.cluster.crds))
        });
        Some(Migration {
            namespace: Arc::clone(&subscription.namespace),
            subscription: Arc::clone(&spec.name),
            source: spec.catalog.clone(),
            catalog: catalog.map(|(choice, _)| choice.clone()),
            verdict: MigrationVerdict::of(&v1, chosen.as_deref(), crds.as_ref(), &obstacles),
            current: installed_name.and_then(|name| self.readiness(subscription, name)),
            reachable: (followed.reachable.iter())
                .filter_map(|bundle| self.readiness(subscription, &bundle.name.value))
                .collect(),
            eligibility,
            conversion,
            object: written,
            extension,
            channel,
            version,
            installed,
            v0: followed.next,
            v0_requires: followed.requires,
            v1,
            anew,
            first_version,
            chosen,
            crds,
            obstacles,
        })
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
        let readiness = Arc::new(BundleReadiness::of(content, package, package.bundle(name.as_str())?));
        self.readiness.insert(key, Arc::clone(&readiness));
        Some(readiness)
    }
}

/// The ClusterExtension that a Subscription becomes, with nothing installed.
fn extension(
    subscription: &Subscription,
    channel: &ChannelChoice,
    version: &VersionChoice,
    selects: Option<&str>,
) -> ClusterExtension {
    let mut extension = ClusterExtension::new((&*subscription.spec.name).into(), subscription.spec.package.clone());
    extension.namespace = (*subscription.namespace).into();
    if let ChannelChoice::Named(channel) | ChannelChoice::Default(Some(channel)) | ChannelChoice::NotAccepted(channel) =
        channel
    {
        extension.channels = vec![channel.clone()];
    }
    if let VersionChoice::Installed(version) | VersionChoice::NotAccepted(version) = version {
        extension.version = version.clone();
    }
    if let Some(name) = selects {
        let label = (NAME_LABEL.into(), name.into());
        extension.selector = Selector { match_labels: BTreeMap::from([label]), ..Selector::default() };
    }
    extension
}

/// What OLM v1 does next with the extension, if the content of its catalog is known.
fn next(extension: &ClusterExtension, state: Option<&CatalogState<'_>>) -> NextV1 {
    match state {
        Some(state) => NextV1::of(resolve(extension, std::slice::from_ref(state)), extension.installed.as_ref()),
        None => NextV1::Unknown,
    }
}

fn channel_choice(subscription: &Subscription, package: Option<&Package>) -> ChannelChoice {
    let Some(channel) = &subscription.spec.channel else {
        let default = package.and_then(|package| package.default_channel.as_ref());
        return ChannelChoice::Default(default.map(|name| name.value.clone()));
    };
    let name = channel.as_str();
    if is_dns_subdomain(name) && name.len() <= LONGEST_NAME {
        ChannelChoice::Named(channel.clone())
    } else {
        ChannelChoice::NotAccepted(channel.clone())
    }
}

fn version_choice(subscription: &Subscription, installed: Option<String>) -> VersionChoice {
    if subscription.approval == Approval::Automatic {
        return VersionChoice::Any;
    }
    match installed {
        Some(version) if is_accepted(&version) => VersionChoice::Installed(version.into()),
        Some(version) => VersionChoice::NotAccepted(version.into()),
        None => VersionChoice::NotKnown,
    }
}

/// Whether the API accepts a version in the field `version`.
fn is_accepted(version: &str) -> bool {
    version.len() <= go_semver::masterminds::MAX_LENGTH && go_semver::masterminds::is_accepted_by_api(version)
}
