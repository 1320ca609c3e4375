//! The rule `invalid-property`.
//!
#![doc = include_str!("invalid_property.md")]

use crate::{Bundle, BundleName, OpmPhase};
use blang_semver::Quoted;
use fbc::OpenError;
use predicate::Property;
use source::{Diagnostic, Rule, Span};
use std::fmt::Display;

pub(crate) fn no_value(span: Span, index: usize, kind: &str, bundle: &BundleName) -> Diagnostic {
    let message = format!("property `{kind}` has no value");
    parse_error(span, message, index, kind, bundle, &"unexpected end of JSON input").with_help("add `value`")
}

pub(crate) fn wrong_shape(
    span: Span,
    index: usize,
    kind: &str,
    bundle: &BundleName,
    error: &dyn Display,
) -> Diagnostic {
    let message = format!("the value of property `{kind}` does not have the shape of its type: {error}");
    parse_error(span, message, index, kind, bundle, error).with_help("put texts such as versions in quotes")
}

/// A value that we cannot read, whatever `opm` makes of it.
pub(crate) fn unopened(kind: &str, error: &OpenError) -> Diagnostic {
    let message = format!("the value of property `{kind}` is left out: {}", error.message);
    let finding = Diagnostic::new(Rule::InvalidProperty, error.span, message);
    finding.with_help("write the value out in the property itself, with fewer levels")
}

fn parse_error(
    span: Span,
    message: String,
    index: usize,
    kind: &str,
    bundle: &BundleName,
    error: &dyn Display,
) -> Diagnostic {
    let bundle = Quoted(bundle.as_str());
    let opm =
        format!("parse properties for bundle {bundle}: parse property[{index}] of type {}: {error}", Quoted(kind));
    Diagnostic::new(Rule::InvalidProperty, span, message).with_opm_at(OpmPhase::BundleProperties, opm)
}

/// Judges the `olm.package` properties of a bundle of `package`.
pub(crate) fn package_property(bundle: &Bundle, package: &str) -> Option<Diagnostic> {
    let mut named = bundle.properties.iter().filter_map(|property| match &property.value {
        Property::Package { name, .. } => Some((property.span, name)),
        _ => None,
    });
    let (quoted, bundle_name) = (Quoted(package), &bundle.name.value);
    let (Some((span, name)), None) = (named.next(), named.next()) else {
        let count = bundle.properties.iter().filter(|property| property.value.kind() == "olm.package").count();
        let message = format!("bundle `{bundle_name}` must have exactly one `olm.package` property, not {count}");
        let opm = format!(
            "package {quoted} bundle {} must have exactly 1 \"olm.package\" property, found {count}",
            Quoted(bundle_name.as_str())
        );
        let finding = Diagnostic::new(Rule::InvalidProperty, bundle.name.span, message);
        return Some(
            finding.with_help("the property says package name and version").with_opm_at(OpmPhase::BundlePackage, opm),
        );
    };
    let message = || match name.as_str() {
        "" => {
            format!("bundle `{bundle_name}` is of package `{package}`, but its `olm.package` property names no package")
        }
        name => {
            format!("bundle `{bundle_name}` is of package `{package}`, but its `olm.package` property says `{name}`")
        }
    };
    (name.as_str() != package).then(|| {
        Diagnostic::new(Rule::InvalidProperty, span, message()).with_help("make both say the same package").with_opm_at(
            OpmPhase::BundlePackage,
            format!("package {quoted} does not match \"olm.package\" property {}", Quoted(name.as_str())),
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm, package};

    #[test]
    fn a_version_that_yaml_reads_as_a_number() {
        let text = package("- name: p.v1.10\n", &["1.10"]);
        let opm = [
            "package \"p\" bundle \"p.v1.10\" must have exactly 1 \"olm.package\" property, found 0",
            "parse properties for bundle \"p.v1.10\": parse property[0] of type \"olm.package\": json: cannot unmarshal number into Go struct field Package.version of type string",
        ];
        check_opm(&text, &opm);
    }

    #[test]
    fn another_package() {
        let text = package("- name: p.v1.0.0\n", &["1.0.0"]).replace("packageName: p", "packageName: q");
        let expected =
            "16:3 invalid-property: bundle `p.v1.0.0` is of package `p`, but its `olm.package` property says `q`";
        check(&text, &[expected]);
    }

    #[test]
    fn values_that_only_describe() {
        let metadata = "- type: olm.csv.metadata\n  value:\n    keywords: a\n- type: olm.channel\n  value: {channelName: 1}\n- type: olm.csv.metadata\n  value:\n    keywords:\n    - a\n    provider:\n      name: b\n";
        let text = package("- name: p.v1.0.0\n", &["1.0.0"]) + metadata;
        let field = "json: cannot unmarshal string into Go struct field CSVMetadata.keywords of type []string";
        let channel = "json: cannot unmarshal number into Go struct field Channel.channelName of type string";
        let expected = [
            format!(
                "20:15 invalid-property: the value of property `olm.csv.metadata` does not have the shape of its type: {field}"
            ),
            format!(
                "22:24 invalid-property: the value of property `olm.channel` does not have the shape of its type: {channel}"
            ),
        ];
        check(&text, &expected.each_ref().map(String::as_str));
        let opm = format!(
            "parse properties for bundle \"p.v1.0.0\": parse property[1] of type \"olm.csv.metadata\": {field}"
        );
        assert_eq!(crate::rules::testing::opm_lines(&text)[0], opm);
    }

    #[test]
    fn what_is_nested_deeply_is_read_or_left_out_but_not_rejected() {
        let constraint = |levels: usize| {
            let value = "{not: {constraints: [".repeat(levels) + "{package: {}}" + &"]}}".repeat(levels);
            package("- name: p.v1.0.0\n", &["1.0.0"]) + &format!("- type: olm.constraint\n  value: {value}\n")
        };
        check(&constraint(60), &[]);
        check(&constraint(100), &[]);
        let text = constraint(1000);
        let told = "the value of property `olm.constraint` is left out: it is nested deeper than Opscope follows";
        let parse = fbc::parse(source::FileId(0), &text);
        let (_, found) = crate::lower(&[crate::ParsedFile { text: &text, parse: &parse }]);
        let found: Vec<_> = found.iter().map(|finding| (finding.message.as_str(), &finding.opm)).collect();
        assert_eq!(found, [(told, &None)]);
    }

    #[test]
    fn no_value() {
        let text = package("- name: p.v1.0.0\n", &["1.0.0"]) + "- type: olm.gvk\n";
        check(&text, &["18:3 invalid-property: property `olm.gvk` has no value"]);
    }
}
