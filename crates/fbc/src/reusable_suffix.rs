//! The documents behind an edit, kept until reading reaches a place from which they can be reused.

use crate::findings::MAX_FINDINGS;
use crate::reading::PieceRead;
use crate::{Doc, budget};
use source::Diagnostic;

/// The pieces of a YAML stream behind an edit and what was found in them, at the places before the edit.
#[derive(Clone, Debug)]
pub(crate) struct ReusableSuffix {
    /// At least one.
    pub(crate) pieces: Vec<PieceRead>,
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
    pub(crate) fn reusable_from(&self, here: PieceRead) -> Option<usize> {
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
