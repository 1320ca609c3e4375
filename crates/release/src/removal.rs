//! A version that is not offered any more.

use crate::refusal::{Advice, Reason, Refusal};
use catalog::{BundleName, Channel, Entry, Package};
use go_semver::blang::Range;
use update_graph::{Change, ChannelEdit, Edit, version_of};

/// What changes in a channel if a version is taken out, or stays listed without being offered. Whoever has it installed, and
/// whoever was updated to it, is updated to what replaced it.
///
/// # Errors
///
/// If it is the head: nothing is left that could take its place.
pub fn removal(
    package: &Package,
    channel: &Channel,
    name: &BundleName,
    stays_listed: bool,
) -> Result<Option<ChannelEdit>, Refusal> {
    let Some(removed) = channel.entry(name.as_str()) else { return Ok(None) };
    if catalog::heads(channel).contains(&name.as_str()) {
        let sentence =
            format!("`{name}` is the head of channel `{}`, and whoever has it would be stuck", channel.name.value);
        let refusal = Refusal::new(Reason::HeadWithdrawn, sentence, "edit its edges by hand");
        return Err(refusal.advising(Some(&channel.name.value), [Advice::NewHead, Advice::Deprecation]));
    }
    let replaces = |entry: &&Entry| entry.replaces.as_ref().is_some_and(|replaced| replaced.value == *name);
    // `opm` wants a name that is listed to be skipped by name.
    let is_listed = |skip: &BundleName| (stays_listed || skip != name) && channel.entry(skip.as_str()).is_some();
    let is_covered = |range: &Range, skip: &BundleName| {
        !is_listed(skip) && version_of(package, skip).is_some_and(|version| range.matches(&version) == Ok(true))
    };
    let edits = channel.entries.iter().filter(replaces).flat_map(|entry| taken_over(entry, removed, is_covered));
    let removed = if stays_listed { Vec::new() } else { vec![name.clone()] };
    Ok(Some(ChannelEdit { removed, ..ChannelEdit::of(&channel.name.value, edits.collect()) }))
}

/// The edits of an entry whose replaced entry is removed: it updates the versions that the removed entry updated. It does not skip by
/// name what its skipRange covers (`is_covered`).
fn taken_over(entry: &Entry, removed: &Entry, is_covered: impl Fn(&Range, &BundleName) -> bool) -> Vec<Edit> {
    let name = &entry.name.value;
    let mut changes = vec![match &removed.replaces {
        Some(replaced) if replaced.value != *name => Change::Replace(replaced.value.clone()),
        _ => Change::Unreplace,
    }];
    let skip_range = |entry: &Entry| entry.skip_range.as_ref().map(|range| range.value.text.clone());
    let (theirs, own) = (skip_range(removed), skip_range(entry));
    let both = theirs.clone().zip(own.clone()).map(|(theirs, own)| either(&theirs, &own));
    let range = both.or(theirs).or_else(|| own.clone());
    let parsed = range.as_ref().and_then(|range| Range::parse(range).ok());
    let mut skips: Vec<&BundleName> = Vec::new();
    for skip in std::iter::once(&removed.name).chain(&removed.skips).map(|skip| &skip.value) {
        let is_known = skips.contains(&skip) || entry.skips.iter().any(|known| known.value == *skip);
        let is_covered = || parsed.as_ref().is_some_and(|range| is_covered(range, skip));
        if !is_known && skip != name && !skip.as_str().is_empty() && !is_covered() {
            skips.push(skip);
        }
    }
    changes.extend(skips.into_iter().cloned().map(Change::Skip));
    changes.extend(range.filter(|range| own.as_ref() != Some(range)).map(|range| Change::Range(Some(range))));
    changes.into_iter().map(|change| Edit { entry: name.clone(), change }).collect()
}

/// The skipRange that covers what either of two does; the second one if it covers both.
fn either(theirs: &str, own: &str) -> Box<str> {
    match (Range::parse(theirs), Range::parse(own)) {
        (Ok(theirs), Ok(parsed)) => match theirs.union(&parsed) {
            union if union == parsed.union(&parsed) => own.into(),
            union => union.into(),
        },
        _ => format!("{theirs} || {own}").into(),
    }
}
