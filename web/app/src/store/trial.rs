//! A new bundle that can be tried on a catalog, and the actions about it.

use super::Shared;
use std::collections::BTreeSet;
use views::{NewBundleView, TrialCatalog, TrialEntry};

/// A new bundle, and where the user wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBundle {
    /// The bundle and the catalogs that have its package.
    pub view: Shared<NewBundleView>,
    /// The index of the chosen catalog.
    pub catalog: usize,
    /// The chosen channels.
    pub channels: BTreeSet<String>,
}

impl NewBundle {
    /// The chosen catalog.
    #[must_use]
    pub fn chosen(&self) -> Option<&TrialCatalog> {
        self.view.catalogs.get(self.catalog)
    }

    /// Chooses a catalog, and in it the channels that the bundle names.
    pub(super) fn choose(&mut self, catalog: usize) {
        self.catalog = catalog;
        let channels = self.view.catalogs.get(catalog).into_iter().flat_map(|catalog| &catalog.channels);
        self.channels = channels.filter(|row| row.is_named).map(|row| row.entry.channel.clone()).collect();
    }
}

/// Actions about a new bundle.
#[derive(Clone, Debug, PartialEq)]
pub enum NewBundleAction {
    /// The catalog was chosen that it is tried on, by its index.
    CatalogChosen(usize),
    /// A channel was switched on or off.
    ChannelSwitched(String),
    /// The bundle is to be added with these entries.
    Tried(Vec<TrialEntry>),
}
