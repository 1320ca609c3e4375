//! Which loaded catalog is which ClusterCatalog of OLM v1.

use crate::pairing::{MissingCatalog, Pairing, save_command};
use crate::{CatalogInput, Workbench};
use cluster::{Availability, ClusterCatalog, ClusterExtension, Manifests, catalog_commands};
use source::ShellCommand;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use views::{BoundSource, CatalogId};

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
        let is_served = |row: &&ClusterCatalog| row.availability == Availability::Available && row.is_served;
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
            Some(format!("catalog `{}` is used as ClusterCatalog `{object}`, because {because}", catalog.name));
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
