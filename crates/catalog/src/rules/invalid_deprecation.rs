//! Deprecations that name nothing, or do not say what they are about.
//!
//! Source: declcfg_to_model.go, "cannot deprecate"; model.go "message must be set".

use crate::{Deprecation, DeprecationTarget, Package};
use blang_semver::Quoted;
use fbc::raw::RawDeprecation;
use source::{Diagnostic, Rule};

pub(crate) fn unknown_reference(entry: &RawDeprecation, package: &str) -> Diagnostic {
    let help = "write `reference: {schema: olm.package}`, or `olm.channel` or `olm.bundle` with a `name`";
    let finding = match &entry.schema {
        None => Diagnostic::new(Rule::InvalidDeprecation, entry.span, "the deprecation does not say what it is about"),
        Some(schema) => {
            let message = format!("nothing of schema `{schema}` can be deprecated");
            Diagnostic::new(Rule::InvalidDeprecation, schema.span, message)
        }
    };
    let quoted = Quoted(package);
    finding.with_help(help).with_opm(format!("object schema unknown in the deprecations of package {quoted}"))
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
}
