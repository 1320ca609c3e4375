//! The rule `open-skip-range`.
//!
#![doc = include_str!("open_skip_range.md")]

use crate::matching::matching;
use crate::operator::Operator;
use source::{Diagnostic, Findings, Rule};
use std::collections::BTreeSet;

/// `pruned`: the places of the skipRanges that `skip-range-pruning` tells of.
pub(super) fn check(operator: &Operator<'_>, pruned: &BTreeSet<source::Span>, found: &mut Findings) {
    for lane in &operator.lanes {
        // One finding for the channel: who writes open ranges writes them everywhere.
        let entries = lane.channel.entries.iter();
        let open = entries.filter_map(|entry| {
            let range = entry.skip_range.as_ref()?;
            let parsed = range.value.range.as_ref().ok()?;
            (parsed.unbounded_below() && !pruned.contains(&range.span)).then_some((entry, range))
        });
        let open: Vec<_> = open.collect();
        let [(entry, range), others @ ..] = &open[..] else { continue };
        let mut message = format!("the skipRange `{}` of `{}` has no lower bound", range.value.text, entry.name);
        if let Ok(parsed) = &range.value.range {
            message.push_str(&format!("; {}", matching(parsed, &range.value.text, &operator.ascending)));
        }
        if !others.is_empty() {
            message.push_str(&format!("; so have {} more of channel `{}`", others.len(), lane.channel.name));
        }
        let help = "every older version can jump here: give it the oldest version that it is tested for, `>=a.b.c`";
        found.push(Diagnostic::new(Rule::OpenSkipRange, range.span, message).with_help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    fn replacing(range: &str) -> String {
        let entries = format!("- {{name: p.v2.0.0, replaces: p.v1.0.0, skipRange: '{range}'}}\n- name: p.v1.0.0\n");
        package(&entries, &["1.0.0", "2.0.0"])
    }

    #[test]
    fn from_anywhere() {
        let expected = "9:51 the skipRange `<2.0.0` of `p.v2.0.0` has no lower bound; it matches 1.0.0 of 2 versions";
        check(Rule::OpenSkipRange, &replacing("<2.0.0"), &[expected]);
    }

    #[test]
    fn bounded() {
        check(Rule::OpenSkipRange, &replacing(">=1.0.0 <2.0.0"), &[]);
    }

    #[test]
    fn pruning_says_it_already() {
        check(Rule::OpenSkipRange, &package("- {name: p.v2.0.0, skipRange: <2.0.0}\n", &["2.0.0"]), &[]);
    }
}
