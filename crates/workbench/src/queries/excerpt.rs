//! The lines of something, for a look at them; all of them are in the source.

use crate::CatalogInput;
use ::source::Span;
use views::{Excerpt, FileKey};

/// At most so many lines are shown.
const LINES: usize = 40;
/// At most so many characters of a line are shown.
const WIDTH: usize = 400;

impl CatalogInput {
    /// The first lines of a span, from the beginning of its first line.
    pub(super) fn excerpt(&self, span: Span) -> Option<Excerpt> {
        let file = self.file(FileKey(span.file.0))?;
        let place = self.place(span);
        let before = file.text.get(..span.start as usize)?;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let text = file.text.get(start..span.end as usize)?.trim_end();
        let shown: Vec<String> = text.lines().take(LINES).map(|line| line.chars().take(WIDTH).collect()).collect();
        let more = text.lines().count() - shown.len();
        Some(Excerpt { first_line: place.line, text: shown.join("\n"), more: more as u32, place })
    }
}
