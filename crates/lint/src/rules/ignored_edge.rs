//! The rule `ignored-edge`.
//!
#![doc = include_str!("ignored_edge.md")]

use crate::lane::Lane;
use crate::operator::Operator;
use catalog::{BundleName, Chain, Entry, Package};
use source::{Diagnostic, Findings, Rule, Spanned};
use std::collections::BTreeMap;
use update_graph::hop;

pub(super) fn check(operator: &Operator<'_>, found: &mut Findings) {
    for lane in operator.lanes.iter().filter(|lane| lane.order.is_some()) {
        let Chain::Headed { stranded, .. } = Chain::of(lane.channel) else { continue };
        let mut skippers: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        for at in lane.chosen() {
            let entry = &lane.channel.entries[at];
            for name in &entry.skips {
                skippers.entry(name.value.as_str()).or_default().push(entry);
            }
        }
        // What is stranded is told by `opm`.
        let is_stranded = |older: &Spanned<BundleName>| stranded.binary_search(&older.value.as_str()).is_ok();
        let entries = lane.channel.entries.iter().filter(|entry| !entry.replaces.as_ref().is_some_and(is_stranded));
        found.extend(entries.filter_map(|entry| lost(operator.package, lane, &skippers, entry)));
    }
}

/// What is lost by not following the `replaces` of a skipped entry.
fn lost(
    package: &Package,
    lane: &Lane<'_>,
    skippers: &BTreeMap<&str, Vec<&Entry>>,
    entry: &Entry,
) -> Option<Diagnostic> {
    let replaces = entry.replaces.as_ref().filter(|name| **name != entry.name)?;
    let older = replaces.value.as_str();
    let skippers = skippers.get(entry.name.value.as_str())?;
    if !lane.positions.contains_key(older) || lane.skipped.contains(older) {
        return None;
    }
    let version = package.bundle(older).and_then(|bundle| bundle.version());
    if skippers.iter().any(|skipper| hop(skipper, &replaces.value, version).is_some()) {
        return None;
    }
    let (skipper, name) = (&skippers.first()?.name, &entry.name);
    let message = format!(
        "the update from `{older}` to `{name}` is not followed by OLM v0, because `{skipper}` skips `{name}`; `{skipper}` does not take `{older}` instead"
    );
    let help = format!("add `{older}` to the `skips` of `{skipper}`, or to its skipRange");
    let finding = Diagnostic::new(Rule::IgnoredEdge, replaces.span, message).with_help(help);
    Some(finding.with_label(skipper.span, "skips it"))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    const OLDER: &str = "- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
    const BUNDLES: [&str; 3] = ["1.0.0", "2.0.0", "3.0.0"];

    #[test]
    fn nobody_takes_over() {
        let entries = format!(
            "- {{name: p.v3.0.0, replaces: p.v1.1.0, skips: [p.v2.0.0]}}\n- {{name: p.v1.1.0, replaces: p.v1.0.0}}\n{OLDER}"
        );
        let expected = "11:30 the update from `p.v1.0.0` to `p.v2.0.0` is not followed by OLM v0, because `p.v3.0.0` skips `p.v2.0.0`; `p.v3.0.0` does not take `p.v1.0.0` instead";
        check(Rule::IgnoredEdge, &package(&entries, &BUNDLES), &[expected]);
    }

    #[test]
    fn what_opm_calls_stranded_is_told_once() {
        let entries = format!("- {{name: p.v3.0.0, replaces: p.v2.0.0, skips: [p.v2.0.0]}}\n{OLDER}");
        check(Rule::IgnoredEdge, &package(&entries, &BUNDLES), &[]);
    }

    #[test]
    fn the_skipping_entry_takes_over() {
        let entries = format!("- {{name: p.v3.0.0, replaces: p.v1.0.0, skips: [p.v2.0.0]}}\n{OLDER}");
        check(Rule::IgnoredEdge, &package(&entries, &BUNDLES), &[]);
    }
}
