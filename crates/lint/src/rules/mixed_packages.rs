//! The rule `mixed-packages`.
//!
#![doc = include_str!("mixed_packages.md")]

use crate::input::Input;
use source::{Diagnostic, FileId, Findings, Rule, Span, name_list};
use std::collections::BTreeMap;

pub(super) fn check(input: Input<'_>, findings: &mut Findings) {
    let mut files: BTreeMap<FileId, BTreeMap<&str, Span>> = BTreeMap::new();
    for package in &input.catalog.packages {
        let channels = package.channels.iter().map(|channel| channel.span);
        let deprecations = package.deprecations.iter().map(|deprecation| deprecation.span);
        let bundles = package.bundles.iter().map(|bundle| bundle.span);
        for span in package.declared.into_iter().chain(channels).chain(bundles).chain(deprecations) {
            let first = files.entry(span.file).or_default().entry(package.name.as_str()).or_insert(span);
            *first = (*first).min(span);
        }
    }
    if files.len() < 2 {
        return;
    }
    for packages in files.into_values().filter(|packages| packages.len() > 1) {
        // The first package of a file is assumed to belong there.
        let mut places: Vec<(Span, &str)> = packages.iter().map(|(name, span)| (*span, *name)).collect();
        places.sort();
        let (span, name) = places[1];
        let others = name_list(places.iter().map(|(_, name)| *name).filter(|other| *other != name));
        let message = format!("package `{name}` shares this file with {others}");
        findings.push(
            Diagnostic::new(Rule::MixedPackages, Span::new(span.file, span.start, span.start), message)
                .with_help("move each package to its own folder or file, or correct `package` here"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_files};
    use source::Rule;

    const P: &str = "schema: olm.package\nname: p\n";
    const Q: &str = "---\nschema: olm.channel\npackage: q\nname: c\n";
    const MORE: &str = "schema: olm.channel\npackage: q\nname: d\n";

    #[test]
    fn two_packages_in_one_of_two_files() {
        let mixed = format!("{P}{Q}");
        check_files(Rule::MixedPackages, &[&mixed, MORE], &["4:1 package `q` shares this file with `p`"]);
        check_files(Rule::MixedPackages, &[P, Q], &[]);
    }

    #[test]
    fn a_catalog_of_one_file() {
        check(Rule::MixedPackages, &format!("{P}{Q}"), &[]);
    }
}
