//! Entries that are gone, and those that are skipped now.

use super::case::{Case, Change};
use crate::edit::{Edit, EntryChange};
use crate::rule::Rule;
use catalog::{BundleName, ChannelName};
use std::collections::{BTreeMap, BTreeSet};

/// Entries that a channel no longer lists, whose clusters move on.
pub(super) fn removed(case: &Case<'_>) -> Vec<Change> {
    let found = case.edits.iter().filter_map(|edit| {
        let Edit::Entry { channel, entry, change: EntryChange::Removed } = edit else { return None };
        if case.harmed.rows.contains(&(channel, entry)) {
            return None;
        }
        let next = case.row(channel, entry)?.new.next()?;
        let message = format!(
            "channel `{channel}` no longer lists `{entry}`: clusters that have it are updated to `{next}` at once, and \
             `startingCSV` can no longer name it"
        );
        Some(Change { rule: Rule::EntryRemoved, message, edit: edit.clone() })
    });
    found.collect()
}

/// Versions that an entry skips now and none skipped before.
pub(super) fn skipped(case: &Case<'_>) -> Vec<Change> {
    let found = newly_skipped(case).into_iter().map(|NewlySkipped { channel, entry, name, edit }| {
        let message = format!("`{entry}` skips `{name}` in channel `{channel}`: no update installs it any more");
        Change { rule: Rule::EntryNewlySkipped, message, edit: edit.clone() }
    });
    found.collect()
}

/// A version that an entry of a channel skips now, and that none skipped before.
pub(super) struct NewlySkipped<'e> {
    pub(super) channel: &'e ChannelName,
    pub(super) entry: &'e BundleName,
    pub(super) name: &'e BundleName,
    pub(super) edit: &'e Edit,
}

pub(super) fn newly_skipped<'e>(case: &'e Case<'_>) -> Vec<NewlySkipped<'e>> {
    let mut found = Vec::new();
    let mut skipped: BTreeMap<&ChannelName, BTreeSet<&BundleName>> = BTreeMap::new();
    for edit in &case.edits {
        let Edit::Entry { channel, entry, change } = edit else { continue };
        let states = case.old.channel(channel.as_str()).zip(case.new.channel(channel.as_str()));
        let Some((before, after)) = states else { continue };
        let names: Vec<&BundleName> = match change {
            EntryChange::Skips(name) => vec![name],
            EntryChange::Added => after
                .entry(entry.as_str())
                .map(|entry| entry.skips.iter().map(|name| &name.value).collect())
                .unwrap_or_default(),
            _ => continue,
        };
        let skipped = skipped
            .entry(channel)
            .or_insert_with(|| before.entries.iter().flat_map(|entry| &entry.skips).map(|name| &name.value).collect());
        let is_new = |name: &&BundleName| before.entry(name.as_str()).is_some() && !skipped.contains(name);
        found.extend(names.into_iter().filter(is_new).map(|name| NewlySkipped { channel, entry, name, edit }));
    }
    found
}
