//! A channel ready to be asked: names, versions, the order that OLM finds, and who gets to the head.

use blang_semver::{Range, Version};
use catalog::{Channel, Entry, Package};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::sort_channel;

/// A channel of a package.
pub(crate) struct Lane<'c> {
    pub(crate) channel: &'c Channel,
    /// The positions of the entries; of two entries of one name the first.
    pub(crate) positions: BTreeMap<&'c str, usize>,
    /// By position: the version of the entry's bundle.
    pub(crate) versions: Vec<Option<&'c Version>>,
    /// The names that some entry skips.
    pub(crate) skipped: BTreeSet<&'c str>,
    /// The positions that OLM chooses from, the head first, if it finds an order.
    pub(crate) order: Option<Vec<usize>>,
}

impl<'c> Lane<'c> {
    pub(crate) fn of(package: &'c Package, channel: &'c Channel) -> Self {
        let entries = &channel.entries;
        let version = |entry: &Entry| package.bundle(entry.name.value.as_str())?.version();
        Self {
            channel,
            positions: (0..entries.len()).rev().map(|at| (entries[at].name.value.as_str(), at)).collect(),
            versions: entries.iter().map(version).collect(),
            skipped: entries.iter().flat_map(|entry| &entry.skips).map(|name| name.value.as_str()).collect(),
            order: sort_channel(channel.name.value.as_str(), package.name.as_str(), entries).ok(),
        }
    }

    /// The entry that nothing replaces or skips, with its version.
    pub(crate) fn head(&self) -> Option<(&'c Entry, &'c Version)> {
        let at = *self.order.as_ref()?.first()?;
        Some((&self.channel.entries[at], self.versions[at]?))
    }

    /// The entries that OLM chooses from; all of them where it finds no order.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = usize> {
        let all = self.order.is_none().then_some(0..self.channel.entries.len());
        self.order.iter().flatten().copied().chain(all.into_iter().flatten())
    }

    /// By position: whether a series of updates leads from the entry to the head. An update leads to an entry that OLM
    /// chooses from, whose `replaces`, `skips` or skipRange takes in the older one (olm-runtime A2.3). Absent where OLM
    /// finds no order.
    pub(crate) fn gets_to_head(&self) -> Option<Vec<bool>> {
        let order = self.order.as_ref()?;
        let mut chosen = vec![false; self.channel.entries.len()];
        order.iter().for_each(|&at| chosen[at] = true);
        let mut ahead = Ahead::of(self);
        let mut waiting: Vec<usize> = order.first().copied().into_iter().collect();
        waiting.iter().for_each(|&at| ahead.reached[at] = true);
        while let Some(at) = waiting.pop() {
            let entry = &self.channel.entries[at];
            let found = ahead.hopping(self, entry);
            waiting.extend(found.into_iter().filter(|&at| chosen[at]));
        }
        Some(ahead.reached)
    }
}

/// Who is known to get to the head. Each version is looked at once, however many ranges it is in.
struct Ahead<'c> {
    reached: Vec<bool>,
    ascending: Vec<&'c Version>,
    /// Positions of entries, in the order of `ascending`.
    places: Vec<usize>,
    /// From a place to the next one that no range has reached; shortened as it is walked.
    next: Vec<usize>,
}

impl<'c> Ahead<'c> {
    fn of(lane: &Lane<'c>) -> Self {
        let versions = lane.versions.iter().enumerate();
        let mut pairs: Vec<(&Version, usize)> = versions.filter_map(|(at, version)| Some(((*version)?, at))).collect();
        pairs.sort();
        let (ascending, places): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        Self { reached: vec![false; lane.versions.len()], next: (0..=places.len()).collect(), ascending, places }
    }

    /// The entries that can be updated to `entry` and were not known to get ahead.
    fn hopping(&mut self, lane: &Lane<'c>, entry: &Entry) -> Vec<usize> {
        let named = entry.replaces.iter().chain(&entry.skips);
        let mut found: Vec<usize> = named.filter_map(|name| lane.positions.get(name.value.as_str()).copied()).collect();
        if let Some(Ok(range)) = entry.skip_range.as_ref().map(|range| &range.value.range) {
            self.covered(range, &mut found);
        }
        found.retain(|&at| !std::mem::replace(&mut self.reached[at], true));
        found
    }

    fn covered(&mut self, range: &Range, found: &mut Vec<usize>) {
        for run in range.runs(&self.ascending) {
            let mut place = self.free(run.start);
            while place < run.end {
                found.push(self.places[place]);
                self.next[place] = place + 1;
                place = self.free(place + 1);
            }
        }
    }

    /// The first place from `place` on that no range has reached.
    fn free(&mut self, place: usize) -> usize {
        let mut end = place;
        while self.next[end] != end {
            end = self.next[end];
        }
        let mut at = place;
        while self.next[at] != end {
            at = std::mem::replace(&mut self.next[at], end);
        }
        end
    }
}
