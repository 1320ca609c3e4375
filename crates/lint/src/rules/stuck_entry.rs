//! The rule `stuck-entry`.
//!
#![doc = include_str!("stuck_entry.md")]

use crate::operator::Operator;
use catalog::Chain;
use source::{Diagnostic, Findings, Rule, name_list};

/// At most so many entries are pointed at; the message counts them all.
const LABELS: usize = 8;

pub(super) fn check(operator: &Operator<'_>, found: &mut Findings) {
    for lane in &operator.lanes {
        let Some(reached) = lane.gets_to_head() else { continue };
        let Chain::Headed { head, stranded } = Chain::of(lane.channel) else { continue };
        let mut stuck: Vec<usize> = lane.positions.values().copied().filter(|&at| !reached[at]).collect();
        stuck.retain(|&at| stranded.binary_search(&lane.channel.entries[at].name.value.as_str()).is_err());
        stuck.sort_unstable();
        let names: Vec<_> = stuck.iter().map(|&at| &lane.channel.entries[at].name).collect();
        let [first, others @ ..] = &names[..] else { continue };
        let listed = name_list(names.iter().map(|name| name.value.as_str()));
        let message = format!("no updates lead from {listed} to `{head}`, the head of channel `{}`", lane.channel.name);
        let them = if others.is_empty() { "it" } else { "them" };
        let mut finding = Diagnostic::new(Rule::StuckEntry, first.span, message).with_help(format!(
            "OLM does not follow the edges of skipped entries: let `{head}`, or an entry that leads there, replace or skip {them}"
        ));
        for name in others.iter().take(LABELS) {
            finding = finding.with_label(name.span, format!("`{}` is stuck, too", name.value));
        }
        found.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    const BUNDLES: [&str; 4] = ["1.0.0", "2.0.0", "3.0.0", "4.0.0"];

    #[test]
    fn skipped_by_a_skipped_entry_alone() {
        let entries =
            "- {name: p.v4.0.0, skips: [p.v3.0.0]}\n- {name: p.v3.0.0, skips: [p.v2.0.0]}\n- name: p.v2.0.0\n";
        let expected = "11:9 no updates lead from `p.v2.0.0` to `p.v4.0.0`, the head of channel `c`";
        check(Rule::StuckEntry, &package(entries, &BUNDLES), &[expected]);
    }

    #[test]
    fn a_skip_range_of_the_head_is_a_way() {
        let entries = "- {name: p.v4.0.0, skips: [p.v3.0.0], skipRange: <4.0.0}\n- {name: p.v3.0.0, skips: [p.v2.0.0]}\n- name: p.v2.0.0\n";
        check(Rule::StuckEntry, &package(entries, &BUNDLES), &[]);
    }

    #[test]
    fn what_opm_calls_stranded_is_told_once() {
        let entries =
            "- {name: p.v3.0.0, skips: [p.v2.0.0]}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        check(Rule::StuckEntry, &package(entries, &BUNDLES), &[]);
    }

    #[test]
    fn ranges_that_overlap_are_walked_once() {
        let entries = "- {name: p.v4.0.0, replaces: p.v3.0.0, skipRange: '>=3.0.0 <4.0.0'}\n- {name: p.v3.0.0, replaces: p.v2.0.0, skipRange: <3.0.0}\n- {name: p.v2.0.0, replaces: p.v1.0.0, skipRange: <2.0.0}\n- name: p.v1.0.0\n";
        check(Rule::StuckEntry, &package(entries, &BUNDLES), &[]);
    }
}
