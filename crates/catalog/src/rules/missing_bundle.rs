//! The rule `missing-bundle`.
//!
#![doc = include_str!("missing_bundle.md")]

use super::{LABELS, listed};
use crate::{Channel, Package};
use blang_semver::Quoted;
use order::Ordered;
use source::{Diagnostic, OpmStep, Rule};
use std::collections::BTreeSet;

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    let last = package.channels.iter().map(|channel| channel.span).max();
    package.channels.iter().filter_map(move |channel| in_channel(package, channel, last == Some(channel.span)))
}

fn in_channel(package: &Package, channel: &Channel, loaded_last: bool) -> Option<Diagnostic> {
    let entries = || channel.entries.iter().filter(|entry| package.bundle(entry.name.value.as_str()).is_none());
    let first = entries().next()?;
    let missing: BTreeSet<&str> = entries().map(|entry| entry.name.value.as_str()).ordered();
    let names: Vec<&str> = missing.into_iter().collect();
    let (step, opm) = if loaded_last {
        let package = Quoted(package.name.as_str());
        let names = names.join(" ");
        (OpmStep::Entries, format!("no olm.bundle blobs found in package {package} for olm.channel entries [{names}]"))
    } else {
        (OpmStep::Model, "must be exactly one property with type \"olm.package\"".to_owned())
    };
    let message = format!("channel `{}` lists {}, but there is no such bundle", channel.name, listed(names));
    let mut finding = Diagnostic::new(Rule::MissingBundle, first.name.span, message)
        .with_help("add a document with `schema: olm.bundle` and that name, or remove the entry")
        .with_opm_at(step, opm);
    for entry in entries().skip(1).take(LABELS) {
        finding = finding.with_label(entry.name.span, "no such bundle either");
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
}
