//! Plain, quoted, literal and folded scalars.

use std::borrow::Cow;

use super::{Kind, Scanner, Style, Token};
use crate::yaml::fault::Fault;

/// The text of a scalar: a part of the source as long as it is written as it reads.
struct Text {
    /// What was read before `from`, where it differs from the source.
    read: Option<String>,
    /// The first byte of the source that is not in `read`.
    from: usize,
}

/// Line breaks inside a scalar, which are folded: the first of them is a space, or nothing before others.
#[derive(Default)]
struct Breaks<'a> {
    pub(super) first: &'a str,
    pub(super) more: String,
    /// There was a line break, perhaps an escaped one.
    is_any: bool,
}

impl Text {
    const fn starting_at(from: usize) -> Self {
        Self { read: None, from }
    }

    /// Takes the source up to `to` as it is written; the text goes on with what is added to the result.
    fn add(&mut self, source: &str, to: usize) -> &mut String {
        let read = self.read.get_or_insert_default();
        read.push_str(&source[self.from..to]);
        self.from = to;
        read
    }

    fn finish(mut self, source: &str, to: usize) -> Cow<'_, str> {
        if self.read.is_none() {
            return Cow::Borrowed(&source[self.from..to]);
        }
        Cow::Owned(std::mem::take(self.add(source, to)))
    }
}

impl Breaks<'_> {
    /// Adds the breaks to a text. Without `is_folded`, all of them are kept as they are.
    fn add_to(&mut self, text: &mut String, is_folded: bool) {
        if !is_folded || !self.first.starts_with('\n') {
            text.push_str(self.first);
        } else if self.more.is_empty() {
            text.push(' ');
        }
        text.push_str(&self.more);
        self.first = "";
        self.more.clear();
        self.is_any = false;
    }
}

/// The bytes at which a word of plain text may end; a table, because most of a text are words.
const MAY_END_PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b" \t\n\r:,?[]{}\xc2\xe2";
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = true;
        at += 1;
    }
    table
};

impl<'a> Scanner<'a> {
    /// A scalar without quotes, perhaps of several lines.
    pub(super) fn plain(&mut self) -> Result<Token<'a>, Fault> {
        let start = self.at;
        let least_column = (self.indent + 1) as usize;
        let mut text = Text::starting_at(start);
        let mut breaks = Breaks::default();
        let mut end = start;
        loop {
            if self.byte(self.at) == Some(b'#') || (self.at == self.line && self.is_document_mark(self.at)) {
                break;
            }
            let word = self.at;
            self.plain_word();
            if self.at > word {
                if breaks.is_any {
                    breaks.add_to(text.add(self.text, end), true);
                    text.from = word;
                }
                end = self.at;
            }
            if !self.plain_gap(least_column, &mut breaks)? {
                break;
            }
        }
        self.may_start_key |= breaks.is_any;
        let text = text.finish(self.text, end);
        Ok(Token { kind: Kind::Scalar(text, Style::Plain), start, end })
    }

    /// Steps over the characters of plain text up to a blank or what ends it.
    fn plain_word(&mut self) {
        loop {
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().position(|&byte| MAY_END_PLAIN[usize::from(byte)]).unwrap_or(rest.len());
            let Some(byte) = self.byte(self.at) else { return };
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => return,
                b':' if self.is_blank_or_end(self.at + 1) => return,
                b',' | b'?' | b'[' | b']' | b'{' | b'}' if self.flow_level > 0 => return,
                0xc2 | 0xe2 if self.break_length(self.at) > 0 => return,
                _ => self.at += 1,
            }
        }
    }

    /// Steps over the blanks and line breaks behind a word. Whether plain text may go on behind them.
    fn plain_gap(&mut self, least_column: usize, breaks: &mut Breaks<'a>) -> Result<bool, Fault> {
        if !self.is_blank_or_end(self.at) || self.at == self.bytes.len() {
            return Ok(false);
        }
        loop {
            match self.byte(self.at) {
                Some(b'\t') if breaks.is_any && self.column() < least_column => {
                    return Err(self.fault("found a tab character that violates indentation"));
                }
                Some(b' ' | b'\t') => self.at += 1,
                _ if self.break_length(self.at) > 0 => self.fold(breaks),
                _ => break,
            }
        }
        Ok(self.flow_level > 0 || !breaks.is_any || self.column() >= least_column)
    }

    /// Steps over a line break inside a scalar.
    fn fold(&mut self, breaks: &mut Breaks<'a>) {
        let read = self.read_break();
        if breaks.is_any {
            breaks.more.push_str(read);
        } else {
            breaks.first = read;
        }
        breaks.is_any = true;
    }

    /// A scalar in single or double quotes.
    pub(super) fn quoted(&mut self, quote: u8) -> Result<Token<'a>, Fault> {
        let start = self.at;
        self.at += 1;
        let mut text = Text::starting_at(self.at);
        let mut breaks = Breaks::default();
        loop {
            if self.at == self.line && self.is_document_mark(self.at) {
                return Err(self.fault_at(start, "found unexpected document indicator"));
            }
            if self.at == self.bytes.len() {
                return Err(self.fault_at(start, "found unexpected end of stream"));
            }
            self.quoted_word(quote, &mut text, &mut breaks)?;
            if self.byte(self.at) == Some(quote) {
                break;
            }
            self.quoted_gap(&mut text, &mut breaks);
        }
        let text = text.finish(self.text, self.at);
        self.at += 1;
        Ok(Token { kind: Kind::Scalar(text, Style::Quoted), start, end: self.at })
    }

    /// Steps over quoted text up to a blank, a line break or the last quote.
    fn quoted_word(&mut self, quote: u8, text: &mut Text, breaks: &mut Breaks<'a>) -> Result<(), Fault> {
        while let Some(byte) = self.byte(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => break,
                0xc2 | 0xe2 if self.break_length(self.at) > 0 => break,
                b'\'' if quote == byte && self.byte(self.at + 1) == Some(quote) => {
                    text.add(self.text, self.at + 1);
                    self.at += 2;
                    text.from = self.at;
                }
                _ if byte == quote => break,
                b'\\' if quote == b'"' && self.break_length(self.at + 1) > 0 => {
                    text.add(self.text, self.at);
                    self.at += 1;
                    self.skip_break();
                    text.from = self.at;
                    breaks.is_any = true;
                    break;
                }
                b'\\' if quote == b'"' => self.escape(text)?,
                _ => self.at += 1,
            }
        }
        Ok(())
    }

    /// Steps over blanks and line breaks in quotes. Blanks around a line break are left out.
    fn quoted_gap(&mut self, text: &mut Text, breaks: &mut Breaks<'a>) {
        let blanks = self.at;
        let is_escaped = breaks.is_any;
        self.skip_blanks();
        if !is_escaped && self.break_length(self.at) > 0 {
            text.add(self.text, blanks);
        }
        while self.break_length(self.at) > 0 {
            self.fold(breaks);
            self.skip_blanks();
        }
        if breaks.is_any {
            breaks.add_to(text.read.get_or_insert_default(), true);
            text.from = self.at;
        }
    }

    /// An escape in double quotes.
    fn escape(&mut self, text: &mut Text) -> Result<(), Fault> {
        let escaped = match self.byte(self.at + 1) {
            Some(b'0') => '\0',
            Some(b'a') => '\x07',
            Some(b'b') => '\x08',
            Some(b't' | b'\t') => '\t',
            Some(b'n') => '\n',
            Some(b'v') => '\x0b',
            Some(b'f') => '\x0c',
            Some(b'r') => '\r',
            Some(b'e') => '\x1b',
            Some(byte @ (b' ' | b'"' | b'\'' | b'\\')) => char::from(byte),
            Some(b'N') => '\u{85}',
            Some(b'_') => '\u{a0}',
            Some(b'L') => '\u{2028}',
            Some(b'P') => '\u{2029}',
            Some(b'x') => return self.code(2, text),
            Some(b'u') => return self.code(4, text),
            Some(b'U') => return self.code(8, text),
            _ => return Err(self.fault("found unknown escape character")),
        };
        text.add(self.text, self.at).push(escaped);
        self.at += 2;
        text.from = self.at;
        Ok(())
    }

    /// A character that is escaped by its number, which has `length` hexadecimal digits.
    fn code(&mut self, length: usize, text: &mut Text) -> Result<(), Fault> {
        let escape = self.at;
        self.at += 2;
        let digits =
            self.bytes.get(self.at..self.at + length).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = digits.and_then(|digits| std::str::from_utf8(digits).ok()) else {
            return Err(self.fault("did not find expected hexdecimal number"));
        };
        let Some(c) = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) else {
            return Err(self.fault("found invalid Unicode character escape code"));
        };
        text.add(self.text, escape).push(c);
        self.at += length;
        text.from = self.at;
        Ok(())
    }
}

// Literal and folded scalars.

/// Which line breaks at the end of a block scalar are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    /// `-`: none stays.
    Strip,
    /// One stays.
    Clip,
    /// `+`: all stay.
    Keep,
}

impl<'a> Scanner<'a> {
    /// A scalar that begins with `|`, or `>` when it is folded.
    pub(super) fn block_scalar(&mut self, is_literal: bool) -> Result<Token<'a>, Fault> {
        let start = self.at;
        self.at += 1;
        let (chomping, indicator) = self.block_header()?;
        let mut end = self.at;
        if !self.skip_rest_of_line() {
            return Err(self.fault("did not find expected comment or line break"));
        }
        self.skip_break();
        let mut indent = indicator.map(|width| width + self.indent.max(0) as usize);
        let mut text = String::new();
        let mut breaks = Breaks::default();
        let mut was_blank = false;
        self.block_breaks(&mut indent, &mut breaks.more)?;
        while indent == Some(self.at - self.line) && self.at < self.bytes.len() {
            let is_blank = self.is_blank(self.at);
            breaks.add_to(&mut text, !is_literal && !was_blank && !is_blank);
            was_blank = is_blank;
            let from = self.at;
            self.skip_line();
            let line = &self.text[from..self.at];
            text.push_str(line);
            let content = line.trim_end_matches([' ', '\t']);
            if !content.is_empty() {
                end = from + content.len();
            }
            breaks.first = self.read_break();
            self.block_breaks(&mut indent, &mut breaks.more)?;
        }
        if chomping != Chomping::Strip {
            text.push_str(breaks.first);
        }
        if chomping == Chomping::Keep {
            text.push_str(&breaks.more);
        }
        Ok(Token { kind: Kind::Scalar(text.into(), Style::Block), start, end })
    }

    /// The chomping and indentation indicators, in either order.
    fn block_header(&mut self) -> Result<(Chomping, Option<usize>), Fault> {
        let before = self.chomping();
        let mut width = None;
        if let Some(digit @ b'0'..=b'9') = self.byte(self.at) {
            if digit == b'0' {
                return Err(self.fault("found an indentation indicator equal to 0"));
            }
            width = Some(usize::from(digit - b'0'));
            self.at += 1;
        }
        let behind = if before.is_none() && width.is_some() { self.chomping() } else { None };
        Ok((before.or(behind).unwrap_or(Chomping::Clip), width))
    }

    fn chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.byte(self.at)? {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return None,
        };
        self.at += 1;
        Some(chomping)
    }

    /// Steps over blank lines and the indentation of the line behind them. Without an indicator, that line, or a blank one
    /// that is longer, sets the indentation of the text.
    fn block_breaks(&mut self, indent: &mut Option<usize>, breaks: &mut String) -> Result<(), Fault> {
        let mut deepest = 0;
        loop {
            while self.byte(self.at) == Some(b' ') && indent.is_none_or(|indent| self.at - self.line < indent) {
                self.at += 1;
            }
            let width = self.at - self.line;
            deepest = deepest.max(width);
            if self.byte(self.at) == Some(b'\t') && indent.is_none_or(|indent| width < indent) {
                return Err(self.fault("found a tab character where an indentation space is expected"));
            }
            if self.break_length(self.at) == 0 {
                break;
            }
            breaks.push_str(self.read_break());
        }
        indent.get_or_insert_with(|| deepest.max(1).max((self.indent + 1) as usize));
        Ok(())
    }
}
