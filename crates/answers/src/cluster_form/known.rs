//! What the form takes from the loaded catalogs: the catalog of a package, and installed bundles.

use catalog::{Catalog, Package};
use cluster::{CatalogKey, Csv, InstalledBundle, Manifests};
use session::Workbench;
use session::pair_catalog_sources;
use source::nearest;
use views::{CatalogId, SubscriptionForm};

/// The number of names that are suggested.
const NEAR: usize = 3;

/// The loaded catalogs, as the manifests name them.
pub(super) struct Known<'w> {
    pub(super) workbench: &'w Workbench,
    sources: Vec<(CatalogKey, CatalogId)>,
    global_namespace: String,
}

impl<'w> Known<'w> {
    pub(super) fn of(workbench: &'w Workbench, manifests: &Manifests) -> Self {
        let mut cluster = manifests.cluster.clone();
        let sources = pair_catalog_sources(workbench, manifests, &mut cluster, None).sources().into_iter().collect();
        Self { workbench, sources, global_namespace: cluster.global_namespace.to_string() }
    }

    /// The catalogs that stand for CatalogSources.
    fn catalogs(&self) -> impl Iterator<Item = (&CatalogKey, &Catalog)> {
        self.workbench.catalogs().iter().filter_map(|catalog| {
            let (key, _) = self.sources.iter().find(|(_, id)| *id == catalog.id)?;
            Some((key, &catalog.analysis.catalog))
        })
    }

    /// The first catalog that has a package.
    pub(super) fn catalog_with(&self, package: &str) -> Option<CatalogKey> {
        let found = self.catalogs().find(|(_, catalog)| catalog.package(package).is_some());
        found.map(|(key, _)| key.clone())
    }

    /// The catalog of a row that names none: the first one that has the package, else the one with the package of the nearest
    /// name, so that the name can be suggested. A row without a package has none yet.
    pub(super) fn catalog_of(&self, package: &str) -> Option<CatalogKey> {
        if package.is_empty() {
            return None;
        }
        let names = self.catalogs().flat_map(|(_, catalog)| catalog.packages.iter().map(|one| one.name.as_str()));
        let near = || self.catalog_with(nearest(package, names).first()?);
        let first = || self.catalogs().next().map(|(key, _)| key.clone());
        self.catalog_with(package).or_else(near).or_else(first)
    }

    pub(super) fn named(&self, name: &str) -> CatalogKey {
        let found = self.sources.iter().find(|(key, _)| *key.name == *name);
        found.map_or_else(|| CatalogKey::new(name, &self.global_namespace), |(key, _)| key.clone())
    }

    /// The name of the CSV of a package that is named by its version; another text is a name itself.
    pub(super) fn csv_name(&self, package: &str, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        let bundle = self.bundle(package, text).map(|bundle| bundle.name);
        let name = bundle.or_else(|| update_graph::installed_csv(&self.packages(package), text).ok());
        name.map_or_else(|| text.to_owned(), |name| name.to_string())
    }

    /// The package of this name in all loaded catalogs.
    pub(super) fn packages(&self, name: &str) -> Vec<&'w Package> {
        self.workbench.catalogs().iter().filter_map(|catalog| catalog.analysis.catalog.package(name)).collect()
    }

    /// What is wrong with the name of a CSV of a package: no loaded catalog has it, or it as a version.
    pub(super) fn unknown_csv(&self, package: &str, text: &str) -> Option<String> {
        let bundles: Vec<_> = self.packages(package).into_iter().flat_map(|package| &package.bundles).collect();
        // A package that is not loaded is another fault.
        if text.is_empty() || bundles.is_empty() || self.bundle(package, text).is_some() {
            return None;
        }
        let versions = bundles.iter().filter_map(|bundle| Some(&*bundle.version.as_ref()?.value.text));
        let names = bundles.iter().map(|bundle| bundle.name.value.as_str()).chain(versions);
        let near: Vec<String> = nearest(text, names).into_iter().take(NEAR).map(|name| format!("`{name}`")).collect();
        let meant = match near.is_empty() {
            true => String::new(),
            false => format!("; did you mean {}?", source::joined(near, NEAR, "or")),
        };
        Some(format!("no loaded catalog has a CSV or version `{text}` of this package{meant}"))
    }

    /// The CSV that is installed for a Subscription, with the properties that OLM copied from its bundle. The catalog and the
    /// channel of the Subscription come first.
    pub(super) fn csv(&self, row: &SubscriptionForm, catalog: Option<&CatalogKey>, namespace: &str) -> Option<Csv> {
        let is_own = |id: CatalogId| self.sources.iter().any(|(key, of)| *of == id && Some(key) == catalog);
        let mut catalogs: Vec<_> = self.workbench.catalogs().iter().collect();
        catalogs.sort_by_key(|input| !is_own(input.id));
        catalogs.into_iter().find_map(|input| {
            let listing = input.analysis.listing();
            let entries = listing.entries().iter().filter(|entry| *entry.name.as_str() == *row.installed);
            let entry = entries.min_by_key(|entry| entry.channel.as_str() != row.channel)?;
            Some(Csv::running(namespace, entry.installed()))
        })
    }

    /// The bundle of a package with this name, or else with this version, in the first catalog that has one.
    pub(super) fn bundle(&self, package: &str, text: &str) -> Option<InstalledBundle> {
        let packages = self.packages(package);
        let named = packages.iter().find_map(|package| package.bundle(text)).map(InstalledBundle::of);
        let mut all = packages.iter().flat_map(|package| &package.bundles).map(InstalledBundle::of);
        named.or_else(|| all.find(|bundle| *bundle.version == *text))
    }
}
