//! The rule `deprecated-default`.
//!
#![doc = include_str!("deprecated_default.md")]

use crate::index::IndexedPackage;
use catalog::{Deprecation, DeprecationTarget};
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let package = indexed.package;
    let Some(default) = &package.default_channel else { return };
    let entries = &package.deprecations;
    if entries.iter().any(|entry| entry.target == DeprecationTarget::Package) {
        return;
    }
    let channel = indexed.channels.iter().find(|channel| channel.name().value == default.value);
    let head = channel.and_then(|channel| channel.head()).map(|(entry, _)| &entry.name.value);
    let finding = |entry: &Deprecation, message: String| {
        Diagnostic::new(Rule::DeprecatedDefault, default.span, message)
            .with_label(entry.span, "deprecated here")
            .with_help("make a maintained channel the default, or deprecate the package")
    };
    findings.extend(entries.iter().find_map(|entry| match &entry.target {
        DeprecationTarget::Channel(name) if *name == default.value => {
            Some(finding(entry, format!("the default channel `{name}` of package `{}` is deprecated", package.name)))
        }
        DeprecationTarget::Bundle(name) if Some(name) == head => {
            Some(finding(entry, format!("`{name}`, the head of the default channel `{default}`, is deprecated")))
        }
        _ => None,
    }));
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == the default channel
            package p, default c
                               ^ deprecated-default: the default channel `c` of package `p` is deprecated
            c: 1.0.0 <- 2.0.0
            deprecated channel c
            == its head
            package p, default c
                               ^ deprecated-default: `p.v2.0.0`, the head of the default channel `c`, is deprecated
            c: 1.0.0 <- 2.0.0
            deprecated 2.0.0
            == another bundle
            c: 1.0.0 <- 2.0.0
            deprecated 1.0.0
            == the package
            c: 1.0.0 <- 2.0.0
            deprecated package
        ";
        check(Rule::DeprecatedDefault, cases);
    }
}
