//! Tags and directives.

use super::{Kind, Scanner, Token};
use crate::yaml::fault::Fault;
use std::borrow::Cow;

impl<'a> Scanner<'a> {
    /// `!suffix`, `!handle!suffix` or `!<verbatim>`.
    pub(super) fn tag(&mut self) -> Result<Token<'a>, Fault> {
        let start = self.at;
        let (handle, suffix) = if self.byte(start + 1) == Some(b'<') {
            self.at += 2;
            let suffix = self.uri("")?;
            if self.byte(self.at) != Some(b'>') {
                return Err(self.fault("did not find the expected '>'"));
            }
            self.at += 1;
            ("", suffix)
        } else {
            let handle = self.handle(false)?;
            if handle.len() > 1 && handle.ends_with('!') {
                (handle, self.uri("")?)
            } else {
                let suffix = self.uri(handle)?;
                if suffix.is_empty() { ("", Cow::Borrowed("!")) } else { ("!", suffix) }
            }
        };
        if !self.is_blank_or_end(self.at) {
            return Err(self.fault("did not find expected whitespace or line break"));
        }
        Ok(Token { kind: Kind::Tag { handle, suffix }, start, end: self.at })
    }

    /// `!`, `!!` or `!word!`; without the last `!`, it was the beginning of a tag.
    fn handle(&mut self, in_directive: bool) -> Result<&'a str, Fault> {
        let start = self.at;
        if self.byte(start) != Some(b'!') {
            return Err(self.fault("did not find expected '!'"));
        }
        self.at += 1;
        self.word();
        if self.byte(self.at) == Some(b'!') {
            self.at += 1;
        } else if in_directive && self.at > start + 1 {
            return Err(self.fault("did not find expected '!'"));
        }
        Ok(&self.text[start..self.at])
    }

    /// The characters of a URI, behind the `head` of a tag, which begins with `!`.
    fn uri(&mut self, head: &str) -> Result<Cow<'a, str>, Fault> {
        let head_start = self.at - head.len().saturating_sub(1);
        let mut from = head_start;
        let mut decoded = String::new();
        while let Some(byte) = self.byte(self.at) {
            match byte {
                b'%' => {
                    decoded.push_str(&self.text[from..self.at]);
                    self.escaped_char(&mut decoded)?;
                    from = self.at;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => self.at += 1,
                _ if b"-_;/?:@&=+$,.!~*'()[]".contains(&byte) => self.at += 1,
                _ => break,
            }
        }
        if head.is_empty() && self.at == head_start {
            return Err(self.fault("did not find expected tag URI"));
        }
        let rest = &self.text[from..self.at];
        Ok(if decoded.is_empty() { rest.into() } else { (decoded + rest).into() })
    }

    /// One character written as `%XX` for each of its bytes.
    fn escaped_char(&mut self, out: &mut String) -> Result<(), Fault> {
        let mut octets = Vec::new();
        let mut length = 1;
        while octets.len() < length {
            let digits = self.text.get(self.at..self.at + 3).and_then(|escape| escape.strip_prefix('%'));
            let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
            let Some(octet) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
                return Err(self.fault("did not find URI escaped octet"));
            };
            match (octets.is_empty(), octet) {
                (true, ..0x80) => {}
                (true, 0xc0..=0xdf) => length = 2,
                (true, 0xe0..=0xef) => length = 3,
                (true, 0xf0..=0xf7) => length = 4,
                (true, _) => return Err(self.fault("found an incorrect leading UTF-8 octet")),
                (false, 0x80..=0xbf) => {}
                (false, _) => return Err(self.fault("found an incorrect trailing UTF-8 octet")),
            }
            octets.push(octet);
            self.at += 3;
        }
        out.push_str(&String::from_utf8_lossy(&octets));
        Ok(())
    }

    /// A line that begins with `%`.
    pub(super) fn directive(&mut self) -> Result<(), Fault> {
        self.end_deeper_than(-1);
        self.drop_key()?;
        self.may_start_key = false;
        let start = self.at;
        self.at += 1;
        let name = self.word();
        if name.is_empty() {
            return Err(self.fault("could not find expected directive name"));
        }
        if !self.is_blank_or_end(self.at) {
            return Err(self.fault("found unexpected non-alphabetical character"));
        }
        let kind = match name {
            "YAML" => self.version()?,
            "TAG" => self.tag_prefix()?,
            _ => return Err(self.fault_at(start, "found unknown directive name")),
        };
        let end = self.at;
        if !self.skip_rest_of_line() {
            return Err(self.fault("did not find expected comment or line break"));
        }
        self.skip_break();
        self.push(Token { kind, start, end });
        Ok(())
    }

    fn version(&mut self) -> Result<Kind<'a>, Fault> {
        self.skip_blanks();
        let major = self.version_number()?;
        if self.byte(self.at) != Some(b'.') {
            return Err(self.fault("did not find expected digit or '.' character"));
        }
        self.at += 1;
        Ok(Kind::Version(major, self.version_number()?))
    }

    fn version_number(&mut self) -> Result<u8, Fault> {
        const MAX_DIGITS: usize = 2;
        let from = self.at;
        while self.byte(self.at).is_some_and(|byte| byte.is_ascii_digit()) {
            if self.at - from == MAX_DIGITS {
                return Err(self.fault("found extremely long version number"));
            }
            self.at += 1;
        }
        self.text[from..self.at].parse().map_err(|_| self.fault("did not find expected version number"))
    }

    fn tag_prefix(&mut self) -> Result<Kind<'a>, Fault> {
        self.skip_blanks();
        let handle = self.handle(true)?;
        if !self.is_blank(self.at) {
            return Err(self.fault("did not find expected whitespace"));
        }
        self.skip_blanks();
        let prefix = self.uri("")?;
        if !self.is_blank_or_end(self.at) {
            return Err(self.fault("did not find expected whitespace or line break"));
        }
        Ok(Kind::TagPrefix { handle, prefix })
    }
}
