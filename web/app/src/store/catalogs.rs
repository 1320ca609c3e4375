//! Opening files, texts and examples as catalogs, and changing and removing catalogs. Calls `authoring` and `session`.

use super::action::CatalogsAction;
use super::compare::inputs;
use super::request::{Arrival, command, notify, open_files, send_query};
use super::{
    Dialog, Effect, Fragment, NamedSelection, NamedSides, NoticeKind, Opening, Pane, Shared, State, Tab, Unread,
    authoring, compare, session,
};
use views::{CatalogId, Command, Download, ExampleTheme, ListView, MirrorInput, MirrorView, OcMirror, Take, query};

/// The catalog of the start page: a chain of `replaces` with a skipped release, and a channel whose `skipRange` prunes
/// it.
const EXAMPLE: &str = include_str!("example.yaml");
/// The package of the drawing on the start page.
const EXAMPLE_PACKAGE: &str = "kettle-operator";

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: CatalogsAction) {
    match action {
        CatalogsAction::Dropped(names) => state.opening = Opening::of(names, None),
        CatalogsAction::FilesCollected { batch, files, bytes } => {
            if files.is_empty() {
                state.opening = None;
                notify(state, NoticeKind::Refused { reason: "there are no files in it".to_owned() });
            } else {
                let mut names: Vec<String> = files.iter().map(|file| file.root.clone()).collect();
                names.dedup();
                state.opening = Opening::of(names, Some(bytes));
                open_files(state, effects, files, batch);
            }
        }
        CatalogsAction::FilesRefused(reason) => {
            state.opening = None;
            notify(state, NoticeKind::Refused { reason });
        }
        CatalogsAction::Pasted(text) => {
            state.dialog = None;
            match Fragment::of_address(&text) {
                Some(target) => session::follow_link(state, effects, target),
                None => command(state, effects, Command::Paste { text, name: None }),
            }
        }
        CatalogsAction::TextEntered { text, name } => {
            // If it cannot be read, the dialog comes back with it.
            state.unread = Some(Unread { text: text.clone(), reason: String::new() });
            let name = name.trim();
            match name.is_empty() {
                true => handle(state, effects, CatalogsAction::Pasted(text)),
                false => {
                    state.dialog = None;
                    command(state, effects, Command::Paste { text, name: Some(name.to_owned()) });
                }
            }
        }
        CatalogsAction::ExampleChosen => {
            let package = Some(EXAMPLE_PACKAGE.to_owned());
            state.pending_selection = Some(NamedSelection { catalog: String::new(), package, entry: None });
            command(state, effects, Command::Paste { text: EXAMPLE.to_owned(), name: None });
        }
        CatalogsAction::ExamplesAsked => {
            state.dialog = Some(Dialog::Examples);
            if state.examples.is_empty() {
                send_query(state, effects, query::Examples {});
            }
        }
        CatalogsAction::ExampleOpened(slug) => session::open_example(state, effects, slug),
        CatalogsAction::FixApplied { what, edit, .. } => authoring::apply_fix(state, effects, what, edit),
        CatalogsAction::SourceEdited { catalog, name, namespace, priority } => {
            state.dialog = None;
            command(state, effects, Command::DescribeCatalog { catalog, name, namespace, priority });
        }
        CatalogsAction::ListAsked(catalog) => _ = send_query(state, effects, query::List { catalog }),
        CatalogsAction::DownloadAsked(what) => _ = send_query(state, effects, query::Download { what }),
        CatalogsAction::Authored(target, input) => authoring::write(state, effects, target, input),
        CatalogsAction::BundleRulesChosen { catalog, rules } => {
            command(state, effects, Command::SetBundleRules { catalog, rules });
        }
        CatalogsAction::Removed(catalog) => session::remove(state, effects, catalog),
        CatalogsAction::Cleared => session::clear(state, effects),
        CatalogsAction::RestoreAsked => {
            state.worker.not_restored = false;
            command(state, effects, Command::Restore);
        }
    }
}

impl Take<query::Download> for Arrival<'_> {
    fn take(&mut self, query: query::Download, name: Result<String, String>) {
        match name {
            Ok(names) if query.what == Download::Unsaved => self.effects.push(Effect::SaveToDisk { names }),
            Ok(name) => {
                self.effects.push(Effect::SaveArrived { name: name.clone() });
                notify(self.state, NoticeKind::Saved { name });
            }
            Err(reason) => notify(self.state, NoticeKind::NotSaved { reason }),
        }
    }
}

impl Take<query::List> for Arrival<'_> {
    fn take(&mut self, _: query::List, view: ListView) {
        show_list(self.state, view);
    }
}

/// Opens the dialog that lists what a catalog or PackageManifests have.
pub(super) fn show_list(state: &mut State, view: ListView) {
    state.list = Some(Shared::new(view));
    state.dialog = Some(Dialog::List);
}

impl Take<query::Examples> for Arrival<'_> {
    fn take(&mut self, _: query::Examples, themes: Vec<ExampleTheme>) {
        self.state.examples.renew(themes);
    }
}

// An ImageSetConfiguration, and what oc-mirror makes of a catalog by it.

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

pub(super) fn handle_mirror(state: &mut State, effects: &mut Vec<Effect>, action: MirrorAction) {
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
