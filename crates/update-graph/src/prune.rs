//! Pruning: the versions that a skipRange without `replaces` takes out of a channel.
//!
//! The documentation says that skipped versions are pruned from the graph and can no longer be installed. In fact OLM
//! (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`, `getSubscriptionVariables`) prunes nothing: no startingCSV can name a version that the channel does not list, and no update leads
//! to it. A version that is listed, but not in the update chain, is installed only if a startingCSV names it. If it is a
//! further head, OLM cannot order the channel, and installs nothing without a startingCSV.

use crate::subset::{Exclusions, Subset};
use crate::{SortError, UpdateChain, version_of};
use catalog::{Bundle, BundleName, Channel, Entry, Package};
use go_semver::blang::{Range, Version};
use std::collections::{BTreeMap, BTreeSet};
use std::ops;
use std::rc::Rc;

/// The most skipRanges that are examined in a channel that OLM cannot order: its order has to be corrected first.
const MAX_UNORDERED: usize = 32;

/// A skipRange that is used without `replaces`, and so prunes versions.
#[derive(Clone, Debug)]
pub struct Pruning<'c> {
    pub channel: &'c Channel,
    /// Whether OLM can order the channel.
    pub ordered: bool,
    pub entry: &'c Entry,
    pub range: &'c Range,
    /// The entry of the channel that `replaces` should name: the newest below the entry.
    pub predecessor: Option<&'c Entry>,
    /// Bundles of the package that the range matches and the channel does not list, ascending.
    pub unlisted: Subset<'c, Bundle>,
    /// Entries that the range matches, that no `skips` names and that are not in the update chain (if OLM cannot order the
    /// channel: not on the chain of `replaces` from the entry), ascending.
    pub off_chain: Subset<'c, Entry>,
    /// Whether other channels list all pruned versions.
    pub elsewhere: bool,
}

impl<'c> Pruning<'c> {
    /// The number of pruned versions.
    #[must_use]
    pub fn count(&self) -> usize {
        self.unlisted.len() + self.off_chain.len()
    }

    /// The names of all pruned versions.
    pub fn names(&self) -> impl Iterator<Item = &'c BundleName> {
        let unlisted = self.unlisted.iter().map(|bundle| &bundle.name.value);
        unlisted.chain(self.off_chain.iter().map(|entry| &entry.name.value))
    }
}

/// The channels of a package with their update chains.
type Chains<'c> = [(&'c Channel, Result<UpdateChain<'c>, SortError>)];

/// All prunings of a package, by channel and in the order of its entries.
#[must_use]
pub fn prunings(package: &Package) -> Vec<Pruning<'_>> {
    if !package.channels.iter().any(has_ranges) {
        return Vec::new();
    }
    let chains: Vec<_> = package.channels.iter().map(|channel| (channel, UpdateChain::of(package, channel))).collect();
    prunings_in(package, &chains)
}

/// As [`prunings`], for update chains that are computed already.
pub(crate) fn prunings_in<'c>(package: &'c Package, chains: &Chains<'c>) -> Vec<Pruning<'c>> {
    let mut ranged = chains.iter().filter(|(channel, _)| has_ranges(channel)).peekable();
    if ranged.peek().is_none() {
        return Vec::new();
    }
    let versions = Versions::of(package.bundles.iter(), |bundle| bundle.version());
    let lost = unlisted_everywhere(package, &versions.all);
    let places = (0..).zip(versions.all.iter()).map(|(place, bundle)| (&bundle.name.value, place)).collect();
    let in_channel = |(channel, chain): &(&'c Channel, Result<UpdateChain<'c>, SortError>)| {
        in_channel(package, &versions, &places, channel, chain.as_ref().ok())
    };
    let mut prunings: Vec<_> = ranged.flat_map(in_channel).collect();
    for pruning in &mut prunings {
        let taken = !pruning.unlisted.is_empty() && pruning.off_chain.is_empty();
        pruning.elsewhere = taken && !pruning.unlisted.contains_any(&lost);
    }
    prunings
}

fn has_ranges(channel: &Channel) -> bool {
    channel.entries.iter().any(|entry| entry.skip_range.is_some())
}

/// The indices of the bundles that no channel lists.
fn unlisted_everywhere(package: &Package, bundles: &[&Bundle]) -> Vec<usize> {
    let entries = package.channels.iter().flat_map(|channel| &channel.entries);
    let listed: BTreeSet<&BundleName> = entries.map(|entry| &entry.name.value).collect();
    let lost = bundles.iter().enumerate().filter(|(_, bundle)| !listed.contains(&bundle.name.value));
    lost.map(|(place, _)| place).collect()
}

fn in_channel<'c>(
    package: &'c Package,
    versions: &Versions<'c, Bundle>,
    places: &BTreeMap<&'c BundleName, usize>,
    channel: &'c Channel,
    chain: Option<&UpdateChain<'c>>,
) -> Vec<Pruning<'c>> {
    let listed = Listed::of(package, places, channel, chain);
    let ranged = channel.entries.iter().filter(|entry| entry.skip_range.is_some());
    let examined = ranged.take(if chain.is_some() { usize::MAX } else { MAX_UNORDERED });
    examined.filter_map(|entry| pruning(package, versions, &listed, entry)).collect()
}

fn pruning<'c>(
    package: &'c Package,
    versions: &Versions<'c, Bundle>,
    listed: &Listed<'c>,
    entry: &'c Entry,
) -> Option<Pruning<'c>> {
    let range = entry.skip_range.as_ref()?.value.range.as_ref().ok()?;
    let predecessor = listed.predecessor(package, entry);
    let replaces = entry.replaces.as_ref().map(|name| &name.value);
    if replaces.is_some() && replaces == predecessor.map(|entry| &entry.name.value) {
        return None;
    }
    let floor = replaces.and_then(|name| version_of(package, name));
    let covered = versions.covered(range, floor.as_ref());
    let unlisted = Subset::new(Rc::clone(&versions.all), covered, Rc::clone(&listed.known));
    let off_chain = listed.off_chain.covered(range, floor.as_ref());
    let off_chain = Subset::new(Rc::clone(&listed.off_chain.all), off_chain, listed.chain_from(entry));
    let takes_out = !unlisted.is_empty() || !off_chain.is_empty();
    let (channel, ordered) = (listed.channel, listed.is_ordered);
    let elsewhere = false;
    takes_out.then_some(Pruning { channel, ordered, entry, range, predecessor, unlisted, off_chain, elsewhere })
}

/// Bundles or entries by version, ascending.
struct Versions<'c, T> {
    all: Rc<[&'c T]>,
    versions: Vec<&'c Version>,
}

impl<'c, T> Versions<'c, T> {
    fn of(things: impl Iterator<Item = &'c T>, version: impl Fn(&'c T) -> Option<&'c Version>) -> Self {
        let mut pairs: Vec<_> = things.filter_map(|thing| Some((version(thing)?, thing))).collect();
        pairs.sort_by_key(|(version, _)| *version);
        let (versions, all): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        Self { all: all.into(), versions }
    }

    /// The index ranges above `floor` that `range` matches.
    fn covered(&self, range: &Range, floor: Option<&Version>) -> Vec<ops::Range<usize>> {
        let above = floor.map_or(0, |floor| self.versions.partition_point(|version| *version <= floor));
        let runs = range.runs(&self.versions).into_iter();
        runs.map(|run| run.start.max(above)..run.end).filter(|run| run.start < run.end).collect()
    }

    /// The newest below `version`.
    fn below(&self, version: &Version) -> Option<&'c T> {
        let below = self.versions.partition_point(|other| *other < version);
        self.all[..below].last().copied()
    }
}

/// The entries of a channel, indexed.
struct Listed<'c> {
    channel: &'c Channel,
    /// By name; of two entries with the same name the first.
    entries: BTreeMap<&'c BundleName, &'c Entry>,
    versions: Versions<'c, Entry>,
    /// The indices of the bundles that the channel lists or skips.
    known: Rc<Exclusions>,
    /// Whether OLM can order it.
    is_ordered: bool,
    /// Entries that no entry skips and that are not in the update chain.
    off_chain: Versions<'c, Entry>,
    nothing: Rc<Exclusions>,
}

impl<'c> Listed<'c> {
    fn of(
        package: &'c Package,
        places: &BTreeMap<&'c BundleName, usize>,
        channel: &'c Channel,
        chain: Option<&UpdateChain<'c>>,
    ) -> Self {
        let entries: BTreeMap<_, _> = channel.entries.iter().rev().map(|entry| (&entry.name.value, entry)).collect();
        let version = |entry: &'c Entry| package.bundle(entry.name.value.as_str())?.version();
        let skips = channel.entries.iter().flat_map(|entry| &entry.skips);
        let skipped: BTreeSet<_> = skips.map(|name| &name.value).collect();
        let known = entries.keys().chain(&skipped).filter_map(|name| places.get(*name).copied());
        let on_chain = |name: &BundleName| chain.is_some_and(|chain| chain.position(name).is_some());
        let off_chain = entries.iter().filter(|(name, _)| !skipped.contains(*name) && !on_chain(name));
        Self {
            channel,
            versions: Versions::of(entries.values().copied(), version),
            known: Rc::new(Exclusions::of(known.collect())),
            off_chain: Versions::of(off_chain.map(|(_, entry)| *entry), version),
            nothing: Rc::default(),
            is_ordered: chain.is_some(),
            entries,
        }
    }

    /// The newest entry that is older than `entry`.
    fn predecessor(&self, package: &Package, entry: &Entry) -> Option<&'c Entry> {
        let own = package.bundle(entry.name.value.as_str())?.version()?;
        self.versions.below(own)
    }

    /// If OLM cannot order the channel: the indices in `off_chain` of the entries on the chain of `replaces` from `entry`.
    fn chain_from(&self, entry: &'c Entry) -> Rc<Exclusions> {
        if self.is_ordered {
            return Rc::clone(&self.nothing);
        }
        let mut names = BTreeSet::new();
        let mut next = Some(&entry.name.value);
        while let Some(name) = next.filter(|name| names.insert(*name)) {
            next = self.entries.get(name).and_then(|entry| Some(&entry.replaces.as_ref()?.value));
        }
        let off_chain = self.off_chain.all.iter().enumerate();
        let places = off_chain.filter(|(_, entry)| names.contains(&entry.name.value)).map(|(place, _)| place);
        Rc::new(Exclusions::of(places.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    /// Lines `entry: unlisted ..., off chain ...`.
    #[track_caller]
    fn check(notation: &str, expected: &[&str]) {
        let shown: Vec<String> = prunings(&read(notation).packages[0]).iter().map(shown).collect();
        assert_eq!(shown, expected);
    }

    fn shown(pruning: &Pruning<'_>) -> String {
        let unlisted: Vec<_> = pruning.unlisted.iter().map(|bundle| bundle.name.value.as_str()).collect();
        let off_chain: Vec<_> = pruning.off_chain.iter().map(|entry| entry.name.value.as_str()).collect();
        format!("{}: unlisted {unlisted:?}, off chain {off_chain:?}", pruning.entry.name)
    }

    #[test]
    fn a_chain_of_replaces_prunes_nothing() {
        check("c: 1.0.0 (skipRange <1.0.0) <- 2.0.0 (skipRange <2.0.0)", &[]);
    }

    #[test]
    fn a_range_that_matches_nothing_prunes_nothing() {
        check("c: 1.0.3 (skipRange <1.0.3)", &[]);
        check("c: 1.0.3 (skipRange >=1.0.3 <1.0.3)", &[]);
    }

    #[test]
    fn listed_versions_off_the_chain_are_pruned() {
        check("c: 2.0.0 (skipRange <2.0.0), 1.0.0", &["p.v2.0.0: unlisted [], off chain [\"p.v1.0.0\"]"]);
    }

    #[test]
    fn versions_of_other_channels_are_pruned() {
        check(
            "c: 2.0.0 (skipRange >=1.0.0 <2.0.0)\nd: 0.1.0 <- 1.0.0 <- 1.1.0",
            &["p.v2.0.0: unlisted [\"p.v1.0.0\", \"p.v1.1.0\"], off chain []"],
        );
    }

    #[test]
    fn skips_of_all_versions_prune_nothing() {
        check("c: 2.0.0 (skips 1.0.0; skipRange <2.0.0), 1.0.0", &[]);
    }

    #[test]
    fn the_update_chain_is_not_pruned() {
        check("c: 1.0.0 <- 3.0.0 (skips 2.0.0), 2.0.0 (skipRange <2.0.0)", &[]);
    }

    #[test]
    fn replaces_of_an_unknown_version_is_the_lower_bound() {
        check(
            "c: 3.0.0 (replaces 2.0.0; skipRange <3.0.0)\nd: 2.1.0 (replaces 1.0.0), 1.0.0",
            &["p.v3.0.0: unlisted [\"p.v2.1.0\"], off chain []"],
        );
    }

    #[test]
    fn replaces_may_pass_over_a_version() {
        check(
            "c: 1.0.0 <- 3.0.0 (skipRange <3.0.0), 2.0.0 (replaces 1.0.0)",
            &["p.v3.0.0: unlisted [], off chain [\"p.v2.0.0\"]"],
        );
    }

    #[test]
    fn skips_by_name_keep_a_version() {
        check("c: 1.0.0 <- 3.0.0 (skips 2.0.0; skipRange <3.0.0), 2.0.0", &[]);
    }

    #[test]
    fn a_channel_without_order_has_a_bounded_number_of_findings() {
        let entries: Vec<String> = (1..=40).map(|major| format!("{major}.0.0 (skipRange <{major}.0.0)")).collect();
        let heads = format!("c: {}", entries.join(", "));
        // The range of the first entry matches nothing.
        assert_eq!(prunings(&read(&heads).packages[0]).len(), MAX_UNORDERED - 1);
        let names: Vec<String> = (1..=40).map(|major| format!("{major}.0.0")).collect();
        let one_head = format!("{heads}, 41.0.0 (no bundle; skips {})", names.join(", "));
        assert_eq!(prunings(&read(&one_head).packages[0]).len(), 0);
    }
}
