//! The catalogs that Subscriptions need and `--catalog` does not give. Without them every answer would be a guess.

use crate::output::Failure;
use crate::paths::shown_path;
use crate::scene::Scene;
use simulate::{CatalogSource, Cluster, Subscription, catalog_commands};
use source::shell_word;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use workbench::CatalogKey;

/// Who needs a catalog, by the name of the catalog, and how to get it.
#[derive(Default)]
pub(crate) struct MissingCatalogs(BTreeMap<String, Vec<String>>);

impl MissingCatalogs {
    /// The catalogs of the Subscriptions in manifests; with the name of a Subscription only those of its namespace.
    ///
    /// A CatalogSource that only Subscriptions know is an answer: OLM does not find it either. Manifests without any
    /// CatalogSource are taken for incomplete.
    pub(crate) fn of_subscriptions(scene: &Scene, cluster: &Cluster, subscription: Option<&str>) -> Self {
        let (home, name) = match subscription.map(|text| text.split_once('/').ok_or(text)) {
            None => (None, None),
            Some(Ok((home, name))) => (Some(home), Some(name)),
            Some(Err(name)) => (None, Some(name)),
        };
        let is_meant = |row: &&Subscription| {
            name.is_none_or(|name| *row.spec.name == *name) && home.is_none_or(|home| *row.namespace == *home)
        };
        let namespaces: BTreeSet<&str> =
            cluster.subscriptions.iter().filter(is_meant).map(|row| &*row.namespace).collect();
        let sources: BTreeMap<&CatalogKey, &CatalogSource> =
            cluster.catalog_sources.iter().map(|source| (&source.key, source)).collect();
        let mut missing = Self::default();
        for row in cluster.subscriptions.iter().filter(|row| namespaces.contains(&*row.namespace)) {
            let Some(key) = row.spec.catalog.as_ref().filter(|key| !key.name.is_empty()) else { continue };
            let who = format!("Subscription `{}` in `{}`", row.spec.name, row.namespace);
            match sources.get(key) {
                Some(source) => missing.add(scene, who, &key.name, source.image.as_deref()),
                None if sources.is_empty() => missing.add_source(&who, &key.name, &scene.path()),
                None => {}
            }
        }
        missing
    }

    /// Adds a catalog, unless it is given or was added before.
    pub(crate) fn add(&mut self, scene: &Scene, who: String, name: &str, image: Option<&str>) {
        if scene.inputs.workbench.catalogs().iter().all(|catalog| catalog.name != name) {
            let [extract, save] = catalog_commands(image);
            self.0.entry(name.to_owned()).or_insert_with(|| {
                let option = catalog_option(name);
                let needs = format!("{who} needs the catalog `{name}`; get it, then add `{option}`:");
                vec![needs, format!("  {extract}"), format!("  {save}")]
            });
        }
    }

    /// Adds a catalog whose CatalogSource is missing too.
    fn add_source(&mut self, who: &str, name: &str, manifests: &Path) {
        self.0.entry(name.to_owned()).or_insert_with(|| {
            let path = shown_path(manifests);
            let option = catalog_option(name);
            vec![format!(
                "{who} needs the CatalogSource `{name}`, which `{path}` does not have; add it, and `{option}`"
            )]
        });
    }

    /// # Errors
    /// When there are such catalogs: their names, with the commands that get them.
    pub(crate) fn check(self) -> Result<(), Failure> {
        if self.0.is_empty() { Ok(()) } else { Err(Failure::of_lines(self.0.into_values().flatten())) }
    }
}

/// The option that gives a catalog.
fn catalog_option(name: &str) -> String {
    format!("--catalog {}=PATH", shell_word(name))
}
