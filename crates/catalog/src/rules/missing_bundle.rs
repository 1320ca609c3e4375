//! The rule `missing-bundle`.
//!
#![doc = include_str!("missing_bundle.md")]

use super::{LABELS, entries_named};
use crate::{Channel, OpmPhase, Package};
use blang_semver::Quoted;
use source::{Diagnostic, Rule, name_list};
use std::collections::BTreeSet;

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    let last = package.channels.iter().map(|channel| channel.span).max();
    package.channels.iter().filter_map(move |channel| in_channel(package, channel, last == Some(channel.span)))
}

fn in_channel(package: &Package, channel: &Channel, loaded_last: bool) -> Option<Diagnostic> {
    let names = channel.entries.iter().map(|entry| entry.name.value.as_str());
    // Sorted, as `opm` prints them.
    let missing: BTreeSet<&str> = names.filter(|name| package.bundle(name).is_none()).collect();
    let names: Vec<&str> = missing.into_iter().collect();
    let places = entries_named(channel, &names);
    let &(_, first) = places.first()?;
    // `opm` overwrites its list of missing bundles with each channel that it loads, so it names those of the last channel
    // only; those of the others fail the model because their entries have no properties.
    let (phase, opm) = if loaded_last {
        let package = Quoted(package.name.as_str());
        let names = names.join(" ");
        (OpmPhase::Entries, format!("no olm.bundle blobs found in package {package} for olm.channel entries [{names}]"))
    } else {
        (OpmPhase::Model, "must be exactly one property with type \"olm.package\"".to_owned())
    };
    let names = name_list(places.iter().map(|(name, _)| *name));
    let what = if places.len() == 1 { "a bundle that does" } else { "bundles that do" };
    let message = format!("channel `{}` lists {what} not exist: {names}", channel.name);
    let mut finding = Diagnostic::new(Rule::MissingBundle, first, message)
        .with_help("add an `olm.bundle` document with that name, or remove the entry")
        .with_opm_at(phase, opm);
    for (name, span) in places.into_iter().skip(1).take(LABELS) {
        finding = finding.with_label(span, format!("bundle `{name}` does not exist either"));
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm, package};

    #[test]
    fn one_finding_for_each_channel() {
        let text = package("- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n", &["2.0.0"]);
        check(&text, &["10:9 missing-bundle: channel `c` lists a bundle that does not exist: `p.v1.0.0`"]);
        check_opm(&text, &["no olm.bundle blobs found in package \"p\" for olm.channel entries [p.v1.0.0]"]);
    }

    #[test]
    fn names_are_in_the_order_of_the_file_but_sorted_for_opm() {
        let text = package("- {name: p.v2, replaces: p.v10}\n- name: p.v10\n", &[]);
        let missing = "9:10 missing-bundle: channel `c` lists bundles that do not exist: `p.v2`, `p.v10`";
        check(&text, &[missing, "9:10 duplicate-version: `p.v10`, `p.v2` have the same version `0.0.0`"]);
        let missing = "no olm.bundle blobs found in package \"p\" for olm.channel entries [p.v10 p.v2]";
        check_opm(&text, &[missing, "duplicate versions found in bundles: [{0.0.0: [p.v10, p.v2]}]"]);
    }
}
