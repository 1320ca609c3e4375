//! Events to nodes, with a stack of its own: as deep as the text, not as deep as the machine's stack.

use super::alias::Anchors;
use super::cursor::Cursor;
use super::fault::{Fault, anchor_name};
use super::frame::{Frame, Items, Key};
use super::outline::Outline;
use super::plain;
use super::scalar::{Scalar, resolve};
use super::tag::{self, interpret};
use super::{Document, Open};
use crate::budget::{Budget, Spent};
use crate::findings::Findings;
use crate::mapping::{Entry, last_of_each};
use crate::node::MAX_OPEN_DEPTH;
use crate::{Node, Value, raw, reinterpreted_text};
use saphyr_parser::{Event, Parser, ScalarStyle, Span as Marks, Tag};
use source::{FileId, Span, Spanned};
use std::borrow::Cow;

/// yaml.v2 `parserc.go`: `max_flow_level` and `max_indents`.
const MAX_DEPTH: usize = 10_000;

pub(super) struct Builder<'a> {
    file: FileId,
    chunk: &'a str,
    /// The file's byte at which the chunk begins.
    base: usize,
    open: Open,
    outline: &'a Outline<'a>,
    /// How many of the values that the outline leaves out have been met.
    met: usize,
    cursor: Cursor<'a>,
    frames: Vec<Frame>,
    skipped: Option<Skipped>,
    anchors: Anchors,
    budget: Budget,
    diagnostics: Findings,
    /// Starts of omitted values that have the shape of their type.
    fitting: Vec<u32>,
    root: Option<Node>,
    /// An anchor or alias stands in a part that was not built.
    pub(super) tied: bool,
}

/// A collection that is passed over.
struct Skipped {
    start: u32,
    end: u32,
    depth: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(file: FileId, chunk: &'a str, base: usize, open: Open, outline: &'a Outline<'a>) -> Self {
        Self {
            file,
            chunk,
            base,
            open,
            outline,
            met: 0,
            cursor: Cursor::new(&outline.text),
            frames: Vec::new(),
            skipped: None,
            anchors: Anchors::default(),
            budget: Budget::of(chunk.len()),
            diagnostics: Findings::default(),
            fitting: Vec::new(),
            root: None,
            tied: false,
        }
    }

    /// Reads up to the end of the first document.
    pub(super) fn run(&mut self) -> Result<Document, Fault> {
        let mut parser = Parser::new_from_str(&self.outline.text);
        loop {
            let Some(next) = parser.next_event() else { return Ok(self.document(usize::MAX)) };
            let (event, marks) = next.map_err(|error| self.scan_fault(&error))?;
            match event {
                Event::DocumentEnd => return Ok(self.document(marks.start.index())),
                Event::StreamEnd => return Ok(self.document(usize::MAX)),
                Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
                event => self.take(event, marks)?,
            }
        }
    }

    /// Does the same without the parser; `None` when it must be asked, with a builder of its own.
    pub(super) fn run_plain(&mut self) -> Option<Document> {
        plain::events(&self.outline.text, |event, marks| self.take(event, marks).ok())?;
        Some(self.document(usize::MAX))
    }

    fn document(&mut self, end: usize) -> Document {
        let end = self.byte(end);
        let empty = || Node { span: Span::new(self.file, self.base as u32, self.base as u32), value: Value::Null };
        let node = self.root.take().unwrap_or_else(empty);
        let diagnostics = std::mem::take(&mut self.diagnostics);
        Document { node, end: end as usize, diagnostics, fitting: std::mem::take(&mut self.fitting) }
    }

    fn scan_fault(&mut self, error: &saphyr_parser::ScanError) -> Fault {
        let at = self.byte(error.marker().index()) as usize;
        Fault::scan(at, self.base, self.chunk, error)
    }

    fn byte(&mut self, index: usize) -> u32 {
        (self.base + self.outline.in_chunk(self.cursor.byte(index))) as u32
    }

    fn take(&mut self, event: Event<'a>, marks: Marks) -> Result<(), Fault> {
        if self.skipped.is_some() {
            return self.pass_over(&event, marks);
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => self.scalar(text, style, anchor, tag.as_deref(), marks),
            Event::Alias(anchor) => self.alias(anchor, marks),
            Event::SequenceStart(anchor, _) => self.start(Items::Sequence(Vec::new()), anchor, marks),
            Event::MappingStart(anchor, _) => self.start(Items::Mapping(Vec::new(), None), anchor, marks),
            _ => self.end(marks),
        }
    }

    fn start(&mut self, items: Items, anchor: usize, marks: Marks) -> Result<(), Fault> {
        let mut start = self.byte(marks.start.index());
        if let (Items::Sequence(_), Some(Frame { items: Items::Mapping(..), .. })) = (&items, self.frames.last()) {
            start = self.list_start(start);
        }
        if self.frames.last().is_some_and(Frame::expects_key) {
            return Err(Fault::bare(start as usize, "a list or mapping cannot be a key", "invalid map key"));
        }
        self.anchors.decoded += 1;
        if self.stays_closed() {
            self.tied |= anchor != 0;
            self.skipped = Some(Skipped { start, end: start, depth: 1 });
            return Ok(());
        }
        let decoded_before = self.anchors.decoded - 1;
        self.frames.push(Frame { items, start, end: start, anchor, height: 0, decoded_before });
        Ok(())
    }

    /// Where a list begins: one that stands at the column of its key is marked behind its first dash and what follows on
    /// that line up to the item, which may be a comment.
    fn list_start(&self, mark: u32) -> u32 {
        let (before, behind) = self.chunk.split_at(mark as usize - self.base);
        let line = if behind.is_empty() || behind.starts_with(['\r', '\n']) {
            let line = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
            line.split('#').next().unwrap_or_default().len() + before.len() - line.len()
        } else {
            before.len()
        };
        let blank = [' ', '\t'];
        let dash = before[..line].trim_end_matches(blank).strip_suffix('-');
        match dash.filter(|indent| matches!(indent.trim_end_matches(blank).chars().next_back(), None | Some('\n'))) {
            Some(indent) => (self.base + indent.len()) as u32,
            None => mark,
        }
    }

    /// Whether the collection that begins now is left unbuilt.
    fn stays_closed(&self) -> bool {
        if self.frames.len() >= MAX_OPEN_DEPTH {
            return true;
        }
        let [root, _, property] = self.frames.as_slice() else { return false };
        self.open == Open::WhatIsRead
            && root.expects("properties")
            && property.expects("value")
            && property.text_of("type").is_some_and(|kind| !raw::is_read(kind))
    }

    fn pass_over(&mut self, event: &Event<'a>, marks: Marks) -> Result<(), Fault> {
        let end = self.byte(marks.end.index());
        let trimmed = self.trim_end(end);
        let Some(skipped) = &mut self.skipped else { return Ok(()) };
        let last = skipped.end;
        match event {
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                self.tied |= *anchor != 0;
                skipped.depth += 1;
                if self.frames.len() + skipped.depth > MAX_DEPTH {
                    return Err(Fault::too_deep(end as usize));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.tied |= *anchor != 0;
                let may_be_infinite =
                    *style == ScalarStyle::Plain && tag.is_none() && text.ends_with(['f', 'F', 'n', 'N']);
                if may_be_infinite && let Scalar::Float(value) = resolve(text) {
                    return Err(tag::unsupported(end as usize - text.len(), value));
                }
                if !is_nothing(text, *style) {
                    skipped.end = trimmed;
                }
            }
            Event::Alias(_) => {
                self.tied = true;
                skipped.end = end;
            }
            _ if marks.is_empty() => self.pass_end(self.indicators_end(last, end))?,
            _ => self.pass_end(trimmed)?,
        }
        Ok(())
    }

    /// The end of the colons and dashes between the last scalar and the end of a collection, where only comments stand
    /// besides.
    fn indicators_end(&self, from: u32, to: u32) -> u32 {
        let mut end = from;
        let mut line_start = from;
        let between = self.chunk.get(from as usize - self.base..to as usize - self.base).unwrap_or("");
        for line in between.split_inclusive('\n') {
            let indicators = line.split('#').next().unwrap_or_default().trim_end();
            if !indicators.is_empty() {
                end = line_start + indicators.len() as u32;
            }
            line_start += line.len() as u32;
        }
        end
    }

    fn pass_end(&mut self, end: u32) -> Result<(), Fault> {
        let Some(mut skipped) = self.skipped.take() else { return Ok(()) };
        skipped.depth -= 1;
        skipped.end = end;
        if skipped.depth > 0 {
            self.skipped = Some(skipped);
            return Ok(());
        }
        let span = Span::new(self.file, skipped.start, skipped.end);
        self.attach(Node { span, value: Value::Unopened }, 1)
    }

    fn scalar(
        &mut self,
        text: Cow<'a, str>,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        marks: Marks,
    ) -> Result<(), Fault> {
        let span = self.scalar_span(&text, style, marks);
        self.anchors.decoded += 1;
        let misfit = |go: String| Fault::misfit(span.start as usize, go);
        let resolved = interpret(&text, style, tag).map_err(misfit)?;
        if self.frames.last().is_some_and(Frame::expects_key) {
            if style == ScalarStyle::Plain && text == "<<" && tag.is_none() {
                return self.set_key(Key::Merge);
            }
            let is_plain = style == ScalarStyle::Plain && tag.is_none();
            let written = if is_plain && resolved != Scalar::Text { text.clone() } else { Cow::Borrowed("") };
            let key = Spanned::new(tag::key(text, resolved).map_err(misfit)?, span);
            if !written.is_empty() {
                self.diagnostics.extend(reinterpreted_text::key(&written, &key.value, span));
            }
            if anchor != 0 {
                let node = Node { span, value: Value::String(key.value.clone()) };
                self.define(anchor, &node, 0, 1)?;
            }
            return self.set_key(Key::Plain(key));
        }
        if resolved == Scalar::Null
            && anchor == 0
            && tag.is_none()
            && self.stays_closed()
            && let Some(span) = self.omitted()
        {
            return self.attach(Node { span, value: Value::Unopened }, 1);
        }
        if style == ScalarStyle::Plain && tag.is_none() && self.is_in_property_value() {
            self.diagnostics.extend(reinterpreted_text::value(&text, resolved, span));
        }
        let value = match resolved {
            Scalar::Text if anchor == 0 && self.is_icon_data() => Value::Unopened,
            _ => tag::value(text, resolved, tag).map_err(misfit)?,
        };
        let node = Node { span, value };
        self.define(anchor, &node, 0, 1)?;
        self.attach(node, 0)
    }

    /// The parser marks a scalar that is not there at the token after it; it belongs behind its key.
    fn scalar_span(&mut self, text: &str, style: ScalarStyle, marks: Marks) -> Span {
        let (start, end) = (self.byte(marks.start.index()), self.byte(marks.end.index()));
        if !is_nothing(text, style) {
            let end = self.trim_end(end);
            return Span::new(self.file, start.min(end), end);
        }
        let behind = match self.frames.last().map(|frame| (&frame.items, frame.end)) {
            Some((Items::Mapping(_, Some(Key::Plain(key))), _)) => key.span.end,
            Some((_, end)) => end,
            None => start,
        };
        Span::new(self.file, behind, behind)
    }

    /// Block scalars end at the next token, plain ones may end behind blanks; one of nothing but blanks ends with its
    /// header.
    fn trim_end(&self, end: u32) -> u32 {
        let text = &self.chunk[..end as usize - self.base];
        (self.base + text.trim_end_matches([' ', '\t', '\r', '\n']).len()) as u32
    }

    /// The place of the value that the outline leaves out behind the current key.
    fn omitted(&mut self) -> Option<Span> {
        let next = self.outline.omitted.get(self.met)?;
        let Items::Mapping(_, Some(Key::Plain(key))) = &self.frames.last()?.items else { return None };
        if key.span.start as usize != self.base + next.key {
            return None;
        }
        self.met += 1;
        if next.fits {
            self.fitting.push((self.base + next.start) as u32);
        }
        Some(Span::new(self.file, (self.base + next.start) as u32, (self.base + next.end) as u32))
    }

    /// Whether every value that the outline leaves out was where it should be.
    pub(super) fn met_all(&self) -> bool {
        self.met == self.outline.omitted.len()
    }

    /// Whether what comes next stands in the value of a property, which may be anything.
    fn is_in_property_value(&self) -> bool {
        matches!(self.frames.as_slice(), [root, _, property, ..] if root.expects("properties") && property.expects("value"))
    }

    fn is_icon_data(&self) -> bool {
        matches!(self.frames.as_slice(), [root, icon] if root.expects("icon") && icon.expects("base64data"))
    }

    fn alias(&mut self, anchor: usize, marks: Marks) -> Result<(), Fault> {
        let span = Span::new(self.file, self.byte(marks.start.index()), self.byte(marks.end.index()));
        let at = span.start as usize;
        if self.frames.iter().any(|frame| frame.anchor == anchor) {
            let go = format!("anchor '{}' value contains itself", anchor_name(&self.chunk[at - self.base..]));
            return Err(Fault::bare(at, "an alias inside the value it stands for", go));
        }
        self.anchors.decoded += 1;
        let depth = self.frames.len();
        let target = self.anchors.expand(anchor).map_err(|excess| excess.fault(at))?;
        let (value, height) = match target {
            Some(target) if depth + target.height <= MAX_OPEN_DEPTH => {
                self.budget.spend(target.weight).map_err(|Spent| Fault::spent(at))?;
                (target.node.value.clone(), target.height)
            }
            _ => (Value::Unopened, 0),
        };
        if self.frames.last().is_some_and(Frame::expects_key) {
            let Value::String(key) = value else {
                return Err(Fault::bare(at, "an alias as a key must stand for a text", "invalid map key"));
            };
            return self.set_key(Key::Plain(Spanned::new(key, span)));
        }
        self.attach(Node { span, value }, height)
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

    fn end(&mut self, marks: Marks) -> Result<(), Fault> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let mark = self.byte(marks.end.index());
        let end = if marks.is_empty() { self.indicators_end(frame.end, mark) } else { self.trim_end(mark) };
        let value = match frame.items {
            Items::Sequence(mut items) => {
                items.shrink_to_fit();
                Value::Sequence(items)
            }
            Items::Mapping(entries, _) => Value::Mapping(last_of_each(entries, &mut self.diagnostics)),
        };
        let node = Node { span: Span::new(self.file, frame.start, end), value };
        self.define(frame.anchor, &node, frame.height, self.anchors.decoded - frame.decoded_before)?;
        self.attach(node, frame.height)
    }

    /// Hands a finished node to the collection around it.
    fn attach(&mut self, node: Node, height: usize) -> Result<(), Fault> {
        self.budget.node(&node).map_err(|Spent| Fault::spent(node.span.start as usize))?;
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
                Some(Key::Merge) => merge(entries, node)?,
                None => {}
            },
        }
        Ok(())
    }
}

/// Adds what `<<` stands for: a mapping, or a list of mappings of which the first wins.
fn merge(entries: &mut Vec<Entry>, node: Node) -> Result<(), Fault> {
    let at = node.span.start as usize;
    let mappings = match node.value {
        Value::Sequence(items) => items,
        value => vec![Node { span: node.span, value }],
    };
    for mapping in mappings.into_iter().rev() {
        let Value::Mapping(merged) = mapping.value else {
            let go = "map merge requires map or sequence of maps as the value";
            return Err(Fault::bare(at, "`<<` must stand for a mapping or a list of mappings", go));
        };
        entries.extend(merged.into_iter().map(|(key, node)| Entry { key, node, merged: true }));
    }
    Ok(())
}

/// A scalar without a single character of its own; the parser marks it somewhere behind.
fn is_nothing(text: &str, style: ScalarStyle) -> bool {
    text.is_empty() && !matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)
}
