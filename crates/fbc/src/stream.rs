//! The documents of a text: `k8s.io/apimachinery` `pkg/util/yaml/decoder.go`, going on where it gives up.

use memchr::memmem;
use std::ops::Range;

/// A piece of a YAML stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A document and perhaps more, of which only the first document is read.
    Chunk(Range<usize>),
    /// A line that begins with `---` and goes on with something else; without the line break.
    InvalidSeparator(Range<usize>),
}

/// Whether the text is read as concatenated JSON: its first 4096 bytes hold a `{` and only blanks before it.
pub(crate) fn is_json(text: &str) -> bool {
    const PEEK: usize = 4096;
    text[..text.floor_char_boundary(PEEK)].trim_start().starts_with('{')
}

/// The pieces of `text[from..]` between lines that begin with `---`. The separator belongs to the document after it
/// when nothing else stands between it and the separator before (which is how a leading `---` is no empty document).
pub(crate) fn yaml_pieces(text: &str, from: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = from;
    for line in separators(text, from) {
        let line_end = memchr::memchr(b'\n', &text.as_bytes()[line..]).map_or(text.len(), |at| line + at);
        let rest = text[line + 3..line_end].trim();
        let valid = rest.is_empty() || rest.starts_with('#');
        if line > start {
            pieces.push(Piece::Chunk(start..line));
        }
        if !valid {
            pieces.push(Piece::InvalidSeparator(line..line_end));
        }
        if line > start || !valid {
            start = (line_end + 1).min(text.len());
        }
    }
    if start < text.len() {
        pieces.push(Piece::Chunk(start..text.len()));
    }
    pieces
}

/// The starts of the lines that begin with `---`.
fn separators(text: &str, from: usize) -> impl Iterator<Item = usize> {
    let first = text[from..].starts_with("---").then_some(from);
    first.into_iter().chain(memmem::find_iter(&text.as_bytes()[from..], "\n---").map(move |at| from + at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks in `[]`, invalid separators in `<>`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let shown = yaml_pieces(text, 0).into_iter().map(|piece| match piece {
            Piece::Chunk(range) => format!("[{}]", &text[range]),
            Piece::InvalidSeparator(range) => format!("<{}>", &text[range]),
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_separator_ends_a_document_that_has_begun() {
        check("", &[]);
        check("a\n---\nb\n", &["[a\n]", "[b\n]"]);
        check("---\na\n---\n", &["[---\na\n]"]);
        check("a\n---", &["[a\n]"]);
        check("a\n--- # note\r\nb", &["[a\n]", "[b]"]);
        check("# licence\n---\na", &["[# licence\n]", "[a]"]);
        check("\n---\na", &["[\n]", "[a]"]);
        check("a\n---\n\n", &["[a\n]", "[\n]"]);
    }

    #[test]
    fn a_second_separator_begins_the_next_document() {
        check("a\n---\n---\nb", &["[a\n]", "[---\nb]"]);
        check("---\n---\n", &["[---\n]"]);
        check("---\n---\nb", &["[---\n]", "[b]"]);
    }

    #[test]
    fn anything_behind_a_separator_but_a_comment_is_invalid() {
        check("a\n--- {}\nb", &["[a\n]", "<--- {}>", "[b]"]);
        check("a\n----\n", &["[a\n]", "<---->"]);
        check("----", &["<---->"]);
    }

    #[test]
    fn only_a_leading_brace_means_json() {
        for (text, json) in [("{", true), (" \u{a0}\n{", true), ("[{", false), ("#\n{", false), ("\u{feff}{", false)] {
            assert_eq!(is_json(text), json, "{text}");
        }
        assert!(!is_json(&format!("{}{{", " ".repeat(4096))));
    }
}
