//! Properties by type, as operator-registry `alpha/property/property.go` reads them.

use crate::decode::mismatch_text;
use crate::{Gvk, PackageName};
use cel::PropertyValue;
use serde_json::Value;
use std::fmt;

/// A property of a bundle or CSV.
#[derive(Clone, Debug, PartialEq)]
pub enum Property {
    /// `olm.package`
    Package {
        /// `packageName`
        name: PackageName,
        /// `version` as written.
        version: Box<str>,
        /// `release` as written; empty when there is none.
        release: Box<str>,
    },
    /// `olm.gvk`
    Gvk(Gvk),
    /// `olm.gvk.required`
    GvkRequired(Gvk),
    /// `olm.package.required`
    PackageRequired {
        /// `packageName`
        name: PackageName,
        /// `versionRange` as written.
        range: Box<str>,
    },
    /// Any other type; its value was not looked at.
    Other {
        /// `type`
        kind: Box<str>,
        /// `value`
        value: Value,
    },
}

/// A value that does not have the shape of its property's type; shows Go's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError(Box<str>);

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PropertyError {}

impl Property {
    /// Reads a property: fields by name whatever the case, unknown ones ignored, `null` as nothing.
    ///
    /// # Errors
    /// When the value or one of its fields is of the wrong JSON kind.
    pub fn parse(kind: &str, value: &Value) -> Result<Self, PropertyError> {
        match kind {
            "olm.package" => {
                let [name, version, release] = texts("Package", ["packageName", "version", "release"], value)?;
                Ok(Self::Package { name: name.into(), version: version.into(), release: release.into() })
            }
            "olm.package.required" => {
                let [name, range] = texts("PackageRequired", ["packageName", "versionRange"], value)?;
                Ok(Self::PackageRequired { name: name.into(), range: range.into() })
            }
            "olm.gvk" => Ok(Self::Gvk(gvk("GVK", value)?)),
            "olm.gvk.required" => Ok(Self::GvkRequired(gvk("GVKRequired", value)?)),
            _ => Ok(Self::Other { kind: kind.into(), value: value.clone() }),
        }
    }

    /// The property's type.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Self::Package { .. } => "olm.package",
            Self::Gvk(_) => "olm.gvk",
            Self::GvkRequired(_) => "olm.gvk.required",
            Self::PackageRequired { .. } => "olm.package.required",
            Self::Other { kind, .. } => kind,
        }
    }
}

impl Property {
    /// The property as a CEL rule sees it.
    pub(crate) fn for_cel(&self) -> cel::Property<'_> {
        let value = match self {
            Self::Package { name, version, release } => {
                let release = (!release.is_empty()).then_some(("release", &**release));
                PropertyValue::Texts([Some(("packageName", name.as_str())), release, Some(("version", version))])
            }
            Self::Gvk(gvk) | Self::GvkRequired(gvk) => PropertyValue::Texts([
                Some(("group", &gvk.group)),
                Some(("kind", &gvk.kind)),
                Some(("version", &gvk.version)),
            ]),
            Self::PackageRequired { name, range } => {
                PropertyValue::Texts([Some(("packageName", name.as_str())), Some(("versionRange", range)), None])
            }
            Self::Other { value, .. } => PropertyValue::Json(value),
        };
        cel::Property { kind: self.kind(), value }
    }
}

fn gvk(shape: &str, value: &Value) -> Result<Gvk, PropertyError> {
    let [group, version, kind] = texts(shape, ["group", "version", "kind"], value)?;
    Ok(Gvk { group: group.into(), version: version.into(), kind: kind.into() })
}

/// The text fields of an object as Go's `encoding/json` decodes them into the struct `shape`.
fn texts<'v, const N: usize>(shape: &str, fields: [&str; N], value: &'v Value) -> Result<[&'v str; N], PropertyError> {
    let mut found = [""; N];
    let object = match value {
        Value::Null => return Ok(found),
        Value::Object(object) => object,
        other => return Err(mismatch(other, &format!("Go value of type property.{shape}"))),
    };
    for (key, value) in object {
        let Some(at) = fields.iter().position(|field| field.eq_ignore_ascii_case(key)) else { continue };
        match value {
            Value::Null => {}
            Value::String(text) => found[at] = text,
            other => {
                return Err(mismatch(other, &format!("Go struct field {shape}.{} of type string", fields[at])));
            }
        }
    }
    Ok(found)
}

fn mismatch(value: &Value, target: &str) -> PropertyError {
    PropertyError(mismatch_text(value, target))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_are_found_whatever_their_case() {
        let property = Property::parse("olm.package", &json!({"PackageName": "etcd", "version": "1.0.0", "x": 1}));
        let expected = Property::Package { name: "etcd".into(), version: "1.0.0".into(), release: "".into() };
        assert_eq!(property, Ok(expected));
    }

    #[test]
    fn null_is_nothing() {
        let gvk = Gvk { group: "".into(), version: "".into(), kind: "".into() };
        assert_eq!(Property::parse("olm.gvk", &Value::Null), Ok(Property::Gvk(gvk)));
    }

    #[test]
    fn wrong_kinds_are_told_as_go_tells_them() {
        let error = Property::parse("olm.package", &json!({"packageName": "etcd", "version": 1.1})).unwrap_err();
        assert_eq!(
            error.to_string(),
            "json: cannot unmarshal number into Go struct field Package.version of type string"
        );
    }
}
