//! What yaml.v2 reads and our parser does not: text inside quotes and brackets that is indented too little, comments and
//! tabs right behind a value or colon, and brackets that are nested deep.
//!
//! A chunk that our parser rejects is looked over once more, and where it has such places an outline is made in which
//! they are not: blanks are added, and deep brackets are left out, to be read by themselves. Knows just enough of YAML
//! to tell quotes, brackets, comments and block scalars from other text; where it errs, the outline is rejected as well.

use super::fault::Fault;
use super::outline::Edit;
use std::ops::Range;

/// How deep brackets are handed to the parser; it gives up at 255.
const SHALLOW: usize = 200;

/// yaml.v2 `parserc.go`: `max_flow_level`.
const MAX_FLOW: usize = 10_000;

/// What was found in a chunk.
#[derive(Default)]
pub(super) struct Relaxed {
    /// How to make it a text that our parser reads, by place.
    pub(super) edits: Vec<Edit>,
    /// Brackets that the edits leave out.
    pub(super) deep: Vec<Range<usize>>,
    /// The first text that yaml.v2 takes for a key and that is none, and where it notices.
    pub(super) no_colon: Option<Range<usize>>,
    /// A bracket that is deeper than yaml.v2 reads.
    pub(super) too_deep: Option<usize>,
}

/// Looks over a chunk.
pub(super) fn relax(chunk: &str) -> Relaxed {
    let mut lexer = Lexer { bytes: chunk.as_bytes(), at: 0, keys: Vec::new(), found: Relaxed::default() };
    while lexer.at < lexer.bytes.len() {
        lexer.line();
    }
    let deep = &lexer.found.deep;
    lexer.found.edits.retain(|edit| !deep.iter().any(|range| range.start < edit.at && edit.at < range.end));
    lexer.found.edits.extend(deep.iter().map(|range| Edit {
        at: range.start + 1,
        removed: range.len() - 2,
        blanks: 0,
    }));
    lexer.found.edits.sort_by_key(|edit| edit.at);
    lexer.found
}

impl Relaxed {
    /// What yaml.v2 finds before it gets to `fault`, or to the end of the document.
    pub(super) fn fault_before(&self, fault: Option<&Fault>, end: usize, base: usize) -> Option<Fault> {
        if let Some(at) = self.too_deep {
            return Some(Fault::too_deep(base + at));
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
        self.at = memchr::memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |end| self.at + end + 1);
    }

    fn insert(&mut self, at: usize, blanks: usize) {
        self.found.edits.push(Edit { at, removed: 0, blanks });
    }

    /// A line outside of quotes and brackets, and what goes on behind it.
    fn line(&mut self) {
        let start = self.at;
        self.skip(|byte| byte == b' ');
        let indent = self.at - start;
        while self.byte(self.at) == b'-' && self.is_blank(self.at + 1) && self.at < self.bytes.len() {
            // A list may stand at the column of the key it belongs to.
            self.pop_keys(self.at - start + 1);
            self.at += 1;
            self.skip(|byte| byte == b' ' || byte == b'\t');
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
            if !self.node(start, indent) {
                return;
            }
        }
        self.skip_line();
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
        while matches!(self.byte(self.at), b'&' | b'!') {
            self.skip(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
            self.skip(|byte| byte == b' ' || byte == b'\t');
        }
        let column = self.at - line;
        match self.byte(self.at) {
            b'"' | b'\'' => self.quoted(column),
            b'[' | b'{' => self.brackets(column),
            b'|' | b'>' => {
                self.block(indent);
                return false;
            }
            _ => {
                self.plain();
                return true;
            }
        }
        if self.byte(self.at) == b'#' {
            self.insert(self.at, 1);
        }
        true
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
                self.found.edits.push(Edit { at: self.at, removed: 1, blanks: 1 });
            }
            self.at += 1;
        }
        true
    }

    /// Plain text on one line.
    fn plain(&mut self) {
        while !matches!(self.byte(self.at), b'\n') {
            let behind_blank = self.at > 0 && self.is_blank(self.at - 1);
            match self.byte(self.at) {
                b':' if self.is_blank(self.at + 1) => return,
                b'#' if behind_blank => return,
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
                b'\\' if quote == b'"' && self.byte(self.at + 1) != b'\n' => self.at += 2,
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
    }

    /// Steps over a line break inside quotes or brackets, behind which text may stand at any column.
    fn next_line(&mut self, column: usize) {
        self.at += 1;
        let is_marker = self.bytes[self.at..].starts_with(b"...");
        if self.at < self.bytes.len() && !is_marker {
            self.insert(self.at, column + 1);
        }
    }

    /// A list or mapping in brackets whose first one stands at `column`.
    fn brackets(&mut self, column: usize) {
        let mut depth = 0;
        let mut deep_from = 0;
        // Whether a scalar may begin here; inside of plain text quotes are like letters.
        let mut begins = true;
        while self.at < self.bytes.len() {
            let byte = self.byte(self.at);
            match byte {
                b'[' | b'{' => {
                    depth += 1;
                    if depth == SHALLOW {
                        deep_from = self.at;
                    }
                    if depth > MAX_FLOW && self.found.too_deep.is_none() {
                        self.found.too_deep = Some(self.at);
                    }
                    begins = true;
                }
                b']' | b'}' => {
                    if depth == SHALLOW {
                        self.found.deep.push(deep_from..self.at + 1);
                    }
                    depth -= 1;
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
                b',' | b':' | b'?' => begins = true,
                b' ' | b'\t' | b'\r' => {}
                _ => begins = false,
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}
