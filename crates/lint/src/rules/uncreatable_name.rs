//! The rule `uncreatable-name`.
//!
#![doc = include_str!("uncreatable_name.md")]

use crate::index::IndexedPackage;
use catalog::is_dns_subdomain;
use source::{Diagnostic, Findings, Rule, Severity};
use std::collections::BTreeSet;

/// The longest name of an object of a custom resource, in bytes.
const LONGEST: usize = 253;

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let is_invalid = |name: &str| name.len() > LONGEST || !is_dns_subdomain(name);
    let invalid = indexed.package.bundles.iter().filter(|bundle| is_invalid(bundle.name.value.as_str()));
    let mut invalid = invalid.peekable();
    if invalid.peek().is_none() {
        return;
    }
    let targets = targets(indexed);
    for bundle in invalid {
        let message = format!(
            "no cluster can create the ClusterServiceVersion of `{}`: Kubernetes forbids its name",
            bundle.name
        );
        let help = "use lower-case letters, digits, `-` and `.`, a letter or digit at both ends of each part, at most 253 characters; a name has `-` for the `+` of a version";
        let mut finding = Diagnostic::new(Rule::UncreatableName, bundle.name.span, message).with_help(help);
        if !targets.contains(bundle.name.value.as_str()) {
            finding.severity = Severity::Warning;
        }
        findings.push(finding);
    }
}

/// The names of the bundles that OLM chooses by itself: heads, and those that updates lead to.
fn targets<'c>(indexed: &IndexedPackage<'c>) -> BTreeSet<&'c str> {
    let mut targets = indexed.heads();
    for channel in &indexed.channels {
        let entries = channel.selectable().map(|at| &channel.entries()[at]);
        let updated =
            entries.filter(|entry| entry.replaces.is_some() || !entry.skips.is_empty() || entry.skip_range.is_some());
        targets.extend(updated.map(|entry| entry.name.value.as_str()));
    }
    targets
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, found};
    use source::{Rule, Severity};

    #[test]
    fn findings() {
        let cases = "
            == build metadata in the name of the head
            c: 1.0.0 <- p.v1.1.0+5 (no bundle)
            bundle p.v1.1.0+5 (version 1.1.0+5)
                   ^^^^^^^^^^ uncreatable-name: no cluster can create the ClusterServiceVersion of `p.v1.1.0+5`: Kubernetes forbids its name
            == a capital letter below the head
            c: P.v1.0.0 (no bundle) <- 1.1.0
            bundle P.v1.0.0 (version 1.0.0)
                   ^^^^^^^^ uncreatable-name: no cluster can create the ClusterServiceVersion of `P.v1.0.0`: Kubernetes forbids its name
                   ^^^^^^^^ severity: warning
            == updates lead through it
            c: 1.0.0 <- p_1.v1.1.0 (no bundle) <- 1.2.0
            bundle p_1.v1.1.0 (version 1.1.0)
                   ^^^^^^^^^^ uncreatable-name: no cluster can create the ClusterServiceVersion of `p_1.v1.1.0`: Kubernetes forbids its name
            == OLM never chooses what is skipped
            c: 1.0.0 <- p..v1.1.0 (no bundle), 1.2.0 (replaces 1.0.0; skips p..v1.1.0)
            bundle p..v1.1.0 (version 1.1.0)
                   ^^^^^^^^^ uncreatable-name: no cluster can create the ClusterServiceVersion of `p..v1.1.0`: Kubernetes forbids its name
                   ^^^^^^^^^ severity: warning
            == names of Kubernetes
            c: 1.0.0 <- 1.1.0-0.1700000000.p, 3scale (version 1.2.0; replaces 1.0.0; skips 1.1.0-0.1700000000.p)
        ";
        check(Rule::UncreatableName, cases);
    }

    #[test]
    fn the_length_is_limited() {
        let severities = |length: usize| {
            let text = fixture::yaml(&format!("c: {} (version 1.0.0)", "a".repeat(length)));
            found(Rule::UncreatableName, &text).iter().map(|finding| finding.severity).collect::<Vec<_>>()
        };
        assert_eq!(severities(253), []);
        assert_eq!(severities(254), [Severity::Error]);
    }
}
