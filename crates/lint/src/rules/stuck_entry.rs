//! The rule `stuck-entry`.
//!
#![doc = include_str!("stuck_entry.md")]

use crate::index::IndexedPackage;
use catalog::{Chain, skip_fix};
use source::{Diagnostic, Findings, Rule, name_list};

/// How many labels a finding has at most; its message counts all entries.
const MAX_LABELS: usize = 8;

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    for channel in &indexed.channels {
        let Some(reaches_head) = channel.reaches_head() else { continue };
        let Chain::Headed { head, stranded } = Chain::of(channel.channel) else { continue };
        let mut stuck: Vec<usize> = channel.positions.values().copied().filter(|&at| !reaches_head[at]).collect();
        stuck.retain(|&at| stranded.binary_search(&channel.entries()[at].name.value.as_str()).is_err());
        stuck.sort_unstable();
        let entries: Vec<_> = stuck.iter().map(|&at| &channel.entries()[at].name).collect();
        let [first, others @ ..] = &entries[..] else { continue };
        let names = name_list(entries.iter().map(|name| name.value.as_str()));
        let message = format!("{names} cannot reach `{head}`, the head of channel `{}`", channel.name());
        let head = channel.channel.entry(head);
        let stuck_names: Vec<&str> = entries.iter().map(|name| name.value.as_str()).collect();
        let fix = head.and_then(|head| skip_fix(channel.channel, head, &stuck_names));
        let head = head.map_or("", |head| head.name.value.as_str());
        let them = if others.is_empty() { "it" } else { "them" };
        let mut finding = Diagnostic::new(Rule::StuckEntry, first.span, message).with_help(format!(
            "OLM does not follow the edges of skipped entries; let `{head}`, or an entry with updates to it, replace or skip {them}"
        )).with_fix(fix);
        for name in others.iter().take(MAX_LABELS) {
            finding = finding.with_label(name.span, format!("`{}` is stuck, too", name.value));
        }
        findings.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == skipped by a skipped entry alone
            c: 2.0.0, 3.0.0 (skips 2.0.0), 4.0.0 (skips 3.0.0)
               ^^^^^ stuck-entry: `p.v2.0.0` cannot reach `p.v4.0.0`, the head of channel `c`
            == the skipRange of the head is an update
            c: 2.0.0, 3.0.0 (skips 2.0.0), 4.0.0 (skips 3.0.0; skipRange <4.0.0)
            == stranded entries are not reported again
            c: 1.0.0 <- 2.0.0, 3.0.0 (skips 2.0.0)
            == overlapping ranges
            c: 1.0.0 <- 2.0.0 (skipRange <2.0.0) <- 3.0.0 (skipRange <3.0.0) <- 4.0.0 (skipRange >=3.0.0 <4.0.0)
        ";
        check(Rule::StuckEntry, cases);
    }
}
