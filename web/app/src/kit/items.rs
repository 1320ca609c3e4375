//! Items of lists, of selects and of suggestions.

use super::prose;
use std::collections::BTreeSet;
use yew::prelude::*;

/// An item for each text; names in backticks are in `code` elements.
pub(crate) fn prose_items<T: AsRef<str>>(texts: &[T]) -> Html {
    html! { <>{ for texts.iter().map(|text| html! { <li>{ prose(text.as_ref()) }</li> }) }</> }
}

/// An option of a `select`.
pub(crate) fn option(value: impl Into<AttrValue>, is_selected: bool, text: &str) -> Html {
    html! { <option value={value.into()} selected={is_selected}>{ text }</option> }
}

/// What the browser suggests for fields that name this list.
pub(crate) fn suggestions(id: impl Into<AttrValue>, texts: BTreeSet<String>) -> Html {
    let text = |text: String| html! { <option value={text} /> };
    html! { <datalist id={id.into()}>{ for texts.into_iter().map(text) }</datalist> }
}
