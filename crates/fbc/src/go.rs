//! Texts as Go writes them: `encoding/json`, `fmt` verbs and floats.

use crate::Number;
use crate::text_style::{Layout, laid_out};
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::ser::{Formatter, Serializer};
use std::fmt::{Display, LowerExp, Write};
use std::io;
use std::ops::Range;

/// A float as `encoding/json` writes it: the shortest digits, an exponent below 1e-6 and from 1e21 on.
pub(crate) fn json_float(value: f64) -> String {
    shortest(value, -6..21, 1)
}

/// A float as `%v` writes it: the shortest digits, an exponent below 1e-4 and from 1e6 on.
#[must_use]
pub fn float(value: f64) -> String {
    match value {
        f64::INFINITY => "+Inf".to_owned(),
        f64::NEG_INFINITY => "-Inf".to_owned(),
        _ => shortest(value, -4..6, 2),
    }
}

/// A `float32` as `strconv.FormatFloat(_, 'g', -1, 32)` writes it.
pub(crate) fn float32(value: f32) -> String {
    shortest(value, -4..6, 2)
}

/// The text that sigs.k8s.io/yaml makes of a number where a text is wanted.
pub(crate) fn coerced(number: Number) -> String {
    number.integer().map_or_else(|| float32(number.0 as f32), |whole| whole.to_string())
}

/// The shortest digits that stand for a float. The exponent is written, with at least `digits` digits, unless it is in the
/// range `hidden`.
fn shortest(value: impl Display + LowerExp, hidden: Range<i32>, digits: usize) -> String {
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    if exponent.parse().is_ok_and(|exponent| hidden.contains(&exponent)) {
        return value.to_string();
    }
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{mantissa}e{sign}{exponent:0>digits$}")
}

/// The JSON text of a value as Go's `json.Marshal` writes it: compact, keys sorted, no HTML escapes.
#[must_use]
pub fn json(value: &Json) -> String {
    written(value, GoFormatter { escapes_html: false })
}

/// The JSON text of a value as Go's `json.Marshal` writes it: compact, keys sorted, with `<`, `>` and `&` in texts escaped.
///
/// ```
/// let value = serde_json::json!({"b": ">=1.0.0", "a": 1e21});
/// assert_eq!(fbc::json_for_html(&value), r#"{"a":1e+21,"b":"\u003e=1.0.0"}"#);
/// ```
#[must_use]
pub fn json_for_html(value: &Json) -> String {
    written(value, GoFormatter { escapes_html: true })
}

fn written(value: &Json, formatter: GoFormatter) -> String {
    let mut out = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut out, formatter)).expect("memory takes all that is written");
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// JSON as Go's `json.Indent` lays it out, with four blanks for each level; everything else stays as it is.
///
/// ```
/// let compact = r#"{"a":[1,{}],"b":"\u003e, {"}"#;
/// let expected = "{\n    \"a\": [\n        1,\n        {}\n    ],\n    \"b\": \"\\u003e, {\"\n}";
/// assert_eq!(fbc::indented_json(compact), expected);
/// ```
#[must_use]
pub fn indented_json(json: &str) -> String {
    laid_out(json, &Layout::Lines { indent: String::new(), unit: "    ".to_owned() })
}

/// JSON without the blanks between its parts, as Go's `json.Compact` writes it.
#[must_use]
pub fn compact_json(json: &str) -> String {
    let (mut is_text, mut is_escaped) = (false, false);
    let is_kept = |c: &char| {
        let is_kept = is_text || !matches!(c, ' ' | '\t' | '\n' | '\r');
        if is_text {
            is_text = is_escaped || *c != '"';
            is_escaped = !is_escaped && *c == '\\';
        } else {
            is_text = *c == '"';
        }
        is_kept
    };
    json.chars().filter(is_kept).collect()
}

/// Where Go's JSON differs from that of `serde_json`: floats, and characters in texts.
struct GoFormatter {
    /// Whether texts can be put into HTML.
    escapes_html: bool,
}

impl GoFormatter {
    const fn escapes(&self, c: char) -> bool {
        self.escapes_html && matches!(c, '<' | '>' | '&')
    }
}

impl Formatter for GoFormatter {
    fn write_f64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(json_float(value).as_bytes())
    }

    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c| matches!(c, '\u{2028}' | '\u{2029}') || self.escapes(c)) {
            let (before, from) = rest.split_at(at);
            let mut behind = from.chars();
            let code = behind.next().map_or(0, u32::from);
            write!(writer, "{before}\\u{code:04x}")?;
            rest = behind.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

/// The value as `fmt` prints it with `%t` and with `%v`, which `opm` uses where a name is not a text. `%t` is the verb of
/// booleans; `fmt` marks everything else.
pub(crate) fn misprinted(value: &Json) -> String {
    let with_t = match value {
        Json::Null => "%!t(<nil>)".to_owned(),
        _ => printed(value, |go_type, text| format!("%!t({go_type}={text})")),
    };
    format!("{with_t}: {}", printed(value, |_, text| text.to_owned()))
}

/// The value as `fmt` prints it, with numbers and texts as `scalar` makes them of their Go type and what they say.
fn printed(value: &Json, scalar: fn(&str, &str) -> String) -> String {
    match value {
        Json::Null => "<nil>".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => scalar("float64", &float(number.as_f64().unwrap_or_default())),
        Json::String(text) => scalar("string", text),
        Json::Array(items) => {
            format!("[{}]", items.iter().map(|item| printed(item, scalar)).collect::<Vec<_>>().join(" "))
        }
        Json::Object(map) => {
            let entries = map.iter().map(|(key, value)| scalar("string", key) + ":" + &printed(value, scalar));
            format!("map[{}]", entries.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The value as `fmt` prints it with `%#v`, as Go source would say it, after yaml.v2 has decoded it.
pub(crate) fn syntax(value: &Json) -> String {
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
#[must_use]
pub fn quoted(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_in_go() {
        for (value, in_json, with_v) in [
            (0.0, "0", "0"),
            (-0.0, "-0", "-0"),
            (999_999.5, "999999.5", "999999.5"),
            (1e6, "1000000", "1e+06"),
            (1e-4, "0.0001", "0.0001"),
            (1e-5, "0.00001", "1e-05"),
            (1e-6, "0.000001", "1e-06"),
            (1.5e-7, "1.5e-7", "1.5e-07"),
            (9e20, "900000000000000000000", "9e+20"),
            (1e21, "1e+21", "1e+21"),
            (1e300, "1e+300", "1e+300"),
        ] {
            assert_eq!((&*json_float(value), &*float(value)), (in_json, with_v));
            assert_eq!(float32(value as f32), if value > 1e30 { "inf" } else { with_v });
        }
        assert_eq!([float(f64::NAN), float(f64::NEG_INFINITY)], ["NaN", "-Inf"]);
    }

    #[test]
    fn json_is_compact_and_keeps_html() {
        let value = serde_json::json!({"b": [1, 1.5e-7, null], "a": "<&\u{2028}\u{8}\u{1}\"\u{7f}é"});
        assert_eq!(json(&value), "{\"a\":\"<&\\u2028\\b\\u0001\\\"\u{7f}é\",\"b\":[1,1.5e-7,null]}");
    }
}
