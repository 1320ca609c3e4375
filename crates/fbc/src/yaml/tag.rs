//! Scalars with their style and tag to values: `resolve.go` and `decode.go` of yaml.v2.

use super::parser;
use super::scalar::{Scalar, is_timestamp, resolve};
use super::scanner::Style;
use crate::{Number, Value, base64, go};
use std::borrow::Cow;

/// The prefix of YAML's own tags, which the name of the tag follows.
const CORE: &str = "tag:yaml.org,2002:";

/// The name of a tag of YAML itself; empty for any other.
fn core_name(tag: &str) -> &str {
    tag.strip_prefix(CORE).unwrap_or_default()
}

/// Whether a key is `<<`, whose value is merged into the mapping.
pub(super) fn is_merge(scalar: &parser::Scalar<'_>) -> bool {
    scalar.text == "<<"
        && match &scalar.tag {
            None => scalar.style == Style::Plain,
            Some(tag) => matches!(core_name(tag), "merge") || tag == "!",
        }
}

/// The meaning of a scalar; for `Scalar::Text` it is the text of the scalar. An error is the text of yaml.v2.
pub(super) fn interpret(scalar: &parser::Scalar<'_>) -> Result<Scalar, String> {
    let text = &*scalar.text;
    let Some(tag) = &scalar.tag else {
        return Ok(if scalar.style == Style::Plain { resolve(text) } else { Scalar::Text });
    };
    let name = core_name(tag);
    let found = resolve(text);
    match (name, found) {
        ("bool", Scalar::Bool(_)) | ("int", Scalar::Int(_)) | ("float", Scalar::Float(_)) | ("null", Scalar::Null) => {
            Ok(found)
        }
        ("float", Scalar::Int(whole)) if i64::try_from(whole).is_ok() => Ok(Scalar::Float(whole as f64)),
        ("timestamp", Scalar::Text) if is_timestamp(text) => Ok(Scalar::Text),
        ("bool" | "int" | "float" | "null" | "timestamp", _) => {
            let is = if is_timestamp(text) { "timestamp" } else { found.tag_name() };
            Err(format!("cannot decode !!{is} `{text}` as a !!{name}"))
        }
        _ => Ok(Scalar::Text),
    }
}

/// The value of a scalar that is not a key.
pub(super) fn value(text: Cow<'_, str>, scalar: Scalar, tag: Option<&str>) -> Result<Value, String> {
    Ok(match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(value) => Value::Number(Number::of_integer(value)),
        Scalar::Float(value) if value.is_finite() => Value::Number(Number::float(value)),
        Scalar::Float(value) => return Err(format!("json: unsupported value: {}", go::float(value))),
        Scalar::Text if tag.is_some_and(|tag| core_name(tag) == "binary") => {
            let bytes = base64::decode(&text).map_err(|_| "!!binary value contains invalid base64 data".to_owned())?;
            Value::String(String::from_utf8_lossy(&bytes).into())
        }
        Scalar::Text => Value::String(text.into()),
    })
}

/// The text of a key (sigs.k8s.io/yaml `convertToJSONableObject`); nothing for one that JSON cannot have.
pub(super) fn key(text: Cow<'_, str>, scalar: Scalar) -> Option<Box<str>> {
    Some(match scalar {
        Scalar::Text => text.into(),
        Scalar::Bool(value) => value.to_string().into(),
        Scalar::Int(value) => value.to_string().into(),
        Scalar::Float(f64::INFINITY) => ".inf".into(),
        Scalar::Float(f64::NEG_INFINITY) => "-.inf".into(),
        Scalar::Float(value) if value.is_nan() => ".nan".into(),
        Scalar::Float(value) => go::float32(value as f32).into(),
        Scalar::Null => return None,
    })
}
