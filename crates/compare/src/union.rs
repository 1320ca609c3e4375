//! Both states of a package in one, for a drawing that shows what was added, removed and pointed elsewhere.

use catalog::{BundleName, Channel, Entry, Package};
use source::{Presence, Spanned, one_line};
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

// The changed part of a package's update graph in the Mermaid language, for a report: what was added, removed or is
// harmed, with the entries next to it.

/// The most entries that are drawn; GitHub refuses large drawings, and nobody reads them.
const ENTRIES: usize = 60;

/// The drawing of a package in both states, where `harmed` are channels with the installed versions that the change harms.
/// `None` if no edge changed, or if too much did.
#[must_use]
pub fn mermaid(old: &Package, new: &Package, harmed: &BTreeSet<(&str, &str)>) -> Option<String> {
    let union = Union::of(old, new);
    let is_harmed = |channel: &str, name: &str| harmed.contains(&(channel, name));
    let mut out = "graph LR\n  classDef added stroke-width:3px\n  classDef removed stroke-dasharray:3\n  classDef harmed stroke:#b02018,stroke-width:3px\n".to_owned();
    let mut count = 0;
    for (number, channel) in union.package.channels.iter().enumerate() {
        let name = channel.name.value.as_str();
        let edges: Vec<(&str, &str, Presence)> = (channel.entries.iter())
            .flat_map(|entry| {
                let newer = entry.name.value.as_str();
                let replaced = entry.replaces.iter().map(move |older| (older.value.as_str(), newer, Via::Replaces));
                replaced.chain(entry.skips.iter().map(move |older| (older.value.as_str(), newer, Via::Skips)))
            })
            .map(|(older, newer, via)| (older, newer, union.edge(name, (older, newer), via).0))
            .collect();
        let is_changed = |entry: &str| union.entry(name, entry) != Presence::Both || is_harmed(name, entry);
        let shown: Vec<&(&str, &str, Presence)> = (edges.iter())
            .filter(|(older, newer, presence)| *presence != Presence::Both || is_changed(older) || is_changed(newer))
            .collect();
        let lone = channel.entries.iter().map(|entry| entry.name.value.as_str()).filter(|entry| is_changed(entry));
        let entries: BTreeSet<&str> = shown.iter().flat_map(|(older, newer, _)| [*older, *newer]).chain(lone).collect();
        if entries.is_empty() {
            continue;
        }
        if count + entries.len() > ENTRIES {
            return None;
        }
        let ids: BTreeMap<&str, usize> = entries.iter().copied().zip(count..).collect();
        count += ids.len();
        // Without an id of its own, the subgraph has its title as one, which may be that of an entry.
        out += &format!("  subgraph c{number}[{}]\n", quoted(name));
        for (entry, id) in &ids {
            let mut class = match union.entry(name, entry) {
                Presence::Both => "",
                Presence::Before => ":::removed",
                Presence::After => ":::added",
            };
            if is_harmed(name, entry) {
                class = ":::harmed";
            }
            out += &format!("    n{id}[{}]{class}\n", quoted(entry));
        }
        let mut drawn = BTreeSet::new();
        for (older, newer, presence) in shown {
            let line = match presence {
                Presence::Both => "-->",
                Presence::Before => "-.->|removed|",
                Presence::After => "==>|added|",
            };
            if drawn.insert((older, newer)) {
                out += &format!("    n{} {line} n{}\n", ids[older], ids[newer]);
            }
        }
        out += "  end\n";
    }
    (count > 0).then_some(out)
}

/// A label in quotes; Mermaid knows no escape but entities.
fn quoted(text: &str) -> String {
    let safe = one_line(text).replace('`', " ").replace('"', "#quot;").replace('<', "#lt;").replace('>', "#gt;");
    format!("\"{safe}\"")
}
