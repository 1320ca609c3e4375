//! Trying a new bundle on an open catalog. Calls `apply_fix`.

use super::request::{command, notify};
use super::{
    Dialog, Effect, FileUndo, NamedSelection, NamedSides, NewBundle, NewBundleAction, NoticeKind, Pane, Release,
    Shared, State, Tab, apply_fix,
};
use std::collections::BTreeSet;
use views::{Command, EntryKey, NewBundleView, Presence, Revision, Trial, TrialEntry, Tried};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: NewBundleAction) {
    let Some(new) = &mut state.new_bundle else { return };
    match action {
        NewBundleAction::CatalogChosen(catalog) => new.choose(catalog),
        NewBundleAction::ChannelSwitched(channel) => {
            if !new.channels.remove(&channel) {
                new.channels.insert(channel);
            }
        }
        NewBundleAction::Tried(entries) => {
            let Some((catalog, policy)) = new.chosen().map(|row| (row.catalog, row.policy.clone())) else { return };
            let number = new.view.number;
            state.dialog = None;
            // Other edges take the place of those that were tried.
            if let Some(release) = new.release.clone() {
                apply_fix::undo(state, effects, release.undo);
            }
            command(state, effects, Command::TryBundle(Trial { number, catalog, policy, entries }));
        }
        NewBundleAction::Revised => state.dialog = Some(Dialog::NewBundle),
        NewBundleAction::Kept => new.release = None,
    }
}

/// Takes a bundle directory whose package an open catalog has.
pub(super) fn opened(state: &mut State, view: NewBundleView) {
    let mut new = NewBundle { view: Shared::new(view), catalog: 0, channels: BTreeSet::new(), release: None };
    new.choose(0);
    state.new_bundle = Some(new);
    state.dialog = Some(Dialog::NewBundle);
}

/// Takes the answer of that revision: selects the new entry, and shows in the graph what the trial changes.
pub(super) fn tried(state: &mut State, revision: Revision, tried: Result<Tried, String>) {
    let Tried { trial, undo } = match tried {
        Ok(tried) => tried,
        Err(reason) => return notify(state, NoticeKind::NotTried { reason }),
    };
    let Some(new) = state.new_bundle.as_mut().filter(|new| new.view.number == trial.number) else { return };
    let NewBundleView { name, package, catalogs, .. } = &*new.view;
    let catalog = catalogs.iter().find(|row| row.catalog == trial.catalog).map(|row| row.name.clone());
    let catalog = catalog.unwrap_or_default();
    let channel = trial.entries.first().map(|entry| entry.channel.clone());
    // The overview that comes with the answer selects it.
    let entry = Some(EntryKey { channel, name: name.clone() });
    let selection = NamedSelection { catalog: catalog.clone(), package: Some(package.clone()), entry };
    let what = format!("added `{name}` to {catalog}");
    let undo = FileUndo { edits: undo, revision };
    new.release = Some(Release { trial, undo: undo.clone() });
    state.pending_selection = Some(selection);
    state.compare.chosen =
        Some(NamedSides { before: catalog.clone(), before_opened: true, after: catalog, after_opened: false });
    state.graph_changes = Some(Presence::Both);
    state.shows_channel_map = false;
    state.tab = Tab::Graph;
    state.pane = Pane::Package;
    // A changed example is the user's own.
    state.example = None;
    notify(state, NoticeKind::CatalogEdited { what, undo });
}

/// Handles that edits are undone: if they are those of the trial, its comparison goes with it.
pub(super) fn undone(state: &mut State, undo: &FileUndo) {
    let is_here = |new: &&mut NewBundle| new.release.as_ref().is_some_and(|release| release.undo == *undo);
    if let Some(new) = state.new_bundle.as_mut().filter(is_here) {
        new.release = None;
        state.selection.entry = None;
        state.entry = None;
        state.graph_changes = None;
        state.compare.chosen = None;
    }
}

/// The bundle that is shown as a release: the package that it was added to is selected, and its catalog is edited.
#[must_use]
pub fn shown_release(state: &State) -> Option<(&NewBundleView, &Release)> {
    let new = state.new_bundle.as_ref()?;
    let release = new.release.as_ref()?;
    let key = state.selection.package.as_ref()?;
    let is_edited = || state.catalog(key.catalog).is_some_and(|row| row.files.iter().any(|file| file.edited));
    let is_selected = key.catalog == release.trial.catalog && key.package == new.view.package;
    (is_selected && is_edited()).then_some((&*new.view, release))
}

/// The names in a text, which are apart from each other by commas or blanks.
fn names(text: &str) -> Vec<String> {
    text.split([',', ' ', '\n', '\t']).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// An entry of the form.
#[must_use]
pub fn entry(channel: &str, replaces: &str, skips: &str, skip_range: &str) -> TrialEntry {
    TrialEntry {
        channel: channel.to_owned(),
        replaces: replaces.trim().to_owned(),
        skips: names(skips),
        skip_range: skip_range.trim().to_owned(),
    }
}
