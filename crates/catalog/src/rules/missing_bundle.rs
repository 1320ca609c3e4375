//! The rule `missing-bundle`.
//!
#![doc = include_str!("missing_bundle.md")]

use super::labels::{LABELS, entries_named};
use super::mended::nearest_bundle;
use super::unknown_default_channel::PART_OF_A_CATALOG;
use crate::{BundleName, Channel, OpmPhase, Package};
use go_semver::blang::Quoted;
use source::{Diagnostic, QuickFix, Rule, Span, Spanned, name_list};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The text of `opm` for an entry without a bundle, which has no properties.
pub(super) const NO_VERSION: &str = "must be exactly one property with type \"olm.package\"";

/// Of how many entries the nearest bundle is searched.
const SEARCHED: usize = 20;

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    let last = package.channels.iter().map(|channel| channel.span).max();
    // Found once for all channels: a package may have as many channels as it has entries.
    let unlisted = OnceCell::new();
    package
        .channels
        .iter()
        .filter_map(move |channel| in_channel(package, channel, last == Some(channel.span), &unlisted))
}

fn in_channel<'c>(
    package: &'c Package,
    channel: &'c Channel,
    loaded_last: bool,
    unlisted: &OnceCell<Vec<&'c Spanned<BundleName>>>,
) -> Option<Diagnostic> {
    let names = channel.entries.iter().map(|entry| entry.name.value.as_str());
    // Sorted, as `opm` prints them.
    let is_missing = |name: &&str| package.bundle(name).is_none() && !package.may_be_unknown(name);
    let missing: BTreeSet<&str> = names.filter(is_missing).collect();
    if missing.is_empty() {
        return None;
    }
    let names: Vec<&str> = missing.into_iter().collect();
    let places = entries_named(channel, &names);
    let misspelt = misspelt(&places, unlisted.get_or_init(|| unlisted_bundles(package)));
    let first = misspelt.first().map_or(places.first()?.1, |wrong| wrong.span);
    // `opm` overwrites its list of missing bundles with each channel that it loads, so it names those of the last channel
    // only; those of the others fail the model because their entries have no properties.
    let (phase, opm) = if loaded_last {
        let package = Quoted(package.name.as_str());
        let names = names.join(" ");
        (OpmPhase::Entries, format!("no olm.bundle blobs found in package {package} for olm.channel entries [{names}]"))
    } else {
        (OpmPhase::Model, NO_VERSION.to_owned())
    };
    let all = name_list(places.iter().map(|(name, _)| *name));
    let what = if places.len() == 1 { "a bundle that does" } else { "bundles that do" };
    let message = format!("channel `{}` lists {what} not exist: {all}", channel.name);
    let help = misspelt.first().map_or_else(
        || {
            let part = if package.bundles.is_empty() { PART_OF_A_CATALOG } else { "" };
            format!("add an `olm.bundle` document with that name, or remove the entry{part}")
        },
        |wrong| format!("did you mean `{}`?", wrong.bundle.value),
    );
    let mut finding = Diagnostic::new(Rule::MissingBundle, first, message)
        .with_help(help)
        .with_missing(names.into_iter().take(LABELS))
        .with_opm_at(phase, opm);
    for (name, span) in places.into_iter().filter(|(_, span)| *span != first).take(LABELS) {
        finding = finding.with_label(span, format!("bundle `{name}` does not exist either"));
    }
    for wrong in misspelt {
        finding.entails.push((Rule::BundleInNoChannel, wrong.bundle.span));
        finding = finding.with_label(wrong.bundle.span, "this bundle is in no channel").with_fix(wrong.fix(channel));
    }
    Some(finding)
}

/// An entry without a bundle, and the bundle that its author probably meant.
struct Misspelt<'c> {
    name: &'c str,
    span: Span,
    bundle: &'c Spanned<BundleName>,
}

impl Misspelt<'_> {
    /// Writes the name of the bundle at the entry, and wherever the channel names the entry.
    fn fix(&self, channel: &Channel) -> QuickFix {
        let names = channel
            .entries
            .iter()
            .flat_map(|entry| std::iter::once(&entry.name).chain(&entry.replaces).chain(&entry.skips));
        let spans = names.filter(|name| name.value.as_str() == self.name).map(|name| name.span);
        let mut fix = QuickFix::rename(self.span, self.bundle.value.as_str());
        fix.changes = spans.flat_map(|span| QuickFix::rename(span, self.bundle.value.as_str()).changes).collect();
        fix
    }
}

/// The names of the bundles that no channel lists.
fn unlisted_bundles(package: &Package) -> Vec<&Spanned<BundleName>> {
    let entries = package.channels.iter().flat_map(|channel| &channel.entries);
    let listed: BTreeSet<&BundleName> = entries.map(|entry| &entry.name.value).collect();
    package.bundles.iter().map(|bundle| &bundle.name).filter(|name| !listed.contains(&name.value)).collect()
}

/// Entries that are near to the name of a bundle which no channel lists.
fn misspelt<'c>(missing: &[(&'c str, Span)], unlisted: &[&'c Spanned<BundleName>]) -> Vec<Misspelt<'c>> {
    let found = missing.iter().take(SEARCHED).filter_map(|&(name, span)| {
        let near = nearest_bundle(name, unlisted.iter().map(|bundle| bundle.value.as_str()))?;
        let bundle = unlisted.iter().find(|bundle| bundle.value.as_str() == near)?;
        Some(Misspelt { name, span, bundle })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, findings_in};
    use source::Rule;

    #[test]
    fn findings() {
        let cases = r#"
            == one finding for each channel
            c: 1.0.0 (no bundle) <- 2.0.0
               ^^^^^ missing-bundle: channel `c` lists a bundle that does not exist: `p.v1.0.0`
               ^^^^^ opm: no olm.bundle blobs found in package "p" for olm.channel entries [p.v1.0.0]
               ^^^^^ help: add an `olm.bundle` document with that name, or remove the entry
            == names are in the order of the file but sorted for opm
            c: p.v2 (no bundle; replaces p.v10), p.v10 (no bundle)
               ^^^^ missing-bundle: channel `c` lists bundles that do not exist: `p.v2`, `p.v10`
               ^^^^ opm: no olm.bundle blobs found in package "p" for olm.channel entries [p.v10 p.v2]
               ^^^^ duplicate-version: opm takes `p.v10`, `p.v2` for version `0.0.0`, because no bundle describes them
               ^^^^ opm: duplicate versions found in bundles: [{0.0.0: [p.v10, p.v2]}]
        "#;
        check(cases);
    }

    #[test]
    fn a_package_without_any_bundle_may_be_a_part_of_a_catalog() {
        let found = findings_in(&fixture::yaml("c: 1.0.0 (no bundle) <- 2.0.0 (no bundle)"));
        let missing = found.iter().find(|finding| finding.rule == Rule::MissingBundle).unwrap();
        assert!(missing.help.as_ref().unwrap().ends_with("load that of `/api/v1/all`"));
    }

    #[test]
    fn a_misspelt_entry_is_the_place() {
        let found = findings_in(&fixture::yaml("c: 1.0.O (no bundle) <- 2.0.0\nbundle 1.0.0"));
        let missing = found.iter().find(|finding| finding.rule == Rule::MissingBundle).unwrap();
        assert_eq!(missing.help.as_deref(), Some("did you mean `p.v1.0.0`?"));
        assert_eq!(missing.fixes[0].changes.len(), 2, "the entry and the edge to it");
        let unlisted = found.iter().find(|finding| finding.rule == Rule::BundleInNoChannel).unwrap();
        assert_eq!(missing.entails, [(unlisted.rule, unlisted.span)]);
    }
}
