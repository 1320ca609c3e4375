//! Opening files, texts and examples as catalogs, and changing and removing catalogs. Calls `apply_fix` and `session`.

use super::action::CatalogsAction;
use super::request::{Arrival, command, notify, open_files, send_query};
use super::{
    Dialog, Effect, Fragment, NamedSelection, NoticeKind, Opening, Shared, State, apply_fix, authoring, session,
};
use views::{Command, Download, ExampleTheme, ListView, Take, query};

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
        CatalogsAction::FixApplied { what, edit, .. } => apply_fix::apply(state, effects, what, edit),
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
