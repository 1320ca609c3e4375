//! Converts byte offsets to lines and columns. Only code that shows places needs it; everything else uses spans.

use crate::Edit;

/// A line and a column, as editors show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in UTF-16 code units (what browsers count), from 1.
    pub column: u32,
}

/// Where the lines of one text start. A line ends after `\n`; a `\r` before it belongs to the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds the lines of `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let newlines = || memchr::memchr_iter(b'\n', text.as_bytes());
        // Counted first, so that the vector has the right size at once: a file of separators has a line for every few bytes.
        let mut starts = Vec::with_capacity(newlines().count() + 1);
        starts.push(0);
        starts.extend(newlines().map(|at| at as u32 + 1));
        Self { starts }
    }

    /// Updates the index after an edit; `text` is the new text. Only the inserted bytes are scanned, so that a key press in
    /// a large file stays cheap.
    pub fn edit(&mut self, text: &str, edit: Edit) {
        let from = self.starts.partition_point(|&start| start <= edit.start);
        let to = self.starts.partition_point(|&start| start <= edit.end());
        for start in &mut self.starts[to..] {
            *start = start.wrapping_sub(edit.removed).wrapping_add(edit.inserted);
        }
        let inserted = &text.as_bytes()[edit.start as usize..(edit.start + edit.inserted) as usize];
        let newlines = memchr::memchr_iter(b'\n', inserted);
        self.starts.splice(from..to, newlines.map(|at| edit.start + at as u32 + 1));
    }

    /// The position of a byte offset. An offset past the end counts as the end, an offset inside a character as its
    /// first byte.
    #[must_use]
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = text.floor_char_boundary((offset as usize).min(text.len()));
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        let before = &text[self.starts[line] as usize..offset];
        Position { line: line as u32 + 1, column: before.encode_utf16().count() as u32 + 1 }
    }

    /// The number of lines; a text without `\n` has one.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The byte offset at which line `line` (from 1) starts. A number past the end counts as the last line.
    #[must_use]
    pub fn line_start(&self, line: u32) -> u32 {
        let index = (line.max(1) - 1).min(self.line_count() - 1);
        self.starts[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, offset: u32, line: u32, column: u32) {
        assert_eq!(LineIndex::new(text).position(text, offset), Position { line, column });
    }

    #[test]
    fn columns_are_utf16_units() {
        check("a😀b", 5, 1, 4);
        check("é\nß: x", 5, 2, 2);
    }

    #[test]
    fn carriage_returns_stay_on_their_line() {
        check("a\r\nb", 1, 1, 2);
        check("a\r\nb", 3, 2, 1);
    }

    #[test]
    fn offsets_past_the_end_are_the_end() {
        check("ab\n", 99, 2, 1);
        check("", 7, 1, 1);
    }

    #[test]
    fn offsets_inside_a_character_are_its_start() {
        check("😀", 2, 1, 1);
    }

    #[test]
    fn after_an_edit_the_index_is_that_of_the_new_text() {
        let text = "a\nb\n\nc";
        for start in 0..=text.len() {
            for end in start..=text.len() {
                for inserted in ["", "x", "\n", "x\ny\n"] {
                    let edited = [&text[..start], inserted, &text[end..]].concat();
                    let mut lines = LineIndex::new(text);
                    let lengths = [start, end - start, inserted.len()].map(|length| length as u32);
                    lines.edit(&edited, Edit { start: lengths[0], removed: lengths[1], inserted: lengths[2] });
                    assert_eq!(lines, LineIndex::new(&edited), "{start}..{end} by {inserted:?}");
                }
            }
        }
    }

    #[test]
    fn line_starts_are_clamped() {
        let index = LineIndex::new("a\nbc\n");
        assert_eq!((index.line_count(), index.line_start(0), index.line_start(2), index.line_start(9)), (3, 0, 2, 5));
    }
}
