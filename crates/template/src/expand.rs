//! Expands the text of a template to a catalog.

use crate::detection::{detection_error, intended_kind, no_template};
use crate::expansion::{Expansion, RenderStatus, Report};
use crate::tolerant::Chosen;
use crate::{Images, TemplateKind, basic, semver, substitutes};
use fbc::Value;
use source::{Diagnostic, FileId, Rule, Span};

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
