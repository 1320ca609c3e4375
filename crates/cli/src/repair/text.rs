//! Repairs for people.

use super::diff;
use crate::places::Inputs;
use crate::printer::Printer;
use crate::terminal::Paint;
use std::io;
use workbench::ChannelRepairs;

/// Each channel with who is stuck, the repairs with their edits, and the reason where there is none.
pub(super) fn write(printer: &mut Printer<'_>, inputs: &Inputs, found: &[ChannelRepairs]) -> io::Result<()> {
    if found.is_empty() {
        return printer.line("", Paint::Good, "Nothing to repair: every version reaches the head of its channel.");
    }
    for channel in found {
        printer.heading(Paint::Bold, &title(channel))?;
        for (number, repaired) in (1..).zip(&channel.repairs) {
            printer.line(&format!("{number}. "), Paint::Good, &repaired.cost())?;
            for (edit, place) in repaired.repair.edits.iter().zip(&repaired.places) {
                printer.sentence("   - ", &edit.describe(), Some(*place))?;
            }
            printer.verbatim(&diff(inputs, repaired))?;
        }
        if let Some(refusal) = &channel.refusal {
            printer.line("✕ ", Paint::Bad, &format!("{} ({})", refusal.sentence, refusal.reason.id()))?;
            printer.line("  instead: ", Paint::Plain, &refusal.instead)?;
        }
    }
    Ok(())
}

/// The channel, and who does not reach its head.
pub(super) fn title(channel: &ChannelRepairs) -> String {
    format!("{}, channel `{}`: {}", channel.package, channel.channel, channel.problem())
}
