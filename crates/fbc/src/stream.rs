//! The documents of a text: `k8s.io/apimachinery` `pkg/util/yaml/decoder.go`, going on where it gives up.

use crate::go_syntax::{StreamFault, is_too_deep, stream_fault};
use crate::meta::Syntax;
use crate::parse::Reader;
use crate::reading::Place;
use crate::{Node, Value, json, yaml};
use memchr::memmem;
use serde_json::value::RawValue;
use source::{Diagnostic, FileId, Rule, Span};
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

// The first document of a manifest, as `k8s.io/apimachinery` `pkg/util/yaml/decoder.go` decodes it.

/// How many bytes `opm` looks at to tell JSON from YAML in the files of a bundle (`pkg/registry/decode.go`).
const PEEK: usize = 30;

/// The first document of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstDocument {
    /// The value, built down to 64 levels; null when it has no content.
    pub node: Node,
    /// Whether it was read as JSON, in which values are handed on as they are written.
    pub is_json: bool,
    /// Findings about keys that occur twice and keys that are not read as written, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What stands behind the document and is not read, if that has content.
    pub rest: Option<Span>,
}

/// Reads the first document of a file of a bundle directory: JSON when the first 30 bytes say so, otherwise YAML.
///
/// ```
/// use source::FileId;
///
/// let document = fbc::first_document(FileId(0), "kind: A\n---\nkind: B\n").unwrap();
/// assert_eq!(document.node.get("kind").and_then(fbc::Node::as_str), Some("A"));
/// assert_eq!(document.rest.map(|rest| rest.start), Some(12));
/// ```
///
/// # Errors
/// When the document cannot be read; `opm` of the finding is the error of the decoder, if there is one.
pub fn first_document(file: FileId, text: &str) -> Result<FirstDocument, Box<Diagnostic>> {
    let is_json = begins_as_json(text, PEEK);
    if is_json && let Some(document) = read_json(file, text) {
        return Ok(document);
    }
    match first_yaml_document(file, text) {
        // What is neither is taken for JSON.
        Err(fault) => Err(if is_json { json_fault(file, text).unwrap_or(fault) } else { fault }),
        document => document,
    }
}

fn read_json(file: FileId, text: &str) -> Option<FirstDocument> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let raw = values.next()?.ok().filter(|raw| !is_too_deep(raw.get()))?;
    let mut reader = json::Reader::new(file, text, true);
    let node = reader.document(raw);
    let is_read = !reader.is_spent() && !reader.diagnostics.has_error();
    let end = values.byte_offset();
    is_read.then(|| FirstDocument {
        node,
        is_json: true,
        diagnostics: reader.diagnostics.into_reported(),
        rest: content(file, text, end..text.len()),
    })
}

fn json_fault(file: FileId, text: &str) -> Option<Box<Diagnostic>> {
    let fault = stream_fault(text)?;
    let opm = format!("json: offset {}: {}", fault.at + 1, fault.words);
    let finding =
        Diagnostic::new(Rule::BrokenDocument, byte(file, text, fault.at), format!("not valid JSON: {}", fault.words));
    Some(Box::new(finding.with_opm(opm)))
}

/// Reads the first document as YAML, even if it is JSON: the decoder does so when the values of JSON do not have the types
/// that it decodes them into.
///
/// # Errors
/// When the document cannot be read; `opm` of the finding is the error of the decoder, if there is one.
pub fn first_yaml_document(file: FileId, text: &str) -> Result<FirstDocument, Box<Diagnostic>> {
    let Some(piece) = yaml_piece(text, 0) else {
        let node = Node { span: Span::new(file, 0, 0), value: Value::Null };
        return Ok(FirstDocument { node, is_json: false, diagnostics: Vec::new(), rest: None });
    };
    // The document before such a line is lost with it.
    if let Some(line) = piece.invalid_separator {
        let rest = text[line.start + 3..line.end].trim();
        let message = format!("nothing but a comment may follow `---`, found `{rest}`");
        let finding =
            Diagnostic::new(Rule::BrokenDocument, Span::new(file, line.start as u32, line.end as u32), message);
        return Err(Box::new(finding.with_opm(format!("invalid Yaml document separator: {rest}"))));
    }
    let document = yaml::read(file, text, piece.chunk.clone(), yaml::Open::All).map_err(|fault| {
        let opm = fault.opm();
        let mut finding = Diagnostic::new(Rule::BrokenDocument, byte(file, text, fault.at), fault.message);
        finding.opm = opm;
        Box::new(finding)
    })?;
    let rest = content(file, text, document.end..piece.chunk.end);
    Ok(FirstDocument {
        node: document.node,
        is_json: false,
        diagnostics: document.diagnostics.into_reported(),
        rest: rest.or_else(|| content(file, text, piece.next..text.len())),
    })
}

/// The character at a byte.
fn byte(file: FileId, text: &str, at: usize) -> Span {
    let at = text.floor_char_boundary(at.min(text.len()));
    Span::new(file, at as u32, text.ceil_char_boundary((at + 1).min(text.len())) as u32)
}

/// The first line in a range that is more than a separator or a comment.
fn content(file: FileId, text: &str, range: Range<usize>) -> Option<Span> {
    let mut at = text.ceil_char_boundary(range.start.min(range.end));
    for line in text.get(at..range.end)?.split_inclusive('\n') {
        let marked = line.trim();
        let words = marked.strip_prefix("---").or_else(|| marked.strip_prefix("...")).unwrap_or(marked).trim_start();
        if !words.is_empty() && !words.starts_with('#') {
            let start = at + (line.len() - line.trim_start().len());
            return Some(Span::new(file, start as u32, (start + marked.len()) as u32));
        }
        at += line.len();
    }
    None
}

// Concatenated JSON values, and what follows when one of them is broken.

/// Up to how many documents `opm` takes up a broken JSON stream as YAML.
const YAML_AFTER: usize = 1;

impl Reader<'_> {
    /// Reads one of concatenated JSON values. Returns where reading goes on; `None` at the end.
    pub(crate) fn json(&mut self, from: usize, read: usize) -> Option<Place> {
        let text = self.text;
        let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<&RawValue>();
        match values.next()? {
            Ok(raw) if !is_too_deep(raw.get()) => {
                let mut reader = json::Reader::new(self.file, text, self.found.trees.is_some());
                let node = reader.document(raw);
                // A number that JSON cannot hold may be a text to YAML.
                let is_rejected = reader.diagnostics.has_error() && read <= YAML_AFTER;
                if is_rejected && let Some(next) = self.goes_on_as_yaml(from) {
                    return Some(Place::Yaml(next));
                }
                match reader.is_spent() {
                    true => self.too_large(node.span),
                    false => self.document(node, Syntax::Json, &reader.fitting, reader.diagnostics),
                }
                Some(Place::Json { from: from + values.byte_offset(), read: read + 1 })
            }
            Ok(_) | Err(_) => {
                let mut fault = stream_fault(&text[from..])?;
                fault.at += from;
                self.json_broke(from, &fault, read)
            }
        }
    }

    /// Goes on behind JSON that `opm` rejects, or as YAML where `opm` does. The last good document ends at `after`.
    fn json_broke(&mut self, after: usize, fault: &StreamFault, read: usize) -> Option<Place> {
        let StreamFault { at, words } = fault;
        let is_early = read <= YAML_AFTER && *at < self.text.len();
        if is_early && let Some(next) = self.goes_on_as_yaml(after) {
            return Some(Place::Yaml(next));
        }
        let opm = if is_early { format!("json: offset {}: {words}", at + 1) } else { words.clone() };
        let next = self.next_start((*at).max(after + 1));
        self.broken(after..next.unwrap_or(self.text.len()), *at, format!("not valid JSON: {words}"), Some(opm));
        match next? {
            // Whatever follows was never reached by `opm`; do not try it as YAML.
            next if self.text[next..].starts_with('{') => Some(Place::Json { from: next, read: YAML_AFTER + 1 }),
            next => Some(Place::Yaml(next)),
        }
    }

    /// Reads what follows the last good document, which ends at `after`, as YAML if that works for its first document. Where
    /// reading goes on.
    fn goes_on_as_yaml(&mut self, after: usize) -> Option<usize> {
        let rest = &self.text[after..];
        let blanks = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n').len();
        let newline = usize::from(rest[blanks..].starts_with('\n'));
        let start = after + blanks + newline;
        let Some(Piece { chunk, invalid_separator, next }) = yaml_piece(self.text, start) else { return Some(start) };
        let before = self.found.clone();
        let known = before.parse.diagnostics.len();
        let is_read = invalid_separator.is_none() && self.chunk(chunk).is_ok();
        let mut new = self.found.parse.diagnostics[known..].iter().filter_map(|finding| finding.opm.as_deref());
        if is_read && !new.any(|opm| opm.starts_with(Syntax::Yaml.prefix())) {
            return Some(next);
        }
        *self.found = before;
        None
    }

    /// The first line from `at` on that looks like the start of a document.
    fn next_start(&self, at: usize) -> Option<usize> {
        let from = self.text.floor_char_boundary(at.saturating_sub(1));
        let mut lines = memchr::memchr_iter(b'\n', &self.text.as_bytes()[from..]).map(|newline| from + newline + 1);
        lines.find(|&line| self.text[line..].starts_with('{') || self.text[line..].starts_with("---"))
    }
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

    /// The value of the first document, and what is not read.
    #[track_caller]
    fn check_first_document(text: &str, value: &str, rest: &str) {
        let document = first_document(FileId(0), text).expect(text);
        assert_eq!(document.node.to_exact_json(text).unwrap().to_string(), value, "{text}");
        assert_eq!(document.rest.map_or("", |rest| rest.slice(text)), rest, "{text}");
    }

    #[track_caller]
    fn check_fault(text: &str, opm: &str) {
        let fault = first_document(FileId(0), text).unwrap_err();
        assert_eq!(fault.opm.as_deref(), Some(opm), "{text}");
    }

    #[test]
    fn a_document_of_nothing_is_within_its_text() {
        let node = |text: &str| first_document(FileId(0), text).unwrap().node;
        assert_eq!((node("  ").value, node("  ").span), (Value::Null, Span::new(FileId(0), 2, 2)));
    }

    #[test]
    fn one_document_is_read() {
        check_first_document("", "null", "");
        check_first_document("# nothing\n", "null", "");
        check_first_document("a: 1\n", r#"{"a":1}"#, "");
        check_first_document("---\na: 1\n---\n# end\n---\n", r#"{"a":1}"#, "");
        check_first_document("# Copyright\n---\na: 1\n", "null", "a: 1");
        check_first_document("a: 1\n...\nb: 2\n---\nc: 3\n", r#"{"a":1}"#, "b: 2");
    }

    #[test]
    fn json_begins_in_the_first_thirty_bytes() {
        check_first_document("{\"a\": 1.0}\n{\"b\": 2}\n", r#"{"a":1}"#, "{\"b\": 2}");
        check_first_document("{a: 1}\n", r#"{"a":1}"#, "");
        check_first_document(&format!("{}{{\"a\": 1}}", " ".repeat(31)), r#"{"a":1}"#, "");
        let is_json = |text: &str| first_document(FileId(0), text).unwrap().is_json;
        assert!(is_json(&format!("{}{{}}", " ".repeat(29))) && !is_json(&format!("{}{{}}", " ".repeat(30))));
    }

    #[test]
    fn integers_are_exact() {
        let value = "[9223372036854775807,18446744073709551615,-9223372036854775808,9007199254740993,1000]";
        check_first_document(
            "[9223372036854775807, 18446744073709551615, -9223372036854775808, 0x20000000000001, 1e3]",
            value,
            "",
        );
        check_first_document("{\"a\": [9223372036854775807, 1.5]}", r#"{"a":[9223372036854775807,1.5]}"#, "");
        check_first_document("a: &x 9007199254740993\nb: *x\n", r#"{"a":9007199254740993,"b":9007199254740993}"#, "");
    }

    #[test]
    fn faults_are_those_of_the_decoder() {
        check_fault("a: [\n", "error converting YAML to JSON: yaml: line 1: did not find expected node content");
        check_fault("--- a\nb: 1\n", "invalid Yaml document separator: a");
        check_fault("a: 1\n--- {}\nb: 2\n", "invalid Yaml document separator: {}");
        check_fault("{\"a\": ]\n", "json: offset 7: invalid character ']' looking for beginning of value");
    }
}
