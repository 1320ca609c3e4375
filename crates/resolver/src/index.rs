//! An index of a list of entries. It is built once for each list, so that no resolution scans the list.
//!
//! A bundle is read once, however many channels it is in.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::predicate::{
    Fuel, Gvk, PackageName, Property, Requirement, RequirementError, RequirementKey, Unevaluated,
};
use catalog::{BundleName, ChannelName};
use cluster::PlacedProperty;
use go_semver::blang::{Range, Version};
use source::Span;
use update_graph::{SortError, sort_channel};

use crate::snapshot::Entry;

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
    fn bundle_of(&self, at: At) -> u32 {
        self.bundle_of[at as usize]
    }

    /// Whether the entry's bundle is forbidden by `olm.deprecated`.
    pub(crate) fn is_deprecated(&self, at: At) -> bool {
        self.bundles[self.bundle_of[at as usize] as usize].deprecated
    }

    /// Whether a version of the entry is in the range, as [`Requirement::holds`] tells it: versions are read only once
    /// here.
    fn is_in(&self, at: At, range: &Range, text: &str) -> Result<bool, Unevaluated> {
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
    fn labelled(&self) -> &[At] {
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

// Finds the entries of one list that meet a requirement, through the index of the list.
//
// OLM evaluates the requirement on every entry. Here each part of a requirement narrows the set of entries, in OLM's
// order: it is evaluated only on entries that the parts before it leave undecided. Indexed parts are looked up instead.

/// The entries that meet a requirement, in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Matches {
    pub(crate) entries: Vec<At>,
    /// Why it is not known for some entries, which are left out.
    pub(crate) unknown: Option<Unevaluated>,
}

impl Matches {
    pub(crate) fn of(index: &Index, entries: &[Entry], requirement: &Requirement, fuel: &mut Fuel) -> Self {
        let mut lookup = Lookup { index, entries, fuel, unknown: None };
        let entries = lookup.among(requirement, None);
        Self { entries, unknown: lookup.unknown }
    }
}

struct Lookup<'l> {
    index: &'l Index,
    entries: &'l [Entry],
    fuel: &'l mut Fuel,
    unknown: Option<Unevaluated>,
}

impl Lookup<'_> {
    /// The entries that meet the requirement, among those of `within` if it is given.
    fn among(&mut self, requirement: &Requirement, within: Option<&[At]>) -> Vec<At> {
        match requirement {
            Requirement::Gvk(gvk) => {
                let mut providers = narrowed(self.index.of_gvk(gvk), within);
                providers.dedup();
                providers
            }
            Requirement::Package { name, .. } => {
                self.matching(requirement, narrowed(self.index.of_package(name.as_str()), within))
            }
            Requirement::Label(_) => self.matching(requirement, narrowed(self.index.labelled(), within)),
            Requirement::Cel { .. } => self.matching(requirement, self.all(within)),
            Requirement::All(parts) => self.all_parts(parts, within),
            Requirement::Any(parts) => self.any_part(parts, within),
            Requirement::Not(parts) => {
                let met = self.any_part(parts, within);
                without(self.all(within), &met)
            }
        }
    }

    fn all_parts(&mut self, parts: &[Requirement], within: Option<&[At]>) -> Vec<At> {
        let mut left: Option<Vec<At>> = within.map(<[At]>::to_vec);
        for part in parts {
            left = Some(self.among(part, left.as_deref()));
        }
        left.unwrap_or_else(|| self.all(None))
    }

    fn any_part(&mut self, parts: &[Requirement], within: Option<&[At]>) -> Vec<At> {
        let mut met: Vec<At> = Vec::new();
        for part in parts {
            // A part that is known of all entries may as well be checked for those that meet another.
            let more = if met.is_empty() || is_certain(part) {
                self.among(part, within)
            } else {
                let left = without(self.all(within), &met);
                self.among(part, Some(&left))
            };
            met.extend(more);
            met.sort_unstable();
            met.dedup();
        }
        met
    }

    fn all(&self, within: Option<&[At]>) -> Vec<At> {
        within.map_or_else(|| (0..).zip(self.entries).map(|(at, _)| at).collect(), <[At]>::to_vec)
    }

    /// The candidates that meet the requirement. Each bundle is checked once.
    fn matching(&mut self, requirement: &Requirement, mut candidates: Vec<At>) -> Vec<At> {
        let mut answers: Vec<(u32, bool)> = Vec::new();
        candidates.retain(|&at| {
            let bundle = self.index.bundle_of(at);
            // Entries of one bundle are far apart in a long list, but candidates are few or the answer takes long.
            match answers.binary_search_by_key(&bundle, |(bundle, _)| *bundle) {
                Ok(known) => answers[known].1,
                Err(place) => {
                    let answer = self.ask(requirement, at);
                    answers.insert(place, (bundle, answer));
                    answer
                }
            }
        });
        candidates
    }

    fn ask(&mut self, requirement: &Requirement, at: At) -> bool {
        let entry = &self.entries[at as usize];
        let answer = match requirement {
            Requirement::Package { range, text, .. } => self.index.is_in(at, range, text),
            _ => {
                let properties = entry.properties.iter().map(|placed| &placed.property);
                requirement.holds_within(&entry.package, entry.version.as_ref(), properties, self.fuel)
            }
        };
        answer.unwrap_or_else(|unevaluated| {
            self.unknown.get_or_insert(unevaluated);
            false
        })
    }
}

/// The entries that are also in `within`, if it is given; both in ascending order.
fn narrowed(entries: &[At], within: Option<&[At]>) -> Vec<At> {
    match within {
        None => entries.to_vec(),
        Some(within) if within.len() < entries.len() => {
            within.iter().copied().filter(|at| entries.binary_search(at).is_ok()).collect()
        }
        Some(within) => entries.iter().copied().filter(|at| within.binary_search(at).is_ok()).collect(),
    }
}

fn without(mut entries: Vec<At>, other: &[At]) -> Vec<At> {
    entries.retain(|at| other.binary_search(at).is_err());
    entries
}

/// How many tests of entries it takes to find those that meet the requirement; `None` if no index answers it.
pub(crate) fn cost(index: &Index, requirement: &Requirement) -> Option<usize> {
    match requirement {
        Requirement::Gvk(gvk) => Some(1 + index.of_gvk(gvk).len()),
        Requirement::Package { name, .. } => Some(1 + index.of_package(name.as_str()).len()),
        Requirement::All(parts) if !parts.is_empty() => parts.iter().map(|part| cost(index, part)).sum(),
        Requirement::Any(parts) if parts.len() < 2 || parts.iter().all(is_certain) => {
            parts.iter().map(|part| cost(index, part)).sum()
        }
        Requirement::All(_)
        | Requirement::Any(_)
        | Requirement::Not(_)
        | Requirement::Label(_)
        | Requirement::Cel { .. } => None,
    }
}

/// Whether every entry has an answer to it.
fn is_certain(requirement: &Requirement) -> bool {
    matches!(requirement, Requirement::Gvk(_) | Requirement::Label(_))
}
