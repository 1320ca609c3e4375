//! Deprecations that name nothing, or do not say what they are about.
//!
//! Source: declcfg_to_model.go, "cannot deprecate"; model.go "message must be set".

use crate::{Deprecation, DeprecationTarget, Package};
use blang_semver::Quoted;
use fbc::raw::{RawDeprecation, Text};
use source::{Diagnostic, Rule};

pub(crate) fn unknown_reference(entry: &RawDeprecation, index: usize, package: &str) -> Diagnostic {
    let help = "write `reference: {schema: olm.package}`, or `olm.channel` or `olm.bundle` with a `name`";
    let quoted = Quoted(package);
    let schema = entry.schema.as_ref().filter(|schema| !schema.value.is_empty());
    let finding = match schema {
        None => Diagnostic::new(Rule::InvalidDeprecation, entry.span, "the deprecation does not say what it is about")
            .with_opm(format!("schema must be set for deprecation entry [{index}] for package {quoted}")),
        Some(schema) => {
            let text = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone()).unwrap_or_default();
            let (name, message) = (text(&entry.name), text(&entry.message));
            // Go's `%#v` of the reference and `%v` of the entry.
            let object =
                format!("declcfg.PackageScopedReference{{Schema:{}, Name:{}}}", Quoted(&schema.value), Quoted(&name));
            let opm = format!(
                "cannot deprecate object {object} referenced by entry {{{{{schema} {name}}} {message}}} for package {quoted}: object schema unknown"
            );
            let message = format!("nothing of schema `{schema}` can be deprecated");
            Diagnostic::new(Rule::InvalidDeprecation, schema.span, message).with_opm(opm)
        }
    };
    finding.with_help(help)
}

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    let about = |deprecation: &Deprecation| match &deprecation.target {
        DeprecationTarget::Package => None,
        DeprecationTarget::Channel(name) => {
            let known = package.channel(name.as_str()).is_some()
                || package.default_channel.as_ref().is_some_and(|default| default.value == *name);
            (!known).then(|| ("channel", name.to_string()))
        }
        DeprecationTarget::Bundle(name) => {
            package.bundle(name.as_str()).is_none().then(|| ("bundle", name.to_string()))
        }
    };
    package.deprecations.iter().filter_map(move |deprecation| {
        let (what, name) = about(deprecation)?;
        let opm = format!(
            "cannot deprecate {what} {} for package {}: {what} not found",
            Quoted(&name),
            Quoted(package.name.as_str())
        );
        let message = format!("the deprecated {what} `{name}` does not exist in package `{}`", package.name);
        let finding = Diagnostic::new(Rule::InvalidDeprecation, deprecation.span, message);
        Some(finding.with_help("correct the name, or remove the deprecation").with_opm(opm))
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm, package};

    #[test]
    fn a_bundle_that_does_not_exist() {
        let text = package("- name: p.v1.0.0\n", &["1.0.0"])
            + "---\nschema: olm.deprecations\npackage: p\nentries:\n- reference: {schema: olm.bundle, name: gone}\n  message: old\n";
        check(&text, &["22:3 invalid-deprecation: the deprecated bundle `gone` does not exist in package `p`"]);
        check_opm(&text, &["cannot deprecate bundle \"gone\" for package \"p\": bundle not found"]);
    }

    #[test]
    fn references_to_nothing_that_can_be_deprecated() {
        let text = package("- name: p.v1.0.0\n", &["1.0.0"])
            + "---\nschema: olm.deprecations\npackage: p\nentries:\n- reference: {schema: olm.package}\n  message: old\n- reference: {name: c}\n  message: old\n- reference: {schema: olm.csv, name: c}\n  message: old\n";
        let expected = [
            "24:3 invalid-deprecation: the deprecation does not say what it is about",
            "26:23 invalid-deprecation: nothing of schema `olm.csv` can be deprecated",
        ];
        check(&text, &expected);
        let opm = [
            "schema must be set for deprecation entry [1] for package \"p\"",
            "cannot deprecate object declcfg.PackageScopedReference{Schema:\"olm.csv\", Name:\"c\"} referenced by entry {{olm.csv c} old} for package \"p\": object schema unknown",
        ];
        check_opm(&text, &opm);
    }
}
