//! Findings up to a number beyond which nobody reads on.

use crate::{Diagnostic, FileId, Rule, Span};
use std::collections::BTreeMap;

/// So many findings of one rule about one file are told one by one.
const MOST: usize = 1_000;
/// So many bytes of text the findings of one check have together: a long name may come back in each of them.
const TEXT: usize = 32 << 20;
/// After so many bytes no more findings are made just to be counted.
const SPENT: usize = 4 * TEXT;

/// What a check finds. Beyond a bound findings are only counted, but for the first of a rule in a file and its first that
/// `opm` tells as well: which rules speak, and the verdict, stay what they are.
///
/// ```
/// use source::{Diagnostic, FileId, Findings, Rule, Span};
///
/// let mut findings = Findings::default();
/// findings.extend((0..5_000).map(|at| Diagnostic::new(Rule::Downgrade, Span::new(FileId(0), at, at), "down")));
/// let told = findings.into_told();
/// assert_eq!(told.len(), 1_001);
/// assert_eq!(told[1_000].message, "4000 further findings of `downgrade` in this file are not shown");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Findings {
    told: Vec<Diagnostic>,
    counts: BTreeMap<(FileId, Rule), Count>,
    /// Bytes of the texts that are told.
    text: usize,
    /// Bytes of all texts that were made.
    made: usize,
}

/// The findings of one rule about one file.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    told: usize,
    untold: usize,
    /// One of those that are told is an error of `opm`.
    is_rejected: bool,
    /// There may be more than were counted.
    is_cut: bool,
}

impl Findings {
    /// Adds one.
    pub fn push(&mut self, finding: Diagnostic) {
        let bytes = bytes(&finding);
        self.made = self.made.saturating_add(bytes);
        let is_full = self.text.saturating_add(bytes) > TEXT;
        let count = self.counts.entry((finding.span.file, finding.rule)).or_default();
        let decides = finding.opm.is_some() && !count.is_rejected;
        if count.told == 0 || decides || (count.told < MOST && !is_full) {
            count.told += 1;
            count.is_rejected |= finding.opm.is_some();
            self.text += bytes;
            self.told.push(finding);
        } else {
            count.untold += 1;
        }
    }

    /// Those that are told, in the order in which they were found, then how many are not, by file and rule.
    #[must_use]
    pub fn into_told(self) -> Vec<Diagnostic> {
        let mut told = self.told;
        told.extend(self.counts.into_iter().filter_map(|((file, rule), count)| more(file, rule, count)));
        told
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, findings: I) {
        for finding in findings {
            let key = (finding.span.file, finding.rule);
            self.push(finding);
            if self.made > SPENT {
                self.counts.entry(key).or_default().is_cut = true;
                break;
            }
        }
    }
}

fn bytes(finding: &Diagnostic) -> usize {
    let labels: usize = finding.labels.iter().map(|label| label.message.len()).sum();
    let texts = [&finding.help, &finding.opm].into_iter().flatten().map(String::len).sum::<usize>();
    finding.message.len() + labels + texts
}

fn more(file: FileId, rule: Rule, count: Count) -> Option<Diagnostic> {
    let message = match (count.untold, count.is_cut) {
        (0, false) => return None,
        (1, false) => format!("1 further finding of `{rule}` in this file is not shown"),
        (untold, false) => format!("{untold} further findings of `{rule}` in this file are not shown"),
        (_, true) => format!("further findings of `{rule}` in this file were not looked for"),
    };
    let finding = Diagnostic::new(Rule::MoreFindings, Span::new(file, 0, 0), message);
    Some(finding.with_help("they appear as soon as enough of the others are mended"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(rule: Rule, message: &str) -> Diagnostic {
        Diagnostic::new(rule, Span::new(FileId(0), 0, 0), message)
    }

    fn messages(findings: Findings) -> Vec<String> {
        findings.into_told().into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn an_error_of_opm_is_told_however_many_come_before() {
        let mut findings = Findings::default();
        findings.extend((0..MOST + 1).map(|_| finding(Rule::InvalidRange, "crash")));
        findings.push(finding(Rule::InvalidRange, "broken").with_opm("broken"));
        findings.push(finding(Rule::InvalidRange, "broken too").with_opm("broken too"));
        let told = messages(findings);
        assert_eq!(told.len(), MOST + 2);
        assert_eq!(told[MOST..], ["broken", "2 further findings of `invalid-range` in this file are not shown"]);
    }

    #[test]
    fn long_texts_are_few() {
        let mut findings = Findings::default();
        findings.extend((0..MOST).map(|_| finding(Rule::Downgrade, &"x".repeat(TEXT / 2))));
        findings.extend((0..MOST).map(|_| finding(Rule::StuckEntry, &"x".repeat(TEXT))));
        let told = messages(findings);
        let short: Vec<&str> = told.iter().map(String::as_str).filter(|message| message.len() < 100).collect();
        let expected = [
            "further findings of `stuck-entry` in this file were not looked for",
            "further findings of `downgrade` in this file were not looked for",
        ];
        assert_eq!((told.len(), short), (5, expected.to_vec()));
    }

    #[test]
    fn one_is_one() {
        let mut findings = Findings::default();
        findings.extend((0..=MOST).map(|_| finding(Rule::Downgrade, "down")));
        assert_eq!(messages(findings)[MOST], "1 further finding of `downgrade` in this file is not shown");
    }
}
