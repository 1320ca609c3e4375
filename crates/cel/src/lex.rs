//! Splits a rule into tokens, as the lexer that ANTLR makes of cel-go's grammar does: the longest match counts.

use crate::ast::Literal;
use crate::error::CompileError;

/// A kind of token (`parser/gen/CEL.g4`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    End,
    Equals,
    NotEquals,
    In,
    Less,
    LessEquals,
    GreaterEquals,
    Greater,
    And,
    Or,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    Dot,
    Comma,
    Minus,
    Not,
    Question,
    Colon,
    Plus,
    Star,
    Slash,
    Percent,
    True,
    False,
    Null,
    Float,
    Int,
    Uint,
    String,
    Bytes,
    Ident,
    QuotedIdent,
}

impl Kind {
    pub(crate) fn is_literal(self) -> bool {
        use Kind::{Bytes, False, Float, Int, Null, String, True, Uint};
        matches!(self, True | False | Null | Float | Int | Uint | String | Bytes)
    }
}

/// A token and its place in the rule, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The tokens of a rule; the last one is the end.
pub(crate) fn lex(rule: &str) -> Result<Vec<Token>, CompileError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < rule.len() {
        match next(rule.as_bytes(), at) {
            Match::Blank(end) => at = end,
            Match::Token(kind, end) => {
                tokens.push(Token { kind, start: at, end });
                at = end;
            }
            Match::None => return Err(CompileError::syntax(rule, at, &unknown(&rule[at..]))),
        }
    }
    tokens.push(Token { kind: Kind::End, start: at, end: at });
    Ok(tokens)
}

/// Says why no token starts here.
fn unknown(rest: &str) -> String {
    match rest.chars().next() {
        Some('"' | '\'') => "the string is not closed, or has an unknown escape sequence".to_owned(),
        Some('=') => "unexpected `=`, a comparison is written `==`".to_owned(),
        first => format!("unexpected `{}`", first.unwrap_or_default()),
    }
}

enum Match {
    /// Blanks or a comment up to here.
    Blank(usize),
    Token(Kind, usize),
    None,
}

fn next(text: &[u8], at: usize) -> Match {
    let peek = |ahead: usize| text.get(at + ahead).copied();
    match text[at] {
        b'\t' | b' ' | b'\r' | b'\n' | 0x0c => {
            Match::Blank(run(text, at, |byte| matches!(byte, b'\t' | b' ' | b'\r' | b'\n' | 0x0c)))
        }
        b'/' if peek(1) == Some(b'/') => Match::Blank(run(text, at, |byte| byte != b'\n')),
        b'0'..=b'9' => number(text, at),
        b'.' if peek(1).is_some_and(|byte| byte.is_ascii_digit()) => {
            let end = run(text, at + 1, |byte| byte.is_ascii_digit());
            Match::Token(Kind::Float, exponent(text, end).unwrap_or(end))
        }
        b'"' | b'\'' => string(text, at, false).map_or(Match::None, |end| Match::Token(Kind::String, end)),
        b'`' => {
            let part = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-/ ".contains(&byte);
            let end = run(text, at + 1, part);
            if end > at + 1 && text.get(end) == Some(&b'`') {
                Match::Token(Kind::QuotedIdent, end + 1)
            } else {
                Match::None
            }
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => word(text, at),
        _ => operator(text, at),
    }
}

/// The end of a run of bytes.
fn run(text: &[u8], at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    text[at..].iter().position(|&byte| !belongs(byte)).map_or(text.len(), |length| at + length)
}

fn number(text: &[u8], at: usize) -> Match {
    let unsigned = |end: usize| matches!(text.get(end), Some(b'u' | b'U'));
    let integer = |end: usize| {
        if unsigned(end) { Match::Token(Kind::Uint, end + 1) } else { Match::Token(Kind::Int, end) }
    };
    if text[at..].starts_with(b"0x") {
        let end = run(text, at + 2, |byte| byte.is_ascii_hexdigit());
        if end > at + 2 {
            return integer(end);
        }
    }
    let end = run(text, at, |byte| byte.is_ascii_digit());
    let fraction = if text.get(end) == Some(&b'.') { run(text, end + 1, |byte| byte.is_ascii_digit()) } else { end };
    let mantissa = if fraction > end + 1 { fraction } else { end };
    match exponent(text, mantissa) {
        Some(end) => Match::Token(Kind::Float, end),
        None if mantissa > end => Match::Token(Kind::Float, mantissa),
        None => integer(end),
    }
}

/// The end of an exponent that starts here.
fn exponent(text: &[u8], at: usize) -> Option<usize> {
    if !matches!(text.get(at), Some(b'e' | b'E')) {
        return None;
    }
    let digits = if matches!(text.get(at + 1), Some(b'+' | b'-')) { at + 2 } else { at + 1 };
    let end = run(text, digits.min(text.len()), |byte| byte.is_ascii_digit());
    (end > digits).then_some(end)
}

/// An identifier, a keyword, or a prefixed string.
fn word(text: &[u8], at: usize) -> Match {
    let (kind, quote) = match text[at] {
        b'b' | b'B' => (Kind::Bytes, at + 1),
        _ => (Kind::String, at),
    };
    let raw = matches!(text.get(quote), Some(b'r' | b'R'));
    let quote = if raw { quote + 1 } else { quote };
    if matches!(text.get(quote), Some(b'"' | b'\''))
        && let Some(end) = string(text, quote, raw)
    {
        return Match::Token(kind, end);
    }
    let end = run(text, at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let kind = match &text[at..end] {
        b"in" => Kind::In,
        b"true" => Kind::True,
        b"false" => Kind::False,
        b"null" => Kind::Null,
        _ => Kind::Ident,
    };
    Match::Token(kind, end)
}

/// The end of the string whose quote stands here. `""` counts where no `"""` is closed.
fn string(text: &[u8], at: usize, raw: bool) -> Option<usize> {
    let quote = text[at];
    let triple = [quote; 3];
    if text[at..].starts_with(&triple) {
        let mut end = at + 3;
        while end < text.len() {
            if text[end..].starts_with(&triple) {
                return Some(end + 3);
            }
            end = match text[end] {
                b'\\' if !raw => match escape(text, end) {
                    Some(after) => after,
                    None => break,
                },
                _ => end + 1,
            };
        }
    }
    let mut end = at + 1;
    loop {
        match *text.get(end)? {
            byte if byte == quote => return Some(end + 1),
            b'\n' | b'\r' => return None,
            b'\\' if !raw => end = escape(text, end)?,
            _ => end += 1,
        }
    }
}

/// The end of the escape sequence that starts here.
fn escape(text: &[u8], at: usize) -> Option<usize> {
    let digits = |start: usize, count: usize, belongs: fn(u8) -> bool| {
        text.get(start..start + count)?.iter().all(|byte| belongs(*byte)).then_some(start + count)
    };
    let octal = |byte: u8| matches!(byte, b'0'..=b'7');
    let hexadecimal = |byte: u8| byte.is_ascii_hexdigit();
    match text.get(at + 1)? {
        b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`' => Some(at + 2),
        b'0'..=b'3' => digits(at + 2, 2, octal),
        b'x' | b'X' => digits(at + 2, 2, hexadecimal),
        b'u' => digits(at + 2, 4, hexadecimal),
        b'U' => digits(at + 2, 8, hexadecimal),
        _ => None,
    }
}

fn operator(text: &[u8], at: usize) -> Match {
    let second = text.get(at + 1).copied();
    let (kind, length) = match (text[at], second) {
        (b'=', Some(b'=')) => (Kind::Equals, 2),
        (b'!', Some(b'=')) => (Kind::NotEquals, 2),
        (b'<', Some(b'=')) => (Kind::LessEquals, 2),
        (b'>', Some(b'=')) => (Kind::GreaterEquals, 2),
        (b'&', Some(b'&')) => (Kind::And, 2),
        (b'|', Some(b'|')) => (Kind::Or, 2),
        (b'=' | b'&' | b'|', _) => return Match::None,
        (b'<', _) => (Kind::Less, 1),
        (b'>', _) => (Kind::Greater, 1),
        (b'[', _) => (Kind::OpenBracket, 1),
        (b']', _) => (Kind::CloseBracket, 1),
        (b'{', _) => (Kind::OpenBrace, 1),
        (b'}', _) => (Kind::CloseBrace, 1),
        (b'(', _) => (Kind::OpenParen, 1),
        (b')', _) => (Kind::CloseParen, 1),
        (b'.', _) => (Kind::Dot, 1),
        (b',', _) => (Kind::Comma, 1),
        (b'-', _) => (Kind::Minus, 1),
        (b'!', _) => (Kind::Not, 1),
        (b'?', _) => (Kind::Question, 1),
        (b':', _) => (Kind::Colon, 1),
        (b'+', _) => (Kind::Plus, 1),
        (b'*', _) => (Kind::Star, 1),
        (b'/', _) => (Kind::Slash, 1),
        (b'%', _) => (Kind::Percent, 1),
        _ => return Match::None,
    };
    Match::Token(kind, at + length)
}

// Reads the values of number, string and bytes literals (cel-go `parser/unescape.go`).

/// The value of the literal that a token is, `negative` if a minus stands before it; else cel-go's error.
pub(crate) fn read_literal(kind: Kind, negative: bool, text: &str) -> Result<Literal, &'static str> {
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
