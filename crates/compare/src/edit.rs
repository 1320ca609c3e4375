//! The single differences between two states of a package. Each can be taken back on its own.

use crate::row::UpdatedBy;
use catalog::predicate::Property;
use catalog::{Bundle, BundleName, Channel, ChannelName, DeprecationTarget, Entry, Package};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A difference by meaning: the order of documents, entries and properties is none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edit {
    ChannelRemoved(ChannelName),
    ChannelAdded(ChannelName),
    /// A change to an entry of a channel that both states have.
    Entry {
        channel: ChannelName,
        entry: BundleName,
        change: EntryChange,
    },
    Bundle {
        bundle: BundleName,
        change: BundleChange,
    },
    /// Another default channel.
    DefaultChannel,
    /// A new, changed or removed entry of `olm.deprecations`.
    Deprecation(DeprecationTarget),
    /// New, changed or removed lifecycle data.
    Lifecycle,
}

/// A change to an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryChange {
    /// Another `replaces`, or none, or a new one.
    Replaces,
    /// A name in `skips` that is new.
    Skips(BundleName),
    /// A name that is no longer in `skips`.
    Unskips(BundleName),
    /// Another `skipRange`, or none, or a new one.
    SkipRange,
    /// The channel no longer lists it.
    Removed,
    /// The channel lists it now.
    Added,
}

/// A change to a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BundleChange {
    /// Another image, version or other properties.
    Changed,
    /// The catalog no longer has it.
    Removed,
    Added,
}

/// The differences: those of channels first, each with changed entries before removed and added ones, then bundles.
#[must_use]
pub fn edits(old: &Package, new: &Package) -> Vec<Edit> {
    let mut found = Vec::new();
    for channel in &old.channels {
        match new.channel(channel.name.value.as_str()) {
            Some(after) => found.extend(entry_edits(channel, after)),
            None => found.push(Edit::ChannelRemoved(channel.name.value.clone())),
        }
    }
    let is_new = |channel: &&Channel| old.channel(channel.name.value.as_str()).is_none();
    found.extend(new.channels.iter().filter(is_new).map(|channel| Edit::ChannelAdded(channel.name.value.clone())));
    found.extend(bundle_edits(old, new));
    let default = |package: &Package| package.default_channel.as_ref().map(|name| name.value.clone());
    if default(old) != default(new) {
        found.push(Edit::DefaultChannel);
    }
    found.extend(deprecation_edits(old, new));
    let mut data = old.lifecycles.iter().zip(&new.lifecycles);
    if old.lifecycles.len() != new.lifecycles.len() || !data.all(|(old, new)| old.says_the_same(new)) {
        found.push(Edit::Lifecycle);
    }
    found
}

fn entry_edits(old: &Channel, new: &Channel) -> Vec<Edit> {
    let mut changes: Vec<(&BundleName, EntryChange)> = Vec::new();
    for entry in &old.entries {
        let name = &entry.name.value;
        match new.entry(name.as_str()) {
            Some(after) => changes.extend(changes_of(entry, after).into_iter().map(|change| (name, change))),
            None => changes.push((name, EntryChange::Removed)),
        }
    }
    let is_new = |entry: &&Entry| old.entry(entry.name.value.as_str()).is_none();
    changes.extend(new.entries.iter().filter(is_new).map(|entry| (&entry.name.value, EntryChange::Added)));
    // What was changed tells more than what came and went.
    changes.sort_by_key(|(_, change)| match change {
        EntryChange::Removed => 1,
        EntryChange::Added => 2,
        _ => 0,
    });
    let edit = |(entry, change): (&BundleName, EntryChange)| Edit::Entry {
        channel: old.name.value.clone(),
        entry: entry.clone(),
        change,
    };
    changes.into_iter().map(edit).collect()
}

fn changes_of(old: &Entry, new: &Entry) -> Vec<EntryChange> {
    let mut changes = Vec::new();
    if replaced(old) != replaced(new) {
        changes.push(EntryChange::Replaces);
    }
    let (before, after) = (skipped(old), skipped(new));
    changes.extend(after.difference(&before).map(|name| EntryChange::Skips((*name).clone())));
    changes.extend(before.difference(&after).map(|name| EntryChange::Unskips((*name).clone())));
    if range(old) != range(new) {
        changes.push(EntryChange::SkipRange);
    }
    changes
}

fn bundle_edits(old: &Package, new: &Package) -> Vec<Edit> {
    let edit = |bundle: &Bundle, change| Edit::Bundle { bundle: bundle.name.value.clone(), change };
    let before = old.bundles.iter().filter_map(|bundle| match new.bundle(bundle.name.value.as_str()) {
        Some(after) => (!is_same(bundle, after)).then(|| edit(bundle, BundleChange::Changed)),
        None => Some(edit(bundle, BundleChange::Removed)),
    });
    let added = new.bundles.iter().filter(|bundle| old.bundle(bundle.name.value.as_str()).is_none());
    before.chain(added.map(|bundle| edit(bundle, BundleChange::Added))).collect()
}

fn deprecation_edits(old: &Package, new: &Package) -> Vec<Edit> {
    let message = |package: &Package, target: &DeprecationTarget| {
        let found = package.deprecations.iter().find(|deprecation| deprecation.target == *target);
        found.map(|deprecation| deprecation.message.clone())
    };
    let mut targets: Vec<&DeprecationTarget> = Vec::new();
    for deprecation in old.deprecations.iter().chain(&new.deprecations) {
        if !targets.contains(&&deprecation.target) {
            targets.push(&deprecation.target);
        }
    }
    targets.retain(|target| message(old, target) != message(new, target));
    targets.into_iter().map(|target| Edit::Deprecation(target.clone())).collect()
}

fn is_same(old: &Bundle, new: &Bundle) -> bool {
    let image = |bundle: &Bundle| bundle.image.as_ref().map(|image| image.value.clone());
    let has = |bundle: &Bundle, property| bundle.properties.iter().any(|other| other.value == property);
    let all = |one: &Bundle, other: &Bundle| one.properties.iter().all(|found| has(other, found.value.clone()));
    let is_equal = || old.properties.iter().zip(&new.properties).all(|(old, new)| old.value == new.value);
    image(old) == image(new)
        && old.properties.len() == new.properties.len()
        // In nearly all bundles the order is the same, too.
        && (is_equal() || (all(old, new) && all(new, old)))
}

fn replaced(entry: &Entry) -> Option<&BundleName> {
    entry.replaces.as_ref().map(|name| &name.value)
}

fn skipped(entry: &Entry) -> BTreeSet<&BundleName> {
    entry.skips.iter().map(|name| &name.value).filter(|name| !name.as_str().is_empty()).collect()
}

fn range(entry: &Entry) -> Option<&str> {
    entry.skip_range.as_ref().map(|range| &*range.value.text)
}

/// Takes differences back in `package`, which is the new state or one in which other differences were taken back.
pub fn revert(edits: &[&Edit], package: &mut Package, old: &Package) {
    let mut entries: BTreeMap<&ChannelName, BTreeMap<&BundleName, Vec<&EntryChange>>> = BTreeMap::new();
    let mut bundles: BTreeSet<&BundleName> = BTreeSet::new();
    for edit in edits {
        match edit {
            Edit::ChannelRemoved(name) => {
                package.channels.extend(old.channel(name.as_str()).cloned());
                package.channels.sort_by(|a, b| a.name.value.cmp(&b.name.value));
            }
            Edit::ChannelAdded(name) => package.channels.retain(|channel| channel.name.value != *name),
            Edit::Entry { channel, entry, change } => {
                entries.entry(channel).or_default().entry(entry).or_default().push(change);
            }
            Edit::Bundle { bundle, .. } => drop(bundles.insert(bundle)),
            Edit::DefaultChannel => package.default_channel.clone_from(&old.default_channel),
            Edit::Deprecation(target) => {
                package.deprecations.retain(|deprecation| deprecation.target != *target);
                let before = old.deprecations.iter().filter(|deprecation| deprecation.target == *target);
                package.deprecations.extend(before.cloned());
            }
            Edit::Lifecycle => package.lifecycles.clone_from(&old.lifecycles),
        }
    }
    for channel in &mut package.channels {
        let name = &channel.name.value;
        if let Some((changes, old)) = entries.remove(name).zip(old.channel(name.as_str())) {
            revert_entries(changes, channel, old);
        }
    }
    if !bundles.is_empty() {
        package.bundles.retain(|bundle| !bundles.contains(&bundle.name.value));
        package.bundles.extend(bundles.into_iter().filter_map(|name| old.bundle(name.as_str())).cloned());
        package.bundles.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    }
}

fn revert_entries(mut changes: BTreeMap<&BundleName, Vec<&EntryChange>>, channel: &mut Channel, old: &Channel) {
    let is_added = |changes: &Vec<&EntryChange>| changes.contains(&&EntryChange::Added);
    channel.entries.retain(|entry| !changes.get(&entry.name.value).is_some_and(is_added));
    for entry in channel.entries.iter_mut() {
        let Some(before) = old.entry(entry.name.value.as_str()) else { continue };
        for change in changes.remove(&entry.name.value).unwrap_or_default() {
            change.revert(entry, before);
        }
    }
    // What is left is not listed any more.
    let is_removed = |changes: &Vec<&EntryChange>| changes.contains(&&EntryChange::Removed);
    let removed = changes.into_iter().filter(|(_, changes)| is_removed(changes));
    channel.entries.extend(removed.filter_map(|(name, _)| old.entry(name.as_str())).cloned());
}

impl Edit {
    /// The entries and bundles that it is about.
    pub(crate) fn names(&self) -> [Option<&BundleName>; 2] {
        match self {
            Self::Entry { entry, change: EntryChange::Skips(name) | EntryChange::Unskips(name), .. } => {
                [Some(entry), Some(name)]
            }
            Self::Entry { entry: name, .. } | Self::Bundle { bundle: name, .. } => [Some(name), None],
            Self::ChannelRemoved(_)
            | Self::ChannelAdded(_)
            | Self::DefaultChannel
            | Self::Deprecation(_)
            | Self::Lifecycle => [None; 2],
        }
    }

    /// Whether it can matter to Subscriptions of a channel.
    pub(crate) fn concerns(&self, wanted: &ChannelName) -> bool {
        match self {
            Self::ChannelRemoved(channel) | Self::Entry { channel, .. } => channel == wanted,
            Self::Bundle { .. } => true,
            Self::ChannelAdded(_) | Self::DefaultChannel | Self::Deprecation(_) | Self::Lifecycle => false,
        }
    }

    /// Whether it can matter to extensions that name this channel, or none.
    pub(crate) fn concerns_extension(&self, wanted: Option<&ChannelName>) -> bool {
        match self {
            Self::Deprecation(target) => matches!(target, DeprecationTarget::Bundle(_)),
            Self::DefaultChannel | Self::Lifecycle => false,
            _ => wanted.is_none_or(|wanted| self.concerns(wanted)),
        }
    }

    /// The place of what changed in a state, if the state has it.
    #[must_use]
    pub fn span(&self, package: &Package) -> Option<Span> {
        match self {
            Self::ChannelRemoved(name) | Self::ChannelAdded(name) => Some(package.channel(name.as_str())?.name.span),
            Self::Entry { channel, entry, change } => {
                let entry = package.channel(channel.as_str())?.entry(entry.as_str())?;
                let field = match change {
                    EntryChange::Replaces => entry.replaces.as_ref().map(|name| name.span),
                    EntryChange::Skips(name) | EntryChange::Unskips(name) => {
                        entry.skips.iter().find(|skipped| skipped.value == *name).map(|skipped| skipped.span)
                    }
                    EntryChange::SkipRange => entry.skip_range.as_ref().map(|range| range.span),
                    EntryChange::Removed | EntryChange::Added => None,
                };
                Some(field.unwrap_or(entry.name.span))
            }
            Self::Bundle { bundle, .. } => Some(package.bundle(bundle.as_str())?.name.span),
            Self::DefaultChannel => Some(package.default_channel.as_ref()?.span),
            Self::Deprecation(target) => {
                package.deprecations.iter().find(|deprecation| deprecation.target == *target).map(|found| found.place)
            }
            Self::Lifecycle => package.lifecycles.first()?.package.as_ref().map(|name| name.span),
        }
    }
}

impl EntryChange {
    fn revert(&self, entry: &mut Entry, before: &Entry) {
        match self {
            Self::Replaces => entry.replaces.clone_from(&before.replaces),
            Self::Skips(skipped) => entry.skips.retain(|name| name.value != *skipped),
            Self::Unskips(skipped) => {
                entry.skips.extend(before.skips.iter().find(|name| name.value == *skipped).cloned());
            }
            Self::SkipRange => entry.skip_range.clone_from(&before.skip_range),
            Self::Added | Self::Removed => {}
        }
    }
}

// Edits in words.

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
    let image = |bundle: &Bundle| bundle.image.as_ref().map(|image| image.value.clone());
    if old.image_identity() != new.image_identity() {
        found.push("has another image".to_owned());
    } else if image(old) != image(new) {
        found.push("has the same image elsewhere".to_owned());
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
