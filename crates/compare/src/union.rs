//! Both states of a package in one, for a drawing that shows what was added, removed and pointed elsewhere.

use catalog::{Channel, Entry, Package};
use update_graph::Via;

/// Which states have something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Only the old one: the change removed it.
    Before,
    /// Both.
    Both,
    /// Only the new one: the change added it.
    After,
}

impl Presence {
    const fn of(before: bool, after: bool) -> Self {
        match (before, after) {
            (true, false) => Self::Before,
            (false, true) => Self::After,
            _ => Self::Both,
        }
    }
}

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
    for old in &before.entries {
        let Some(entry) = after.entries.iter_mut().find(|entry| entry.name.value == old.name.value) else {
            after.entries.push(old.clone());
            continue;
        };
        for older in old.replaces.iter().chain(&old.skips) {
            if !names(entry, older.value.as_str(), Via::Replaces) && !names(entry, older.value.as_str(), Via::Skips) {
                entry.skips.push(older.clone());
            }
        }
        if entry.skip_range.is_none() {
            entry.skip_range.clone_from(&old.skip_range);
        }
    }
}
