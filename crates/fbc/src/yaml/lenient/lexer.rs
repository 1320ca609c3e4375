//! Lines, keys, quotes and block scalars.

use super::super::fault::Fault;
use super::super::outline::{Edit, Filler};
use super::brackets::Brackets;
use super::{BYTE_ORDER_MARK, Relaxed, anchor_end};
use std::ops::Range;

/// Where it stands in the text, and what it knows of what is around.
pub(super) struct Lexer<'c> {
    pub(super) bytes: &'c [u8],
    pub(super) at: usize,
    /// The columns of keys of the mappings around, from the outside in.
    keys: Vec<usize>,
    /// The column of the collection in which plain text ends the last line, so that the next may go on with it.
    plain_below: Option<usize>,
    /// The last node was plain text.
    is_plain: bool,
    pub(super) found: Relaxed,
}

impl<'c> Lexer<'c> {
    pub(super) fn new(chunk: &'c str) -> Self {
        let found = Relaxed { blanks_left: (4 << 20) + 2 * chunk.len(), ..Relaxed::default() };
        Self { bytes: chunk.as_bytes(), at: 0, keys: Vec::new(), plain_below: None, is_plain: false, found }
    }

    /// What is found in all of the chunk.
    pub(super) fn run(mut self) -> Relaxed {
        while self.at < self.bytes.len() {
            self.line();
        }
        self.found
    }
}

impl Lexer<'_> {
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(b'\n')
    }

    pub(super) fn is_blank(&self, at: usize) -> bool {
        matches!(self.byte(at), b' ' | b'\t' | b'\r' | b'\n')
    }

    fn skip(&mut self, is_skipped: fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|&byte| is_skipped(byte)) {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        let from = self.at;
        self.at = memchr::memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |end| self.at + end + 1);
        self.drop_marks(from, self.at);
    }

    /// Leaves out byte order marks, which our parser rejects.
    pub(super) fn drop_marks(&mut self, from: usize, to: usize) {
        let marks = memchr::memmem::find_iter(&self.bytes[from..to], BYTE_ORDER_MARK);
        let removed = BYTE_ORDER_MARK.len();
        self.found.edits.extend(marks.map(|at| Edit { at: from + at, removed, filler: Filler::Blanks(0) }));
    }

    pub(super) fn insert(&mut self, at: usize, blanks: usize) {
        const FEW: usize = 100_000;
        // An edit takes as much as a short line.
        let is_many = self.found.edits.len() > FEW + self.bytes.len() / 16;
        match self.found.blanks_left.checked_sub(blanks).filter(|_| !is_many) {
            Some(left) => {
                self.found.blanks_left = left;
                self.found.edits.push(Edit { at, removed: 0, filler: Filler::Blanks(blanks as u32) });
            }
            None => self.found.is_over = true,
        }
    }

    /// Puts quotes around plain text.
    pub(super) fn quote(&mut self, range: Range<usize>) {
        let edits = [range.start, range.end].map(|at| Edit { at, removed: 0, filler: Filler::Quote });
        self.found.edits.extend(edits);
    }

    pub(super) fn reject(&mut self, fault: impl FnOnce() -> Fault) {
        self.found.rejected.get_or_insert_with(fault);
    }

    /// A tab at `at`, which belongs to the blanks at the start of a line that begins at `line`.
    fn leading_tab(&mut self, line: usize, at: usize) {
        const ANY: &str = "found character that cannot start any token";
        const PLAIN: &str = "found a tab character that violates indentation";
        match self.plain_below {
            Some(column) if at - line > column => {}
            Some(_) => self.reject(|| Fault::scanner(at, "a tab, where YAML allows only spaces", PLAIN)),
            None => self.reject(|| Fault::scanner(at, "a tab, where YAML allows only spaces", ANY)),
        }
    }

    /// A line outside of quotes and brackets, and what goes on behind it.
    fn line(&mut self) {
        let start = self.at;
        if self.is_stream_mark(start) {
            return;
        }
        let indent = self.indent(start);
        if matches!(self.byte(self.at), b'\n' | b'\r') {
            return self.skip_line();
        }
        if self.byte(self.at) == b'#' {
            self.plain_below = None;
            return self.skip_line();
        }
        if self.plain_below.is_some_and(|below| indent > below) {
            self.plain();
            return self.end_plain(self.plain_below);
        }
        let list = self.dashes(start);
        let column = self.at - start;
        let first = self.at;
        self.pop_keys(column + 1);
        let is_key = self.key(start, indent);
        if is_key {
            if self.keys.last() != Some(&column) {
                self.keys.push(column);
            }
            self.plain_below = None;
            if !self.node(start, indent) {
                return;
            }
        }
        let collection = is_key.then_some(column).or(list);
        self.end_plain(collection.filter(|_| self.is_plain && self.at > first));
    }

    /// Steps over the blanks at the start of a line, or behind a dash there; how many of them are spaces before a tab.
    /// `line` is where the line begins.
    fn indent(&mut self, line: usize) -> usize {
        let from = self.at;
        self.skip(|byte| byte == b' ');
        let spaces = self.at - from;
        if self.byte(self.at) == b'\t' {
            self.leading_tab(line, self.at);
            self.skip(|byte| byte == b' ' || byte == b'\t');
        }
        spaces
    }

    /// Steps over the dashes of lists; the column of the last one.
    fn dashes(&mut self, line: usize) -> Option<usize> {
        let mut last = None;
        while self.byte(self.at) == b'-' && self.is_blank(self.at + 1) && self.at < self.bytes.len() {
            // A list may stand at the column of the key it belongs to.
            self.pop_keys(self.at - line + 1);
            last = Some(self.at - line);
            self.plain_below = None;
            self.at += 1;
            self.indent(line);
        }
        last
    }

    /// What begins here, and a colon behind it; whether there is one. Quotes and brackets where only a key can be are
    /// looked at closer: a key ends on its line.
    fn key(&mut self, line: usize, indent: usize) -> bool {
        let first = self.at;
        let opens = matches!(self.byte(first), b'[' | b'{' | b'"' | b'\'');
        let must_be_key = opens && self.keys.last() == Some(&(first - line));
        let is_key = self.node(line, indent) && self.colon();
        let on_one_line = !self.bytes[first..self.at.min(self.bytes.len())].contains(&b'\n');
        if must_be_key && !(is_key && on_one_line) && self.found.no_colon.is_none() {
            self.found.no_colon = Some(first..self.next_token(first));
        }
        is_key
    }

    /// Ends a line. Plain text in the collection at that column that runs to the end of it may go on in the next.
    fn end_plain(&mut self, collection: Option<usize>) {
        self.plain_below = collection.filter(|_| self.byte(self.at) == b'\n');
        self.skip_line();
    }

    /// Steps over the end of a document, behind which yaml.v2 reads nothing, and over a byte order mark.
    fn is_stream_mark(&mut self, start: usize) -> bool {
        if self.bytes[start..].starts_with(BYTE_ORDER_MARK) {
            let removed = BYTE_ORDER_MARK.len();
            self.found.edits.push(Edit { at: start, removed, filler: Filler::Blanks(1) });
            self.at += removed;
        }
        let ends = self.bytes[start..].starts_with(b"...") && self.is_blank(start + 3);
        if ends {
            let at = (start + 3).min(self.bytes.len());
            self.found.edits.push(Edit { at, removed: self.bytes.len() - at, filler: Filler::Blanks(0) });
            self.at = self.bytes.len();
        }
        ends
    }

    /// Forgets the keys at a column and behind it.
    fn pop_keys(&mut self, column: usize) {
        while self.keys.last().is_some_and(|&key| key >= column) {
            self.keys.pop();
        }
    }

    /// The first text on a line behind the one of `at`.
    fn next_token(&self, at: usize) -> usize {
        let line = memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |end| at + end + 1);
        (line..self.bytes.len()).find(|&at| !self.is_blank(at)).unwrap_or(self.bytes.len())
    }

    /// What begins here, up to its end; false when it took whole lines.
    fn node(&mut self, line: usize, indent: usize) -> bool {
        self.skip(|byte| byte == b' ' || byte == b'\t');
        if self.byte(self.at) == b'*' {
            self.anchor();
        }
        while matches!(self.byte(self.at), b'&' | b'!') {
            self.anchor();
            self.skip(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
            self.skip(|byte| byte == b' ' || byte == b'\t');
        }
        let column = self.at - line;
        self.is_plain = false;
        match self.byte(self.at) {
            b'"' | b'\'' => self.quoted(column),
            b'[' | b'{' => Brackets::new(self, column).pass(),
            b'|' | b'>' => {
                self.block(indent);
                return false;
            }
            _ => {
                self.is_plain = self.byte(self.at) != b'\n';
                self.plain();
                return true;
            }
        }
        if self.byte(self.at) == b'#' {
            self.insert(self.at, 1);
        }
        true
    }

    /// The name of an anchor or alias, which begins here.
    pub(super) fn anchor(&mut self) {
        const WORDS: &str = "did not find expected alphabetic or numeric character";
        if self.byte(self.at) != b'!'
            && let Err(at) = anchor_end(self.bytes, self.at)
        {
            self.reject(|| Fault::scanner(at, "the names of anchors hold letters, digits, `-` and `_` alone", WORDS));
        }
    }

    /// The colon behind a key, and tabs behind it; whether there is one.
    fn colon(&mut self) -> bool {
        self.skip(|byte| byte == b' ');
        if self.byte(self.at) != b':' || !self.is_blank(self.at + 1) {
            return false;
        }
        self.at += 1;
        while matches!(self.byte(self.at), b' ' | b'\t') && self.at < self.bytes.len() {
            if self.byte(self.at) == b'\t' {
                self.found.edits.push(Edit { at: self.at, removed: 1, filler: Filler::Blanks(1) });
            }
            self.at += 1;
        }
        true
    }

    /// Plain text on one line. With a byte order mark in it, it is text.
    fn plain(&mut self) {
        let from = self.at;
        self.pass_plain();
        let text = self.bytes[from..self.at].trim_ascii_end();
        if memchr::memmem::find(text, BYTE_ORDER_MARK).is_some() {
            match memchr::memchr(b'\'', text) {
                None => self.quote(from..from + text.len()),
                Some(_) => self.drop_marks(from, self.at),
            }
        }
    }

    fn pass_plain(&mut self) {
        while !matches!(self.byte(self.at), b'\n') {
            let behind_blank = self.at > 0 && self.is_blank(self.at - 1);
            match self.byte(self.at) {
                b':' if self.is_blank(self.at + 1) => return,
                b'#' if behind_blank || self.at == 0 => return,
                _ => self.at += 1,
            }
        }
    }

    /// The lines of a block scalar, and perhaps too many of them.
    fn block(&mut self, indent: usize) {
        self.skip_line();
        while self.at < self.bytes.len() {
            let line = self.at;
            self.skip(|byte| byte == b' ');
            if self.at - line <= indent && !self.is_blank(self.at) {
                self.at = line;
                return;
            }
            self.skip_line();
        }
    }

    /// A quoted text whose quote stands at `column`.
    pub(super) fn quoted(&mut self, column: usize) {
        let quote = self.byte(self.at);
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.byte(self.at) {
                b'\\' if quote == b'"' && self.byte(self.at + 1) != b'\n' => self.escape(),
                b'\'' if quote == b'\'' && self.byte(self.at + 1) == b'\'' => self.at += 2,
                byte if byte == quote => {
                    self.at += 1;
                    return;
                }
                b'\n' => self.next_line(column),
                _ => self.at += 1,
            }
        }
        self.at = self.bytes.len();
        let end = self.at;
        self.reject(|| Fault::scanner(end, "quotes that never close", "found unexpected end of stream"));
    }

    /// An escape in double quotes.
    fn escape(&mut self) {
        let at = self.at;
        match self.byte(at + 1) {
            b'\'' => self.found.edits.push(Edit { at, removed: 1, filler: Filler::Blanks(0) }),
            b'/' => self.reject(|| {
                Fault::scanner(at, "`\\/` is an escape of JSON, not of YAML 1.1", "found unknown escape character")
            }),
            _ => {}
        }
        self.at += 2;
    }

    /// Steps over a line break inside quotes or brackets, behind which text may stand at any column.
    pub(super) fn next_line(&mut self, column: usize) {
        self.at += 1;
        let is_marker = self.bytes[self.at..].starts_with(b"...");
        if self.at < self.bytes.len() && !is_marker {
            self.insert(self.at, column + 1);
        }
    }
}
