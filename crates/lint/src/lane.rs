//! A channel ready to be asked: names, versions, the order that OLM finds, and who gets to the head.

use blang_semver::Version;
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

    /// By position: whether a series of updates leads from the entry to the head. Absent where OLM finds no order.
    pub(crate) fn gets_to_head(&self) -> Option<Vec<bool>> {
        let order = self.order.as_ref()?;
        let mut chosen = vec![false; self.channel.entries.len()];
        order.iter().for_each(|&at| chosen[at] = true);
        let heads = order.get(..1).unwrap_or_default();
        Some(update_graph::gets_ahead(&self.channel.entries, &self.versions, heads, &chosen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::package;
    use catalog::{Catalog, ParsedFile, lower};
    use source::FileId;
    use update_graph::hop;

    const NAMES: u32 = 7;

    /// A channel whose edges follow from `seed`; versions go down from `p.v7.0.0`.
    fn channel(seed: u32) -> Catalog {
        let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
        let mut below = |end: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % end
        };
        let versions: Vec<String> = (1..=NAMES).rev().map(|major| format!("{major}.0.0")).collect();
        let mut entries = String::new();
        for version in &versions {
            entries.push_str(&format!("- name: p.v{version}\n"));
            if below(4) > 0 {
                entries.push_str(&format!("  replaces: p.v{}.0.0\n", below(NAMES) + 1));
            }
            if below(2) == 0 {
                entries.push_str(&format!("  skips: [p.v{}.0.0, p.v{}.0.0]\n", below(NAMES) + 1, below(NAMES) + 1));
            }
            if below(3) == 0 {
                entries.push_str(&format!("  skipRange: '>={}.0.0 <{}.0.0'\n", below(NAMES), below(NAMES) + 2));
            }
        }
        let text = package(&entries, &versions.iter().map(String::as_str).collect::<Vec<_>>());
        let parse = fbc::parse(FileId(0), &text);
        lower(&[ParsedFile { text: &text, parse: &parse }]).0
    }

    /// The same answer by trying every hop until nothing changes.
    fn tried(lane: &Lane<'_>, order: &[usize]) -> Vec<bool> {
        let entries = &lane.channel.entries;
        let mut reached: Vec<bool> = (0..entries.len()).map(|at| order.first() == Some(&at)).collect();
        for _ in 0..entries.len() {
            for (at, entry) in entries.iter().enumerate() {
                let mut ahead = order.iter().filter(|&&to| reached[to]);
                reached[at] |= ahead.any(|&to| hop(&entries[to], &entry.name.value, lane.versions[at]).is_some());
            }
        }
        reached
    }

    #[test]
    fn whoever_gets_to_the_head_is_found_by_trying() {
        let (mut ordered, mut stuck) = (0, 0);
        for seed in 0..600 {
            let catalog = channel(seed);
            let package = &catalog.packages[0];
            let lane = Lane::of(package, &package.channels[0]);
            let Some(order) = &lane.order else { continue };
            let found = lane.gets_to_head().unwrap();
            assert_eq!(found, tried(&lane, order), "seed {seed}");
            ordered += 1;
            stuck += usize::from(found.contains(&false));
        }
        assert!(ordered > 30 && stuck > 10, "{ordered} channels, {stuck} with stuck entries");
    }
}
