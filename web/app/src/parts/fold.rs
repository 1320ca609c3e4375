//! Rows of facts, and folded parts of the details.

use yew::prelude::*;

/// A folded part: its name, what is in it in a few words, and its body.
pub(crate) fn fold(name: &str, value: &str, open: bool, body: Html) -> Html {
    html! { <details class="fold-row" key={name.to_owned()} {open}>
    <summary><span>{ name }</span><small>{ value }</small></summary>{ body }</details> }
}

pub(crate) fn fact_row(label: Html, value: Html) -> Html {
    html! { <div><dt>{ label }</dt><dd>{ value }</dd></div> }
}
