//! Findings up to a number beyond which nobody reads on.

use source::{Diagnostic, FileId, Rule, Span};

/// How many findings about one file are told one by one.
pub(crate) const MAX_FINDINGS: usize = 10_000;

/// What is told and what is not. Beyond [`MAX_FINDINGS`] findings are only counted, but for one that `opm` tells as well if
/// there was none: the verdict stays what it is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// How many are not told.
    pub(crate) untold: usize,
    /// One of those that are told is an error of `opm`.
    is_rejected: bool,
}

impl Tally {
    /// That of findings which are all told.
    pub(crate) fn of(told: &[Diagnostic]) -> Self {
        Self { untold: 0, is_rejected: told.iter().any(|finding| finding.opm.is_some()) }
    }

    /// Adds a finding to those that are told, made only then; `is_error` says whether `opm` tells it as well.
    pub(crate) fn tell(&mut self, told: &mut Vec<Diagnostic>, is_error: bool, finding: impl FnOnce() -> Diagnostic) {
        if told.len() < MAX_FINDINGS || (is_error && !self.is_rejected) {
            self.is_rejected |= is_error;
            told.push(finding());
        } else {
            self.untold += 1;
        }
    }
}

/// What was found in a part of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    told: Vec<Diagnostic>,
    tally: Tally,
}

impl Findings {
    /// Adds one, made only if it is going to be told; `is_error` says whether `opm` tells it as well.
    pub(crate) fn tell(&mut self, is_error: bool, finding: impl FnOnce() -> Diagnostic) {
        self.tally.tell(&mut self.told, is_error, finding);
    }

    pub(crate) fn push(&mut self, finding: Diagnostic) {
        self.tell(finding.opm.is_some(), || finding);
    }

    /// Whether one of them is an error of `opm`.
    pub(crate) const fn has_error(&self) -> bool {
        self.tally.is_rejected
    }

    /// How many are not told.
    pub(crate) const fn untold(&self) -> usize {
        self.tally.untold
    }

    /// Those that are told.
    pub(crate) fn into_told(self) -> Vec<Diagnostic> {
        self.told
    }
}

/// Says that there are more findings than are told.
pub(crate) fn more(file: FileId, untold: usize) -> Diagnostic {
    let message = format!("{untold} further findings in this file are not shown");
    let finding = Diagnostic::new(Rule::MoreFindings, Span::new(file, 0, 0), message);
    finding.with_help("they appear as soon as enough of the others are mended")
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, findings: I) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}
