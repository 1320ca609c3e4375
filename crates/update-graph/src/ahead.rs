//! Who gets to the head of a channel, whatever number of updates it takes.

use blang_semver::{Range, Version};
use catalog::Entry;
use std::collections::BTreeMap;

/// By position: whether a series of updates leads from the entry to one of `heads`. An update leads to an entry that is
/// `chosen` from, whose `replaces`, `skips` or skipRange takes in the older one (olm-runtime A2.3). `versions` are those
/// of the entries.
///
/// Each name and each version is looked at once, however many entries name it or ranges it is in.
#[must_use]
pub fn gets_ahead(entries: &[Entry], versions: &[Option<&Version>], heads: &[usize], chosen: &[bool]) -> Vec<bool> {
    let mut ahead = Ahead::of(entries, versions);
    let mut waiting = heads.to_vec();
    heads.iter().for_each(|&at| ahead.reached[at] = true);
    while let Some(at) = waiting.pop() {
        let found = ahead.hopping(&entries[at]);
        waiting.extend(found.into_iter().filter(|&at| chosen[at]));
    }
    ahead.reached
}

/// Who is known to get ahead.
struct Ahead<'c> {
    reached: Vec<bool>,
    /// Positions by name, of those that nothing has named so far.
    named: BTreeMap<&'c str, Vec<usize>>,
    ascending: Vec<&'c Version>,
    /// Positions of entries, in the order of `ascending`.
    places: Vec<usize>,
    /// From a place to the next one that no range has reached; shortened as it is walked.
    next: Vec<usize>,
}

impl<'c> Ahead<'c> {
    fn of(entries: &'c [Entry], versions: &[Option<&'c Version>]) -> Self {
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, entry) in entries.iter().enumerate() {
            named.entry(entry.name.value.as_str()).or_default().push(at);
        }
        let versions = versions.iter().enumerate();
        let mut pairs: Vec<(&Version, usize)> = versions.filter_map(|(at, version)| Some(((*version)?, at))).collect();
        pairs.sort();
        let (ascending, places): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        Self { reached: vec![false; entries.len()], named, next: (0..=places.len()).collect(), ascending, places }
    }

    /// The entries that can be updated to `entry` and were not known to get ahead.
    fn hopping(&mut self, entry: &Entry) -> Vec<usize> {
        let named = entry.replaces.iter().chain(&entry.skips);
        let mut found: Vec<usize> = named.filter_map(|name| self.named.remove(name.value.as_str())).flatten().collect();
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
