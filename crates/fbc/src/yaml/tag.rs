//! Scalars with their style and tag to values: `resolve.go` and `decode.go` of yaml.v2.

use super::fault::Fault;
use super::scalar::{Scalar, resolve};
use crate::{Number, Value, base64, go};
use saphyr_parser::{ScalarStyle, Tag};
use std::borrow::Cow;

/// yaml.v2's words for a scalar that does not fit its tag, or that JSON cannot hold.
pub(super) type Misfit = String;

/// What a scalar says; the text is `Scalar::Text`'s own.
pub(super) fn interpret(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Scalar, Misfit> {
    let Some(tag) = tag else {
        return Ok(if style == ScalarStyle::Plain { resolve(text) } else { Scalar::Text });
    };
    let name = if tag.is_yaml_core_schema() { tag.suffix.as_str() } else { "" };
    let found = resolve(text);
    match (name, found) {
        ("bool", Scalar::Bool(_)) | ("int", Scalar::Int(_)) | ("float", Scalar::Float(_)) | ("null", Scalar::Null) => {
            Ok(found)
        }
        ("float", Scalar::Int(whole)) => Ok(Scalar::Float(whole as f64)),
        ("bool" | "int" | "float" | "null", _) => {
            Err(format!("cannot decode !!{} `{text}` as a !!{name}", short_tag(found)))
        }
        _ => Ok(Scalar::Text),
    }
}

/// The value of a scalar that is not a key.
pub(super) fn value(text: Cow<'_, str>, scalar: Scalar, tag: Option<&Tag>) -> Result<Value, Misfit> {
    Ok(match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(value) => Value::Number(Number(value as f64)),
        Scalar::Float(value) if value.is_finite() => Value::Number(Number(value)),
        Scalar::Float(value) => return Err(unsupported_words(value)),
        Scalar::Text if tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "binary") => {
            let bytes = base64::decode(&text).map_err(|_| "!!binary value contains invalid base64 data".to_owned())?;
            Value::String(String::from_utf8_lossy(&bytes).into())
        }
        Scalar::Text => Value::String(text.into()),
    })
}

fn unsupported_words(value: f64) -> Misfit {
    format!("json: unsupported value: {}", go::float(value))
}

/// A float at the byte `at` that JSON cannot hold.
pub(super) fn unsupported(at: usize, value: f64) -> Fault {
    Fault::misfit(at, unsupported_words(value))
}

/// The text of a key (sigs.k8s.io/yaml `convertToJSONableObject`).
pub(super) fn key(text: Cow<'_, str>, scalar: Scalar) -> Result<Box<str>, Misfit> {
    Ok(match scalar {
        Scalar::Text => text.into(),
        Scalar::Bool(value) => value.to_string().into(),
        Scalar::Int(value) => value.to_string().into(),
        Scalar::Float(value) => go::float32(value as f32).into(),
        Scalar::Null => return Err("unsupported map key of type: %!s(<nil>), key: <nil>".to_owned()),
    })
}

const fn short_tag(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Null => "null",
        Scalar::Bool(_) => "bool",
        Scalar::Int(_) => "int",
        Scalar::Float(_) => "float",
        Scalar::Text => "str",
    }
}
