//! Sharing a session: as a link, as an embedded page, or as a file.

use super::close_dialog;
use crate::dom;
use crate::kit::{Modal, button, choice, press, size};
use crate::store::{Action, LinkTarget, SessionAction, Shared, State};
use views::{LONGEST_LINK, ShareView};
use yew::prelude::*;

pub(super) fn share_dialog(state: &State, send: &Callback<Action>) -> Html {
    html! {
        <Modal title="Share" testid="share-dialog" on_close={close_dialog(send)}>
            <p>{ "Shares this session: the catalogs with your edits, the cluster, the selection and the view." }</p>
            if let Some(view) = &state.share {
                <Offer view={view.clone()} />
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
}

/// What a link is for.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Link,
    Embedded,
}

#[component]
fn Offer(props: &Props) -> Html {
    let form = use_state(|| Form::Link);
    let chosen = {
        let form = form.clone();
        Callback::from(move |value| form.set(value))
    };
    let forms = [(Form::Link, "Link"), (Form::Embedded, "Embed")];
    let address = dom::address();
    // Check the longer of the two forms, so that switching between them never exceeds the limit.
    let length = address.len() + "#embed&share=".len() + props.view.length as usize;
    let link = props.view.link.as_ref().filter(|_| length <= LONGEST_LINK as usize);
    let text = link.map(|link| match *form {
        Form::Link => format!("{address}#share={link}"),
        Form::Embedded => {
            let source = format!("{address}#embed&amp;share={link}");
            format!("<iframe src=\"{source}\" width=\"100%\" height=\"640\" title=\"Opscope\"></iframe>")
        }
    });
    html! {
        <>
            if let Some(text) = text {
                <div class="bar">
                    { choice("Link type", &forms, *form, &chosen, |form| form) }
                    <span class="mute">{ format!("{length} of {LONGEST_LINK} characters") }</span>
                </div>
                <Copied key={if *form == Form::Link { "link" } else { "embedded" }} {text} />
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
pub(super) fn open_link_dialog(state: &State, send: &Callback<Action>) -> Html {
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
