//! Lists in sentences.

use std::fmt::Display;

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
