//! The catalogs that Subscriptions need and `--catalog` does not give. Without them every answer would be a guess.

use crate::output::Failure;
use crate::scene::Scene;
use simulate::{CatalogSource, Subscription, catalog_commands};
use source::shell_word;
use std::collections::{BTreeMap, BTreeSet};
use workbench::CatalogKey;

/// Who needs a catalog, by the name of the catalog, and how to get it.
#[derive(Default)]
pub(crate) struct MissingCatalogs(BTreeMap<String, Vec<String>>);

impl MissingCatalogs {
    /// The catalogs of the Subscriptions in manifests; with the name of a Subscription only those of its namespace.
    ///
    /// A CatalogSource that only Subscriptions know, beside others, is an answer: OLM does not find it either.
    pub(crate) fn of_subscriptions(scene: &Scene, subscription: Option<&str>) -> Self {
        let (home, name) = match subscription.map(|text| text.split_once('/').ok_or(text)) {
            None => (None, None),
            Some(Ok((home, name))) => (Some(home), Some(name)),
            Some(Err(name)) => (None, Some(name)),
        };
        let is_meant = |row: &&Subscription| {
            name.is_none_or(|name| *row.spec.name == *name) && home.is_none_or(|home| *row.namespace == *home)
        };
        let mut cluster = scene.objects().cluster.clone();
        cluster.assume_sources();
        let namespaces: BTreeSet<&str> =
            cluster.subscriptions.iter().filter(is_meant).map(|row| &*row.namespace).collect();
        let loaded = scene.inputs.workbench.pairing().sources();
        let missing = cluster.catalog_sources.iter().filter(|source| !loaded.contains_key(&source.key));
        let sources: BTreeMap<&CatalogKey, &CatalogSource> = missing.map(|source| (&source.key, source)).collect();
        let mut missing = Self::default();
        for row in cluster.subscriptions.iter().filter(|row| namespaces.contains(&*row.namespace)) {
            if let Some(source) = row.spec.catalog.as_ref().and_then(|key| sources.get(key)) {
                let who = format!("Subscription `{}` in `{}`", row.spec.name, row.namespace);
                missing.add(who, &source.key.name, source.image.as_deref());
            }
        }
        missing
    }

    /// Adds a catalog, unless it was added before.
    pub(crate) fn add(&mut self, who: String, name: &str, image: Option<&str>) {
        let [extract, save] = catalog_commands(image);
        self.0.entry(name.to_owned()).or_insert_with(|| {
            let option = format!("--catalog {}=PATH", shell_word(name));
            let needs = format!("{who} needs the catalog `{name}`; get it, then add `{option}`:");
            vec![needs, format!("  {extract}"), format!("  {save}")]
        });
    }

    /// # Errors
    /// When there are such catalogs: their names, with the commands that get them.
    pub(crate) fn check(self) -> Result<(), Failure> {
        if self.0.is_empty() { Ok(()) } else { Err(Failure::of_lines(self.0.into_values().flatten())) }
    }
}
