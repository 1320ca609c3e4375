//! Where the documents of a YAML stream lie.

use std::ops::Range;

/// The bytes of each document, without the `---` lines between them.
pub(super) fn documents(text: &str) -> Vec<Range<usize>> {
    let mut documents = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_marker = line.trim_end() == "---" || line.starts_with("--- ");
        if is_marker {
            documents.push(start..at);
            // What follows the marker on its line belongs to the document.
            start = at + 3;
        }
        at += line.len();
    }
    documents.push(start..at);
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = documents(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn markers_at_the_start_of_a_line_separate() {
        check("a: 1\n---\nb: 2\r\n---\r\nc: 3", &["a: 1\n", "\nb: 2\r\n", "\r\nc: 3"]);
        check("---\na: |\n  ---\n", &["", "\na: |\n  ---\n"]);
        check("--- {a: 1}\n", &["", " {a: 1}\n"]);
        check("a: ---b\n---c\n", &["a: ---b\n---c\n"]);
    }
}
