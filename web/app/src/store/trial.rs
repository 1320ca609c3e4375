//! A new bundle that can be tried on a catalog, what a trial made of it, and the actions about it.

use super::{FileUndo, Shared};
use std::collections::BTreeSet;
use views::{NewBundleView, SideKey, Trial, TrialCatalog, TrialEntry};

/// A new bundle, and where the user wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBundle {
    /// The bundle and the catalogs that have its package.
    pub view: Shared<NewBundleView>,
    /// The index of the chosen catalog.
    pub catalog: usize,
    /// The chosen channels.
    pub channels: BTreeSet<String>,
    /// The trial that was made and not undone.
    pub release: Option<Release>,
}

/// A new bundle that was added to the text of a catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    /// What was added.
    pub trial: Trial,
    /// How to undo it.
    pub undo: FileUndo,
}

impl Release {
    /// The catalog as it was opened, and as it is with the bundle.
    #[must_use]
    pub const fn sides(&self) -> (SideKey, SideKey) {
        let catalog = self.trial.catalog;
        (SideKey { catalog, is_opened: true }, SideKey { catalog, is_opened: false })
    }
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
    /// Other edges may be tried: the form is shown again. The trial stays until another one is made.
    Revised,
    /// The bundle stays in the catalog, and nothing more is to be said of it.
    Kept,
}
