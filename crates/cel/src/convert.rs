//! Conversions between types: `int("3")`, `string(1.5)`, `timestamp("2024-01-01T00:00:00Z")`.

use crate::fuel::{Failure, Meter, failed};
use crate::function::Function;
use crate::go;
use crate::time::{self, Timestamp};
use crate::value::{Blob, Text, Value};

/// Converts a value to the type that the function is named for.
pub(crate) fn convert<'a>(to: Function, value: Value<'a>, meter: &mut Meter) -> Result<Value<'a>, Failure> {
    match (to, value) {
        (Function::String, value) => text(value, meter),
        (Function::Bytes, Value::String(text)) => Ok(Value::Bytes(match text {
            Text::Borrowed(text) => Blob::Borrowed(text.as_bytes()),
            Text::Shared(text) => {
                meter.spend_bytes(text.len())?;
                Blob::Shared(text.as_bytes().into())
            }
        })),
        (_, Value::String(text)) => {
            meter.spend_bytes(text.as_str().len())?;
            from_text(to, text.as_str())
        }
        (Function::Int, Value::Double(number)) => integer(number).map(Value::Int),
        (Function::Int, Value::Uint(number)) => {
            i64::try_from(number).map(Value::Int).map_err(|_| failed("integer overflow"))
        }
        (Function::Int, Value::Timestamp(timestamp)) => Ok(Value::Int(timestamp.seconds)),
        (Function::Int, Value::Duration(nanos)) => Ok(Value::Int(nanos)),
        (Function::Uint, Value::Int(number)) => {
            u64::try_from(number).map(Value::Uint).map_err(|_| failed("unsigned integer overflow"))
        }
        (Function::Uint, Value::Double(number)) => unsigned(number).map(Value::Uint),
        (Function::Double, Value::Int(number)) => Ok(Value::Double(number as f64)),
        (Function::Double, Value::Uint(number)) => Ok(Value::Double(number as f64)),
        (Function::Duration, Value::Int(nanos)) => Ok(Value::Duration(nanos)),
        (Function::Timestamp, Value::Int(seconds)) => Timestamp::of_seconds(seconds).map(Value::Timestamp),
        (_, value) if is_of(to, &value) => Ok(value),
        (_, value) => Err(no_overload(to, &[&value])),
    }
}

/// No overload of the function takes values of these types.
pub(crate) fn no_overload(function: Function, args: &[&Value<'_>]) -> Failure {
    let types: Vec<&str> = args.iter().map(|arg| arg.type_name()).collect();
    failed(format!("no such overload: {}({})", function.name(), types.join(", ")))
}

fn is_of(to: Function, value: &Value<'_>) -> bool {
    matches!(
        (to, value),
        (Function::Bool, Value::Bool(_))
            | (Function::Bytes, Value::Bytes(_))
            | (Function::Double, Value::Double(_))
            | (Function::Duration, Value::Duration(_))
            | (Function::Int, Value::Int(_))
            | (Function::Timestamp, Value::Timestamp(_))
            | (Function::Uint, Value::Uint(_))
    )
}

fn integer(number: f64) -> Result<i64, Failure> {
    if number > i64::MIN as f64 && number < i64::MAX as f64 {
        Ok(number as i64)
    } else {
        Err(failed("integer overflow"))
    }
}

fn unsigned(number: f64) -> Result<u64, Failure> {
    if number >= 0.0 && number < u64::MAX as f64 { Ok(number as u64) } else { Err(failed("unsigned integer overflow")) }
}

fn text<'a>(value: Value<'a>, meter: &mut Meter) -> Result<Value<'a>, Failure> {
    Ok(Value::text(match value {
        Value::String(_) => return Ok(value),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Double(number) => go::double(number),
        Value::Bytes(bytes) => {
            meter.spend_bytes(bytes.as_bytes().len())?;
            let text = std::str::from_utf8(bytes.as_bytes());
            text.map_err(|_| failed("invalid UTF-8 in bytes, cannot convert to string"))?.to_owned()
        }
        Value::Timestamp(timestamp) => timestamp.text(),
        Value::Duration(nanos) => time::duration_text(nanos),
        Value::Null | Value::List(_) | Value::Map(_) | Value::Type(_) => {
            return Err(no_overload(Function::String, &[&value]));
        }
    }))
}

fn from_text<'a>(to: Function, text: &str) -> Result<Value<'a>, Failure> {
    let (name, value) = match to {
        Function::Bool => ("bool", go::parse_bool(text).map(Value::Bool)),
        Function::Int => ("int", text.parse().ok().map(Value::Int)),
        Function::Uint => ("uint", text.parse().ok().filter(|_| !text.starts_with('+')).map(Value::Uint)),
        Function::Double => ("double", go::parse_double(text).map(Value::Double)),
        Function::Duration => ("google.protobuf.Duration", time::parse_duration(text).map(Value::Duration)),
        _ => match Timestamp::parse(text) {
            Some(timestamp) => return timestamp.map(Value::Timestamp),
            None => ("google.protobuf.Timestamp", None),
        },
    };
    value.ok_or_else(|| failed(format!("type conversion error from 'string' to '{name}'")))
}
