//! An index of a list of entries. It is built once for each list, so that no resolution scans the list.
//!
//! A bundle is read once, however many channels it is in.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::predicate::{Gvk, PackageName, Property, Requirement, RequirementError, RequirementKey, Unevaluated};
use catalog::{BundleName, ChannelName};
use go_semver::blang::{Range, Version};
use source::Span;
use update_graph::{SortError, sort_channel};

use crate::entry::Entry;
use cluster::PlacedProperty;

/// The position of an entry in its list.
pub(crate) type At = u32;

/// Lookups into one list of entries. Positions are always in ascending order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Index {
    /// By position: which of `bundles`.
    bundle_of: Vec<u32>,
    bundles: Vec<BundleIndex>,
    requirements: Vec<Arc<Requirement>>,
    packages: BTreeMap<PackageName, Vec<At>>,
    gvks: BTreeMap<Gvk, Vec<At>>,
    labelled: Vec<At>,
    names: BTreeMap<BundleName, Vec<At>>,
    /// By position: which of `channels`.
    channel_of: Vec<u32>,
    channels: Vec<ChannelIndex>,
    /// By position: the place of `<channel>/<name>` among all different ones.
    identifiers: Vec<u32>,
}

/// One bundle, in whatever channels.
#[derive(Clone, Debug, PartialEq)]
struct BundleIndex {
    /// The versions that a range is tested against: those of its `olm.package` properties, then that of its entry.
    versions: Vec<Version>,
    deprecated: bool,
    requires: Result<Vec<Stated>, Misstated>,
}

/// A requirement and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stated {
    /// The number of the requirement in its list.
    pub(crate) number: u32,
    pub(crate) span: Option<Span>,
}

/// A requirement that OLM cannot read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misstated {
    pub(crate) span: Option<Span>,
    pub(crate) error: RequirementError,
}

/// The entries of one package in one channel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChannelIndex {
    pub(crate) members: Vec<At>,
    /// Entries of the same channel name that an `olm.package` property assigns to the package, though the list says
    /// another.
    pub(crate) guests: Vec<At>,
    /// The members from the head down.
    pub(crate) order: Result<Vec<At>, SortError>,
}

impl Index {
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let mut index = Self::default();
        index.add_bundles(entries);
        for (at, entry) in (0..).zip(entries) {
            index.add_properties(at, entry);
        }
        index.add_channels(entries);
        index.add_identifiers(entries);
        index
    }

    /// Gives a number to each bundle: entries that share their properties, package and version are one.
    fn add_bundles(&mut self, entries: &[Entry]) {
        let mut known: BTreeMap<_, u32> = BTreeMap::new();
        let mut numbers = BTreeMap::new();
        for entry in entries {
            // Addresses only group; numbers follow the order of the list.
            let key = (entry.properties.as_ptr().addr(), entry.properties.len(), &entry.package, &entry.version);
            let next = number(self.bundles.len());
            let bundle = *known.entry(key).or_insert(next);
            if bundle == next {
                let requires = self.read(&entry.properties, &mut numbers);
                self.bundles.push(BundleIndex {
                    versions: versions(entry),
                    deprecated: entry.is_deprecated(),
                    requires,
                });
            }
            self.bundle_of.push(bundle);
        }
    }

    /// The requirements among the properties, each distinct one read once, and of equal ones of a bundle the first:
    /// another is met whenever the first is and comes after it in the order of choices. The first that cannot be read
    /// is returned.
    fn read<'e>(
        &mut self,
        properties: &'e [PlacedProperty],
        numbers: &mut BTreeMap<RequirementKey<'e>, Option<Result<u32, RequirementError>>>,
    ) -> Result<Vec<Stated>, Misstated> {
        let mut stated = Vec::new();
        let mut seen = BTreeSet::new();
        for PlacedProperty { property, span } in properties {
            let Some(key) = RequirementKey::of(property) else { continue };
            let read = numbers.entry(key).or_insert_with(|| {
                Requirement::of(property).map(|read| {
                    let requirement = read?;
                    self.requirements.push(Arc::new(requirement));
                    Ok(number(self.requirements.len() - 1))
                })
            });
            match read {
                Some(Ok(number)) if seen.insert(*number) => stated.push(Stated { number: *number, span: *span }),
                None | Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Misstated { span: *span, error: error.clone() }),
            }
        }
        Ok(stated)
    }

    fn add_properties(&mut self, at: At, entry: &Entry) {
        push(self.names.entry(entry.name.clone()).or_default(), at);
        push(of_key(&mut self.packages, &entry.package), at);
        for placed in entry.properties.iter() {
            match &placed.property {
                Property::Package { name, .. } => push(of_key(&mut self.packages, name), at),
                Property::Gvk(gvk, _) => of_key(&mut self.gvks, gvk).push(at),
                Property::Other { kind, .. } if **kind == *"olm.label" => push(&mut self.labelled, at),
                Property::Other { .. } | Property::GvkRequired(..) | Property::PackageRequired { .. } => {}
            }
        }
    }

    fn add_channels(&mut self, entries: &[Entry]) {
        let mut members: BTreeMap<(&PackageName, &ChannelName), Vec<At>> = BTreeMap::new();
        let mut guests: BTreeMap<(&PackageName, &ChannelName), Vec<At>> = BTreeMap::new();
        for (at, entry) in (0..).zip(entries) {
            members.entry((&entry.package, &entry.channel)).or_default().push(at);
            for placed in entry.properties.iter() {
                match &placed.property {
                    Property::Package { name, .. } if *name != entry.package => {
                        push(guests.entry((name, &entry.channel)).or_default(), at);
                    }
                    _ => {}
                }
            }
        }
        self.channel_of = vec![0; entries.len()];
        for (key, members) in members {
            for &at in &members {
                self.channel_of[at as usize] = number(self.channels.len());
            }
            let order = sorted(entries, &members);
            self.channels.push(ChannelIndex { members, guests: guests.remove(&key).unwrap_or_default(), order });
        }
    }

    fn add_identifiers(&mut self, entries: &[Entry]) {
        let identifiers = entries.iter().map(|entry| format!("{}/{}", entry.channel, entry.name));
        let mut sorted: Vec<(String, At)> = identifiers.zip(0..).collect();
        sorted.sort_unstable();
        self.identifiers = vec![0; entries.len()];
        let mut place = 0;
        for (rank, (identifier, at)) in sorted.iter().enumerate() {
            if rank > 0 && *identifier != sorted[rank - 1].0 {
                place += 1;
            }
            self.identifiers[*at as usize] = place;
        }
    }

    /// The place of the entry's identifier in the order of all that differ; below the number of entries.
    pub(crate) fn identifier(&self, at: At) -> u32 {
        self.identifiers[at as usize]
    }

    /// The requirements of the entry, in property order.
    pub(crate) fn requires(&self, at: At) -> &Result<Vec<Stated>, Misstated> {
        &self.bundles[self.bundle_of[at as usize] as usize].requires
    }

    /// How many distinct requirements there are.
    pub(crate) fn requirement_count(&self) -> u32 {
        number(self.requirements.len())
    }

    pub(crate) fn requirement(&self, number: u32) -> &Arc<Requirement> {
        &self.requirements[number as usize]
    }

    /// The number of the entry's bundle.
    pub(crate) fn bundle_of(&self, at: At) -> u32 {
        self.bundle_of[at as usize]
    }

    /// Whether the entry's bundle is forbidden by `olm.deprecated`.
    pub(crate) fn is_deprecated(&self, at: At) -> bool {
        self.bundles[self.bundle_of[at as usize] as usize].deprecated
    }

    /// Whether a version of the entry is in the range, as [`Requirement::holds`] tells it: versions are read only once
    /// here.
    pub(crate) fn is_in(&self, at: At, range: &Range, text: &str) -> Result<bool, Unevaluated> {
        for version in &self.bundles[self.bundle_of[at as usize] as usize].versions {
            if range.matches(version).map_err(|panic| Unevaluated::Range { range: text.into(), panic })? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The entries that belong to the package, by their list's account or by any of their `olm.package` properties.
    pub(crate) fn of_package(&self, package: &str) -> &[At] {
        self.packages.get(package).map_or(&[], Vec::as_slice)
    }

    /// The entries that provide the API; one that states it twice occurs twice.
    pub(crate) fn of_gvk(&self, gvk: &Gvk) -> &[At] {
        self.gvks.get(gvk).map_or(&[], Vec::as_slice)
    }

    /// The APIs, each with the entries that provide it; one that states it twice occurs twice.
    pub(crate) fn gvks(&self) -> impl Iterator<Item = (&Gvk, &[At])> {
        self.gvks.iter().map(|(gvk, entries)| (gvk, &entries[..]))
    }

    /// The entries that have any label.
    pub(crate) fn labelled(&self) -> &[At] {
        &self.labelled
    }

    pub(crate) fn named(&self, name: &BundleName) -> &[At] {
        self.names.get(name).map_or(&[], Vec::as_slice)
    }

    /// The number of the channel that an entry is listed in; ascending by package and channel.
    pub(crate) fn channel_of(&self, at: At) -> u32 {
        self.channel_of[at as usize]
    }

    pub(crate) fn channel(&self, number: u32) -> &ChannelIndex {
        &self.channels[number as usize]
    }

    /// Entries of one channel from the head down. `run` may be any part of a channel, in ascending order.
    pub(crate) fn channel_order<'i>(&'i self, entries: &[Entry], run: &[At]) -> Result<Cow<'i, [At]>, SortError> {
        let Some(&first) = run.first() else { return Ok(Cow::Borrowed(&[])) };
        let channel = self.channel(self.channel_of(first));
        if channel.members == run {
            return channel.order.as_deref().map(Cow::Borrowed).map_err(SortError::clone);
        }
        sorted(entries, run).map(Cow::Owned)
    }
}

fn versions(entry: &Entry) -> Vec<Version> {
    let own = entry.properties.iter().filter_map(|placed| match &placed.property {
        Property::Package { version, .. } => Version::parse(version).ok(),
        _ => None,
    });
    own.chain(entry.version.clone()).collect()
}

/// The positions in the order of a channel that has no other entries.
fn sorted(entries: &[Entry], channel: &[At]) -> Result<Vec<At>, SortError> {
    let members: Vec<&Entry> = channel.iter().map(|&at| &entries[at as usize]).collect();
    let Some(first) = members.first() else { return Ok(Vec::new()) };
    let order = sort_channel(first.channel.as_str(), first.package.as_str(), &members)?;
    Ok(order.into_iter().map(|at| channel[at]).collect())
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a list has fewer than 2^32 entries and requirements")
}

/// The list of a key, which is cloned only when it is new.
fn of_key<'m, K: Ord + Clone>(map: &'m mut BTreeMap<K, Vec<At>>, key: &K) -> &'m mut Vec<At> {
    if !map.contains_key(key) {
        map.insert(key.clone(), Vec::new());
    }
    map.get_mut(key).expect("the key was there or has been added")
}

/// Keeps ascending positions free of repetitions.
fn push(positions: &mut Vec<At>, at: At) {
    if positions.last() != Some(&at) {
        positions.push(at);
    }
}
