//! A command line with a button that copies it.

use super::press;
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
