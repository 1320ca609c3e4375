//! The rule `open-skip-range`.
//!
#![doc = include_str!("open_skip_range.md")]

use crate::index::IndexedPackage;
use crate::ranges::matching;
use source::{Diagnostic, Findings, Rule};
use std::collections::BTreeSet;

/// `pruned`: the places of the skipRanges that `skip-range-pruning` reports.
pub(super) fn check(indexed: &IndexedPackage<'_>, pruned: &BTreeSet<source::Span>, findings: &mut Findings) {
    for channel in &indexed.channels {
        // One finding for each channel: a channel with one open range mostly has many.
        let entries = channel.entries().iter();
        let open = entries.filter_map(|entry| {
            let range = entry.skip_range.as_ref()?;
            let parsed = range.value.range.as_ref().ok()?;
            let is_open = parsed.unbounded_below() && indexed.has_any_in(parsed) && !pruned.contains(&range.span);
            is_open.then_some((entry, range))
        });
        let open: Vec<_> = open.collect();
        let [(entry, range), others @ ..] = &open[..] else { continue };
        let mut message = format!("the skipRange `{}` of `{}` has no lower bound", range.value.text, entry.name);
        if let Ok(parsed) = &range.value.range {
            message.push_str(&format!("; {}", matching(parsed, &range.value.text, &indexed.ascending)));
        }
        if !others.is_empty() {
            message.push_str(&format!("; the same is true of {} more in channel `{}`", others.len(), channel.name()));
        }
        let help = "every older version can update to this entry directly; start the range with the oldest version for which this is tested, as in `>=1.0.0`";
        findings.push(Diagnostic::new(Rule::OpenSkipRange, range.span, message).with_help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == no lower bound
            c: 1.0.0 <- 2.0.0 (skipRange <2.0.0)
                                         ^^^^^^ open-skip-range: the skipRange `<2.0.0` of `p.v2.0.0` has no lower bound; it matches 1.0.0 of 2 versions
            == no version that could be updated
            c: 1.0.0 <- 2.0.0 (skipRange <1.0.0)
            == a lower bound
            c: 1.0.0 <- 2.0.0 (skipRange >=1.0.0 <2.0.0)
            == pruning is not reported again
            c: 2.0.0 (skipRange <2.0.0)
            bundle 1.0.0
        ";
        check(Rule::OpenSkipRange, cases);
    }
}
