//! Conversions between types, `int("3")` and `string(1.5)`, and texts of values as Go's `fmt` and `strconv` print and read
//! them.

use crate::ast::Function;
use crate::error::{EvalError, Failure, Meter, NotKnown, failed};
use crate::time::{self, Timestamp};
use crate::value::{Blob, List, Map, Text, Value};
use serde_json::Value as Json;

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
        (_, value) if value.type_name() == type_name(to) => Ok(value),
        (_, value) => Err(no_overload(to, &value)),
    }
}

/// The error for a value that the conversion does not take.
fn no_overload(to: Function, value: &Value<'_>) -> Failure {
    failed(format!("no such overload: {}({})", to.name(), value.type_name()))
}

/// Timestamps and durations have no text here.
fn unprinted() -> Failure {
    EvalError::NotKnown(NotKnown::Function(Function::String.name()))
}

/// The name of the type that a conversion gives.
fn type_name(to: Function) -> &'static str {
    match to {
        Function::Duration => "google.protobuf.Duration",
        Function::Timestamp => "google.protobuf.Timestamp",
        _ => to.name(),
    }
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
        Value::Double(number) => double(number),
        Value::Bytes(bytes) => {
            meter.spend_bytes(bytes.as_bytes().len())?;
            let text = std::str::from_utf8(bytes.as_bytes());
            text.map_err(|_| failed("invalid UTF-8 in bytes, cannot convert to string"))?.to_owned()
        }
        Value::Timestamp(_) | Value::Duration(_) => return Err(unprinted()),
        Value::Null | Value::List(_) | Value::Map(_) | Value::Type(_) => {
            return Err(no_overload(Function::String, &value));
        }
    }))
}

fn from_text<'a>(to: Function, text: &str) -> Result<Value<'a>, Failure> {
    let value = match to {
        Function::Bool => parse_bool(text).map(Value::Bool),
        Function::Int => text.parse().ok().map(Value::Int),
        Function::Uint => text.parse().ok().filter(|_| !text.starts_with('+')).map(Value::Uint),
        Function::Double => parse_double(text).map(Value::Double),
        Function::Duration => time::parse_duration(text).map(Value::Duration),
        _ => Timestamp::parse(text).transpose()?.map(Value::Timestamp),
    };
    value.ok_or_else(|| failed(format!("type conversion error from 'string' to '{}'", type_name(to))))
}

/// A double as `%g` and `%v` print it: the fewest digits that read back as it, with an exponent below 1e-4 and from 1e+06 on.
pub(crate) fn double(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').expect("`{:e}` always has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    if (-4..6).contains(&exponent) {
        return number.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// A float as `strconv.ParseFloat` reads it, hexadecimal ones excepted.
pub(crate) fn parse_double(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let between_digits = |at: usize| {
        let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
        digit(at.checked_sub(1)) && digit(Some(at + 1))
    };
    if !(0..bytes.len()).all(|at| bytes[at] != b'_' || between_digits(at)) {
        return None;
    }
    let number: f64 = text.replace('_', "").parse().ok()?;
    let spelt_out = text.trim_start_matches(['+', '-']).starts_with(['i', 'I']);
    (number.is_finite() || number.is_nan() || spelt_out).then_some(number)
}

/// A truth value as `strconv.ParseBool` reads it.
pub(crate) fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}

/// A value as `fmt.Sprint` prints it in Go. Lists share their elements, so that a small list can have a long text.
pub(crate) fn print(value: &Value<'_>, meter: &mut Meter) -> Result<String, Failure> {
    let text = match value {
        Value::Null => "NULL_VALUE".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Double(number) => double(*number),
        Value::String(text) => text.as_str().to_owned(),
        Value::Bytes(bytes) => {
            let bytes: Vec<String> = bytes.as_bytes().iter().map(ToString::to_string).collect();
            format!("[{}]", bytes.join(" "))
        }
        Value::List(List::Json(items)) => print_list(items),
        Value::List(list) => print_all("", list.iter(), meter)?,
        Value::Map(Map::Json(fields)) => print_map(fields),
        Value::Map(map) => print_all("map", map.keys().into_iter(), meter)?,
        Value::Type(name) => (*name).to_owned(),
        Value::Timestamp(_) | Value::Duration(_) => return Err(unprinted()),
    };
    meter.spend(1)?;
    meter.spend_bytes(text.len())?;
    Ok(text)
}

fn print_all<'a>(before: &str, values: impl Iterator<Item = Value<'a>>, meter: &mut Meter) -> Result<String, Failure> {
    let values: Result<Vec<String>, Failure> = values.map(|value| print(&value, meter)).collect();
    Ok(format!("{before}[{}]", values?.join(" ")))
}

fn print_json(json: &Json) -> String {
    match json {
        Json::Null => "<nil>".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => double(number.as_f64().unwrap_or(f64::NAN)),
        Json::String(text) => text.clone(),
        Json::Array(items) => print_list(items),
        Json::Object(fields) => print_map(fields),
    }
}

fn print_list(items: &[Json]) -> String {
    let items: Vec<String> = items.iter().map(print_json).collect();
    format!("[{}]", items.join(" "))
}

fn print_map(fields: &serde_json::Map<String, Json>) -> String {
    let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}:{}", print_json(value))).collect();
    format!("map[{}]", fields.join(" "))
}
