//! The repair that is offered first for a version that is stuck.

use super::super::answer::{capitalized, with_short_names};
use crate::{CatalogInput, Workbench};
use catalog::{BundleName, Channel, Package};
use views::{BestRepair, FixView};

/// The best repair of a channel that an entry is stuck in, or why there is none.
pub(super) fn best_repair(
    workbench: &Workbench,
    catalog: &CatalogInput,
    (package, channel): (&Package, &Channel),
    entry: &BundleName,
) -> Option<BestRepair> {
    let names = (package.name.as_str(), channel.name.value.as_str());
    let found = workbench.channel_repairs(catalog, names, &[entry])?;
    let reached = (!found.fixes.is_empty() && found.reason.is_none()).then_some(found.stranded.len());
    let (refusal, count) = (found.refusal(), found.fixes.len());
    let fix = found.fixes.into_iter().next();
    let proof = reached.map(reach).into_iter().chain(fix.as_ref().and_then(widening)).chain(refusal);
    let text = fix.as_ref().map_or("no edit of the channel helps", |fix| &fix.text);
    Some(BestRepair {
        title: capitalized(&with_short_names(text, names.0)),
        proof: proof.map(|text| with_short_names(&text, names.0)).collect(),
        channel: found.channel,
        fix,
        others: count.saturating_sub(1) as u32,
    })
}

fn reach(count: usize) -> String {
    if count == 1 { "It then reaches the head.".to_owned() } else { format!("{count} of {count} then reach the head.") }
}

/// Who gets other updates without need.
fn widening(fix: &FixView) -> Option<String> {
    Some(match fix.repair.as_ref()?.widening {
        0 => "Nobody gets an update that they do not need.".to_owned(),
        1 => "1 version leaves out updates that it had, or gets one that it does not need.".to_owned(),
        count => format!("{count} versions leave out updates that they had, or get one that they do not need."),
    })
}
