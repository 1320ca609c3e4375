//! The rule `head-below-entry`.
//!
#![doc = include_str!("head_below_entry.md")]

use crate::index::IndexedPackage;
use source::{Diagnostic, Findings, Rule, Severity};

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    for channel in &indexed.channels {
        let Some((head, own)) = channel.head() else { continue };
        let versions = channel.versions.iter().enumerate();
        let highest = versions.filter_map(|(at, version)| Some(((*version)?, at))).max();
        let Some((highest, at)) = highest.filter(|(version, _)| *version > own) else { continue };
        let name = &channel.entries()[at].name;
        // The rule `downgrade` reports that edge.
        if head.replaces.as_ref().is_some_and(|replaces| replaces.value == name.value) {
            continue;
        }
        let message =
            format!("the head of channel `{}`, `{}`, is older than `{name}` ({highest})", channel.name(), head.name);
        let mut finding = Diagnostic::new(Rule::HeadBelowEntry, head.name.span, message)
            .with_label(name.span, "the highest version of the channel")
            .with_help("OLM v0 installs the head, OLM v1 the highest version; make the newest entry the head, or remove the withdrawn version");
        if channel.skipped.contains(name.value.as_str()) {
            finding.severity = Severity::Hint;
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
            == a withdrawn version
            c: 2.0.0, 1.1.0 (skips 2.0.0)
                      ^^^^^ head-below-entry: the head of channel `c`, `p.v1.1.0`, is older than `p.v2.0.0` (2.0.0)
                      ^^^^^ severity: hint
            == further down the chain
            c: 2.0.0 <- 1.0.0 <- 1.1.0
                                 ^^^^^ head-below-entry: the head of channel `c`, `p.v1.1.0`, is older than `p.v2.0.0` (2.0.0)
            == the highest is the head
            c: 1.1.0 <- 2.0.0
        ";
        check(Rule::HeadBelowEntry, cases);
    }
}
