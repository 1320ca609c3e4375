//! Expands the text of a template to a catalog.

use crate::basic::{self, Chosen};
use crate::images::needs_registry;
use crate::kind::{detection_error, intended_kind, no_template};
use crate::{ExpandedCatalog, Images, TemplateKind, semver, substitutes};
use fbc::Value;
use source::{Diagnostic, FileId, Rule, Span, Spanned};

/// The most bytes of a template. Real ones have less than a tenth of that, and their syntax tree is kept in memory.
const MAX_TEXT: usize = 8 << 20;

/// Expands a template with the bundles of `images`. Any other text is treated as a template with a wrong schema.
#[must_use]
pub fn expand(file: FileId, text: &str, images: &Images<'_>) -> Expansion {
    expand_as(None, file, text, images)
}

/// As [`expand`], for a template of the kind that somebody `named`, as `opm alpha render-template TYPE FILE` does.
#[must_use]
pub fn expand_as(named: Option<TemplateKind>, file: FileId, text: &str, images: &Images<'_>) -> Expansion {
    if text.len() > MAX_TEXT {
        return too_long(named.unwrap_or_else(|| kind_by_words(text)), file);
    }
    let chosen = if named.is_some() { Chosen::ByName } else { Chosen::ByText };
    let tolerantly = |kind| match kind {
        TemplateKind::Substitutes => substitutes::expand(file, text, images, chosen),
        TemplateKind::Basic | TemplateKind::Semver => basic::expand(file, text, images, chosen),
    };
    match fbc::yaml_document(file, text) {
        Ok(document) => {
            let kind = named.unwrap_or_else(|| match &document.node.value {
                Value::Mapping(entries) => intended_kind(entries),
                _ => TemplateKind::Semver,
            });
            let end = document.end;
            let no_template = no_template(&document.node, named.is_some());
            let mut expansion = match kind {
                TemplateKind::Semver => semver::expand(text, document, images),
                TemplateKind::Basic | TemplateKind::Substitutes => {
                    drop(document);
                    tolerantly(kind)
                }
            };
            if let Some(finding) = no_template {
                let detected = if named.is_none() { detection_error(file, text) } else { None };
                return without_guesses(expansion, finding, detected);
            }
            expansion.diagnostics.extend(lost_text(file, text, end as usize));
            expansion
        }
        // JSON that is not YAML, for example with escapes of unpaired surrogates, is still read as JSON.
        Err(fault) => match named.unwrap_or_else(|| kind_by_words(text)) {
            TemplateKind::Semver => semver::broken(*fault),
            kind @ (TemplateKind::Basic | TemplateKind::Substitutes) => tolerantly(kind),
        },
    }
}

/// What becomes of a text that is no template: what follows from reading it as one is no error of its author. The finding says
/// what `opm` does: `detected`, that it does not know the kind, or what it says first of the kind that somebody named.
fn without_guesses(expansion: Expansion, finding: Diagnostic, detected: Option<String>) -> Expansion {
    let lines = match expansion.status {
        RenderStatus::Rejected(lines) | RenderStatus::NeedsRegistry(lines) => lines,
        RenderStatus::Accepted | RenderStatus::TooLarge => Vec::new(),
    };
    let opm = detected.or_else(|| lines.first().cloned());
    let mut report = Report::default();
    report.reject_with_any(vec![opm.into_iter().fold(finding, Diagnostic::with_opm)], lines);
    report.expansion(expansion.kind, Vec::new(), None)
}

/// The kind of a text that is not read.
fn kind_by_words(text: &str) -> TemplateKind {
    let tolerant = [TemplateKind::Basic, TemplateKind::Substitutes];
    tolerant.into_iter().find(|kind| text.contains(kind.schema())).unwrap_or(TemplateKind::Semver)
}

fn too_long(kind: TemplateKind, file: FileId) -> Expansion {
    let message = format!("the template exceeds {} MiB and is not expanded", MAX_TEXT >> 20);
    let mut report = Report::default();
    report.reject_too_large(Diagnostic::new(Rule::InvalidTemplate, Span::new(file, 0, 0), message));
    report.expansion(kind, Vec::new(), None)
}

/// The finding for text behind the first document, which `opm` never reads.
fn lost_text(file: FileId, text: &str, end: usize) -> Option<Diagnostic> {
    let mut at = end;
    for line in text.get(end..).unwrap_or_default().split_inclusive('\n') {
        let content = line.trim();
        if !content.is_empty() && !content.starts_with('#') && !matches!(content, "---" | "...") {
            let place = Span::new(file, at as u32, (at + line.trim_end().len()) as u32);
            let message = "opm reads one document of a template: it ignores everything from here on";
            return Some(
                Diagnostic::new(Rule::LostText, place, message).with_help("put it into a template of its own"),
            );
        }
        at += line.len();
    }
    None
}

// What becomes of a template: the findings, and what `opm` does with it.

/// The result of expanding a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion {
    /// The kind of template, as far as its schema and fields tell.
    pub kind: TemplateKind,
    /// What `opm` would do with it.
    pub status: RenderStatus,
    /// The findings, in the order in which `opm` would come to them. The `opm` of a finding is what `opm alpha
    /// render-template` prints when it is the first.
    pub diagnostics: Vec<Diagnostic>,
    /// The images that no loaded catalog has, each once, at the place where the template first names it. An empty text
    /// stands for an entry without an image.
    pub missing: Vec<Spanned<Box<str>>>,
    /// The catalog without the missing and invalid parts; `None` when it would be empty. It is what `opm` prints only if
    /// the status is [`RenderStatus::Accepted`].
    pub catalog: Option<ExpandedCatalog>,
}

/// What `opm alpha render-template` would do with a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderStatus {
    /// Prints a catalog, which may be empty.
    Accepted,
    /// Fails with one of these errors; the order of a Go map decides which.
    Rejected(Vec<String>),
    /// Asks a registry for a missing image first; what follows is not known. Without the image there, fails with one of
    /// these errors.
    NeedsRegistry(Vec<String>),
    /// Not known: the template or its catalog exceeds a limit of Opscope.
    TooLarge,
}

/// The findings so far, and what `opm` would have done by then.
#[derive(Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    /// The number of findings that were left out, and the place of the first one.
    left_out: Option<(usize, Span)>,
    status: Option<RenderStatus>,
}

impl Report {
    /// The most findings of one template. Nobody reads more, and a template can consist of mistakes.
    const MOST: usize = 1000;

    /// Adds a finding that is no error of `opm`.
    pub(crate) fn note(&mut self, finding: Diagnostic) {
        if self.diagnostics.len() < Self::MOST {
            self.diagnostics.push(finding);
        } else {
            self.left_out.get_or_insert((0, finding.span)).0 += 1;
        }
    }

    /// Adds an error of `opm`, whose text the finding has.
    pub(crate) fn reject(&mut self, finding: Diagnostic) {
        let line = finding.opm.clone();
        self.reject_with_any(vec![finding], line.into_iter().collect());
    }

    /// Adds an error for which `opm` prints one of `lines`, by chance.
    pub(crate) fn reject_with_any(&mut self, findings: Vec<Diagnostic>, lines: Vec<String>) {
        findings.into_iter().for_each(|finding| self.note(finding));
        self.status.get_or_insert(RenderStatus::Rejected(lines));
    }

    /// Notes that the result of `opm` depends on a registry from here on; without the image there it would print `line`.
    pub(crate) fn needs_registry(&mut self, line: String) {
        if let RenderStatus::NeedsRegistry(lines) =
            self.status.get_or_insert_with(|| RenderStatus::NeedsRegistry(Vec::new()))
        {
            lines.push(line);
        }
    }

    /// Whether `opm` would not have come this far.
    pub(crate) const fn has_ended(&self) -> bool {
        self.status.is_some()
    }

    /// Adds the finding that a limit is exceeded.
    pub(crate) fn reject_too_large(&mut self, finding: Diagnostic) {
        self.note(finding);
        self.status.get_or_insert(RenderStatus::TooLarge);
    }

    pub(crate) fn expansion(
        mut self,
        kind: TemplateKind,
        missing: Vec<Spanned<Box<str>>>,
        catalog: Option<ExpandedCatalog>,
    ) -> Expansion {
        if let Some(finding) = needs_registry(kind, &missing) {
            let before = self.diagnostics.iter().position(|other| other.span > finding.span);
            self.diagnostics.insert(before.unwrap_or(self.diagnostics.len()), finding);
        }
        if let Some((count, place)) = self.left_out {
            let message = format!("{count} more findings from here on are not listed");
            self.diagnostics.push(Diagnostic::new(Rule::InvalidTemplate, place, message));
        }
        let status = self.status.unwrap_or(RenderStatus::Accepted);
        Expansion { kind, status, diagnostics: self.diagnostics, missing, catalog }
    }
}

// Limits the size of an expanded catalog.
//
// A template can name one bundle many times, and with many minor versions every `skips` lists all versions below. A
// real template names each bundle once, so that its catalog is about as large as its input.

/// The bytes that any template may expand to.
const FLOOR: usize = 64 << 20;

/// The bytes that the checks of all results may look through: 64 results of the largest template.
const CHECKED: usize = 512 << 20;

/// The bytes that a catalog may still take, or that may still be looked through.
#[derive(Debug)]
pub(crate) struct Budget {
    what: &'static str,
    limit: usize,
    left: usize,
}

/// A limit is exceeded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge {
    what: &'static str,
    limit: usize,
}

impl Budget {
    /// The budget for a template and catalogs of `input` bytes together.
    pub(crate) fn of(input: usize) -> Self {
        let limit = FLOOR.saturating_add(input.saturating_mul(2));
        Self { what: "the expanded catalog", limit, left: limit }
    }

    /// The budget for checking the catalog again after each substitution.
    pub(crate) const fn of_checks() -> Self {
        Self { what: "the results of all substitutions together", limit: CHECKED, left: CHECKED }
    }

    /// Takes the bytes of a part.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(bytes).ok_or(TooLarge { what: self.what, limit: self.limit })?;
        Ok(())
    }
}

impl TooLarge {
    pub(crate) fn diagnostic(&self, place: Span) -> Diagnostic {
        let message = format!("{} would exceed {} MiB, so no catalog is built", self.what, self.limit >> 20);
        Diagnostic::new(Rule::InvalidTemplate, place, message)
    }
}
