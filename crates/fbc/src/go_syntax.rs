//! The errors of Go's `encoding/json` for text that is not JSON.
//!
//! Follows Go's `encoding/json/scanner.go`: it looks at bytes and names the first one that cannot go on.

use crate::go;

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
    let mut scanner = Scanner::new(text);
    let fault = scanner.first_value().and_then(|()| scanner.end()).err()?;
    Some(fault.unwrap_or_else(|| "unexpected end of JSON input".to_owned()))
}

/// Why a `json.Decoder` cannot read the first value of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StreamFault {
    /// The offending byte; the end of the text if more is missing.
    pub(crate) at: usize,
    /// The error of Go.
    pub(crate) words: String,
}

/// Why a `json.Decoder` cannot read the first value of `text`, if it cannot.
pub(crate) fn stream_fault(text: &str) -> Option<StreamFault> {
    let mut scanner = Scanner::new(text);
    Some(match scanner.first_value().err()? {
        Some(words) => StreamFault { at: scanner.at - 1, words },
        None => StreamFault { at: text.len(), words: "unexpected EOF".to_owned() },
    })
}

/// Whether a well-formed value is nested deeper than Go reads.
pub(crate) fn is_too_deep(value: &str) -> bool {
    memchr::memchr2_iter(b'[', b'{', value.as_bytes()).nth(MAX_DEPTH).is_some() && stream_fault(value).is_some()
}

/// An error is Go's text about the last byte that was taken, or `None` if the text ends too early.
type Result<T> = std::result::Result<T, Option<String>>;

/// `byte` cannot stand where `context` says.
fn invalid<T>(byte: u8, context: &str) -> Result<T> {
    Err(Some(format!("invalid character {} {context}", quoted(byte))))
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The byte that closes each open array and object, the outermost first.
    closing: Vec<u8>,
}

impl<'a> Scanner<'a> {
    const fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0, closing: Vec::new() }
    }

    /// Goes to the end of the first value.
    fn first_value(&mut self) -> Result<()> {
        while self.value()? || self.goes_on()? {}
        Ok(())
    }

    /// Nothing may follow the value.
    fn end(&mut self) -> Result<()> {
        self.blanks();
        self.bytes.get(self.at).map_or(Ok(()), |&byte| invalid(byte, "after top-level value"))
    }

    /// Reads a scalar or the start of an array or object. Whether a value inside of it comes next.
    fn value(&mut self) -> Result<bool> {
        self.blanks();
        let byte = self.next()?;
        match byte {
            b'{' | b'[' => return self.open(byte),
            b'"' => self.string()?,
            b'-' | b'0'..=b'9' => self.number(byte)?,
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            b'n' => self.literal("null")?,
            _ => return invalid(byte, "looking for beginning of value"),
        }
        Ok(false)
    }

    /// After the `bracket` that opens an array or object: whether there is a value in it.
    fn open(&mut self, bracket: u8) -> Result<bool> {
        if self.closing.len() == MAX_DEPTH {
            return invalid(bracket, "exceeded max depth");
        }
        let closing = if bracket == b'{' { b'}' } else { b']' };
        self.closing.push(closing);
        self.blanks();
        let is_empty = self.bytes.get(self.at) == Some(&closing);
        if bracket == b'{' && !is_empty {
            self.key()?;
        }
        Ok(!is_empty)
    }

    /// After a value: whether another one comes in the same array or object, or in one around those that end here.
    fn goes_on(&mut self) -> Result<bool> {
        while let Some(&closing) = self.closing.last() {
            self.blanks();
            match (self.next()?, closing) {
                (b',', b'}') => return self.key().map(|()| true),
                (b',', _) => return Ok(true),
                (byte, _) if byte == closing => drop(self.closing.pop()),
                (byte, b'}') => return invalid(byte, "after object key:value pair"),
                (byte, _) => return invalid(byte, "after array element"),
            }
        }
        Ok(false)
    }

    fn key(&mut self) -> Result<()> {
        self.blanks();
        match self.next()? {
            b'"' => self.string()?,
            byte => return invalid(byte, "looking for beginning of object key string"),
        }
        self.blanks();
        match self.next()? {
            b':' => Ok(()),
            byte => invalid(byte, "after object key"),
        }
    }

    fn string(&mut self) -> Result<()> {
        loop {
            match self.next()? {
                b'"' => return Ok(()),
                b'\\' => self.escape()?,
                byte @ ..0x20 => return invalid(byte, "in string literal"),
                _ => {}
            }
        }
    }

    fn escape(&mut self) -> Result<()> {
        match self.next()? {
            b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => Ok(()),
            b'u' => {
                for _ in 0..4 {
                    let byte = self.next()?;
                    if !byte.is_ascii_hexdigit() {
                        return invalid(byte, "in \\u hexadecimal character escape");
                    }
                }
                Ok(())
            }
            byte => invalid(byte, "in string escape code"),
        }
    }

    /// The rest of a number whose first byte is read.
    fn number(&mut self, first: u8) -> Result<()> {
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

    fn digit(&mut self, context: &str) -> Result<u8> {
        let byte = self.next()?;
        if byte.is_ascii_digit() { Ok(byte) } else { invalid(byte, context) }
    }

    fn digits(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
    }

    /// The rest of a word whose first letter is read.
    fn literal(&mut self, word: &str) -> Result<()> {
        for expected in word.chars().skip(1) {
            let byte = self.next()?;
            if char::from(byte) != expected {
                return invalid(byte, &format!("in literal {word} (expecting '{expected}')"));
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<u8> {
        let byte = self.bytes.get(self.at).copied().ok_or(None)?;
        self.at += 1;
        Ok(byte)
    }

    fn blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }
}

/// A byte as Go quotes it: as the character of that number, escaped as in Go source.
fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        _ => {
            let text = go::quoted(&char::from(byte).to_string());
            format!("'{}'", text.trim_matches('"'))
        }
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
