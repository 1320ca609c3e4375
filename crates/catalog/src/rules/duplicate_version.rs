//! Bundles of one package with the same version.
//!
//! Reported since opm v1.47.0. Build metadata makes a difference here, unlike in every comparison. Fix: give each
//! bundle its own version. Source: model.go `Package.Validate`, "duplicate versions found in bundles".

use super::listed;
use crate::{Bundle, Package};
use predicate::Property;
use source::{Diagnostic, Rule};
use std::collections::BTreeMap;

pub(super) fn check(package: &Package) -> Option<Diagnostic> {
    let mut versions: BTreeMap<String, Vec<&Bundle>> = BTreeMap::new();
    for bundle in &package.bundles {
        versions.entry(version(bundle)?).or_default().push(bundle);
    }
    versions.retain(|_, bundles| bundles.len() > 1);
    let (version, bundles) = versions.first_key_value()?;
    let names = listed(bundles.iter().map(|bundle| bundle.name.value.as_str()));
    let groups: Vec<String> = versions.iter().map(|(version, bundles)| group(version, bundles)).collect();
    let place = |bundle: &Bundle| bundle.version.as_ref().map_or(bundle.name.span, |version| version.span);
    let mut finding =
        Diagnostic::new(Rule::DuplicateVersion, place(bundles[1]), format!("{names} are all version `{version}`"))
            .with_help("give each bundle of the package its own version")
            .with_opm(format!("duplicate versions found in bundles: [{}]", groups.join(" ")));
    for bundle in versions.values().flatten().filter(|bundle| place(bundle) != place(bundles[1])) {
        finding = finding.with_label(place(bundle), "same version as another bundle");
    }
    Some(finding)
}

/// The version with its release, as the model keys it; absent while a version does not parse, because `opm` then stops
/// before this check.
fn version(bundle: &Bundle) -> Option<String> {
    let version = bundle.version()?;
    let release = bundle.properties.iter().find_map(|property| match &property.value {
        Property::Package { release, .. } if !release.is_empty() => Some(release),
        _ => None,
    });
    Some(release.map_or_else(|| version.to_string(), |release| format!("{version}-{release}")))
}

fn group(version: &str, bundles: &[&Bundle]) -> String {
    let names: Vec<&str> = bundles.iter().map(|bundle| bundle.name.value.as_str()).collect();
    format!("{{{version}: [{}]}}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm, package};

    #[test]
    fn two_bundles_of_one_version() {
        let entries = "- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        let text = package(entries, &["1.0.0", "2.0.0"]).replace("version: 2.0.0", "version: 1.0.0");
        check(&text, &["26:36 duplicate-version: `p.v1.0.0`, `p.v2.0.0` are all version `1.0.0`"]);
        check_opm(&text, &["duplicate versions found in bundles: [{1.0.0: [p.v1.0.0, p.v2.0.0]}]"]);
    }

    #[test]
    fn build_metadata_tells_versions_apart() {
        let entries = "- {name: p.v1.0.0+2, replaces: p.v1.0.0+1}\n- name: p.v1.0.0+1\n";
        check(&package(entries, &["1.0.0+1", "1.0.0+2"]), &[]);
    }
}
