//! A skipRange without lower bound: every older version, however old, may jump to the entry.
//!
//! Harmless where updates from everywhere are tested. `skip-range-pruning` says the same of entries that it tells of.
//!
//! ```yaml
//! - {name: p.v2.0.0, replaces: p.v1.0.0, skipRange: '<2.0.0'}   # fails; passes with '>=1.0.0 <2.0.0'
//! ```
//!
//! Source: blang/semver range.go (`Range::unbounded_below`); users-and-peers C26-C30.

use crate::operator::Operator;
use source::{Diagnostic, Rule};
use std::collections::BTreeSet;

/// `pruned`: the places of the skipRanges that `skip-range-pruning` tells of.
pub(super) fn check(operator: &Operator<'_>, pruned: &BTreeSet<source::Span>, found: &mut Vec<Diagnostic>) {
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
        let expected = "9:51 the skipRange `<2.0.0` of `p.v2.0.0` has no lower bound";
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
