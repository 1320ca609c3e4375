//! Texts as Go writes them: `encoding/json`, `fmt` verbs and floats.

use std::fmt::Write;

/// A float as `encoding/json` writes it: the shortest digits, an exponent below 1e-6 and from 1e21 on.
pub(crate) fn json_float(value: f64) -> String {
    let size = value.abs();
    match size == 0.0 || (1e-6..1e21).contains(&size) {
        true => format!("{value}"),
        false => exponent(&format!("{value:e}"), 1),
    }
}

/// A float as `%v` writes it: the shortest digits, an exponent below 1e-4 and from 1e6 on.
pub(crate) fn float(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "NaN"
        } else if value > 0.0 {
            "+Inf"
        } else {
            "-Inf"
        }
        .to_owned();
    }
    let size = value.abs();
    match size == 0.0 || (1e-4..1e6).contains(&size) {
        true => format!("{value}"),
        false => exponent(&format!("{value:e}"), 2),
    }
}

/// A `float32` as `strconv.FormatFloat(_, 'g', -1, 32)` writes it.
pub(crate) fn float32(value: f32) -> String {
    let size = value.abs();
    match size == 0.0 || (1e-4..1e6).contains(&size) {
        true => format!("{value}"),
        false => exponent(&format!("{value:e}"), 2),
    }
}

/// `1e22` with Go's sign and number of digits in the exponent.
fn exponent(text: &str, digits: usize) -> String {
    let Some((mantissa, exponent)) = text.split_once('e') else { return text.to_owned() };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{mantissa}e{sign}{exponent:0>digits$}")
}

/// Appends a text as `encoding/json` writes it without HTML escapes.
pub(crate) fn json_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\x1f' | '\u{2028}' | '\u{2029}' => {
                write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string never fails");
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// The value as `fmt` prints it with `%t` and with `%v`, which `opm` uses where a name is not a text.
pub(crate) fn misprinted(value: &serde_json::Value) -> String {
    format!("{}: {}", with_t(value), with_v(value))
}

fn with_t(value: &serde_json::Value) -> String {
    use serde_json::Value as Json;
    let inner = |value: &Json| if value.is_null() { "<nil>".to_owned() } else { with_t(value) };
    match value {
        Json::Null => "%!t(<nil>)".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => format!("%!t(float64={})", float(number.as_f64().unwrap_or_default())),
        Json::String(text) => format!("%!t(string={text})"),
        Json::Array(items) => format!("[{}]", items.iter().map(inner).collect::<Vec<_>>().join(" ")),
        Json::Object(map) => {
            let entries = map.iter().map(|(key, value)| format!("%!t(string={key}):{}", inner(value)));
            format!("map[{}]", entries.collect::<Vec<_>>().join(" "))
        }
    }
}

fn with_v(value: &serde_json::Value) -> String {
    use serde_json::Value as Json;
    match value {
        Json::Null => "<nil>".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => float(number.as_f64().unwrap_or_default()),
        Json::String(text) => text.clone(),
        Json::Array(items) => format!("[{}]", items.iter().map(with_v).collect::<Vec<_>>().join(" ")),
        Json::Object(map) => {
            let entries = map.iter().map(|(key, value)| format!("{key}:{}", with_v(value)));
            format!("map[{}]", entries.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The value as `fmt` prints it with `%#v`, as Go source would say it, after yaml.v2 has decoded it.
pub(crate) fn syntax(value: &serde_json::Value) -> String {
    use serde_json::Value as Json;
    match value {
        Json::Null => "interface {}(nil)".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.to_string(),
            None => float(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => quoted(text),
        Json::Array(items) => {
            format!("[]interface {{}}{{{}}}", items.iter().map(syntax).collect::<Vec<_>>().join(", "))
        }
        Json::Object(map) => {
            let entries = map.iter().map(|(key, value)| format!("{}:{}", quoted(key), syntax(value)));
            format!("map[interface {{}}]interface {{}}{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A text as `strconv.Quote` writes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0b' => out.push_str("\\v"),
            '\x0c' => out.push_str("\\f"),
            '"' | '\\' | '\n' | '\r' | '\t' => out.extend(c.escape_default()),
            '\0'..='\x1f' | '\x7f' => write!(out, "\\x{:02x}", u32::from(c)).expect("writing to a string never fails"),
            '\u{80}'..='\u{a0}' | '\u{ad}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string never fails");
            }
            _ => out.push(c),
        }
    }
    out + "\""
}
