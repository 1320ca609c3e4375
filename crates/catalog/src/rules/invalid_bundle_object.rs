//! Manifests in `olm.bundle.object` properties that cannot be read.
//!
//! `opm` takes them apart while it loads the catalog, before it looks at anything else. Fix: `data` is the base64 text of
//! a manifest in JSON or YAML; `opm migrate` turns such properties into `olm.csv.metadata`. Source: declcfg/load.go
//! `readBundleObjects`.
//!
//! ```yaml
//! - type: olm.bundle.object
//!   value: {data: "%%%"} # invalid-property: no base64
//! ```

use blang_semver::Quoted;
use fbc::raw::{RawBundle, RawProperty, Text};
use fbc::{Misfit, ObjectFault, OpenError};
use source::{Diagnostic, Rule, Span};

/// A property of a bundle.
pub(crate) struct Place<'r> {
    pub(crate) bundle: &'r RawBundle,
    pub(crate) property: &'r RawProperty,
    /// Its index among the properties.
    pub(crate) index: usize,
}

impl Place<'_> {
    pub(crate) fn no_value(&self) -> Diagnostic {
        let opm = format!("parse property at index {} as bundle object: unexpected end of JSON input", self.index);
        let message = "property `olm.bundle.object` has no value".to_owned();
        self.told(self.property.span, message, &opm).with_help("add `value`, or remove the property")
    }

    pub(crate) fn fault(&self, fault: ObjectFault) -> Diagnostic {
        let index = self.index;
        match fault {
            ObjectFault::Parse(Misfit { span, message }) => {
                let opm = format!("parse property at index {index} as bundle object: {message}");
                let message = format!("the bundle object is no `{{data: <base64>}}`: {message}");
                self.told(span, message, &opm).with_help("write the manifest as base64, with padding")
            }
            ObjectFault::Convert(Misfit { span, message }) => {
                let opm = format!("convert bundle object property at index {index} to JSON: {message}");
                let message = format!("the manifest in the bundle object is no YAML: {message}");
                self.told(span, message, &opm).with_help("decode it, correct it and encode it again")
            }
        }
    }

    /// A value that we cannot read, whatever `opm` makes of it.
    pub(crate) fn unopened(&self, error: &OpenError) -> Diagnostic {
        let message = format!("the bundle object is left out: {}", error.message);
        let finding = Diagnostic::new(Rule::InvalidProperty, error.span, message);
        finding.with_help("write the value out in the property itself, with fewer levels")
    }

    fn told(&self, span: Span, message: String, opm: &str) -> Diagnostic {
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone()).unwrap_or_default();
        let (package, bundle) = (text(&self.bundle.package), text(&self.bundle.name));
        let opm = format!("read bundle objects: package {}, bundle {}: {opm}", Quoted(&package), Quoted(&bundle));
        Diagnostic::new(Rule::InvalidProperty, span, message).with_opm(opm)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm, package};

    fn with(value: &str) -> String {
        package("- name: p.v1.0.0\n", &["1.0.0"]) + "- type: olm.bundle.object\n" + value
    }

    #[test]
    fn a_manifest() {
        check(&with("  value:\n    data: eyJraW5kIjoiQSJ9\n"), &[]);
        check(&with("  value: {data: a2luZDogQQo=}\n"), &[]);
    }

    #[test]
    fn no_base64() {
        let text = with("  value:\n    data: '%'\n");
        let expected =
            "20:11 invalid-property: the bundle object is no `{data: <base64>}`: illegal base64 data at input byte 0";
        check(&text, &[expected]);
        let opm = "read bundle objects: package \"p\", bundle \"p.v1.0.0\": parse property at index 1 as bundle object: illegal base64 data at input byte 0";
        check_opm(&text, &[opm]);
    }

    #[test]
    fn no_yaml() {
        let opm = "read bundle objects: package \"p\", bundle \"p.v1.0.0\": convert bundle object property at index 1 to JSON: yaml: line 1: did not find expected node content";
        check_opm(&with("  value: {data: Zm9vOiBbCg==}\n"), &[opm]);
    }

    #[test]
    fn no_value() {
        let opm = "read bundle objects: package \"p\", bundle \"p.v1.0.0\": parse property at index 1 as bundle object: unexpected end of JSON input";
        check_opm(&with(""), &[opm]);
    }
}
