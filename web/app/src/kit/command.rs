//! A command line with a button that copies it.

use std::rc::Rc;
use yew::prelude::*;

/// The command; `copy` receives it when it is to be copied.
pub(crate) fn command(text: &str, copy: &Callback<Rc<str>>) -> Html {
    let (shown, copied): (Rc<str>, Rc<str>) = (text.into(), text.into());
    let onclick = copy.reform(move |_: MouseEvent| copied.clone());
    html! {
        <span class="command">
            <code>{ shown }</code>
            <button type="button" class="link" {onclick}>{ "Copy" }</button>
        </span>
    }
}
