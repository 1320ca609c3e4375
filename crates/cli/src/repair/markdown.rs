//! Repairs as Markdown, for the comment of a pull request.

use super::diff;
use super::text::title;
use crate::places::Inputs;
use source::{fenced, markdown};
use std::io::{self, Write};
use workbench::ChannelRepairs;

/// A section for each channel, with the difference of each repair.
pub(super) fn write(out: &mut dyn Write, inputs: &Inputs, found: &[ChannelRepairs]) -> io::Result<()> {
    writeln!(out, "## Repairs\n")?;
    if found.is_empty() {
        return writeln!(out, "Nothing to repair: every version reaches the head of its channel.");
    }
    for channel in found {
        writeln!(out, "### {}\n", markdown(&title(channel)))?;
        for (number, repaired) in (1..).zip(&channel.repairs) {
            writeln!(out, "{number}. {}", markdown(&repaired.cost()))?;
            for (edit, place) in repaired.repair.edits.iter().zip(&repaired.places) {
                writeln!(out, "   - {} ({})", markdown(&edit.describe()), markdown(&inputs.shown(*place)))?;
            }
            write!(out, "\n{}", fenced("   ", "diff", &diff(inputs, repaired)))?;
        }
        if let Some(refusal) = &channel.refusal {
            writeln!(out, "**No repair** ({}): {}.\n", refusal.reason.id(), markdown(&refusal.sentence))?;
            writeln!(out, "Instead: {}.\n", markdown(&refusal.instead))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
