//! The rule `invalid-release`.
//!
#![doc = include_str!("invalid_release.md")]

use crate::predicate::Property;
use crate::{Bundle, OpmPhase, Package};
use go_semver::blang::{Quoted, Version};
use source::{Diagnostic, OpmVersion, QuickFix, Rule, Span};

/// The longest release in bytes.
const MAX_LENGTH: usize = 20;

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    package.bundles.iter().flat_map(move |bundle| check_bundle(package, bundle))
}

/// The release in the bundle's `olm.package` property, and the place of the property.
pub(super) fn release(bundle: &Bundle) -> Option<(&str, Span)> {
    bundle.properties.iter().find_map(|property| match &property.value {
        Property::Package { release, .. } if !release.is_empty() => Some((&**release, property.span)),
        _ => None,
    })
}

pub(super) fn check_bundle(package: &Package, bundle: &Bundle) -> Vec<Diagnostic> {
    let Some((release, span)) = release(bundle) else { return Vec::new() };
    let name = bundle.name.value.as_str();
    if let Some(error) = release_error(release) {
        let opm = format!("error parsing bundle {} release version {}: {error}", Quoted(name), Quoted(release));
        let message = format!("`{release}` is not a valid release: {}", error.replace('\n', "; "));
        let help = "use identifiers of letters, digits and `-`, separated by dots";
        let found = finding(span, message, help, OpmPhase::BundleVersion, opm);
        let is_only_long = release.split('.').all(|segment| segment_error(segment).is_none());
        return vec![if is_only_long { found.since(OpmVersion::RELEASE_LENGTHS) } else { found }];
    }
    let Some(version) = bundle.version() else { return Vec::new() };
    let mut findings = Vec::new();
    let normalized = format!("{}-v{version}-{release}", package.name);
    if name != normalized {
        let opm = format!("name {} does not match normalized name {}", Quoted(name), Quoted(&normalized));
        let message = format!("a bundle with release `{release}` must be named `{normalized}`");
        findings.push(finding(
            bundle.name.span,
            message,
            "rename the bundle and the entries that name it",
            OpmPhase::Model,
            opm,
        ));
    }
    if version.to_string().contains('+') {
        let place = bundle.version.as_ref().map_or(span, |version| version.span);
        let message = "a bundle with a release must not have build metadata in its version".to_owned();
        let opm = "cannot use build metadata in version with a release version".to_owned();
        let text = version.to_string();
        let without = text.split('+').next().unwrap_or_default();
        let is_version = bundle.version.as_ref().map(|_| QuickFix::rename(place, without));
        let finding = finding(place, message, "remove the `+` and everything after it", OpmPhase::Model, opm);
        findings.push(finding.with_fix(is_version));
    }
    findings
}

fn finding(span: Span, message: String, help: &str, step: OpmPhase, opm: String) -> Diagnostic {
    Diagnostic::new(Rule::InvalidRelease, span, message)
        .with_help(help)
        .with_opm_at(step, opm)
        .since(OpmVersion::RELEASES)
}

/// The error of operator-registry for a text that is not a release (`alpha/declcfg/declcfg.go`).
#[must_use]
pub fn release_error(release: &str) -> Option<String> {
    let quoted = Quoted(release);
    if release.len() > MAX_LENGTH {
        return Some(format!("invalid release {quoted}: exceeds maximum length of {MAX_LENGTH} characters"));
    }
    let segments = release.split('.').enumerate();
    let errors = segments.filter_map(|(index, segment)| Some(format!("segment {index}: {}", segment_error(segment)?)));
    let errors: Vec<String> = errors.collect();
    (!errors.is_empty()).then(|| format!("invalid release {quoted}: {}", errors.join("\n")))
}

/// The error of blang for a text that is not an identifier of a prerelease.
fn segment_error(segment: &str) -> Option<String> {
    if segment.contains('+') {
        return Some(format!("Invalid character(s) found in prerelease {}", Quoted(segment)));
    }
    Version::parse(&format!("0.0.0-{segment}")).err().map(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::check;

    #[test]
    fn names() {
        let cases = r#"
            == the release of the name
            c: p-v1.0.0-2 (no bundle)
            ---
            {schema: olm.bundle, package: p, name: p-v1.0.0-2, image: i,
              properties: [{type: olm.package, value: {packageName: p, version: 1.0.0, release: "2"}}]}
            == another release
            c: p-v1.0.0-2 (no bundle)
            ---
            {schema: olm.bundle, package: p, name: p-v1.0.0-2, image: i,
                                                   ^^^^^^^^^^ invalid-release: a bundle with release `3` must be named `p-v1.0.0-3`
                                                   ^^^^^^^^^^ opm: name "p-v1.0.0-2" does not match normalized name "p-v1.0.0-3"
              properties: [{type: olm.package, value: {packageName: p, version: 1.0.0, release: "3"}}]}
            == build metadata beside a release
            c: p-v1.0.0+b-2 (no bundle)
            ---
            {schema: olm.bundle, package: p, name: p-v1.0.0+b-2, image: i,
              properties: [{type: olm.package, value: {packageName: p, version: 1.0.0+b, release: "2"}}]}
                                                                                ^^^^^^^ invalid-release: a bundle with a release must not have build metadata in its version
                                                                                ^^^^^^^ opm: cannot use build metadata in version with a release version
        "#;
        check(cases);
    }

    #[test]
    fn releases() {
        for release in ["1", "a-b.2", "rc.1.x"] {
            assert_eq!(release_error(release), None, "{release}");
        }
        let invalid = "invalid release \"01..a+\": segment 0: Numeric PreRelease version must not contain leading zeroes \"01\"\nsegment 1: Prerelease is empty\nsegment 2: Invalid character(s) found in prerelease \"a+\"";
        assert_eq!(release_error("01..a+").as_deref(), Some(invalid));
        let long = "invalid release \"aaaaaaaaaaaaaaaaaaaaa\": exceeds maximum length of 20 characters";
        assert_eq!(release_error(&"a".repeat(21)).as_deref(), Some(long));
    }
}
