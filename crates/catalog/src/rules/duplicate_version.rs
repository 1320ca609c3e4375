//! The rule `duplicate-version`.
//!
#![doc = include_str!("duplicate_version.md")]

use super::invalid_release::release;
use super::labels::LABELS;
use crate::{Bundle, OpmPhase, Package};
use source::{Diagnostic, OpmVersion, Rule, Span, name_list};
use std::collections::BTreeMap;

/// The version that `opm` assumes for an entry without a bundle document.
const UNKNOWN: &str = "0.0.0";

pub(super) fn check(package: &Package) -> Option<Diagnostic> {
    let versions = versions(package)?;
    let (version, members) = versions.first_key_value()?;
    let names = name_list(members.keys().copied());
    let opm_groups: Vec<String> = versions.iter().map(|(version, members)| opm_group(version, members)).collect();
    let place = *members.values().nth(1)?;
    // `opm` names the version that it assumes; nobody wrote it.
    let is_assumed = version == UNKNOWN && members.keys().all(|name| package.bundle(name).is_none());
    let (message, help, missing): (_, _, Vec<&str>) = match is_assumed {
        true => (
            format!("opm takes {names} for version `{UNKNOWN}`, because no bundle describes them"),
            "add their `olm.bundle` documents, or remove the entries",
            members.keys().copied().take(LABELS).collect(),
        ),
        false => {
            let message = format!("{names} have the same version `{version}`");
            (message, "give each bundle of the package its own version", Vec::new())
        }
    };
    let label = if is_assumed { "no bundle describes this either" } else { "same version as another bundle" };
    let mut finding = Diagnostic::new(Rule::DuplicateVersion, place, message)
        .with_help(help)
        .with_missing(missing)
        .with_opm_at(OpmPhase::Model, format!("duplicate versions found in bundles: [{}]", opm_groups.join(" ")))
        .since(OpmVersion::UNIQUE_VERSIONS);
    for other in versions.values().flat_map(BTreeMap::values).filter(|other| **other != place).take(LABELS) {
        finding = finding.with_label(*other, label);
    }
    Some(finding)
}

/// Names and places of the bundles of each version that occurs more than once. `None` if some version does not parse:
/// `opm` then stops before this check.
fn versions(package: &Package) -> Option<BTreeMap<String, BTreeMap<&str, Span>>> {
    let mut versions: BTreeMap<String, BTreeMap<&str, Span>> = BTreeMap::new();
    for bundle in &package.bundles {
        let place = bundle.version.as_ref().map_or(bundle.name.span, |version| version.span);
        versions.entry(version(bundle)?).or_default().insert(bundle.name.value.as_str(), place);
    }
    for entry in package.channels.iter().flat_map(|channel| &channel.entries) {
        let name = entry.name.value.as_str();
        if package.bundle(name).is_none() && !package.may_be_unknown(name) {
            versions.entry(UNKNOWN.to_owned()).or_default().entry(name).or_insert(entry.name.span);
        }
    }
    versions.retain(|_, members| members.len() > 1);
    Some(versions)
}

/// The version with its release, as `opm` compares them.
fn version(bundle: &Bundle) -> Option<String> {
    // As text, because blang's comparison ignores build metadata and opm's map of versions does not.
    let version = bundle.version()?;
    Some(release(bundle).map_or_else(|| version.to_string(), |(release, _)| format!("{version}-{release}")))
}

fn opm_group(version: &str, members: &BTreeMap<&str, Span>) -> String {
    let names: Vec<&str> = members.keys().copied().collect();
    format!("{{{version}: [{}]}}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn findings() {
        let cases = r#"
            == two bundles of one version
            c: 1.0.0 <- 2.0.0 (version 1.0.0)
                                       ^^^^^ duplicate-version: `p.v1.0.0`, `p.v2.0.0` have the same version `1.0.0`
                                       ^^^^^ opm: duplicate versions found in bundles: [{1.0.0: [p.v1.0.0, p.v2.0.0]}]
            == versions differ by build metadata
            c: 1.0.0+1 <- 1.0.0+2
            == entries without a bundle count as one version
            c: 0.0.0 (skips gone, ghost), gone (no bundle), ghost (no bundle)
                                          ^^^^ missing-bundle: channel `c` lists bundles that do not exist: `gone`, `ghost`
                                          ^^^^ duplicate-version: `ghost`, `gone`, `p.v0.0.0` have the same version `0.0.0`
                                          ^^^^ opm: duplicate versions found in bundles: [{0.0.0: [ghost, gone, p.v0.0.0]}]
                                          ^^^^ opm: no olm.bundle blobs found in package "p" for olm.channel entries [ghost gone]
        "#;
        check(cases);
    }
}
