//! Excerpts of files.

use crate::{CatalogId, FileKey, Severity};
use serde::{Deserialize, Serialize};

/// An excerpt that can be shown and edited without handling the whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceView {
    /// The file.
    pub file: FileKey,
    /// Its catalog.
    pub catalog: CatalogId,
    /// Its path in the catalog.
    pub path: String,
    /// The template that it was expanded from: then only that can be edited.
    pub made_of: Option<FileKey>,
    /// Length of the whole file in bytes.
    pub bytes: u32,
    /// Lines of the whole file.
    pub lines: u32,
    /// First byte of the excerpt (UTF-8).
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The number of its first line, from 1.
    pub first_line: u32,
    /// The text.
    pub text: String,
    /// Findings in it, by line.
    pub marks: Vec<SourceMark>,
    /// The place that was asked for.
    pub target: SourceTarget,
}

/// A finding in the gutter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceMark {
    /// The line in the file, from 1.
    pub line: u32,
    /// How bad.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
}

/// What to scroll to and select.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceTarget {
    /// The line in the file, from 1.
    pub line: u32,
    /// First UTF-16 unit, counted in `text`.
    pub start: u32,
    /// One past the last UTF-16 unit.
    pub end: u32,
}
