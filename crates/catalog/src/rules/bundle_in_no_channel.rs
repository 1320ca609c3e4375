//! The rule `bundle-in-no-channel`.
//!
#![doc = include_str!("bundle_in_no_channel.md")]

use crate::{BundleName, OpmPhase, Package};
use go_semver::blang::Quoted;
use source::{Diagnostic, Rule};
use std::collections::BTreeSet;

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    let entries = package.channels.iter().flat_map(|channel| &channel.entries);
    let listed: BTreeSet<&BundleName> = entries.map(|entry| &entry.name.value).collect();
    let unlisted = package.bundles.iter().filter(move |bundle| !listed.contains(&bundle.name.value));
    unlisted.map(|bundle| {
        let name = &bundle.name.value;
        let opm = format!(
            "package {}, bundle {} not found in any channel entries",
            Quoted(package.name.as_str()),
            Quoted(name.as_str())
        );
        let message = match name.as_str() {
            "" => format!("a bundle of package `{}` has no name, so no channel can list it", package.name),
            name => format!("no channel of package `{}` lists bundle `{name}`", package.name),
        };
        Diagnostic::new(Rule::BundleInNoChannel, bundle.name.span, message)
            .with_help("add it to the `entries` of a channel, or remove it")
            .with_missing([name.as_str()])
            .with_opm_at(OpmPhase::BundleListed, opm)
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn findings() {
        let cases = r#"
            c: 1.0.0
            bundle 2.0.0
                   ^^^^^ bundle-in-no-channel: no channel of package `p` lists bundle `p.v2.0.0`
                   ^^^^^ opm: package "p", bundle "p.v2.0.0" not found in any channel entries
        "#;
        check(cases);
    }
}
