//! A new bundle that can be tried on a catalog, what a trial made of it, and the actions about it.

use super::{FileUndo, Shared};
use std::collections::BTreeSet;
use views::{CatalogId, NewBundleView, SideKey, Trial, TrialEntry, TrialPolicy, TrialTarget};

/// A new bundle, and where the user wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBundle {
    /// The bundle and what it can be added to.
    pub view: Shared<NewBundleView>,
    /// The index of the chosen target.
    pub target: usize,
    /// The index of the chosen policy.
    pub policy: usize,
    pub channels: BTreeSet<String>,
    /// The trial that was made and not undone.
    pub release: Option<Release>,
}

/// A new bundle that was added to the text of a catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    pub catalog: CatalogId,
    /// What was added.
    pub trial: Trial,
    pub undo: FileUndo,
}

impl Release {
    /// The catalog as it was opened, and as it is with the bundle.
    #[must_use]
    pub const fn sides(&self) -> (SideKey, SideKey) {
        let catalog = self.catalog;
        (SideKey { catalog, is_opened: true }, SideKey { catalog, is_opened: false })
    }
}

impl NewBundle {
    /// What was chosen to add it to, and how.
    #[must_use]
    pub fn chosen(&self) -> Option<(&TrialTarget, &TrialPolicy)> {
        let target = self.view.targets.get(self.target)?;
        Some((target, target.policies.get(self.policy)?))
    }

    /// Chooses a target and a policy, and the channels that the bundle names.
    pub(super) fn choose(&mut self, target: usize, policy: usize) {
        (self.target, self.policy) = (target, policy);
        let channels = self.chosen().into_iter().flat_map(|(_, policy)| &policy.channels);
        self.channels = channels.filter(|row| row.is_named).map(|row| row.entry.channel.clone()).collect();
    }
}

/// Actions about a new bundle.
#[derive(Clone, Debug, PartialEq)]
pub enum NewBundleAction {
    /// A target was chosen, by its index.
    TargetChosen(usize),
    /// A policy was chosen, by its index.
    PolicyChosen(usize),
    /// A channel was switched on or off.
    ChannelSwitched(String),
    Tried {
        /// The image that it is in; empty if that is not known.
        image: String,
        entries: Vec<TrialEntry>,
    },
    /// Other edges may be tried: the form is shown again. The trial stays until another one is made.
    Revised,
    /// The bundle stays in the catalog, and nothing more is to be said of it.
    Kept,
}
