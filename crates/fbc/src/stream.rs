//! The documents of a text: `k8s.io/apimachinery` `pkg/util/yaml/decoder.go`, going on where it gives up.

use memchr::memmem;
use std::ops::Range;

/// A piece of a YAML stream, up to a line that begins with `---` or the end of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// A document and perhaps more, of which only the first document is read; empty when there is only a line that is no
    /// separator.
    pub(crate) chunk: Range<usize>,
    /// The line that begins with `---` and goes on with something else, if one ends the piece; without the line break.
    pub(crate) invalid_separator: Option<Range<usize>>,
    /// The first byte of the next piece.
    pub(crate) next: usize,
}

/// Whether the text is read as concatenated JSON: its first 4096 bytes hold a `{` and only blanks before it.
pub(crate) fn is_json(text: &str) -> bool {
    const PEEK: usize = 4096;
    begins_as_json(text, PEEK)
}

/// Whether the first `peek` bytes of the text hold a `{` and only blanks before it.
pub(crate) fn begins_as_json(text: &str, peek: usize) -> bool {
    text[..text.floor_char_boundary(peek)].trim_start().starts_with('{')
}

/// The pieces of `text[from..]`.
pub(crate) fn yaml_pieces(text: &str, from: usize) -> impl Iterator<Item = Piece> {
    std::iter::successors(yaml_piece(text, from), |piece| yaml_piece(text, piece.next))
}

/// The piece of a YAML stream that begins at `start`, the first byte of the stream or of the line behind a separator;
/// nothing at the end of the text. What it is depends on `text[start..]` alone.
///
/// A separator belongs to the document after it when nothing else stands between it and the separator before (which is
/// how a leading `---` is no empty document).
pub(crate) fn yaml_piece(text: &str, start: usize) -> Option<Piece> {
    for line in separators(text, start) {
        let line_end = memchr::memchr(b'\n', &text.as_bytes()[line..]).map_or(text.len(), |at| line + at);
        let rest = text[line + 3..line_end].trim();
        let valid = rest.is_empty() || rest.starts_with('#');
        if line > start || !valid {
            let invalid_separator = (!valid).then_some(line..line_end);
            return Some(Piece { chunk: start..line, invalid_separator, next: (line_end + 1).min(text.len()) });
        }
    }
    (start < text.len()).then_some(Piece { chunk: start..text.len(), invalid_separator: None, next: text.len() })
}

/// Starts of pieces of a YAML stream, each at least `bytes` bytes behind the one before.
///
/// A separator that follows another one may belong to the document after it. So a piece is only sure to begin behind a
/// separator whose line before begins with something else.
pub(crate) fn part_starts(text: &str, bytes: usize) -> impl Iterator<Item = usize> {
    let after = move |&start: &usize| {
        let from = text.ceil_char_boundary((start + bytes).min(text.len()));
        let sure = separators(text, from).find(|&line| {
            let before = line.checked_sub(1).and_then(|end| text[..end].rfind('\n')).map_or(0, |newline| newline + 1);
            let is_line = text[..line].ends_with('\n');
            is_line && !text[before..].starts_with("---")
        })?;
        let line_end = memchr::memchr(b'\n', &text.as_bytes()[sure..])?;
        Some(sure + line_end + 1).filter(|&next| next < text.len())
    };
    std::iter::successors(after(&0), after)
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
        let shown = yaml_pieces(text, 0).flat_map(|piece| {
            let chunk = (!piece.chunk.is_empty()).then(|| format!("[{}]", &text[piece.chunk]));
            chunk.into_iter().chain(piece.invalid_separator.map(|line| format!("<{}>", &text[line])))
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
