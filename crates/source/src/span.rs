//! Places in text: files and ranges of bytes.

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
