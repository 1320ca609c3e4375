//! The events of block YAML as generators write it, several times as fast as a parser of all of YAML finds them.
//!
//! Knows lists and mappings, one line for each entry: plain text, quoted text without escapes, empty brackets. Gives up on
//! everything else (comments, tabs, anchors, text of several lines), so what it reads is the same to the parser.

use super::skim::{colon, starts_plain};
use memchr::{memchr, memchr2, memchr3};
use saphyr_parser::{Event, Marker, ScalarStyle, Span as Marks};

/// The parser has a limit of 1024 characters for keys.
const LONGEST_KEY: usize = 1000;

/// Tells `take` the events between the start and the end of the only document of `text`. `None` when `take` returned it or
/// the text is not such that it can be said for certain what the parser reads.
pub(super) fn events<'t>(text: &'t str, take: impl FnMut(Event<'t>, Marks) -> Option<()>) -> Option<()> {
    // Marks count characters.
    if !text.is_ascii() || memchr2(b'\t', b'\r', text.as_bytes()).is_some() {
        return None;
    }
    let mut plain = Plain { text, at: 0, levels: Vec::new(), pending: Some(0), take };
    plain.document()
}

/// A collection whose entries begin at a column.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Level {
    column: usize,
    is_list: bool,
}

struct Plain<'t, F> {
    text: &'t str,
    at: usize,
    /// From the outside in, by growing column; a list may stand at the column of the mapping around it.
    levels: Vec<Level>,
    /// Behind the key, the dash or the start of the text whose value has not come yet.
    pending: Option<usize>,
    take: F,
}

impl<'t, F: FnMut(Event<'t>, Marks) -> Option<()>> Plain<'t, F> {
    fn document(&mut self) -> Option<()> {
        if self.text.starts_with("---") {
            self.at = "---".len();
            self.rest_is_blank()?;
        }
        while self.at < self.text.len() {
            let line = self.at;
            self.blanks();
            match self.byte(0) {
                b'\n' => self.at += 1,
                // What may be a marker is left to the parser.
                b'-' | b'.' if self.at == line && self.byte(1) == self.byte(0) => return None,
                _ => self.line(self.at - line)?,
            }
        }
        if self.levels.is_empty() {
            return None;
        }
        while !self.levels.is_empty() {
            self.leave(self.text.len())?;
        }
        Some(())
    }

    fn byte(&self, ahead: usize) -> u8 {
        // The end of the text ends a line too.
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(b'\n')
    }

    fn blanks(&mut self) {
        while self.text.as_bytes().get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    fn emit(&mut self, event: Event<'t>, start: usize, end: usize) -> Option<()> {
        (self.take)(event, Marks::new(mark(start), mark(end)))
    }

    /// One line that is not blank, from its first byte that is none.
    fn line(&mut self, mut column: usize) -> Option<()> {
        while self.levels.last().is_some_and(|last| last.column > column) {
            self.leave(self.at)?;
        }
        while self.byte(0) == b'-' && matches!(self.byte(1), b' ' | b'\n') {
            self.enter(Level { column, is_list: true })?;
            let dash = self.at;
            self.at += 1;
            self.pending = Some(self.at);
            self.blanks();
            if self.byte(0) == b'\n' {
                self.end_line();
                return Some(());
            }
            column += self.at - dash;
        }
        if !starts_plain(self.byte(0), self.byte(1)) {
            return if self.is_item(column) { self.value() } else { None };
        }
        match self.key()? {
            Some(key) => self.field(column, key),
            None => {
                if self.is_item(column) {
                    self.value()
                } else {
                    None
                }
            }
        }
    }

    /// Whether what stands here is an item of a list that its dash stands before.
    fn is_item(&self, column: usize) -> bool {
        self.pending.is_some() && self.levels.last().is_some_and(|list| list.is_list && list.column < column)
    }

    /// The plain text up to the colon that makes it a key, if the line has one.
    fn key(&self) -> Option<Option<&'t str>> {
        let line = self.rest_of_line();
        let Some(colon) = colon(line.as_bytes())? else { return Some(None) };
        let key = &line[..colon];
        (key.len() < LONGEST_KEY && !key.ends_with(' ')).then_some(Some(key))
    }

    fn rest_of_line(&self) -> &'t str {
        let rest = &self.text[self.at..];
        &rest[..memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())]
    }

    /// A key and its value.
    fn field(&mut self, column: usize, key: &'t str) -> Option<()> {
        self.enter(Level { column, is_list: false })?;
        self.scalar(key, ScalarStyle::Plain, 0)?;
        self.at += 1;
        self.pending = Some(self.at);
        self.blanks();
        match self.byte(0) {
            b'\n' => {
                self.end_line();
                Some(())
            }
            _ => self.value(),
        }
    }

    /// Makes the collection of an entry that begins here the innermost one.
    fn enter(&mut self, level: Level) -> Option<()> {
        let Level { column, is_list } = level;
        if !is_list && self.levels.last() == Some(&Level { column, is_list: true }) {
            // A key at the column of a list ends the list, which is not indented below its own key.
            self.leave(self.at)?;
        }
        match self.levels.last() {
            Some(&last) if last == level => return self.nothing(),
            Some(last) if last.column < column || (last.column == column && is_list) => {}
            None => {}
            Some(_) => return None,
        }
        self.pending.take()?;
        self.levels.push(level);
        let event = if is_list { Event::SequenceStart(0, None) } else { Event::MappingStart(0, None) };
        self.emit(event, self.at, self.at)
    }

    /// Ends the innermost collection, because of what stands at `before`.
    fn leave(&mut self, before: usize) -> Option<()> {
        self.nothing()?;
        let Level { is_list, .. } = self.levels.pop()?;
        self.emit(if is_list { Event::SequenceEnd } else { Event::MappingEnd }, before, before)
    }

    /// The value that did not come, if one should have.
    fn nothing(&mut self) -> Option<()> {
        match self.pending.take() {
            Some(at) => self.emit(Event::Scalar("".into(), ScalarStyle::Plain, 0, None), at, at),
            None => Some(()),
        }
    }

    /// The value that begins here, on the line of its key or dash, with the end of the line.
    fn value(&mut self) -> Option<()> {
        self.pending = None;
        match (self.byte(0), self.byte(1)) {
            (b'"', _) => self.quoted(b'"', b'\\', ScalarStyle::DoubleQuoted)?,
            (b'\'', _) => self.quoted(b'\'', b'\'', ScalarStyle::SingleQuoted)?,
            (b'[', b']') => self.empty(Event::SequenceStart(0, None), Event::SequenceEnd)?,
            (b'{', b'}') => self.empty(Event::MappingStart(0, None), Event::MappingEnd)?,
            (first, second) if starts_plain(first, second) => {
                let line = self.rest_of_line();
                if colon(line.as_bytes())?.is_some() {
                    return None;
                }
                self.scalar(line.trim_end_matches(' '), ScalarStyle::Plain, 0)?;
            }
            _ => return None,
        }
        self.rest_is_blank()
    }

    /// A quoted text on one line, without escapes.
    fn quoted(&mut self, quote: u8, escape: u8, style: ScalarStyle) -> Option<()> {
        let text = &self.text[self.at + 1..];
        let length = memchr3(quote, escape, b'\n', text.as_bytes())?;
        let is_closed = text.as_bytes()[length] == quote && text.as_bytes().get(length + 1) != Some(&b'\'');
        if is_closed { self.scalar(&text[..length], style, 1) } else { None }
    }

    /// A list or mapping without entries.
    fn empty(&mut self, start: Event<'t>, end: Event<'t>) -> Option<()> {
        let at = self.at;
        self.at += 2;
        self.emit(start, at, at + 1)?;
        self.emit(end, at + 1, at + 2)
    }

    /// A scalar that begins here, with quotes of so many bytes on both sides.
    fn scalar(&mut self, text: &'t str, style: ScalarStyle, quotes: usize) -> Option<()> {
        let start = self.at;
        self.at += text.len() + 2 * quotes;
        self.emit(Event::Scalar(text.into(), style, 0, None), start, self.at)
    }

    fn rest_is_blank(&mut self) -> Option<()> {
        self.blanks();
        (self.byte(0) == b'\n').then(|| self.end_line())
    }

    fn end_line(&mut self) {
        self.at = (self.at + 1).min(self.text.len());
    }
}

/// The line and the column are of no use to anyone.
fn mark(at: usize) -> Marker {
    Marker::new(at, 0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_read(text: &str) -> bool {
        events(text, |_, _| Some(())).is_some()
    }

    #[test]
    fn what_generators_write_is_read() {
        for text in [
            "---\nschema: olm.channel\nname: \"\"\nentries:\n- name: a.v1\n  skips:\n    - b\n- name: 'a'\n  skips: []\n",
            "a:\n\nb:\n  c: {}  \n  d:\n  -\n  - - x\n    - y: z\n      w:",
        ] {
            assert!(is_read(text), "{text}");
        }
    }

    #[test]
    fn everything_else_is_left_to_the_parser() {
        for text in [
            "",
            "\n",
            "a",
            "- a: b\nc: d\n",
            "a: b\n- c\n",
            "a: b: c\n",
            "a: b # c\n",
            "# a\na: b\n",
            "a: b\n  c\n",
            "a:\n  b\n",
            "a: \"b\n  c\"\n",
            "a: \"\\n\"\n",
            "a: ''''\n",
            "a: |\n  b\n",
            "a: [b]\n",
            "a: &b c\n",
            "a: !b c\n",
            "? a\n: b\n",
            "\"a\": b\n",
            "a : b\n",
            "a:\tb\n",
            "a: b\r\n",
            "a: \u{e9}\n",
            "a: b\n...\n",
            "--- a\n",
            "%YAML 1.1\n---\na: b\n",
            "a:\n    b: c\n  d: e\n",
            "  a: b\nc: d\n",
        ] {
            assert!(!is_read(text), "{text}");
        }
    }
}
