//! Items of lists, of selects and of suggestions.

use super::prose;
use std::collections::BTreeSet;
use yew::prelude::*;

/// An item for each text; names in backticks are in `code` elements.
pub(crate) fn prose_items<T: AsRef<str>>(texts: &[T]) -> Html {
    html! { <>{ for texts.iter().map(|text| html! { <li>{ prose(text.as_ref()) }</li> }) }</> }
}

/// Rows with the same key together, in the order of the first one of each key.
pub(crate) fn grouped<'r, T, K: PartialEq>(rows: &'r [T], key: impl Fn(&'r T) -> K) -> Vec<Vec<&'r T>> {
    let mut groups: Vec<(K, Vec<&T>)> = Vec::new();
    for row in rows {
        let key = key(row);
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, group)) => group.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// A list whose items after the first `few` are folded, if they are more than one; `kind` follows their number.
pub(crate) fn folded<T>(items: &[T], few: usize, kind: &str, list: impl Fn(&[T]) -> Html) -> Html {
    // To unfold a single item takes as much room as the item.
    let (first, rest) = items.split_at(if items.len() > few + 1 { few } else { items.len() });
    html! {
        <>
            { list(first) }
            if !rest.is_empty() {
                <details><summary>{ format!("{} more{kind}", rest.len()) }</summary>{ list(rest) }</details>
            }
        </>
    }
}

pub(crate) fn option(value: impl Into<AttrValue>, is_selected: bool, text: &str) -> Html {
    html! { <option value={value.into()} selected={is_selected}>{ text }</option> }
}

/// What the browser suggests for fields that name this list.
pub(crate) fn suggestions(id: impl Into<AttrValue>, texts: BTreeSet<String>) -> Html {
    let text = |text: String| html! { <option value={text} /> };
    html! { <datalist id={id.into()}>{ for texts.into_iter().map(text) }</datalist> }
}
