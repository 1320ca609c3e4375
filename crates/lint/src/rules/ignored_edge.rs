//! The rule `ignored-edge`.
//!
#![doc = include_str!("ignored_edge.md")]

use crate::index::IndexedChannel;
use crate::index::IndexedPackage;
use catalog::{BundleName, Chain, Entry, Package, skip_fix};
use source::{Diagnostic, Findings, Rule, Spanned};
use std::collections::BTreeMap;
use update_graph::hop;

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    for channel in indexed.channels.iter().filter(|channel| channel.update_chain.is_some()) {
        let Chain::Headed { stranded, .. } = Chain::of(channel.channel) else { continue };
        let mut skippers: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        for at in channel.selectable() {
            let entry = &channel.entries()[at];
            for name in &entry.skips {
                skippers.entry(name.value.as_str()).or_default().push(entry);
            }
        }
        // `opm` itself reports stranded entries.
        let is_stranded = |older: &Spanned<BundleName>| stranded.binary_search(&older.value.as_str()).is_ok();
        let entries = channel.entries().iter().filter(|entry| !entry.replaces.as_ref().is_some_and(is_stranded));
        findings.extend(entries.filter_map(|entry| ignored(indexed.package, channel, &skippers, entry)));
    }
}

/// Reports the `replaces` of a skipped entry if no skipping entry has an update from the replaced one.
fn ignored(
    package: &Package,
    channel: &IndexedChannel<'_>,
    skippers: &BTreeMap<&str, Vec<&Entry>>,
    entry: &Entry,
) -> Option<Diagnostic> {
    let replaces = entry.replaces.as_ref().filter(|name| **name != entry.name)?;
    let older = replaces.value.as_str();
    let skippers = skippers.get(entry.name.value.as_str())?;
    if !channel.positions.contains_key(older) || channel.skipped.contains(older) {
        return None;
    }
    let version = package.bundle(older).and_then(|bundle| bundle.version());
    if skippers.iter().any(|skipper| hop(skipper, &replaces.value, version).is_some()) {
        return None;
    }
    let fix = skip_fix(channel.channel, skippers.first()?, &[older]);
    let (skipper, name) = (&skippers.first()?.name, &entry.name);
    let message = format!(
        "OLM v0 does not follow the update from `{older}` to `{name}`, because `{skipper}` skips `{name}`; and `{skipper}` has no update from `{older}`"
    );
    let help = format!("add `{older}` to the `skips` of `{skipper}`, or to its skipRange");
    let finding = Diagnostic::new(Rule::IgnoredEdge, replaces.span, message).with_help(help);
    Some(finding.with_label(skipper.span, "skips it").with_fix(fix))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == the skipping entry has no update instead
            c: 1.0.0 <- 1.1.0 <- 3.0.0 (skips 2.0.0), 2.0.0 (replaces 1.0.0)
                                                                      ^^^^^ ignored-edge: OLM v0 does not follow the update from `p.v1.0.0` to `p.v2.0.0`, because `p.v3.0.0` skips `p.v2.0.0`; and `p.v3.0.0` has no update from `p.v1.0.0`
            == stranded entries are not reported again
            c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0)
            == the skipping entry has the update
            c: 1.0.0 <- 2.0.0, 3.0.0 (replaces 1.0.0; skips 2.0.0)
        ";
        check(Rule::IgnoredEdge, cases);
    }
}
