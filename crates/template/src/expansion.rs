//! What becomes of a template: the findings, and what `opm` does with it.

use crate::images::needs_registry;
use crate::{ExpandedCatalog, TemplateKind};
use source::{Diagnostic, Rule, Span, Spanned};

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
    pub(crate) const MOST: usize = 1000;

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
