//! Keeps the texts of findings short, however long the names in them are.

/// Texts of findings up to this many bytes stay as they are. No sentence of a rule is longer by itself.
const LONG_TEXT: usize = 1024;
/// How much is left of a name in a longer text, in bytes: no name of Kubernetes is longer than 253.
const NAME: usize = 256;
/// The most bytes of a text, whatever it consists of.
const MAX_TEXT: usize = 8192;

/// The text with what stands between its backticks cut to 256 bytes, if it is long: a name of megabytes would be repeated in
/// every finding about it.
pub(crate) fn shortened(text: String) -> String {
    if text.len() <= LONG_TEXT {
        return text;
    }
    let mut short = String::new();
    for (at, part) in text.split('`').enumerate() {
        if at > 0 {
            short.push('`');
        }
        short.push_str(&part[..part.floor_char_boundary(NAME)]);
        short.push_str(if part.len() > NAME { "…" } else { "" });
        if short.len() > MAX_TEXT {
            break;
        }
    }
    shortened_line(short, MAX_TEXT)
}

/// A line that another program prints to the letter, with its middle left out if it is longer than `most` bytes.
pub(crate) fn shortened_line(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let start = &text[..text.floor_char_boundary(most / 2)];
    let end = &text[text.ceil_char_boundary(text.len() - most / 2)..];
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_texts_are_shortened() {
        let usual = format!("the package `{}` has no channel", "x".repeat(900));
        assert_eq!(shortened(usual.clone()), usual);
        let long = format!("`{}` replaces `{}`, which does not exist", "é".repeat(5000), "b".repeat(300));
        let expected = format!("`{}…` replaces `{}…`, which does not exist", "é".repeat(128), "b".repeat(256));
        assert_eq!(shortened(long), expected);
    }

    #[test]
    fn nothing_makes_a_text_long() {
        for text in ["`a", "a", "é`", "`"] {
            assert!(shortened(text.repeat(1_000_000)).len() <= MAX_TEXT + 3, "{text}");
        }
    }

    #[test]
    fn a_line_keeps_both_ends() {
        assert_eq!(shortened_line("abcdef".to_owned(), 6), "abcdef");
        assert_eq!(shortened_line("abcdefg".to_owned(), 4), "ab…fg");
        assert_eq!(shortened_line("ééé".to_owned(), 3), "…");
    }
}
