//! The line breaks of YAML 1.1 that later versions take for text: NEL, LS and PS. yaml.v2 ends lines at them, also those of
//! comments and block scalars; our parser does not.

use memchr::memmem::find_iter;
use std::borrow::Cow;

const BREAKS: [&str; 3] = ["\u{85}", "\u{2028}", "\u{2029}"];

/// The chunk with each of them as blanks and a line feed, so that every other byte stays where it is.
///
/// What a scalar says may differ in white space: yaml.v2 keeps LS and PS in it, and a block scalar gets the blanks.
pub(super) fn as_line_feeds(chunk: &str) -> Cow<'_, str> {
    if chunk.is_ascii() || count(chunk.as_bytes()) == 0 {
        return Cow::Borrowed(chunk);
    }
    Cow::Owned(chunk.replace(BREAKS[0], " \n").replace(BREAKS[1], "  \n").replace(BREAKS[2], "  \n"))
}

/// How many there are.
pub(super) fn count(bytes: &[u8]) -> usize {
    BREAKS.iter().map(|line_break| find_iter(bytes, line_break).count()).sum()
}
