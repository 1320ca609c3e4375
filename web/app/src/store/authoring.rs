//! Releases, removals and deprecations: written into a catalog that is open, or shown for the catalogs of a set. Calls
//! `apply_fix`, `new_bundle` and `source`.

use super::request::{Arrival, notify, send_query};
use super::{
    Dialog, Effect, FileUndo, NamedSides, NoticeKind, Pane, Shared, State, Tab, Written, apply_fix, new_bundle, source,
};
use views::{Authored, AuthoringInput, Deprecatee, Presence, Revision, Take, Target, WrittenView, query};

/// Writes into a catalog, or asks what would be written into the catalogs of a set.
pub(super) fn write(state: &mut State, effects: &mut Vec<Effect>, target: Target, input: AuthoringInput) {
    match target {
        Target::Catalog(catalog) => {
            state.dialog = None;
            apply_fix::author(state, effects, catalog, input);
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
                apply_fix::same_texts(state, before, revision);
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
            let Some((selection, what)) = new_bundle::tried(state, catalog, trial, undo.clone()) else { return };
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
