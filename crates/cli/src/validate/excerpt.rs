//! The lines that a finding is about, cut to what a terminal can show.

use std::borrow::Cow;
use std::ops::Range;
use views::{FindingView, Place};
use workbench::Workbench;

/// Longer lines are cut, in bytes.
const LONG: usize = 200;

/// The part of a long line that is shown before and after the start of a span, in bytes.
const BEFORE: usize = 30;
const AFTER: usize = 70;

/// The renderer gets at most this much text for spans that are far apart; it leaves out the lines between them.
const MAX_TEXT: usize = 64 << 10;

/// The number of labels that are shown with a finding.
const LABELS: usize = 3;

/// Some lines of a file.
pub(super) struct Excerpt<'w> {
    pub(super) text: Cow<'w, str>,
    /// The number of the first line.
    pub(super) line: u32,
    /// The span of the finding in `text`, and those of labels with their messages. Each ends within its line.
    pub(super) spans: Vec<(Range<usize>, Option<String>)>,
    /// Whether the text begins with the first character of a line.
    pub(super) is_whole: bool,
}

/// The line in which a finding begins, with those of labels in the same file that are near enough. `None` when the file has
/// no text.
pub(super) fn excerpt<'w>(workbench: &'w Workbench, finding: &FindingView) -> Option<Excerpt<'w>> {
    let (_, file) = workbench.file(finding.place.file)?;
    let text = &*file.text;
    let primary = in_line(text, finding.place);
    let line = line_around(text, primary.start);
    if text.is_empty() || line.len() > LONG {
        return (!text.is_empty()).then(|| cut(&text[line.clone()], within(&primary, line.start), finding.place.line));
    }
    let mut shown = Excerpt { text: "".into(), line: finding.place.line, spans: vec![(primary, None)], is_whole: true };
    let mut whole = line;
    for label in finding.labels.iter().filter(|label| label.place.file == finding.place.file) {
        let place = in_line(text, label.place);
        let around = line_around(text, place.start);
        let both = whole.start.min(around.start)..whole.end.max(around.end);
        if shown.spans.len() <= LABELS && around.len() <= LONG && both.len() <= MAX_TEXT {
            whole = both;
            shown.line = shown.line.min(label.place.line);
            shown.spans.push((place, Some(label.message.clone())));
        }
    }
    for (span, _) in &mut shown.spans {
        *span = within(span, whole.start);
    }
    shown.text = text[whole].into();
    Some(shown)
}

/// A span, up to the end of the line in which it begins.
fn in_line(text: &str, place: Place) -> Range<usize> {
    let start = text.floor_char_boundary(place.start as usize);
    let line = line_around(text, start);
    let start = start.min(line.end);
    start..text.floor_char_boundary(place.end as usize).clamp(start, line.end)
}

/// The line around a byte, without its line break.
fn line_around(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    start..start + text[start..end].trim_end_matches('\r').len()
}

const fn within(span: &Range<usize>, start: usize) -> Range<usize> {
    span.start - start..span.end - start
}

/// A part of a long line.
fn cut(line: &str, span: Range<usize>, number: u32) -> Excerpt<'static> {
    let from = line.ceil_char_boundary(span.start.saturating_sub(BEFORE));
    let to = line.floor_char_boundary(line.len().min(span.start + AFTER)).max(from);
    let before = if from > 0 { "…" } else { "" };
    let after = if to < line.len() { "…" } else { "" };
    let shift = |at: usize| at.clamp(from, to) - from + before.len();
    Excerpt {
        line: number,
        spans: vec![(shift(span.start)..shift(span.end), None)],
        is_whole: false,
        text: [before, &line[from..to], after].concat().into(),
    }
}

/// The end of a span: line and column in UTF-16 units, both from 1.
pub(crate) fn end(workbench: &Workbench, place: Place) -> (u32, u32) {
    let found = workbench.file(place.file);
    let position = found.map(|(_, file)| file.lines.position(&file.text, place.end));
    position.map_or((place.line, place.column), |position| (position.line, position.column))
}
