//! The rule `head-below-entry`.
//!
#![doc = include_str!("head_below_entry.md")]

use crate::operator::Operator;
use source::{Diagnostic, Findings, Rule, Severity};

pub(super) fn check(operator: &Operator<'_>, found: &mut Findings) {
    for lane in &operator.lanes {
        let Some((head, own)) = lane.head() else { continue };
        let versions = lane.versions.iter().enumerate();
        let highest = versions.filter_map(|(at, version)| Some(((*version)?, at))).max();
        let Some((highest, at)) = highest.filter(|(version, _)| *version > own) else { continue };
        let name = &lane.channel.entries[at].name;
        // An edge that goes down is told by its own rule.
        if head.replaces.as_ref().is_some_and(|replaces| replaces.value == name.value) {
            continue;
        }
        let channel = &lane.channel.name;
        let message = format!("the head of channel `{channel}`, `{}`, is older than `{name}` ({highest})", head.name);
        let mut finding = Diagnostic::new(Rule::HeadBelowEntry, head.name.span, message)
            .with_label(name.span, "the highest version of the channel")
            .with_help("OLM v0 installs the head and OLM v1 the highest version: let the newest entry be the head, or remove what was withdrawn");
        if lane.skipped.contains(name.value.as_str()) {
            finding.severity = Severity::Hint;
        }
        found.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, findings, package};
    use source::{Rule, Severity};

    #[test]
    fn a_withdrawn_version() {
        let text = package("- {name: p.v1.1.0, skips: [p.v2.0.0]}\n- name: p.v2.0.0\n", &["1.1.0", "2.0.0"]);
        let expected = "9:10 the head of channel `c`, `p.v1.1.0`, is older than `p.v2.0.0` (2.0.0)";
        check(Rule::HeadBelowEntry, &text, &[expected]);
        assert_eq!(findings(&text)[0].severity, Severity::Hint);
    }

    #[test]
    fn further_down_the_chain() {
        let entries =
            "- {name: p.v1.1.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0, replaces: p.v2.0.0}\n- name: p.v2.0.0\n";
        let text = package(entries, &["1.0.0", "1.1.0", "2.0.0"]);
        check(
            Rule::HeadBelowEntry,
            &text,
            &["9:10 the head of channel `c`, `p.v1.1.0`, is older than `p.v2.0.0` (2.0.0)"],
        );
    }

    #[test]
    fn the_highest_is_the_head() {
        let text = package("- {name: p.v2.0.0, replaces: p.v1.1.0}\n- name: p.v1.1.0\n", &["1.1.0", "2.0.0"]);
        check(Rule::HeadBelowEntry, &text, &[]);
    }
}
