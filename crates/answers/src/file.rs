//! Whole files for the editor, and places in them: the editor counts lines and UTF-16 units, the workbench bytes.

use super::quick_fix::QuickFixes;
use session::FileInput;
use session::Finding;
use session::{CatalogInput, Workbench};
use views::{FileKey, FileMark, FileTarget, FileView};

/// The most findings that are marked in a file.
const MARKS: usize = 1000;

/// A file with its findings and the range that `target` is in it. `opens` says whether the editor is going to open it,
/// and needs to know what was edited.
#[must_use]
pub fn file_view(workbench: &Workbench, key: FileKey, target: FileTarget, opens: bool) -> Option<FileView> {
    let (catalog, file) = workbench.file(key)?;
    let (marks, unmarked) = marks(workbench, catalog, file);
    Some(FileView {
        catalog: catalog.id,
        path: file.path.clone(),
        units: units(&file.text),
        lines: file.lines.line_count(),
        read_only: match file.expanded_from.and_then(|template| catalog.file(template)) {
            Some(_) if catalog.bundle_tree.is_some() => {
                Some("made from the bundles of the folder; edit these instead".to_owned())
            }
            Some(template) => Some(format!("expanded from the template {}; edit the template instead", template.path)),
            None => file.not_editable().map(str::to_owned),
        },
        opened: file.difference.as_ref().filter(|_| opens).map(|difference| file.way_back(difference)),
        marks,
        unmarked,
        target: match target {
            FileTarget::Anywhere => None,
            FileTarget::Line(line) => {
                let start = file.lines.line_start(&file.text, line);
                Some(file.range(start, start))
            }
            FileTarget::Bytes { start, end } => Some(file.range(start, end)),
        },
    })
}

/// UTF-16 units, with each line end as one.
fn units(text: &str) -> u32 {
    // A character is a leading byte; those of four bytes are two units.
    let units: u32 = text.bytes().map(|byte| u32::from(byte & 0xc0 != 0x80) + u32::from(byte >= 0xf0)).sum();
    units - text.matches("\r\n").count() as u32
}

/// The worst findings of a file in the order of its text, and how many others there are.
fn marks(workbench: &Workbench, catalog: &CatalogInput, file: &FileInput) -> (Vec<FileMark>, u32) {
    let here = || catalog.analysis.findings.iter().filter(|found| found.diagnostic.span.file.0 == file.key.0);
    let mut worst: Vec<&Finding> = here().take(MARKS).collect();
    let unmarked = here().count() - worst.len();
    worst.sort_by_key(|found| found.diagnostic.span);
    let mut fixes = QuickFixes::new(workbench);
    let marks = worst.into_iter().map(|Finding { diagnostic, .. }| FileMark {
        range: file.mark_range(diagnostic.span),
        severity: diagnostic.severity,
        rule: diagnostic.rule.id().to_owned(),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        fixes: fixes.of_mark(diagnostic),
    });
    (marks.collect(), unmarked as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overview;
    use session::NewText;
    use views::{TextChange, TextPlace, TextRange};

    fn workbench(text: &str) -> (Workbench, FileKey) {
        let workbench = Workbench::new().with_text("c", "a.yaml", text);
        let key = workbench.catalogs()[0].files[0].key;
        (workbench, key)
    }

    fn range([line, column, to_line, to_column]: [u32; 4]) -> TextRange {
        let from = TextPlace { line, column };
        TextRange { from, to: TextPlace { line: to_line, column: to_column } }
    }

    #[track_caller]
    fn check(text: &str, changes: &[([u32; 4], &str)], expected: &str) {
        let (mut workbench, key) = workbench(text);
        let change = |&(at, text): &([u32; 4], &str)| TextChange { range: range(at), text: text.to_owned() };
        workbench.apply_changes(key, &changes.iter().map(change).collect::<Vec<_>>());
        assert_eq!(&*workbench.file(key).unwrap().1.text, expected);
    }

    #[test]
    fn columns_are_utf16_units() {
        check("é🙂z\n", &[([1, 4, 1, 5], "Z")], "é🙂Z\n");
        check("é🙂z\n", &[([1, 2, 1, 4], "")], "éz\n");
    }

    #[test]
    fn line_ends_are_those_of_the_line() {
        check("a\r\nb\nc\r\n", &[([1, 2, 1, 2], "\nx")], "a\r\nx\r\nb\nc\r\n");
        check("a\r\nb\nc\r\n", &[([2, 2, 2, 2], "\nx")], "a\r\nb\nx\nc\r\n");
        check("a\r\nb", &[([2, 2, 2, 2], "\nx")], "a\r\nb\r\nx");
        check("a\r\nb\r\n", &[([1, 2, 2, 1], "")], "ab\r\n");
        check("a\rb\n", &[([1, 3, 1, 4], "\nB")], "a\r\nB\n");
    }

    #[test]
    fn several_changes_are_of_the_text_before_all() {
        check("one\ntwo\nthree\n", &[([1, 1, 1, 4], "1"), ([2, 4, 3, 1], ""), ([3, 6, 3, 6], "!")], "1\ntwothree!\n");
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest() {
        check("a\n", &[([9, 9, 9, 9], "b")], "a\nb");
        check("a\nb", &[([1, 9, 1, 9], "A")], "aA\nb");
        check("🙂", &[([1, 2, 1, 2], "x")], "x🙂");
    }

    #[test]
    fn an_edited_file_knows_the_way_back() {
        let (mut workbench, key) = workbench("a\r\nb\r\nc\r\n");
        let opened = |workbench: &Workbench| file_view(workbench, key, FileTarget::Anywhere, true).unwrap().opened;
        assert_eq!(opened(&workbench), None);
        workbench.edit(key, 1..4, "x");
        assert_eq!(&*workbench.file(key).unwrap().1.text, "ax\r\nc\r\n");
        let back = TextChange { range: range([1, 1, 2, 1]), text: "a\nb\n".to_owned() };
        assert_eq!(opened(&workbench), Some(back.clone()));
        assert_eq!(file_view(&workbench, key, FileTarget::Anywhere, false).unwrap().opened, None);
        assert!(overview(&workbench).catalogs[0].files[0].edited);
        workbench.apply_changes(key, &[back]);
        assert_eq!(&*workbench.file(key).unwrap().1.text, "a\r\nb\r\nc\r\n");
        assert_eq!(opened(&workbench), None);
        assert!(!overview(&workbench).catalogs[0].files[0].edited);
    }

    #[test]
    fn units_count_line_ends_once() {
        for (text, expected) in [("", 0), ("é🙂\r\n", 4), ("a\r\rb\n", 5)] {
            assert_eq!(units(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_mark_is_within_a_line_and_is_seen() {
        let (workbench, key) = workbench("---\nschema: olm.package\nname: p\ndefaultChannel: c\n");
        let view = file_view(&workbench, key, FileTarget::Bytes { start: 4, end: 30 }, false).unwrap();
        assert_eq!(view.target, Some(range([2, 1, 3, 7])));
        let marks: Vec<_> = view.marks.iter().map(|mark| (mark.rule.as_str(), mark.range)).collect();
        assert_eq!(marks, [("unknown-default-channel", range([4, 17, 4, 18]))]);
    }

    #[test]
    fn what_is_no_text_is_not_edited() {
        let workbench = Workbench::new().with_text("c", "a.yaml", vec![0x7f, 0x45, 0x00]);
        let key = workbench.catalogs()[0].files[0].key;
        let view = file_view(&workbench, key, FileTarget::Anywhere, false).unwrap();
        assert_eq!(view.read_only.as_deref(), Some("it is not text"));
        assert_eq!(view.marks.len(), 1);
    }

    #[test]
    fn a_byte_that_is_no_text_is_marked_and_the_rest_is_read() {
        let mut workbench = Workbench::new();
        let text =
            b"schema: olm.package\nname: p\n---\nschema: olm.package\nname: q\ndescription: \"caf\xe9\"\n".to_vec();
        workbench.add_catalog("c", vec![NewText { path: "a.yaml".to_owned(), content: Ok(text) }], &mut |_| {});
        let catalog = &workbench.catalogs()[0];
        assert_eq!(catalog.analysis.catalog.packages.len(), 2);
        assert_eq!(catalog.rejection().map(|finding| finding.rule.id()), Some("unreadable-file"));
        let view = file_view(&workbench, catalog.files[0].key, FileTarget::Anywhere, false).unwrap();
        assert_eq!(view.read_only.as_deref(), Some("it is not UTF-8"));
        let mark = view.marks.iter().find(|mark| mark.rule == "unreadable-file").unwrap();
        assert_eq!(mark.range, range([6, 18, 6, 19]));
    }
}
