//! Reading a text step by step, and reading it again after an edit.

use crate::parse::{self, Found, MAX_FINDINGS, Marks, Reader, Tally};
use crate::raw::{RawDoc, Text};
use crate::stream::{is_json, part_starts, yaml_piece};
use crate::{Doc, Node, Parse, Value, budget};
use source::{Diagnostic, FileId, Span, TextEdit};
use std::ops::Range;

/// A file that is read a few documents at a time, and after an edit only where it changed.
///
/// The text is handed in anew at each step, always the same one until [`Reading::edit`] says otherwise. However it is cut
/// into steps and whatever edits led to the text, in the end there is what [`parse()`](crate::parse()) finds.
///
/// ```
/// use source::{FileId, TextEdit};
///
/// let text = "schema: olm.package\nname: a\n---\nschema: olm.package\nname: b\n";
/// let mut reading = fbc::Reading::new(FileId(0));
/// assert!(!reading.step(text, 1));
/// assert_eq!(reading.parse().docs.len(), 1);
/// while !reading.step(text, 1) {}
/// assert_eq!(reading.take_changes().added, 0..2);
///
/// let edited = text.replace("name: b", "name: beta");
/// reading.edit(&edited, &TextEdit { start: 58, end: 59, text: "beta".to_owned() });
/// while !reading.step(&edited, 1 << 20) {}
/// assert_eq!(reading.take_changes().added, 1..2);
/// assert_eq!(*reading.parse(), fbc::parse(FileId(0), &edited));
/// ```
#[derive(Clone, Debug)]
pub struct Reading {
    file: FileId,
    found: Found,
    place: Place,
    /// The pieces of the YAML stream that were read.
    pieces: Vec<PieceRead>,
    /// What was read before an edit, to be reused once reading gets there.
    tail: Option<ReusableSuffix>,
    /// What was found does not come from pieces alone, so that an edit concerns all of it.
    is_whole: bool,
    /// Documents that were removed since changes were last taken.
    removed: Vec<Doc>,
    /// How many documents at the front are those that were there when changes were last taken.
    same_before: usize,
    /// How many at the end.
    same_behind: usize,
}

/// What became of the documents of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The removed documents, at their old places. A document that was read again is among them.
    pub removed: Vec<Doc>,
    /// The indexes in `docs` of documents that were read again; all others are unchanged but for their places.
    pub added: Range<usize>,
}

/// Where reading goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At the first byte.
    Start,
    /// In a stream of JSON values: the first byte behind the last value, and how many values were read.
    Json { from: usize, read: usize },
    /// At the first byte of a piece of a YAML stream.
    Yaml(usize),
    /// The whole text was read; how long it was.
    End(usize),
}

/// A piece of a YAML stream that was read: where it begins and what had been found before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PieceRead {
    pub(crate) start: u32,
    pub(crate) docs: u32,
    pub(crate) cost: u32,
    /// No more than a few beyond [`MAX_FINDINGS`].
    pub(crate) diagnostics: u16,
    pub(crate) marks: Marks,
}

impl Reading {
    /// Nothing read yet.
    #[must_use]
    pub fn new(file: FileId) -> Self {
        Self::with(file, Found::default())
    }

    pub(crate) const fn with(file: FileId, found: Found) -> Self {
        Self {
            file,
            found,
            place: Place::Start,
            pieces: Vec::new(),
            tail: None,
            is_whole: false,
            removed: Vec::new(),
            same_before: 0,
            same_behind: 0,
        }
    }

    /// What was found so far; after an edit, only what is before the place that was reached.
    #[must_use]
    pub const fn parse(&self) -> &Parse {
        &self.found.parse
    }

    /// What was found so far, to keep.
    #[must_use]
    pub fn into_parse(self) -> Parse {
        self.found.parse
    }

    pub(crate) fn into_found(self) -> Found {
        self.found
    }

    /// How many bytes were read so far.
    #[must_use]
    pub const fn position(&self) -> u32 {
        match self.place {
            Place::Start => 0,
            Place::Json { from: at, .. } | Place::Yaml(at) | Place::End(at) => at as u32,
        }
    }

    /// Whether the whole text was read.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        matches!(self.place, Place::End(_))
    }

    /// Reads on for `bytes` and to the end of the document there, one document at least. Whether that was all.
    pub fn step(&mut self, text: &str, bytes: u32) -> bool {
        let until = self.position().saturating_add(bytes);
        while !self.is_finished() {
            self.one(text);
            if self.position() >= until {
                break;
            }
        }
        self.is_finished()
    }

    /// Reads the whole text, of which `parts` were read before, in their order.
    ///
    /// What is found does not depend on the parts: one that cannot be taken over as it is, is read again.
    pub fn read_with(&mut self, text: &str, parts: Vec<Part>) {
        for part in parts {
            while !self.is_finished() && (self.position() as usize) < part.start() {
                self.one(text);
            }
            self.take_over(text, part);
        }
        while !self.step(text, u32::MAX) {}
    }

    /// Takes over a part that begins where reading goes on, unless a limit of the whole text is near.
    fn take_over(&mut self, text: &str, part: Part) {
        let is_yaml = match self.place {
            Place::Start => !is_json(text),
            Place::Yaml(_) => true,
            Place::Json { .. } | Place::End(_) => false,
        };
        let is_next = is_yaml && self.position() as usize == part.start();
        let Some((behind, mut suffix)) = part.into_suffix().filter(|_| is_next) else { return };
        let here = self.here(self.position() as usize);
        if suffix.reusable_from(here) == Some(0) {
            self.append(suffix.split_off(0, here));
            self.place = behind;
        }
    }

    /// Reads the pieces of a YAML stream in `range`, at whose end a piece ends, too. Gives up, and keeps nothing, if they
    /// take more than their share of what the whole text may take.
    fn read_pieces(&mut self, text: &str, range: &Range<usize>) {
        let share = budget::share(range.len(), text.len());
        let mut at = range.start;
        while at < range.end
            && let Some(Place::Yaml(next)) = self.piece(text, at)
        {
            at = next;
            if self.found.cost > share {
                *self = Self::with(self.file, Found { is_over: true, ..Found::default() });
                return;
            }
        }
    }

    /// What was read, to be appended to what was read of the text before it. Nothing if it has no piece, or if a document
    /// was left out.
    fn into_suffix(self) -> Option<ReusableSuffix> {
        let Found { parse: Parse { docs, diagnostics }, cost, is_over, .. } = self.found;
        let is_complete = !is_over && !self.pieces.is_empty();
        is_complete.then_some(ReusableSuffix { pieces: self.pieces, docs, diagnostics, shift: 0, cost })
    }

    /// Goes back to where an edit changes what was read; `text` is the new text. The documents behind the edit in a YAML
    /// stream are reused as soon as the steps that follow come to a document that began there before.
    pub fn edit(&mut self, text: &str, edit: &TextEdit) {
        // The last piece may go on in what was appended.
        let kept = self.pieces.partition_point(|piece| piece.start <= edit.start).saturating_sub(1);
        let Some(&first) = self.pieces.get(kept).filter(|_| !self.is_whole && !self.found.is_over && !is_json(text))
        else {
            return self.start_over();
        };
        let tail = if self.is_finished() { self.cut(edit, kept) } else { None };
        self.removed.extend(self.found.parse.docs.drain(first.docs as usize..));
        self.found.parse.diagnostics.truncate(first.diagnostics as usize);
        self.found.tally = Tally::of(&self.found.parse.diagnostics);
        self.found.cost = first.cost;
        self.pieces.truncate(kept);
        self.set_tail(tail);
        self.place = if kept == 0 { Place::Start } else { Place::Yaml(first.start as usize) };
        self.same_before = self.same_before.min(first.docs as usize);
    }

    /// Cuts off the pieces behind an edit, but for the first `kept`.
    fn cut(&mut self, edit: &TextEdit, kept: usize) -> Option<ReusableSuffix> {
        let behind = self.pieces.partition_point(|piece| piece.start < edit.end).max(kept);
        let first = *self.pieces.get(behind)?;
        Some(ReusableSuffix {
            pieces: self.pieces.split_off(behind),
            docs: self.found.parse.docs.split_off(first.docs as usize),
            diagnostics: self.found.parse.diagnostics.split_off(first.diagnostics.into()),
            shift: edit.shift(),
            cost: self.found.cost,
        })
    }

    fn start_over(&mut self) {
        self.set_tail(None);
        let before = std::mem::replace(self, Self::new(self.file));
        self.removed = before.removed;
        self.removed.extend(before.found.parse.docs);
    }

    /// What has changed since this was last asked; nothing before all is read. What is removed is kept until then.
    pub fn take_changes(&mut self) -> Changes {
        if !self.is_finished() {
            return Changes::default();
        }
        let docs = self.found.parse.docs.len();
        let added = self.same_before..docs.saturating_sub(self.same_behind).max(self.same_before);
        (self.same_before, self.same_behind) = (docs, docs);
        Changes { removed: std::mem::take(&mut self.removed), added }
    }

    /// Reads one piece of the text: a document, or what is in its place.
    fn one(&mut self, text: &str) {
        let next = match self.place {
            Place::Start if is_json(text) => Some(Place::Json { from: 0, read: 0 }),
            Place::Start => Some(Place::Yaml(0)),
            Place::Json { from, read } => {
                self.is_whole = true;
                self.reader(text).json(from, read)
            }
            Place::Yaml(at) => self.piece(text, at),
            Place::End(_) => return,
        };
        match next {
            Some(place) => self.place = place,
            None => self.finish(text),
        }
    }

    /// Reads the piece of a YAML stream that begins at `at`, or takes over what was read before; nothing at the end.
    fn piece(&mut self, text: &str, at: usize) -> Option<Place> {
        let here = self.here(at);
        if self.rejoin(here) {
            return Some(Place::Yaml(text.len()));
        }
        let piece = yaml_piece(text, at)?;
        let next = piece.next;
        let marks = self.reader(text).piece(piece);
        self.pieces.push(PieceRead { marks, ..here });
        Some(Place::Yaml(next))
    }

    /// What was found before the piece that begins at `at`.
    fn here(&self, at: usize) -> PieceRead {
        let Parse { docs, diagnostics } = &self.found.parse;
        PieceRead {
            start: at as u32,
            docs: docs.len() as u32,
            cost: self.found.cost,
            diagnostics: diagnostics.len() as u16,
            marks: Marks::default(),
        }
    }

    /// Reuses the documents behind an edit, if one of them began here before.
    fn rejoin(&mut self, here: PieceRead) -> bool {
        let Some(index) = self.tail.as_ref().and_then(|tail| tail.reusable_from(here)) else { return false };
        let Some(mut tail) = self.tail.take() else { return false };
        let reused = tail.split_off(index, here);
        self.removed.extend(tail.docs);
        self.same_behind = self.same_behind.min(reused.docs.len());
        self.append(reused);
        true
    }

    fn append(&mut self, reused: ReusableSuffix) {
        self.pieces.extend(reused.pieces);
        self.found.parse.docs.extend(reused.docs);
        self.found.parse.diagnostics.extend(reused.diagnostics);
        self.found.tally = Tally::of(&self.found.parse.diagnostics);
        self.found.cost = reused.cost;
    }

    /// Replaces what may be reused behind an edit.
    fn set_tail(&mut self, tail: Option<ReusableSuffix>) {
        self.removed.extend(self.tail.take().into_iter().flat_map(|tail| tail.docs));
        if tail.is_none() {
            self.same_behind = 0;
        }
        self.tail = tail;
    }

    fn finish(&mut self, text: &str) {
        self.place = Place::End(text.len());
        if self.tail.is_some() {
            self.set_tail(None);
        }
        let marks = self.pieces.iter().fold(self.found.marks, |marks, piece| marks.and(piece.marks));
        let is_foreign = self.found.trees.is_none() && marks.has_content && !marks.catalog_like;
        self.is_whole |= is_foreign || self.found.is_over || self.found.parse.diagnostics.len() >= MAX_FINDINGS;
        if self.found.tally.omitted > 0 {
            self.found.parse.diagnostics.push(parse::more(self.file, self.found.tally.omitted));
        }
        if is_foreign {
            self.reader(text).not_a_catalog();
        } else if self.found.trees.is_none() && text.is_empty() {
            self.reader(text).empty_file();
        }
    }

    const fn reader<'a>(&'a mut self, text: &'a str) -> Reader<'a> {
        Reader { file: self.file, text, found: &mut self.found }
    }
}

// The documents behind an edit, kept until reading reaches a place from which they can be reused.

/// The pieces of a YAML stream behind an edit and what was found in them, at the places before the edit.
#[derive(Clone, Debug)]
struct ReusableSuffix {
    /// At least one.
    pieces: Vec<PieceRead>,
    pub(crate) docs: Vec<Doc>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// How far the edit moves all of it.
    pub(crate) shift: i64,
    /// What all documents up to its end cost.
    pub(crate) cost: u32,
}

impl ReusableSuffix {
    /// The index of the piece from which on it can be reused: it begins where the new text was read to, and no limit is
    /// reached behind what `here` says was found before.
    fn reusable_from(&self, here: PieceRead) -> Option<usize> {
        let index = self.pieces.binary_search_by_key(&i64::from(here.start), |piece| self.moved(*piece)).ok()?;
        let first = self.pieces[index];
        let skipped = first.diagnostics - self.pieces[0].diagnostics;
        let findings = usize::from(here.diagnostics) + self.diagnostics.len() - usize::from(skipped);
        let mut ends = self.pieces[index + 1..].iter().map(|piece| piece.cost).chain([self.cost]);
        let is_affordable = self.pieces[index..].iter().zip(&mut ends).all(|(piece, end)| {
            here.cost.saturating_add(end - first.cost) <= budget::affordable(self.moved(*piece) as usize)
        });
        // With more findings, which of them are left out depends on all before them.
        (findings < MAX_FINDINGS && is_affordable).then_some(index)
    }

    /// Cuts off what is reused from the piece with this index on, and moves it to where the new text was read to. The
    /// documents that are left are gone.
    pub(crate) fn split_off(&mut self, index: usize, here: PieceRead) -> Self {
        let (before, first) = (self.pieces[0], self.pieces[index]);
        let mut reused = Self {
            pieces: self.pieces.split_off(index),
            docs: self.docs.split_off((first.docs - before.docs) as usize),
            diagnostics: self.diagnostics.split_off((first.diagnostics - before.diagnostics).into()),
            shift: 0,
            cost: self.cost - first.cost + here.cost,
        };
        for piece in &mut reused.pieces {
            piece.start = self.moved(*piece) as u32;
            piece.docs = piece.docs - first.docs + here.docs;
            piece.diagnostics = piece.diagnostics - first.diagnostics + here.diagnostics;
            piece.cost = piece.cost - first.cost + here.cost;
        }
        if self.shift != 0 {
            reused.docs.iter_mut().for_each(|doc| doc.shift(self.shift));
            reused.diagnostics.iter_mut().for_each(|finding| finding.shift(self.shift));
        }
        reused
    }

    /// Where a piece begins in the new text.
    fn moved(&self, piece: PieceRead) -> i64 {
        i64::from(piece.start) + self.shift
    }
}

// Moves the spans of documents when an edit before them changes the length of the text.

impl Doc {
    /// Moves every span by a number of bytes.
    pub(crate) fn shift(&mut self, by: i64) {
        moved(&mut self.span, by);
        match &mut self.raw {
            RawDoc::Package(raw) => {
                texts([&mut raw.name, &mut raw.default_channel, &mut raw.description], by);
                if let Some(icon) = &mut raw.icon {
                    texts([&mut icon.mediatype], by);
                    icon.base64data.iter_mut().for_each(|span| moved(span, by));
                }
            }
            RawDoc::Channel(raw) => {
                texts([&mut raw.name, &mut raw.package], by);
                for entry in &mut raw.entries {
                    moved(&mut entry.span, by);
                    texts([&mut entry.name, &mut entry.replaces, &mut entry.skip_range], by);
                    entry.skips.iter_mut().for_each(|skip| moved(&mut skip.span, by));
                }
            }
            RawDoc::Bundle(raw) => {
                texts([&mut raw.name, &mut raw.package, &mut raw.image], by);
                for property in &mut raw.properties {
                    moved(&mut property.span, by);
                    texts([&mut property.kind], by);
                    property.value.iter_mut().for_each(|value| value.shift(by));
                }
                raw.related_images.iter_mut().for_each(|image| texts([&mut image.name, &mut image.image], by));
            }
            RawDoc::Deprecations(raw) => {
                texts([&mut raw.package], by);
                for entry in &mut raw.entries {
                    moved(&mut entry.span, by);
                    texts([&mut entry.schema, &mut entry.name, &mut entry.message], by);
                }
            }
            RawDoc::Other(raw) => {
                moved(&mut raw.schema.span, by);
                texts([&mut raw.package, &mut raw.name], by);
                raw.lifecycle.iter_mut().for_each(|(key, node)| {
                    moved(&mut key.span, by);
                    node.shift(by);
                });
            }
        }
    }
}

impl Node {
    /// Moves every span by a number of bytes.
    pub(crate) fn shift(&mut self, by: i64) {
        moved(&mut self.span, by);
        match &mut self.value {
            Value::Sequence(items) => items.iter_mut().for_each(|item| item.shift(by)),
            Value::Mapping(entries) => {
                for (key, node) in entries {
                    moved(&mut key.span, by);
                    node.shift(by);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Unopened => {}
        }
    }
}

fn texts<const N: usize>(texts: [&mut Option<Text>; N], by: i64) {
    texts.into_iter().flatten().for_each(|text| moved(&mut text.span, by));
}

fn moved(span: &mut Span, by: i64) {
    *span = span.shifted(by);
}

// Reads parts of one YAML stream independently of each other, so that a caller with threads can read them at once.

/// Documents of a YAML stream that were read without those before them.
#[derive(Debug)]
pub struct Part {
    range: Range<usize>,
    reading: Reading,
}

/// Cuts a YAML stream into parts of about `bytes` bytes, at the starts of documents. Concatenated JSON has none: only reading it
/// tells where a value ends.
#[must_use]
pub fn parts(text: &str, bytes: usize) -> Vec<Range<usize>> {
    if is_json(text) {
        return Vec::new();
    }
    let starts: Vec<usize> = std::iter::once(0).chain(part_starts(text, bytes)).collect();
    let ends = starts[1..].iter().copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
}

/// Reads one of the [`parts`] of a text.
///
/// ```
/// use source::FileId;
///
/// let text = "schema: olm.package\nname: a\n---\nschema: olm.package\nname: b\n";
/// let parts = fbc::parts(text, 1).into_iter().map(|part| fbc::read_part(FileId(0), text, part)).collect();
/// let mut reading = fbc::Reading::new(FileId(0));
/// reading.read_with(text, parts);
/// assert_eq!(*reading.parse(), fbc::parse(FileId(0), text));
/// ```
#[must_use]
pub fn read_part(file: FileId, text: &str, range: Range<usize>) -> Part {
    let mut reading = Reading::new(file);
    reading.read_pieces(text, &range);
    Part { range, reading }
}

impl Part {
    /// Where the part begins.
    pub(crate) const fn start(&self) -> usize {
        self.range.start
    }

    /// Where reading goes on behind the part, and what was found in it. Nothing if a limit of the whole text decides which
    /// of its documents and findings are kept.
    fn into_suffix(self) -> Option<(Place, ReusableSuffix)> {
        let suffix = self.reading.into_suffix()?;
        Some((Place::Yaml(self.range.end), suffix))
    }
}
