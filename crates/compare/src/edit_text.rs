//! Edits in words.

use crate::edit::{BundleChange, Edit, EntryChange};
use crate::row::UpdatedBy;
use catalog::predicate::Property;
use catalog::{Bundle, BundleName, Channel, ChannelName, Entry, Package};
use std::collections::BTreeSet;

/// The most names of `skips` that a text lists.
const NAMES: usize = 3;

impl Edit {
    /// What changed, as a clause without its place. `updated_by` is whom it matters to: with OLM v1, entries that another one skips
    /// keep their own edges.
    #[must_use]
    pub fn describe(&self, old: &Package, new: &Package, updated_by: UpdatedBy) -> String {
        match self {
            Self::ChannelRemoved(name) => match renamed(name, old, new) {
                Some(other) => format!("channel `{name}` is gone; it looks renamed to `{other}`"),
                None => format!("channel `{name}` is gone"),
            },
            Self::ChannelAdded(name) => format!("channel `{name}` is new"),
            Self::Entry { channel, entry, change } => {
                let entry_of = |package: &'_ Package| package.channel(channel.as_str())?.entry(entry.as_str()).cloned();
                let (before, after) = (entry_of(old), entry_of(new));
                let listed_before = old.channel(channel.as_str()).filter(|_| !updated_by.is_v1());
                match (change, before, after) {
                    (EntryChange::Added, _, Some(after)) => {
                        let names = after.skips.iter().map(|name| &name.value);
                        let silenced = newly_skipped(names, listed_before).find(|entry| has_skips(entry));
                        let silenced = silenced.map(|Entry { name, .. }| {
                            format!(
                                "; `{name}` is skipped now, so that its own `skips` and `skipRange` no longer count"
                            )
                        });
                        format!("channel `{channel}` lists {}{}", listed(&after), silenced.unwrap_or_default())
                    }
                    (EntryChange::Removed, ..) => format!("channel `{channel}` no longer lists `{entry}`"),
                    (EntryChange::Skips(name), ..) => {
                        let has_edges = |entry: &Entry| entry.replaces.is_some() || has_skips(entry);
                        let is_silenced = newly_skipped([name], listed_before).any(has_edges);
                        let silenced = if is_silenced { ", whose own edges no longer count" } else { "" };
                        format!("`{entry}` skips `{name}` now{silenced}")
                    }
                    (EntryChange::Unskips(name), ..) => format!("`{entry}` no longer skips `{name}`"),
                    (EntryChange::Replaces, Some(before), Some(after)) => {
                        let name = |entry: &Entry| entry.replaces.as_ref().map(|name| name.value.to_string());
                        exchanged(&format!("`{entry}`"), "replaces", name(&before), name(&after))
                    }
                    (EntryChange::SkipRange, Some(before), Some(after)) => {
                        let range = |entry: &Entry| entry.skip_range.as_ref().map(|range| range.value.text.to_string());
                        exchanged(&format!("`{entry}`"), "has skipRange", range(&before), range(&after))
                    }
                    _ => format!("`{entry}` changed"),
                }
            }
            Self::Bundle { bundle, change } => match change {
                BundleChange::Added => format!("bundle `{bundle}` is new"),
                BundleChange::Removed => format!("bundle `{bundle}` is gone"),
                BundleChange::Changed => {
                    let states = old.bundle(bundle.as_str()).zip(new.bundle(bundle.as_str()));
                    let changes = states.map(|(old, new)| changes(old, new)).unwrap_or_default();
                    format!("bundle `{bundle}` {}", changes.join(" and "))
                }
            },
            Self::Deprecation(target) => match target.name() {
                Some(name) => format!("the deprecation of `{name}` changed"),
                None => "the deprecation of the package changed".to_owned(),
            },
            Self::Lifecycle => "the lifecycle data of the package changed".to_owned(),
            Self::DefaultChannel => {
                let name = |package: &Package| package.default_channel.as_ref().map(|name| name.value.to_string());
                exchanged("the package", "has default channel", name(old), name(new))
            }
        }
    }
}

/// The new channel with at least half of the entries of a channel that is gone: it looks renamed.
fn renamed<'p>(name: &ChannelName, old: &Package, new: &'p Package) -> Option<&'p ChannelName> {
    let entries = &old.channel(name.as_str())?.entries;
    let kept =
        |channel: &Channel| entries.iter().filter(|entry| channel.entry(entry.name.value.as_str()).is_some()).count();
    let is_new = |channel: &&Channel| old.channel(channel.name.value.as_str()).is_none();
    let likely = new.channels.iter().filter(is_new).max_by_key(|channel| kept(channel))?;
    (kept(likely) > 0 && 2 * kept(likely) >= entries.len()).then_some(&likely.name.value)
}

/// The entries of these names that nothing skipped before.
fn newly_skipped<'p>(
    names: impl IntoIterator<Item = &'p BundleName>,
    old: Option<&'p Channel>,
) -> impl Iterator<Item = &'p Entry> {
    let skipped = old.into_iter().flat_map(|old| &old.entries).flat_map(|entry| &entry.skips);
    let skipped: BTreeSet<&BundleName> = skipped.map(|skip| &skip.value).collect();
    let is_new = move |name: &&BundleName| !skipped.contains(name);
    names.into_iter().filter(is_new).filter_map(move |name| old?.entry(name.as_str()))
}

fn has_skips(entry: &Entry) -> bool {
    !entry.skips.is_empty() || entry.skip_range.is_some()
}

/// A new entry with its edges.
fn listed(entry: &Entry) -> String {
    let replaces = entry.replaces.as_ref().map(|name| format!("replaces `{}`", name.value));
    let names: Vec<&BundleName> = entry.skips.iter().map(|name| &name.value).collect();
    let skips = (!names.is_empty()).then(|| {
        let some: Vec<String> = names.iter().take(NAMES).map(|name| format!("`{name}`")).collect();
        let more = match names.len().saturating_sub(NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("skips {}{more}", some.join(", "))
    });
    let range = entry.skip_range.as_ref().map(|range| format!("has skipRange `{}`", range.value.text));
    let edges: Vec<String> = [replaces, skips, range].into_iter().flatten().collect();
    let name = &entry.name.value;
    if edges.is_empty() {
        format!("`{name}`, which updates nothing")
    } else {
        format!("`{name}`, which {}", edges.join(", "))
    }
}

fn exchanged(subject: &str, verb: &str, before: Option<String>, after: Option<String>) -> String {
    match (before, after) {
        (Some(before), Some(after)) => format!("{subject} {verb} `{after}` instead of `{before}`"),
        (None, Some(after)) => format!("{subject} {verb} `{after}` now"),
        (Some(before), None) => format!("{subject} no longer {verb} `{before}`"),
        (None, None) => format!("{subject} changed"),
    }
}

/// What differs between two bundles of one name, as verbs with objects.
fn changes(old: &Bundle, new: &Bundle) -> Vec<String> {
    let mut found = Vec::new();
    if old.image.as_ref().map(|image| &image.value) != new.image.as_ref().map(|image| &image.value) {
        found.push("has another image".to_owned());
    }
    let kinds: BTreeSet<&str> =
        [old, new].into_iter().flat_map(|bundle| &bundle.properties).map(|property| property.value.kind()).collect();
    for kind in kinds {
        let of = |bundle: &Bundle| -> Vec<Property> {
            let found = bundle.properties.iter().filter(|property| property.value.kind() == kind);
            found.map(|property| property.value.clone()).collect()
        };
        let (before, after) = (of(old), of(new));
        match (before.is_empty(), after.is_empty()) {
            _ if before == after => {}
            (true, _) => found.push(format!("gains `{kind}`")),
            (_, true) => found.push(format!("loses `{kind}`")),
            _ => found.push(format!("has another `{kind}`")),
        }
    }
    found
}
