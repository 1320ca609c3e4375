//! Reads parts of one YAML stream independently of each other, so that a caller with threads can read them at once.

use crate::Reading;
use crate::reading::Place;
use crate::reusable_suffix::ReusableSuffix;
use crate::stream::{is_json, part_starts};
use source::FileId;
use std::ops::Range;

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
    pub(crate) fn into_suffix(self) -> Option<(Place, ReusableSuffix)> {
        let suffix = self.reading.into_suffix()?;
        Some((Place::Yaml(self.range.end), suffix))
    }
}
