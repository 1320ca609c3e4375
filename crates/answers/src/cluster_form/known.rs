//! What the form takes from the loaded catalogs: the catalog of a package, and installed bundles.

use catalog::Package;
use cluster::{CatalogKey, Csv, InstalledBundle, Manifests};
use session::Workbench;
use session::pair;
use source::nearest;
use views::{CatalogId, ClusterForm, SubscriptionForm};

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
        let sources = pair(workbench, manifests, &mut cluster, None).sources().into_iter().collect();
        Self { workbench, sources, global_namespace: cluster.global_namespace.to_string() }
    }

    /// The catalog of a row that names none: the first one that has the package, else the one with the package of the nearest
    /// name, so that the name can be suggested. A row without a package has none yet.
    pub(super) fn catalog_of(&self, package: &str) -> Option<CatalogKey> {
        if package.is_empty() {
            return None;
        }
        let catalogs = || {
            let catalogs = self.workbench.catalogs().iter();
            catalogs.filter_map(|catalog| {
                let (key, _) = self.sources.iter().find(|(_, id)| *id == catalog.id)?;
                Some((key, &catalog.analysis.catalog))
            })
        };
        let with = |name: &str| catalogs().find(|(_, catalog)| catalog.package(name).is_some());
        let names = catalogs().flat_map(|(_, catalog)| catalog.packages.iter().map(|package| package.name.as_str()));
        let found = with(package).or_else(|| with(nearest(package, names).first()?)).or_else(|| catalogs().next());
        found.map(|(key, _)| key.clone())
    }

    /// The CatalogSource with a name.
    pub(super) fn named(&self, name: &str) -> CatalogKey {
        let found = self.sources.iter().find(|(key, _)| *key.name == *name);
        found.map_or_else(|| CatalogKey::new(name, &self.global_namespace), |(key, _)| key.clone())
    }

    /// Whether a catalog with this name is loaded.
    pub(super) fn is_loaded(&self, name: &str) -> bool {
        self.workbench.catalogs().iter().any(|catalog| catalog.name == name)
    }

    /// A form in which versions of packages are the names of their CSVs.
    pub(super) fn named_csvs(&self, form: &ClusterForm) -> ClusterForm {
        let mut form = form.clone();
        for SubscriptionForm { package, starting_csv, installed, .. } in &mut form.subscriptions {
            let bundle = |text: &str| self.bundle(package, text).map(|bundle| bundle.name).filter(|_| !text.is_empty());
            let former = update_graph::installed_csv(&self.packages(package), installed).ok();
            let names = [bundle(starting_csv), bundle(installed).or(former)];
            for (text, name) in [starting_csv, installed].into_iter().zip(names) {
                if let Some(name) = name {
                    *text = name.to_string();
                }
            }
        }
        form
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
