//! Texts: sentences with names in backticks, plurals and sizes.

use yew::prelude::*;

/// A sentence as text nodes, with text between backticks in `code` elements. Markup stays text.
pub(crate) fn prose(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(index, part)| match (index % 2, part.is_empty()) {
        (_, true) => Html::default(),
        (0, false) => html! { { part } },
        (_, false) => html! { <code>{ part }</code> },
    });
    html! { <>{ for parts }</> }
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
