//! Makes texts of others harmless and short where they are shown. Names in catalogs, paths of files and texts of
//! clusters may contain anything: sequences that move the cursor, marks that turn the direction of writing, line breaks,
//! markup.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether the character does something to the text around it instead of being shown: control characters, line separators and
/// the marks that override the direction of writing.
#[must_use]
pub const fn is_control(character: char) -> bool {
    // Unicode has its control characters below U+00A0.
    matches!(
        character,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// Appends the character as `\u001b`, which JSON and YAML read as the character; those with a short form as that.
pub fn push_escaped(to: &mut String, character: char) {
    match character {
        '\n' => to.push_str("\\n"),
        '\r' => to.push_str("\\r"),
        '\t' => to.push_str("\\t"),
        // A String takes everything.
        _ => drop(write!(to, "\\u{:04x}", u32::from(character))),
    }
}

/// The text as one line, with [control characters](is_control) escaped.
///
/// ```
/// assert_eq!(source::one_line("a\n\x1b[2J\u{202e}b"), "a\\n\\u001b[2J\\u202eb");
/// ```
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_control(character) {
            push_escaped(&mut shown, character);
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Text that Markdown shows as it is, except for code between backticks. It can stand wherever a paragraph, an item of a list or a
/// cell of a table has text.
///
/// ```
/// assert_eq!(source::markdown("`a.v1` <img> *b*"), "`a.v1` &lt;img&gt; \\*b\\*");
/// ```
#[must_use]
pub fn markdown(text: &str) -> String {
    let text = text.trim();
    let mut shown = String::new();
    let mut is_code = false;
    let closes = text.matches('`').count().is_multiple_of(2) && !text.contains("``");
    // A number and one of these characters begin a list, if they begin a line.
    let number = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    for (at, character) in text.char_indices() {
        match character {
            '`' if closes => {
                is_code = !is_code;
                shown.push('`');
            }
            '\n' | '\r' => shown.push(' '),
            '|' => shown += "\\|",
            _ if is_control(character) => push_escaped(&mut shown, character),
            _ if is_code => shown.push(character),
            '<' => shown += "&lt;",
            '>' => shown += "&gt;",
            '&' => shown += "&amp;",
            // So that nobody is notified, and nothing becomes a link.
            '@' => shown += "@<!-- -->",
            ':' if text[at..].starts_with("://") => shown += ":<!-- -->",
            '.' if text[..at].ends_with("www") => shown += "<!-- -->.",
            '-' | '+' | '=' if at == 0 => shown.extend(['\\', character]),
            '.' | ')' if at == number && !text[at + 1..].starts_with(|c: char| !c.is_whitespace()) => {
                shown.extend(['\\', character]);
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '!' | '~' | '$' => shown.extend(['\\', character]),
            _ => shown.push(character),
        }
    }
    shown
}

/// Lines that Markdown shows as they are, in a fence: `info` names their language. `indent` is that of the item of a list whose part
/// they are, as blanks; ends with a line break.
///
/// ```
/// assert_eq!(source::fenced("", "diff", "-a\n+b\n"), "```diff\n-a\n+b\n```\n");
/// ```
#[must_use]
pub fn fenced(indent: &str, info: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(3.max(longest + 1));
    let lines: String = text.lines().map(|line| format!("{indent}{line}\n")).collect();
    format!("{indent}{fence}{info}\n{lines}{indent}{fence}\n")
}

// Keeps the texts of findings short, however long the names in them are.

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
    fn text_of_catalogs_is_no_markup() {
        assert_eq!(markdown("a|b <img> *c* `x|<y>`"), "a\\|b &lt;img&gt; \\*c\\* `x\\|<y>`");
        assert_eq!(markdown("`` <b>`x`"), "\\`\\` &lt;b&gt;\\`x\\`");
        assert_eq!(markdown("one ` alone\n@someone"), "one \\` alone @<!-- -->someone");
        assert_eq!(markdown("at: https://www.x `https://y`"), "at: https:<!-- -->//www<!-- -->.x `https://y`");
    }

    #[test]
    fn usual_text_is_not_copied() {
        assert!(matches!(one_line("étcd `a`: b"), Cow::Borrowed(_)));
        assert_eq!(one_line("\u{9b}\t\u{2028}"), "\\u009b\\t\\u2028");
    }

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
