//! Reports as workflow commands, which GitHub Actions shows at their lines
//! (<https://docs.github.com/actions/reference/workflow-commands-for-github-actions>).

use crate::item::{Item, Report};
use crate::printer::Paint;
use std::io::{self, Write};
use views::Severity;

/// Writes the decision of a report, if it has one, and its items.
///
/// # Errors
/// Those of `out`.
pub fn write_report(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    if let Some(paint) = report.decision {
        let name = if paint == Paint::Good { "notice" } else { "error" };
        writeln!(out, "::{name} title=opscope::{}", data(&report.title))?;
    }
    write(out, report.items())
}

/// Writes a command for each item that code review shows: errors, warnings, and hints as notices.
///
/// # Errors
/// Those of `out`.
pub fn write<'i>(out: &mut dyn Write, items: impl IntoIterator<Item = &'i Item>) -> io::Result<()> {
    items.into_iter().filter(|item| item.is_for_review()).try_for_each(|item| write_item(out, item))
}

fn write_item(out: &mut dyn Write, item: &Item) -> io::Result<()> {
    let name = match item.grade.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "notice",
    };
    write!(out, "::{name} ")?;
    if let Some(place) = item.repository_place() {
        let ((line, column), (end_line, end_column)) = (place.start, place.end);
        write!(out, "file={},line={line},endLine={end_line},", property(&place.path))?;
        // GitHub accepts columns only for a span within one line.
        if end_line == line {
            write!(out, "col={column},endColumn={end_column},")?;
        }
    }
    let notes = item.notes.iter().filter(|note| note.is_for_tools).map(|note| format!("\n{}", note.labelled()));
    let message = std::iter::once(item.sentence.clone()).chain(notes).collect::<String>();
    writeln!(out, "title={}::{}", property(&item.rule), data(&message))
}

/// The message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
