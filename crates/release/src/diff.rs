//! A change of a text as a unified diff.

use similar::{ChangeTag, TextDiff};
use source::TextEdit;
use std::fmt::Write as _;
use std::ops::Range;

/// Unchanged lines that are shown around changed ones.
const CONTEXT: usize = 3;

/// The changed lines of a text, without the lines that name files. `git apply` takes them: line ends are as they are, and a last
/// line without one is marked.
#[must_use]
pub fn diff(old: &str, new: &str) -> String {
    let (old_bytes, new_bytes) = (old.as_bytes(), new.as_bytes());
    let same = old_bytes.iter().zip(new_bytes).take_while(|(a, b)| a == b).count();
    let start = old_bytes[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let most = old.len().min(new.len()) - same;
    let ends = old_bytes.iter().rev().zip(new_bytes.iter().rev());
    let end = old.len() - ends.take(most).take_while(|(a, b)| a == b).count();
    let end = old_bytes[end..].iter().position(|byte| *byte == b'\n').map_or(old.len(), |more| end + more + 1);
    diff_of_part(old, start..end, &new[start..new.len() - (old.len() - end)])
}

/// The same of edits of a text, which are in its order and apart from each other.
#[must_use]
pub fn diff_of_edits(text: &str, edits: &[TextEdit]) -> String {
    let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return String::new() };
    let mut new = String::new();
    let mut at = first.start;
    for edit in edits {
        new += &text[at as usize..edit.start as usize];
        new += &edit.text;
        at = edit.end;
    }
    diff_of_part(text, first.start as usize..last.end as usize, &new)
}

/// The same of a change of a part of a text, which becomes `new`.
fn diff_of_part(text: &str, part: Range<usize>, new: &str) -> String {
    let first = context_before(text, part.start);
    let last = context_after(text, part.end);
    let after = [&text[first..part.start], new, &text[part.end..last]].concat();
    hunks(&text[first..last], &after, text[..first].matches('\n').count())
}

/// Where the line begins that is [`CONTEXT`] lines before the one of a byte.
fn context_before(text: &str, at: usize) -> usize {
    let breaks = text.as_bytes()[..at].iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
    breaks.map(|(at, _)| at + 1).nth(CONTEXT).unwrap_or_default()
}

/// Where the line ends that is [`CONTEXT`] lines behind the one of a byte.
fn context_after(text: &str, at: usize) -> usize {
    let breaks = text.as_bytes()[at..].iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    breaks.map(|(more, _)| at + more + 1).nth(CONTEXT).unwrap_or(text.len())
}

/// The hunks of two texts, of which `lines` lines stand before both.
fn hunks(old: &str, new: &str, lines: usize) -> String {
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let diff = TextDiff::from_slices(&old, &new);
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
            shown.push_str(change.value());
            if !change.value().ends_with('\n') {
                shown.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    shown
}

/// A change of a file as `git apply` takes it, with its path on both sides.
#[must_use]
pub fn patch(path: &str, old: &str, new: &str) -> String {
    format!("--- a/{path}\n+++ b/{path}\n{}", diff(old, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_numbers_of_the_file() {
        let text = "a\n---\nb\nc\nd\ne\nf\ng\n";
        let expected = "@@ -1,6 +1,7 @@\n a\n ---\n b\n+x\n c\n d\n e\n";
        assert_eq!(diff_of_part(text, 6..text.len(), "b\nx\nc\nd\ne\nf\ng\n"), expected);
        assert_eq!(diff(text, &text.replace("b\n", "b\nx\n")), expected);
        assert_eq!(
            diff(&format!("0\n{text}"), &format!("0\n{text}h")),
            "@@ -7,3 +7,4 @@\n e\n f\n g\n+h\n\\ No newline at end of file\n"
        );
        assert_eq!(
            diff("é\nü", "é\nö"),
            "@@ -1,2 +1,2 @@\n é\n-ü\n\\ No newline at end of file\n+ö\n\\ No newline at end of file\n"
        );
        assert_eq!(diff("a\rb\n", "a\rc\n"), "@@ -1 +1 @@\n-a\rb\n+a\rc\n");
        assert_eq!(diff("a\n", "a\n"), "");
    }

    #[test]
    fn a_part_of_a_line_is_shown_with_its_line() {
        let text = "{a} {b} {c}\nd\n";
        assert_eq!(diff_of_part(text, 4..7, "{x}"), "@@ -1,2 +1,2 @@\n-{a} {b} {c}\n+{a} {x} {c}\n d\n");
    }

    #[test]
    fn a_patch_keeps_line_ends() {
        let patch = patch("p/catalog.yaml", "a\r\nb", "a\r\nb\nc");
        let expected = "--- a/p/catalog.yaml\n+++ b/p/catalog.yaml\n@@ -1,2 +1,3 @@\n a\r\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n";
        assert_eq!(patch, expected);
    }
}
