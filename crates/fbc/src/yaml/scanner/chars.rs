//! Characters: blanks, line breaks, columns, and what separates tokens.

use super::Scanner;
use crate::yaml::input::{AHEAD, BLOCK, Lines};

impl<'a> Scanner<'a> {
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The length of the line break at a place, 0 for none. YAML 1.1 has three more than `\r` and `\n`.
    pub(super) fn break_length(&self, at: usize) -> usize {
        match self.bytes.get(at..).unwrap_or_default() {
            [b'\r', b'\r', b'\n', ..] if self.lines == Lines::PassedOn => 3,
            [b'\r', b'\n', ..] | [0xc2, 0x85, ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            [0xe2, 0x80, 0xa8 | 0xa9, ..] => 3,
            _ => 0,
        }
    }

    pub(super) fn is_blank(&self, at: usize) -> bool {
        matches!(self.byte(at), Some(b' ' | b'\t'))
    }

    pub(super) fn is_blank_or_end(&self, at: usize) -> bool {
        match self.byte(at) {
            None | Some(b' ' | b'\t' | b'\r' | b'\n') => true,
            Some(0xc2 | 0xe2) => self.break_length(at) > 0,
            Some(_) => false,
        }
    }

    /// Whether `---` or `...` is at the place, as a word of its own.
    pub(super) fn is_document_mark(&self, at: usize) -> bool {
        matches!(self.bytes.get(at..at + 3), Some(b"---" | b"...")) && self.is_blank_or_end(at + 3)
    }

    /// The column of the place that was reached, in characters.
    pub(super) fn column(&mut self) -> usize {
        let (from, column) = self.counted;
        // Every byte of UTF-8 but those that continue a character begins one.
        let column = column + self.bytes[from..self.at].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        self.counted = (self.at, column);
        column
    }

    /// The place that was reached is the first of a line.
    pub(super) const fn begin_line(&mut self) {
        self.line = self.at;
        self.counted = (self.at, 0);
    }

    /// Steps over the line break here, if there is one.
    pub(super) fn skip_break(&mut self) -> bool {
        let length = self.break_length(self.at);
        if length > 0 {
            self.at += length;
            self.begin_line();
        }
        length > 0
    }

    /// Steps over a line break and returns what it is in a text: most are `\n`. Empty if there is none.
    pub(super) fn read_break(&mut self) -> &'a str {
        let from = self.at;
        match (self.skip_break(), self.at - from) {
            (false, _) => "",
            (true, 3) if self.bytes[from] == 0xe2 => &self.text[from..self.at],
            (true, _) => "\n",
        }
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank(self.at) {
            self.at += 1;
        }
    }

    /// Steps to the end of the line.
    pub(super) fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let end = self.at + length;
        if !rest[..length].is_ascii()
            && let Some(at) = (self.at..end).find(|&at| self.break_length(at) > 0)
        {
            self.at = at;
            return;
        }
        self.at = end;
    }

    /// Steps over blanks and a comment behind a token on its line. Whether the line ends there.
    pub(super) fn skip_rest_of_line(&mut self) -> bool {
        self.skip_blanks();
        if self.byte(self.at) == Some(b'#') {
            self.skip_line();
        }
        self.is_blank_or_end(self.at)
    }

    /// Steps over blanks, comments and line breaks. Tabs may not stand where they would indent a block collection.
    pub(super) fn skip_to_token(&mut self) {
        loop {
            // yaml.v2 means to pass over a byte order mark at the start of each line, but looks for it in the first bytes of
            // its buffer: as long as they are one, each line that begins with a token loses a character.
            if self.is_marked_twice && self.at == self.line && self.at + AHEAD < self.start + BLOCK {
                self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
            }
            let may_be_tab = self.flow_level > 0 || !self.may_start_key;
            while matches!(self.byte(self.at), Some(byte) if byte == b' ' || (may_be_tab && byte == b'\t')) {
                self.at += 1;
            }
            if self.byte(self.at) == Some(b'#') {
                self.skip_line();
            }
            if !self.skip_break() {
                return;
            }
            self.may_start_key |= self.flow_level == 0;
        }
    }

    /// Takes the letters, digits, `-` and `_` that follow.
    pub(super) fn word(&mut self) -> &'a str {
        let from = self.at;
        while self.byte(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
            self.at += 1;
        }
        &self.text[from..self.at]
    }
}
