//! Characters: blanks, line breaks, columns, and what separates tokens.

use super::{Key, MAX_DEPTH, Scanner};
use crate::yaml::fault::{AHEAD, BLOCK, Lines};
use std::ops::Range;

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

// Keys and values on one line, `key: value`: most lines of a catalog. They are read at once, without tokens.
//
// It knows only what generators write, plain text in ASCII without comments and tabs, and gives up on everything else,
// so that the scanner would read the same. What it leaves behind is the state in which the tokens would leave the
// scanner.
//
// A catalog takes a fifth longer to parse without it.

/// A key and its value, both plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::yaml) struct Line {
    /// The key is the first one of a mapping.
    pub(in crate::yaml) opens: bool,
    pub(in crate::yaml) key: Range<usize>,
    pub(in crate::yaml) value: Range<usize>,
}

/// Longer keys are left to the scanner, which has a limit for them.
const MAX_KEY: usize = 128;

/// The bytes that are part of a simple value whatever stands next to them; a table, because most of a text are values.
const IS_TEXT: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        table[byte as usize] = !matches!(byte, b':' | b'#');
        byte += 1;
    }
    table
};

impl Scanner<'_> {
    /// Reads the key and the value on the line here, if both are simple. With `opens`, they are the first of a mapping behind
    /// the `-` or `:` that is the only token in the queue; without, they belong to the innermost mapping, and the queue is
    /// empty.
    pub(in crate::yaml) fn line(&mut self, opens: bool) -> Option<Line> {
        let Key { is_possible, is_required, .. } = *self.last_key();
        let is_in_mapping = self.flow_level == 0 && self.indents.len() < MAX_DEPTH;
        if !is_in_mapping || self.has_ended || self.is_marked_twice || (is_possible && is_required) {
            return None;
        }
        let (line, at) = self.line_start(opens)?;
        let column = at - line;
        let is_at_place = if opens { column as isize > self.indent } else { column as isize == self.indent };
        if !is_at_place {
            return None;
        }
        let key = at..at + self.simple_key(at)?;
        let from = key.end + 1 + self.blanks(key.end + 1);
        let value = from..self.simple_value(from)?;
        let next = value.end + 1;
        let indent = self.blanks(next);
        // A line that lies deeper goes on with the value, and what else may follow is not simple.
        if indent > column || !matches!(self.byte(next + indent)?, b'!'..=b'"' | b'$'..=b'~') {
            return None;
        }
        if opens {
            self.indents.push(self.indent);
            self.indent = column as isize;
        }
        let last = self.last_key();
        (last.is_possible, last.is_listed) = (false, false);
        self.at = next;
        self.begin_line();
        self.at = next + indent;
        self.may_start_key = true;
        Some(Line { opens, key, value })
    }

    /// The first byte of the line and that of the key on it, if nothing but blanks and `-` is before the key.
    fn line_start(&self, opens: bool) -> Option<(usize, usize)> {
        let is_next = opens && self.byte(self.at) == Some(b'\n');
        let (line, from) = if is_next { (self.at + 1, self.at + 1) } else { (self.line, self.at) };
        let at = from + self.blanks(from);
        let before = &self.bytes[line..from];
        let is_behind_dash = opens && !is_next && at > from && before.last() == Some(&b'-');
        let is_clear = before.iter().all(|&byte| byte == b' ' || (byte == b'-' && is_behind_dash));
        (is_clear && (is_next || is_behind_dash || !opens)).then_some((line, at))
    }

    fn blanks(&self, from: usize) -> usize {
        self.bytes.get(from..).unwrap_or_default().iter().take_while(|&&byte| byte == b' ').count()
    }

    /// The length of the key that begins here and that a colon and a blank follow.
    fn simple_key(&self, from: usize) -> Option<usize> {
        let bytes = self.bytes.get(from..)?;
        let is_in_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'/' | b'-');
        let length = bytes.iter().take(MAX_KEY).take_while(|byte| is_in_key(byte)).count();
        let is_key = bytes.first()?.is_ascii_alphanumeric() && bytes[length..].starts_with(b": ");
        is_key.then_some(length)
    }

    /// The end of the line whose rest is a simple value.
    fn simple_value(&self, from: usize) -> Option<usize> {
        if !matches!(self.byte(from)?, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'/') {
            return None;
        }
        let mut at = from;
        loop {
            at += self.bytes[at..].iter().position(|&byte| !IS_TEXT[usize::from(byte)])?;
            match (self.bytes[at - 1], self.bytes[at]) {
                (b' ', b'\n' | b'#') => return None,
                (_, b'\n') => return Some(at),
                (_, b'#') => at += 1,
                (_, b':') if !self.is_blank_or_end(at + 1) => at += 1,
                _ => return None,
            }
        }
    }
}
