//! Findings as text for people: each with its lines of the file and help, and a summary at the end.

use super::excerpt::{Excerpt, excerpt};
use super::{Finding, Report, Verdict};
use crate::terminal::{Paint, Terminal};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use source::one_line;
use std::io::{self, IsTerminal, Write};
use views::{Counts, Severity};
use workbench::Workbench;

pub(super) fn write(
    out: &mut dyn Write,
    terminal: Terminal,
    report: &Report,
    counts: Counts,
    workbench: &Workbench,
) -> io::Result<()> {
    let renderer = if terminal.has_colour { Renderer::styled() } else { Renderer::plain() };
    for finding in report.findings.iter().filter(|finding| !finding.view.is_consequence) {
        writeln!(out, "{}\n", renderer.render(&[group(finding, workbench)]))?;
    }
    // A hint for people; a log has no use for it.
    if let Some(finding) = report.findings.first().filter(|_| io::stdout().is_terminal()) {
        writeln!(
            out,
            "Run `opscope explain {}` for more about this rule, `opscope explain` for a list of all rules\n",
            finding.rule
        )?;
    }
    let (paint, verdict) = match report.verdict {
        Verdict::Valid => (Paint::Good, "valid"),
        Verdict::Invalid => (Paint::Bad, "invalid"),
        Verdict::Unknown => (Paint::Bad, "unknown"),
    };
    let verdict = terminal.painted(paint, verdict);
    let Counts { errors, warnings, hints } = counts;
    let (packages, errors) = (counted(report.packages, "package"), counted(errors, "error"));
    let (warnings, hints) = (counted(warnings, "warning"), counted(hints, "hint"));
    writeln!(out, "{verdict}: {packages}, {errors}, {warnings}, {hints}")
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn group<'f>(finding: &'f Finding, workbench: &'f Workbench) -> Group<'f> {
    let level = match finding.view.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name("hint"),
    };
    let place = finding.view.place;
    let title = level.primary_title(one_line(&finding.message)).id(finding.rule.as_str());
    let origin = || Origin::path(one_line(&finding.file)).line(place.line as usize).char_column(place.column as usize);
    let mut group = match excerpt(workbench, &finding.view) {
        Some(excerpt) if excerpt.is_whole => title.element(snippet(excerpt).path(one_line(&finding.file))),
        // The snippet begins within a line, so its columns mean nothing: print the place before it.
        Some(excerpt) => title.element(origin()).element(snippet(excerpt)),
        None => title.element(origin()),
    };
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(one_line(help)));
    }
    let follow = match finding.view.follow {
        0 => None,
        1 => Some("1 more finding follows from it; `--format json` lists it".to_owned()),
        more => Some(format!("{more} more findings follow from it; `--format json` lists them")),
    };
    if let Some(follow) = follow {
        group = group.element(Level::NOTE.message(follow));
    }
    match (&finding.opm, &finding.opm_since) {
        (Some(opm), Some(since)) => {
            group.element(Level::NOTE.message(format!("opm validate says (since {since}): {}", lines(opm))))
        }
        (Some(opm), None) => group.element(Level::NOTE.message(format!("opm validate says: {}", lines(opm)))),
        (None, _) => group,
    }
}

fn snippet(excerpt: Excerpt<'_>) -> Snippet<'_, Annotation<'_>> {
    let snippet = Snippet::source(excerpt.text).line_start(excerpt.line as usize);
    excerpt.spans.into_iter().fold(snippet, |snippet, (span, label)| {
        let kind = if label.is_some() { AnnotationKind::Context } else { AnnotationKind::Primary };
        snippet.annotation(kind.span(span).label(label.map(|label| one_line(&label).into_owned())))
    })
}

/// A text of `opm`, which may have several lines.
fn lines(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}
