//! Both states of a package in one, for a drawing that shows what was added, removed and pointed elsewhere.

use catalog::{BundleName, Channel, Entry, Package};
use source::{Presence, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::Via;

/// The union of two states of a package.
///
/// An entry has one `replaces` only. If it is another one in the new state, the old one is in its `skips` here, and
/// [`Union::edge`] tells what it was.
#[derive(Clone, Debug)]
pub struct Union<'c> {
    /// All channels, entries and bundles of both states; what both have is as in the new one, with the edges of both.
    pub package: Package,
    old: &'c Package,
    new: &'c Package,
}

impl<'c> Union<'c> {
    /// Of two states of a package.
    #[must_use]
    pub fn of(old: &'c Package, new: &'c Package) -> Self {
        let mut package = new.clone();
        for before in &old.channels {
            let name = before.name.value.as_str();
            match package.channels.iter_mut().find(|channel| channel.name.value.as_str() == name) {
                Some(after) => unite(before, after),
                None => package.channels.push(before.clone()),
            }
        }
        package.channels.sort_by(|a, b| a.name.value.cmp(&b.name.value));
        let gone = old.bundles.iter().filter(|bundle| new.bundle(bundle.name.value.as_str()).is_none());
        package.bundles.extend(gone.cloned());
        package.bundles.sort_by(|a, b| a.name.value.cmp(&b.name.value));
        Self { package, old, new }
    }

    /// Which states list an entry in a channel. A name that neither lists is in both.
    #[must_use]
    pub fn entry(&self, channel: &str, name: &str) -> Presence {
        let lists = |package| entry(package, channel, name).is_some();
        Presence::of(lists(self.old), lists(self.new))
    }

    /// Which states have a channel.
    #[must_use]
    pub fn channel(&self, name: &str) -> Presence {
        let has = |package: &Package| package.channel(name).is_some();
        Presence::of(has(self.old), has(self.new))
    }

    /// Which states have the edge from an older to a newer entry, and its field in the newest of them. `via` is the field in
    /// the union.
    #[must_use]
    pub fn edge(&self, channel: &str, (older, newer): (&str, &str), via: Via) -> (Presence, Via) {
        let has = |package: &'c Package, via: Via| {
            entry(package, channel, newer).is_some_and(|entry| names(entry, older, via))
        };
        let any = |package| [via, Via::Replaces, Via::Skips].into_iter().find(|via| has(package, *via));
        let (before, after) = (any(self.old), any(self.new));
        (Presence::of(before.is_some(), after.is_some()), after.or(before).unwrap_or(via))
    }
}

fn entry<'p>(package: &'p Package, channel: &str, name: &str) -> Option<&'p Entry> {
    package.channel(channel)?.entry(name)
}

/// Whether a field of an entry names an older one.
fn names(entry: &Entry, older: &str, via: Via) -> bool {
    match via {
        Via::Replaces => entry.replaces.as_ref().is_some_and(|name| name.value.as_str() == older),
        Via::Skips => entry.skips.iter().any(|name| name.value.as_str() == older),
        Via::SkipRange => false,
    }
}

/// Adds what a channel had before to what it is now.
fn unite(before: &Channel, after: &mut Channel) {
    let mut old: BTreeMap<&str, &Entry> = BTreeMap::new();
    let mut gone = Vec::new();
    for entry in &before.entries {
        if after.entry(entry.name.value.as_str()).is_none() {
            gone.push(entry.clone());
        } else {
            old.entry(entry.name.value.as_str()).or_insert(entry);
        }
    }
    for entry in after.entries.iter_mut() {
        let Some(old) = old.remove(entry.name.value.as_str()) else { continue };
        let known: BTreeSet<BundleName> =
            entry.replaces.iter().chain(&entry.skips).map(|name| name.value.clone()).collect();
        let is_new = |older: &&Spanned<BundleName>| !known.contains(&older.value);
        entry.skips.extend(old.replaces.iter().chain(&old.skips).filter(is_new).cloned());
        if entry.skip_range.is_none() {
            entry.skip_range.clone_from(&old.skip_range);
        }
    }
    after.entries.extend(gone);
}
