//! The rule `idle-skip-range`.
//!
#![doc = include_str!("idle_skip_range.md")]

use crate::operator::Operator;
use source::{Diagnostic, Findings, Rule, Span};
use std::collections::BTreeSet;

/// `pruned`: the places of the skipRanges that `skip-range-pruning` tells of.
pub(super) fn check(operator: &Operator<'_>, pruned: &BTreeSet<Span>, found: &mut Findings) {
    for skip in operator.skip_ranges().filter(|skip| !pruned.contains(&skip.span())) {
        let lowest = operator.ascending.first();
        let first = skip.version.zip(lowest).is_none_or(|(own, lowest)| *lowest >= own);
        // `skip-range-excludes-replaced` says more.
        if first || operator.replaced(&skip).is_some() || skip.range.never_matches() || operator.has_any_in(skip.range)
        {
            continue;
        }
        let name = &skip.entry.name;
        let (text, normalised) = (skip.text(), skip.range.normalised());
        let read = if normalised == text { String::new() } else { format!(", read as `{normalised}`,") };
        let all = operator.ascending.len();
        let message = format!("the skipRange `{text}` of `{name}`{read} matches none of {all} versions of the package");
        let help = "check its bounds; remove it if it is not meant for versions that other catalogs list";
        found.push(Diagnostic::new(Rule::IdleSkipRange, skip.span(), message).with_help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    fn replacing(range: &str) -> String {
        let entries = format!(
            "- {{name: p.v2.0.0, replaces: p.v0.9.0, skips: [p.v1.0.0], skipRange: '{range}'}}\n- {{name: p.v1.0.0, skipRange: <1.0.0}}\n"
        );
        package(&entries, &["1.0.0", "2.0.0"])
    }

    #[test]
    fn of_another_stream() {
        let expected = "9:70 the skipRange `>=0.1.0 <0.2.0` of `p.v2.0.0` matches none of 2 versions of the package";
        check(Rule::IdleSkipRange, &replacing(">=0.1.0 <0.2.0"), &[expected]);
    }

    #[test]
    fn of_this_one() {
        check(Rule::IdleSkipRange, &replacing(">=1.0.0 <2.0.0"), &[]);
    }
}
