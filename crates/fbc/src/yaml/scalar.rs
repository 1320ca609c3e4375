//! What a plain scalar means: the YAML 1.1 resolution of yaml.v2 (`resolve.go`).

use super::parser;
use super::scanner::Style;
use crate::{Number, Value, bundle_object, go};
use std::borrow::Cow;

/// What a scalar was resolved to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scalar {
    /// `null` in any spelling.
    Null,
    /// A boolean in any spelling.
    Bool(bool),
    /// An integer: an `i64` or a `u64`.
    Int(i128),
    /// Any other number.
    Float(f64),
    /// Everything else.
    Text,
}

impl Scalar {
    /// The short name of its tag.
    const fn tag_name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Text => "str",
        }
    }
}

/// Resolves a plain scalar without a tag.
pub(crate) fn resolve(text: &str) -> Scalar {
    let Some(&first) = text.as_bytes().first() else { return Scalar::Null };
    match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => word(text),
        b'0'..=b'9' | b'+' | b'-' | b'.' => number(text),
        _ => Scalar::Text,
    }
}

fn word(text: &str) -> Scalar {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => Scalar::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => Scalar::Bool(false),
        "~" | "null" | "Null" | "NULL" => Scalar::Null,
        _ => Scalar::Text,
    }
}

fn number(text: &str) -> Scalar {
    match text {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Scalar::Float(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Scalar::Float(f64::NAN),
        _ => {}
    }
    // Most scalars that begin with a digit are versions and quantities; they are recognized without a copy.
    if text.bytes().any(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' | b'_' | b'+' | b'-' | b'.' | b'x' | b'X' | b'o' | b'O'))
    {
        return Scalar::Text;
    }
    let plain = text.replace('_', "");
    if text.starts_with('.') {
        // Go's `ParseFloat` alone, to which a `_` separates two digits.
        return float(&plain).filter(|_| is_separated(text)).map_or(Scalar::Text, Scalar::Float);
    }
    let number = integer(&plain).map(Scalar::Int).or_else(|| float(&plain).map(Scalar::Float));
    number.or_else(|| signed_binary(&plain).map(Scalar::Int)).unwrap_or(Scalar::Text)
}

/// Whether every `_` stands between two digits (`strconv.underscoreOK`).
fn is_separated(text: &str) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    text.match_indices('_').all(|(at, _)| is_digit(bytes[..at].last()) && is_digit(bytes.get(at + 1)))
}

/// `0b-1`: what yaml.v2 hands to `strconv.ParseInt` without the prefix may have a sign.
fn signed_binary(text: &str) -> Option<i128> {
    i64::from_str_radix(text.strip_prefix("0b")?, 2).ok().map(Into::into)
}

/// Go's `strconv.ParseInt(text, 0, 64)`, then `ParseUint`.
fn integer(text: &str) -> Option<i128> {
    let (negative, signed, digits) = match text.as_bytes().first()? {
        b'-' => (true, true, &text[1..]),
        b'+' => (false, true, &text[1..]),
        _ => (false, false, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', _, ..] => (16, &digits[2..]),
        [b'0', b'o' | b'O', _, ..] => (8, &digits[2..]),
        [b'0', b'b' | b'B', _, ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if !digits.bytes().all(|byte| (byte as char).is_digit(radix)) {
        return None;
    }
    let magnitude = i128::from(u64::from_str_radix(digits, radix).ok()?);
    let value = if negative { -magnitude } else { magnitude };
    let limit = if signed { i128::from(i64::MAX) } else { i128::from(u64::MAX) };
    (i128::from(i64::MIN)..=limit).contains(&value).then_some(value)
}

/// A finite number as Rust reads it, which has the same form as in yaml.v2.
fn float(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Whether yaml.v2 reads the text as a time, which stays a text (`resolve.go`, `allowedTimestampFormats`).
pub(crate) fn is_timestamp(text: &str) -> bool {
    let (date, time) = text.split_at(text.find(['T', 't', ' ']).unwrap_or(text.len()));
    let is_time = match time.split_at_checked(1) {
        None => true,
        Some((" ", clock)) => is_clock(clock.trim_start_matches(' ')),
        Some((_, time)) => time.find(['Z', '+', '-']).is_some_and(|at| {
            let (clock, zone) = time.split_at(at);
            let is_near = |[hours, minutes]: [u32; 2]| hours <= 24 && minutes <= 60;
            let offset = zone.strip_prefix(['+', '-']).filter(|offset| offset.len() == 5);
            is_clock(clock) && (zone == "Z" || offset.is_some_and(|offset| numbers(offset, ':').is_some_and(is_near)))
        }),
    };
    is_time && is_date(date)
}

/// The `N` numbers, of one or two digits each, that a text consists of.
fn numbers<const N: usize>(text: &str, separator: char) -> Option<[u32; N]> {
    let number = |part: &str| {
        let fits = part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| fits)
    };
    text.split(separator).map(number).collect::<Option<Vec<u32>>>()?.try_into().ok()
}

/// Whether the text is a day of the calendar, such as `2024-2-29`.
fn is_date(text: &str) -> bool {
    let Some((year, day)) = text.split_once('-').filter(|(year, _)| year.len() == 4) else { return false };
    let year = Some(year).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
    let (Some(Ok(year)), Some([month, day])) = (year.map(str::parse::<u32>), numbers(day, '-')) else { return false };
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// `15:4:5`, perhaps with a fraction.
fn is_clock(text: &str) -> bool {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    is_fraction && numbers(whole, ':').is_some_and(|[hour, minute, second]| hour < 24 && minute < 60 && second < 60)
}

// Scalars with their style and tag to values: `resolve.go` and `decode.go` of yaml.v2.

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
            let bytes = bundle_object::decode_base64(&text)
                .map_err(|_| "!!binary value contains invalid base64 data".to_owned())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, expected: Scalar) {
        for word in words.split(' ') {
            assert_eq!(resolve(word), expected, "{word}");
        }
    }

    #[test]
    fn booleans_and_nulls() {
        check("y Y yes Yes YES on On ON true True TRUE", Scalar::Bool(true));
        check("n N no No NO off Off OFF false False FALSE", Scalar::Bool(false));
        check("~ null Null NULL", Scalar::Null);
        check("", Scalar::Null);
        check("yEs nUll tRue oN nil none", Scalar::Text);
    }

    #[test]
    fn integers_in_every_base() {
        check("10 +10 1_0 0xa 0XA 0o12 012 0b1010", Scalar::Int(10));
        check("-10 -0xa -012 -0b1010 0b-1010", Scalar::Int(-10));
        check("010", Scalar::Int(8));
        check("0", Scalar::Int(0));
        check("18446744073709551615", Scalar::Int(u64::MAX.into()));
        check("-9223372036854775808", Scalar::Int(i64::MIN.into()));
    }

    #[test]
    fn floats() {
        check("089", Scalar::Float(89.0));
        check("1e3 +1000.0 1_000.", Scalar::Float(1000.0));
        check("1.", Scalar::Float(1.0));
        check(".5 0.5 5e-1 0.5_0 .5_0 .0_5e0_1", Scalar::Float(0.5));
        check("4.10", Scalar::Float(4.1));
        check("18446744073709551616", Scalar::Float(18_446_744_073_709_551_616.0));
        check(".inf +.INF", Scalar::Float(f64::INFINITY));
        check("-.Inf", Scalar::Float(f64::NEG_INFINITY));
        assert!(matches!(resolve(".nan"), Scalar::Float(value) if value.is_nan()));
    }

    #[test]
    fn everything_else_is_text() {
        check(
            "._5 .5_ .5__0 .5_e1 -0b-1 0b+ 4.10.1 1:30 2024-01-02 1.2.x v1 0x 0xg 1e 1e+ . - + -. 1e999 0b2 1-2 abc <<",
            Scalar::Text,
        );
    }

    #[test]
    fn timestamps() {
        for text in [
            "2001-12-14",
            "2001-1-2",
            "2024-02-29",
            "2001-12-14T21:59:43Z",
            "2001-12-14t1:2:3.5+01:00",
            "2001-12-14T1:2:3+24:60",
            "2001-12-14 21:59:43.10",
            "2001-12-14  1:2:3",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "",
            "2001-13-01",
            "2001-02-29",
            "01-01-01",
            "2001-12-14T21:59:43",
            "2001-12-14 21:59:43Z",
            "2001-12-14 24:00:00",
            "2001-12-14T1:2:3+25:00",
            "2001-12-14T1:2:3+24:61",
            "2001-12-14T1:2:3Z07:00",
            "2001-12",
            "2001-12-14 1:2",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
