//! Names in sentences.

/// The number of names that a sentence lists; it counts the others.
pub(super) const LISTED: usize = 4;

/// `a, b or c`, or `a, b, c, d or 7 more`.
pub(in super::super) fn listed(names: impl Iterator<Item = String>, last: &str) -> String {
    source::joined(names, LISTED, last)
}
