//! Repairs for people.

use super::diff;
use crate::places::Inputs;
use crate::printer::Printer;
use crate::terminal::Paint;
use std::io;
use workbench::{ChannelRepairs, RepairedText};

/// Each channel with who is stuck, the repairs with their edits, and the reason where there is none.
pub(super) fn write(printer: &mut Printer<'_>, inputs: &Inputs, found: &[ChannelRepairs]) -> io::Result<()> {
    if found.is_empty() {
        return printer.line("", Paint::Good, "Nothing to repair: every version reaches the head of its channel.");
    }
    for channel in found {
        printer.heading(Paint::Bold, &title(channel))?;
        for (number, repaired) in (1..).zip(&channel.repairs) {
            printer.line(&format!("{number}. "), Paint::Good, &effect(repaired))?;
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
    let count = channel.stranded.len();
    let names = source::name_list(channel.stranded.iter().map(catalog::BundleName::as_str));
    let stuck = match count {
        0 => "`opm` rejects it".to_owned(),
        1 => format!("1 version does not reach the head: {names}"),
        _ => format!("{count} versions do not reach the head: {names}"),
    };
    format!("{}, channel `{}`: {stuck}", channel.package, channel.channel)
}

/// What a repair costs.
pub(super) fn effect(repaired: &RepairedText) -> String {
    let widened = match repaired.repair.widening {
        0 => "nobody gets an update that was not there or not needed".to_owned(),
        1 => "1 version leaves out updates that it had, or gets one that it does not need".to_owned(),
        count => format!("{count} versions leave out updates that they had, or get one that they do not need"),
    };
    format!("weight {}; {widened}", repaired.repair.weight)
}
