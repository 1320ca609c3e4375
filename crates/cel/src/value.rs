//! Values at run time. Values of the properties and literals are borrowed, so that a rule costs only what it reads.

use std::rc::Rc;

use serde_json::{Map as JsonMap, Value as Json};

use crate::error::{Failure, Meter};
use crate::time::Timestamp;

/// A property as a rule sees it: a map with the keys `type` and `value`.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The `type`.
    pub kind: &'a str,
    pub value: PropertyValue<'a>,
}

/// The value of a property.
#[derive(Clone, Copy, Debug)]
pub enum PropertyValue<'a> {
    Json(&'a Json),
    /// A JSON object of strings, with sorted keys.
    Texts([Option<(&'static str, &'a str)>; 3]),
    /// Not JSON: the rule sees an empty map in place of the property.
    NotJson,
}

#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Text<'a>),
    Bytes(Blob<'a>),
    List(List<'a>),
    Map(Map<'a>),
    Type(&'static str),
    Timestamp(Timestamp),
    /// Nanoseconds.
    Duration(i64),
}

#[derive(Clone, Debug)]
pub(crate) enum Text<'a> {
    Borrowed(&'a str),
    Shared(Rc<str>),
}

#[derive(Clone, Debug)]
pub(crate) enum Blob<'a> {
    Borrowed(&'a [u8]),
    Shared(Rc<[u8]>),
}

#[derive(Clone, Debug)]
pub(crate) enum List<'a> {
    Json(&'a [Json]),
    Properties(&'a [Property<'a>]),
    Items(Rc<[Value<'a>]>),
}

#[derive(Clone, Debug)]
pub(crate) enum Map<'a> {
    Json(&'a JsonMap<String, Json>),
    Texts([Option<(&'static str, &'a str)>; 3]),
    Property(&'a Property<'a>),
    Entries(Rc<[(Value<'a>, Value<'a>)]>),
}

impl Text<'_> {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl Blob<'_> {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

impl<'a> Value<'a> {
    pub(crate) fn of_json(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => Self::Double(number.as_f64().unwrap_or(f64::NAN)),
            Json::String(text) => Self::borrowed(text),
            Json::Array(items) => Self::List(List::Json(items)),
            Json::Object(fields) => Self::Map(Map::Json(fields)),
        }
    }

    pub(crate) fn borrowed(text: &'a str) -> Self {
        Self::String(Text::Borrowed(text))
    }

    pub(crate) fn text(text: String) -> Self {
        Self::String(Text::Shared(text.into()))
    }

    /// The name of the value's type.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Type(_) => "type",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
        }
    }

    /// Equality across number types; values of other different types are unequal.
    pub(crate) fn equals(&self, other: &Self, meter: &mut Meter) -> Result<bool, Failure> {
        meter.spend(1)?;
        Ok(match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::String(a), Self::String(b)) => {
                meter.spend_bytes(a.as_str().len().min(b.as_str().len()))?;
                a.as_str() == b.as_str()
            }
            (Self::Bytes(a), Self::Bytes(b)) => {
                meter.spend_bytes(a.as_bytes().len().min(b.as_bytes().len()))?;
                a.as_bytes() == b.as_bytes()
            }
            (Self::Type(a), Self::Type(b)) => a == b,
            (Self::Timestamp(a), Self::Timestamp(b)) => a.since_1970() == b.since_1970(),
            (Self::Duration(a), Self::Duration(b)) => a == b,
            (Self::List(a), Self::List(b)) => a.equals(b, meter)?,
            (Self::Map(a), Self::Map(b)) => a.equals(b, meter)?,
            (a, b) => crate::call::compare_numbers(a, b) == Some(std::cmp::Ordering::Equal),
        })
    }
}

impl<'a> List<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Json(items) => items.len(),
            Self::Properties(properties) => properties.len(),
            Self::Items(items) => items.len(),
        }
    }

    pub(crate) fn get(&self, at: usize) -> Option<Value<'a>> {
        match self {
            Self::Json(items) => items.get(at).map(Value::of_json),
            Self::Properties(properties) => properties.get(at).map(|property| Value::Map(Map::Property(property))),
            Self::Items(items) => items.get(at).cloned(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Value<'a>> + '_ {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    fn equals(&self, other: &Self, meter: &mut Meter) -> Result<bool, Failure> {
        if self.len() != other.len() {
            return Ok(false);
        }
        for (a, b) in self.iter().zip(other.iter()) {
            if !a.equals(&b, meter)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl<'a> Map<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Json(fields) => fields.len(),
            Self::Texts(fields) => fields.iter().flatten().count(),
            Self::Property(Property { value: PropertyValue::NotJson, .. }) => 0,
            Self::Property(_) => 2,
            Self::Entries(entries) => entries.len(),
        }
    }

    /// The value of a key. Maps that come from JSON have texts as keys; in others a number finds the key of the same
    /// value, but none is found under a double.
    pub(crate) fn get(&self, key: &Value<'a>, meter: &mut Meter) -> Result<Option<Value<'a>>, Failure> {
        let compared = if let Value::String(key) = key { key.as_str().len() } else { 0 };
        if let Self::Entries(entries) = self {
            meter.spend(entries.len() as u64)?;
            meter.spend_bytes(entries.len().saturating_mul(compared))?;
            return Ok(entries.iter().find(|(known, _)| finds(key, known)).map(|(_, value)| value.clone()));
        }
        meter.spend_bytes(compared)?;
        let Value::String(key) = key else { return Ok(None) };
        Ok(self.field(key.as_str()))
    }

    fn field(&self, key: &str) -> Option<Value<'a>> {
        match self {
            Self::Json(fields) => fields.get(key).map(Value::of_json),
            Self::Texts(fields) => {
                let found = fields.iter().flatten().find(|(name, _)| *name == key);
                found.map(|(_, text)| Value::borrowed(text))
            }
            Self::Property(property) => match (key, &property.value) {
                (_, PropertyValue::NotJson) => None,
                ("type", _) => Some(Value::borrowed(property.kind)),
                ("value", PropertyValue::Json(json)) => Some(Value::of_json(json)),
                ("value", PropertyValue::Texts(fields)) => Some(Value::Map(Map::Texts(*fields))),
                _ => None,
            },
            Self::Entries(_) => None,
        }
    }

    /// The keys. Go iterates in random order; here the keys of JSON are sorted and those of a literal are in its order.
    pub(crate) fn keys(&self) -> Vec<Value<'a>> {
        match self {
            Self::Json(fields) => fields.keys().map(|key| Value::borrowed(key)).collect(),
            Self::Texts(fields) => fields.iter().flatten().map(|(key, _)| Value::borrowed(key)).collect(),
            Self::Property(Property { value: PropertyValue::NotJson, .. }) => Vec::new(),
            Self::Property(_) => vec![Value::borrowed("type"), Value::borrowed("value")],
            Self::Entries(entries) => entries.iter().map(|(key, _)| key.clone()).collect(),
        }
    }

    fn equals(&self, other: &Self, meter: &mut Meter) -> Result<bool, Failure> {
        if self.len() != other.len() {
            return Ok(false);
        }
        meter.spend(self.len() as u64)?;
        for key in self.keys() {
            let (Some(a), Some(b)) = (self.get(&key, meter)?, other.get(&key, meter)?) else { return Ok(false) };
            if !a.equals(&b, meter)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether looking `wanted` up finds the key `known` of a map literal.
fn finds(wanted: &Value<'_>, known: &Value<'_>) -> bool {
    match (wanted, known) {
        (Value::Double(a), Value::Double(b)) => a == b,
        (Value::Int(_) | Value::Uint(_), Value::Double(_)) => false,
        (Value::Double(_) | Value::Int(_) | Value::Uint(_), Value::Int(_) | Value::Uint(_)) => {
            crate::call::compare_numbers(wanted, known) == Some(std::cmp::Ordering::Equal)
        }
        _ => is_same_key(wanted, known),
    }
}

/// Whether two keys of one map literal are the same key, as Go compares them.
pub(crate) fn is_same_key(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Uint(a), Value::Uint(b)) => a == b,
        (Value::Double(a), Value::Double(b)) => a == b,
        (Value::String(a), Value::String(b)) => a.as_str() == b.as_str(),
        (Value::Type(a), Value::Type(b)) => a == b,
        (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
        (Value::Duration(a), Value::Duration(b)) => a == b,
        _ => false,
    }
}
