//! The rule `missing-bundle`.
//!
#![doc = include_str!("missing_bundle.md")]

use super::{LABELS, pointed_at};
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
    // As `opm` sorts them.
    let missing: BTreeSet<&str> = names.filter(|name| package.bundle(name).is_none()).collect();
    let names: Vec<&str> = missing.into_iter().collect();
    let places = pointed_at(channel, &names);
    let &(_, first) = places.first()?;
    let (step, opm) = if loaded_last {
        let package = Quoted(package.name.as_str());
        let names = names.join(" ");
        (OpmPhase::Entries, format!("no olm.bundle blobs found in package {package} for olm.channel entries [{names}]"))
    } else {
        (OpmPhase::Model, "must be exactly one property with type \"olm.package\"".to_owned())
    };
    let listed = name_list(places.iter().map(|(name, _)| *name));
    let message = format!("channel `{}` lists {listed}, but there is no such bundle", channel.name);
    let mut finding = Diagnostic::new(Rule::MissingBundle, first, message)
        .with_help("add a document with `schema: olm.bundle` and that name, or remove the entry")
        .with_opm_at(step, opm);
    for (name, span) in places.into_iter().skip(1).take(LABELS) {
        finding = finding.with_label(span, format!("there is no bundle `{name}` either"));
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm, package};

    #[test]
    fn one_finding_a_channel() {
        let text = package("- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n", &["2.0.0"]);
        check(&text, &["10:9 missing-bundle: channel `c` lists `p.v1.0.0`, but there is no such bundle"]);
        check_opm(&text, &["no olm.bundle blobs found in package \"p\" for olm.channel entries [p.v1.0.0]"]);
    }

    #[test]
    fn names_are_in_the_order_of_the_file_and_for_opm_in_that_of_texts() {
        let text = package("- {name: p.v2, replaces: p.v10}\n- name: p.v10\n", &[]);
        let missing = "9:10 missing-bundle: channel `c` lists `p.v2`, `p.v10`, but there is no such bundle";
        check(&text, &[missing, "9:10 duplicate-version: `p.v10`, `p.v2` are all version `0.0.0`"]);
        let missing = "no olm.bundle blobs found in package \"p\" for olm.channel entries [p.v10 p.v2]";
        check_opm(&text, &[missing, "duplicate versions found in bundles: [{0.0.0: [p.v10, p.v2]}]"]);
    }
}
