//! What Go's `encoding/json` says of text that is no JSON.
//!
//! Follows Go's `encoding/json/scanner.go`: it looks at bytes and names the first one that cannot go on.

use std::fmt::Write;

/// How deep Go lets arrays and objects nest.
const MAX_DEPTH: usize = 10_000;

/// The text of the `SyntaxError` that `json.Unmarshal` returns; nothing for one well-formed value.
///
/// ```
/// use fbc::go_syntax_error;
///
/// assert_eq!(go_syntax_error(r#"{"a": [1, 2]}"#), None);
/// assert_eq!(go_syntax_error("").as_deref(), Some("unexpected end of JSON input"));
/// let told = go_syntax_error("{a: 1}");
/// assert_eq!(told.as_deref(), Some("invalid character 'a' looking for beginning of object key string"));
/// ```
#[must_use]
pub fn go_syntax_error(text: &str) -> Option<String> {
    let mut scanner = Scanner { bytes: text.as_bytes(), at: 0 };
    match scanner.first_value().and_then(|()| scanner.end()) {
        Ok(()) => None,
        Err(Fault::End) => Some("unexpected end of JSON input".to_owned()),
        Err(Fault::Byte(byte, context)) => Some(format!("invalid character {} {context}", quoted(byte))),
    }
}

/// Why a `json.Decoder` cannot read the first value of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StreamFault {
    /// The offending byte; the end of the text if more is missing.
    pub(crate) at: usize,
    /// What Go says.
    pub(crate) words: String,
    /// The text ends inside the value.
    pub(crate) is_truncated: bool,
}

/// Why a `json.Decoder` cannot read the first value of `text`, if it cannot.
pub(crate) fn stream_fault(text: &str) -> Option<StreamFault> {
    let mut scanner = Scanner { bytes: text.as_bytes(), at: 0 };
    let (at, words) = match scanner.first_value() {
        Ok(()) => return None,
        Err(Fault::End) => (text.len(), "unexpected EOF".to_owned()),
        Err(Fault::Byte(byte, context)) => (scanner.at - 1, format!("invalid character {} {context}", quoted(byte))),
    };
    Some(StreamFault { at, words, is_truncated: at == text.len() })
}

/// Whether a well-formed value is nested deeper than Go reads.
pub(crate) fn is_too_deep(value: &str) -> bool {
    memchr::memchr2_iter(b'[', b'{', value.as_bytes()).nth(MAX_DEPTH).is_some() && stream_fault(value).is_some()
}

enum Fault {
    End,
    /// A byte and where it stands.
    Byte(u8, &'static str),
}

/// What an array or object waits for.
#[derive(Clone, Copy)]
enum Open {
    Array,
    Object,
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    /// Goes to the end of the first value.
    fn first_value(&mut self) -> Result<(), Fault> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.blanks();
            if self.value(&mut open)? {
                continue;
            }
            // A value is complete: what contains it goes on or ends.
            while !self.goes_on(&mut open)? {
                if open.is_empty() {
                    return Ok(());
                }
            }
        }
    }

    /// Nothing may follow the value.
    fn end(&mut self) -> Result<(), Fault> {
        self.blanks();
        self.bytes.get(self.at).map_or(Ok(()), |&byte| Err(Fault::Byte(byte, "after top-level value")))
    }

    /// Reads a scalar or the start of an array or object that has a first value; whether a value comes next.
    fn value(&mut self, open: &mut Vec<Open>) -> Result<bool, Fault> {
        let byte = self.next()?;
        match byte {
            b'{' | b'[' => {
                if open.len() == MAX_DEPTH {
                    return Err(Fault::Byte(byte, "exceeded max depth"));
                }
                open.push(if byte == b'{' { Open::Object } else { Open::Array });
                return self.first(open);
            }
            b'"' => self.string()?,
            b'-' | b'0'..=b'9' => self.number(byte)?,
            b't' => self.literal("true", LITERAL_TRUE)?,
            b'f' => self.literal("false", LITERAL_FALSE)?,
            b'n' => self.literal("null", LITERAL_NULL)?,
            _ => return Err(Fault::Byte(byte, "looking for beginning of value")),
        }
        Ok(false)
    }

    /// After `{` or `[`: whether there is a value in it.
    fn first(&mut self, open: &mut Vec<Open>) -> Result<bool, Fault> {
        self.blanks();
        let (closing, inner) = match open.last() {
            Some(Open::Object) => (b'}', true),
            Some(Open::Array) | None => (b']', false),
        };
        if self.bytes.get(self.at) == Some(&closing) {
            self.at += 1;
            open.pop();
            return Ok(false);
        }
        if inner {
            self.key()?;
        }
        Ok(true)
    }

    /// After a value: whether another one follows in the same array or object. If not, that is complete.
    fn goes_on(&mut self, open: &mut Vec<Open>) -> Result<bool, Fault> {
        let Some(&innermost) = open.last() else { return Ok(false) };
        self.blanks();
        match (self.next()?, innermost) {
            (b',', Open::Array) => return Ok(true),
            (b',', Open::Object) => {
                self.blanks();
                self.key()?;
                return Ok(true);
            }
            (b']', Open::Array) | (b'}', Open::Object) => drop(open.pop()),
            (byte, Open::Array) => return Err(Fault::Byte(byte, "after array element")),
            (byte, Open::Object) => return Err(Fault::Byte(byte, "after object key:value pair")),
        }
        Ok(false)
    }

    fn key(&mut self) -> Result<(), Fault> {
        match self.next()? {
            b'"' => self.string()?,
            byte => return Err(Fault::Byte(byte, "looking for beginning of object key string")),
        }
        self.blanks();
        match self.next()? {
            b':' => Ok(()),
            byte => Err(Fault::Byte(byte, "after object key")),
        }
    }

    fn string(&mut self) -> Result<(), Fault> {
        loop {
            match self.next()? {
                b'"' => return Ok(()),
                b'\\' => self.escape()?,
                byte @ ..0x20 => return Err(Fault::Byte(byte, "in string literal")),
                _ => {}
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        match self.next()? {
            b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => Ok(()),
            b'u' => {
                for _ in 0..4 {
                    let byte = self.next()?;
                    if !byte.is_ascii_hexdigit() {
                        return Err(Fault::Byte(byte, "in \\u hexadecimal character escape"));
                    }
                }
                Ok(())
            }
            byte => Err(Fault::Byte(byte, "in string escape code")),
        }
    }

    fn number(&mut self, first: u8) -> Result<(), Fault> {
        let first = if first == b'-' { self.digit("in numeric literal")? } else { first };
        if first != b'0' {
            self.digits();
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digit("after decimal point in numeric literal")?;
            self.digits();
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digit("in exponent of numeric literal")?;
            self.digits();
        }
        Ok(())
    }

    fn digit(&mut self, context: &'static str) -> Result<u8, Fault> {
        let byte = self.next()?;
        if byte.is_ascii_digit() { Ok(byte) } else { Err(Fault::Byte(byte, context)) }
    }

    fn digits(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
    }

    /// The rest of a word whose first letter is read.
    fn literal(&mut self, word: &str, contexts: [&'static str; 4]) -> Result<(), Fault> {
        for (expected, context) in word.bytes().skip(1).zip(contexts) {
            let byte = self.next()?;
            if byte != expected {
                return Err(Fault::Byte(byte, context));
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<u8, Fault> {
        let byte = self.bytes.get(self.at).copied().ok_or(Fault::End)?;
        self.at += 1;
        Ok(byte)
    }

    fn blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }
}

const LITERAL_TRUE: [&str; 4] =
    ["in literal true (expecting 'r')", "in literal true (expecting 'u')", "in literal true (expecting 'e')", ""];
const LITERAL_FALSE: [&str; 4] = [
    "in literal false (expecting 'a')",
    "in literal false (expecting 'l')",
    "in literal false (expecting 's')",
    "in literal false (expecting 'e')",
];
const LITERAL_NULL: [&str; 4] =
    ["in literal null (expecting 'u')", "in literal null (expecting 'l')", "in literal null (expecting 'l')", ""];

/// A byte as Go quotes it: as the character of that number, escaped as in Go source.
fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        b'\\' => r"'\\'".to_owned(),
        0x07 => r"'\a'".to_owned(),
        0x08 => r"'\b'".to_owned(),
        0x0c => r"'\f'".to_owned(),
        b'\n' => r"'\n'".to_owned(),
        b'\r' => r"'\r'".to_owned(),
        b'\t' => r"'\t'".to_owned(),
        0x0b => r"'\v'".to_owned(),
        0x20..=0x7e | 0xa1..=0xac | 0xae.. => format!("'{}'", char::from(byte)),
        0x80..=0xa0 | 0xad => {
            let mut text = String::from("'");
            write!(text, "\\u{byte:04x}").expect("writing to a string never fails");
            text + "'"
        }
        ..0x20 | 0x7f => format!("'\\x{byte:02x}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(go_syntax_error(text).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn text_that_ends_too_early() {
        for text in ["", " \n", "{", "[1,", "{\"a\"", "{\"a\":", "\"a", "\"\\u12", "tru", "-", "1.", "1e", "1e+"] {
            check(text, "unexpected end of JSON input");
        }
    }

    #[test]
    fn characters_that_cannot_go_on() {
        check("x", "invalid character 'x' looking for beginning of value");
        check("[,]", "invalid character ',' looking for beginning of value");
        check("[1,]", "invalid character ']' looking for beginning of value");
        check("{,}", "invalid character ',' looking for beginning of object key string");
        check("{\"a\":1,}", "invalid character '}' looking for beginning of object key string");
        check("{\"a\" 1}", "invalid character '1' after object key");
        check("{\"a\":1 2}", "invalid character '2' after object key:value pair");
        check("[1 2]", "invalid character '2' after array element");
        check("[1}", "invalid character '}' after array element");
        check("{} x", "invalid character 'x' after top-level value");
        check("01", "invalid character '1' after top-level value");
        check("-x", "invalid character 'x' in numeric literal");
        check("1.x", "invalid character 'x' after decimal point in numeric literal");
        check("1e-x", "invalid character 'x' in exponent of numeric literal");
        check("\"\\x\"", "invalid character 'x' in string escape code");
        check("\"\\u12g4\"", "invalid character 'g' in \\u hexadecimal character escape");
        check("\"a\nb\"", "invalid character '\\n' in string literal");
        check("nope", "invalid character 'o' in literal null (expecting 'u')");
        check("truE", "invalid character 'E' in literal true (expecting 'e')");
        check("'a'", "invalid character '\\'' looking for beginning of value");
        check("é", "invalid character 'Ã' looking for beginning of value");
        check("\u{7f}", "invalid character '\\x7f' looking for beginning of value");
        check(&"[".repeat(10_001), "invalid character '[' exceeded max depth");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Both readers take the same texts, but for the depth and the size of numbers.
        #[test]
        fn agrees_with_serde_on_what_is_json(
            words in proptest::collection::vec(
                proptest::sample::select(vec!["{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "1", "-", "0", ".", "e", "true", "null", " "]),
                0..9,
            )
        ) {
            let text = words.concat();
            let is_json = serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok();
            prop_assert_eq!(go_syntax_error(&text).is_none(), is_json, "{}", text);
        }
    }
}
