//! The update chain of a channel: the entries that OLM chooses from, and what it updates an installed version to.

use crate::{Change, SortError, sort_channel};
use catalog::{BundleName, Channel, Entry, Package};
use go_semver::blang::{Range, Version, first_matches};
use std::collections::BTreeMap;

/// The entries of a channel that OLM chooses from, in its order.
///
/// Several entries can be successors of an installed bundle, by `replaces`, `skips` or a skipRange. OLM takes the successor
/// nearest to the head (`getSubscriptionVariables` in operator-lifecycle-manager
/// `pkg/controller/registry/resolver/resolver.go`). Dependencies may rule it out; they are not considered here.
#[derive(Clone, Debug)]
pub struct UpdateChain<'c> {
    pub channel: &'c Channel,
    /// The entries by position, the head first.
    pub entries: Vec<&'c Entry>,
    /// By position, the index of the entry in the channel.
    pub(crate) order: Vec<usize>,
    positions: BTreeMap<&'c BundleName, usize>,
    hops: HopIndex<'c>,
}

/// The update that OLM makes next.
#[derive(Clone, Copy, Debug)]
pub struct NextUpdate<'c> {
    pub to: &'c Entry,
    /// The position in the update chain, 0 for the head.
    pub position: usize,
    /// The field that allows it.
    pub via: Via,
}

impl<'c> UpdateChain<'c> {
    /// The update chain of a channel of `package`.
    ///
    /// # Errors
    /// When OLM finds no order in the channel.
    pub fn of(package: &Package, channel: &'c Channel) -> Result<Self, SortError> {
        let order = sort_channel(channel.name.value.as_str(), package.name.as_str(), &channel.entries)?;
        let entries: Vec<&Entry> = order.iter().map(|&index| &channel.entries[index]).collect();
        let positions = entries.iter().enumerate().map(|(position, entry)| (&entry.name.value, position)).collect();
        let hops = HopIndex::of(entries.iter().copied());
        Ok(Self { channel, entries, order, positions, hops })
    }

    /// The position of an entry; absent when OLM does not choose from it.
    #[must_use]
    pub fn position(&self, name: &BundleName) -> Option<usize> {
        self.positions.get(name).copied()
    }

    /// What OLM updates to; nothing when no entry follows, or when the best that does is what is installed.
    #[must_use]
    pub fn next_update(&self, installed: &BundleName, version: Option<&Version>) -> Option<NextUpdate<'c>> {
        self.update(installed, self.hops.first(installed, version))
    }

    /// The next update of each of many installed versions, as [`UpdateChain::next_update`] finds it one by one.
    #[must_use]
    pub fn next_updates(&self, installed: &[(&BundleName, Option<&Version>)]) -> Vec<Option<NextUpdate<'c>>> {
        let first = self.hops.first_of_each(installed).into_iter();
        first.zip(installed).map(|(first, (name, _))| self.update(name, first)).collect()
    }

    fn update(&self, installed: &BundleName, found: Option<(usize, Via)>) -> Option<NextUpdate<'c>> {
        let (position, via) = found?;
        let to = self.entries[position];
        (to.name.value != *installed).then_some(NextUpdate { to, position, via })
    }

    /// All entries that an installed version may be updated to. OLM takes the first.
    #[must_use]
    pub fn successors(&self, installed: &BundleName, version: Option<&Version>) -> Vec<NextUpdate<'c>> {
        let found = self.hops.all(installed, version, |_| true).into_iter();
        found.filter_map(|found| self.update(installed, Some(found))).collect()
    }
}

/// By index in `entries`: whether a series of hops leads from the entry to the head. `order` are the indices of the
/// entries that OLM chooses from, the head first, and `versions` those of all entries. A hop leads to an entry that OLM
/// chooses from, and whose `replaces`, `skips` or skipRange names or covers the older one.
///
/// Goes backwards from the head and takes every entry out of the search when it is found, so that none is looked at again
/// for another range that covers it.
#[must_use]
pub fn reaches_head(entries: &[Entry], versions: &[Option<&Version>], order: &[usize]) -> Vec<bool> {
    let mut named: BTreeMap<&BundleName, Vec<usize>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        named.entry(&entry.name.value).or_default().push(index);
    }
    let versioned = versions.iter().enumerate().filter_map(|(index, version)| Some(((*version)?, index)));
    let mut ascending: Vec<(&Version, usize)> = versioned.collect();
    ascending.sort();
    let (mut versions, mut indices): (Vec<&Version>, Vec<usize>) = ascending.into_iter().unzip();
    let mut chosen = vec![false; entries.len()];
    order.iter().for_each(|&index| chosen[index] = true);
    let mut reached = vec![false; entries.len()];
    let mut waiting: Vec<usize> = order.first().copied().into_iter().collect();
    waiting.iter().for_each(|&head| reached[head] = true);
    while let Some(newer) = waiting.pop() {
        let names = entries[newer].replaces.iter().chain(&entries[newer].skips);
        let mut older: Vec<usize> = names.filter_map(|name| named.remove(&name.value)).flatten().collect();
        if let Some(range) = range_of(&entries[newer]) {
            // From the last run on, so that taking one out moves none that is still to come.
            for run in range.runs(&versions).into_iter().rev() {
                versions.drain(run.clone());
                older.extend(indices.drain(run));
            }
        }
        for index in older {
            if !std::mem::replace(&mut reached[index], true) && chosen[index] {
                waiting.push(index);
            }
        }
    }
    reached
}

// One update from what is installed to an entry, and all updates that a list of entries allows.

/// How an entry says that it follows another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Via {
    Replaces,
    Skips,
    SkipRange,
}

impl Via {
    /// The field's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Replaces => "replaces",
            Self::Skips => "skips",
            Self::SkipRange => "skipRange",
        }
    }
}

/// Whether OLM may update an installed operator to `entry`, and through which field.
///
/// Names decide for `replaces` and `skips`, the version alone for skipRange; an invalid range counts as none, as does
/// one that crashes (operator-lifecycle-manager `pkg/controller/registry/resolver/cache/operators.go` and `predicates.go`).
#[must_use]
pub fn hop(entry: &Entry, installed: &BundleName, version: Option<&Version>) -> Option<Via> {
    if entry.replaces.as_ref().is_some_and(|replaces| replaces.value == *installed) {
        return Some(Via::Replaces);
    }
    if entry.skips.iter().any(|skip| skip.value == *installed) {
        return Some(Via::Skips);
    }
    covers(range_of(entry)?, version).then_some(Via::SkipRange)
}

/// The change of an entry after which OLM updates an installed version to it, and that changes the channel least: `replaces`
/// where there is none, else a skipRange of its own, else one more of `skips`.
#[must_use]
pub fn edge_to_add(
    has_replaces: bool,
    has_skip_range: bool,
    version: Option<&Version>,
    installed: (&BundleName, Option<&Version>),
) -> Change {
    let (name, older) = installed;
    match older.zip(version).filter(|(older, newer)| older < newer) {
        _ if !has_replaces => Change::Replace(name.clone()),
        Some((older, newer)) if !has_skip_range => Change::Range(Some(format!(">={older} <{newer}").into())),
        _ => Change::Skip(name.clone()),
    }
}

/// The valid skipRange of an entry.
pub(crate) fn range_of(entry: &Entry) -> Option<&Range> {
    entry.skip_range.as_ref()?.value.range.as_ref().ok()
}

pub(crate) fn covers(range: &Range, version: Option<&Version>) -> bool {
    version.is_some_and(|version| range.matches(version).unwrap_or(false))
}

/// The version of what is installed: that of the bundle, or for a name without bundle the version that the name ends in.
#[must_use]
pub fn version_of(package: &Package, name: &BundleName) -> Option<Version> {
    match package.bundle(name.as_str()) {
        Some(bundle) => bundle.version().cloned(),
        None => version_in(name.as_str()),
    }
}

/// The version at the end of a name such as `etcd.v1.2.3`.
#[must_use]
pub fn version_in(name: &str) -> Option<Version> {
    let (_, rest) = name.split_once('.')?;
    Version::parse_tolerant(rest).ok()
}

/// The hops that a list of entries allows, looked up by what is installed: [`hop`] for each entry, without asking each.
#[derive(Clone, Debug)]
pub(crate) struct HopIndex<'c> {
    /// By installed name: the indices of the entries that replace or skip it, ascending.
    named: BTreeMap<&'c BundleName, Vec<(usize, Via)>>,
    /// The entries with a valid skipRange, by index, ascending.
    ranged: Vec<(usize, &'c Range)>,
}

impl<'c> HopIndex<'c> {
    pub(crate) fn of(entries: impl Iterator<Item = &'c Entry>) -> Self {
        let mut hops = Self { named: BTreeMap::new(), ranged: Vec::new() };
        for (index, entry) in entries.enumerate() {
            let replaces = entry.replaces.iter().map(|name| (name, Via::Replaces));
            let skips = entry.skips.iter().map(|name| (name, Via::Skips));
            for (name, via) in replaces.chain(skips) {
                let followers = hops.named.entry(&name.value).or_default();
                if followers.last().is_none_or(|(last, _)| *last != index) {
                    followers.push((index, via));
                }
            }
            hops.ranged.extend(range_of(entry).map(|range| (index, range)));
        }
        hops
    }

    /// The entry with the lowest index that follows what is installed.
    pub(crate) fn first(&self, installed: &BundleName, version: Option<&Version>) -> Option<(usize, Via)> {
        let named = self.named(installed).first().copied();
        let before = |index: usize| named.is_none_or(|(named, _)| index < named);
        let ranged = self.ranged.iter().take_while(|(index, _)| before(*index));
        let covering = ranged.map(|&(index, range)| (index, range)).find(|(_, range)| covers(range, version));
        covering.map(|(index, _)| (index, Via::SkipRange)).or(named)
    }

    /// The entry with the lowest index that follows each of many installed versions.
    fn first_of_each(&self, installed: &[(&BundleName, Option<&Version>)]) -> Vec<Option<(usize, Via)>> {
        let versioned = installed.iter().enumerate().filter_map(|(at, (_, version))| Some((at, (*version)?)));
        let (places, versions): (Vec<usize>, Vec<&Version>) = versioned.unzip();
        let mut first: Vec<_> = installed.iter().map(|(name, _)| self.named(name).first().copied()).collect();
        let ranges = self.ranged.iter().map(|(_, range)| *range);
        for (place, range) in places.into_iter().zip(first_matches(ranges, &versions)) {
            let ranged = range.map(|range| self.ranged[range].0);
            if let Some(index) = ranged.filter(|index| first[place].is_none_or(|(known, _)| *index < known)) {
                first[place] = Some((index, Via::SkipRange));
            }
        }
        first
    }

    /// All entries that follow what is installed, by index, ascending; of those, only the ones that are `wanted`.
    pub(crate) fn all(
        &self,
        installed: &BundleName,
        version: Option<&Version>,
        wanted: impl Fn(usize) -> bool,
    ) -> Vec<(usize, Via)> {
        let named = self.named(installed).iter().copied().filter(|(index, _)| wanted(*index));
        let ranged = self.ranged.iter().filter(|(index, range)| wanted(*index) && covers(range, version));
        let mut all: Vec<_> = named.chain(ranged.map(|(index, _)| (*index, Via::SkipRange))).collect();
        // Names come before ranges: of an entry that has both fields, the name counts, as in `hop`.
        all.sort();
        all.dedup_by_key(|(index, _)| *index);
        all
    }

    fn named(&self, installed: &BundleName) -> &[(usize, Via)] {
        self.named.get(installed).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    /// Where an installed version goes in the first channel: `name via`.
    #[track_caller]
    fn check(notation: &str, installed: &str, expected: &str) {
        let catalog = read(notation);
        let package = &catalog.packages[0];
        let chain = UpdateChain::of(package, &package.channels[0]).unwrap();
        let (name, version) =
            (BundleName::from(format!("p.v{installed}").as_str()), Version::parse(installed).unwrap());
        let shown = |next: Option<NextUpdate<'_>>| {
            next.map_or_else(String::new, |next| format!("{} {}", next.to.name, next.via.as_str()))
        };
        assert_eq!(shown(chain.next_update(&name, Some(&version))), expected);
        assert_eq!(shown(chain.next_updates(&[(&name, Some(&version))])[0]), expected);
    }

    const CHAIN: &str = "c: 1.0.0 <- 2.0.0 (skips 1.9.0) <- 3.0.0 (skipRange >=1.0.0 <1.5.0)";

    #[test]
    fn the_successor_nearest_to_the_head_wins() {
        check(CHAIN, "1.0.0", "p.v3.0.0 skipRange");
        check(CHAIN, "2.0.0", "p.v3.0.0 replaces");
        check(CHAIN, "1.9.0", "p.v2.0.0 skips");
    }

    #[test]
    fn a_version_without_successor_has_no_next_update() {
        check(CHAIN, "3.0.0", "");
        check(CHAIN, "0.9.0", "");
        check(CHAIN, "4.0.0", "");
    }

    #[test]
    fn a_range_that_covers_its_own_entry_keeps_it() {
        check("c: 2.0.0 (skipRange <=2.0.0) <- 3.0.0", "2.0.0", "p.v3.0.0 replaces");
        check("c: 3.0.0 (skipRange <=3.0.0)", "3.0.0", "");
    }

    #[test]
    fn an_older_entry_with_a_wide_range_leads_back() {
        check("c: 2.0.0 (skipRange <4.0.0) <- 3.0.0", "3.0.0", "p.v2.0.0 skipRange");
    }

    #[test]
    fn successors_are_all_entries_that_name_or_cover_a_version() {
        let catalog = read(CHAIN);
        let package = &catalog.packages[0];
        let chain = UpdateChain::of(package, &package.channels[0]).unwrap();
        let found = chain.successors(&BundleName::from("p.v1.0.0"), Some(&Version::new(1, 0, 0)));
        let shown: Vec<_> = found.iter().map(|next| (next.position, next.via)).collect();
        assert_eq!(shown, [(0, Via::SkipRange), (1, Via::Replaces)]);
    }
}
