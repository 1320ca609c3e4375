//! Excerpts of files: small enough to show and edit at once, whatever the size of the file.

use session::FileInput;
use session::{CatalogInput, Workbench};
use std::ops::Range;
use views::{FileKey, FileTarget, SourceMark, SourceView};

/// The most bytes of an excerpt before, and after, the place of interest. The excerpt ends at line breaks unless a line is
/// longer than this.
const REACH: usize = 32 * 1024;
/// The most bytes that one line counts for. An icon can be one line of a hundred thousand bytes, and users want to see
/// the lines after it.
const LINE: usize = 1024;
/// The most bytes of an excerpt on each side, however its lines are counted.
const MOST: usize = 4 * REACH;

/// The excerpt of a file around a place.
#[must_use]
pub fn source(workbench: &Workbench, file: FileKey, target: FileTarget) -> Option<SourceView> {
    let (catalog, file) = workbench.file(file)?;
    let at = match target {
        FileTarget::Anywhere => 0,
        FileTarget::Line(line) => file.lines.line_start(&file.text, line),
        FileTarget::Bytes { start, .. } => start,
    };
    Some(excerpt(catalog, file, at as usize))
}

fn excerpt(catalog: &CatalogInput, file: &FileInput, at: usize) -> SourceView {
    let text = &*file.text;
    let at = text.floor_char_boundary(at.min(text.len()));
    let bytes = reach(text, at);
    let line = |offset: usize| file.lines.position(text, offset as u32).line;
    SourceView {
        catalog: catalog.id,
        path: file.path.clone(),
        lines: file.lines.line_count(),
        first_line: line(bytes.start),
        text: text[bytes.clone()].to_owned(),
        marks: marks(catalog, file, &bytes),
        target_line: line(at),
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
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
        })
        .collect();
    marks.sort_by(|a, b| (a.line, a.severity, &a.message).cmp(&(b.line, b.severity, &b.message)));
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str, at: u32) -> SourceView {
        let workbench = Workbench::new().with_text("c", "", text);
        let key = workbench.catalogs()[0].files[0].key;
        source(&workbench, key, FileTarget::Bytes { start: at, end: at }).unwrap()
    }

    #[test]
    fn a_small_file_is_shown_whole() {
        let view = view("é: 1\nb: 2\n", 6);
        assert_eq!((view.text.as_str(), view.first_line, view.lines), ("é: 1\nb: 2\n", 1, 3));
        assert_eq!(view.target_line, 2);
    }

    #[test]
    fn a_large_file_is_cut_at_lines() {
        let text = "0123456789abcde\n".repeat(10_000);
        let view = view(&text, 80_000);
        assert!(view.text.starts_with("0123") && view.text.ends_with("e\n"));
        assert!((60_000..70_000).contains(&view.text.len()));
        let before = (view.target_line - view.first_line) as usize * 16;
        assert_eq!((view.target_line, before < 32 * 1024), (5_001, true));
    }

    #[test]
    fn a_long_line_is_cut_at_characters() {
        let view = view(&"é".repeat(400_000), 400_001);
        assert_eq!(view.text.chars().next(), Some('é'));
        assert_eq!((view.first_line, view.text.len()), (1, 65_536));
    }

    #[test]
    fn what_follows_an_icon_is_shown_with_it() {
        let icon = format!("icon: {}\n", "A".repeat(100_000));
        let text = format!("name: p\n{icon}{}", "0123456789abcde\n".repeat(10_000));
        let view = view(&text, 0);
        assert_eq!(view.first_line, 1);
        assert!(view.text.lines().count() > 1_000);
    }

    #[test]
    fn the_end_of_the_text_is_a_place() {
        assert_eq!(view("a\n", 99).target_line, 2);
        assert_eq!(view("", 0).text, "");
    }
}
