//! Which loaded catalog is which CatalogSource and ClusterCatalog of the cluster, and how to get those that are missing.

use crate::catalog_input::DEFAULT_NAMESPACE;
use crate::{CatalogInput, Workbench};
use catalog::image_identity;
use catalog::predicate::PackageName;
use cluster::{
    Availability, CatalogKey, CatalogSource, Cluster, ClusterCatalog, ClusterExtension, Manifests, Subscription,
    catalog_commands,
};
use openshift::sets::CatalogSet;
use source::{ShellCommand, is_image_name, object_name};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use views::{BoundSource, CatalogId, OpenShift};

/// The CatalogSources and ClusterCatalogs of a cluster with their catalogs.
pub struct Pairing {
    /// The CatalogSources, also those without a catalog.
    pub rows: Vec<BoundSource>,
    /// The catalog of each ClusterCatalog that has one, by name.
    pub cluster_catalogs: BTreeMap<String, CatalogId>,
    /// What was assumed about CatalogSources, a sentence each.
    pub assumptions: Vec<String>,
    /// The loaded catalogs that are neither a CatalogSource nor a ClusterCatalog.
    pub unused: Vec<CatalogId>,
}

/// What a catalog is in the cluster that is exchanged for another state of it.
pub struct Exchanged {
    /// Whether it is a CatalogSource.
    pub is_source: bool,
    /// The name of the ClusterCatalog, if it is one.
    pub cluster_catalog: Option<String>,
    /// The name of another catalog that is neither a CatalogSource nor a ClusterCatalog.
    pub unused: Option<String>,
}

/// A catalog that the cluster needs and that is not loaded.
pub struct MissingCatalog {
    /// The name of its CatalogSource or ClusterCatalog.
    pub name: String,
    /// The first that needs it, in words; names are in backticks.
    pub needed_by: String,
    /// The commands that get it: as a folder, and as an archive.
    pub commands: [String; 2],
    /// The image that has it, where the manifests say so.
    pub image: Option<String>,
    /// The address in the cluster at which catalogd serves it, also for a ClusterCatalog with the image of the CatalogSource.
    pub url: Option<String>,
}

/// A catalog that is exchanged for another state of it.
#[derive(Clone, Copy)]
pub struct Exchange<'w> {
    pub before: &'w CatalogInput,
    pub after: CatalogId,
}

impl Exchange<'_> {
    /// The catalog that stands for a CatalogSource, if it is one of the two states.
    pub fn key(self, sources: &BTreeMap<CatalogKey, CatalogId>) -> Option<&CatalogKey> {
        let of = |id: CatalogId| sources.iter().find(|(_, catalog)| **catalog == id).map(|(key, _)| key);
        of(self.after).or_else(|| of(self.before.id))
    }

    /// The name of its ClusterCatalog: of those without another catalog the one that most ClusterExtensions of packages of the
    /// state before select.
    fn cluster_catalog(self, manifests: &Manifests, pairs: &BTreeMap<String, CatalogId>) -> Option<String> {
        let is_free = |object: &&ClusterCatalog| pairs.get(object.name.as_str()).is_none_or(|id| *id == self.after);
        let catalog = &self.before.analysis.catalog;
        let of_package = manifests.cluster_extensions.iter();
        let of_package = of_package.filter(|extension| catalog.package(extension.package.as_str()).is_some());
        let selected =
            |object: &ClusterCatalog| of_package.clone().filter(|one| one.selector.matches(object) == Ok(true)).count();
        let free = manifests.cluster_catalogs.iter().filter(is_free);
        free.min_by_key(|object| (Reverse(selected(object)), &object.name)).map(|object| object.name.to_string())
    }
}

impl Pairing {
    /// The catalog of each CatalogSource that has one.
    pub fn sources(&self) -> BTreeMap<CatalogKey, CatalogId> {
        let found = self.rows.iter().filter_map(|row| Some((CatalogKey::new(&row.name, &row.namespace), row.catalog?)));
        found.collect()
    }
}

impl Workbench {
    /// Which catalogs are the CatalogSources and ClusterCatalogs of the cluster.
    pub(crate) fn pairing(&self) -> Pairing {
        let manifests = self.cluster_manifests().1;
        pair_catalog_sources(self, manifests, &mut manifests.cluster.clone(), None)
    }

    /// The name of a catalog that is neither a CatalogSource nor a ClusterCatalog of the cluster.
    #[must_use]
    pub fn unused_catalog(&self) -> Option<String> {
        self.first_name(&self.pairing().unused)
    }

    fn first_name(&self, catalogs: &[CatalogId]) -> Option<String> {
        Some(self.catalog(*catalogs.first()?)?.name.clone())
    }

    /// The catalogs of Subscriptions that are not loaded; with `NAME` or `NAMESPACE/NAME` of a Subscription those of its namespace
    /// alone. Without them every answer would be a guess.
    ///
    /// A CatalogSource that only Subscriptions know, beside others, is an answer: OLM does not find it either.
    #[must_use]
    pub fn missing_catalogs(&self, subscription: Option<&str>) -> Vec<MissingCatalog> {
        let manifests = self.cluster_manifests().1;
        let mut cluster = manifests.cluster.clone();
        cluster.assume_sources();
        let is_meant = |row: &&Subscription| subscription.is_none_or(|text| is_named(row, text));
        let namespaces: BTreeSet<&str> =
            cluster.subscriptions.iter().filter(is_meant).map(|row| &*row.namespace).collect();
        let loaded = self.pairing().sources();
        let missing = cluster.catalog_sources.iter().filter(|source| !loaded.contains_key(&source.key));
        let sources: BTreeMap<&CatalogKey, &CatalogSource> = missing.map(|source| (&source.key, source)).collect();
        let rows = cluster.subscriptions.iter().filter(|row| namespaces.contains(&*row.namespace));
        let found = rows.filter_map(|row| {
            let source = sources.get(row.spec.catalog.as_ref()?)?;
            let image = source.image.as_deref();
            let is_same = |object: &&ClusterCatalog| {
                object.is_served == Some(true)
                    && image.is_some()
                    && object.image.as_deref().map(image_identity) == image.map(image_identity)
            };
            let served = manifests.cluster_catalogs.iter().find(is_same);
            Some(MissingCatalog {
                name: source.key.name.to_string(),
                needed_by: format!("Subscription `{}` in `{}`", row.spec.name, row.namespace),
                commands: catalog_commands(image),
                image: image.map(str::to_owned),
                url: served.and_then(|object| object.url.as_deref()).map(str::to_owned),
            })
        });
        found.collect()
    }

    /// The same where a catalog is exchanged for another state of it; `None` if the state before is not loaded.
    #[must_use]
    pub fn exchange_of(&self, before: CatalogId, after: CatalogId) -> Option<Exchanged> {
        let manifests = self.cluster_manifests().1;
        let exchange = Exchange { before: self.catalog(before)?, after };
        let mut pairing = pair_catalog_sources(self, manifests, &mut manifests.cluster.clone(), Some(exchange));
        let has_v0 = !manifests.cluster.catalog_sources.is_empty() || !manifests.cluster.subscriptions.is_empty();
        pairing.unused.retain(|id| *id != after);
        Some(Exchanged {
            is_source: has_v0 && exchange.key(&pairing.sources()).is_some(),
            cluster_catalog: exchange.cluster_catalog(manifests, &pairing.cluster_catalogs),
            unused: self.first_name(&pairing.unused),
        })
    }
}

/// Whether `NAME` or `NAMESPACE/NAME` names a Subscription.
pub fn is_named(row: &Subscription, text: &str) -> bool {
    let (namespace, name) = text.split_once('/').map_or((None, text), |(namespace, name)| (Some(namespace), name));
    *row.spec.name == *name && namespace.is_none_or(|namespace| *row.namespace == *namespace)
}

/// Pairs each CatalogSource with the loaded catalog of its name and namespace, else of its name alone. A single
/// CatalogSource gets a single catalog whatever its name, and a catalog that is named after the cluster's version of OpenShift
/// stands for the CatalogSource whose packages it has. Manifests without CatalogSources get those that their
/// Subscriptions name and one for each further catalog. The catalog that a comparison exchanges stands for the one whose
/// Subscriptions name most of its packages.
pub fn pair_catalog_sources(
    workbench: &Workbench,
    manifests: &Manifests,
    cluster: &mut Cluster,
    exchange: Option<Exchange<'_>>,
) -> Pairing {
    let are_given = !cluster.assume_sources();
    if !are_given {
        for source in &mut cluster.catalog_sources {
            source.priority = named(workbench, &source.key).map_or(0, |catalog| catalog.priority);
        }
    }
    let mut rows: Vec<BoundSource> = cluster.catalog_sources.iter().map(|source| row(workbench, source)).collect();
    let is_cluster_catalog = |name: &str| manifests.cluster_catalogs.iter().any(|object| object.name.as_str() == name);
    let single = exchange.is_none().then(|| pair_single(workbench, &mut rows, is_cluster_catalog)).flatten();
    let expected = expected_packages(cluster);
    let of_openshift = pair_openshift(workbench, cluster, &expected, &mut rows);
    let is_paired = of_openshift.is_some();
    let mut assumptions: Vec<String> = single.into_iter().chain(of_openshift).collect();
    if let Some(exchange) = exchange {
        pair_exchanged(exchange, &expected, &mut rows);
    }
    let (cluster_catalogs, _) = pair_cluster_catalogs(workbench, manifests);
    let mut unused: Vec<CatalogId> = workbench.catalogs().iter().map(|catalog| catalog.id).collect();
    unused.retain(|id| rows.iter().all(|row| row.catalog != Some(*id)));
    for source in rows.iter_mut().filter(|source| source.catalog.is_none()) {
        source.candidates = candidates(workbench, &expected, source, &unused);
    }
    if !are_given {
        let is_used =
            |source: &CatalogSource| cluster.catalog_sources.iter().any(|other| other.key.name == source.key.name);
        let mut own = catalog_sources(workbench);
        let is_paired = is_paired || unused.is_empty();
        own.retain(|source| !is_paired && !is_used(source));
        let has_names = !cluster.catalog_sources.is_empty();
        rows.extend(own.iter().map(|source| row(workbench, source)));
        cluster.catalog_sources.extend(own);
        let has_catalog = |namespace: &str| workbench.catalogs().iter().any(|catalog| catalog.namespace == namespace);
        if !has_names && has_catalog(OPENSHIFT) && !has_catalog(DEFAULT_NAMESPACE) {
            cluster.global_namespace = OPENSHIFT.into();
        }
        // Catalogs of OLM v1 alone belong to its ClusterCatalogs.
        if !manifests.has_cluster_catalogs() || !cluster.subscriptions.is_empty() {
            unused.clear();
        }
        assumptions.extend(catalog_notices(workbench, cluster, &rows));
    }
    unused.retain(|id| cluster_catalogs.values().all(|other| other != id));
    assumptions.extend(unknown_packages(workbench, cluster));
    Pairing { rows, cluster_catalogs, assumptions, unused }
}

/// The global namespace on OpenShift.
const OPENSHIFT: &str = "openshift-marketplace";

/// The minor version of OpenShift that the cluster has, if the manifests say it.
pub fn openshift_version(cluster: &Cluster) -> Option<OpenShift> {
    let version = cluster.openshift.as_ref()?;
    format!("{}.{}", version.major(), version.minor()).parse().ok()
}

/// A CatalogSource for each catalog, except those whose name and namespace an earlier one has.
fn catalog_sources(workbench: &Workbench) -> Vec<CatalogSource> {
    let mut sources: Vec<CatalogSource> = Vec::new();
    for catalog in workbench.catalogs() {
        let key = CatalogKey::new(&catalog.name, &catalog.namespace);
        if sources.iter().all(|source| source.key != key) {
            sources.push(CatalogSource::new(key, catalog.priority));
        }
    }
    sources
}

/// Notices about catalogs of the same name, and about catalogs that no namespace with Subscriptions can use.
fn catalog_notices(workbench: &Workbench, cluster: &Cluster, rows: &[BoundSource]) -> Vec<String> {
    let mut notices = Vec::new();
    let mut keys = BTreeSet::new();
    let homes = cluster.namespaces();
    let is_visible = |row: &BoundSource| {
        *row.namespace == *cluster.global_namespace || homes.iter().any(|home| **home == *row.namespace)
    };
    for CatalogInput { id, name, namespace, .. } in workbench.catalogs() {
        if !keys.insert((name, namespace)) {
            notices.push(format!("two catalogs are named `{name}` in namespace `{namespace}`; only the first is used"));
            continue;
        }
        if !homes.is_empty() && !rows.iter().any(|row| row.catalog == Some(*id) && is_visible(row)) {
            notices.push(format!(
                "catalog `{name}` is in namespace `{namespace}`, so no Subscription can use it; catalogs in `{}` can be used in every namespace",
                cluster.global_namespace
            ));
        }
    }
    notices
}

/// Says which packages that Subscriptions name no loaded catalog has.
fn unknown_packages(workbench: &Workbench, cluster: &Cluster) -> impl Iterator<Item = String> {
    let named: BTreeSet<&PackageName> = cluster.subscriptions.iter().map(|row| &row.spec.package).collect();
    let is_known = |name: &&PackageName| {
        workbench.catalogs().iter().any(|catalog| catalog.analysis.catalog.package(name.as_str()).is_some())
    };
    named
        .into_iter()
        .filter(move |name| !is_known(name))
        .map(|name| format!("no loaded catalog has a package `{name}`"))
}

/// Pairs the only CatalogSource with the only catalog, and says so.
fn pair_single(
    workbench: &Workbench,
    rows: &mut [BoundSource],
    is_cluster_catalog: impl Fn(&str) -> bool,
) -> Option<String> {
    let ([source], [catalog]) = (rows, workbench.catalogs()) else { return None };
    if source.catalog.is_some() || is_cluster_catalog(&catalog.name) {
        return None;
    }
    source.catalog = Some(catalog.id);
    let BoundSource { name, namespace, .. } = source;
    Some(format!(
        "catalog `{}` is taken as CatalogSource `{name}` in `{namespace}`, because there is no other",
        catalog.name
    ))
}

/// Pairs the catalog that is exchanged with the CatalogSource of whose Subscriptions it has most packages; a single one that has no
/// other gets it anyway. The state before tells the packages: the other one may have lost some.
fn pair_exchanged(
    exchange: Exchange<'_>,
    expected: &BTreeMap<CatalogKey, BTreeSet<PackageName>>,
    rows: &mut [BoundSource],
) {
    let is_there = |row: &BoundSource| [exchange.after, exchange.before.id].iter().any(|id| row.catalog == Some(*id));
    if rows.iter().any(is_there) {
        return;
    }
    let free = rows.iter_mut().filter(|row| row.catalog.is_none()).rev();
    let mut counted: Vec<_> = free.map(|row| (count(expected, row, exchange.before), row)).collect();
    let is_single = counted.len() == 1;
    counted.retain(|(count, _)| is_single || *count > 0);
    if let Some((_, row)) = counted.into_iter().max_by_key(|(count, _)| *count) {
        row.catalog = Some(exchange.after);
    }
}

/// Pairs the catalog that is named after the cluster's version of OpenShift, as a member of a set is, to the CatalogSource of
/// whose Subscriptions it has most packages, and says so.
fn pair_openshift(
    workbench: &Workbench,
    cluster: &Cluster,
    expected: &BTreeMap<CatalogKey, BTreeSet<PackageName>>,
    rows: &mut [BoundSource],
) -> Option<String> {
    let openshift = openshift_version(cluster)?;
    let is_for = |catalog: &CatalogInput| catalog.openshift() == Some(openshift);
    let catalog = workbench.catalogs().iter().find(|catalog| is_for(catalog))?;
    if rows.iter().any(|row| row.catalog == Some(catalog.id)) {
        return None;
    }
    let counted = rows.iter_mut().filter(|row| row.catalog.is_none()).rev();
    let counted = counted.map(|row| (count(expected, row, catalog), row));
    let (_, source) = counted.filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count)?;
    source.catalog = Some(catalog.id);
    let BoundSource { name, namespace, .. } = source;
    Some(format!(
        "catalog `{}` is taken as CatalogSource `{name}` in `{namespace}`, because the cluster has OpenShift {openshift}",
        catalog.name
    ))
}

/// How many of the packages that Subscriptions expect of a CatalogSource a catalog has.
fn count(
    expected: &BTreeMap<CatalogKey, BTreeSet<PackageName>>,
    source: &BoundSource,
    catalog: &CatalogInput,
) -> usize {
    let packages = expected.get(&CatalogKey::new(&source.name, &source.namespace));
    let is_there = |name: &&PackageName| catalog.analysis.catalog.package(name.as_str()).is_some();
    packages.into_iter().flatten().filter(is_there).count()
}

fn named<'w>(workbench: &'w Workbench, key: &CatalogKey) -> Option<&'w CatalogInput> {
    let of_name = || workbench.catalogs().iter().filter(|catalog| catalog.name == *key.name);
    of_name().find(|catalog| catalog.namespace == *key.namespace).or_else(|| of_name().next())
}

fn row(workbench: &Workbench, source: &CatalogSource) -> BoundSource {
    BoundSource {
        name: source.key.name.to_string(),
        namespace: source.key.namespace.to_string(),
        priority: source.priority,
        catalog: named(workbench, &source.key).map(|catalog| catalog.id),
        candidates: Vec::new(),
        command: command(source),
    }
}

/// The packages that Subscriptions expect of each CatalogSource.
fn expected_packages(cluster: &Cluster) -> BTreeMap<CatalogKey, BTreeSet<PackageName>> {
    let mut expected: BTreeMap<CatalogKey, BTreeSet<PackageName>> = BTreeMap::new();
    for Subscription { spec, .. } in &cluster.subscriptions {
        if let Some(key) = &spec.catalog {
            expected.entry(key.clone()).or_default().insert(spec.package.clone());
        }
    }
    expected
}

/// The unused catalogs, those with most of the packages that Subscriptions expect of the CatalogSource first.
fn candidates(
    workbench: &Workbench,
    expected: &BTreeMap<CatalogKey, BTreeSet<PackageName>>,
    source: &BoundSource,
    unused: &[CatalogId],
) -> Vec<CatalogId> {
    let mut found = unused.to_vec();
    found.sort_by_cached_key(|id| Reverse(workbench.catalog(*id).map(|catalog| count(expected, source, catalog))));
    found
}

/// Says that a CatalogSource has no catalog.
pub fn without_catalog(name: &str, namespace: &str) -> String {
    format!("CatalogSource `{name}` in `{namespace}` has no loaded catalog, so the simulation leaves it out")
}

/// The set that each CatalogSource follows: the one of its name, else of the sets without a name the one that has most of the
/// packages of its Subscriptions. Manifests without CatalogSources have those that their Subscriptions name. A single
/// CatalogSource gets a single set, whatever its packages.
pub fn sets_of_sources<'s>(
    cluster: &Cluster,
    sets: &[(Option<&str>, &'s CatalogSet)],
) -> BTreeMap<CatalogKey, &'s CatalogSet> {
    let mut cluster = cluster.clone();
    cluster.assume_sources();
    let wanted = |key: &CatalogKey| {
        let here = cluster.subscriptions.iter().filter(|one| one.spec.catalog.as_ref().is_none_or(|of| of == key));
        here.map(|one| &one.spec.package).collect::<BTreeSet<_>>()
    };
    let is_single = cluster.catalog_sources.len() == 1 && sets.len() == 1;
    let set_of = |key: &CatalogKey| {
        if let Some((_, set)) = sets.iter().find(|(name, _)| name.is_some_and(|name| *name == *key.name)) {
            return Some(*set);
        }
        let wanted = wanted(key);
        let count = |set: &CatalogSet| set.packages().iter().filter(|package| wanted.contains(*package)).count();
        let unnamed = sets.iter().filter(|(name, _)| name.is_none()).rev().map(|(_, set)| (count(set), *set));
        let (_, set) = unnamed.max_by_key(|(count, _)| *count).filter(|(count, _)| is_single || *count > 0)?;
        Some(set)
    };
    let found = cluster.catalog_sources.iter().filter_map(|source| Some((source.key.clone(), set_of(&source.key)?)));
    found.collect()
}

/// The command that saves the catalog of a CatalogSource as a file of its name, so that it is found by the name.
fn command(source: &CatalogSource) -> Result<String, String> {
    let CatalogKey { name, namespace } = &source.key;
    let (name, namespace) = (object_name(name)?, object_name(namespace)?);
    save_command(name, source.image.as_deref(), &image_command(name, namespace))
}

/// The command that saves an image as a file of this name; `image_command` prints the image if it is not known.
fn save_command(name: &str, image: Option<&str>, image_command: &ShellCommand) -> Result<String, String> {
    let name = object_name(name)?;
    let render = ShellCommand::new("opm render");
    let render = match image.filter(|image| is_image_name(image)) {
        Some(image) => render.word(image),
        None => render.output_of(image_command),
    };
    Ok(render.with("-o yaml >").word(&format!("{name}.yaml")).to_string())
}

/// The command that prints the image of a CatalogSource.
pub fn image_command(name: &str, namespace: &str) -> ShellCommand {
    let command = ShellCommand::new("kubectl get catalogsource").word(name).with("-n").word(namespace);
    command.with("-o jsonpath='{.spec.image}'")
}

// Which loaded catalog is which ClusterCatalog of OLM v1.

impl Workbench {
    /// What is assumed about OLM v1 and the ClusterCatalogs of the cluster, a sentence each.
    #[must_use]
    pub fn assumed_of_v1(&self) -> Vec<String> {
        let manifests = self.cluster_manifests().1;
        assumed_of_v1(manifests, pair_cluster_catalogs(self, manifests).1)
    }

    /// The catalogs of ClusterCatalogs that are served and not loaded: an extension sees all that its selector does not exclude.
    #[must_use]
    pub fn missing_cluster_catalogs(&self) -> Vec<MissingCatalog> {
        let manifests = self.cluster_manifests().1;
        let loaded = self.pairing().cluster_catalogs;
        let is_served =
            |row: &&ClusterCatalog| row.availability == Availability::Available && row.is_served == Some(true);
        let served = manifests.cluster_catalogs.iter().filter(is_served);
        let missing = served.filter(|row| !loaded.contains_key(row.name.as_str()));
        let of_first = manifests.cluster_extensions.first().map(|extension| {
            missing.map(|row| MissingCatalog {
                name: row.name.to_string(),
                needed_by: format!("ClusterExtension `{}`", extension.name),
                commands: catalog_commands(None),
                image: row.resolved_image.as_deref().or(row.image.as_deref()).map(str::to_owned),
                url: row.url.as_deref().map(str::to_owned),
            })
        });
        of_first.into_iter().flatten().collect()
    }
}

/// What is assumed where manifests have ClusterExtensions, also about the ClusterCatalogs.
pub fn assumed_of_v1(manifests: &Manifests, of_catalogs: Option<String>) -> Vec<String> {
    let olm = manifests.assumed_olm_v1.clone().filter(|_| manifests.has_extensions());
    olm.into_iter().chain(of_catalogs).collect()
}

/// The ClusterCatalogs that count for extensions and have no catalog, each with the loaded catalogs that may be it.
pub fn unbound(workbench: &Workbench, manifests: &Manifests, pairing: &Pairing) -> Vec<BoundSource> {
    let is_used = |id: CatalogId| {
        let given = manifests.cluster.catalog_sources.iter();
        let mut rows = given.filter_map(|source| {
            pairing.rows.iter().find(|row| *row.name == *source.key.name && *row.namespace == *source.key.namespace)
        });
        pairing.cluster_catalogs.values().any(|other| *other == id) || rows.any(|row| row.catalog == Some(id))
    };
    let row = |object: &ClusterCatalog| {
        let selected = manifests.cluster_extensions.iter();
        let selected: Vec<&ClusterExtension> =
            selected.filter(|extension| extension.selector.matches(object) == Ok(true)).collect();
        let count = |catalog: &CatalogInput| {
            let packages = &catalog.analysis.catalog;
            selected.iter().filter(|extension| packages.package(extension.package.as_str()).is_some()).count()
        };
        let mut free: Vec<&CatalogInput> = workbench.catalogs().iter().filter(|catalog| !is_used(catalog.id)).collect();
        free.sort_by_key(|catalog| Reverse(count(catalog)));
        let name = object.name.as_str();
        let image = ShellCommand::new("kubectl get clustercatalog").word(name);
        let image = image.with("-o jsonpath='{.spec.source.image.ref}'");
        BoundSource {
            name: name.to_owned(),
            namespace: String::new(),
            priority: object.priority.into(),
            catalog: None,
            candidates: free.iter().map(|catalog| catalog.id).collect(),
            command: save_command(name, object.image.as_deref(), &image),
        }
    };
    let counts = |object: &&ClusterCatalog| {
        object.availability == Availability::Available && !pairing.cluster_catalogs.contains_key(object.name.as_str())
    };
    match manifests.has_extensions() {
        true => manifests.cluster_catalogs.iter().filter(counts).map(row).collect(),
        false => Vec::new(),
    }
}

/// Pairs each ClusterCatalog with the loaded catalog of its name; a single one gets a single catalog whatever its name. Where
/// manifests have ClusterExtensions alone, each loaded catalog is taken for a ClusterCatalog. Also says what was assumed.
pub fn pair_cluster_catalogs(
    workbench: &Workbench,
    manifests: &Manifests,
) -> (BTreeMap<String, CatalogId>, Option<String>) {
    let loaded = workbench.catalogs();
    if !manifests.has_cluster_catalogs() {
        if !manifests.has_extensions() || loaded.is_empty() {
            return (BTreeMap::new(), None);
        }
        let names = loaded.iter().map(|catalog| format!("`{}`", catalog.name)).collect::<Vec<_>>().join(", ");
        let text = format!("the manifests have no ClusterCatalog, so each loaded catalog is taken for one: {names}");
        return (loaded.iter().rev().map(|catalog| (catalog.name.clone(), catalog.id)).collect(), Some(text));
    }
    // A catalog may be given for a ClusterCatalog that the API server rejects, too.
    let objects = manifests.cluster_catalogs.iter().map(|object| &object.name).chain(&manifests.rejected_catalogs);
    let objects: Vec<&str> = objects.map(|name| name.as_str()).collect();
    let named = |name: &str| loaded.iter().find(|catalog| catalog.name == name);
    let (with, without): (Vec<&str>, Vec<&str>) = objects.into_iter().partition(|name| named(name).is_some());
    let mut found: BTreeMap<String, CatalogId> =
        with.iter().filter_map(|name| Some(((*name).to_owned(), named(name)?.id))).collect();
    let is_source = |name: &str| manifests.cluster.catalog_sources.iter().any(|source| *source.key.name == *name);
    let is_v1_only = manifests.cluster.catalog_sources.is_empty() && manifests.cluster.subscriptions.is_empty();
    let is_free =
        |catalog: &&CatalogInput| !with.contains(&&*catalog.name) && (is_v1_only || !is_source(&catalog.name));
    let free: Vec<&CatalogInput> = loaded.iter().filter(is_free).collect();
    let mut assumption = None;
    if let [catalog] = free[..]
        && let Some((object, because)) = only_object(manifests, catalog, &without)
    {
        assumption =
            Some(format!("catalog `{}` is taken as ClusterCatalog `{object}`, because {because}", catalog.name));
        found.insert(object.to_owned(), catalog.id);
    }
    (found, assumption)
}

/// The ClusterCatalog that a catalog without one of its name stands for, of those `without` a catalog, and why: it is the only one,
/// or the only one that the extensions select whose packages the catalog has.
fn only_object<'n>(
    manifests: &Manifests,
    catalog: &CatalogInput,
    without: &[&'n str],
) -> Option<(&'n str, &'static str)> {
    if let [only] = without {
        return Some((only, "there is no other"));
    }
    let packages = &catalog.analysis.catalog;
    let has_package = |one: &&ClusterExtension| packages.package(one.package.as_str()).is_some();
    let of_package: Vec<&ClusterExtension> = manifests.cluster_extensions.iter().filter(has_package).collect();
    let is_selected = |name: &&&str| {
        let object = manifests.cluster_catalogs.iter().find(|object| object.name.as_str() == **name);
        object.is_some_and(|object| of_package.iter().any(|one| one.selector.matches(object) == Ok(true)))
    };
    let mut selected = without.iter().filter(is_selected);
    let first = selected.next()?;
    let because = "the ClusterExtensions of its packages select no other one";
    selected.next().is_none().then_some((*first, because))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_that_is_none_is_not_in_the_command() {
        let source = |name| CatalogSource {
            image: Some("$(reboot)".into()),
            ..CatalogSource::new(CatalogKey::new(name, "olm"), 0)
        };
        let expected =
            "opm render \"$(kubectl get catalogsource red -n olm -o jsonpath='{.spec.image}')\" -o yaml > red.yaml";
        assert_eq!(command(&source("red")).as_deref(), Ok(expected));
        assert!(command(&source("red; reboot")).unwrap_err().contains("`red; reboot`"));
    }
}
