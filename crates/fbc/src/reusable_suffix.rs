//! The documents behind an edit, kept until reading reaches a place from which they can be reused.

use crate::reading::PieceRead;
use crate::{Doc, budget};
use source::Diagnostic;

/// The pieces of a YAML stream behind an edit and what was found in them, at the places before the edit.
#[derive(Clone, Debug)]
pub(crate) struct ReusableSuffix {
    /// At least one.
    pieces: Vec<PieceRead>,
    docs: Vec<Doc>,
    diagnostics: Vec<Diagnostic>,
    /// By how much the edit moves all of it.
    shift: i64,
    /// What all documents up to its end cost.
    cost: u32,
}

/// The reused part of a suffix, with the places that it has after the edit.
#[derive(Debug, Default)]
pub(crate) struct Reused {
    pub(crate) pieces: Vec<PieceRead>,
    pub(crate) docs: Vec<Doc>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl ReusableSuffix {
    /// The pieces, what they hold, and by how much they move; nothing without pieces.
    pub(crate) fn new(
        pieces: Vec<PieceRead>,
        docs: Vec<Doc>,
        diagnostics: Vec<Diagnostic>,
        (shift, cost): (i64, u32),
    ) -> Option<Self> {
        (!pieces.is_empty()).then_some(Self { pieces, docs, diagnostics, shift, cost })
    }

    /// The documents.
    pub(crate) fn into_docs(self) -> Vec<Doc> {
        self.docs
    }

    /// Whether a piece of it begins at the byte `at` of the new text, and how many findings it has from there on.
    pub(crate) fn findings_from(&self, at: usize) -> Option<usize> {
        let piece = self.pieces[self.index(at).ok()?];
        Some(self.diagnostics.len() - (piece.diagnostics - self.pieces[0].diagnostics) as usize)
    }

    /// What the documents cost from the piece on that begins at `at`.
    pub(crate) fn cost_from(&self, at: usize) -> u32 {
        self.index(at).map_or(0, |index| self.cost - self.pieces[index].cost)
    }

    /// Whether there is room for all documents from the piece on that begins at `at`, behind others that cost so much.
    pub(crate) fn is_affordable(&self, at: usize, before: u32) -> bool {
        let (Ok(index) | Err(index)) = self.index(at);
        let pieces = &self.pieces[index..];
        let first = pieces.first().map_or(0, |piece| piece.cost);
        let ends = pieces.iter().skip(1).map(|piece| piece.cost).chain([self.cost]);
        pieces.iter().zip(ends).all(|(piece, end)| {
            let start = (i64::from(piece.start) + self.shift) as usize;
            before.saturating_add(end - first) <= budget::affordable(start)
        })
    }

    /// Parts it at the piece that begins at `at`: the documents before it, and what holds again, counted on from so many
    /// documents and findings and so much cost.
    pub(crate) fn part(mut self, at: usize, docs: usize, diagnostics: usize, cost: u32) -> (Vec<Doc>, Reused) {
        let (Ok(index) | Err(index)) = self.index(at);
        let mut pieces = self.pieces.split_off(index);
        let first = pieces.first().copied().unwrap_or_default();
        let before = self.pieces.first().copied().unwrap_or(first);
        let mut kept = Reused {
            docs: self.docs.split_off((first.docs - before.docs) as usize),
            diagnostics: self.diagnostics.split_off((first.diagnostics - before.diagnostics) as usize),
            pieces: Vec::new(),
        };
        for piece in &mut pieces {
            piece.start = (i64::from(piece.start) + self.shift) as u32;
            piece.docs = piece.docs - first.docs + docs as u32;
            piece.diagnostics = piece.diagnostics - first.diagnostics + diagnostics as u16;
            piece.cost = piece.cost - first.cost + cost;
        }
        kept.pieces = pieces;
        if self.shift != 0 {
            kept.docs.iter_mut().for_each(|doc| doc.shift(self.shift));
            kept.diagnostics.iter_mut().for_each(|finding| finding.shift(self.shift));
        }
        (self.docs, kept)
    }

    fn index(&self, at: usize) -> Result<usize, usize> {
        let before = at as i64 - self.shift;
        self.pieces.binary_search_by(|piece| i64::from(piece.start).cmp(&before))
    }
}
