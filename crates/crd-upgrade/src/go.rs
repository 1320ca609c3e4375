//! Schemas as Go values: OLM tells the members of `oneOf` apart by their dumps.

use fbc::{float_with_v, quoted};
use serde_json::Value;
use std::collections::BTreeMap;

// Values as trees of Go values.

/// A Go value. Lists, maps and bytes that are empty are `nil`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Go {
    Text(String),
    Bool(bool),
    Int(i64),
    Float(f64),
    Bytes(String),
    /// A pointer to a number, a text or a boolean.
    Pointer(Option<Box<Self>>),
    /// A pointer to a struct.
    Reference(Option<Box<Self>>),
    /// A list, with the name of its type.
    List(&'static str, Vec<Self>),
    /// A map with sorted keys, with the name of its type.
    Map(&'static str, Vec<(String, Self)>),
    Struct(&'static str, Vec<(&'static str, Self)>),
}

impl Go {
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Self::Text(text) | Self::Bytes(text) => text.is_empty(),
            Self::Bool(flag) => !flag,
            Self::Int(number) => *number == 0,
            Self::Float(number) => *number == 0.0,
            Self::Pointer(to) | Self::Reference(to) => to.is_none(),
            Self::List(_, items) => items.is_empty(),
            Self::Map(_, entries) => entries.is_empty(),
            Self::Struct(_, fields) => fields.iter().all(|(_, value)| value.is_zero()),
        }
    }

    /// The text of a number, a text, a boolean or a list of these.
    pub(crate) fn short(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(quoted(text)),
            Self::Bool(flag) => Some(flag.to_string()),
            Self::Int(number) => Some(number.to_string()),
            Self::Float(number) => Some(float_with_v(*number)),
            Self::Pointer(Some(to)) => to.short(),
            Self::List(_, items) => {
                let items: Vec<String> = items.iter().map(Self::short).collect::<Option<_>>()?;
                Some(format!("[{}]", items.join(", ")))
            }
            Self::Pointer(None) | Self::Reference(_) | Self::Bytes(_) | Self::Map(..) | Self::Struct(..) => None,
        }
    }
}

/// What is read from JSON as Go decodes it, and has a Go value.
pub(crate) trait GoValue: Sized + Default {
    /// What a pointer to it is.
    const POINTER: fn(Option<Box<Go>>) -> Go = Go::Pointer;
    /// The name of the type of a list of it.
    const LIST: &'static str = "";
    /// The name of the type of a map of it.
    const MAP: &'static str = "";

    /// Reads it; `None` for `null`, and where the JSON value is of another type.
    fn read(value: &Value) -> Option<Self>;

    fn go(&self) -> Go;
}

impl GoValue for String {
    const LIST: &'static str = "[]string";

    fn read(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }

    fn go(&self) -> Go {
        Go::Text(self.clone())
    }
}

impl GoValue for bool {
    fn read(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn go(&self) -> Go {
        Go::Bool(*self)
    }
}

impl GoValue for i64 {
    fn read(value: &Value) -> Option<Self> {
        value.as_i64()
    }

    fn go(&self) -> Go {
        Go::Int(*self)
    }
}

impl GoValue for f64 {
    fn read(value: &Value) -> Option<Self> {
        value.as_f64()
    }

    fn go(&self) -> Go {
        Go::Float(*self)
    }
}

impl<T: GoValue> GoValue for Box<T> {
    const POINTER: fn(Option<Box<Go>>) -> Go = T::POINTER;

    fn read(value: &Value) -> Option<Self> {
        T::read(value).map(Self::new)
    }

    fn go(&self) -> Go {
        (**self).go()
    }
}

impl<T: GoValue> GoValue for Option<T> {
    fn read(value: &Value) -> Option<Self> {
        Some(T::read(value))
    }

    fn go(&self) -> Go {
        T::POINTER(self.as_ref().map(|value| Box::new(value.go())))
    }
}

impl<T: GoValue> GoValue for Vec<T> {
    fn read(value: &Value) -> Option<Self> {
        // Go decodes `null` in a list as an empty element.
        let items = value.as_array()?.iter().map(|item| T::read(item).unwrap_or_default());
        Some(items.collect())
    }

    fn go(&self) -> Go {
        Go::List(T::LIST, self.iter().map(GoValue::go).collect())
    }
}

impl<T: GoValue> GoValue for BTreeMap<String, T> {
    fn read(value: &Value) -> Option<Self> {
        let entries = value.as_object()?.iter().map(|(key, value)| (key.clone(), T::read(value).unwrap_or_default()));
        Some(entries.collect())
    }

    fn go(&self) -> Go {
        Go::Map(T::MAP, self.iter().map(|(key, value)| (key.clone(), value.go())).collect())
    }
}

// The text of a schema that its generated method `String` returns, by which OLM tells the members of `oneOf` apart.

/// The text of a schema, and whether it has addresses of memory in it, which differ each time.
///
/// Go prints the values of maps with `%v`, which follows no pointers to numbers, texts and booleans.
pub(crate) fn dump(value: &Go) -> (String, bool) {
    let mut printer = Printer { has_address: false };
    let text = printer.method(value);
    (text, printer.has_address)
}

/// Stands for an address of memory.
const ADDRESS: &str = "0x...";

struct Printer {
    has_address: bool,
}

impl Printer {
    /// What `String` returns for a pointer to a struct.
    fn method(&mut self, value: &Go) -> String {
        let Go::Struct(name, fields) = value else { return scalar(value) };
        let fields: Vec<String> =
            fields.iter().map(|(field, value)| format!("{field}:{},", self.field(value))).collect();
        format!("&{name}{{{}}}", fields.concat())
    }

    /// A field in what `String` returns.
    fn field(&mut self, value: &Go) -> String {
        match value {
            Go::Pointer(None) | Go::Reference(None) => "nil".to_owned(),
            Go::Reference(Some(to)) => self.method(to),
            Go::Pointer(Some(to)) => format!("*{}", scalar(to)),
            Go::Bytes(text) if text.is_empty() => "nil".to_owned(),
            Go::Bytes(_) => format!("*{}", scalar(value)),
            Go::List("[]string", _) => self.verb(value),
            Go::List(name, items) => {
                let items: Vec<String> =
                    items.iter().map(|item| self.method(item).replacen('&', "", 1) + ",").collect();
                format!("{name}{{{}}}", items.concat())
            }
            Go::Map(name, entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}: {},", self.verb(value))).collect();
                format!("{name}{{{}}}", entries.concat())
            }
            Go::Text(_) | Go::Bool(_) | Go::Int(_) | Go::Float(_) | Go::Struct(..) => scalar(value),
        }
    }

    /// What `%v` prints.
    fn verb(&mut self, value: &Go) -> String {
        let mut all =
            |values: &mut dyn Iterator<Item = &Go>| values.map(|value| self.verb(value)).collect::<Vec<_>>().join(" ");
        match value {
            Go::Struct(_, fields) => format!("{{{}}}", all(&mut fields.iter().map(|(_, value)| value))),
            Go::List(_, items) => format!("[{}]", all(&mut items.iter())),
            Go::Map(_, entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}:{}", self.verb(value))).collect();
                format!("map[{}]", entries.join(" "))
            }
            Go::Reference(Some(to)) => self.method(to),
            Go::Reference(None) => "nil".to_owned(),
            Go::Pointer(Some(_)) => {
                self.has_address = true;
                ADDRESS.to_owned()
            }
            Go::Pointer(None) => "<nil>".to_owned(),
            Go::Text(_) | Go::Bool(_) | Go::Int(_) | Go::Float(_) | Go::Bytes(_) => scalar(value),
        }
    }
}

/// What `%v` prints for a value that holds no others.
fn scalar(value: &Go) -> String {
    match value {
        Go::Text(text) => text.clone(),
        Go::Bool(flag) => flag.to_string(),
        Go::Int(number) => number.to_string(),
        Go::Float(number) => float_with_v(*number),
        Go::Bytes(text) => {
            let bytes: Vec<String> = text.bytes().map(|byte| byte.to_string()).collect();
            format!("[{}]", bytes.join(" "))
        }
        Go::Pointer(_) | Go::Reference(_) | Go::List(..) | Go::Map(..) | Go::Struct(..) => String::new(),
    }
}
