//! The open dialog.

use super::authoring::{new_bundle_dialog, retire_dialog, written_dialog};
use super::catalogs::{catalog_dialog, list_dialog, paste_dialog};
use super::close_dialog;
use super::empty::examples_dialog;
use super::findings::rule_dialog;
use super::palette::palette;
use crate::dom;
use crate::kit::{Modal, button, choice, press, size};
use crate::store::{Action, Dialog, LinkTarget, PageAction, SessionAction, Shared, State, Tab};
use views::{CatalogId, LONGEST_LINK, ShareView};
use yew::prelude::*;

/// The keyboard shortcuts; single-key shortcuts can be switched off.
const SINGLE: [(&str, &str); 12] = [
    ("/", "search"),
    ("g  r  t  d  f  s", "graph, reach, table, compare, findings, source"),
    ("1 … 6", "outside the graph: graph, reach, table, compare, source, findings"),
    ("e", "go to the selected entry"),
    ("c", "simulate: go to the cluster"),
    ("j  k", "next and previous package"),
    ("p", "present: only the headline and the drawing; the arrows lead to other packages and states, Esc ends it"),
    ("+  -  0  w  1", "in the graph: zoom (or use the wheel), fit, fit width, original size"),
    ("l", "at an entry in the graph: next edge or skipRange"),
    (
        "m",
        "in the graph: edit; then r s [ ]: the entry replaces or skips this one, or its skipRange begins or ends here",
    ),
    ("x", "examples"),
    ("?", "these shortcuts"),
];

const OTHER: [(&str, &str); 12] = [
    ("Ctrl K", "search, also in text fields"),
    ("Ctrl Enter", "run the simulation"),
    ("Ctrl V", "paste a catalog, cluster manifests or a link (outside text fields)"),
    ("Ctrl Z", "undo a change; with Shift, make it again (outside text fields)"),
    ("← → ↑ ↓", "in the graph and the tables: move between entries along the edges"),
    ("Enter", "select the entry, or show the path of a cell"),
    ("Shift Enter", "show the path from the selected entry, or another end of the path that is shown (or Shift-click)"),
    ("Shift ← → ↑ ↓", "move the graph"),
    ("Esc", "close the path, then the entry, or a dialog"),
    ("F8", "in the source: next finding; Shift-F8 previous finding"),
    ("Alt-F5", "in the source: next change; Shift-Alt-F5 previous change"),
    ("F12", "in the source: go to definition (or Ctrl-click)"),
];

pub(crate) fn dialogs(state: &State, send: &Callback<Action>) -> Html {
    match state.dialog {
        None => Html::default(),
        Some(Dialog::Paste) => paste_dialog(state, send),
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

// Sharing a session: as a link, as an embedded page, or as a file.

fn share_dialog(state: &State, send: &Callback<Action>) -> Html {
    html! {
        <Modal title="Share" testid="share-dialog" on_close={close_dialog(send)}>
            <p>{ "Shares this session: the catalogs with your edits, the cluster, the selection and the view." }</p>
            if let Some(view) = &state.share {
                <Offer view={view.clone()} simulates={state.tab == Tab::Simulate} />
            } else {
                <p class="mute" role="status">{ "Packing…" }</p>
            }
            <p class="mute">
                { "A link holds everything behind its " }<code>{ "#" }</code>
                { ", which browsers never send to a server. Everyone who opens the link gets their own copy." }
            </p>
        </Modal>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct Props {
    view: Shared<ShareView>,
    /// Whether the simulation is shown.
    simulates: bool,
}

/// What a link is for.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// What the simulation shows, without the rest of the catalogs.
    Scene,
    Link,
    Embedded,
}

#[component]
fn Offer(props: &Props) -> Html {
    let has_scene = props.view.scene.is_some();
    // Of a large catalog nothing else is short enough.
    let is_scene = has_scene && (props.simulates || props.view.link.is_none());
    let form = use_state(|| if is_scene { Form::Scene } else { Form::Link });
    let chosen = {
        let form = form.clone();
        Callback::from(move |value| form.set(value))
    };
    let forms = [(Form::Scene, "This simulation"), (Form::Link, "Whole session"), (Form::Embedded, "Embed")];
    let forms = if has_scene { &forms[..] } else { &forms[1..] };
    let address = dom::address();
    // Check the longer of the two forms, so that switching between them never exceeds the limit.
    let length = |link: usize| address.len() + "#embed&share=".len() + link;
    let length = match (*form, &props.view.scene) {
        (Form::Scene, Some(scene)) => length(scene.len()),
        _ => length(props.view.length as usize),
    };
    let link = if *form == Form::Scene { &props.view.scene } else { &props.view.link };
    let link = link.as_ref().filter(|_| length <= LONGEST_LINK as usize);
    let text = link.map(|link| match *form {
        Form::Scene | Form::Link => format!("{address}#share={link}"),
        Form::Embedded => {
            let source = format!("{address}#embed&amp;share={link}");
            format!("<iframe src=\"{source}\" width=\"100%\" height=\"640\" title=\"Opscope\"></iframe>")
        }
    });
    html! {
        <>
            if text.is_some() || has_scene {
                <div class="bar">
                    { choice("Link type", forms, *form, &chosen, |form| form) }
                    <span class="mute">{ format!("{length} of {LONGEST_LINK} characters") }</span>
                </div>
            }
            if let Some(text) = text {
                <Copied key={if *form == Form::Embedded { "embedded" } else { "link" }} {text} />
            } else {
                <p class="remark" data-testid="share-too-long">
                    { format!(
                        "A link would have {length} characters, and browsers and chats cut links after {LONGEST_LINK}. \
                         Save a file instead."
                    ) }
                </p>
            }
            <p class="actions">
                <a class="button" data-testid="share-file" href={props.view.file.clone()} download="visit.opscope">
                    { "Save as file" }{ " · " }{ size(props.view.bytes) }
                </a>
                <span class="mute">{ "To open the file, drop it on this page." }</span>
            </p>
        </>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct CopiedProps {
    text: AttrValue,
}

/// A text with a Copy button that confirms.
#[component]
fn Copied(props: &CopiedProps) -> Html {
    let done = use_state(|| None::<bool>);
    let onclick = {
        let (text, done) = (props.text.clone(), done.clone());
        Callback::from(move |_: MouseEvent| {
            let done = done.clone();
            dom::copy_and(&text, move |copied| done.set(Some(copied)));
        })
    };
    let said = match *done {
        None => "",
        Some(true) => "Copied.",
        Some(false) => "The browser blocked copying. Select the text and copy it.",
    };
    html! {
        <div class="copy">
            <input readonly=true aria-label="To copy" data-testid="share-link" value={props.text.clone()}
                onfocus={|event: FocusEvent| dom::select_all(&event)} />
            <button type="button" class="primary" autofocus=true data-testid="share-copy" {onclick}>{ "Copy" }</button>
            <span role="status" class="mute" data-testid="share-copied">{ said }</span>
        </div>
    }
}

/// The dialog that asks before a link replaces the user's own catalogs and cluster.
fn open_link_dialog(state: &State, send: &Callback<Action>) -> Html {
    let what = match &state.pending_link {
        Some(LinkTarget::Example(_)) => "The link opens an example.",
        _ => "The link contains catalogs.",
    };
    let catalogs = match state.overview.catalogs.len() {
        0 => "the catalogs of your last session".to_owned(),
        1 => "your catalog and your cluster".to_owned(),
        count => format!("your {count} catalogs and your cluster"),
    };
    let open = press(send, SessionAction::OpenLinkAnswered { yes: true });
    html! {
        <Modal title="Open the link?" testid="link-dialog"
            on_close={close_dialog(send)}>
            <p>{ what }{ " It replaces " }{ catalogs }{ ". You can undo this until you close the tab." }</p>
            <p class="actions">
                { button("link-keep", "Keep mine", send, SessionAction::OpenLinkAnswered { yes: false }) }
                <button type="button" class="primary" autofocus=true data-testid="link-open" onclick={open}>
                    { "Open" }
                </button>
            </p>
        </Modal>
    }
}
