//! Edits of catalogs: releases, removals, deprecations and edges, written into a catalog or shown for those of a set;
//! fixes that are offered; a new bundle that can be tried; and undoing all of them. Calls `run`.

use super::request::{Arrival, command, is_changing, notify, send_query};
use super::run::{awaits_result, forget_undo, run};
use super::{
    Dialog, Effect, FileUndo, NamedSelection, NamedSides, Notice, NoticeKind, Pane, Shared, State, Tab, Written,
    history, source,
};
use std::collections::{BTreeMap, BTreeSet};
use views::{
    Authored, AuthoringInput, CatalogId, Command, Deprecatee, EdgeEffectView, EdgeGesture, EntryKey, FileEdit,
    InputEdit, NewBundleView, PackageKey, Presence, Revision, SideKey, Take, Target, Trial, TrialEntry, TrialPolicy,
    TrialTarget, WrittenView, query,
};

/// Writes into a catalog, or asks what would be written into the catalogs of a set.
pub(super) fn write(state: &mut State, effects: &mut Vec<Effect>, target: Target, input: AuthoringInput) {
    match target {
        Target::Catalog(catalog) => {
            state.dialog = None;
            author(state, effects, catalog, input);
        }
        Target::Set(set) => {
            state.dialog = Some(Dialog::Written);
            send_query(state, effects, query::Written { set, input: input.clone() });
            state.written = Some(Written { set, input, view: None });
        }
    }
}

impl Take<query::Written> for Arrival<'_> {
    fn take(&mut self, query: query::Written, view: WrittenView) {
        if let Some(written) = self.state.written.as_mut().filter(|written| written.input == query.input) {
            written.view = Some(Shared::new(view));
        }
    }
}

/// Takes the answer of that revision: shows what became of installed versions.
pub(super) fn taken(state: &mut State, revision: Revision, authored: Result<Authored, String>) {
    let before = state.authored_from.take();
    let Authored { catalog, input, undo } = match authored {
        Ok(authored) => authored,
        Err(reason) => {
            if let Some(before) = before {
                same_texts(state, before, revision);
            }
            return notify(state, NoticeKind::NotWritten { reason });
        }
    };
    let undo = FileUndo { what: String::new(), edits: undo, revision, leads_to: before.unwrap_or(revision) };
    let name = state.catalog(catalog).map(|row| row.name.clone()).unwrap_or_default();
    // The user goes on where the change was made.
    let is_small = matches!(input, AuthoringInput::Edge { .. } | AuthoringInput::Fix { .. });
    undo.edits.iter().for_each(|edit| source::note_fix(state, edit.file));
    let what = match input {
        AuthoringInput::Release(trial) => {
            let Some((selection, what)) = tried(state, catalog, trial, undo.clone()) else { return };
            // The overview that comes with the answer selects it.
            state.pending_selection = Some(selection);
            state.tab = Tab::Graph;
            what
        }
        AuthoringInput::Remove { name: bundle, stays_listed, .. } => {
            state.tab = Tab::Compare;
            let how = if stays_listed { "stopped offering" } else { "removed" };
            format!("{how} `{bundle}` in {name}")
        }
        AuthoringInput::Fix { title, .. } => title,
        AuthoringInput::Edge { edit, .. } => format!("changed the edges of `{}` in {name}", edit.entry),
        AuthoringInput::Deprecate { package, what, .. } => {
            let of = match what {
                Deprecatee::Package => package,
                Deprecatee::Channel(of) | Deprecatee::Bundle(of) => of,
            };
            format!("deprecated `{of}` in {name}")
        }
    };
    // A changed example is the user's own.
    state.example = None;
    notify(state, NoticeKind::CatalogEdited { undo: FileUndo { what, ..undo } });
    if is_small {
        return;
    }
    state.compare.chosen =
        Some(NamedSides { before: name.clone(), before_opened: true, after: name, after_opened: false });
    state.graph_changes = Some(Presence::Both);
    state.shows_channel_map = false;
    state.pane = Pane::Package;
}

// Applies fixes that the simulation offers, and undoes edits of catalogs.

/// Applies a fix, unless the text that it edits may have changed since it was offered.
pub(super) fn apply_fix(state: &mut State, effects: &mut Vec<Effect>, what: String, edit: InputEdit) {
    match edit {
        InputEdit::Catalog { catalog, changes } => {
            if !is_changing(state) && !awaits_result(state) {
                let input = AuthoringInput::Fix { title: what, changes };
                author(state, effects, catalog, input);
            }
        }
        InputEdit::Manifests(splices) => {
            if !awaits_result(state) {
                history::save(state, None);
                state.simulation.edit_manifests(&splices);
                effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
                applied(state, effects, what);
            }
        }
    }
}

/// Sends what is to be written into a catalog.
fn author(state: &mut State, effects: &mut Vec<Effect>, catalog: CatalogId, input: AuthoringInput) {
    state.authored_from = Some(state.revision);
    command(state, effects, Command::Author { catalog, input });
}

/// Reports a fix of the cluster and runs the simulation.
fn applied(state: &mut State, effects: &mut Vec<Effect>, what: String) {
    forget_undo(state);
    notify(state, NoticeKind::FormChanged { what });
    run(state, effects);
}

/// Undoes a fix or a trial, or makes it again, unless something else was changed since.
pub(super) fn take_back(state: &mut State, effects: &mut Vec<Effect>, undo: FileUndo, is_redo: bool) {
    if undo.revision != state.revision {
        return;
    }
    if !is_redo {
        undone(state, &undo);
    }
    undo.edits.iter().for_each(|edit| source::note_fix(state, edit.file));
    command(state, effects, Command::Edit(undo.edits.clone()));
    let now = state.revision;
    same_texts(state, undo.leads_to, now);
    state.taken_back = Some((FileUndo { revision: now, leads_to: undo.revision, ..undo }, is_redo));
}

/// Takes that the texts at two revisions are the same, so that what could be taken back at the first one can be at the
/// second.
pub(super) fn same_texts(state: &mut State, first: Revision, second: Revision) {
    let undos = state.notices.iter_mut().filter_map(|notice| notice.kind.file_undo_mut());
    undos.filter(|undo| undo.revision == first).for_each(|undo| undo.revision = second);
}

/// Takes the edits that lead back to the texts before the last undo or redo.
pub(super) fn taken_back(state: &mut State, edits: Vec<FileEdit>) {
    let Some((of, is_redo)) = state.taken_back.take() else { return };
    let back = FileUndo { edits, ..of };
    notify(
        state,
        if is_redo { NoticeKind::CatalogEdited { undo: back } } else { NoticeKind::EditUndone { redo: back } },
    );
}

/// Removes the offers to undo or redo edits of files once something else was changed: those stay that can be reached
/// from the texts as they are, one after the other.
pub(super) fn drop_outdated_undo(state: &mut State) {
    let mut reached = BTreeSet::new();
    type Of = fn(&NoticeKind) -> Option<&FileUndo>;
    let directions: [(Of, bool); 2] = [(NoticeKind::edit_undo, true), (NoticeKind::edit_redo, false)];
    for (of, of_redo) in directions {
        let by_revision =
            |notice: &Notice| Some((of(&notice.kind)?.revision, (notice.number, of(&notice.kind)?.leads_to)));
        let mut all: BTreeMap<_, _> = state.notices.iter().filter_map(by_revision).collect();
        // What is being written may be refused, or can be undone after it. What comes from the disk may leave the files
        // as they are.
        let followed_from = state.follow.as_ref().and_then(|follow| follow.before);
        let mut now = state.authored_from.or(followed_from).unwrap_or(state.revision);
        // The notice of the last undo or redo comes with its answer.
        if let Some((back, _)) =
            state.taken_back.as_ref().filter(|(back, is_redo)| *is_redo == of_redo && back.revision == now)
        {
            now = back.leads_to;
        }
        while let Some((number, next)) = all.remove(&now) {
            reached.insert(number);
            now = next;
        }
    }
    let is_of_file = |kind: &NoticeKind| kind.edit_undo().or(kind.edit_redo()).is_some();
    state.notices.retain(|notice| !is_of_file(&notice.kind) || reached.contains(&notice.number));
}

// Editing in the drawing: the edges of entries.

/// The editing mode of the drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edges {
    /// Whether entries can be dragged to each other.
    pub editing: bool,
    /// A change that is not made yet, with its package.
    pub(super) held: Option<(PackageKey, EdgeGesture)>,
    /// What it does, once that is known.
    pub effect: Option<Shared<EdgeEffectView>>,
}

/// Actions about the editing mode.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeAction {
    Switched,
    /// A change is held, or none any more.
    Held(Option<EdgeGesture>),
    /// The change that is held is to be made.
    Made,
}

impl State {
    /// The change of the selected package that is held in the editing mode.
    #[must_use]
    pub fn held_edge(&self) -> Option<&EdgeGesture> {
        let held = self.edges.held.as_ref().filter(|(key, _)| self.selection.package.as_ref() == Some(key));
        held.map(|(_, edit)| edit)
    }
}

pub(super) fn handle_edge(state: &mut State, effects: &mut Vec<Effect>, action: EdgeAction) {
    match action {
        EdgeAction::Switched => state.edges = Edges { editing: !state.edges.editing, ..Edges::default() },
        EdgeAction::Held(edit) => {
            if state.held_edge() == edit.as_ref() {
                return;
            }
            state.edges.effect = None;
            state.edges.held = state.selection.package.clone().zip(edit);
            if let Some((package, edit)) = state.edges.held.clone() {
                send_query(state, effects, query::EdgeEffect { package, edit });
            }
        }
        EdgeAction::Made => {
            let Some(edit) = state.held_edge().cloned() else { return };
            let Some((PackageKey { catalog, package }, _)) = state.edges.held.take() else { return };
            state.edges.effect = None;
            write(state, effects, Target::Catalog(catalog), AuthoringInput::Edge { package, edit });
        }
    }
}

impl Take<query::EdgeEffect> for Arrival<'_> {
    fn take(&mut self, query: query::EdgeEffect, view: Option<EdgeEffectView>) {
        let edges = &mut self.state.edges;
        let is_held = edges.held.as_ref().is_some_and(|(key, edit)| *key == query.package && *edit == query.edit);
        if is_held && view.is_none() {
            // The catalog has no such entry, as of one that the drawing of a comparison shows.
            edges.held = None;
        } else if is_held {
            edges.effect = view.map(Shared::new);
        }
    }
}

// A new bundle that can be tried on an open catalog, and what a trial made of it.

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

pub(super) fn handle_new_bundle(state: &mut State, effects: &mut Vec<Effect>, action: NewBundleAction) {
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
                take_back(state, effects, release.undo, false);
            }
            write(state, effects, target, AuthoringInput::Release(trial));
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
