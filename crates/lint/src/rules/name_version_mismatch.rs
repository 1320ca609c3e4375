//! The rule `name-version-mismatch`.
//!
#![doc = include_str!("name_version_mismatch.md")]

use crate::index::IndexedPackage;
use go_semver::blang::Version;
use source::{Diagnostic, Findings, Rule};
use update_graph::version_in;

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    for bundle in &indexed.bundles {
        let (Some(named), Some(version)) = (version_in(bundle.name.value.as_str()), &bundle.version) else { continue };
        // No name can have the `+` of a version; `-` stands for it, as in rebuilds.
        let rewritten = Version::parse_tolerant(&version.value.text.replace('+', "-"));
        if version.value.version.as_ref().is_ok_and(|version| *version != named) && rewritten.as_ref() != Ok(&named) {
            let message = format!("`{}` has version {}, not the one in its name", bundle.name, version.value.text);
            let help = "skipRanges select by version, `replaces` and `skips` by name; use the same version in both, with `-` for `+` in the name";
            findings.push(
                Diagnostic::new(Rule::NameVersionMismatch, version.span, message)
                    .with_label(bundle.name.span, "the name has another version")
                    .with_help(help),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == another version
            c: 1.2.0 (version 1.2.1)
                              ^^^^^ name-version-mismatch: `p.v1.2.0` has version 1.2.1, not the one in its name
            == another rebuild
            c: 1.2.0-1 (version 1.2.0+2)
                                ^^^^^^^ name-version-mismatch: `p.v1.2.0-1` has version 1.2.0+2, not the one in its name
            == a rebuild
            c: 1.2.0-0.1700000000.p (version 1.2.0+0.1700000000.p)
            == a rebuild of a prerelease
            c: 1.2.0-rc.1-5 (version 1.2.0-rc.1+5)
            == the same version
            c: 1.2.0
            == a name without a version
            c: p-latest (version 1.2.0)
        ";
        check(Rule::NameVersionMismatch, cases);
    }
}
