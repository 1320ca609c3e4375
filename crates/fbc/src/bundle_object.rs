//! Checks the values of `olm.bundle.object` properties, which `opm` decodes while it loads a catalog.
//!
//! Follows operator-registry `alpha/declcfg/load.go`, `readBundleObjects`: `data` is base64 of a manifest in JSON or YAML.

use crate::bytes::yaml_text;
use crate::go_type::Misfit;
use crate::{Node, OpenError, Value, base64, property_misfit, yaml};
use source::FileId;

/// The type of such properties.
const KIND: &str = "olm.bundle.object";

/// Why a bundle object cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectFault {
    /// The value is not `{data: base64}`.
    Parse(Misfit),
    /// Its content is not YAML.
    Convert(Misfit),
}

/// What keeps `opm` from reading the value of an `olm.bundle.object` property. `text` is the text of its file.
///
/// # Errors
/// When the text of an unopened value cannot be read by itself.
pub fn bundle_object_fault(value: &Node, text: &str) -> Result<Option<ObjectFault>, OpenError> {
    let value = value.open(text)?;
    if let Some(misfit) = property_misfit(KIND, &value, text)? {
        return Ok(Some(ObjectFault::Parse(misfit)));
    }
    let Some(data) = value.get("data") else { return Ok(None) };
    let message = bytes(data).and_then(|manifest| yaml_fault(&manifest));
    Ok(message.map(|message| ObjectFault::Convert(Misfit { span: data.span, message })))
}

/// The bytes of `data`: base64, or numbers.
fn bytes(data: &Node) -> Option<Vec<u8>> {
    match &data.value {
        Value::String(text) => base64::decode(text).ok(),
        Value::Sequence(items) => {
            Some(items.iter().map(|item| if let Value::Number(byte) = item.value { byte.0 as u8 } else { 0 }).collect())
        }
        _ => None,
    }
}

/// The error of yaml.v2 for a manifest that is not JSON.
fn yaml_fault(manifest: &[u8]) -> Option<String> {
    if manifest.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let manifest = match yaml_text(manifest) {
        Ok(manifest) => manifest,
        Err(words) => return Some(format!("yaml: {words}")),
    };
    let fault = yaml::read_text(FileId(0), &manifest, yaml::Open::WhatIsRead).err()?;
    fault.go_words(&manifest, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: Option<&str>) {
        let node = crate::untyped_values(FileId(0), value).nodes.remove(0);
        let told = bundle_object_fault(&node, value).unwrap().map(|fault| match fault {
            ObjectFault::Parse(misfit) => format!("parse: {}", misfit.message),
            ObjectFault::Convert(misfit) => format!("convert: {}", misfit.message),
        });
        assert_eq!(told.as_deref(), expected, "{value}");
    }

    #[test]
    fn manifests() {
        check("{data: eyJraW5kIjoiQSJ9}", None);
        check("{data: a2luZDogQQo=}", None);
        check("{}", None);
        check("{data: e}", Some("parse: illegal base64 data at input byte 0"));
    }

    #[test]
    fn what_is_no_manifest() {
        check("{data: Zm9vOiBbCg==}", Some("convert: yaml: line 1: did not find expected node content"));
        check("{data: /w==}", Some("convert: yaml: invalid leading UTF-8 octet"));
        check("{data: //6A}", Some("convert: yaml: incomplete UTF-16 character"));
        check("{data: [3]}", Some("convert: yaml: control characters are not allowed"));
        let told = "parse: json: cannot unmarshal string into Go value of type property.BundleObject";
        check("plain", Some(told));
    }
}
