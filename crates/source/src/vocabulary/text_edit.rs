//! Edits of a text.

use crate::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// Bytes of a text, and what takes their place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
pub struct TextEdit {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The new text.
    pub text: String,
}

impl TextEdit {
    /// Another text in the place of a span.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { start: span.start, end: span.end, text: text.into() }
    }

    /// The bytes of a text that are replaced; empty if they do not fit the text.
    #[must_use]
    pub fn replaced<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// By how many bytes the text behind the edit moves.
    #[must_use]
    pub fn shift(&self) -> i64 {
        self.text.len() as i64 - i64::from(self.end - self.start)
    }

    /// Whether edits are in the order of the text and apart from each other.
    #[must_use]
    pub fn are_apart(edits: &[Self]) -> bool {
        edits.windows(2).all(|pair| pair[0].end <= pair[1].start)
    }

    /// A text with edits, which are in its order and apart from each other. `None` if one does not fit the text.
    ///
    /// ```
    /// use source::TextEdit;
    ///
    /// let edit = |start, end, text: &str| TextEdit { start, end, text: text.to_owned() };
    /// assert_eq!(TextEdit::applied(&[edit(0, 1, "b"), edit(2, 2, "c")], "a a").as_deref(), Some("b ca"));
    /// assert_eq!(TextEdit::applied(&[edit(2, 9, "")], "a a"), None);
    /// ```
    #[must_use]
    pub fn applied(edits: &[Self], text: &str) -> Option<String> {
        let mut new = String::new();
        let mut rest = 0;
        for edit in edits {
            new += text.get(rest..edit.start as usize)?;
            new += &edit.text;
            rest = edit.end as usize;
        }
        new += text.get(rest..)?;
        Some(new)
    }
}

// Lists in sentences.

/// Items in a sentence, with the word `last` before the last one: `a, b or c`. Behind the first `most` the others are a number:
/// `a, b or 7 more`.
///
/// ```
/// assert_eq!(source::joined(["a", "b", "c"], 3, "and"), "a, b and c");
/// assert_eq!(source::joined(["a", "b", "c", "d"], 3, "or"), "a, b, c or 1 more");
/// ```
pub fn joined(items: impl IntoIterator<Item: Display>, most: usize, last: &str) -> String {
    let (mut texts, more) = first(items, most);
    texts.extend((more > 0).then(|| format!("{more} more")));
    match &*texts {
        [before @ .., end] if !before.is_empty() => format!("{} {last} {end}", before.join(", ")),
        _ => texts.concat(),
    }
}

/// The first `most` items, and the others as a number: `a, b`, or `a, b and 7 more`.
///
/// ```
/// assert_eq!(source::first_and_more(["a", "b"], 2), "a, b");
/// assert_eq!(source::first_and_more(["a", "b", "c"], 2), "a, b and 1 more");
/// ```
pub fn first_and_more(items: impl IntoIterator<Item: Display>, most: usize) -> String {
    match first(items, most) {
        (texts, 0) => texts.join(", "),
        (texts, more) => format!("{} and {more} more", texts.join(", ")),
    }
}

/// The texts of the first items, and how many others there are.
fn first(items: impl IntoIterator<Item: Display>, most: usize) -> (Vec<String>, usize) {
    let mut items = items.into_iter();
    let texts = items.by_ref().take(most).map(|item| item.to_string()).collect();
    (texts, items.count())
}
