//! What is reported of repairs.

use crate::item::{Block, Grade, Item, Note, Report};
use crate::printer::Places;
use views::{FixView, RefusedView, RepairView, RepairsView, Severity};

/// Why the catalog is rejected whatever its channels say, if it is; each channel with who is stuck, the repairs with their edits, and
/// the reason where there is none.
#[must_use]
pub fn repairs(rejected: Option<&RefusedView>, found: &[RepairsView], places: &dyn Places) -> Report {
    let mut report = Report { title: "Repairs".to_owned(), ..Report::default() };
    report.blocks.extend(rejected.map(|reason| Block::Item(refused(reason))));
    if found.is_empty() && rejected.is_none() {
        report.blocks.push(Block::Line("Nothing to repair: every version reaches the head of its channel.".to_owned()));
    }
    for channel in found {
        let title = format!("{}, channel `{}`: {}", channel.package, channel.channel, channel.problem);
        report.blocks.push(Block::Heading(title));
        (1..).zip(&channel.fixes).for_each(|(number, fix)| report.push(item(number, fix, places)));
        if let Some(reason) = &channel.reason {
            report.push(refused(reason));
        }
    }
    report
}

fn refused(reason: &RefusedView) -> Item {
    let item = Item::new(Grade::Finding(Severity::Error), &reason.id, &*reason.sentence);
    item.with(Note::of("instead", &*reason.instead))
}

fn item(number: usize, fix: &FixView, places: &dyn Places) -> Item {
    let weight = fix.repair.as_ref().map(|repair| format!("weight {}", repair.weight));
    let about: Vec<String> = weight.into_iter().chain(fix.effects.iter().cloned()).collect();
    let mut item = Item::new(Grade::Repair(number), "", about.join("; "));
    if let Some(RepairView { edits, diff, .. }) = &fix.repair {
        let note =
            |edit: &views::EditView| Note::of("", &*edit.text).at(edit.place.and_then(|place| places.spot(place)));
        item.notes.extend(edits.iter().map(note));
        item.diff.clone_from(diff);
    }
    item
}
