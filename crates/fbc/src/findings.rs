//! Collects findings up to a limit, beyond which they are only counted.

use source::{Diagnostic, FileId, Rule, Span};

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

    /// The reported findings.
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
