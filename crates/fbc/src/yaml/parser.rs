//! Tokens to events, by the rules of yaml.v2 (`parserc.go`), for the first document of a text.
//!
//! The events of one document follow each other as in libyaml: a state decides which event is next, and a stack has the
//! states behind the nodes that are being read.

use super::fault::{Fault, Lines};
use super::scanner::{Kind, Line, Scanner, Style, Token};
use std::borrow::Cow;

/// A part of the document, and its bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Event<'a> {
    pub(super) what: What<'a>,
    pub(super) start: usize,
    /// For the end of a collection, the end of the last token in it.
    pub(super) end: usize,
}

/// The kind of an event.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What<'a> {
    Alias(&'a str),
    Scalar(Scalar<'a>),
    SequenceStart(Option<&'a str>),
    MappingStart(Option<&'a str>),
    /// The innermost collection is complete.
    End,
    /// The document is complete; nothing behind it is read.
    DocumentEnd,
}

/// A scalar with its anchor and its full tag.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scalar<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) style: Style,
    pub(super) anchor: Option<&'a str>,
    pub(super) tag: Option<Cow<'a, str>>,
}

impl Scalar<'_> {
    /// The scalar of a value that is not written.
    pub(super) const fn empty() -> Self {
        Self { text: Cow::Borrowed(""), style: Style::Plain, anchor: None, tag: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    DocumentStart,
    DocumentEnd,
    BlockSequenceEntry,
    /// An entry of a list that stands at the column of its key, where no token ends it.
    IndentlessEntry,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceFirst,
    FlowSequenceEntry,
    /// A mapping of one key in a list in brackets, without braces of its own.
    PairKey,
    PairValue,
    PairEnd,
    FlowMappingFirst,
    FlowMappingKey,
    FlowMappingValue,
    /// The value of a key without `:`.
    FlowMappingNoValue,
}

pub(super) struct Parser<'a> {
    scanner: Scanner<'a>,
    state: State,
    /// The states behind the nodes that are being read, the outermost first.
    behind: Vec<State>,
    /// Handles of tags and the prefixes that they stand for; the first one of a handle counts.
    prefixes: Vec<(&'a str, Cow<'a, str>)>,
    /// The end of the last token that has a text.
    last_end: usize,
}

type Result<T> = std::result::Result<T, Fault>;

impl<'a> Parser<'a> {
    /// Reads `text[start..]`.
    pub(super) fn new(text: &'a str, start: usize, lines: Lines) -> Self {
        Self {
            scanner: Scanner::new(text, start, lines),
            state: State::DocumentStart,
            behind: Vec::new(),
            prefixes: Vec::new(),
            last_end: start,
        }
    }

    /// How far the text was looked at.
    pub(super) fn position(&self) -> usize {
        self.scanner.position()
    }

    pub(super) fn next_event(&mut self) -> Result<Event<'a>> {
        match self.state {
            State::DocumentStart => self.document_start(),
            State::DocumentEnd => {
                let at = self.scanner.peek()?.start;
                Ok(Event { what: What::DocumentEnd, start: at, end: at })
            }
            State::BlockSequenceEntry => self.block_sequence_entry(),
            State::IndentlessEntry => self.indentless_entry(),
            State::BlockMappingKey => self.block_mapping_key(),
            State::BlockMappingValue => self.block_mapping_value(),
            State::FlowSequenceFirst => self.flow_sequence_entry(true),
            State::FlowSequenceEntry => self.flow_sequence_entry(false),
            State::PairKey => self.pair_key(),
            State::PairValue => self.flow_value(State::PairEnd),
            State::PairEnd => self.end(State::FlowSequenceEntry),
            State::FlowMappingFirst => self.flow_mapping_key(true),
            State::FlowMappingKey => self.flow_mapping_key(false),
            State::FlowMappingValue => self.flow_value(State::FlowMappingKey),
            State::FlowMappingNoValue => self.no_node_here(State::FlowMappingKey),
        }
    }

    /// Skips the value of the key that was read last, if it begins on the next line and `skip` finds its end: `skip` gets
    /// the first byte of that line and the column of the key, and returns the first byte of the line behind the value.
    ///
    /// Returns the first byte of the value and the one behind its last.
    pub(super) fn skip_block_value(
        &mut self,
        key: usize,
        skip: impl FnOnce(usize, usize) -> Option<usize>,
    ) -> Result<Option<(usize, usize)>> {
        if self.state != State::BlockMappingValue || !self.is_next(|kind| *kind == Kind::Value)? {
            return Ok(None);
        }
        let colon = self.scanner.peek()?.end;
        let text = self.scanner.text();
        let line = text[..key].rfind('\n').map_or(0, |newline| newline + 1);
        let rest = text[colon..].trim_start_matches(' ');
        let from = text.len() - rest.len() + 1;
        let is_alone = rest.starts_with('\n') && text[line..key].bytes().all(|byte| byte == b' ');
        if !is_alone || !self.scanner.is_all_read() {
            return Ok(None);
        }
        let Some(behind) = skip(from, key - line) else { return Ok(None) };
        self.take();
        self.scanner.jump(behind);
        self.state = State::BlockMappingKey;
        let value = text[from..behind].trim_end();
        self.last_end = from + value.len();
        Ok(Some((self.last_end - value.trim_start().len(), self.last_end)))
    }

    /// Reads the next key and its value, if they are simple text on one line ([`Scanner::line`]) of which no token was read yet.
    pub(super) fn line(&mut self) -> Result<Option<Line>> {
        let behind: Option<fn(&Kind<'a>) -> bool> = match self.state {
            State::BlockMappingKey => None,
            State::BlockMappingValue => Some(|kind| *kind == Kind::Value),
            State::BlockSequenceEntry | State::IndentlessEntry => Some(|kind| *kind == Kind::BlockEntry),
            _ => return Ok(None),
        };
        let opens = behind.is_some();
        let is_at_line = match behind {
            Some(is_meant) => self.is_next(is_meant)? && self.scanner.is_all_read(),
            None => self.scanner.is_all_taken(),
        };
        if !is_at_line {
            return Ok(None);
        }
        let Some(line) = self.scanner.line(opens) else { return Ok(None) };
        if opens {
            self.take();
            self.behind.push(if self.state == State::BlockMappingValue { State::BlockMappingKey } else { self.state });
            self.state = State::BlockMappingKey;
        }
        self.last_end = line.value.end;
        Ok(Some(line))
    }

    fn take(&mut self) -> Token<'a> {
        let token = self.scanner.take();
        if token.end > token.start {
            self.last_end = token.end;
        }
        token
    }

    fn is_next(&mut self, is: fn(&Kind<'a>) -> bool) -> Result<bool> {
        Ok(is(&self.scanner.peek()?.kind))
    }

    /// The error that yaml.v2 reports when it does not expect the next token.
    fn fault<T>(&mut self, words: &'static str) -> Result<T> {
        let at = self.scanner.peek()?.start;
        Err(Fault::parser(at, words, self.scanner.is_in_added_line(at)))
    }

    /// A missing value, behind which comes `state`.
    fn no_node(&mut self, at: usize, state: State) -> Result<Event<'a>> {
        self.state = state;
        Ok(Event { what: What::Scalar(Scalar::empty()), start: at, end: at })
    }

    fn no_node_here(&mut self, state: State) -> Result<Event<'a>> {
        let at = self.scanner.peek()?.start;
        self.no_node(at, state)
    }

    /// A node, behind which comes `state`.
    fn node_before(&mut self, state: State, nodes: Nodes) -> Result<Event<'a>> {
        self.behind.push(state);
        self.node(nodes)
    }

    /// A node, or a missing value at `at` where the next token cannot begin a node.
    fn node_unless(
        &mut self,
        is_none: fn(&Kind<'a>) -> bool,
        at: usize,
        state: State,
        nodes: Nodes,
    ) -> Result<Event<'a>> {
        if self.is_next(is_none)? { self.no_node(at, state) } else { self.node_before(state, nodes) }
    }

    /// The end of a collection without a token of its own.
    fn end(&mut self, state: State) -> Result<Event<'a>> {
        let start = self.scanner.peek()?.start;
        self.state = state;
        Ok(Event { what: What::End, start, end: self.last_end })
    }

    /// The state behind the node that is complete now.
    fn pop(&mut self) -> State {
        self.behind.pop().unwrap_or(State::DocumentEnd)
    }

    /// Takes the token that ends a collection.
    fn take_end(&mut self) -> Result<Event<'a>> {
        let start = self.take().start;
        self.state = self.pop();
        Ok(Event { what: What::End, start, end: self.last_end })
    }

    fn document_start(&mut self) -> Result<Event<'a>> {
        let is_implicit =
            !self.is_next(|kind| is_directive(kind) || matches!(kind, Kind::DocumentStart | Kind::StreamEnd))?;
        let has_directives = self.directives()?;
        if is_implicit {
            return self.node(Nodes::Block);
        }
        if !has_directives && self.is_next(|kind| *kind == Kind::StreamEnd)? {
            return self.no_node_here(State::DocumentEnd);
        }
        if !self.is_next(|kind| *kind == Kind::DocumentStart)? {
            return self.fault("did not find expected <document start>");
        }
        self.take();
        let at = self.scanner.peek()?.start;
        let is_none = |kind: &Kind<'a>| {
            is_directive(kind) || matches!(kind, Kind::DocumentStart | Kind::DocumentEnd | Kind::StreamEnd)
        };
        self.node_unless(is_none, at, State::DocumentEnd, Nodes::Block)
    }

    /// Reads the directives. Returns whether there are any.
    fn directives(&mut self) -> Result<bool> {
        let before = self.last_end;
        let mut has_version = false;
        while self.is_next(is_directive)? {
            match self.scanner.peek()?.kind.clone() {
                Kind::Version(..) if has_version => return self.fault("found duplicate %YAML directive"),
                Kind::Version(1, 1) => has_version = true,
                Kind::TagPrefix { handle, .. } if self.prefixes.iter().any(|(known, _)| *known == handle) => {
                    return self.fault("found duplicate %TAG directive");
                }
                Kind::TagPrefix { handle, prefix } => self.prefixes.push((handle, prefix)),
                _ => return self.fault("found incompatible YAML document"),
            }
            self.take();
        }
        self.prefixes.extend([("!", "!".into()), ("!!", "tag:yaml.org,2002:".into())]);
        Ok(self.last_end > before)
    }

    fn node(&mut self, nodes: Nodes) -> Result<Event<'a>> {
        if let Kind::Alias(name) = self.scanner.peek()?.kind {
            let Token { start, end, .. } = self.take();
            self.state = self.pop();
            return Ok(Event { what: What::Alias(name), start, end });
        }
        let Properties { anchor, tag, undefined_tag, start: before, end } = self.properties()?;
        let next = self.scanner.peek()?;
        if let Some(at) = undefined_tag {
            return Err(Fault::parser(at, "found undefined tag handle", false));
        }
        let start = next.start;
        let (what, state) = match next.kind {
            Kind::BlockEntry if nodes == Nodes::BlockOrIndentless => {
                let what = What::SequenceStart(anchor);
                self.state = State::IndentlessEntry;
                return Ok(Event { what, start, end: start });
            }
            Kind::Scalar(ref mut text, style) => {
                let text = std::mem::take(text);
                (What::Scalar(Scalar { text, style, anchor, tag }), None)
            }
            Kind::FlowSequenceStart => (What::SequenceStart(anchor), Some(State::FlowSequenceFirst)),
            Kind::FlowMappingStart => (What::MappingStart(anchor), Some(State::FlowMappingFirst)),
            Kind::BlockSequenceStart if nodes != Nodes::Flow => {
                (What::SequenceStart(anchor), Some(State::BlockSequenceEntry))
            }
            Kind::BlockMappingStart if nodes != Nodes::Flow => {
                (What::MappingStart(anchor), Some(State::BlockMappingKey))
            }
            _ if anchor.is_some() || tag.is_some() => {
                self.state = self.pop();
                let scalar = Scalar { anchor, tag, ..Scalar::empty() };
                return Ok(Event { what: What::Scalar(scalar), start: before.unwrap_or(start), end });
            }
            _ => return self.fault("did not find expected node content"),
        };
        let end = self.take().end;
        self.state = match state {
            Some(state) => state,
            None => self.pop(),
        };
        Ok(Event { what, start, end })
    }

    /// An anchor and a tag, in either order.
    fn properties(&mut self) -> Result<Properties<'a>> {
        let mut found = Properties::default();
        for _ in 0..2 {
            match self.scanner.peek()?.kind.clone() {
                Kind::Anchor(name) if found.anchor.is_none() => found.anchor = Some(name),
                Kind::Tag { handle, suffix } if found.tag.is_none() => found.tag = Some(self.tag(handle, suffix)),
                _ => break,
            }
            let Token { start, end, .. } = self.take();
            if found.tag.as_deref() == Some("") {
                found.undefined_tag.get_or_insert(start);
            }
            found.start.get_or_insert(start);
            found.end = end;
        }
        Ok(found)
    }

    /// A tag with its handle replaced by what it stands for; empty when the handle is unknown.
    fn tag(&self, handle: &str, suffix: Cow<'a, str>) -> Cow<'a, str> {
        if handle.is_empty() {
            return suffix;
        }
        let known = self.prefixes.iter().find(|(known, _)| *known == handle);
        known.map(|(_, prefix)| format!("{prefix}{suffix}")).unwrap_or_default().into()
    }

    fn block_sequence_entry(&mut self) -> Result<Event<'a>> {
        match self.scanner.peek()?.kind {
            Kind::BlockEntry => {
                let at = self.take().end;
                let is_none = |kind: &Kind<'a>| matches!(kind, Kind::BlockEntry | Kind::BlockEnd);
                self.node_unless(is_none, at, State::BlockSequenceEntry, Nodes::Block)
            }
            Kind::BlockEnd => self.take_end(),
            _ => self.fault("did not find expected '-' indicator"),
        }
    }

    fn indentless_entry(&mut self) -> Result<Event<'a>> {
        if !self.is_next(|kind| *kind == Kind::BlockEntry)? {
            let state = self.pop();
            return self.end(state);
        }
        let at = self.take().end;
        let is_none = |kind: &Kind<'a>| matches!(kind, Kind::BlockEntry | Kind::Key | Kind::Value | Kind::BlockEnd);
        self.node_unless(is_none, at, State::IndentlessEntry, Nodes::Block)
    }

    fn block_mapping_key(&mut self) -> Result<Event<'a>> {
        match self.scanner.peek()?.kind {
            Kind::Key => self.block_mapping_node(State::BlockMappingValue),
            Kind::BlockEnd => self.take_end(),
            _ => self.fault("did not find expected key"),
        }
    }

    fn block_mapping_value(&mut self) -> Result<Event<'a>> {
        match self.is_next(|kind| *kind == Kind::Value)? {
            true => self.block_mapping_node(State::BlockMappingKey),
            false => self.no_node_here(State::BlockMappingKey),
        }
    }

    /// The node behind the `?` or `:` that comes next.
    fn block_mapping_node(&mut self, state: State) -> Result<Event<'a>> {
        let at = self.take().end;
        let is_none = |kind: &Kind<'a>| matches!(kind, Kind::Key | Kind::Value | Kind::BlockEnd);
        self.node_unless(is_none, at, state, Nodes::BlockOrIndentless)
    }

    /// Steps over the comma before an entry in brackets. Returns whether the brackets end instead.
    fn is_flow_end(&mut self, is_first: bool, end: &Kind<'a>, words: &'static str) -> Result<bool> {
        if !is_first && self.scanner.peek()?.kind != *end {
            if !self.is_next(|kind| *kind == Kind::FlowEntry)? {
                return self.fault(words);
            }
            self.take();
        }
        Ok(self.scanner.peek()?.kind == *end)
    }

    fn flow_sequence_entry(&mut self, is_first: bool) -> Result<Event<'a>> {
        if self.is_flow_end(is_first, &Kind::FlowSequenceEnd, "did not find expected ',' or ']'")? {
            return self.take_end();
        }
        if self.is_next(|kind| *kind == Kind::Key)? {
            let Token { start, end, .. } = self.take();
            self.state = State::PairKey;
            return Ok(Event { what: What::MappingStart(None), start, end });
        }
        self.node_before(State::FlowSequenceEntry, Nodes::Flow)
    }

    fn pair_key(&mut self) -> Result<Event<'a>> {
        if !self.is_next(|kind| matches!(kind, Kind::Value | Kind::FlowEntry | Kind::FlowSequenceEnd))? {
            return self.node_before(State::PairValue, Nodes::Flow);
        }
        // yaml.v2 takes the token, so that `[? : a]` has no value behind its missing key.
        let at = self.take().end;
        self.no_node(at, State::PairValue)
    }

    fn flow_mapping_key(&mut self, is_first: bool) -> Result<Event<'a>> {
        if self.is_flow_end(is_first, &Kind::FlowMappingEnd, "did not find expected ',' or '}'")? {
            return self.take_end();
        }
        if !self.is_next(|kind| *kind == Kind::Key)? {
            return self.node_before(State::FlowMappingNoValue, Nodes::Flow);
        }
        self.take();
        let at = self.scanner.peek()?.start;
        let is_none = |kind: &Kind<'a>| matches!(kind, Kind::Value | Kind::FlowEntry | Kind::FlowMappingEnd);
        self.node_unless(is_none, at, State::FlowMappingValue, Nodes::Flow)
    }

    /// The value of a key in brackets, behind which comes `state`.
    fn flow_value(&mut self, state: State) -> Result<Event<'a>> {
        if !self.is_next(|kind| *kind == Kind::Value)? {
            return self.no_node_here(state);
        }
        self.take();
        let at = self.scanner.peek()?.start;
        let end = if state == State::PairEnd { Kind::FlowSequenceEnd } else { Kind::FlowMappingEnd };
        let next = &self.scanner.peek()?.kind;
        if *next == Kind::FlowEntry || *next == end {
            self.no_node(at, state)
        } else {
            self.node_before(state, Nodes::Flow)
        }
    }
}

const fn is_directive(kind: &Kind<'_>) -> bool {
    matches!(kind, Kind::Version(..) | Kind::TagPrefix { .. })
}

/// Which nodes are allowed at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nodes {
    /// Scalars and collections in brackets.
    Flow,
    /// Also block collections.
    Block,
    /// Also a list at the column of the key it belongs to.
    BlockOrIndentless,
}

/// The anchor and the tag before a node.
#[derive(Default)]
struct Properties<'a> {
    anchor: Option<&'a str>,
    tag: Option<Cow<'a, str>>,
    /// The place of the tag, if its handle is unknown.
    undefined_tag: Option<usize>,
    start: Option<usize>,
    end: usize,
}
