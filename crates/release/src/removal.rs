//! A version that is not offered any more.

use crate::refusal::{Advice, Reason, Refusal};
use catalog::{BundleName, Channel, Entry};
use update_graph::{Change, ChannelEdit, Edit};

/// What changes in a channel if a version is taken out, or stays listed without being offered. Whoever has it installed, and
/// whoever was updated to it, is updated to what replaced it.
///
/// # Errors
///
/// If it is the head: nothing is left that could take its place.
pub fn removal(channel: &Channel, name: &BundleName, stays_listed: bool) -> Result<Option<ChannelEdit>, Refusal> {
    let Some(removed) = channel.entry(name.as_str()) else { return Ok(None) };
    if catalog::heads(channel).contains(&name.as_str()) {
        let sentence =
            format!("`{name}` is the head of channel `{}`, and whoever has it would be stuck", channel.name.value);
        let refusal = Refusal::new(Reason::HeadWithdrawn, sentence, "edit its edges by hand");
        return Err(refusal.advising(Some(&channel.name.value), [Advice::NewHead, Advice::Deprecation]));
    }
    let replaces = |entry: &&Entry| entry.replaces.as_ref().is_some_and(|replaced| replaced.value == *name);
    let edits = channel.entries.iter().filter(replaces).flat_map(|entry| taken_over(entry, removed));
    let removed = if stays_listed { Vec::new() } else { vec![name.clone()] };
    Ok(Some(ChannelEdit { removed, ..ChannelEdit::of(&channel.name.value, edits.collect()) }))
}

/// The edits by which an entry takes over what the one that it replaced was reached from.
fn taken_over(entry: &Entry, removed: &Entry) -> Vec<Edit> {
    let name = &entry.name.value;
    let mut changes = vec![match &removed.replaces {
        Some(replaced) if replaced.value != *name => Change::Replace(replaced.value.clone()),
        _ => Change::Unreplace,
    }];
    let mut skips: Vec<&BundleName> = Vec::new();
    for skip in std::iter::once(&removed.name).chain(&removed.skips).map(|skip| &skip.value) {
        let is_known = skips.contains(&skip) || entry.skips.iter().any(|known| known.value == *skip);
        if !is_known && skip != name && !skip.as_str().is_empty() {
            skips.push(skip);
        }
    }
    changes.extend(skips.into_iter().cloned().map(Change::Skip));
    let range = |entry: &Entry| entry.skip_range.as_ref().map(|range| range.value.text.clone());
    match (range(removed), range(entry)) {
        (Some(theirs), Some(own)) if theirs != own => {
            changes.push(Change::Range(Some(format!("{theirs} || {own}").into())));
        }
        (Some(theirs), None) => changes.push(Change::Range(Some(theirs))),
        _ => {}
    }
    changes.into_iter().map(|change| Edit { entry: name.clone(), change }).collect()
}
