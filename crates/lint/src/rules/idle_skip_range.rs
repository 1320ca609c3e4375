//! The rule `idle-skip-range`.
//!
#![doc = include_str!("idle_skip_range.md")]

use crate::index::IndexedPackage;
use source::{Diagnostic, Findings, Rule, Span};
use std::collections::BTreeSet;

/// `pruned`: the places of the skipRanges that `skip-range-pruning` reports.
pub(super) fn check(indexed: &IndexedPackage<'_>, pruned: &BTreeSet<Span>, findings: &mut Findings) {
    for skip in indexed.skip_ranges().filter(|skip| !pruned.contains(&skip.span())) {
        let lowest = indexed.ascending.first();
        let is_oldest = skip.version.zip(lowest).is_none_or(|(own, lowest)| *lowest >= own);
        // If the entry replaces an older version, `skip-range-excludes-replaced` says more.
        if is_oldest
            || indexed.replaced(&skip).is_some()
            || skip.range.never_matches()
            || indexed.has_any_in(skip.range)
        {
            continue;
        }
        let name = &skip.entry.name;
        let (text, normalised) = (skip.text(), skip.range.normalised());
        let read = if normalised == text { String::new() } else { format!(", read as `{normalised}`,") };
        let all = indexed.ascending.len();
        let message = format!("the skipRange `{text}` of `{name}`{read} matches none of {all} versions of the package");
        let help = "check its bounds; this is fine if it is for versions that only other catalogs list";
        findings.push(Diagnostic::new(Rule::IdleSkipRange, skip.span(), message).with_help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == a range of another stream
            c: 1.0.0 (skipRange <1.0.0), 2.0.0 (replaces 0.9.0; skips 1.0.0; skipRange >=0.1.0 <0.2.0)
                                                                                       ^^^^^^^^^^^^^^ idle-skip-range: the skipRange `>=0.1.0 <0.2.0` of `p.v2.0.0` matches none of 2 versions of the package
            == a range that matches
            c: 1.0.0 (skipRange <1.0.0), 2.0.0 (replaces 0.9.0; skips 1.0.0; skipRange >=1.0.0 <2.0.0)
        ";
        check(Rule::IdleSkipRange, cases);
    }
}
