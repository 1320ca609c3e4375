//! Excerpts of files: small enough to show and edit at once, whatever the size of the file.

use super::severity;
use crate::file::FileInput;
use crate::{CatalogInput, Workbench};
use std::ops::Range;
use views::{FileKey, SourceMark, SourceTarget, SourceView};

/// An excerpt has at most so many bytes before and after the place of interest, rounded to whole lines where lines are
/// not longer than that.
const REACH: usize = 32 * 1024;
/// A line counts as at most so many bytes of that: an icon is one line of a hundred thousand, and what follows it is
/// what people came for.
const LINE: usize = 1024;
/// But an excerpt never goes on for more bytes than this.
const MOST: usize = 4 * REACH;

impl Workbench {
    /// The excerpt around the byte range `start..end` of a file.
    #[must_use]
    pub fn source(&self, file: FileKey, start: u32, end: u32) -> Option<SourceView> {
        let (catalog, file) = self.file(file)?;
        Some(excerpt(catalog, file, start as usize..end as usize))
    }

    /// The excerpt around a line, from 1.
    #[must_use]
    pub fn source_line(&self, file: FileKey, line: u32) -> Option<SourceView> {
        let (_, input) = self.file(file)?;
        let start = input.lines.line_start(line);
        self.source(file, start, start)
    }
}

fn excerpt(catalog: &CatalogInput, file: &FileInput, target: Range<usize>) -> SourceView {
    let text = &*file.text;
    let from = text.floor_char_boundary(target.start.min(text.len()));
    let to = text.floor_char_boundary(target.end.clamp(from, text.len()));
    let bytes = reach(text, from);
    let excerpt = &text[bytes.clone()];
    let position = |offset: usize| file.lines.position(text, offset as u32);
    let utf16 = |offset: usize| text[bytes.start..offset.clamp(bytes.start, bytes.end)].encode_utf16().count() as u32;
    SourceView {
        file: file.key,
        catalog: catalog.id,
        path: file.path.clone(),
        expanded_from: file.expanded_from,
        bytes: text.len() as u32,
        lines: file.lines.line_count(),
        start: bytes.start as u32,
        end: bytes.end as u32,
        first_line: position(bytes.start).line,
        text: excerpt.to_owned(),
        marks: marks(catalog, file, &bytes),
        target: SourceTarget { line: position(from).line, start: utf16(from), end: utf16(to) },
    }
}

/// The bytes around `at`: whole lines if that is possible.
fn reach(text: &str, at: usize) -> Range<usize> {
    let first = text.floor_char_boundary(at.saturating_sub(REACH));
    let start = match first {
        0 => 0,
        _ => text[first..at].find('\n').map_or(first, |newline| first + newline + 1),
    };
    start..at + lines_from(&text[at..])
}

/// How many bytes of `rest` an excerpt takes.
fn lines_from(rest: &str) -> usize {
    let (mut counted, mut end) = (0, 0);
    for line in rest.split_inclusive('\n') {
        counted += line.len().min(LINE);
        if counted > REACH || end + line.len() > MOST {
            break;
        }
        end += line.len();
    }
    if end == 0 { rest.ceil_char_boundary(REACH.min(rest.len())) } else { end }
}

fn marks(catalog: &CatalogInput, file: &FileInput, bytes: &Range<usize>) -> Vec<SourceMark> {
    let here =
        catalog.analysis.shown().map(|found| &found.diagnostic).filter(|diagnostic| {
            diagnostic.span.file.0 == file.key.0 && bytes.contains(&(diagnostic.span.start as usize))
        });
    let mut marks: Vec<SourceMark> = here
        .map(|diagnostic| SourceMark {
            line: file.lines.position(&file.text, diagnostic.span.start).line,
            severity: severity(diagnostic.severity),
            message: diagnostic.message.clone(),
        })
        .collect();
    marks.sort_by(|a, b| (a.line, a.severity, &a.message).cmp(&(b.line, b.severity, &b.message)));
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewText;

    fn view(text: &str, start: u32, end: u32) -> SourceView {
        let mut workbench = Workbench::new();
        let file = NewText { path: String::new(), content: Ok(text.as_bytes().to_vec()) };
        workbench.add_catalog("c", vec![file], &mut |_| {});
        let key = workbench.catalogs()[0].files[0].key;
        workbench.source(key, start, end).unwrap()
    }

    #[test]
    fn a_small_file_is_shown_whole() {
        let view = view("é: 1\nb: 2\n", 6, 7);
        assert_eq!((view.start, view.end, view.first_line, view.lines), (0, 11, 1, 3));
        assert_eq!(view.target, SourceTarget { line: 2, start: 5, end: 6 });
    }

    #[test]
    fn a_large_file_is_cut_at_lines() {
        let text = "0123456789abcde\n".repeat(10_000);
        let view = view(&text, 80_000, 80_000);
        assert_eq!((view.start % 16, view.end % 16, view.first_line), (0, 0, view.start / 16 + 1));
        assert!((60_000..70_000).contains(&(view.end - view.start)));
    }

    #[test]
    fn a_long_line_is_cut_at_characters() {
        let view = view(&"é".repeat(400_000), 400_001, 999_999);
        assert_eq!(view.text.chars().next(), Some('é'));
        assert_eq!((view.first_line, view.end - view.start), (1, 65_536));
    }

    #[test]
    fn what_follows_an_icon_is_shown_with_it() {
        let icon = format!("icon: {}\n", "A".repeat(100_000));
        let text = format!("name: p\n{icon}{}", "0123456789abcde\n".repeat(10_000));
        let view = view(&text, 0, 0);
        assert_eq!(view.start, 0);
        assert!(view.text.lines().count() > 1_000);
    }

    #[test]
    fn the_end_of_the_text_is_a_place() {
        assert_eq!(view("a\n", 99, 99).target, SourceTarget { line: 2, start: 2, end: 2 });
        assert_eq!(view("", 0, 0).text, "");
    }
}
