//! Checks every span in a value. The spans are found in its `Debug` output, so that no field is forgotten, now or later.

use std::fmt::Debug;

use source::{FileId, Span};

/// The beginning of a printed [`Span`].
const OPENING: &str = "Span { file: FileId(";

/// Compares every span in `value` with the text of its file.
///
/// # Panics
/// When one lies outside of the text, or begins or ends inside a character.
pub(crate) fn check(value: &impl Debug, text_of: impl Fn(FileId) -> Option<String>) {
    let printed = format!("{value:?}");
    for span in spans(&printed) {
        let Some(text) = text_of(span.file) else { panic!("{span:?} is in no file") };
        let fits = span.start <= span.end && text.get(span.start as usize..span.end as usize).is_some();
        assert!(fits, "{span:?} lies outside of a text of {} bytes: {printed}", text.len());
    }
}

/// The spans in a printed value. What looks like one inside a printed text has escaped quotes around it.
fn spans(printed: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut rest = printed;
    while let Some(at) = rest.find(['"', '\'', 'S']) {
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix("'\"'") {
            rest = behind;
        } else if let Some(literal) = rest.strip_prefix('"') {
            rest = behind_literal(literal);
        } else if let Some(fields) = rest.strip_prefix(OPENING) {
            spans.extend(span(fields));
            rest = fields;
        } else {
            rest = &rest[1..];
        }
    }
    spans
}

fn behind_literal(literal: &str) -> &str {
    let mut escaped = false;
    for (at, byte) in literal.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return &literal[at + 1..],
            _ => {}
        }
    }
    ""
}

/// `3), start: 1, end: 2 }` …
fn span(fields: &str) -> Option<Span> {
    let (file, rest) = fields.split_once("), start: ")?;
    let (start, rest) = rest.split_once(", end: ")?;
    let (end, _) = rest.split_once(" }")?;
    Some(Span::new(FileId(file.parse().ok()?), start.parse().ok()?, end.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_found_however_deep() {
        let here = Span::new(FileId(7), 1, 22);
        let text = "Span { file: FileId(0), start: 3, end: 4 } \" \\";
        let value = (Some(vec![here]), text, '"', [here]);
        assert_eq!(spans(&format!("{value:?}")), [here, here]);
    }

    #[test]
    #[should_panic(expected = "lies outside")]
    fn half_a_character_is_no_place() {
        check(&Span::new(FileId(0), 0, 1), |_| Some("é".to_owned()));
    }
}
