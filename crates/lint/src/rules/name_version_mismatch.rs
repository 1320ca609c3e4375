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
        if version.value.version.as_ref().is_ok_and(|version| *version != named)
            && rewritten.as_ref() != Ok(&named)
            && !is_rebuild(bundle.name.value.as_str(), &version.value.text)
        {
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

/// Whether the name ends with the version and the number of a rebuild, `-N` or `-0.N.p`, which the version does not have.
fn is_rebuild(name: &str, version: &str) -> bool {
    let number = name.rsplit_once(version).and_then(|(_, rest)| rest.strip_prefix('-'));
    let number = number.map(|rest| rest.strip_prefix("0.").and_then(|rest| rest.strip_suffix(".p")).unwrap_or(rest));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
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
            == a rebuild that only the name tells
            c: 1.2.0-3 (version 1.2.0)
            bundle 1.3.0-0.1700000000.p (version 1.3.0)
            == a prerelease that only the name tells
            c: 1.2.0-rc.1 (version 1.2.0)
                                   ^^^^^ name-version-mismatch: `p.v1.2.0-rc.1` has version 1.2.0, not the one in its name
            == the same version
            c: 1.2.0
            == a name without a version
            c: p-latest (version 1.2.0)
        ";
        check(Rule::NameVersionMismatch, cases);
    }
}
