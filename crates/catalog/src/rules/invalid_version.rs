//! The rule `invalid-version`.
//!
#![doc = include_str!("invalid_version.md")]

use crate::{OpmPhase, Package};
use go_semver::blang::{Quoted, Version};
use source::{Diagnostic, QuickFix, Rule};

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    package.bundles.iter().filter_map(|bundle| {
        let version = bundle.version.as_ref()?;
        let error = version.value.version.as_ref().err()?;
        let (name, text) = (&bundle.name.value, &version.value.text);
        let opm = format!("error parsing bundle {} version {}: {error}", Quoted(name.as_str()), Quoted(text));
        let message = if text.is_empty() {
            format!("bundle `{name}` has no version: `version` of its `olm.package` property is missing or empty")
        } else {
            format!("`{text}` is not a valid version: {error}")
        };
        let meant = Version::parse_tolerant(text).ok().filter(|_| !text.is_empty());
        Some(
            Diagnostic::new(Rule::InvalidVersion, version.span, message)
                .with_help("write `major.minor.patch`, without `v` and without leading zeros")
                .with_fix(meant.map(|meant| QuickFix::rename(version.span, &meant.to_string())))
                .with_opm_at(OpmPhase::BundleVersion, opm),
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn findings() {
        let cases = r#"
            == an empty version
            c: p.v1 (version ''; image i)
                             ^^ invalid-version: bundle `p.v1` has no version: `version` of its `olm.package` property is missing or empty
            == a leading v
            c: p.v1 (version v1.0.0)
                             ^^^^^^ invalid-version: `v1.0.0` is not a valid version: Invalid character(s) found in major number "v1"
                             ^^^^^^ opm: error parsing bundle "p.v1" version "v1.0.0": Invalid character(s) found in major number "v1"
        "#;
        check(cases);
    }
}
