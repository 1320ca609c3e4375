//! Skips a block mapping line by line, several times as fast as parsing it.
//!
//! It knows only the simple part of YAML that generators write (no flow collections but empty ones, no anchors, tags,
//! comments, tabs or quoted keys) and gives up on everything else, so that what it skips is well-formed to a parser too.
//!
//! It also checks whether the values fit a Go type. Where that is not certain the answer is no, and the value is parsed
//! later.

use super::scalar::{Scalar, resolve};
use crate::go_type::GoType;
use memchr::{memchr, memchr2, memchr3, memmem};

/// Skips the mapping whose first line begins at `from` and that lies deeper than `parent`, up to the first line
/// that does not. Returns the start of that line, and whether the mapping is certainly of the type `of`; `None` when its
/// end is not certain.
pub(super) fn mapping(source: &str, from: usize, parent: usize, of: Option<&'static GoType>) -> Option<(usize, bool)> {
    let text = source.as_bytes();
    let mut skipper = Skipper {
        source,
        text,
        at: from,
        levels: Vec::new(),
        last: Last::Open,
        expects: of,
        fits: true,
        is_sound: true,
    };
    let end = skipper.lines(parent)?;
    // YAML 1.1 has line breaks besides `\n`, which the code above takes for text.
    let passed = &text[from..end];
    let has_rare_break =
        || ["\u{85}", "\u{2028}", "\u{2029}"].iter().any(|rare| memmem::find(passed, rare.as_bytes()).is_some());
    let has_other_break = memchr(b'\r', passed).is_some() || (!passed.is_ascii() && has_rare_break());
    let is_passed = skipper.is_sound && !skipper.levels.is_empty() && !has_other_break;
    is_passed.then_some((end, skipper.fits))
}

impl Skipper<'_> {
    /// Skips lines up to the first that does not lie deeper than `parent`.
    fn lines(&mut self, parent: usize) -> Option<usize> {
        loop {
            let line = self.at;
            let column = self.blanks();
            match self.text.get(self.at) {
                None => return Some(line),
                Some(b'\n') => self.at += 1,
                // Lines behind a comment or another line break may lie deeper again, and a tab has no certain width.
                Some(b'#' | b'\t' | b'\r' | 0xc2 | 0xe2) => return None,
                Some(_) if column <= parent => return Some(line),
                Some(_) => self.line(column)?,
            }
        }
    }
}

/// A collection whose entries begin at a column.
#[derive(Clone, Copy)]
struct Level {
    column: usize,
    is_list: bool,
    /// The type of the items of a list, or of the mapping itself; absent when anything may stand there.
    of: Option<&'static GoType>,
}

impl Level {
    fn is_at(self, column: usize, is_list: bool) -> bool {
        self.column == column && self.is_list == is_list
    }
}

/// What may follow the last entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// No value yet: a collection may follow.
    Open,
    /// A plain scalar, which further lines may continue.
    Plain,
    /// A finished value.
    Closed,
}

struct Skipper<'t> {
    source: &'t str,
    /// The bytes of the source.
    text: &'t [u8],
    at: usize,
    /// From the outside in, by growing column; a list may stand at the column of the mapping around it.
    levels: Vec<Level>,
    last: Last,
    /// The type of the value that comes next; absent when anything may come.
    expects: Option<&'static GoType>,
    /// Whether everything so far was of its type.
    fits: bool,
    /// Nothing so far is a value that JSON cannot hold.
    is_sound: bool,
}

impl Skipper<'_> {
    /// Steps over blanks and counts them.
    fn blanks(&mut self) -> usize {
        const MANY: &[u8] = &[b' '; 8];
        let from = self.at;
        while self.text[self.at..].starts_with(MANY) {
            self.at += MANY.len();
        }
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.at - from
    }

    fn byte(&self, ahead: usize) -> u8 {
        // The end of the text ends a line too.
        self.text.get(self.at + ahead).copied().unwrap_or(b'\n')
    }

    fn column_of_last(&self) -> Option<usize> {
        self.levels.last().map(|level| level.column)
    }

    /// Reads one line that is not blank, from its first byte that is not a blank.
    fn line(&mut self, column: usize) -> Option<()> {
        while self.column_of_last().is_some_and(|last| last > column) {
            self.levels.pop();
            self.last = Last::Closed;
        }
        if self.last == Last::Plain && self.column_of_last().is_some_and(|last| last < column) {
            return self.continuation();
        }
        self.entry(column)
    }

    /// One further line of a plain scalar.
    fn continuation(&mut self) -> Option<()> {
        match (self.byte(0), self.byte(1)) {
            (b'#', _) | (b':', b' ' | b'\n') => None,
            _ if self.plain_to_colon()?.is_some() => None,
            _ => {
                // Whatever the first line was, with a second one it is text.
                self.found(|of| matches!(of, GoType::Text(_)));
                Some(())
            }
        }
    }

    /// An entry of a list or mapping that begins here; lists may be nested on one line.
    fn entry(&mut self, mut column: usize) -> Option<()> {
        while self.byte(0) == b'-' && matches!(self.byte(1), b' ' | b'\n') {
            self.enter(column, true)?;
            self.expects = self.levels.last()?.of;
            self.at += 1;
            let gap = self.blanks();
            self.last = Last::Open;
            if self.byte(0) == b'\n' {
                self.end_line();
                return Some(());
            }
            column += 1 + gap;
        }
        // Keys are plain here, so anything else can only be an item of a list.
        let is_item =
            self.last == Last::Open && self.levels.last().is_some_and(|list| list.is_list && list.column < column);
        if !self.starts_plain() {
            return if is_item { self.value() } else { None };
        }
        let start = self.at;
        match self.plain_to_colon()? {
            // Every parser has a limit of 1024 characters for keys.
            Some(colon) if colon - start >= 1000 => None,
            Some(colon) => self.field(column, start, colon),
            None => {
                self.plain_fits(start);
                is_item.then(|| self.last = Last::Plain)
            }
        }
    }

    /// Makes the collection of an entry the innermost one.
    fn enter(&mut self, column: usize, is_list: bool) -> Option<()> {
        if !is_list && self.levels.last().is_some_and(|last| last.is_at(column, true)) {
            // A key at the column of a list ends the list, which is not indented below its own key.
            self.levels.pop();
            self.last = Last::Closed;
        }
        let opens = match self.levels.last() {
            Some(last) if last.is_at(column, is_list) => return Some(()),
            Some(last) if last.column == column => is_list && self.last == Last::Open,
            Some(last) => self.last == Last::Open && last.column < column,
            // Only the first line may begin the outermost mapping.
            None => !is_list && self.last == Last::Open,
        };
        let of = match (self.expects, is_list) {
            (None | Some(GoType::Any), _) => None,
            (Some(GoType::List(items)), true) => Some(*items),
            (Some(GoType::Map(_) | GoType::Struct(_)), false) => self.expects,
            (Some(_), _) => {
                self.fits = false;
                None
            }
        };
        opens.then(|| self.levels.push(Level { column, is_list, of }))
    }

    /// A key, up to its colon, and its value.
    fn field(&mut self, column: usize, start: usize, colon: usize) -> Option<()> {
        let key = self.source.get(start..colon)?.trim_ascii_end();
        // A merge changes the mapping, and JSON has no null keys.
        if matches!(key, "<<" | "~" | "null" | "Null" | "NULL") {
            return None;
        }
        self.enter(column, false)?;
        self.expects = match self.levels.last()?.of {
            Some(GoType::Map(inner)) => Some(*inner),
            Some(GoType::Struct(shape)) => {
                self.fits &= key.is_ascii();
                shape.field(key).map(|(_, of)| of)
            }
            _ => None,
        };
        self.at = colon + 1;
        self.blanks();
        self.last = Last::Open;
        match self.byte(0) {
            b'\n' => {
                self.end_line();
                Some(())
            }
            _ => self.value(),
        }
    }

    /// The value that begins here, on the line of its key or dash.
    fn value(&mut self) -> Option<()> {
        self.last = Last::Closed;
        match (self.byte(0), self.byte(1)) {
            (b'"' | b'\'' | b'|' | b'>', _) => {
                self.found(|of| matches!(of, GoType::Text(_)));
                match self.byte(0) {
                    b'"' => self.quoted(b'"', b'\\'),
                    b'\'' => self.quoted(b'\'', b'\''),
                    _ => self.block(),
                }
            }
            (b'[', b']') => self.empty(|of| matches!(of, GoType::List(_))),
            (b'{', b'}') => self.empty(|of| matches!(of, GoType::Map(_) | GoType::Struct(_))),
            _ if self.starts_plain() => {
                let start = self.at;
                self.last = Last::Plain;
                self.plain_to_colon()?.is_none().then(|| self.plain_fits(start))
            }
            _ => None,
        }
    }

    /// Checks that the value is of the expected type.
    fn found(&mut self, is_of_type: fn(&GoType) -> bool) {
        self.fits &= self.expects.is_none_or(|of| matches!(of, GoType::Any) || is_of_type(of));
    }

    /// Reads empty brackets.
    fn empty(&mut self, is_of_type: fn(&GoType) -> bool) -> Option<()> {
        self.found(is_of_type);
        self.at += 2;
        self.rest_is_blank()
    }

    /// Looks at the plain text from `start` to the end of its line: whether it is of the type that is expected, whatever
    /// lines follow.
    fn plain_fits(&mut self, start: usize) {
        let line = self.source.get(start..self.at).unwrap_or_default().trim_ascii_end();
        let may_be_more =
            line.as_bytes().first().is_none_or(|first| matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.' | b'~'))
                || line.len() <= 5;
        let scalar = if may_be_more { resolve(line) } else { Scalar::Text };
        // A number that JSON cannot hold is an error in a value of any type.
        self.is_sound &= !matches!(scalar, Scalar::Float(value) if !value.is_finite());
        self.fits &= match (self.expects, scalar) {
            (None | Some(GoType::Any), _) | (Some(_), Scalar::Null) => true,
            (Some(GoType::Text(_)), Scalar::Text) | (Some(GoType::Bool), Scalar::Bool(_)) => true,
            (Some(GoType::Int(_, least, most)), Scalar::Int(value)) => {
                (i128::from(*least)..=i128::from(*most)).contains(&value)
            }
            (Some(_), _) => false,
        };
    }

    /// Whether plain text may begin here.
    fn starts_plain(&self) -> bool {
        match self.byte(0) {
            b'-' | b'?' | b':' => !matches!(self.byte(1), b' ' | b'\n' | b'\r' | b'\t'),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%' | b'@' => {
                false
            }
            byte => byte > b' ' && byte != b'`',
        }
    }

    /// Goes to the colon that makes the plain text a key, or else behind the line. `None` for comments, tabs and carriage
    /// returns.
    fn plain_to_colon(&mut self) -> Option<Option<usize>> {
        let end = self.line_end();
        let line = &self.text[self.at..end];
        let mut from = 0;
        while let Some(found) = memchr3(b':', b'#', b'\t', &line[from..]) {
            let at = from + found;
            from = at + 1;
            match line[at] {
                b':' if matches!(line.get(at + 1), None | Some(b' ' | b'\t')) => return Some(Some(self.at + at)),
                b'\t' => return None,
                b'#' if at > 0 && line[at - 1] == b' ' => return None,
                _ => {}
            }
        }
        let is_cut = line.last() == Some(&b'\r');
        self.at = (end + 1).min(self.text.len());
        (!is_cut).then_some(None)
    }

    fn line_end(&self) -> usize {
        memchr(b'\n', &self.text[self.at..]).map_or(self.text.len(), |length| self.at + length)
    }

    fn end_line(&mut self) {
        self.at = (self.at + 1).min(self.text.len());
    }

    fn rest_is_blank(&mut self) -> Option<()> {
        self.blanks();
        (self.byte(0) == b'\n').then(|| self.end_line())
    }

    /// A quoted scalar, on as many lines as it takes.
    fn quoted(&mut self, quote: u8, escape: u8) -> Option<()> {
        let start = self.at + 1;
        self.at = start;
        loop {
            // Behind an escape that is the last byte there is no text.
            self.at += memchr2(quote, escape, self.text.get(self.at..)?)?;
            let escaped = self.byte(1);
            match self.text[self.at] {
                b'\'' if escaped == b'\'' => self.at += 2,
                byte if byte == quote => break,
                _ => match escaped {
                    b'"' | b'\\' | b'n' | b'r' | b't' | b'b' | b'f' | b'0' | b' ' | b'\n' => self.at += 2,
                    b'u' if self.is_basic_escape() => self.at += 6,
                    _ => return None,
                },
            }
        }
        let end = self.at;
        self.at += 1;
        self.continued_deeper(start, end)?;
        self.rest_is_blank()
    }

    /// Whether four digits follow `\u` that are no half of a character.
    fn is_basic_escape(&self) -> bool {
        let digits = self.text.get(self.at + 2..self.at + 6);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit) && !matches!(digits[0], b'd' | b'D'))
    }

    /// Whether every line of `start..end` but the first is blank or lies deeper than the collection.
    fn continued_deeper(&self, start: usize, end: usize) -> Option<()> {
        let column = self.column_of_last()?;
        let mut at = start;
        while let Some(newline) = memchr(b'\n', &self.text[at..end]) {
            at += newline + 1;
            let indent = self.text[at..].iter().take_while(|&&byte| byte == b' ').count();
            match self.text.get(at + indent) {
                Some(b'\n') => {}
                Some(b'\t' | b'\r') | None => return None,
                Some(_) if indent <= column => return None,
                Some(_) => {}
            }
        }
        Some(())
    }

    /// A block scalar: its header and every line that lies deeper than the collection.
    fn block(&mut self) -> Option<()> {
        let column = self.column_of_last()?;
        self.at += if matches!(self.byte(1), b'-' | b'+') { 2 } else { 1 };
        self.rest_is_blank()?;
        let mut indent = None;
        let mut widest_blank = 0;
        while self.at < self.text.len() {
            let line = self.at;
            let blanks = self.blanks();
            match self.byte(0) {
                b'\n' if indent.is_none() => widest_blank = widest_blank.max(blanks),
                b'\n' => {}
                _ if blanks <= column => {
                    self.at = line;
                    break;
                }
                b'\t' | b'\r' => return None,
                _ if widest_blank.max(*indent.get_or_insert(blanks)) > blanks => return None,
                _ => {}
            }
            self.at = (self.line_end() + 1).min(self.text.len());
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::mapping;

    #[test]
    fn a_carriage_return_within_a_line_is_left_to_the_parser() {
        let end = |text: &str| mapping(text, 0, 0, None).map(|(end, _)| end);
        assert_eq!(end(" a: b\n c: d\n"), Some(12));
        // After the comment the plain scalar cannot go on.
        assert_eq!(end(" a: b\r#\n  c\n"), None);
        assert_eq!(end(" a: |\n  b\r---\n"), None);
    }
}
