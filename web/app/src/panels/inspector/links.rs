//! Links and definitions of which the details are made.

use crate::kit::press;
use crate::store::{Action, ExploreAction, NavigationAction};
use views::{EntryKey, Subject};
use yew::prelude::*;

/// A button that opens the details of a subject.
pub(super) fn about(title: &'static str, text: &str, subject: Subject, send: &Callback<Action>) -> Html {
    let onclick = press(send, ExploreAction::SubjectSelected(subject));
    html! {
        <button type="button" class="link" {title} aria-label={format!("{text}, {title}")} {onclick}>{ text }</button>
    }
}

pub(super) fn definition(name: &str, value: Html) -> Html {
    html! { <><dt>{ name }</dt><dd>{ value }</dd></> }
}

/// A link to an entry in a channel. `text` is the name, optionally followed by a blank and a remark.
pub(super) fn entry_link(channel: Option<&str>, text: &str, send: &Callback<Action>) -> Html {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let key = EntryKey { channel: channel.map(str::to_owned), name: name.to_owned() };
    html! { <>{ entry_button(key, name, send) }if !rest.is_empty() { <span class="mute">{ " " }{ rest }</span> }</> }
}

pub(super) fn entry_button(key: EntryKey, label: &str, send: &Callback<Action>) -> Html {
    let onclick = press(send, NavigationAction::EntrySelected(key));
    html! { <button type="button" class="link mono" {onclick}>{ label }</button> }
}
