//! A collection of findings that counts, instead of keeping, what nobody would read.

use crate::{Diagnostic, FileId, QuickFix, Rewrite, Rule, Span};
use std::collections::BTreeMap;

/// How many findings of one rule in one file are kept.
const MAX_PER_RULE: usize = 1_000;
/// How many bytes of text the kept findings may have together. A name is repeated in every finding about it: a channel
/// name of 80 kB with 80 000 entries of one name once took 8.6 GB.
const MAX_BYTES_KEPT: usize = 32 << 20;
/// After how many bytes of created text, kept or not, [`Findings::extend`] stops asking for more findings.
const MAX_BYTES_CREATED: usize = 4 * MAX_BYTES_KEPT;

/// The findings of one check, limited in number and in size.
///
/// Beyond the limits, findings are only counted. Two are kept nevertheless: the first of each rule in each file, and
/// the first of these that stands for an error of `opm`. So the limits change neither which rules report something nor
/// whether `opm` rejects the catalog.
///
/// ```
/// use source::{Diagnostic, FileId, Findings, Rule, Span};
///
/// let mut findings = Findings::default();
/// findings.extend((0..5_000).map(|at| Diagnostic::new(Rule::Downgrade, Span::new(FileId(0), at, at), "down")));
/// let kept = findings.into_diagnostics();
/// assert_eq!(kept.len(), 1_001);
/// assert_eq!(kept[1_000].message, "4000 more findings of `downgrade` in this file are not shown");
/// ```
#[derive(Clone, Debug)]
pub struct Findings {
    kept: Vec<Diagnostic>,
    counts: BTreeMap<(FileId, Rule), Count>,
    bytes_kept: usize,
    bytes_created: usize,
    /// How many bytes of text are kept.
    max_bytes: usize,
}

/// The number of findings of one rule in one file.
#[derive(Clone, Debug, Default)]
struct Count {
    kept: usize,
    dropped: usize,
    /// Whether one of the kept findings is an error of `opm`.
    is_rejected: bool,
    /// Whether the check stopped early, so that there may be more.
    is_incomplete: bool,
    /// What the first dropped finding misses.
    missing: Vec<Box<str>>,
}

impl Default for Findings {
    fn default() -> Self {
        Self::one_of(1)
    }
}

impl Findings {
    /// Findings that keep no more text than one of `count` equal parts of what is kept otherwise.
    pub(crate) fn one_of(count: usize) -> Self {
        let max_bytes = MAX_BYTES_KEPT / count;
        Self { kept: Vec::new(), counts: BTreeMap::new(), bytes_kept: 0, bytes_created: 0, max_bytes }
    }

    /// Takes what was kept since the last call. The limits stay those of all findings together.
    pub(crate) fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.kept)
    }

    /// What `add` adds and is kept, taken out.
    pub(crate) fn taking(&mut self, add: impl FnOnce(&mut Self)) -> Vec<Diagnostic> {
        add(self);
        self.take()
    }

    /// Whether every finding was kept.
    pub(crate) fn is_complete(&self) -> bool {
        self.counts.values().all(|count| count.dropped == 0 && !count.is_incomplete)
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: Diagnostic) {
        let bytes = text_bytes(&finding);
        self.bytes_created = self.bytes_created.saturating_add(bytes);
        let is_full = self.bytes_kept.saturating_add(bytes) > self.max_bytes;
        let count = self.counts.entry((finding.span.file, finding.rule)).or_default();
        let is_first_rejection = finding.opm.is_some() && !count.is_rejected;
        if count.kept == 0 || is_first_rejection || (count.kept < MAX_PER_RULE && !is_full) {
            count.kept += 1;
            count.is_rejected |= finding.opm.is_some();
            self.bytes_kept += bytes;
            self.kept.push(finding);
        } else {
            if count.dropped == 0 {
                count.missing = finding.missing;
            }
            count.dropped += 1;
        }
    }

    /// The findings that were kept, in the order in which they were added, then for each file and rule a hint that says
    /// how many were dropped.
    #[must_use]
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.kept;
        diagnostics.extend(self.counts.into_iter().filter_map(|((file, rule), count)| remainder(file, rule, count)));
        diagnostics
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, findings: I) {
        for finding in findings {
            let key = (finding.span.file, finding.rule);
            self.push(finding);
            if self.bytes_created > MAX_BYTES_CREATED {
                self.counts.entry(key).or_default().is_incomplete = true;
                break;
            }
        }
    }
}

fn text_bytes(finding: &Diagnostic) -> usize {
    let labels: usize = finding.labels.iter().map(|label| label.message.len()).sum();
    let texts = [&finding.help, &finding.opm].into_iter().flatten().map(String::len).sum::<usize>();
    let fix = |fix: &QuickFix| fix.title.len() + fix.changes.iter().map(Rewrite::text_bytes).sum::<usize>();
    let fixes: usize = finding.fixes.iter().map(fix).sum();
    let missing: usize = finding.missing.iter().map(|name| name.len()).sum();
    finding.message.len() + labels + texts + fixes + missing
}

/// The hint that findings were dropped, if any were.
fn remainder(file: FileId, rule: Rule, count: Count) -> Option<Diagnostic> {
    let message = match (count.dropped, count.is_incomplete) {
        (0, false) => return None,
        (1, false) => format!("1 more finding of `{rule}` in this file is not shown"),
        (dropped, false) => format!("{dropped} more findings of `{rule}` in this file are not shown"),
        (_, true) => format!("there may be more findings of `{rule}` in this file"),
    };
    let finding = Diagnostic::new(Rule::MoreFindings, Span::new(file, 0, 0), message);
    // A hint about findings that miss something goes where they go.
    let finding = Diagnostic { missing: count.missing, ..finding };
    Some(finding.with_help("fix some of the findings that are shown, and the next ones appear"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(rule: Rule, message: &str) -> Diagnostic {
        Diagnostic::new(rule, Span::new(FileId(0), 0, 0), message)
    }

    fn messages(findings: Findings) -> Vec<String> {
        findings.into_diagnostics().into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn the_first_error_of_opm_is_always_kept() {
        let mut findings = Findings::default();
        findings.extend((0..MAX_PER_RULE + 1).map(|_| finding(Rule::InvalidRange, "crash")));
        findings.push(finding(Rule::InvalidRange, "broken").with_opm("broken"));
        findings.push(finding(Rule::InvalidRange, "broken too").with_opm("broken too"));
        let kept = messages(findings);
        assert_eq!(kept.len(), MAX_PER_RULE + 2);
        assert_eq!(kept[MAX_PER_RULE..], ["broken", "2 more findings of `invalid-range` in this file are not shown"]);
    }

    #[test]
    fn long_texts_are_limited_in_number() {
        let long = |rule, bytes| Diagnostic { message: "x".repeat(bytes), ..finding(rule, "") };
        let mut findings = Findings::default();
        findings.extend((0..MAX_PER_RULE).map(|_| long(Rule::Downgrade, MAX_BYTES_KEPT / 2)));
        findings.extend((0..MAX_PER_RULE).map(|_| long(Rule::StuckEntry, MAX_BYTES_KEPT)));
        let kept = messages(findings);
        let short: Vec<&str> = kept.iter().map(String::as_str).filter(|message| message.len() < 100).collect();
        let expected = [
            "there may be more findings of `stuck-entry` in this file",
            "there may be more findings of `downgrade` in this file",
        ];
        assert_eq!((kept.len(), short), (5, expected.to_vec()));
    }

    #[test]
    fn one_dropped_finding_is_singular() {
        let mut findings = Findings::default();
        findings.extend((0..=MAX_PER_RULE).map(|_| finding(Rule::Downgrade, "down")));
        assert_eq!(messages(findings)[MAX_PER_RULE], "1 more finding of `downgrade` in this file is not shown");
    }
}
