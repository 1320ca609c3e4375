//! Reads the documents of a file in order, and goes on behind errors.

use crate::meta::{Meta, Syntax, empty_document, lookup};
use crate::stream::Piece;
use crate::{Doc, Node, Parse, Reading, Value, budget, foreign, yaml};
use source::{Diagnostic, FileId, QuickFix, Rewrite, Rule, Span};
use std::ops::Range;

const MEND: &str = "correct what the reader stopped at; what is wrong often stands before it";
const HELP_SPENT: &str = "opm reads it; what it holds is not known here";
const HELP_OVER: &str = "opm reads all of it; to see it here, spread it over several files";

/// Reads a file as `opm` does, and goes on behind everything that stops `opm`.
///
/// ```
/// use source::FileId;
///
/// let text = "schema: olm.package\nname: a\n---\nbroken: [\n---\nschema: olm.channel\nname: b\n";
/// let parse = fbc::parse(FileId(0), text);
/// assert_eq!(parse.docs.len(), 2);
/// assert_eq!(parse.diagnostics[0].rule.id(), "broken-document");
/// ```
#[must_use]
pub fn parse(file: FileId, text: &str) -> Parse {
    let mut reading = Reading::new(file);
    while !reading.step(text, u32::MAX) {}
    reading.into_parse()
}

/// What was found in a file so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) parse: Parse,
    /// The documents as whole trees, when no raw documents are wanted.
    pub(crate) trees: Option<Vec<Node>>,
    pub(crate) marks: Marks,
    pub(crate) tally: Tally,
    /// What the documents cost, in the units of `budget`.
    pub(crate) cost: u32,
    /// A document was left out because it would take too much.
    pub(crate) is_over: bool,
}

impl Found {
    /// Adds a finding, which is made only if it is reported; `is_error` is whether `opm` reports it as well.
    fn report(&mut self, is_error: bool, finding: impl FnOnce() -> Diagnostic) {
        self.tally.report(&mut self.parse.diagnostics, is_error, finding);
    }

    fn push(&mut self, finding: Diagnostic) {
        self.report(finding.opm.is_some(), || finding);
    }

    fn append(&mut self, part: Findings) {
        self.tally.omitted += part.omitted();
        part.into_reported().into_iter().for_each(|finding| self.push(finding));
    }
}

/// What distinguishes a catalog from other files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// Something was meant to be a catalog document.
    pub(crate) catalog_like: bool,
    pub(crate) has_content: bool,
}

impl Marks {
    /// The marks of two parts together.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self { catalog_like: self.catalog_like | other.catalog_like, has_content: self.has_content | other.has_content }
    }
}

/// A file that is being read.
pub(crate) struct Reader<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    pub(crate) found: &'a mut Found,
}

impl Reader<'_> {
    /// Reads a piece of a YAML stream. Returns its marks.
    pub(crate) fn piece(&mut self, piece: Piece) -> Marks {
        let before = std::mem::take(&mut self.found.marks);
        let Piece { chunk: range, invalid_separator, .. } = piece;
        if !range.is_empty()
            && let Err(fault) = self.chunk(range.clone())
        {
            let opm = fault.opm();
            self.broken(range, fault.at, fault.message, opm);
        }
        if let Some(line) = invalid_separator {
            self.invalid_separator(line);
        }
        std::mem::replace(&mut self.found.marks, before)
    }

    /// Reads the document of one chunk.
    pub(crate) fn chunk(&mut self, range: Range<usize>) -> Result<(), yaml::Fault> {
        let open = if self.found.trees.is_some() { yaml::Open::All } else { yaml::Open::WhatIsRead };
        let document = match yaml::read(self.file, self.text, range.clone(), open) {
            Err(fault) if fault.is_spent() => {
                self.too_large(self.span(range.start, range.end));
                return Ok(());
            }
            read => read?,
        };
        if document.node.value == Value::Null {
            self.found.append(document.diagnostics);
            let place = self.span(range.start, range.end);
            let place = self.first_line(place);
            self.found.report(true, || empty_document(place));
        } else {
            self.document(document.node, Syntax::Yaml, &document.fitting, document.diagnostics);
        }
        self.lost_text(document.end..range.end);
        Ok(())
    }

    pub(crate) fn document(&mut self, node: Node, syntax: Syntax, fitting: &[u32], mut findings: Findings) {
        self.found.marks.has_content = true;
        if let Some(trees) = &mut self.found.trees {
            trees.push(node);
            return self.found.append(findings);
        }
        self.found.marks.catalog_like |= is_catalog_like(&node);
        let span = node.span;
        let mut meta = Meta { text: self.text, syntax, diagnostics: &mut findings, fitting };
        let raw = meta.document(node);
        let cost = raw.as_ref().map_or(0, budget::cost);
        let all = self.found.cost.saturating_add(cost);
        if all > budget::affordable(span.end as usize) {
            return self.over(span);
        }
        self.found.cost = all;
        self.found.parse.docs.extend(raw.map(|raw| Doc { span, raw }));
        self.found.append(findings);
    }

    /// Leaves out a document that would take too much memory by itself.
    pub(crate) fn too_large(&mut self, span: Span) {
        let place = Span::new(span.file, span.start, span.start);
        self.left_out(|| {
            let message = format!("the document {} and is left out", budget::Spent::MESSAGE);
            Diagnostic::new(Rule::UnreadableFile, place, message).with_help(HELP_SPENT)
        });
    }

    /// Leaves out a document that would take too much memory together with those before it. That is the fault of the file,
    /// not of this document.
    fn over(&mut self, span: Span) {
        let (file, place) = (self.span(0, 0), Span::new(span.file, span.start, span.start));
        self.left_out(|| {
            let message = format!("the file {} and is read only in part", budget::Spent::MESSAGE);
            let finding = Diagnostic::new(Rule::UnreadableFile, file, message).with_help(HELP_OVER);
            finding.with_label(place, "the first document that is left out")
        });
    }

    /// Reports that a document is left out, unless one was before. However many findings there are, this one is kept: it
    /// decides whether there is a verdict.
    fn left_out(&mut self, finding: impl FnOnce() -> Diagnostic) {
        self.found.marks = Marks { catalog_like: true, has_content: true };
        if !std::mem::replace(&mut self.found.is_over, true) {
            self.found.parse.diagnostics.push(finding());
        }
    }

    /// Reports a document that cannot be read.
    pub(crate) fn broken(&mut self, range: Range<usize>, at: usize, message: String, opm: Option<String>) {
        self.found.marks.has_content = true;
        self.found.marks.catalog_like |= mentions_fields(&self.text[range]);
        let at = self.text.floor_char_boundary(at);
        let place = self.span(at, self.text.ceil_char_boundary(at + 1).min(self.text.len()));
        let mut finding = Diagnostic::new(Rule::BrokenDocument, place, message).with_help(MEND);
        finding.opm = opm;
        self.found.push(finding);
    }

    fn invalid_separator(&mut self, line: Range<usize>) {
        self.found.marks.has_content = true;
        let behind = &self.text[line.start + 3..line.end];
        let rest = behind.trim();
        let blanks = behind.len() - behind.trim_start().len();
        let gap = self.span(line.start + 3, line.start + 3 + blanks);
        let message = format!("nothing but a comment may follow `---`, found `{rest}`");
        let finding = Diagnostic::new(Rule::BrokenDocument, self.span(line.start, line.end), message)
            .with_opm(format!("invalid Yaml document separator: {rest}"))
            .with_help("put it on the next line")
            .with_fix(QuickFix::new("Put it on the next line", Rewrite::Splice { span: gap, text: "\n".to_owned() }));
        self.found.push(finding);
    }

    /// Reports text behind the first document of a chunk.
    fn lost_text(&mut self, range: Range<usize>) {
        let mut at = range.start;
        for line in self.text[range.clone()].split_inclusive('\n') {
            let content = line.trim();
            let marker = content.strip_prefix("...").map_or(content, str::trim_start);
            if !marker.is_empty() && !marker.starts_with('#') {
                let end = range.start + self.text[range.clone()].trim_end().len();
                let message = "opm reads only the first document up to here and ignores the rest";
                let place = self.first_line(self.span(at + (line.len() - line.trim_start().len()), end));
                let finding = Diagnostic::new(Rule::LostText, place, message);
                let is_line = self.text[..at].ends_with('\n') && !content.starts_with("...");
                let before = Rewrite::Splice { span: self.span(at, at), text: "---\n".to_owned() };
                let fix = is_line.then(|| QuickFix::new("Put `---` before it", before));
                self.found.push(finding.with_help("put `---` on a line of its own before it").with_fix(fix));
                return;
            }
            at += line.len();
        }
    }

    /// Replaces the findings about a file that was never meant for `opm` by one that says so.
    pub(crate) fn not_a_catalog(&mut self) {
        let opm = self.found.parse.diagnostics.iter().find_map(|finding| finding.opm.clone());
        let stops = self.found.parse.diagnostics.iter().find(|finding| finding.rule == Rule::BrokenDocument);
        let broken = stops.map(|finding| (finding.span, format!("as YAML it cannot be read: {}", finding.message)));
        let mut finding = match foreign::of_text(self.text) {
            Some(form) => Diagnostic::new(Rule::NotACatalog, self.span(0, 0), form.what).with_help(form.help),
            None => {
                let message = "this is no catalog, but opm reads every file of a catalog folder";
                Diagnostic::new(Rule::NotACatalog, self.span(0, 0), message)
                    .with_help("name it in an `.indexignore` file or move it out of the folder")
            }
        };
        finding.opm = opm;
        if let Some((span, message)) = broken {
            finding = finding.with_label(span, message);
        }
        self.found.parse.diagnostics = vec![finding];
    }

    /// Reports an empty file: `opm` accepts it, but it is probably a mistake.
    pub(crate) fn empty_file(&mut self) {
        let message = "the file is empty: opm accepts it and finds nothing in it";
        self.found.push(
            Diagnostic::new(Rule::EmptyFile, self.span(0, 0), message)
                .with_help("check that it was written completely, or remove it"),
        );
    }

    fn first_line(&self, span: Span) -> Span {
        let text = span.slice(self.text);
        let line = text.find('\n').map_or(text, |end| &text[..end]).trim_end();
        Span::new(span.file, span.start, span.start + line.len() as u32)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }
}

/// How the schemas begin that OLM reads. Where one stands, the field before it may be `schema` with a typing error.
const SCHEMAS: &str = "olm.";

/// Whether a document has a schema or fields that only catalogs have.
fn is_catalog_like(node: &Node) -> bool {
    match &node.value {
        Value::Mapping(entries) => {
            let is_schema = |node: &Node| matches!(&node.value, Value::String(text) if text.starts_with(SCHEMAS));
            ["schema", "package", "entries", "properties", "defaultchannel"]
                .into_iter()
                .any(|name| lookup(entries, name).is_some())
                || entries.iter().any(|(_, value)| is_schema(value))
        }
        Value::Sequence(items) => items.iter().any(is_catalog_like),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Unopened => false,
    }
}

/// Whether a text that cannot be read has a field of catalog documents at the start of a line.
fn mentions_fields(text: &str) -> bool {
    let is_field = |line: &str| {
        let line = line.trim_start_matches(['{', ' ', '"', '\'', '\t', '-']);
        let mut fields =
            ["schema", "package", "entries", "properties", "defaultChannel", "replaces", "relatedImages"].into_iter();
        fields.any(|field| {
            let rest = line.strip_prefix(field).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
            rest.is_some_and(|rest| rest.starts_with(':')) || (field == "schema" && line.starts_with(field))
        }) || line
            .split_once(':')
            .is_some_and(|(_, value)| value.trim_start_matches([' ', '"', '\'']).starts_with(SCHEMAS))
    };
    text.lines().any(is_field) && !text.contains("```")
}

// Collects findings up to a limit, beyond which they are only counted.

/// How many findings about one file are reported one by one.
pub(crate) const MAX_FINDINGS: usize = 10_000;

/// Counts reported and omitted findings. Beyond [`MAX_FINDINGS`] findings are only counted, except the first that `opm` reports
/// as well, so that the verdict stays the same.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) omitted: usize,
    /// One of the reported findings is an error of `opm`.
    is_rejected: bool,
}

impl Tally {
    /// Counts findings that are all reported.
    pub(crate) fn of(reported: &[Diagnostic]) -> Self {
        Self { omitted: 0, is_rejected: reported.iter().any(|finding| finding.opm.is_some()) }
    }

    /// Adds a finding, which is made only if it is reported; `is_error` is whether `opm` reports it as well.
    pub(crate) fn report(
        &mut self,
        reported: &mut Vec<Diagnostic>,
        is_error: bool,
        finding: impl FnOnce() -> Diagnostic,
    ) {
        if reported.len() < MAX_FINDINGS || (is_error && !self.is_rejected) {
            self.is_rejected |= is_error;
            reported.push(finding());
        } else {
            self.omitted += 1;
        }
    }
}

/// The findings about a part of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    reported: Vec<Diagnostic>,
    tally: Tally,
}

impl Findings {
    /// Adds a finding, which is made only if it is reported; `is_error` is whether `opm` reports it as well.
    pub(crate) fn report(&mut self, is_error: bool, finding: impl FnOnce() -> Diagnostic) {
        self.tally.report(&mut self.reported, is_error, finding);
    }

    pub(crate) fn push(&mut self, finding: Diagnostic) {
        self.report(finding.opm.is_some(), || finding);
    }

    /// Whether one of them is an error of `opm`.
    pub(crate) const fn has_error(&self) -> bool {
        self.tally.is_rejected
    }

    /// How many are omitted.
    pub(crate) const fn omitted(&self) -> usize {
        self.tally.omitted
    }

    pub(crate) fn into_reported(self) -> Vec<Diagnostic> {
        self.reported
    }
}

/// A finding with the number of omitted findings.
pub(crate) fn more(file: FileId, omitted: usize) -> Diagnostic {
    let message = format!("{omitted} further findings in this file are not shown");
    let finding = Diagnostic::new(Rule::MoreFindings, Span::new(file, 0, 0), message);
    finding.with_help("they appear as soon as enough of the others are mended")
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, findings: I) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

// YAML or JSON text as untyped values: split and parsed as catalogs are, which is how `kubectl` does it, but no schema
// is decoded.

/// The documents of a text, in order, and the findings about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UntypedValues {
    /// The documents that could be read and have content, built down to 64 levels.
    pub nodes: Vec<Node>,
    /// The documents that could not be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads YAML documents or concatenated JSON values that are not a catalog. Never fails.
///
/// ```
/// use source::FileId;
///
/// let text = "kind: A\n---\nkind: [\n---\nkind: B\n";
/// let values = fbc::untyped_values(FileId(0), text);
/// let kinds: Vec<_> = values.nodes.iter().filter_map(|node| node.get("kind")?.as_str()).collect();
/// assert_eq!((kinds, values.diagnostics.len()), (vec!["A", "B"], 1));
/// ```
#[must_use]
pub fn untyped_values(file: FileId, text: &str) -> UntypedValues {
    let mut reading = Reading::with(file, Found { trees: Some(Vec::new()), ..Found::default() });
    while !reading.step(text, u32::MAX) {}
    let found = reading.into_found();
    let mut nodes = found.trees.unwrap_or_default();
    nodes.retain(|node| node.value != Value::Null);
    let mut diagnostics = found.parse.diagnostics;
    // An empty document has no value. The errors of `opm` do not apply here.
    diagnostics.retain(|finding| finding.rule != Rule::EmptyDocument);
    for finding in &mut diagnostics {
        finding.opm = None;
        if finding.rule == Rule::LostText {
            "only the first document up to here is read, and the rest is ignored".clone_into(&mut finding.message);
        }
    }
    UntypedValues { nodes, diagnostics }
}
