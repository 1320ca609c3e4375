//! Releases, removals and deprecations for people.

use crate::places::Inputs;
use report::{Paint, Printer, Terminal};
use std::io::{self, Write};
use views::{Level, WrittenCatalog, WrittenFileView, WrittenView};

/// For each catalog what changes in its channels, what that does to installed versions, and the differences of its files.
pub(super) fn write(out: &mut dyn Write, terminal: Terminal, view: &WrittenView) -> io::Result<()> {
    let inputs = Inputs::default();
    let printer = &mut Printer::new(out, terminal, &inputs);
    view.catalogs.iter().try_for_each(|one| catalog(printer, one))?;
    for WrittenFileView { path, diff, .. } in &view.files {
        printer.heading(Paint::Bold, path)?;
        printer.verbatim(diff)?;
    }
    Ok(())
}

fn catalog(printer: &mut Printer<'_>, one: &WrittenCatalog) -> io::Result<()> {
    printer.heading(Paint::Bold, &one.title)?;
    if let Some(reason) = &one.reason {
        printer.line("✕ ", Paint::Bad, &format!("{} ({})", reason.sentence, reason.id))?;
        return printer.line("  instead: ", Paint::Plain, &reason.instead);
    }
    for edit in &one.channels {
        let channel = &edit.channel;
        let new = if edit.new { " (new)" } else { "" };
        for entry in &edit.added {
            printer.line("+ ", Paint::Good, &format!("channel `{channel}`{new}: `{}` {}", entry.name, entry.text))?;
        }
        for change in &edit.edits {
            printer.line("~ ", Paint::Plain, &format!("channel `{channel}`: {}", change.text))?;
        }
        for name in &edit.removed {
            printer.line("- ", Paint::Plain, &format!("channel `{channel}`: `{name}`"))?;
        }
    }
    let paint = if one.worst == Some(Level::Breaking) { Paint::Bad } else { Paint::Good };
    one.effects.iter().try_for_each(|text| printer.line("  ", paint, text))?;
    for WrittenFileView { diff, expansion, .. } in &one.files {
        if !diff.is_empty() {
            printer.verbatim(diff)?;
        }
        if let Some(expansion) = expansion {
            printer.line("  ", Paint::Plain, "What the template expands to:")?;
            printer.verbatim(expansion)?;
        }
    }
    Ok(())
}
