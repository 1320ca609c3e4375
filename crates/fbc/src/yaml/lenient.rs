//! Where yaml.v2 and our parser differ.
//!
//! What yaml.v2 reads and our parser does not: text inside quotes and brackets that is indented too little, comments and
//! tabs right behind a value or colon, brackets that are nested deep, a lone `-` in brackets, byte order marks, `\'` in
//! double quotes, anything behind `...`. A chunk that our parser rejects is looked over once more, and where it has such
//! places an outline is made in which they are not: blanks and quotes are added, and deep brackets are left out, to be
//! read by themselves.
//!
//! What our parser reads and yaml.v2 does not: tabs before the first text of a line or behind a dash, `?` within plain
//! text in brackets, `\/` in double quotes, dots in the names of anchors.
//!
//! Knows just enough of YAML to tell quotes, brackets, comments and block scalars from other text; where it errs, the
//! outline is rejected as well.

use super::fault::Fault;
use super::outline::{Edit, Filler};
use order::Order;
use std::ops::Range;

/// How deep brackets are handed to the parser; it gives up at 255.
const SHALLOW: usize = 200;

/// yaml.v2 `parserc.go`: `max_flow_level`.
const MAX_FLOW: usize = 10_000;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What was found in a chunk.
#[derive(Default)]
pub(super) struct Relaxed {
    /// How to make it a text that our parser reads, by place.
    pub(super) edits: Vec<Edit>,
    /// Brackets that the edits leave out.
    pub(super) deep: Vec<Range<usize>>,
    /// The first text that yaml.v2 takes for a key and that is none, and where it notices.
    pub(super) no_colon: Option<Range<usize>>,
    /// The first thing else that yaml.v2 rejects.
    pub(super) rejected: Option<Fault>,
    /// The text needs more edits than a text does that is meant to be read.
    pub(super) is_over: bool,
    /// How many blanks may still be added.
    blanks_left: usize,
}

/// Looks over a chunk.
pub(super) fn relax(chunk: &str) -> Relaxed {
    let found = Relaxed { blanks_left: (4 << 20) + 2 * chunk.len(), ..Relaxed::default() };
    let mut lexer =
        Lexer { bytes: chunk.as_bytes(), at: 0, keys: Vec::new(), plain_below: None, is_plain: false, found };
    while lexer.at < lexer.bytes.len() {
        lexer.line();
    }
    let deep = &lexer.found.deep;
    lexer.found.edits.retain(|edit| !deep.iter().any(|range| range.start < edit.at && edit.at < range.end));
    lexer.found.edits.extend(deep.iter().map(|range| Edit {
        at: range.start + 1,
        removed: range.len() - 2,
        filler: Filler::Blanks(0),
    }));
    lexer.found.edits.order_by_key(|edit| edit.at);
    lexer.found
}

/// The first thing that yaml.v2 rejects in a text that our parser reads.
pub(super) fn rejected(text: &str) -> Option<Fault> {
    if is_suspicious(text.as_bytes()) { relax(text).rejected } else { None }
}

/// Whether there may be something that yaml.v2 rejects, as far as single bytes and those beside them tell.
fn is_suspicious(bytes: &[u8]) -> bool {
    let is_indent = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'-');
    let before = |at: usize| bytes[..at].iter().rev().find(|byte| !is_indent(byte)).is_none_or(|&byte| byte == b'\n');
    memchr::memchr_iter(b'\t', bytes).any(before)
        || memchr::memmem::find(bytes, br"\/").is_some()
        || (memchr::memchr2(b'[', b'{', bytes).is_some() && memchr::memchr(b'?', bytes).is_some())
        || memchr::memchr2_iter(b'&', b'*', bytes).any(|at| begins_node(bytes, at) && anchor_end(bytes, at).is_err())
}

fn begins_node(bytes: &[u8], at: usize) -> bool {
    at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b'[' | b'{' | b',')
}

/// The end of the name of the anchor or alias at `at`; where it goes on as no name may.
fn anchor_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = bytes[at + 1..].iter().take_while(|&&byte| is_name(byte)).count();
    let end = at + 1 + length;
    let ends =
        |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
    match bytes.get(end).is_none_or(|&byte| ends(byte)) {
        true => Ok(end),
        // Without a single letter our parser may know better.
        false if length == 0 => Ok(end),
        false => Err(end),
    }
}

impl Relaxed {
    /// What yaml.v2 finds before it gets to `fault`, or to the end of the document.
    pub(super) fn fault_before(&self, fault: Option<&Fault>, end: usize, base: usize) -> Option<Fault> {
        let first = fault.map_or(end, |fault| fault.at);
        if let Some(rejected) =
            self.rejected.as_ref().filter(|rejected| base + rejected.at < first || !rejected.has_line())
        {
            return Some(rejected.clone().shifted(base));
        }
        let no_colon = self.no_colon.as_ref()?;
        let comes_first = match fault {
            Some(fault) if fault.is_of_scanner() => base + no_colon.end <= fault.at,
            Some(fault) => base + no_colon.start <= fault.at,
            None => base + no_colon.start < end,
        };
        comes_first.then(|| Fault::no_colon(base + no_colon.end))
    }
}

struct Lexer<'c> {
    bytes: &'c [u8],
    at: usize,
    /// The columns of keys of the mappings around, from the outside in.
    keys: Vec<usize>,
    /// The column of the collection in which plain text ends the last line, so that the next may go on with it.
    plain_below: Option<usize>,
    /// The last node was plain text.
    is_plain: bool,
    found: Relaxed,
}

impl Lexer<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(b'\n')
    }

    fn is_blank(&self, at: usize) -> bool {
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
    fn drop_marks(&mut self, from: usize, to: usize) {
        let marks = memchr::memmem::find_iter(&self.bytes[from..to], BYTE_ORDER_MARK);
        let removed = BYTE_ORDER_MARK.len();
        self.found.edits.extend(marks.map(|at| Edit { at: from + at, removed, filler: Filler::Blanks(0) }));
    }

    fn insert(&mut self, at: usize, blanks: usize) {
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
    fn quote(&mut self, range: Range<usize>) {
        let edits = [range.start, range.end].map(|at| Edit { at, removed: 0, filler: Filler::Quote });
        self.found.edits.extend(edits);
    }

    fn reject(&mut self, fault: impl FnOnce() -> Fault) {
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
        self.skip(|byte| byte == b' ');
        let indent = self.at - start;
        if self.byte(self.at) == b'\t' {
            self.leading_tab(start, self.at);
            self.skip(|byte| byte == b' ' || byte == b'\t');
        }
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
        let mut collection = None;
        while self.byte(self.at) == b'-' && self.is_blank(self.at + 1) && self.at < self.bytes.len() {
            // A list may stand at the column of the key it belongs to.
            self.pop_keys(self.at - start + 1);
            collection = Some(self.at - start);
            self.plain_below = None;
            self.at += 1;
            self.skip(|byte| byte == b' ');
            if self.byte(self.at) == b'\t' {
                self.leading_tab(start, self.at);
                self.skip(|byte| byte == b' ' || byte == b'\t');
            }
        }
        let column = self.at - start;
        let first = self.at;
        self.pop_keys(column + 1);
        let opens = matches!(self.byte(first), b'[' | b'{' | b'"' | b'\'');
        let must_be_key = opens && self.keys.last() == Some(&column);
        let is_key = self.node(start, indent) && self.colon();
        let on_one_line = !self.bytes[first..self.at.min(self.bytes.len())].contains(&b'\n');
        if must_be_key && !(is_key && on_one_line) && self.found.no_colon.is_none() {
            self.found.no_colon = Some(first..self.next_token(first));
        }
        if is_key {
            if self.keys.last() != Some(&column) {
                self.keys.push(column);
            }
            self.plain_below = None;
            if !self.node(start, indent) {
                return;
            }
        }
        let collection = is_key.then_some(column).or(collection);
        self.end_plain(collection.filter(|_| self.is_plain && self.at > first));
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
            b'[' | b'{' => self.brackets(column),
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
    fn anchor(&mut self) {
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
    fn quoted(&mut self, column: usize) {
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
    fn next_line(&mut self, column: usize) {
        self.at += 1;
        let is_marker = self.bytes[self.at..].starts_with(b"...");
        if self.at < self.bytes.len() && !is_marker {
            self.insert(self.at, column + 1);
        }
    }

    /// Whether the dash here is a word of its own at the end of plain text, which is plain text to yaml.v2.
    fn is_lone_dash(&self, begins: bool) -> bool {
        (begins || self.is_blank(self.at - 1)) && matches!(self.byte(self.at + 1), b',' | b'[' | b']' | b'{' | b'}')
    }

    /// A list or mapping in brackets whose first one stands at `column`.
    fn brackets(&mut self, column: usize) {
        let mut depth = 0;
        let mut deep_from = 0;
        // Whether a scalar may begin here; inside of plain text quotes are like letters.
        let mut begins = true;
        let mut plain_from = self.at;
        let mut closing = Vec::new();
        while self.at < self.bytes.len() {
            let byte = self.byte(self.at);
            match byte {
                b'[' | b'{' => {
                    depth += 1;
                    closing.push(byte + 2);
                    if depth == SHALLOW {
                        deep_from = self.at;
                    }
                    if depth > MAX_FLOW {
                        let at = self.at;
                        self.reject(|| Fault::too_deep(at));
                    }
                    begins = true;
                }
                b']' | b'}' => {
                    if depth == SHALLOW {
                        self.found.deep.push(deep_from..self.at + 1);
                    }
                    depth -= 1;
                    closing.pop();
                    begins = false;
                    if self.byte(self.at + 1) == b'#' {
                        self.insert(self.at + 1, 1);
                    }
                }
                b'"' | b'\'' if begins => {
                    self.quoted(column);
                    begins = false;
                    if self.byte(self.at) == b'#' {
                        self.insert(self.at, 1);
                    }
                    continue;
                }
                b'#' if self.is_blank(self.at - 1) => {
                    self.at =
                        memchr::memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |end| self.at + end);
                    continue;
                }
                b'\n' => {
                    self.next_line(column);
                    continue;
                }
                b'?' if !begins => {
                    let list = closing.last() == Some(&b']');
                    let words =
                        if list { "did not find expected ',' or ']'" } else { "did not find expected ',' or '}'" };
                    let at = self.at;
                    self.reject(|| {
                        Fault::parser(at, "a `?` in brackets ends plain text: put the text in quotes", words)
                    });
                }
                b'-' if self.is_lone_dash(begins) => {
                    let from = if begins { self.at } else { plain_from };
                    if !self.bytes[from..self.at].iter().any(|byte| matches!(byte, b'\'' | b'"' | b'\n')) {
                        self.quote(from..self.at + 1);
                    }
                    begins = false;
                }
                b',' | b':' | b'?' => begins = true,
                b' ' | b'\t' | b'\r' => {}
                0xef if self.bytes[self.at..].starts_with(BYTE_ORDER_MARK) => {
                    self.drop_marks(self.at, self.at + BYTE_ORDER_MARK.len());
                    self.at += BYTE_ORDER_MARK.len() - 1;
                }
                b'*' | b'&' if begins => {
                    self.anchor();
                    begins = false;
                }
                _ => {
                    if begins {
                        plain_from = self.at;
                    }
                    begins = false;
                }
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}
