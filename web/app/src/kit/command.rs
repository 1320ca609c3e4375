//! A command line with a button that copies it.

use super::{press, prose};
use std::rc::Rc;
use yew::prelude::*;

/// The command; `copy` receives it when it is to be copied.
pub(crate) fn command(text: &str, copy: &Callback<Rc<str>>) -> Html {
    let shown: Rc<str> = text.into();
    let onclick = press(copy, Rc::clone(&shown));
    html! {
        <span class="command">
            <code>{ shown }</code>
            <button type="button" class="link" {onclick}>{ "Copy" }</button>
        </span>
    }
}

/// The command, or why there is none.
pub(crate) fn command_if_any(found: &Result<String, String>, copy: &Callback<Rc<str>>) -> Html {
    match found {
        Ok(text) => command(text, copy),
        Err(reason) => html! { <span class="mute">{ prose(&format!("no command, because {reason}")) }</span> },
    }
}
