//! The bytes of an input as text.

/// The bytes as text: a few bytes that are not UTF-8 should not end a check early.
pub(super) fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}
