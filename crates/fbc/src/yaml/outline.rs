//! A chunk without the property values that nobody reads, which are most of a catalog's text.

use super::skim::{self, Skimmed};
use crate::{go_type, raw};
use memchr::memmem;
use std::borrow::Cow;

/// A value that was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Omitted {
    /// First byte of its key `value`.
    pub(super) key: usize,
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// Whether it has the shape of its property's type, for certain.
    pub(super) fits: bool,
}

/// A change to a chunk that leaves what it says as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// The byte before which it is made.
    pub(super) at: usize,
    /// How many bytes from there on are left out.
    pub(super) removed: usize,
    /// What takes their place.
    pub(super) filler: Filler,
}

/// What is put into a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filler {
    Blanks(u32),
    /// A single quote.
    Quote,
}

/// The text that remains, and where it stood.
pub(super) struct Outline<'a> {
    pub(super) text: Cow<'a, str>,
    /// Starts of the kept pieces: in the outline, in the chunk.
    pieces: Vec<(usize, usize)>,
    pub(super) omitted: Vec<Omitted>,
}

impl<'a> Outline<'a> {
    /// The chunk as it is.
    pub(super) fn whole(chunk: &'a str) -> Self {
        Self { text: Cow::Borrowed(chunk), pieces: vec![(0, 0)], omitted: Vec::new() }
    }

    /// Leaves out the values of properties that look like
    ///
    /// ```text
    /// - type: olm.csv.metadata
    ///   value:
    ///     annotations: ...
    /// ```
    ///
    /// Such lines may as well be part of a text; the builder sees that when a value is not where it was left out.
    pub(super) fn of(chunk: &'a str) -> Self {
        let mut kept = Vec::new();
        let mut kept_from = 0;
        let mut omitted = Vec::new();
        for dash in memmem::find_iter(chunk.as_bytes(), "- type: ") {
            let Some((key, from, skimmed)) = (dash >= kept_from).then(|| unread_value(chunk, dash)).flatten() else {
                continue;
            };
            kept.push(kept_from..from);
            kept_from = skimmed.end;
            let value = &chunk[from..skimmed.end];
            let start = from + (value.len() - value.trim_start().len());
            omitted.push(Omitted { key, start, end: from + value.trim_end().len(), fits: skimmed.fits });
        }
        if omitted.is_empty() {
            return Self::whole(chunk);
        }
        kept.push(kept_from..chunk.len());
        let text = String::with_capacity(kept.iter().map(ExactSizeIterator::len).sum());
        let mut outline = Self { text: Cow::Owned(text), pieces: Vec::with_capacity(kept.len()), omitted };
        kept.into_iter().for_each(|piece| outline.keep(chunk, piece.start, piece.end));
        outline
    }

    /// The chunk with edits, which are in order and do not overlap.
    pub(super) fn edited(chunk: &'a str, edits: &[Edit]) -> Self {
        let mut outline = Self::whole("");
        outline.pieces.clear();
        let mut kept_from = 0;
        for edit in edits {
            outline.keep(chunk, kept_from, edit.at);
            match edit.filler {
                Filler::Blanks(blanks) => outline.text.to_mut().extend(std::iter::repeat_n(' ', blanks as usize)),
                Filler::Quote => outline.text.to_mut().push('\''),
            }
            kept_from = edit.at + edit.removed;
        }
        outline.keep(chunk, kept_from, chunk.len());
        outline
    }

    fn keep(&mut self, chunk: &str, from: usize, to: usize) {
        self.pieces.push((self.text.len(), from));
        self.text.to_mut().push_str(&chunk[from..to]);
    }

    /// The place in the chunk of a place in the outline.
    pub(super) fn in_chunk(&self, at: usize) -> usize {
        let piece = self.pieces.partition_point(|&(start, _)| start <= at) - 1;
        let (outline, chunk) = self.pieces[piece];
        // What was put in stands nowhere; it ends where the next piece begins.
        let next = self.pieces.get(piece + 1).map_or(usize::MAX, |&(_, next)| next);
        (chunk + (at - outline)).min(next)
    }
}

/// The key, the start of the first line and the rest of the value of the property whose `- type: ` stands at `dash`, if
/// nobody reads it and it can be passed over.
fn unread_value(chunk: &str, dash: usize) -> Option<(usize, usize, Skimmed)> {
    let line = chunk[..dash].rfind('\n').map_or(0, |newline| newline + 1);
    let column = dash - line;
    let (kind, rest) = chunk[dash + "- type: ".len()..].split_once('\n')?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/');
    let starts_plain = kind.starts_with(|first: char| first.is_ascii_alphabetic());
    if chunk[line..dash].bytes().any(|byte| byte != b' ') || !starts_plain || !kind.bytes().all(is_plain) {
        return None;
    }
    let key = chunk.len() - rest.len() + column + 2;
    let (value_line, _) = rest.split_once('\n')?;
    let (indent, field) = value_line.split_at_checked(column + 2)?;
    if raw::is_read(kind) || indent.bytes().any(|byte| byte != b' ') || field.trim_end_matches(' ') != "value:" {
        return None;
    }
    let from = chunk.len() - rest.len() + value_line.len() + 1;
    let skimmed = skim::mapping(chunk.as_bytes(), from, column + 2, go_type::of_property(kind))?;
    Some((key, from, skimmed))
}
