//! Lists and mappings in brackets.

use super::super::fault::Fault;
use super::BYTE_ORDER_MARK;
use super::lexer::Lexer;

/// How deep brackets are handed to the parser; it gives up at 255.
const SHALLOW: usize = 200;

/// yaml.v2 `parserc.go`: `max_flow_level`.
const MAX_FLOW: usize = 10_000;

/// A list or mapping, and those inside of it.
pub(super) struct Brackets<'l, 'c> {
    lexer: &'l mut Lexer<'c>,
    /// Where in its line the first one stands.
    column: usize,
    /// What closes those that are open, from the outside in.
    closing: Vec<u8>,
    /// Where the last one began that is too deep for the parser.
    deep_from: usize,
    /// Whether a scalar may begin here; inside of plain text quotes are like letters.
    begins: bool,
    /// Where the last plain text began.
    plain_from: usize,
}

impl<'l, 'c> Brackets<'l, 'c> {
    /// What begins where `lexer` stands.
    pub(super) fn new(lexer: &'l mut Lexer<'c>, column: usize) -> Self {
        let plain_from = lexer.at;
        Self { lexer, column, closing: Vec::new(), deep_from: 0, begins: true, plain_from }
    }

    /// Goes on to behind the last bracket.
    pub(super) fn pass(mut self) {
        while self.lexer.at < self.lexer.bytes.len() {
            self.step();
            if self.closing.is_empty() {
                return;
            }
        }
    }

    fn step(&mut self) {
        let at = self.lexer.at;
        match self.lexer.byte(at) {
            open @ (b'[' | b'{') => self.open(open),
            b']' | b'}' => self.close(),
            b'"' | b'\'' if self.begins => self.quoted(),
            b'#' if self.lexer.is_blank(at - 1) => self.comment(),
            b'\n' => self.lexer.next_line(self.column),
            b'?' if !self.begins => self.question(),
            b'?' if !self.lexer.is_blank(at + 1) => self.key_mark(),
            b'-' if self.is_lone_dash() => self.lone_dash(),
            b',' | b':' | b'?' => self.go_on(true),
            b' ' | b'\t' | b'\r' => self.lexer.at += 1,
            0xef if self.lexer.bytes[at..].starts_with(BYTE_ORDER_MARK) => {
                self.lexer.at += BYTE_ORDER_MARK.len();
                self.lexer.drop_marks(at, self.lexer.at);
            }
            b'*' | b'&' if self.begins => {
                self.lexer.anchor();
                self.go_on(false);
            }
            _ => self.plain(),
        }
    }

    /// Steps over one byte, behind which a scalar may begin or not.
    fn go_on(&mut self, begins: bool) {
        self.begins = begins;
        self.lexer.at += 1;
    }

    fn open(&mut self, bracket: u8) {
        let at = self.lexer.at;
        // `]` and `}` stand two behind what they close.
        self.closing.push(bracket + 2);
        if self.closing.len() == SHALLOW {
            self.deep_from = at;
        }
        if self.closing.len() > MAX_FLOW {
            self.lexer.reject(|| Fault::too_deep(at));
        }
        self.go_on(true);
    }

    fn close(&mut self) {
        if self.closing.len() == SHALLOW {
            self.lexer.found.deep.push(self.deep_from..self.lexer.at + 1);
        }
        self.closing.pop();
        self.go_on(false);
        self.part_from_comment();
    }

    fn quoted(&mut self) {
        self.lexer.quoted(self.column);
        self.begins = false;
        self.part_from_comment();
    }

    /// A comment right behind a value.
    fn part_from_comment(&mut self) {
        if self.lexer.byte(self.lexer.at) == b'#' {
            self.lexer.insert(self.lexer.at, 1);
        }
    }

    fn comment(&mut self) {
        let Lexer { bytes, at, .. } = &mut *self.lexer;
        *at = memchr::memchr(b'\n', &bytes[*at..]).map_or(bytes.len(), |end| *at + end);
    }

    /// A `?` at the start of a text marks a key in yaml.v2, also without a blank behind it.
    fn key_mark(&mut self) {
        let at = self.lexer.at;
        self.lexer.insert(at + 1, 1);
        self.lexer.found.misread.get_or_insert(at);
        self.go_on(true);
    }

    fn question(&mut self) {
        let at = self.lexer.at;
        let words = match self.closing.last() {
            Some(b']') => "did not find expected ',' or ']'",
            _ => "did not find expected ',' or '}'",
        };
        let message = "a `?` in brackets ends plain text: put the text in quotes";
        self.lexer.reject(|| Fault::parser(at, message, words));
        self.go_on(false);
    }

    /// Whether the dash here is a word of its own at the end of plain text, which is plain text to yaml.v2.
    fn is_lone_dash(&self) -> bool {
        let at = self.lexer.at;
        let ends = matches!(self.lexer.byte(at + 1), b',' | b'[' | b']' | b'{' | b'}');
        ends && (self.begins || self.lexer.is_blank(at - 1))
    }

    fn lone_dash(&mut self) {
        let at = self.lexer.at;
        let from = if self.begins { at } else { self.plain_from };
        if !self.lexer.bytes[from..at].iter().any(|byte| matches!(byte, b'\'' | b'"' | b'\n')) {
            self.lexer.quote(from..at + 1);
        }
        self.go_on(false);
    }

    fn plain(&mut self) {
        if self.begins {
            self.plain_from = self.lexer.at;
        }
        self.go_on(false);
    }
}
