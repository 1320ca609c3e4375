//! Events to nodes, with a stack of its own: as deep as the text, not as deep as the machine's stack.
//!
//! yaml.v2 reads a document in four passes: it parses all of it, decodes it, and sigs.k8s.io/yaml converts the result and
//! writes JSON. Here one pass does all of that, so an error of a later pass is kept in mind ([`Pass`]) until the document
//! is known to have none of an earlier one.

use super::fault::Fault;
use super::parser::{self, Event, Parser, What};
use super::scalar::{self, Scalar, interpret};
use super::scanner::{Line, Style};
use super::skip;
use crate::budget::{self, Budget, Spent};
use crate::node::{Entry, MAX_OPEN_DEPTH, last_of_each, same_field};
use crate::parse::Findings;
use crate::raw::{self, Text};
use crate::{Node, Value, go, go_type, reinterpreted_text};
use source::{Diagnostic, FileId, Span, Spanned};
use std::collections::BTreeMap;
use std::ops::Range;

/// The passes behind parsing in which yaml.v2 or its caller finds an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pass {
    Decode,
    Convert,
    Write,
}

/// Builds the tree of the first document of a chunk.
pub(super) struct Builder<'a> {
    file: FileId,
    /// The text of the file, up to the end of the chunk.
    text: &'a str,
    /// The file's byte at which the chunk begins.
    start: usize,
    open: Open,
    frames: Vec<Frame>,
    anchors: Anchors<'a>,
    budget: Budget,
    /// How many anchors and aliases were read so far.
    ties: usize,
    /// How many of the frames are only checked, and become unopened values.
    unkept: usize,
    diagnostics: Findings,
    /// Starts of skipped values that certainly have the shape of their type.
    fitting: Vec<u32>,
    root: Option<Node>,
    fault: Option<(Pass, Fault)>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(file: FileId, text: &'a str, start: usize, open: Open) -> Self {
        Self {
            file,
            text,
            start,
            budget: Budget::of(text.len() - start),
            open,
            frames: Vec::new(),
            anchors: Anchors::default(),
            ties: 0,
            unkept: 0,
            diagnostics: Findings::default(),
            fitting: Vec::new(),
            root: None,
            fault: None,
        }
    }

    /// Reads up to the end of the first document.
    pub(super) fn run(mut self, parser: &mut Parser<'a>) -> Result<Document, Fault> {
        loop {
            if self.skip_value(parser)? || self.line(parser)? {
                continue;
            }
            let Event { what, start, end } = parser.next_event()?;
            let span = self.span(start, end);
            match what {
                What::Scalar(scalar) => self.scalar(scalar, span)?,
                What::Alias(name) => self.alias(name, span)?,
                What::SequenceStart(anchor) => self.start(Items::Sequence(Vec::new()), anchor, span.start),
                What::MappingStart(anchor) => self.start(Items::Mapping(Vec::new(), None), anchor, span.start),
                What::End => self.end(span.end)?,
                What::DocumentEnd => return self.finish(start),
            }
        }
    }

    fn finish(self, end: usize) -> Result<Document, Fault> {
        if let Some((_, fault)) = self.fault {
            return Err(fault);
        }
        let empty = Node { span: Span::new(self.file, self.start as u32, self.start as u32), value: Value::Null };
        Ok(Document { node: self.root.unwrap_or(empty), end, diagnostics: self.diagnostics, fitting: self.fitting })
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    /// Keeps an error of a later pass, unless yaml.v2 finds another one first.
    fn reject(&mut self, pass: Pass, fault: impl FnOnce() -> Fault) {
        if self.fault.as_ref().is_none_or(|(first, _)| pass < *first) {
            self.fault = Some((pass, fault()));
        }
    }

    /// Adds a finding, unless it is about a value that nobody reads.
    fn report(&mut self, finding: Option<Diagnostic>) {
        if self.unkept == 0 {
            self.diagnostics.extend(finding);
        }
    }

    /// Skips the value of a property that nobody reads, if it is written simply enough. Returns whether it did.
    fn skip_value(&mut self, parser: &mut Parser<'a>) -> Result<bool, Fault> {
        let Some(kind) = self.unread_kind().filter(|_| self.open != Open::All && self.open.has_fast_paths()) else {
            return Ok(false);
        };
        let of = go_type::of_property(kind);
        let [.., Frame { items: Items::Mapping(_, Some(Key::Plain(key))), .. }] = &*self.frames else {
            return Ok(false);
        };
        let mut fits = false;
        let skip = |from: usize, column: usize| {
            let (end, is_of_type) = skip::mapping(self.text, from, column, of)?;
            fits = is_of_type;
            Some(end)
        };
        let skipped = parser.skip_block_value(key.span.start as usize, skip)?;
        let Some((start, end)) = skipped else { return Ok(false) };
        let span = self.span(start, end);
        if fits {
            self.fitting.push(span.start);
        }
        self.anchors.decoded += 1;
        self.attach(Node { span, value: Value::Unopened }, 1)?;
        Ok(true)
    }

    /// Reads a key and its value that are written on one line, if they are simple enough. Returns whether it did.
    fn line(&mut self, parser: &mut Parser<'a>) -> Result<bool, Fault> {
        if !self.open.has_fast_paths() {
            return Ok(false);
        }
        let Some(Line { opens, key, value }) = parser.line()? else { return Ok(false) };
        if opens {
            self.start(Items::Mapping(Vec::new(), None), None, key.start as u32);
        }
        for Range { start, end } in [key, value] {
            let scalar = parser::Scalar { text: self.text[start..end].into(), ..parser::Scalar::empty() };
            self.scalar(scalar, self.span(start, end))?;
        }
        Ok(true)
    }

    /// The type of the property whose value comes next, if nobody reads such values.
    fn unread_kind(&self) -> Option<&str> {
        let [root, _, property] = self.frames.as_slice() else { return None };
        let is_value = property.expects("value") && root.expects("properties");
        if !is_value {
            return None;
        }
        property.text_of("type").filter(|kind| !raw::is_read(kind))
    }

    fn start(&mut self, items: Items, anchor: Option<&'a str>, start: u32) {
        self.anchors.decoded += 1;
        let is_kept = self.frames.len() < MAX_OPEN_DEPTH
            && (self.open == Open::All || anchor.is_some() || self.unread_kind().is_none());
        let unkept = (!is_kept).then_some((self.budget, self.ties));
        self.unkept += usize::from(!is_kept);
        let anchor = self.begin_anchor(anchor);
        self.frames.push(Frame {
            items,
            start,
            end: start,
            anchor,
            height: 0,
            decoded_before: self.anchors.decoded - 1,
            unkept,
        });
    }

    /// The number of an anchor that begins now, 0 for none.
    fn begin_anchor(&mut self, name: Option<&'a str>) -> usize {
        let Some(name) = name else { return 0 };
        self.ties += 1;
        self.anchors.begin(name)
    }

    fn scalar(&mut self, scalar: parser::Scalar<'a>, span: Span) -> Result<(), Fault> {
        let span = self.scalar_span(&scalar, span);
        let at = span.start as usize;
        self.anchors.decoded += 1;
        let resolved = interpret(&scalar).unwrap_or_else(|go| {
            self.reject(Pass::Decode, || Fault::misfit(at, go));
            Scalar::Text
        });
        let anchor = self.begin_anchor(scalar.anchor);
        let is_key = self.frames.last().is_some_and(Frame::expects_key);
        let is_plain = scalar.style == Style::Plain && scalar.tag.is_none();
        if is_key {
            let written = if is_plain && resolved != Scalar::Text { scalar.text.clone() } else { "".into() };
            if anchor != 0 {
                let value = scalar::value(scalar.text.clone(), resolved, None).unwrap_or(Value::Null);
                self.define(anchor, &Node { span, value }, 0, 1)?;
            }
            if scalar::is_merge(&scalar) {
                return self.set_key(Key::Merge);
            }
            let Some(key) = scalar::key(scalar.text, resolved) else { return self.set_key(Key::Null(span)) };
            if !written.is_empty() {
                self.report(reinterpreted_text::key(&written, &key, span));
            }
            return self.set_key(Key::Plain(Spanned::new(key, span)));
        }
        if is_plain && self.is_in_property_value() {
            self.report(reinterpreted_text::value(&scalar.text, resolved, span));
        }
        let value = scalar::value(scalar.text, resolved, scalar.tag.as_deref()).unwrap_or_else(|go| {
            let pass = if go.starts_with("json: ") { Pass::Write } else { Pass::Decode };
            self.reject(pass, || Fault::misfit(at, go));
            Value::Null
        });
        let node = Node { span, value };
        self.define(anchor, &node, 0, 1)?;
        self.attach(node, 0)
    }

    /// The place of a scalar; that of a missing one is behind its key.
    fn scalar_span(&self, scalar: &parser::Scalar<'_>, span: Span) -> Span {
        if !scalar.text.is_empty() || scalar.style == Style::Quoted {
            return span;
        }
        let behind = match self.frames.last().map(|frame| (&frame.items, frame.end)) {
            Some((Items::Mapping(_, Some(Key::Plain(key))), _)) => key.span.end,
            Some((_, end)) => end,
            None => span.start,
        };
        Span::new(self.file, behind, behind)
    }

    /// Whether what comes next is part of the value of a property, which may have any type.
    fn is_in_property_value(&self) -> bool {
        matches!(self.frames.as_slice(), [root, _, property, ..] if root.expects("properties") && property.expects("value"))
    }

    fn alias(&mut self, name: &'a str, span: Span) -> Result<(), Fault> {
        let at = span.start as usize;
        self.ties += 1;
        let Some(anchor) = self.anchors.named(name) else {
            let go = format!("unknown anchor '{name}' referenced");
            return Err(Fault::bare(at, format!("no anchor `&{name}` stands before this alias"), go));
        };
        self.anchors.decoded += 1;
        let is_merge = matches!(self.frames.last(), Some(Frame { items: Items::Mapping(_, Some(Key::Merge)), .. }));
        let target = self.frames.iter().find(|frame| frame.anchor == anchor);
        if is_merge && matches!(target, Some(Frame { items: Items::Sequence(_), .. })) {
            self.reject(Pass::Decode, || no_merge(at));
        }
        let (value, height) = self.alias_value(anchor, name, at)?;
        if self.frames.last().is_some_and(Frame::expects_key) {
            let key = match value {
                Value::String(text) => Key::Plain(Spanned::new(text, span)),
                Value::Bool(value) => Key::Plain(Spanned::new(value.to_string().into(), span)),
                Value::Number(number) => Key::Plain(Spanned::new(go::coerced(number).into(), span)),
                Value::Null => Key::Null(span),
                value => self.collection_key(&Node { span, value }),
            };
            return self.set_key(key);
        }
        if is_merge && !matches!(value, Value::Mapping(_) | Value::Unopened) {
            self.reject(Pass::Decode, || no_merge(at));
        }
        self.attach(Node { span, value }, height)
    }

    /// The value that an alias stands for, and how many levels it has.
    fn alias_value(&mut self, anchor: usize, name: &str, at: usize) -> Result<(Value, usize), Fault> {
        if self.frames.iter().any(|frame| frame.anchor == anchor) {
            let go = format!("anchor '{name}' value contains itself");
            self.reject(Pass::Decode, || Fault::bare(at, "an alias inside the value it stands for", go));
        }
        let depth = self.frames.len();
        let target = match self.anchors.expand(anchor, at) {
            Ok(target) => target,
            Err(fault) => {
                self.reject(Pass::Decode, || fault);
                None
            }
        };
        match target.filter(|target| self.fault.is_none() && depth + target.height <= MAX_OPEN_DEPTH) {
            Some(target) => {
                self.budget.spend(target.weight).map_err(|Spent| Fault::spent(at))?;
                Ok((target.node.value.clone(), target.height))
            }
            None => Ok((Value::Unopened, 0)),
        }
    }

    /// Keeps a node that aliases may name.
    fn define(&mut self, anchor: usize, node: &Node, height: usize, size: u64) -> Result<(), Fault> {
        let weight = self.anchors.define(anchor, node, height, size);
        self.budget.spend(weight).map_err(|Spent| Fault::spent(node.span.start as usize))
    }

    fn set_key(&mut self, next: Key) -> Result<(), Fault> {
        if let Key::Plain(key) = &next {
            self.budget.key(&key.value).map_err(|Spent| Fault::spent(key.span.start as usize))?;
        }
        if let Some(Frame { items: Items::Mapping(_, key), .. }) = self.frames.last_mut() {
            *key = Some(next);
        }
        Ok(())
    }

    /// Rejects a list or mapping that is a key.
    fn collection_key(&mut self, node: &Node) -> Key {
        self.reject(Pass::Decode, || {
            let go = format!("invalid map key: {}", go::syntax(&node.to_json(self.text).unwrap_or_default()));
            Fault::bare(node.span.start as usize, "a list or mapping cannot be a key", go)
        });
        Key::Collection
    }

    fn end(&mut self, end: u32) -> Result<(), Fault> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let span = Span::new(self.file, frame.start, end.max(frame.start));
        let value = match frame.items {
            Items::Sequence(mut items) => {
                items.shrink_to_fit();
                Value::Sequence(items)
            }
            Items::Mapping(entries, _) => {
                let mut ignored = Findings::default();
                let diagnostics = if self.unkept == 0 { &mut self.diagnostics } else { &mut ignored };
                Value::Mapping(last_of_each(entries, diagnostics))
            }
        };
        let mut node = Node { span, value };
        self.define(frame.anchor, &node, frame.height, self.anchors.decoded - frame.decoded_before)?;
        if let Some((budget, ties)) = frame.unkept {
            self.unkept -= 1;
            let is_tied = ties < self.ties;
            // What names an anchor cannot be read again by itself, and anchored nodes are kept anyway.
            if !is_tied || self.frames.len() >= MAX_OPEN_DEPTH {
                node.value = Value::Unopened;
            }
            if !is_tied {
                self.budget = budget;
            }
        }
        self.attach(node, frame.height)
    }

    /// Hands a finished node to the collection around it.
    fn attach(&mut self, node: Node, height: usize) -> Result<(), Fault> {
        let at = node.span.start as usize;
        self.budget.node(&node).map_err(|Spent| Fault::spent(at))?;
        if self.frames.last().is_some_and(Frame::expects_key) {
            let key = self.collection_key(&node);
            return self.set_key(key);
        }
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        frame.height = frame.height.max(height + 1);
        frame.end = frame.end.max(node.span.end);
        match &mut frame.items {
            Items::Sequence(items) => items.push(node),
            Items::Mapping(entries, key) => match key.take() {
                Some(Key::Plain(key)) => entries.push(Entry { key, node, merged: false }),
                Some(Key::Merge) => {
                    if !merge(entries, node) {
                        self.reject(Pass::Decode, || no_merge(at));
                    }
                }
                Some(Key::Null(key)) => self.reject(Pass::Convert, || {
                    let value = go::syntax(&node.to_json(self.text).unwrap_or_default());
                    let go = format!("unsupported map key of type: %!s(<nil>), key: <nil>, value: {value}");
                    Fault::misfit(key.start as usize, go)
                }),
                Some(Key::Collection) | None => {}
            },
        }
        Ok(())
    }
}

/// Adds the value of `<<`: a mapping, or a list of mappings of which the first wins. Returns whether it is one of these.
fn merge(entries: &mut Vec<Entry>, node: Node) -> bool {
    let mappings = match node.value {
        Value::Sequence(items) => items,
        value => vec![Node { span: node.span, value }],
    };
    mappings.into_iter().rev().all(|mapping| match mapping.value {
        Value::Mapping(merged) => {
            entries.extend(merged.into_iter().map(|(key, node)| Entry { key, node, merged: true }));
            true
        }
        value => value == Value::Unopened,
    })
}

fn no_merge(at: usize) -> Fault {
    let go = "map merge requires map or sequence of maps as the value";
    Fault::bare(at, "`<<` must stand for a mapping or a list of mappings", go)
}

// Collections that are being read: a list or mapping whose end has not come yet.

/// The key that waits for its value.
pub(super) enum Key {
    /// A key like any other.
    Plain(Text),
    /// `<<`, whose value is merged into the mapping.
    Merge,
    /// `null`, which JSON cannot have.
    Null(Span),
    /// A list or mapping, which yaml.v2 rejects.
    Collection,
}

/// What is collected.
pub(super) enum Items {
    Sequence(Vec<Node>),
    Mapping(Vec<Entry>, Option<Key>),
}

/// An open collection.
struct Frame {
    pub(super) items: Items,
    /// First byte in the file.
    pub(super) start: u32,
    /// One past the last byte of the last child.
    pub(super) end: u32,
    /// The number of its anchor, 0 for none.
    pub(super) anchor: usize,
    /// Levels below.
    height: usize,
    /// How many nodes had been decoded before it.
    decoded_before: u64,
    /// The budget and the number of anchors and aliases before it, if its tree is dropped after it is checked.
    unkept: Option<(Budget, usize)>,
}

impl Frame {
    /// The text of a field that was read already.
    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        let Items::Mapping(entries, _) = &self.items else { return None };
        entries.iter().rev().find(|entry| same_field(&entry.key.value, name))?.node.as_str()
    }

    /// Whether the value that comes next belongs to the key `name`.
    pub(super) fn expects(&self, name: &str) -> bool {
        matches!(&self.items, Items::Mapping(_, Some(Key::Plain(key))) if same_field(&key.value, name))
    }

    /// Whether a key comes next.
    fn expects_key(&self) -> bool {
        matches!(self.items, Items::Mapping(_, None))
    }
}

// One document, and how much of it is built.

/// The first document of a chunk.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) node: Node,
    /// The byte at which it ends; whatever follows in the chunk is never read.
    pub(crate) end: usize,
    /// Findings about keys that occur twice and about scalars that are not read as written.
    pub(crate) diagnostics: Findings,
    /// Starts of unopened values of properties that certainly have the shape of their type; ascending.
    pub(crate) fitting: Vec<u32>,
}

/// Which parts of a document are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// All but the property values that nobody reads.
    WhatIsRead,
    /// As [`WhatIsRead`](Self::WhatIsRead), without the fast paths for values that nobody reads and for simple lines.
    #[cfg(test)]
    WhatIsReadSlowly,
    /// Everything.
    All,
}

impl Open {
    /// Whether what is simple is read without tokens.
    const fn has_fast_paths(self) -> bool {
        match self {
            Self::WhatIsRead | Self::All => true,
            #[cfg(test)]
            Self::WhatIsReadSlowly => false,
        }
    }
}

// Anchored nodes, and yaml.v2's bound on how often aliases repeat them.

/// A node that aliases can name.
#[derive(Clone)]
struct Anchored {
    pub(super) node: Node,
    /// Levels below the node.
    height: usize,
    /// How many nodes it decodes to, aliases inside it expanded.
    size: u64,
    /// How much a copy of it takes.
    pub(super) weight: u64,
}

/// All anchored nodes of a document and what was spent on them.
#[derive(Default)]
struct Anchors<'a> {
    /// The number of the last anchor of a name; the first is 1.
    numbers: BTreeMap<&'a str, usize>,
    count: usize,
    /// By number, those that are read to their end.
    known: BTreeMap<usize, Anchored>,
    /// Nodes decoded so far, aliases expanded.
    pub(super) decoded: u64,
    through_aliases: u64,
}

impl<'a> Anchors<'a> {
    /// The number of an anchor that begins now.
    fn begin(&mut self, name: &'a str) -> usize {
        self.count += 1;
        self.numbers.insert(name, self.count);
        self.count
    }

    /// The number of the last anchor of a name.
    fn named(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Keeps a node, if it has an anchor; how much that takes.
    fn define(&mut self, anchor: usize, node: &Node, height: usize, size: u64) -> u64 {
        if anchor == 0 {
            return 0;
        }
        let weight = budget::weight(node);
        self.known.insert(anchor, Anchored { node: node.clone(), height, size, weight });
        weight
    }

    /// The node that the alias at `at` stands for; nothing when it is not built.
    fn expand(&mut self, anchor: usize, at: usize) -> Result<Option<&Anchored>, Fault> {
        let Some(target) = self.known.get(&anchor) else { return Ok(None) };
        self.decoded = self.decoded.saturating_add(target.size);
        self.through_aliases = self.through_aliases.saturating_add(target.size);
        let share = self.through_aliases as f64 / self.decoded as f64;
        let excessive = self.through_aliases > 100 && self.decoded > 1000 && share > allowed_share(self.decoded);
        match excessive {
            true => {
                let message = "the aliases of this document expand to far more than its text";
                Err(Fault::bare(at, message, "document contains excessive aliasing"))
            }
            false => Ok(Some(target)),
        }
    }
}

/// yaml.v2 `decode.go` `allowedAliasRatio`: from 0.99 up to 400 000 nodes down to 0.10 from 4 000 000 on.
fn allowed_share(decoded: u64) -> f64 {
    const LOW: u64 = 400_000;
    const HIGH: u64 = 4_000_000;
    match decoded {
        ..=LOW => 0.99,
        HIGH.. => 0.10,
        _ => 0.99 - 0.89 * ((decoded - LOW) as f64 / (HIGH - LOW) as f64),
    }
}
