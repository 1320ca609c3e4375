//! A new bundle that can be tried on an open catalog, and what a trial made of it. Calls `apply_fix` and `authoring`.

use super::{Dialog, Effect, FileUndo, NamedSelection, Shared, State, apply_fix, authoring};
use std::collections::BTreeSet;
use views::{AuthoringInput, CatalogId, EntryKey, NewBundleView, SideKey, Trial, TrialEntry, TrialPolicy, TrialTarget};

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
    /// The image that it is in may be empty, if that is not known.
    Tried { image: String, entries: Vec<TrialEntry> },
    /// Other edges may be tried: the form is shown again. The trial stays until another one is made.
    Revised,
    /// The bundle stays in the catalog, and nothing more is to be said of it.
    Kept,
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: NewBundleAction) {
    let Some(new) = &mut state.new_bundle else { return };
    match action {
        NewBundleAction::TargetChosen(target) => new.choose(target, 0),
        NewBundleAction::PolicyChosen(policy) => new.choose(new.target, policy),
        NewBundleAction::ChannelSwitched(channel) => {
            if !new.channels.remove(&channel) {
                new.channels.insert(channel);
            }
        }
        NewBundleAction::Tried { image, entries } => {
            let Some((target, policy)) = new.chosen() else { return };
            let trial = Trial { number: new.view.number, image, policy: policy.policy.clone(), entries };
            let target = target.target;
            // Other edges take the place of those that were tried.
            if let Some(release) = new.release.clone() {
                apply_fix::take_back(state, effects, release.undo, false);
            }
            authoring::write(state, effects, target, AuthoringInput::Release(trial));
        }
        NewBundleAction::Revised => state.dialog = Some(Dialog::NewBundle),
        NewBundleAction::Kept => new.release = None,
    }
}

/// Takes a bundle directory whose package an open catalog has.
pub(super) fn opened(state: &mut State, view: NewBundleView) {
    let mut new = NewBundle { view: Shared::new(view), target: 0, policy: 0, channels: BTreeSet::new(), release: None };
    new.choose(0, 0);
    state.new_bundle = Some(new);
    state.dialog = Some(Dialog::NewBundle);
}

/// Takes that a trial was made: the new entry is what is selected next.
pub(super) fn tried(
    state: &mut State,
    catalog: CatalogId,
    trial: Trial,
    undo: FileUndo,
) -> Option<(NamedSelection, String)> {
    let name = state.catalog(catalog).map(|row| row.name.clone()).unwrap_or_default();
    let new = state.new_bundle.as_mut().filter(|new| new.view.number == trial.number)?;
    let channel = trial.entries.first().map(|entry| entry.channel.clone());
    let NewBundleView { name: bundle, package, .. } = &*new.view;
    let entry = Some(EntryKey { channel, name: bundle.clone() });
    let what = format!("added `{bundle}` to {name}");
    let selection = NamedSelection { catalog: name, package: Some(package.clone()), entry };
    new.release = Some(Release { catalog, trial, undo });
    Some((selection, what))
}

/// Handles that edits are undone: if they are those of the trial, its comparison goes with it.
pub(super) fn undone(state: &mut State, undo: &FileUndo) {
    let is_here = |new: &&mut NewBundle| new.release.as_ref().is_some_and(|release| release.undo.edits == undo.edits);
    if let Some(new) = state.new_bundle.as_mut().filter(is_here) {
        new.release = None;
        state.selection.entry = None;
        state.entry = None;
        state.graph_changes = None;
        state.compare.chosen = None;
    }
}

/// The names in a text, which are apart from each other by commas or blanks.
fn names(text: &str) -> Vec<String> {
    text.split([',', ' ', '\n', '\t']).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// An entry of the form.
#[must_use]
pub fn trial_entry(channel: &str, replaces: &str, skips: &str, skip_range: &str) -> TrialEntry {
    TrialEntry {
        channel: channel.to_owned(),
        replaces: replaces.trim().to_owned(),
        skips: names(skips),
        skip_range: skip_range.trim().to_owned(),
    }
}
