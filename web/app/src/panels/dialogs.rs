//! The open dialog.

use super::authoring::{retire_dialog, written_dialog};
use super::catalogs::{catalog_dialog, paste_dialog};
use super::close_dialog;
use super::examples::examples_dialog;
use super::list::list_dialog;
use super::new_bundle::new_bundle_dialog;
use super::palette::palette;
use super::rules::rule_dialog;
use super::share::{open_link_dialog, share_dialog};
use crate::kit::{Modal, choice};
use crate::store::{Action, Dialog, PageAction, State};
use views::CatalogId;
use yew::prelude::*;

/// The keyboard shortcuts; single-key shortcuts can be switched off.
const SINGLE: [(&str, &str); 9] = [
    ("/", "search"),
    ("g  r  t  d  f  s", "graph, reach, table, compare, findings, source"),
    ("e", "go to the selected entry"),
    ("c", "simulate: go to the cluster"),
    ("j  k", "next and previous package"),
    ("+  -  0  w  1", "in the graph: zoom (or use the wheel), fit, fit width, original size"),
    ("l", "at an entry in the graph: next edge or skipRange"),
    ("x", "examples"),
    ("?", "these shortcuts"),
];

const OTHER: [(&str, &str); 13] = [
    ("Ctrl K", "search, also in text fields"),
    ("Ctrl Enter", "run the simulation"),
    ("Ctrl V", "paste a catalog, cluster manifests or a link (outside text fields)"),
    ("Ctrl Z", "undo a change; with Shift, make it again (outside text fields)"),
    (
        "m  r  s  [  ]",
        "in the graph: edit; the selected entry replaces or skips this one, or its skipRange begins or ends here",
    ),
    ("← → ↑ ↓", "in the graph and the tables: move between entries along the edges"),
    ("Enter", "select the entry, or show the path of a cell"),
    ("Shift Enter", "show the path from the selected entry, or another end of the path that is shown (or Shift-click)"),
    ("Shift ← → ↑ ↓", "move the graph"),
    ("Esc", "close the path, then the entry, or a dialog"),
    ("F8", "in the source: next finding; Shift-F8 previous finding"),
    ("Alt-F5", "in the source: next change; Shift-Alt-F5 previous change"),
    ("F12", "in the source: go to definition (or Ctrl-click)"),
];

/// The open dialog.
pub(crate) fn dialogs(state: &State, send: &Callback<Action>) -> Html {
    match state.dialog {
        None => Html::default(),
        Some(Dialog::Paste) => paste_dialog(send),
        Some(Dialog::Palette) => palette(state, send),
        Some(Dialog::Shortcuts) => shortcuts(state, send),
        Some(Dialog::Examples) => examples_dialog(state, send),
        Some(Dialog::Rule) => rule_dialog(state, send),
        Some(Dialog::Share) => share_dialog(state, send),
        Some(Dialog::NewBundle) => {
            state.new_bundle.as_ref().map(|new| new_bundle_dialog(new, send)).unwrap_or_default()
        }
        Some(Dialog::Retire) => retire_dialog(state, send),
        Some(Dialog::Written) => written_dialog(state, send),
        Some(Dialog::List) => state.list.as_ref().map(|view| list_dialog(view, send)).unwrap_or_default(),
        Some(Dialog::OpenLink) => open_link_dialog(state, send),
        Some(Dialog::Catalog(id)) => dialog_of(state, id, send),
    }
}

fn dialog_of(state: &State, id: CatalogId, send: &Callback<Action>) -> Html {
    let is_baseline = state.overview.baselines.iter().any(|row| row.id == id);
    state.catalog(id).map(|row| catalog_dialog(row, is_baseline, send)).unwrap_or_default()
}

fn shortcuts(state: &State, send: &Callback<Action>) -> Html {
    let row =
        |(keys, help): &(&'static str, &'static str)| html! { <><dt><kbd>{ *keys }</kbd></dt><dd>{ *help }</dd></> };
    let keys = [(true, "on"), (false, "off")];
    html! {
        <Modal title="Keyboard" testid="shortcuts" on_close={close_dialog(send)}>
            <dl class="shortcuts">{ for OTHER.iter().map(row) }</dl>
            <div class="bar">
                <h3>{ "Single keys" }</h3>
                <span class="grow"></span>
                { choice("Single keys", &keys, !state.single_keys_off, send, |on| PageAction::SingleKeysChosen { on }) }
            </div>
            <dl class={classes!("shortcuts", state.single_keys_off.then_some("off"))}>
                { for SINGLE.iter().map(row) }
            </dl>
        </Modal>
    }
}
