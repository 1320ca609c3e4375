//! What is reported of repairs.

use super::diff;
use crate::places::Inputs;
use report::{Block, Grade, Item, Note, Report};
use source::Severity;
use workbench::{ChannelRepairs, RepairedText};

/// Each channel with who is stuck, the repairs with their edits, and the reason where there is none.
pub(super) fn report(inputs: &Inputs, found: &[ChannelRepairs]) -> Report {
    let mut report = Report { title: "Repairs".to_owned(), ..Report::default() };
    if found.is_empty() {
        report.blocks.push(Block::Line("Nothing to repair: every version reaches the head of its channel.".to_owned()));
    }
    for channel in found {
        let title = format!("{}, channel `{}`: {}", channel.package, channel.channel, channel.problem());
        report.blocks.push(Block::Heading(title));
        (1..).zip(&channel.repairs).for_each(|(number, repaired)| report.push(item(inputs, number, repaired)));
        if let Some(refusal) = &channel.refusal {
            let item = Item::new(Grade::Finding(Severity::Error), refusal.reason.id(), &*refusal.sentence);
            report.push(item.with(Note::of("instead", &*refusal.instead)));
        }
    }
    report
}

fn item(inputs: &Inputs, number: usize, repaired: &RepairedText) -> Item {
    let edits = repaired.repair.edits.iter().zip(&repaired.places);
    let mut item = Item::new(Grade::Repair(number), "", repaired.cost());
    item.notes.extend(edits.map(|(edit, at)| Note::of("", edit.describe()).at(Some(inputs.spot_of(*at)))));
    item.diff = diff(inputs, repaired);
    item
}
