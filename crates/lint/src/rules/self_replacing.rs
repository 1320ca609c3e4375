//! The rule `self-replacing`.
//!
#![doc = include_str!("self_replacing.md")]

use crate::index::IndexedPackage;
use source::{Diagnostic, Findings, QuickFix, Rule};

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let entries = indexed.channels.iter().flat_map(|channel| channel.entries());
    // Entries without a name are reported by `missing-field`; an empty `skips` would make them match themselves.
    for entry in entries.filter(|entry| !entry.name.value.as_str().is_empty()) {
        let replaces = entry.replaces.iter().map(|name| ("replaces", name));
        let edges = replaces.chain(entry.skips.iter().map(|name| ("skips", name)));
        let own = edges.filter(|(_, name)| name.value == entry.name.value);
        findings.extend(own.map(|(field, name)| {
            let message = format!("`{name}` {field} itself: a Subscription that starts with it cannot be resolved");
            let help = format!("remove it from the entry's own `{field}`");
            Diagnostic::new(Rule::SelfReplacing, name.span, message)
                .with_help(help)
                .with_fix(QuickFix::remove(name.span, &format!("it from the `{field}`")))
        }));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == a skip of itself
            c: 1.0.0 (skips 1.0.0) <- 2.0.0
                            ^^^^^ self-replacing: `p.v1.0.0` skips itself: a Subscription that starts with it cannot be resolved
            == an edge to another entry
            c: 1.0.0 <- 2.0.0
        ";
        check(Rule::SelfReplacing, cases);
    }
}
