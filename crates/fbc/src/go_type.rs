//! The Go types that values are decoded into by `encoding/json`, and its errors for values that do not fit.
//!
//! Keys are decoded in byte order, because `opm` sorts them first; of several misfits Go reports the first.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use source::Span;

use crate::node::{json_member, same_field};
use crate::{Node, Value, go};

/// A type that a value is decoded into.
#[derive(Debug)]
pub enum GoType {
    Text(&'static str),
    Bool,
    /// An integer type of this name, with its least and its greatest value.
    Int(&'static str, i64, i64),
    /// `float64`
    Float,
    /// `[]uint8`, written as base64.
    Bytes,
    /// A value that is kept as it is.
    Any,
    /// A slice, and its elements.
    List(&'static Self),
    /// A map from strings.
    Map(&'static Self),
    Struct(&'static GoStruct),
    /// A type with an `UnmarshalJSON` of its own: what it says of a value that is not null.
    Custom(fn(&Node) -> Option<Misfit>),
}

/// A struct type.
#[derive(Debug)]
pub struct GoStruct {
    /// The package that its name is qualified with.
    pub package: &'static str,
    pub name: &'static str,
    /// Names and types of what is written.
    pub fields: &'static [(&'static str, GoType)],
}

/// How keys are matched with the fields of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldNames {
    /// In any case, as `encoding/json` does.
    AnyCase,
    /// To the letter, as `sigs.k8s.io/json` does for Kubernetes' own types.
    Exact,
}

pub(crate) const STRING: GoType = GoType::Text("string");

/// `property.BundleObject`
static BUNDLE_OBJECT: GoType =
    GoType::Struct(&GoStruct { package: "property", name: "BundleObject", fields: &[("data", GoType::Bytes)] });

/// `property.Channel` (operator-registry v1.73.0 `alpha/property/property.go`). It has no `priority` since commit 5b59270e after
/// that release.
static CHANNEL: GoType = GoType::Struct(&GoStruct {
    package: "property",
    name: "Channel",
    fields: &[("channelName", STRING), ("priority", GoType::Int("int", i64::MIN, i64::MAX))],
});

/// The Go type of the values of properties of type `kind`, for the types that the crate `predicate` does not check.
pub(crate) fn of_property(kind: &str) -> Option<&'static GoType> {
    match kind {
        "olm.csv.metadata" => Some(&CSV_METADATA),
        "olm.bundle.object" => Some(&BUNDLE_OBJECT),
        "olm.channel" => Some(&CHANNEL),
        _ => None,
    }
}

impl GoStruct {
    /// The type of a field; names match in any case.
    pub(crate) fn field(&self, key: &str) -> Option<(&'static str, &'static GoType)> {
        self.find(|name| same_field(key, name))
    }

    fn find(&self, is_meant: impl Fn(&str) -> bool) -> Option<(&'static str, &'static GoType)> {
        let fields: &'static [(&'static str, GoType)] = self.fields;
        fields.iter().find(|(name, _)| is_meant(name)).map(|(name, go_type)| (*name, go_type))
    }
}

impl GoType {
    /// A value with the keys that Go decodes in the spelling of the fields. Other keys stay as they are.
    ///
    /// ```
    /// use fbc::{GoStruct, GoType};
    ///
    /// static ITEM: GoType = GoType::Struct(&GoStruct { package: "p", name: "Item", fields: &[("image", GoType::Any)] });
    /// let value = serde_json::json!([{"Image": 1, "IMAGE": 2, "b": 3}]);
    /// assert_eq!(GoType::List(&ITEM).decoded(value), serde_json::json!([{"image": 1, "b": 3}]));
    /// ```
    #[must_use]
    pub fn decoded(&self, value: Json) -> Json {
        match (self, value) {
            (Self::Struct(shape), Json::Object(mut object)) => {
                let mut decoded = serde_json::Map::new();
                for (name, go_type) in shape.fields {
                    let value = json_member(&object, name).cloned().and_then(|key| object.remove(&key));
                    decoded.extend(value.map(|value| ((*name).to_owned(), go_type.decoded(value))));
                }
                object.retain(|key, _| shape.field(key).is_none());
                decoded.extend(object);
                Json::Object(decoded)
            }
            (Self::List(inner), Json::Array(items)) => items.into_iter().map(|item| inner.decoded(item)).collect(),
            (_, value) => value,
        }
    }

    /// The type in Go's errors.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Text(name) | Self::Int(name, ..) => (*name).to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Float => "float64".to_owned(),
            Self::Bytes => "[]uint8".to_owned(),
            Self::Any | Self::Custom(_) => "interface {}".to_owned(),
            Self::List(inner) => format!("[]{}", inner.name()),
            Self::Map(inner) => format!("map[string]{}", inner.name()),
            Self::Struct(GoStruct { package, name, .. }) => format!("{package}.{name}"),
        }
    }

    /// Whether the type is decoded from values of this kind. The parts of the value are not looked at.
    pub(crate) fn takes(&self, value: &Value) -> bool {
        match (self, value) {
            (_, Value::Null) | (Self::Any | Self::Custom(_), _) => true,
            (Self::Int(_, least, most), Value::Number(number)) => {
                number.0.fract() == 0.0 && (*least as f64..=*most as f64).contains(&number.0)
            }
            (Self::Text(_) | Self::Bytes, Value::String(_))
            | (Self::Bool, Value::Bool(_))
            | (Self::Float, Value::Number(_))
            | (Self::List(_) | Self::Bytes, Value::Sequence(_))
            | (Self::Map(_) | Self::Struct(_), Value::Mapping(_)) => true,
            _ => false,
        }
    }

    /// Go's name for the value in the error that the type is not decoded from it. `text` is that of an unopened value.
    pub(crate) fn found(&self, value: &Value, text: &str) -> String {
        match (self, value) {
            (Self::Int(..), Value::Number(number)) => format!("number {}", go::json_float(number.0)),
            _ => value.go_kind(text).to_owned(),
        }
    }
}

/// A value, or a part of it, that is not of the type it is decoded into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The part.
    pub span: Span,
    /// What Go says.
    pub message: String,
}

/// The error of Go for a value that is decoded into `go_type`; nothing when it fits. Parts that are not open are not
/// looked at.
#[must_use]
pub fn go_misfit(value: &Node, go_type: &'static GoType, names: FieldNames) -> Option<Misfit> {
    misfit(value, go_type, &mut Path { names, inner: None, fields: Vec::new() })
}

/// Where the decoder is.
struct Path {
    names: FieldNames,
    inner: Option<&'static GoStruct>,
    fields: Vec<&'static str>,
}

fn misfit(node: &Node, go_type: &'static GoType, path: &mut Path) -> Option<Misfit> {
    if node.value == Value::Unopened {
        return None;
    }
    if !go_type.takes(&node.value) {
        return Some(path.misfit(node, go_type));
    }
    match (go_type, &node.value) {
        (_, Value::Null) => None,
        (GoType::Custom(check), _) => check(node),
        (GoType::Bytes, Value::String(text)) => {
            let at = crate::bundle_object::check_base64(text).err()?;
            Some(Misfit { span: node.span, message: illegal_base64(at) })
        }
        (GoType::Bytes, Value::Sequence(items)) => items.iter().find_map(|item| misfit(item, &BYTE, path)),
        (GoType::List(inner), Value::Sequence(items)) => items.iter().find_map(|item| misfit(item, inner, path)),
        (GoType::Map(inner), Value::Mapping(entries)) => {
            sorted(entries).into_iter().find_map(|(_, value)| misfit(value, inner, path))
        }
        (GoType::Struct(shape), Value::Mapping(entries)) => fields_misfit(entries, shape, path),
        _ => None,
    }
}

/// An element of [`GoType::Bytes`] that is written as a list.
pub(crate) static BYTE: GoType = GoType::Int("uint8", 0, 255);

/// The error of Go for a text that is not base64 at this byte.
pub(crate) fn illegal_base64(at: usize) -> String {
    format!("illegal base64 data at input byte {at}")
}

/// The error of Go for a value that a field of a struct is not decoded from.
pub(crate) fn type_error(found: &str, name: &str, field: &str, go_type: &GoType) -> String {
    format!("json: cannot unmarshal {found} into Go struct field {name}.{field} of type {}", go_type.name())
}

fn fields_misfit(entries: &[(crate::raw::Text, Node)], shape: &'static GoStruct, path: &mut Path) -> Option<Misfit> {
    let outer = path.inner.replace(shape);
    for (key, value) in sorted(entries) {
        let field = match path.names {
            FieldNames::AnyCase => shape.field(key),
            FieldNames::Exact => shape.find(|name| name == key),
        };
        let Some((name, go_type)) = field else { continue };
        path.fields.push(name);
        let found = misfit(value, go_type, path);
        path.fields.pop();
        if found.is_some() {
            return found;
        }
    }
    path.inner = outer;
    None
}

fn sorted(entries: &[(crate::raw::Text, Node)]) -> Vec<(&str, &Node)> {
    let mut sorted: Vec<_> = entries.iter().map(|(key, value)| (&*key.value, value)).collect();
    sorted.sort_by_key(|(key, _)| *key);
    sorted
}

impl Path {
    fn misfit(&self, node: &Node, go_type: &GoType) -> Misfit {
        let found = go_type.found(&node.value, "");
        let message = match self.inner {
            Some(inner) => type_error(&found, inner.name, &self.fields.join("."), go_type),
            None => format!("json: cannot unmarshal {found} into Go value of type {}", go_type.name()),
        };
        Misfit { span: node.span, message }
    }
}

// Checks whether JSON text certainly fits a type, without building a tree. Where that is not certain, a tree is built
// and checked later.

/// Whether the JSON text `json`, which is well-formed, certainly fits `go_type`.
pub(crate) fn fits_json(json: &str, go_type: &'static GoType) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    Fits(go_type).deserialize(&mut deserializer).unwrap_or(false)
}

#[derive(Clone, Copy)]
struct Fits(&'static GoType);

impl<'de> DeserializeSeed<'de> for Fits {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        match self.0 {
            GoType::Any => deserializer.deserialize_ignored_any(IgnoredAny).map(|_| true),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Fits {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(matches!(self.0, GoType::Bool))
    }

    fn visit_i64<E>(self, number: i64) -> Result<bool, E> {
        Ok(matches!(self.0, GoType::Int(_, least, most) if (*least..=*most).contains(&number)))
    }

    fn visit_u64<E>(self, number: u64) -> Result<bool, E> {
        Ok(matches!(self.0, GoType::Int(_, _, most) if i64::try_from(number).is_ok_and(|number| number <= *most)))
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E>(self, _: &str) -> Result<bool, E> {
        Ok(matches!(self.0, GoType::Text(_)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
        let GoType::List(inner) = self.0 else {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(false);
        };
        let mut fits = true;
        while let Some(item) = items.next_element_seed(Self(inner))? {
            fits &= item;
        }
        Ok(fits)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<bool, A::Error> {
        let mut fits = matches!(self.0, GoType::Map(_) | GoType::Struct(_));
        while let Some(key) = entries.next_key::<Key<'_>>()? {
            let inner = match self.0 {
                GoType::Map(inner) => inner,
                GoType::Struct(shape) => shape.field(&key.0).map_or(&GoType::Any, |(_, inner)| inner),
                _ => &GoType::Any,
            };
            fits &= entries.next_value_seed(Self(inner))?;
        }
        Ok(fits)
    }
}

/// A key, copied only when it has escapes.
#[derive(serde::Deserialize)]
struct Key<'k>(#[serde(borrow)] Cow<'k, str>);

// `property.CSVMetadata` (operator-registry `alpha/property/property.go`) and the types of
// `operator-framework/api` `pkg/operators/v1alpha1` that it is made of.

use GoType::{Any, Bool, Int, List, Map, Struct, Text};

const API: &str = "v1alpha1";

/// `property.CSVMetadata`
pub static CSV_METADATA: GoType = Struct(&GoStruct {
    package: "property",
    name: "CSVMetadata",
    fields: &[
        ("annotations", Map(&STRING)),
        ("apiServiceDefinitions", Struct(&API_SERVICES)),
        ("crdDescriptions", Struct(&CRDS)),
        ("description", STRING),
        ("displayName", STRING),
        ("installModes", List(&Struct(&INSTALL_MODE))),
        ("keywords", List(&STRING)),
        ("labels", Map(&STRING)),
        ("links", List(&Struct(&LINK))),
        ("maintainers", List(&Struct(&MAINTAINER))),
        ("maturity", STRING),
        ("minKubeVersion", STRING),
        ("nativeAPIs", List(&Struct(&GROUP_VERSION_KIND))),
        ("provider", Struct(&LINK)),
    ],
});

static API_SERVICES: GoStruct = GoStruct {
    package: API,
    name: "APIServiceDefinitions",
    fields: &[("owned", List(&Struct(&API_SERVICE))), ("required", List(&Struct(&API_SERVICE)))],
};

static CRDS: GoStruct = GoStruct {
    package: API,
    name: "CustomResourceDefinitions",
    fields: &[("owned", List(&Struct(&CRD))), ("required", List(&Struct(&CRD)))],
};

static API_SERVICE: GoStruct = GoStruct {
    package: API,
    name: "APIServiceDescription",
    fields: &[
        ("name", STRING),
        ("group", STRING),
        ("version", STRING),
        ("kind", STRING),
        ("deploymentName", STRING),
        ("containerPort", Int("int32", i32::MIN as i64, i32::MAX as i64)),
        ("displayName", STRING),
        ("description", STRING),
        ("resources", List(&Struct(&RESOURCE))),
        ("statusDescriptors", List(&Struct(&STATUS))),
        ("specDescriptors", List(&Struct(&SPEC))),
        ("actionDescriptors", List(&Struct(&ACTION))),
    ],
};

static CRD: GoStruct = GoStruct {
    package: API,
    name: "CRDDescription",
    fields: &[
        ("name", STRING),
        ("version", STRING),
        ("kind", STRING),
        ("displayName", STRING),
        ("description", STRING),
        ("resources", List(&Struct(&RESOURCE))),
        ("statusDescriptors", List(&Struct(&STATUS))),
        ("specDescriptors", List(&Struct(&SPEC))),
        ("actionDescriptors", List(&Struct(&ACTION))),
    ],
};

static RESOURCE: GoStruct = GoStruct {
    package: API,
    name: "APIResourceReference",
    fields: &[("name", STRING), ("kind", STRING), ("version", STRING)],
};

const DESCRIPTOR: &[(&str, GoType)] = &[
    ("path", STRING),
    ("displayName", STRING),
    ("description", STRING),
    ("x-descriptors", List(&STRING)),
    ("value", Any),
];

static STATUS: GoStruct = GoStruct { package: API, name: "StatusDescriptor", fields: DESCRIPTOR };
static SPEC: GoStruct = GoStruct { package: API, name: "SpecDescriptor", fields: DESCRIPTOR };
static ACTION: GoStruct = GoStruct { package: API, name: "ActionDescriptor", fields: DESCRIPTOR };

static INSTALL_MODE: GoStruct = GoStruct {
    package: API,
    name: "InstallMode",
    fields: &[("type", Text("v1alpha1.InstallModeType")), ("supported", Bool)],
};

static LINK: GoStruct = GoStruct { package: API, name: "AppLink", fields: &[("name", STRING), ("url", STRING)] };

static MAINTAINER: GoStruct =
    GoStruct { package: API, name: "Maintainer", fields: &[("name", STRING), ("email", STRING)] };

static GROUP_VERSION_KIND: GoStruct = GoStruct {
    package: "v1",
    name: "GroupVersionKind",
    fields: &[("group", STRING), ("version", STRING), ("kind", STRING)],
};

#[cfg(test)]
mod tests {
    use source::FileId;

    use super::*;
    use crate::property_misfit;

    /// What is said of `value`, and where.
    #[track_caller]
    fn check(kind: &str, value: &str, expected: Option<(&str, &str)>) {
        let yaml = crate::untyped_values(FileId(0), value).nodes.remove(0);
        let found = property_misfit(kind, &yaml, value).expect("it can be opened");
        let told = found.as_ref().map(|misfit| (misfit.span.slice(value), misfit.message.as_str()));
        assert_eq!(told, expected, "{value}");
        if let Ok(json) = serde_json::to_string(&yaml.to_json(value).expect("it can be opened")) {
            let fits = fits_json(&json, of_property(kind).expect("a type"));
            assert!(!fits || found.is_none(), "{json}");
        }
    }

    #[test]
    fn whole_values() {
        check("olm.csv.metadata", "{}", None);
        check("olm.csv.metadata", "{displayName: a, unknown: [1], annotations: {a: b}, Keywords: [c, null]}", None);
        let told = "json: cannot unmarshal string into Go value of type property.CSVMetadata";
        check("olm.csv.metadata", "x", Some(("x", told)));
        check(
            "olm.channel",
            "[1]",
            Some(("[1]", "json: cannot unmarshal array into Go value of type property.Channel")),
        );
    }

    #[test]
    fn the_priority_of_a_channel_is_a_whole_number() {
        let told =
            |found: &str| format!("json: cannot unmarshal {found} into Go struct field Channel.priority of type int");
        check("olm.channel", "{channelName: c, priority: -1}", None);
        check("olm.channel", "{channelName: c, priority: x}", Some(("x", &told("string"))));
        check("olm.channel", "{channelName: c, priority: 1.5}", Some(("1.5", &told("number 1.5"))));
        let told = "json: cannot unmarshal number into Go struct field Channel.channelName of type string";
        check("olm.channel", "{channelName: 1, priority: 1}", Some(("1", told)));
    }

    #[test]
    fn fields() {
        let field = |found: &str, field: &str| format!("json: cannot unmarshal {found} into Go struct field {field}");
        for (value, part, told) in [
            ("{keywords: x}", "x", field("string", "CSVMetadata.keywords of type []string")),
            ("{keywords: [1]}", "1", field("number", "CSVMetadata.keywords of type string")),
            ("{annotations: {a: yes}}", "yes", field("bool", "CSVMetadata.annotations of type string")),
            ("{installModes: [1]}", "1", field("number", "CSVMetadata.installModes of type v1alpha1.InstallMode")),
            (
                "{installModes: [{type: A, supported: a}]}",
                "a",
                field("string", "InstallMode.installModes.supported of type bool"),
            ),
            (
                "{crdDescriptions: {owned: [{resources: [{name: 1}]}]}}",
                "1",
                field("number", "APIResourceReference.crdDescriptions.owned.resources.name of type string"),
            ),
            (
                "{apiServiceDefinitions: {owned: [{containerPort: 1.5}]}}",
                "1.5",
                field("number 1.5", "APIServiceDescription.apiServiceDefinitions.owned.containerPort of type int32"),
            ),
            ("{nativeAPIs: x}", "x", field("string", "CSVMetadata.nativeAPIs of type []v1.GroupVersionKind")),
        ] {
            check("olm.csv.metadata", value, Some((part, &told)));
        }
    }

    #[test]
    fn the_first_in_the_order_of_keys_is_told() {
        let told = "json: cannot unmarshal number into Go struct field CSVMetadata.description of type string";
        check("olm.csv.metadata", "{maturity: 1, description: 2}", Some(("2", told)));
    }

    #[test]
    fn bytes() {
        check("olm.bundle.object", "{data: Zm9v}", None);
        check("olm.bundle.object", "{data: [1, 255]}", None);
        check("olm.bundle.object", "{data: \"%\"}", Some(("\"%\"", "illegal base64 data at input byte 0")));
        let told = "json: cannot unmarshal number into Go struct field BundleObject.data of type []uint8";
        check("olm.bundle.object", "{data: 1}", Some(("1", told)));
    }
}
