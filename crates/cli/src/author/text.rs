//! Releases, removals and deprecations for people.

use super::{Authored, NewFile, added};
use crate::places::Inputs;
use report::{Paint, Printer, Terminal};
use std::io::{self, Write};

/// For each catalog what changes in its channels, what that does to installed versions, and the differences of its files.
pub(super) fn write(out: &mut dyn Write, terminal: Terminal, authored: &[Authored], new: &[NewFile]) -> io::Result<()> {
    let inputs = Inputs::default();
    let printer = &mut Printer::new(out, terminal, &inputs);
    for one in authored {
        printer.heading(Paint::Bold, &one.target.title())?;
        if let Err(refusal) = &one.result {
            printer.line("✕ ", Paint::Bad, &format!("{} ({})", refusal.sentence, refusal.reason.id()))?;
            printer.line("  instead: ", Paint::Plain, &refusal.instead)?;
            continue;
        }
        for edit in one.written().into_iter().flat_map(|written| &written.channels) {
            let channel = edit.channel.as_str();
            for entry in &edit.added {
                printer.line("+ ", Paint::Good, &added(channel, edit.is_new, entry))?;
            }
            for change in &edit.edits {
                printer.line("~ ", Paint::Plain, &format!("channel `{channel}`: {}", change.describe()))?;
            }
            for name in &edit.removed {
                printer.line("- ", Paint::Plain, &format!("channel `{channel}`: `{name}`"))?;
            }
        }
        let paint = if one.is_breaking { Paint::Bad } else { Paint::Good };
        one.effects.iter().try_for_each(|text| printer.line("  ", paint, text))?;
        for (_, diff, expansion) in one.diffs() {
            if !diff.is_empty() {
                printer.verbatim(&diff)?;
            }
            if let Some(expansion) = expansion {
                printer.line("  ", Paint::Plain, "What the template expands to:")?;
                printer.verbatim(expansion)?;
            }
        }
    }
    for file in new {
        let (path, diff) = file.diff();
        printer.heading(Paint::Bold, &path)?;
        printer.verbatim(&diff)?;
    }
    Ok(())
}
