//! The dialog that is open.

use super::catalogs::{catalog_dialog, paste_dialog};
use super::examples::examples_dialog;
use super::header::themes;
use super::rule::rule_dialog;
use crate::kit::Modal;
use crate::store::{Action, Dialog, State};
use yew::prelude::*;

const SHORTCUTS: [(&str, &str); 15] = [
    ("/", "search packages"),
    ("j  k", "next and previous package"),
    ("1 2 3 4 5", "graph, reach, table, source, findings"),
    ("Ctrl Enter", "run the simulation"),
    ("Ctrl V", "open a copied catalog, or manifests of a cluster (outside text fields)"),
    ("← → ↑ ↓", "in the graph and the tables: from entry to entry, along the edges"),
    ("Enter", "select the entry, show the way of a cell"),
    ("Shift Enter", "the path from the selected entry (also Shift and a click)"),
    ("Shift ← → ↑ ↓", "move the graph"),
    ("+  -  0", "zoom the graph (also the wheel), its own size"),
    ("f  w", "fit the graph, or its width"),
    ("Esc", "leave the path, then the entry; close a dialog"),
    ("F8", "in the source: the next finding; Shift-F8 the one before"),
    ("F12", "in the source: go to the definition, as Ctrl-click does"),
    ("?", "these shortcuts"),
];

/// The dialog that is open, if one is.
pub(crate) fn dialogs(state: &State, send: &Callback<Action>) -> Html {
    match state.dialog {
        None => Html::default(),
        Some(Dialog::Paste) => paste_dialog(send),
        Some(Dialog::Shortcuts) => shortcuts(state, send),
        Some(Dialog::Clear) => confirm_clear(send),
        Some(Dialog::Examples) => examples_dialog(state, send),
        Some(Dialog::Rule) => rule_dialog(&state.rules, send),
        Some(Dialog::Catalog(id)) => state.catalog(id).map(|row| catalog_dialog(row, send)).unwrap_or_default(),
    }
}

fn shortcuts(state: &State, send: &Callback<Action>) -> Html {
    let rows = SHORTCUTS.iter().map(|(keys, help)| html! { <><dt><kbd>{ *keys }</kbd></dt><dd>{ *help }</dd></> });
    html! {
        <Modal title="Keyboard" testid="shortcuts" on_close={send.reform(|()| Action::DialogClosed)}>
            <dl class="shortcuts">{ for rows }</dl>
            <h3>{ "Colours" }</h3>
            { themes(state, send) }
        </Modal>
    }
}

fn confirm_clear(send: &Callback<Action>) -> Html {
    let clear = send.reform(|_: MouseEvent| Action::Cleared);
    let keep = send.reform(|_: MouseEvent| Action::DialogClosed);
    html! {
        <Modal title="Clear everything?" testid="clear-dialog" on_close={send.reform(|()| Action::DialogClosed)}>
            <p>{ "All catalogs with their edits, and all Subscriptions, are forgotten in this browser." }</p>
            <p class="actions">
                <button type="button" autofocus=true onclick={keep}>{ "Keep" }</button>
                <button type="button" class="danger" data-testid="clear-confirm" onclick={clear}>{ "Clear all" }</button>
            </p>
        </Modal>
    }
}
