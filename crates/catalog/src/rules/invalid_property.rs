//! The rule `invalid-property`.
//!
#![doc = include_str!("invalid_property.md")]

use crate::predicate::Property;
use crate::{Bundle, BundleName, OpmPhase};
use fbc::raw::{RawBundle, RawProperty, Text};
use fbc::{Misfit, ObjectFault, OpenError};
use go_semver::blang::Quoted;
use source::{Diagnostic, OpmVersion, QuickFix, Rewrite, Rule, Span};
use std::fmt::Display;

const FLATTEN: &str = "write the value in the property itself, with fewer nested levels";

pub(crate) fn no_value(span: Span, index: usize, kind: &str, bundle: &BundleName) -> Diagnostic {
    let message = format!("property `{kind}` has no value");
    parse_error(span, message, index, kind, bundle, &"unexpected end of JSON input").with_help("add `value`")
}

pub(crate) fn invalid_value(
    span: Span,
    index: usize,
    kind: &str,
    bundle: &BundleName,
    error: &dyn Display,
) -> Diagnostic {
    let message = format!("the value of property `{kind}` is invalid: {error}");
    let finding = parse_error(span, message, index, kind, bundle, error).with_help("quote strings such as versions");
    let error = error.to_string();
    match kind {
        "olm.csv.metadata" => finding.since(OpmVersion::CSV_METADATA),
        // `opm` names the first field by key that does not fit: the others fit.
        "olm.channel" if error.contains("field Channel.priority of") => {
            finding.until(OpmVersion::LAST_CHANNEL_PRIORITY)
        }
        _ => finding,
    }
}

/// A value that Opscope cannot read, although `opm` may be able to.
pub(crate) fn unopened(kind: &str, error: &OpenError) -> Diagnostic {
    let message = format!("the value of property `{kind}` is ignored: {}", error.message);
    Diagnostic::new(Rule::InvalidProperty, error.span, message).with_help(FLATTEN)
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

/// Checks the `olm.package` properties of a bundle of `package`.
pub(crate) fn package_property(bundle: &Bundle, package: &str) -> Option<Diagnostic> {
    let mut named = bundle.properties.iter().filter_map(|property| match &property.value {
        Property::Package { name, .. } => Some((property.span, name)),
        _ => None,
    });
    let (quoted, bundle_name) = (Quoted(package), &bundle.name.value);
    let (Some((span, name)), None) = (named.next(), named.next()) else {
        let count = bundle.properties.iter().filter(|property| property.value.kind() == "olm.package").count();
        let message = format!("bundle `{bundle_name}` must have exactly one `olm.package` property, found {count}");
        let opm = format!(
            "package {quoted} bundle {} must have exactly 1 \"olm.package\" property, found {count}",
            Quoted(bundle_name.as_str())
        );
        let finding = Diagnostic::new(Rule::InvalidProperty, bundle.name.span, message);
        return Some(
            finding
                .with_help("this property holds the package name and the version")
                .with_opm_at(OpmPhase::BundlePackage, opm),
        );
    };
    let message = || match name.as_str() {
        "" => {
            format!(
                "bundle `{bundle_name}` belongs to package `{package}`, but its `olm.package` property names no package"
            )
        }
        name => {
            format!(
                "bundle `{bundle_name}` belongs to package `{package}`, but its `olm.package` property names `{name}`"
            )
        }
    };
    (name.as_str() != package).then(|| {
        Diagnostic::new(Rule::InvalidProperty, span, message())
            .with_help("use the same package name in both")
            .with_fix(QuickFix::new(
                format!("Change `packageName` to `{package}`"),
                Rewrite::Set { mapping: span, within: Some("value"), field: "packageName", text: package.to_owned() },
            ))
            .with_opm_at(
                OpmPhase::BundlePackage,
                format!("package {quoted} does not match \"olm.package\" property {}", Quoted(name.as_str())),
            )
    })
}

/// An `olm.bundle.object` property: a manifest as base64 text. `opm` decodes them while it loads the catalog, before it
/// checks anything else (operator-registry `alpha/declcfg/load.go`, `readBundleObjects`).
pub(crate) struct BundleObject<'r> {
    pub(crate) bundle: &'r RawBundle,
    pub(crate) property: &'r RawProperty,
    /// The index among the properties of the bundle.
    pub(crate) index: usize,
}

impl BundleObject<'_> {
    pub(crate) fn no_value(&self) -> Diagnostic {
        let opm = format!("parse property at index {} as bundle object: unexpected end of JSON input", self.index);
        let message = "property `olm.bundle.object` has no value".to_owned();
        self.finding(self.property.span, message, &opm).with_help("add `value`, or remove the property")
    }

    pub(crate) fn unreadable_manifest(&self, fault: ObjectFault) -> Diagnostic {
        let index = self.index;
        match fault {
            ObjectFault::Parse(Misfit { span, message }) => {
                let opm = format!("parse property at index {index} as bundle object: {message}");
                let message = format!("the bundle object does not have the form `{{data: <base64>}}`: {message}");
                self.finding(span, message, &opm).with_help("encode the manifest as base64 with padding; `opm migrate` replaces bundle objects by `olm.csv.metadata`")
            }
            ObjectFault::Convert(Misfit { span, message }) => {
                let opm = format!("convert bundle object property at index {index} to JSON: {message}");
                let message = format!("the manifest in the bundle object is not valid YAML: {message}");
                self.finding(span, message, &opm).with_help("decode it, correct it and encode it again")
            }
        }
    }

    /// A value that Opscope cannot read, although `opm` may be able to.
    pub(crate) fn unopened(&self, error: &OpenError) -> Diagnostic {
        Diagnostic::new(Rule::InvalidProperty, error.span, format!("the bundle object is ignored: {}", error.message))
            .with_help(FLATTEN)
    }

    fn finding(&self, span: Span, message: String, opm: &str) -> Diagnostic {
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone()).unwrap_or_default();
        let (package, bundle) = (text(&self.bundle.package), text(&self.bundle.name));
        let opm = format!("read bundle objects: package {}, bundle {}: {opm}", Quoted(&package), Quoted(&bundle));
        Diagnostic::new(Rule::InvalidProperty, span, message).with_opm(opm)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, findings_in};

    #[test]
    fn properties() {
        let cases = r#"
            == a version that YAML reads as a number
            c: p.v1.10 (no bundle)
            ---
            schema: olm.bundle
            package: p
            name: p.v1.10
                  ^^^^^^^ invalid-property: bundle `p.v1.10` must have exactly one `olm.package` property, found 0
                  ^^^^^^^ opm: package "p" bundle "p.v1.10" must have exactly 1 "olm.package" property, found 0
            image: i
            properties:
            - {type: olm.package, value: {packageName: p, version: 1.10}}
                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-property: the value of property `olm.package` is invalid: json: cannot unmarshal number into Go struct field Package.version of type string
                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ opm: parse properties for bundle "p.v1.10": parse property[0] of type "olm.package": json: cannot unmarshal number into Go struct field Package.version of type string
            == another package
            c: 1.0.0 (no bundle)
            ---
            schema: olm.bundle
            package: p
            name: p.v1.0.0
            image: i
            properties:
            - {type: olm.package, value: {packageName: q, version: 1.0.0}}
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-property: bundle `p.v1.0.0` belongs to package `p`, but its `olm.package` property names `q`
            == values that only describe the bundle
            c: 1.0.0 (property olm.csv.metadata {keywords: a}; property olm.channel {channelName: 1};
                                                           ^ invalid-property: the value of property `olm.csv.metadata` is invalid: json: cannot unmarshal string into Go struct field CSVMetadata.keywords of type []string
                                                           ^ opm: parse properties for bundle "p.v1.0.0": parse property[1] of type "olm.csv.metadata": json: cannot unmarshal string into Go struct field CSVMetadata.keywords of type []string
                                                                                                  ^ invalid-property: the value of property `olm.channel` is invalid: json: cannot unmarshal number into Go struct field Channel.channelName of type string
                                                                                                  ^ opm: parse properties for bundle "p.v1.0.0": parse property[2] of type "olm.channel": json: cannot unmarshal number into Go struct field Channel.channelName of type string
              property olm.csv.metadata {keywords: [a], provider: {name: b}})
            == no value
            c: 1.0.0 (property olm.gvk)
                      ^^^^^^^^^^^^^^^^ invalid-property: property `olm.gvk` has no value
            == manifests as base64
            c: 1.0.0 (property olm.bundle.object {data: eyJraW5kIjoiQSJ9}; property olm.bundle.object {data: a2luZDogQQo=})
            == a bundle object that is not base64
            c: 1.0.0 (property olm.bundle.object {data: '%'})
                                                        ^^^ invalid-property: the bundle object does not have the form `{data: <base64>}`: illegal base64 data at input byte 0
                                                        ^^^ opm: read bundle objects: package "p", bundle "p.v1.0.0": parse property at index 1 as bundle object: illegal base64 data at input byte 0
            == a manifest that is not YAML
            c: 1.0.0 (property olm.bundle.object {data: Zm9vOiBbCg==})
                                                        ^^^^^^^^^^^^ invalid-property: the manifest in the bundle object is not valid YAML: yaml: line 1: did not find expected node content
                                                        ^^^^^^^^^^^^ opm: read bundle objects: package "p", bundle "p.v1.0.0": convert bundle object property at index 1 to JSON: yaml: line 1: did not find expected node content
            == a bundle object without a value
            c: 1.0.0 (property olm.bundle.object)
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-property: property `olm.bundle.object` has no value
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ opm: read bundle objects: package "p", bundle "p.v1.0.0": parse property at index 1 as bundle object: unexpected end of JSON input
        "#;
        check(cases);
    }

    #[test]
    fn deeply_nested_values_are_read_or_ignored_but_not_rejected() {
        let constraint = |levels: usize| {
            let value = "{not: {constraints: [".repeat(levels) + "{package: {}}" + &"]}}".repeat(levels);
            format!("c: 1.0.0 (property olm.constraint {value})")
        };
        check(&constraint(60));
        check(&constraint(100));
        let found = findings_in(&fixture::yaml(&constraint(1000)));
        let message = "the value of property `olm.constraint` is ignored: it is nested deeper than Opscope follows";
        let found: Vec<_> = found.iter().map(|finding| (finding.message.as_str(), &finding.opm)).collect();
        assert_eq!(found, [(message, &None)]);
    }
}
