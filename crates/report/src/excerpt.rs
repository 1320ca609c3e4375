//! Findings as compilers show them: each with its lines of the file, cut to what a terminal can show.

use crate::item::Item;
use crate::printer::Terminal;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use source::one_line;
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use views::{Place, Severity};

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
pub struct Excerpt<'t> {
    text: Cow<'t, str>,
    /// The number of the first line.
    line: u32,
    /// The span of the finding in `text`, and those of labels with their messages. Each ends within its line.
    spans: Vec<(Range<usize>, Option<String>)>,
    /// Whether the text begins with the first character of a line.
    is_whole: bool,
}

/// The line in which a finding begins, with those of labels in the same file that are near enough. `None` when the file has
/// no text.
#[must_use]
pub fn excerpt<'t>(text: &'t str, place: Place, labels: &[(Place, &str)]) -> Option<Excerpt<'t>> {
    let primary = in_line(text, place);
    let line = line_around(text, primary.start);
    if text.is_empty() || line.len() > LONG {
        return (!text.is_empty()).then(|| cut(&text[line.clone()], within(&primary, line.start), place.line));
    }
    let mut shown = Excerpt { text: "".into(), line: place.line, spans: vec![(primary, None)], is_whole: true };
    let mut whole = line;
    for (label, message) in labels.iter().filter(|(label, _)| label.file == place.file) {
        let span = in_line(text, *label);
        let around = line_around(text, span.start);
        let both = whole.start.min(around.start)..whole.end.max(around.end);
        if shown.spans.len() <= LABELS && around.len() <= LONG && both.len() <= MAX_TEXT {
            whole = both;
            shown.line = shown.line.min(label.line);
            shown.spans.push((span, Some((*message).to_owned())));
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

/// Writes a finding with its lines; without them, its place.
///
/// # Errors
/// Those of `out`.
pub fn write_with_excerpt(
    out: &mut dyn Write,
    terminal: Terminal,
    item: &Item,
    excerpt: Option<Excerpt<'_>>,
) -> io::Result<()> {
    let renderer = if terminal.has_colour { Renderer::styled() } else { Renderer::plain() };
    writeln!(out, "{}\n", renderer.render(&[group(item, excerpt)]))
}

fn group<'f>(item: &'f Item, excerpt: Option<Excerpt<'f>>) -> Group<'f> {
    let level = match item.grade.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name("hint"),
    };
    let title = level.primary_title(one_line(&item.sentence)).id(item.rule.as_str());
    let mut group = match item.places.first() {
        None => Group::with_title(title),
        Some(place) => {
            let path = || one_line(&place.path);
            let origin = || Origin::path(path()).line(place.start.0 as usize).char_column(place.start.1 as usize);
            match excerpt {
                Some(excerpt) if excerpt.is_whole => title.element(snippet(excerpt).path(path())),
                // The snippet begins within a line, so its columns mean nothing: print the place before it.
                Some(excerpt) => title.element(origin()).element(snippet(excerpt)),
                None => title.element(origin()),
            }
        }
    };
    for note in &item.notes {
        let level = if note.label == "help" { Level::HELP } else { Level::NOTE };
        group = group.element(level.message(lines(&note.text)));
    }
    group
}

fn snippet(excerpt: Excerpt<'_>) -> Snippet<'_, Annotation<'_>> {
    let snippet = Snippet::source(excerpt.text).line_start(excerpt.line as usize);
    excerpt.spans.into_iter().fold(snippet, |snippet, (span, label)| {
        let kind = if label.is_some() { AnnotationKind::Context } else { AnnotationKind::Primary };
        snippet.annotation(kind.span(span).label(label.map(|label| one_line(&label).into_owned())))
    })
}

/// A text that may have several lines, such as one of `opm`.
fn lines(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}
