//! Values as Go's `fmt` and `strconv` print and read them.

use serde_json::Value as Json;

use crate::fuel::{Failure, Meter};
use crate::value::{List, Map, Value};

/// A double as `%g` and `%v` print it: the fewest digits that tell it, with an exponent below 1e-4 and from 1e+06 on.
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

/// A value as `fmt.Sprint` prints what it is in Go. Lists share their elements, so that a small one may be long to print.
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
        Value::Timestamp(timestamp) => timestamp.text(),
        Value::Duration(nanos) => crate::time::duration_text(*nanos),
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
