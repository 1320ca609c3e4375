//! What a plain scalar means: the YAML 1.1 resolution of yaml.v2 (`resolve.go`).

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
    // Most scalars that begin with a digit are versions and quantities; they are told apart without a copy.
    if text.bytes().any(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' | b'_' | b'+' | b'-' | b'.' | b'x' | b'X' | b'o' | b'O'))
    {
        return Scalar::Text;
    }
    let plain = text.replace('_', "");
    integer(&plain).map(Scalar::Int).or_else(|| float(&plain).map(Scalar::Float)).unwrap_or(Scalar::Text)
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

/// `^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`, finite.
fn float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty()),
        None => digits(mantissa) && !mantissa.is_empty(),
    };
    let exponent_fits = exponent.is_none_or(|exponent| digits(exponent) && !exponent.is_empty());
    if !(mantissa_fits && exponent_fits) {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
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
        check("-10 -0xa -012 -0b1010", Scalar::Int(-10));
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
        check(".5 0.5 5e-1", Scalar::Float(0.5));
        check("4.10", Scalar::Float(4.1));
        check("18446744073709551616", Scalar::Float(18_446_744_073_709_551_616.0));
        check(".inf +.INF", Scalar::Float(f64::INFINITY));
        check("-.Inf", Scalar::Float(f64::NEG_INFINITY));
        assert!(matches!(resolve(".nan"), Scalar::Float(value) if value.is_nan()));
    }

    #[test]
    fn everything_else_is_text() {
        check("4.10.1 1:30 2024-01-02 1.2.x v1 0x 0xg 1e 1e+ . - + -. 1e999 0b2 1-2 abc <<", Scalar::Text);
    }
}
