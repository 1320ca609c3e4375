//! Text to tokens, by the rules of yaml.v2.
//!
//! yaml.v2 is a port of libyaml with rules of its own (`scannerc.go` of go.yaml.in/yaml/v2 v2.4.4); this follows its rules,
//! not those of YAML's specification. Two of them explain most of the code:
//!
//! - A scalar or collection may turn out to be a key only when the colon behind it is reached. Until then it is a *simple
//!   key* ([`Key`]), and the parser gets no token from it on; the colon inserts a `Key` token before it.
//! - Indentation becomes tokens: a column deeper than the last opens a block collection, a shallower one ends it.

mod chars;
mod scalars;
mod tag;

pub(in crate::yaml) use chars::Line;

use super::fault::{Fault, Lines};
use std::borrow::Cow;
use std::collections::VecDeque;

/// yaml.v2's bound on open brackets and on open block collections.
const MAX_DEPTH: usize = 10_000;

/// How many characters before its colon a key may begin.
const MAX_KEY: usize = 1024;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::yaml) enum Style {
    Plain,
    Quoted,
    Block,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::yaml) enum Kind<'a> {
    StreamEnd,
    /// `%YAML`, with the major and the minor version.
    Version(u8, u8),
    TagPrefix {
        handle: &'a str,
        prefix: Cow<'a, str>,
    },
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(&'a str),
    Anchor(&'a str),
    /// The handle is empty for a verbatim tag.
    Tag {
        handle: &'a str,
        suffix: Cow<'a, str>,
    },
    Scalar(Cow<'a, str>, Style),
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::yaml) struct Token<'a> {
    pub(in crate::yaml) kind: Kind<'a>,
    pub(in crate::yaml) start: usize,
    pub(in crate::yaml) end: usize,
}

/// A token that may turn out to be the start of a key.
#[derive(Clone, Copy, Debug, Default)]
struct Key {
    is_possible: bool,
    /// Only a key is allowed there, so that a missing colon is an error.
    is_required: bool,
    /// yaml.v2 finds it by its token. It loses this entry when brackets with nothing in them close right behind it: the
    /// parser then gets its token at once, and `[]: x` is an empty list.
    is_listed: bool,
    /// The number of its first token in the stream.
    token: usize,
    at: usize,
    column: usize,
}

/// Reads tokens one by one.
pub(in crate::yaml) struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    /// The first byte that is read.
    start: usize,
    at: usize,
    /// The first byte of the current line.
    line: usize,
    /// A place on the current line and its column, from which later columns are counted.
    counted: (usize, usize),
    flow_level: usize,
    indent: isize,
    indents: Vec<isize>,
    may_start_key: bool,
    /// The possible key of each level of brackets, the outermost first.
    keys: Vec<Key>,
    tokens: VecDeque<Token<'a>>,
    /// How many tokens the parser took.
    taken: usize,
    /// No key can be inserted before the first token in the queue any more.
    is_ready: bool,
    lines: Lines,
    /// The text begins with a second byte order mark.
    is_marked_twice: bool,
    /// The text ended in a line without a break; yaml.v2 then counts one line more.
    is_line_added: bool,
    has_ended: bool,
}

impl<'a> Scanner<'a> {
    pub(in crate::yaml) fn new(text: &'a str, start: usize, lines: Lines) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            start,
            at: start,
            line: start,
            counted: (start, 0),
            flow_level: 0,
            indent: -1,
            indents: Vec::new(),
            may_start_key: true,
            keys: vec![Key::default()],
            tokens: VecDeque::new(),
            taken: 0,
            is_ready: false,
            lines,
            is_marked_twice: text.as_bytes()[start..].starts_with(BYTE_ORDER_MARK),
            is_line_added: false,
            has_ended: false,
        }
    }

    /// The next token, which stays in the queue.
    pub(in crate::yaml) fn peek(&mut self) -> Result<&mut Token<'a>, Fault> {
        if !self.is_ready {
            self.fetch_until_ready()?;
        }
        Ok(self.tokens.front_mut().expect("fetching stops at the end of the stream, which is a token"))
    }

    /// Takes the token that was peeked at.
    pub(in crate::yaml) fn take(&mut self) -> Token<'a> {
        self.is_ready = false;
        self.taken += 1;
        self.tokens.pop_front().expect("a token is taken after it was peeked at")
    }

    pub(in crate::yaml) const fn text(&self) -> &'a str {
        self.text
    }

    /// How far the text was looked at, apart from the characters ahead.
    pub(in crate::yaml) fn position(&self) -> usize {
        match self.tokens.front() {
            // It was recognised by what is ahead of its first byte.
            Some(Token { kind: Kind::DocumentStart | Kind::DocumentEnd, start, .. }) => start + 1,
            _ => self.at,
        }
    }

    /// Whether yaml.v2 counts the place in the line behind the last, which it begins where the text ends without a break.
    pub(in crate::yaml) const fn is_in_added_line(&self, at: usize) -> bool {
        self.is_line_added && at == self.text.len()
    }

    /// Whether nothing behind the token that was taken last was read.
    pub(in crate::yaml) fn is_all_taken(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Whether nothing behind the next token was read.
    pub(in crate::yaml) fn is_all_read(&self) -> bool {
        self.tokens.len() == 1
    }

    /// Goes on at the start of a line, as if everything before it had been read and were a complete value.
    pub(in crate::yaml) fn jump(&mut self, line: usize) {
        self.at = line;
        self.begin_line();
        self.may_start_key = true;
    }

    fn fetch_until_ready(&mut self) -> Result<(), Fault> {
        while !self.has_ended {
            if !self.tokens.is_empty() {
                let Some(index) = self.key_of_next_token() else { break };
                if !self.is_still_possible(index)? {
                    break;
                }
            }
            self.fetch()?;
        }
        // Behind the end of the stream no colon can make the next token a key.
        if self.has_ended
            && let Some(index) = self.key_of_next_token()
        {
            self.is_still_possible(index)?;
        }
        self.is_ready = true;
        Ok(())
    }

    /// The simple key whose first token is the next one that the parser gets.
    fn key_of_next_token(&self) -> Option<usize> {
        let first = self.keys.partition_point(|key| key.token < self.taken);
        let same = self.keys[first..].iter().take_while(|key| key.token == self.taken);
        same.enumerate().find(|(_, key)| key.is_listed).map(|(offset, _)| first + offset)
    }

    /// Reads one more token, with those that its column implies.
    fn fetch(&mut self) -> Result<(), Fault> {
        self.skip_to_token();
        let column = self.column();
        self.end_deeper_than(column as isize);
        let Some(&first) = self.bytes.get(self.at) else { return self.stream_end() };
        if column == 0 {
            if first == b'%' {
                return self.directive();
            }
            if self.is_document_mark(self.at) {
                return self.document_mark(first);
            }
        }
        let in_flow = self.flow_level > 0;
        let before_blank = self.is_blank_or_end(self.at + 1);
        match first {
            b'[' => self.flow_start(Kind::FlowSequenceStart),
            b'{' => self.flow_start(Kind::FlowMappingStart),
            b']' => self.flow_end(Kind::FlowSequenceEnd),
            b'}' => self.flow_end(Kind::FlowMappingEnd),
            b',' => {
                self.drop_key()?;
                self.may_start_key = true;
                self.indicator(Kind::FlowEntry)
            }
            b'-' if before_blank => self.block_entry(),
            b'?' if in_flow || before_blank => self.explicit_key(),
            b':' if in_flow || before_blank => self.value(),
            b'*' | b'&' => self.scan(|scanner| scanner.anchor(first)),
            b'!' => self.scan(Self::tag),
            b'|' | b'>' if !in_flow => {
                self.drop_key()?;
                self.may_start_key = true;
                let token = self.block_scalar(first == b'|')?;
                self.push(token);
                Ok(())
            }
            b'\'' | b'"' => self.scan(|scanner| scanner.quoted(first)),
            b'|' | b'>' | b'%' | b'@' | b'`' | b'\t' => Err(self.no_token()),
            _ => self.scan(Self::plain),
        }
    }

    /// Reads a token that may be a key.
    fn scan(&mut self, read: impl FnOnce(&mut Self) -> Result<Token<'a>, Fault>) -> Result<(), Fault> {
        self.save_key()?;
        self.may_start_key = false;
        let token = read(self)?;
        self.push(token);
        Ok(())
    }

    fn push(&mut self, token: Token<'a>) {
        self.tokens.push_back(token);
    }

    /// Adds a token of one byte.
    fn indicator(&mut self, kind: Kind<'a>) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        self.push(Token { kind, start, end: self.at });
        Ok(())
    }

    /// Inserts a token of no bytes before the one with a number, or adds it when the parser took that one already.
    fn insert(&mut self, number: usize, kind: Kind<'a>, at: usize) {
        let token = Token { kind, start: at, end: at };
        match number.checked_sub(self.taken).filter(|&index| index <= self.tokens.len()) {
            Some(index) => self.tokens.insert(index, token),
            None => self.push(token),
        }
    }

    /// The number of the next token that is read.
    fn next_number(&self) -> usize {
        self.taken + self.tokens.len()
    }

    /// Whether a key may still begin at the simple key: it ends on its line, within some characters.
    fn is_still_possible(&mut self, index: usize) -> Result<bool, Fault> {
        let Key { is_possible, is_required, at, .. } = self.keys[index];
        if !is_possible || !(at < self.line || self.is_line_added || self.is_too_far_behind(at)) {
            return Ok(is_possible);
        }
        if is_required {
            return Err(self.no_colon(at));
        }
        self.keys[index].is_possible = false;
        Ok(false)
    }

    fn is_too_far_behind(&self, key: usize) -> bool {
        const LONGEST_CHAR: usize = 4;
        let bytes = self.at - key;
        bytes > MAX_KEY && (bytes > LONGEST_CHAR * MAX_KEY || self.text[key..self.at].chars().count() > MAX_KEY)
    }

    /// Notes that a key may begin here.
    fn save_key(&mut self) -> Result<(), Fault> {
        if !self.may_start_key {
            return Ok(());
        }
        let column = self.column();
        let is_required = self.flow_level == 0 && self.indent == column as isize;
        self.drop_key()?;
        let token = self.next_number();
        let key = Key { is_possible: true, is_required, is_listed: true, token, at: self.at, column };
        *self.last_key() = key;
        Ok(())
    }

    /// Gives up the simple key of this level.
    fn drop_key(&mut self) -> Result<(), Fault> {
        let Key { is_possible, is_required, at, .. } = *self.last_key();
        if is_possible && is_required {
            return Err(self.no_colon(at));
        }
        let key = self.last_key();
        key.is_listed &= !is_possible;
        key.is_possible = false;
        Ok(())
    }

    fn last_key(&mut self) -> &mut Key {
        self.keys.last_mut().expect("the outermost level never closes")
    }

    fn flow_start(&mut self, kind: Kind<'a>) -> Result<(), Fault> {
        self.save_key()?;
        self.keys.push(Key { token: self.next_number(), ..Key::default() });
        self.flow_level += 1;
        if self.flow_level > MAX_DEPTH {
            return Err(self.fault("exceeded max depth of 10000"));
        }
        self.may_start_key = true;
        self.indicator(kind)
    }

    fn flow_end(&mut self, kind: Kind<'a>) -> Result<(), Fault> {
        self.drop_key()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            let token = self.keys.pop().map(|key| key.token);
            let outer = self.last_key();
            outer.is_listed &= Some(outer.token) != token;
        }
        self.may_start_key = false;
        self.indicator(kind)
    }

    fn block_entry(&mut self) -> Result<(), Fault> {
        self.begin_block_here(Kind::BlockSequenceStart, "block sequence entries are not allowed in this context")?;
        self.drop_key()?;
        self.may_start_key = true;
        self.indicator(Kind::BlockEntry)
    }

    fn explicit_key(&mut self) -> Result<(), Fault> {
        self.begin_block_here(Kind::BlockMappingStart, "mapping keys are not allowed in this context")?;
        self.drop_key()?;
        self.may_start_key = self.flow_level == 0;
        self.indicator(Kind::Key)
    }

    fn value(&mut self) -> Result<(), Fault> {
        if self.is_still_possible(self.keys.len() - 1)? {
            let key = *self.last_key();
            self.insert(key.token, Kind::Key, key.at);
            self.begin_block(key.at, Some(key), Kind::BlockMappingStart)?;
            let last = self.last_key();
            last.is_possible = false;
            last.is_listed = false;
            self.may_start_key = false;
        } else {
            self.begin_block_here(Kind::BlockMappingStart, "mapping values are not allowed in this context")?;
            self.may_start_key = self.flow_level == 0;
        }
        self.indicator(Kind::Value)
    }

    /// Begins a block collection before the indicator here, outside of brackets.
    fn begin_block_here(&mut self, kind: Kind<'a>, not_allowed: &'static str) -> Result<(), Fault> {
        match (self.flow_level, self.may_start_key) {
            (0, true) => self.begin_block(self.at, None, kind),
            (0, false) => Err(self.fault(not_allowed)),
            _ => Ok(()),
        }
    }

    /// Begins a block collection here, or at a simple key, if that is deeper than the one around.
    fn begin_block(&mut self, at: usize, key: Option<Key>, kind: Kind<'a>) -> Result<(), Fault> {
        let column = key.map_or_else(|| self.column(), |key| key.column) as isize;
        if self.flow_level > 0 || self.indent >= column {
            return Ok(());
        }
        self.indents.push(self.indent);
        self.indent = column;
        if self.indents.len() > MAX_DEPTH {
            return Err(self.fault("exceeded max depth of 10000"));
        }
        let number = key.map_or_else(|| self.next_number(), |key| key.token);
        self.insert(number, kind, at);
        Ok(())
    }

    /// Ends the block collections that lie deeper than a column.
    fn end_deeper_than(&mut self, column: isize) {
        while self.flow_level == 0 && self.indent > column {
            self.push(Token { kind: Kind::BlockEnd, start: self.at, end: self.at });
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    fn stream_end(&mut self) -> Result<(), Fault> {
        self.is_line_added = self.at > self.line;
        self.end_deeper_than(-1);
        self.drop_key()?;
        self.may_start_key = false;
        self.has_ended = true;
        self.push(Token { kind: Kind::StreamEnd, start: self.at, end: self.at });
        Ok(())
    }

    fn document_mark(&mut self, first: u8) -> Result<(), Fault> {
        self.end_deeper_than(-1);
        self.drop_key()?;
        self.may_start_key = false;
        let kind = if first == b'-' { Kind::DocumentStart } else { Kind::DocumentEnd };
        let start = self.at;
        self.at += 3;
        self.push(Token { kind, start, end: self.at });
        Ok(())
    }

    /// An anchor or alias.
    fn anchor(&mut self, first: u8) -> Result<Token<'a>, Fault> {
        let start = self.at;
        self.at += 1;
        let name = self.word();
        let ends = matches!(self.byte(self.at), Some(b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'));
        if name.is_empty() || !(ends || self.is_blank_or_end(self.at)) {
            return Err(self.fault("did not find expected alphabetic or numeric character"));
        }
        let kind = if first == b'*' { Kind::Alias(name) } else { Kind::Anchor(name) };
        Ok(Token { kind, start, end: self.at })
    }

    /// The error that no token can begin here.
    fn no_token(&self) -> Fault {
        let fault = self.fault("found character that cannot start any token");
        if self.byte(self.at) == Some(b'\t') { fault.of_tab() } else { fault }
    }

    /// An error at the place that was reached.
    fn fault(&self, words: &'static str) -> Fault {
        self.fault_at(self.at, words)
    }

    /// An error that is best shown at `place`, although yaml.v2 names the line that was reached.
    fn fault_at(&self, place: usize, words: &'static str) -> Fault {
        Fault::scanner(place, words, self.at, self.is_line_added)
    }

    /// The error that a text has no colon where only a key is allowed.
    fn no_colon(&self, key: usize) -> Fault {
        self.fault_at(key, "could not find expected ':'")
    }
}
