//! Text to tokens, as the lexer that ANTLR makes of cel-go's grammar: the longest match counts, and where nothing matches
//! the characters up to the one that does not fit are dropped with a complaint.

use crate::issue::Found;
use crate::recover::MAX_REPORTS;
use crate::token::{Kind, Token, shown};

/// The tokens of a rule, the end last, and complaints about characters that belong to none.
pub(crate) fn lex(rule: &str) -> (Vec<Token>, Vec<Found>) {
    let mut tokens = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    while at < rule.len() {
        match next(rule.as_bytes(), at) {
            Match::Skip(end) => at = end,
            Match::Token(kind, end) => {
                tokens.push(Token { kind, start: at, end });
                at = end;
            }
            Match::Fails(offending) => {
                let end = rule[offending..].chars().next().map_or(offending, |c| offending + c.len_utf8());
                if found.len() == MAX_REPORTS {
                    found.push(Found::new(at, format!("Syntax error: More than {MAX_REPORTS} syntax errors")));
                    break;
                }
                let text = shown(&rule[at..end]);
                found.push(Found::new(at, format!("Syntax error: token recognition error at: {text}")));
                at = end;
            }
        }
    }
    tokens.push(Token { kind: Kind::End, start: at, end: at });
    (tokens, found)
}

enum Match {
    /// Blanks or a comment up to here.
    Skip(usize),
    Token(Kind, usize),
    /// The first byte that no token continues with; may be the end.
    Fails(usize),
}

fn next(text: &[u8], at: usize) -> Match {
    let peek = |ahead: usize| text.get(at + ahead).copied();
    match text[at] {
        b'\t' | b' ' | b'\r' | b'\n' | 0x0c => {
            Match::Skip(run(text, at, |byte| matches!(byte, b'\t' | b' ' | b'\r' | b'\n' | 0x0c)))
        }
        b'/' if peek(1) == Some(b'/') => Match::Skip(run(text, at, |byte| byte != b'\n')),
        b'0'..=b'9' => number(text, at),
        b'.' if peek(1).is_some_and(|byte| byte.is_ascii_digit()) => {
            let end = run(text, at + 1, |byte| byte.is_ascii_digit());
            Match::Token(Kind::Float, exponent(text, end).unwrap_or(end))
        }
        b'"' | b'\'' => match string(text, at, false) {
            Ok(end) => Match::Token(Kind::String, end),
            Err(offending) => Match::Fails(offending),
        },
        b'`' => {
            let part = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-/ ".contains(&byte);
            let end = run(text, at + 1, part);
            if end > at + 1 && text.get(end) == Some(&b'`') {
                Match::Token(Kind::QuotedIdent, end + 1)
            } else {
                Match::Fails(end)
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
        && let Ok(end) = string(text, quote, raw)
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

/// The end of the string whose quote stands here, or the byte that it breaks at. `""` counts where no `"""` is closed.
fn string(text: &[u8], at: usize, raw: bool) -> Result<usize, usize> {
    let quote = text[at];
    let triple = [quote; 3];
    if text[at..].starts_with(&triple) {
        let mut end = at + 3;
        while end < text.len() {
            if text[end..].starts_with(&triple) {
                return Ok(end + 3);
            }
            end = match text[end] {
                b'\\' if !raw => match escape(text, end) {
                    Ok(after) => after,
                    Err(_) => break,
                },
                _ => end + 1,
            };
        }
    }
    let mut end = at + 1;
    loop {
        match text.get(end) {
            Some(&byte) if byte == quote => return Ok(end + 1),
            None | Some(b'\n' | b'\r') => return Err(end),
            Some(b'\\') if !raw => end = escape(text, end)?,
            Some(_) => end += 1,
        }
    }
}

/// The end of an escape sequence, or the byte that it breaks at.
fn escape(text: &[u8], at: usize) -> Result<usize, usize> {
    let digits = |start: usize, count: usize, belongs: fn(u8) -> bool| {
        let end = start + run(&text[start.min(text.len())..], 0, belongs).min(count);
        if end == start + count { Ok(end) } else { Err(end.min(text.len())) }
    };
    let octal = |byte: u8| matches!(byte, b'0'..=b'7');
    let hexadecimal = |byte: u8| byte.is_ascii_hexdigit();
    match text.get(at + 1) {
        Some(b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`') => Ok(at + 2),
        Some(b'0'..=b'3') => digits(at + 2, 2, octal),
        Some(b'x' | b'X') => digits(at + 2, 2, hexadecimal),
        Some(b'u') => digits(at + 2, 4, hexadecimal),
        Some(b'U') => digits(at + 2, 8, hexadecimal),
        _ => Err(at + 1),
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
        (b'=' | b'&' | b'|', _) => return Match::Fails(at + 1),
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
        _ => return Match::Fails(at),
    };
    Match::Token(kind, at + length)
}
