//! The rule `invalid-deprecation`.
//!
#![doc = include_str!("invalid_deprecation.md")]

use super::mended::nearest_bundle;
use crate::{Deprecation, DeprecationTarget, OpmPhase, Package};
use fbc::raw::{RawDeprecation, RawDeprecations, Text};
use go_semver::blang::Quoted;
use source::{Diagnostic, OpmVersion, QuickFix, Rule, Span, nearest};
use std::collections::BTreeMap;

/// Checks one `olm.deprecations` document of `package`; `earlier` is the place of an earlier one.
pub(crate) fn document(raw: &RawDeprecations, package: &Text, earlier: Option<Span>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if let Some(first) = earlier {
        let message = format!("package `{package}` has a second `olm.deprecations` document");
        let opm = format!("expected a maximum of one deprecation per package: {}", Quoted(&package.value));
        let duplicate = finding(package.span, message, "put all entries into one document", opm);
        findings.push(duplicate.with_label(first, "the first one"));
    }
    let mut seen: BTreeMap<(&str, &str), Span> = BTreeMap::new();
    for (index, entry) in raw.entries.iter().enumerate() {
        let reference = (text(entry.schema.as_ref()), text(entry.name.as_ref()));
        let first = *seen.entry(reference).or_insert(entry.span);
        if first != entry.span && !reference.0.is_empty() {
            let opm =
                format!("duplicate deprecation entry {} for package {}", go_reference(entry), Quoted(&package.value));
            let message = "an earlier deprecation has the same `reference`".to_owned();
            let duplicate = finding(entry.span, message, "remove one of the two", opm).with_label(first, "first here");
            findings.push(duplicate.with_fix(QuickFix::remove(entry.span, "this deprecation")));
        }
        findings.extend(reference_fault(entry, index, &package.value));
    }
    findings
}

fn reference_fault(entry: &RawDeprecation, index: usize, package: &str) -> Option<Diagnostic> {
    const HELP: &str = "write `reference: {schema: olm.package}`, or `olm.channel` or `olm.bundle` with a `name`";
    let quoted = Quoted(package);
    let name = text(entry.name.as_ref());
    let Some(schema) = entry.schema.as_ref().filter(|schema| !schema.value.is_empty()) else {
        let opm = format!("schema must be set for deprecation entry [{index}] for package {quoted}");
        return Some(finding(entry.span, "the `reference` of the deprecation has no `schema`".to_owned(), HELP, opm));
    };
    match &*schema.value {
        "olm.package" if !name.is_empty() => {
            let opm =
                format!("package name must be empty for deprecated package {quoted} (specified {})", Quoted(name));
            let message =
                format!("the deprecation of package `{package}` itself must not have a `name`, found `{name}`");
            let place = entry.name.as_ref()?.span;
            Some(finding(place, message, "remove the name", opm).with_fix(QuickFix::remove(place, "the name")))
        }
        "olm.package" | "olm.channel" | "olm.bundle" => None,
        _ => {
            // Go prints the reference with `%#v`.
            let opm = format!(
                "cannot deprecate object {} referenced by entry {index} for package {quoted}: object schema unknown",
                go_reference(entry)
            );
            let near = nearest(&schema.value, ["olm.package", "olm.channel", "olm.bundle"]);
            let message = format!("objects with schema `{schema}` cannot be deprecated");
            let fix = near.first().map(|near| QuickFix::rename(schema.span, near));
            Some(finding(schema.span, message, HELP, opm).with_fix(fix))
        }
    }
}

/// The reference as Go's `%#v` prints it.
fn go_reference(entry: &RawDeprecation) -> String {
    let (schema, name) = (Quoted(text(entry.schema.as_ref())), Quoted(text(entry.name.as_ref())));
    format!("declcfg.PackageScopedReference{{Schema:{schema}, Name:{name}}}")
}

fn text(text: Option<&Text>) -> &str {
    text.map_or("", |text| &text.value)
}

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    package.deprecations.iter().filter_map(move |deprecation| {
        if let Some((what, name)) = missing_target(package, deprecation) {
            let (quoted, owner) = (Quoted(name), Quoted(package.name.as_str()));
            let opm = format!("cannot deprecate {what} {quoted} for package {owner}: {what} not found");
            let message = format!("the deprecated {what} `{name}` does not exist in package `{}`", package.name);
            return Some(unknown_target(package, deprecation, name, finding(deprecation.place, message, "", opm)));
        }
        no_message(deprecation)
    })
}

pub(super) fn no_message(deprecation: &Deprecation) -> Option<Diagnostic> {
    deprecation.message.is_empty().then(|| {
        let opm = "invalid deprecation: message must be set".to_owned();
        let help = "add a `message` that tells users what to do instead";
        let no_message = finding(deprecation.span, "the deprecation has no message".to_owned(), help, opm);
        Diagnostic { opm_rank: OpmPhase::Model.into(), ..no_message }
    })
}

/// Completes the finding about a deprecated object that does not exist.
fn unknown_target(package: &Package, deprecation: &Deprecation, name: &str, finding: Diagnostic) -> Diagnostic {
    let near = match deprecation.target {
        DeprecationTarget::Channel(_) => {
            nearest(name, package.channels.iter().map(|known| known.name.value.as_str())).first().copied()
        }
        _ => nearest_bundle(name, package.bundles.iter().map(|known| known.name.value.as_str())),
    };
    // Two deprecations of one object are an error, too.
    let is_free = |name: &&str| package.deprecations.iter().all(|other| other.target.name() != Some(name));
    let near = near.filter(is_free);
    let help = near.map_or_else(
        || "correct the name, or remove the deprecation".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    finding
        .with_help(help)
        .with_missing([name])
        .with_fix(near.map(|near| QuickFix::rename(deprecation.place, near)))
        .with_fix(QuickFix::remove(deprecation.span, "this deprecation"))
}

/// Kind and name of the deprecated object, if it does not exist.
fn missing_target<'p>(package: &Package, deprecation: &'p Deprecation) -> Option<(&'static str, &'p str)> {
    match &deprecation.target {
        DeprecationTarget::Package => None,
        DeprecationTarget::Channel(name) => {
            let known = package.channel(name.as_str()).is_some()
                || package.default_channel.as_ref().is_some_and(|default| default.value == *name);
            (!known).then(|| ("channel", name.as_str()))
        }
        DeprecationTarget::Bundle(name) => {
            let is_known = package.bundle(name.as_str()).is_some() || package.may_be_unknown(name.as_str());
            (!is_known).then(|| ("bundle", name.as_str()))
        }
    }
}

fn finding(span: Span, message: String, help: &str, opm: String) -> Diagnostic {
    Diagnostic::new(Rule::InvalidDeprecation, span, message)
        .with_help(help)
        .with_opm_at(OpmPhase::Deprecations, opm)
        .since(OpmVersion::DEPRECATIONS)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn findings() {
        let cases = r#"
            == valid deprecations
            c: 1.0.0
            deprecated package
            deprecated channel c
            deprecated 1.0.0
            == a bundle that does not exist
            c: 1.0.0
            deprecated gone
                       ^^^^ invalid-deprecation: the deprecated bundle `gone` does not exist in package `p`
                       ^^^^ opm: cannot deprecate bundle "gone" for package "p": bundle not found
            == references without or with an unknown schema
            c: 1.0.0
            ---
            schema: olm.deprecations
            package: p
            entries:
            - {reference: {schema: olm.package}, message: old}
            - {reference: {name: c}, message: old}
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-deprecation: the `reference` of the deprecation has no `schema`
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ opm: schema must be set for deprecation entry [1] for package "p"
            - {reference: {schema: olm.csv, name: c}, message: old}
                                   ^^^^^^^ invalid-deprecation: objects with schema `olm.csv` cannot be deprecated
                                   ^^^^^^^ opm: cannot deprecate object declcfg.PackageScopedReference{Schema:"olm.csv", Name:"c"} referenced by entry 2 for package "p": object schema unknown
            == duplicate references
            c: 1.0.0
            deprecated channel c
            deprecated channel c
                       ^^^^^^^^^ invalid-deprecation: an earlier deprecation has the same `reference`
                       ^^^^^^^^^ opm: duplicate deprecation entry declcfg.PackageScopedReference{Schema:"olm.channel", Name:"c"} for package "p"
            == a package by name
            c: 1.0.0
            ---
            schema: olm.deprecations
            package: p
            entries:
            - {reference: {schema: olm.package, name: p}, message: old}
                                                      ^ invalid-deprecation: the deprecation of package `p` itself must not have a `name`, found `p`
                                                      ^ opm: package name must be empty for deprecated package "p" (specified "p")
            == two documents
            c: 1.0.0
            ---
            schema: olm.deprecations
            package: p
            entries: []
            ---
            schema: olm.deprecations
            package: p
                     ^ invalid-deprecation: package `p` has a second `olm.deprecations` document
                     ^ opm: expected a maximum of one deprecation per package: "p"
            entries: []
            == no message
            c: 1.0.0
            ---
            schema: olm.deprecations
            package: p
            entries:
            - {reference: {schema: olm.package}}
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-deprecation: the deprecation has no message
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ opm: invalid deprecation: message must be set
        "#;
        check(cases);
    }
}
