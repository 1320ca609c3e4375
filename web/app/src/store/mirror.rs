//! An ImageSetConfiguration, and what oc-mirror makes of a catalog by it.

use super::compare::inputs;
use super::request::{command, notify};
use super::{Effect, NamedSides, NoticeKind, Pane, Shared, State, Tab, compare};
use views::{CatalogId, Command, MirrorInput, MirrorView, OcMirror};

/// A configuration and the last answer about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageSet {
    pub config: String,
    /// The catalog that it filters, if the user chose one.
    pub(super) catalog: Option<CatalogId>,
    /// The index of the configuration's catalog, if the user chose one.
    pub(super) chosen: Option<u32>,
    pub release: OcMirror,
    /// The last answer.
    pub view: Option<Shared<MirrorView>>,
    /// Whether the text was typed since.
    pub is_changed: bool,
    /// Whether an answer has come whose mirror is to be compared as soon as the page knows it.
    pub(super) is_new: bool,
}

/// Actions about an ImageSetConfiguration.
#[derive(Clone, Debug, PartialEq)]
pub enum MirrorAction {
    Typed(String),
    /// The typed text is to be used.
    Applied,
    /// The catalog was chosen that it filters.
    CatalogChosen(CatalogId),
    /// One of its catalogs was chosen, by its index.
    ItemChosen(u32),
    ReleaseChosen(OcMirror),
    /// It is not needed any more.
    Removed,
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: MirrorAction) {
    let Some(found) = &mut state.image_set else { return };
    match action {
        MirrorAction::Typed(text) => {
            found.config = text;
            found.is_changed = true;
            return;
        }
        MirrorAction::Applied => {}
        MirrorAction::CatalogChosen(catalog) => found.catalog = Some(catalog),
        MirrorAction::ItemChosen(item) => found.chosen = Some(item),
        MirrorAction::ReleaseChosen(release) => found.release = release,
        MirrorAction::Removed => {
            let mirrored = found.view.as_ref().and_then(|view| view.mirrored);
            state.image_set = None;
            state.compare.chosen = None;
            if let Some(catalog) = mirrored {
                command(state, effects, Command::RemoveCatalog { catalog });
            }
            return;
        }
    }
    ask(state, effects);
}

/// Takes a configuration that was opened or pasted.
pub(super) fn opened(state: &mut State, text: String) {
    let before = state.image_set.take().unwrap_or_default();
    state.image_set = Some(ImageSet { config: text, chosen: None, is_changed: true, ..before });
    if state.overview.catalogs.is_empty() {
        notify(state, NoticeKind::ImageSetWaits);
    }
}

/// The catalog that the configuration filters: the chosen one, else the selected one, else the first.
#[must_use]
pub fn mirrored_catalog(state: &State) -> Option<CatalogId> {
    let is_loaded = |id: &CatalogId| compare::is_loaded(state, *id);
    let chosen = state.image_set.as_ref().and_then(|found| found.catalog).filter(is_loaded);
    let selected = || state.selection.catalog().filter(is_loaded);
    chosen.or_else(selected).or_else(|| state.overview.catalogs.first().map(|row| row.id))
}

/// Asks what a configuration makes of its catalog, if it was opened before the page knew the catalog; compares a mirror
/// that the page knows now.
pub(super) fn overview_taken(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(found) = &mut state.image_set else { return };
    if found.view.is_none() && found.is_changed {
        return ask(state, effects);
    }
    if !std::mem::take(&mut found.is_new) {
        return;
    }
    let sides = found.view.as_ref().and_then(|view| Some((view.catalog, view.mirrored?)));
    let name = |id: CatalogId| inputs(state).find(|row| row.id == id).map(|row| row.name.clone());
    let named = sides.and_then(|(before, after)| name(before).zip(name(after)));
    state.compare.chosen = named.map(|(before, after)| NamedSides { before, after, ..NamedSides::default() });
    state.tab = Tab::Compare;
    state.pane = Pane::Package;
    compare::ask(state, effects);
}

/// Takes the answer.
pub(super) fn answered(state: &mut State, view: MirrorView) {
    if let Some(found) = &mut state.image_set {
        found.view = Some(Shared::new(view));
        found.is_new = true;
    }
}

fn ask(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(catalog) = mirrored_catalog(state) else { return };
    let installed = state.simulation.cluster.subscriptions.iter().map(|form| form.installed.clone());
    let installed = installed.filter(|name| !name.is_empty()).collect();
    let Some(found) = &mut state.image_set else { return };
    found.is_changed = false;
    let (config, chosen, release) = (found.config.clone(), found.chosen, found.release);
    let input = MirrorInput { catalog, config, chosen, release, installed };
    let replaces = found.view.as_ref().and_then(|view| view.mirrored);
    command(state, effects, Command::Mirror { input, replaces });
}
