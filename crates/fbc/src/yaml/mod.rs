//! One YAML document to a tree of nodes, over the events of `saphyr-parser`.

mod alias;
mod build;
mod cursor;
mod fault;
mod frame;
mod scalar;
mod tag;

pub(crate) use fault::Fault;

use crate::Node;
use build::Builder;
use source::{Diagnostic, FileId};
use std::ops::Range;

/// The first document of a chunk.
#[derive(Debug)]
pub(crate) struct Document {
    /// What it says.
    pub(crate) node: Node,
    /// The byte at which it ends; whatever follows in the chunk is never read.
    pub(crate) end: usize,
    /// Doubled keys.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Which parts of a document are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// All but the property values that nobody reads.
    WhatIsRead,
    /// Everything.
    All,
}

/// Reads the first document of `range`.
pub(crate) fn read(file: FileId, text: &str, range: Range<usize>, open: Open) -> Result<Document, Fault> {
    let chunk = &text[range.clone()];
    if let Some(at) = fault::unprintable(chunk) {
        return Err(Fault::control_character(range.start + at));
    }
    let mut builder = Builder::new(file, chunk, range.start, open);
    let document = builder.run();
    // An anchor in a part that was not built ties that part to others: build everything.
    match builder.tied && open != Open::All {
        true => Builder::new(file, chunk, range.start, Open::All).run(),
        false => document,
    }
}
