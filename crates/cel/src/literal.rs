//! Reads the values of number, string and bytes literals (cel-go `parser/unescape.go`).

use crate::ast::Literal;
use crate::lex::Kind;

/// The value of the literal that a token is, `negative` if a minus stands before it; else cel-go's error.
pub(crate) fn read(kind: Kind, negative: bool, text: &str) -> Result<Literal, &'static str> {
    match kind {
        Kind::True => Ok(Literal::Bool(true)),
        Kind::False => Ok(Literal::Bool(false)),
        Kind::Int => integer(text, negative).map(Literal::Int).ok_or("invalid int literal"),
        Kind::Uint => unsigned(&text[..text.len() - 1]).map(Literal::Uint).ok_or("invalid uint literal"),
        Kind::Float => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Literal::Double(if negative { -number } else { number })),
            _ => Err("invalid double literal"),
        },
        Kind::String => unescape(text, false)
            .map(|bytes| Literal::String(String::from_utf8_lossy(&bytes).into()))
            .ok_or("unable to unescape string"),
        Kind::Bytes => {
            unescape(&text[1..], true).map(|bytes| Literal::Bytes(bytes.into())).ok_or("unable to unescape string")
        }
        _ => Ok(Literal::Null),
    }
}

fn unsigned(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn integer(text: &str, negative: bool) -> Option<i64> {
    let magnitude = i128::from(unsigned(text)?);
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

/// The content of a literal with its quotes, and an `r` before them if it is raw.
fn unescape(text: &str, bytes: bool) -> Option<Vec<u8>> {
    let quoted = text.trim_start_matches(['r', 'R']);
    let raw = quoted.len() < text.len();
    let triple = quoted.len() >= 6 && (quoted.starts_with("\"\"\"") || quoted.starts_with("'''"));
    let quotes = if triple { 3 } else { 1 };
    let content = quoted[quotes..quoted.len() - quotes].replace("\r\n", "\n").replace('\r', "\n");
    if raw {
        return Some(content.into_bytes());
    }
    let mut out = Vec::with_capacity(content.len());
    let mut rest = content.as_str();
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = escaped(&rest[at + 1..], bytes, &mut out)?;
    }
    out.extend_from_slice(rest.as_bytes());
    Some(out)
}

/// Reads the escape sequence after a backslash, and returns the text behind it.
fn escaped<'t>(text: &'t str, bytes: bool, out: &mut Vec<u8>) -> Option<&'t str> {
    let letter = text.chars().next()?;
    let (digits, radix) = match letter {
        'x' | 'X' => (1..3, 16),
        'u' => (1..5, 16),
        'U' => (1..9, 16),
        '0'..='3' => (0..3, 8),
        _ => {
            const LETTERS: &str = "abfnrtv\\'\"`?";
            const BYTES: &[u8] = b"\x07\x08\x0c\n\r\t\x0b\\'\"`?";
            out.push(BYTES[LETTERS.find(letter)?]);
            return Some(&text[1..]);
        }
    };
    let after = digits.end;
    let code = u32::from_str_radix(text.get(digits)?, radix).ok()?;
    if bytes && !matches!(letter, 'u' | 'U') {
        out.push(u8::try_from(code).ok()?);
    } else if code <= 0x10_FFFF {
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        return None;
    }
    Some(&text[after..])
}
