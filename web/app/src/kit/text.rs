//! Texts: sentences with names in backticks, plurals and sizes.

use std::collections::BTreeSet;
use yew::prelude::*;

/// A sentence as text nodes, with text between backticks in `code` elements. Markup stays text.
pub(crate) fn prose(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(index, part)| match (index % 2, part.is_empty()) {
        (_, true) => Html::default(),
        (0, false) => html! { { part } },
        (_, false) => html! { <code class={leads(text, index)}>{ part }</code> },
    });
    html! { <>{ for parts }</> }
}

/// The class of a name with which a text begins: where a sentence gets a capital letter, a name does not.
fn leads(text: &str, index: usize) -> Option<&'static str> {
    (index == 1 && text.starts_with('`')).then_some("leads")
}

/// A misspelt name, and the name that its author probably meant.
#[derive(Clone, Copy)]
pub(crate) struct NearNames<'t> {
    /// The misspelt name.
    pub(crate) written: &'t str,
    /// The name that a help suggests.
    pub(crate) meant: &'t str,
}

impl<'t> NearNames<'t> {
    /// The names in a message and its help. `known` are names that exist, so that nobody meant another one.
    pub(crate) fn of(message: &'t str, help: &'t str, known: &[&str]) -> Option<Self> {
        let meant = help.strip_prefix("did you mean").and_then(|help| names(help).next())?;
        let written = names(message).filter(|name| !known.contains(name));
        let differences = written.filter_map(|name| Some((difference(name, meant)?, name)));
        let (_, written) = differences.min_by_key(|((start, end), _)| end - start)?;
        Some(Self { written, meant })
    }
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The sentence, with the first name of `marked` highlighted where it differs from the second one.
pub(crate) fn prose_marking(text: &str, marked: Option<(&str, &str)>) -> Html {
    let range = marked.and_then(|(name, other)| Some((name, difference(name, other)?)));
    let parts = text.split('`').enumerate().map(|(index, part)| match range {
        _ if index % 2 == 0 => html! { { part } },
        Some((name, (start, end))) if name == part => {
            html! { <code>{ &part[..start] }<mark>{ &part[start..end] }</mark>{ &part[end..] }</code> }
        }
        _ => html! { <code class={leads(text, index)}>{ part }</code> },
    });
    html! { <>{ for parts }</> }
}

/// Where a name differs from one that is nearly the same: all between what they begin and end with in common.
fn difference(name: &str, other: &str) -> Option<(usize, usize)> {
    let common = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    let start = common(&mut name.chars().zip(other.chars()));
    let end = common(&mut name[start..].chars().rev().zip(other[start..].chars().rev()));
    let is_near = name != other && (start + end) * 3 >= name.len() * 2;
    is_near.then_some((start, name.len() - end))
}

/// A name in two parts, of which the style sheet shortens the first: names often differ only at their ends.
pub(crate) fn in_two_parts(name: &str) -> Html {
    const END: usize = 10;
    let Some((at, _)) = name.char_indices().rev().nth(END - 1).filter(|(at, _)| *at > END) else {
        return html! { { name } };
    };
    let (start, end) = name.split_at(at);
    html! { <span class="two-parts"><span>{ start }</span><span>{ end }</span></span> }
}

/// The plural ending for a count.
pub(crate) const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// A number of bytes as text.
pub(crate) fn size(bytes: u32) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

// Items of lists, of selects and of suggestions.

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

#[cfg(test)]
mod tests {
    use super::{NearNames, difference};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_difference_of_near_names_is_between_what_they_have_in_common() {
        let marked = |name: &str, other: &str| difference(name, other).map(|(start, end)| name[start..end].to_owned());
        assert_eq!(marked("kettle.v1.0.0", "kettle.v1.O.0").as_deref(), Some("0"));
        assert_eq!(marked("kettle.v1.0.10", "kettle.v1.0.1").as_deref(), Some("0"));
        assert_eq!(marked("kettle.v1.0", "kettle.v1.0.0").as_deref(), Some(""), "nothing of it is different");
        assert_eq!(marked("kettle", "kettle"), None);
        assert_eq!(marked("kettle", "teapot"), None);
        let message = "2 heads: `kettle.v1.0`, `kettle.v1.1`; no entry is named `kettle.v1.0O`";
        let found = |known: &[&str]| NearNames::of(message, "did you mean `kettle.v1.0`?", known).map(|it| it.written);
        assert_eq!(found(&["kettle.v1.0", "kettle.v1.1"]), Some("kettle.v1.0O"));
        assert!(NearNames::of(message, "let one replace the others", &[]).is_none());
        assert_eq!(marked("käse.v1", "kåse.v1").as_deref(), Some("ä"));
    }
}
