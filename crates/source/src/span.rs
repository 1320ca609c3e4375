//! Places in text: files, ranges of bytes, and lines with columns. Only code that shows places needs the latter;
//! everything else uses spans.

use crate::TextEdit;
use std::fmt;

/// A file of the current inputs: an index that the owner of the texts (`workbench`) assigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A half-open range of UTF-8 bytes in one file.
///
/// Offsets are `u32`, so a file has at most 4 GiB. [`Span::new`] does not check that: inputs of that size never reach
/// the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file that the offsets refer to.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    #[must_use]
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The text under the span; empty if the span does not fit the text.
    #[must_use]
    pub fn slice<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// Whether `other` lies inside this span.
    #[must_use]
    pub fn contains(&self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The span moved by `by` bytes, towards the end if positive; offsets stop at 0.
    #[must_use]
    pub fn shifted(&self, by: i64) -> Self {
        let moved = |offset: u32| (i64::from(offset) + by).clamp(0, i64::from(u32::MAX)) as u32;
        Self::new(self.file, moved(self.start), moved(self.end))
    }

    /// An empty span at the first byte.
    #[must_use]
    pub const fn at_start(&self) -> Self {
        Self::new(self.file, self.start, self.start)
    }
}

/// A value and the place it was read from. Two of them are equal only if they stand at the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    pub value: T,
    /// Where it was read.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `value`, read at `span`.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// Replaces the value and keeps the place.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned::new(f(self.value), self.span)
    }

    /// A borrowed value at the same place.
    pub const fn as_ref(&self) -> Spanned<&T> {
        Spanned { value: &self.value, span: self.span }
    }
}

impl<T: fmt::Display> fmt::Display for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

// Converts byte offsets to lines and columns. Only code that shows places needs it; everything else uses spans.

/// A line and a column, as editors show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in UTF-16 code units (what browsers count), from 1.
    pub column: u32,
}

/// Finds the lines of one text. A line ends after `\n`; a `\r` before it belongs to the line.
///
/// Does not keep where each line starts, but how many lines end before each block of the text, and the column there. To count
/// `\n` takes a tenth of the time that it takes to find each of them, and most texts are asked for a few positions only. A text
/// of one long line, as programs write JSON, may be asked for many.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// At least one; the first is at the start of the text.
    blocks: Vec<Block>,
    /// How many lines end in the text.
    ends: u32,
}

/// Some bytes of the text, up to the next block.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    /// How many lines end before it.
    ends: u32,
    /// The UTF-16 code units before it on its line.
    column: u32,
}

impl Block {
    /// What a block is that starts after these bytes of this one.
    fn after(self, bytes: &[u8]) -> Self {
        let column = match memchr::memrchr(b'\n', bytes) {
            Some(newline) => utf16_units(&bytes[newline + 1..]),
            None => self.column + utf16_units(bytes),
        };
        Self { start: self.start + bytes.len() as u32, ends: self.ends + count(bytes), column }
    }
}

/// The bytes of a block; after edits it may have fewer.
const BLOCK: usize = 4096;

impl LineIndex {
    /// Finds the lines of `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut blocks = Vec::with_capacity(text.len() / BLOCK + 1);
        let end = cut(Block { start: 0, ends: 0, column: 0 }, text.as_bytes(), &mut blocks);
        Self { blocks, ends: end.ends }
    }

    /// Updates the index after an edit; `text` is the new text. Only the blocks around the edit are counted, so that a key
    /// press in a large file stays cheap.
    pub fn edit(&mut self, text: &str, edit: &TextEdit) {
        let from = self.block_at(edit.start);
        let moved = |start: u32| (i64::from(start) + edit.shift()) as u32;
        let to = self.blocks.partition_point(|block| block.start < edit.end).max(from + 1);
        let at_end = Block { start: 0, ends: self.ends, column: 0 };
        let (end, before) =
            self.blocks.get(to).map_or((text.len(), at_end), |block| (moved(block.start) as usize, *block));
        let first = self.blocks[from];
        let mut changed = Vec::new();
        let now = cut(first, &text.as_bytes()[first.start as usize..end], &mut changed);
        let recounted = |count: u32| count.wrapping_sub(before.ends).wrapping_add(now.ends);
        for block in &mut self.blocks[to..] {
            // Only on the line where the edit ends do columns change.
            let column = match block.ends == before.ends {
                true => block.column.wrapping_sub(before.column).wrapping_add(now.column),
                false => block.column,
            };
            *block = Block { start: moved(block.start), ends: recounted(block.ends), column };
        }
        self.ends = recounted(self.ends);
        self.blocks.splice(from..to, changed);
    }

    /// The position of a byte offset. An offset past the end counts as the end, an offset inside a character as its
    /// first byte.
    #[must_use]
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = text.floor_char_boundary((offset as usize).min(text.len()));
        let block = self.blocks[self.block_at(offset as u32)];
        let at = block.after(&text.as_bytes()[block.start as usize..offset]);
        Position { line: at.ends + 1, column: at.column + 1 }
    }

    /// The number of lines; a text without `\n` has one.
    #[must_use]
    pub const fn line_count(&self) -> u32 {
        self.ends + 1
    }

    /// The byte offset at which line `line` (from 1) of `text` starts. A number past the end counts as the last line.
    #[must_use]
    pub fn line_start(&self, text: &str, line: u32) -> u32 {
        let Some(before) = line.min(self.line_count()).checked_sub(2) else { return 0 };
        let block = self.blocks[self.blocks.partition_point(|block| block.ends <= before) - 1];
        let mut ends = memchr::memchr_iter(b'\n', &text.as_bytes()[block.start as usize..]);
        ends.nth((before - block.ends) as usize).map_or(text.len() as u32, |end| block.start + end as u32 + 1)
    }

    /// The last block that does not start behind `offset`.
    fn block_at(&self, offset: u32) -> usize {
        self.blocks.partition_point(|block| block.start <= offset) - 1
    }
}

/// Adds the blocks of `bytes`, the first of which is `block`. Returns what follows them.
fn cut(mut block: Block, bytes: &[u8], blocks: &mut Vec<Block>) -> Block {
    if bytes.is_empty() {
        blocks.push(block);
    }
    for chunk in bytes.chunks(BLOCK) {
        blocks.push(block);
        block = block.after(chunk);
    }
    block
}

/// How many lines end in `bytes`.
fn count(bytes: &[u8]) -> u32 {
    memchr::memchr_iter(b'\n', bytes).count() as u32
}

/// The UTF-16 code units of `bytes` of UTF-8, which may begin or end inside of a character: each belongs to its first byte.
fn utf16_units(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(byte & 0xc0 != 0x80) + u32::from(byte >= 0xf0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> TextEdit {
        TextEdit { start: start as u32, end: end as u32, text: text.to_owned() }
    }

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

    /// Asserts that the index knows where each line of the text starts and what line each byte is on.
    #[track_caller]
    fn check_lines(lines: &LineIndex, text: &str) {
        let starts: Vec<u32> =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        assert_eq!(lines.line_count() as usize, starts.len(), "{text:?}");
        for (line, &start) in (1..).zip(&starts) {
            assert_eq!(lines.line_start(text, line), start, "line {line} of {text:?}");
            assert_eq!(lines.position(text, start), Position { line, column: 1 }, "{text:?}");
        }
        for (at, _) in text.char_indices().step_by(7) {
            let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            let column = text[start..at].encode_utf16().count() as u32 + 1;
            assert_eq!(lines.position(text, at as u32).column, column, "{at} of {text:?}");
        }
    }

    #[test]
    fn a_long_line_has_columns_in_each_block() {
        let mut text = "aé😀".repeat(3000);
        let mut lines = LineIndex::new(&text);
        check_lines(&lines, &text);
        for (start, end, inserted) in
            [(7, 14, "x"), (7, 8, "\n"), (8000, 8000, "é\né"), (8001, 8004, ""), (0, 9000, "")]
        {
            let [start, end] = [start, end].map(|at| text.floor_char_boundary(at));
            text.replace_range(start..end, inserted);
            lines.edit(&text, &edit(start, end, inserted));
            check_lines(&lines, &text);
        }
    }

    /// Otherwise this test would not end.
    #[test]
    fn a_position_in_a_long_line_is_found_without_its_beginning() {
        let text = "x".repeat(2_000_000);
        let lines = LineIndex::new(&text);
        for offset in (0..2_000_000).step_by(20) {
            assert_eq!(lines.position(&text, offset), Position { line: 1, column: offset + 1 });
        }
    }

    #[test]
    fn after_an_edit_the_index_is_that_of_the_new_text() {
        let text = "a\nb\n\nc";
        for start in 0..=text.len() {
            for end in start..=text.len() {
                for inserted in ["", "x", "\n", "x\ny\n"] {
                    let edited = [&text[..start], inserted, &text[end..]].concat();
                    let mut lines = LineIndex::new(text);
                    lines.edit(&edited, &edit(start, end, inserted));
                    check_lines(&lines, &edited);
                }
            }
        }
    }

    #[test]
    fn edits_may_cross_blocks() {
        let mut text = format!("{}\n", "some text ".repeat(10)).repeat(200);
        let mut lines = LineIndex::new(&text);
        check_lines(&lines, &text);
        let long = format!("{}\n", "x".repeat(99)).repeat(100);
        for (start, end, inserted) in [
            (4096, 4096, "\n"),
            (4000, 12_500, "a\nb"),
            (0, 0, &*long),
            (8192, 12_288, ""),
            (3, 17_000, "\n\n"),
            (0, 7, ""),
        ] {
            text.replace_range(start..end, inserted);
            lines.edit(&text, &edit(start, end, inserted));
            check_lines(&lines, &text);
        }
    }

    #[test]
    fn line_starts_are_clamped() {
        let text = "a\nbc\n";
        let index = LineIndex::new(text);
        let starts = [0, 2, 9].map(|line| index.line_start(text, line));
        assert_eq!((index.line_count(), starts), (3, [0, 2, 5]));
    }
}
