//! The rule `mixed-packages`.
//!
#![doc = include_str!("mixed_packages.md")]
use crate::index::Input;
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
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == two packages in one of two files
            schema: olm.package
            name: p
            ---
            schema: olm.channel
            ^ mixed-packages: package `q` shares this file with `p`
            package: q
            name: c
            //-
            schema: olm.channel
            package: q
            name: d
            == two files with a package each
            schema: olm.package
            name: p
            //-
            schema: olm.channel
            package: q
            name: c
            == a catalog of one file
            schema: olm.package
            name: p
            ---
            schema: olm.channel
            package: q
            name: c
        ";
        check(Rule::MixedPackages, cases);
    }
}
