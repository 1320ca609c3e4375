//! A change of a document as a unified diff of its file.

use similar::{ChangeTag, TextDiff};
use source::Span;
use std::fmt::Write as _;

/// Unchanged lines that are shown around changed ones.
const CONTEXT: usize = 3;

/// The changed lines of a document, of which `new` is the new text, with the line numbers of the file.
#[must_use]
pub fn diff(text: &str, document: Span, new: &str) -> String {
    let lines = text[..document.start as usize].matches('\n').count();
    let diff = TextDiff::from_lines(document.slice(text), new);
    let mut shown = String::new();
    for group in diff.grouped_ops(CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let range = |start: usize, end: usize| match end - start {
            1 => format!("{}", lines + start + 1),
            // Of no lines, the line before them is named.
            0 => format!("{},0", lines + start),
            count => format!("{},{count}", lines + start + 1),
        };
        let old = range(first.old_range().start, last.old_range().end);
        let new = range(first.new_range().start, last.new_range().end);
        writeln!(shown, "@@ -{old} +{new} @@").expect("a string takes all that is written");
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            shown.push(match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            });
            shown.push_str(change.value().trim_end_matches(['\n', '\r']));
            shown.push('\n');
        }
    }
    shown
}

/// A change of a file as `git apply` takes it: with its path on both sides, line ends as they are, and the mark of a last line
/// without one.
#[must_use]
pub fn patch(path: &str, old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let (a, b) = (format!("a/{path}"), format!("b/{path}"));
    diff.unified_diff().context_radius(CONTEXT).header(&a, &b).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    #[test]
    fn lines_have_the_numbers_of_the_file() {
        let text = "a\n---\nb\nc\nd\ne\nf\ng\n";
        let document = Span::new(FileId(0), 6, text.len() as u32);
        let expected = "@@ -3,4 +3,5 @@\n b\n+x\n c\n d\n e\n";
        assert_eq!(diff(text, document, "b\nx\nc\nd\ne\nf\ng\n"), expected);
        assert_eq!(diff("a\r\nb\r\n", Span::new(FileId(0), 0, 6), "a\r\nc\r\n"), "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        assert_eq!(diff("{}", Span::new(FileId(0), 0, 2), "{x}"), "@@ -1 +1 @@\n-{}\n+{x}\n");
    }

    #[test]
    fn a_patch_keeps_line_ends() {
        let patch = patch("p/catalog.yaml", "a\r\nb", "a\r\nb\nc");
        let expected = "--- a/p/catalog.yaml\n+++ b/p/catalog.yaml\n@@ -1,2 +1,3 @@\n a\r\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n";
        assert_eq!(patch, expected);
    }
}
