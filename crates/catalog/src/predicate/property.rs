//! Reads properties by type, as operator-registry `alpha/property/property.go` does.

use crate::predicate::constraint::mismatch_text;
use cel::PropertyValue;
use fbc::same_field;
use go_semver::blang::Version;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

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
        /// The value as written.
        original: Original,
    },
    /// `olm.gvk`
    Gvk(Gvk, Original),
    /// `olm.gvk.required`
    GvkRequired(Gvk, Original),
    /// `olm.package.required`
    PackageRequired {
        /// `packageName`
        name: PackageName,
        /// `versionRange` as written.
        range: Box<str>,
        /// The value as written.
        original: Original,
    },
    /// Any other type, with its value as it is.
    Other {
        /// `type`
        kind: Box<str>,
        value: Value,
    },
}

/// The value of a property as written. It is kept only if it has more than the fields that are parsed, because CEL rules see
/// all of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Original(Option<Box<Value>>);

impl Original {
    /// Keeps nothing of an object that has just these fields, in this order.
    fn of(value: &Value, fields: &Fields<'_>) -> Self {
        let is_complete = value.as_object().is_some_and(|object| {
            let texts = object.iter().map(|(key, value)| (key.as_str(), value.as_str()));
            texts.eq(fields.iter().flatten().map(|(key, text)| (*key, Some(*text))))
        });
        Self((!is_complete).then(|| Box::new(value.clone())))
    }
}

/// The fields of a value, by name.
type Fields<'p> = [Option<(&'static str, &'p str)>; 3];

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
    /// Reads a property. Names of fields match in any case, unknown fields are ignored, and `null` is an absent value.
    ///
    /// # Errors
    /// When the value or one of its fields is of the wrong JSON kind.
    pub fn parse(kind: &str, value: &Value) -> Result<Self, PropertyError> {
        let mut property = match kind {
            "olm.package" => {
                let [name, version, release] = texts("Package", ["packageName", "version", "release"], value)?;
                Self::Package {
                    name: name.into(),
                    version: version.into(),
                    release: release.into(),
                    original: Original::default(),
                }
            }
            "olm.package.required" => {
                let [name, range] = texts("PackageRequired", ["packageName", "versionRange"], value)?;
                Self::package_required(name.into(), range.into())
            }
            "olm.gvk" => gvk("GVK", value)?.into(),
            "olm.gvk.required" => Self::gvk_required(gvk("GVKRequired", value)?),
            _ => return Ok(Self::Other { kind: kind.into(), value: value.clone() }),
        };
        let kept = property.fields().map(|fields| Original::of(value, &fields));
        if let (Some(original), Some(kept)) = (property.original_mut(), kept) {
            *original = kept;
        }
        Ok(property)
    }

    /// The property whose value is an object of `count` fields, if these are just the texts that its type has, without the JSON
    /// that [`parse`](Self::parse) takes; most are. `text` returns the text of a field.
    #[must_use]
    pub fn of_texts<'v>(kind: &str, count: usize, text: impl Fn(&str) -> Option<&'v str>) -> Option<Self> {
        let gvk =
            || Some(Gvk { group: text("group")?.into(), version: text("version")?.into(), kind: text("kind")?.into() });
        match (kind, count) {
            ("olm.gvk", 3) => gvk().map(Self::from),
            ("olm.gvk.required", 3) => gvk().map(Self::gvk_required),
            ("olm.package", 2) => Some(Self::package(text("packageName")?.into(), text("version")?.into())),
            ("olm.package.required", 2) => {
                Some(Self::package_required(text("packageName")?.into(), text("versionRange")?.into()))
            }
            _ => None,
        }
    }

    /// An `olm.package` without a release.
    #[must_use]
    pub fn package(name: PackageName, version: Box<str>) -> Self {
        Self::Package { name, version, release: "".into(), original: Original::default() }
    }

    /// An `olm.package.required`.
    #[must_use]
    pub fn package_required(name: PackageName, range: Box<str>) -> Self {
        Self::PackageRequired { name, range, original: Original::default() }
    }

    /// An `olm.gvk.required`.
    #[must_use]
    pub fn gvk_required(gvk: Gvk) -> Self {
        Self::GvkRequired(gvk, Original::default())
    }

    /// The property's type.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Self::Package { .. } => "olm.package",
            Self::Gvk(..) => "olm.gvk",
            Self::GvkRequired(..) => "olm.gvk.required",
            Self::PackageRequired { .. } => "olm.package.required",
            Self::Other { kind, .. } => kind,
        }
    }
}

impl Property {
    /// The property as a CEL rule sees it.
    pub(crate) fn for_cel(&self) -> cel::Property<'_> {
        let value = match (self, self.original(), self.fields()) {
            (Self::Other { value, .. }, _, _) => PropertyValue::Json(value),
            (_, Some(Original(Some(value))), _) => PropertyValue::Json(value),
            (_, _, fields) => PropertyValue::Texts(fields.unwrap_or_default()),
        };
        cel::Property { kind: self.kind(), value }
    }

    /// The parsed fields of a property, sorted by name.
    fn fields(&self) -> Option<Fields<'_>> {
        match self {
            Self::Package { name, version, release, .. } => {
                let release = (!release.is_empty()).then_some(("release", &**release));
                Some([Some(("packageName", name.as_str())), release, Some(("version", version))])
            }
            Self::Gvk(gvk, _) | Self::GvkRequired(gvk, _) => {
                Some([("group", &*gvk.group), ("kind", &*gvk.kind), ("version", &*gvk.version)].map(Some))
            }
            Self::PackageRequired { name, range, .. } => {
                Some([Some(("packageName", name.as_str())), Some(("versionRange", range)), None])
            }
            Self::Other { .. } => None,
        }
    }

    fn original(&self) -> Option<&Original> {
        match self {
            Self::Package { original, .. }
            | Self::Gvk(_, original)
            | Self::GvkRequired(_, original)
            | Self::PackageRequired { original, .. } => Some(original),
            Self::Other { .. } => None,
        }
    }

    fn original_mut(&mut self) -> Option<&mut Original> {
        match self {
            Self::Package { original, .. }
            | Self::Gvk(_, original)
            | Self::GvkRequired(_, original)
            | Self::PackageRequired { original, .. } => Some(original),
            Self::Other { .. } => None,
        }
    }
}

impl From<Gvk> for Property {
    /// An `olm.gvk`.
    fn from(gvk: Gvk) -> Self {
        Self::Gvk(gvk, Original::default())
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
        let Some(at) = fields.iter().position(|field| same_field(key, field)) else { continue };
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

// Names of packages and APIs.

/// Defines a type for one kind of name, so that a name of one kind is never taken for one of another kind.
#[macro_export]
macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(::std::sync::Arc<str>);

        impl $name {
            /// The name as written.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl ::std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// The name of a package.
    PackageName
}

/// An API: group, version and kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gvk {
    pub group: Arc<str>,
    pub version: Arc<str>,
    pub kind: Arc<str>,
}

impl fmt::Display for Gvk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}/{})", self.kind, self.group, self.version)
    }
}

// The property `olm.maxOpenShiftVersion`, as OLM reads it (operator-lifecycle-manager
// `pkg/controller/operators/openshift/helpers.go`).
//
// One limit: a value that is a JSON number has lost the zeros at its end, so that `4.20` reads as 4.2 (as text it does
// not).

/// The type of the property.
pub const MAX_OPENSHIFT_PROPERTY: &str = "olm.maxOpenShiftVersion";

/// The highest version of OpenShift that an operator supports, with 0 as patch number; `None` if it has no property
/// `olm.maxOpenShiftVersion`, or OLM's error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaxOpenShift(pub Result<Option<Version>, Box<str>>);

impl MaxOpenShift {
    /// Of the properties of a CSV, or of the bundle that it is made from.
    #[must_use]
    pub fn of<'p>(properties: impl IntoIterator<Item = &'p Property>) -> Self {
        let mut values = properties.into_iter().filter_map(|property| match property {
            Property::Other { kind, value } if &**kind == MAX_OPENSHIFT_PROPERTY => Some(value),
            _ => None,
        });
        let Some(value) = values.next() else { return Self(Ok(None)) };
        if values.next().is_some() {
            return Self(Err(
                format!("defining more than one \"{MAX_OPENSHIFT_PROPERTY}\" property is not allowed").into()
            ));
        }
        // OLM takes the JSON as text, without the quotes around it.
        let json = value.to_string();
        Self(read(json.trim_matches('"')).map(Some))
    }
}

fn read(text: &str) -> Result<Version, Box<str>> {
    if text.is_empty() {
        return Err("value cannot be \"\" (an empty string)".into());
    }
    let version =
        Version::parse_tolerant(text).map_err(|error| format!("failed to parse \"{text}\" as semver: {error}"))?;
    let minor = Version::new(version.major(), version.minor(), 0);
    if version != minor {
        return Err(format!(
            "property {MAX_OPENSHIFT_PROPERTY} must specify only <major>.<minor> version, got invalid value {version}"
        )
        .into());
    }
    Ok(minor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_of_fields_match_in_any_case() {
        let value = json!({"PackageName": "etcd", "version": "1.0.0", "x": 1});
        let property = Property::parse("olm.package", &value).unwrap();
        let Property::Package { name, version, release, original } = &property else { panic!("a package") };
        assert_eq!((name.as_str(), &**version, &**release), ("etcd", "1.0.0", ""));
        assert_eq!(*original, Original(Some(Box::new(value.clone()))));
    }

    #[test]
    fn null_is_an_absent_value() {
        let none = Gvk { group: "".into(), version: "".into(), kind: "".into() };
        let original = Original(Some(Box::new(Value::Null)));
        assert_eq!(Property::parse("olm.gvk", &Value::Null), Ok(Property::Gvk(none, original)));
    }

    #[test]
    fn values_with_more_than_the_parsed_fields_are_kept() {
        let kept = |kind: &str, value: Value| Property::parse(kind, &value).unwrap().original().unwrap().0.is_some();
        assert!(!kept("olm.gvk", json!({"kind": "K", "version": "v1", "group": "g"})));
        assert!(!kept("olm.package", json!({"packageName": "a", "version": "1.0.0", "release": "2"})));
        assert!(!kept("olm.package.required", json!({"packageName": "a", "versionRange": "1.x"})));
        assert!(kept("olm.gvk", json!({"kind": "K", "version": "v1", "group": "g", "plural": "ks"})));
        assert!(kept("olm.gvk.required", json!({"kind": "K", "version": "v1"})));
        assert!(kept("olm.package", json!({"packageName": "a", "version": "1.0.0", "release": ""})));
    }

    #[test]
    fn properties_of_texts_are_those_of_objects() {
        let check = |kind: &str, value: Value, is_simple: bool| {
            let text = |name: &str| value.get(name)?.as_str();
            let of_texts = Property::of_texts(kind, value.as_object().unwrap().len(), text);
            assert_eq!(of_texts, is_simple.then(|| Property::parse(kind, &value).unwrap()), "{kind} {value}");
        };
        let gvk = json!({"kind": "K", "version": "v1", "group": "g"});
        check("olm.gvk", gvk.clone(), true);
        check("olm.gvk.required", gvk.clone(), true);
        check("olm.label", gvk, false);
        check("olm.package", json!({"packageName": "a", "version": "1.0.0"}), true);
        check("olm.package.required", json!({"packageName": "a", "versionRange": ""}), true);
        check("olm.gvk", json!({"kind": "K", "version": "v1"}), false);
        check("olm.gvk", json!({"kind": "K", "version": "v1", "Group": "g"}), false);
        check("olm.gvk", json!({"kind": "K", "version": "v1", "group": "g", "plural": "ks"}), false);
        check("olm.package", json!({"packageName": "a", "version": null}), false);
        check("olm.package", json!({"packageName": "a", "version": "1.0.0", "release": "2"}), false);
    }

    #[test]
    fn errors_are_those_of_go() {
        let error = Property::parse("olm.package", &json!({"packageName": "etcd", "version": 1.1})).unwrap_err();
        assert_eq!(
            error.to_string(),
            "json: cannot unmarshal number into Go struct field Package.version of type string"
        );
    }
}
