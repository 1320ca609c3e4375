//! The first document of a manifest, as `k8s.io/apimachinery` `pkg/util/yaml/decoder.go` decodes it.

use crate::go_syntax::{is_too_deep, stream_fault};
use crate::stream::{begins_as_json, yaml_piece};
use crate::{Node, Value, json, yaml};
use serde_json::value::RawValue;
use source::{Diagnostic, FileId, Rule, Span};
use std::ops::Range;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of the first document, and what is not read.
    #[track_caller]
    fn check(text: &str, value: &str, rest: &str) {
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
        check("", "null", "");
        check("# nothing\n", "null", "");
        check("a: 1\n", r#"{"a":1}"#, "");
        check("---\na: 1\n---\n# end\n---\n", r#"{"a":1}"#, "");
        check("# Copyright\n---\na: 1\n", "null", "a: 1");
        check("a: 1\n...\nb: 2\n---\nc: 3\n", r#"{"a":1}"#, "b: 2");
    }

    #[test]
    fn json_begins_in_the_first_thirty_bytes() {
        check("{\"a\": 1.0}\n{\"b\": 2}\n", r#"{"a":1}"#, "{\"b\": 2}");
        check("{a: 1}\n", r#"{"a":1}"#, "");
        check(&format!("{}{{\"a\": 1}}", " ".repeat(31)), r#"{"a":1}"#, "");
        let is_json = |text: &str| first_document(FileId(0), text).unwrap().is_json;
        assert!(is_json(&format!("{}{{}}", " ".repeat(29))) && !is_json(&format!("{}{{}}", " ".repeat(30))));
    }

    #[test]
    fn integers_are_exact() {
        let value = "[9223372036854775807,18446744073709551615,-9223372036854775808,9007199254740993,1000]";
        check("[9223372036854775807, 18446744073709551615, -9223372036854775808, 0x20000000000001, 1e3]", value, "");
        check("{\"a\": [9223372036854775807, 1.5]}", r#"{"a":[9223372036854775807,1.5]}"#, "");
        check("a: &x 9007199254740993\nb: *x\n", r#"{"a":9007199254740993,"b":9007199254740993}"#, "");
    }

    #[test]
    fn faults_are_those_of_the_decoder() {
        check_fault("a: [\n", "error converting YAML to JSON: yaml: line 1: did not find expected node content");
        check_fault("--- a\nb: 1\n", "invalid Yaml document separator: a");
        check_fault("a: 1\n--- {}\nb: 2\n", "invalid Yaml document separator: {}");
        check_fault("{\"a\": ]\n", "json: offset 7: invalid character ']' looking for beginning of value");
    }
}
