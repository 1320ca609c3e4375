//! What is known of a channel: its entries in an order, every version that a cluster may have installed, and the updates that
//! OLM makes now and made before.

use crate::question::Question;
use catalog::{BundleName, Channel, Entry, Package};
use go_semver::blang::Version;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{UpdateChain, version_of};

/// A channel and the names in it. Names have indices: first those of the entries, by rank, then the others.
///
/// The rank of an entry is its place in an order that all `replaces` of the channel follow downwards, if there is one, and
/// that goes from higher to lower versions where they leave a choice. Repairs keep this order, so that no repair can make
/// a circle.
#[derive(Debug)]
pub(crate) struct Known<'c> {
    pub(crate) question: Question<'c>,
    /// By rank.
    pub(crate) entries: Vec<&'c Entry>,
    /// Every version that a cluster may have installed.
    pub(crate) names: Vec<Name<'c>>,
    by_name: BTreeMap<&'c BundleName, usize>,
    /// The different versions of names, ascending.
    pub(crate) versions: Vec<Version>,
    /// The entry whose edits are cheap: the one that the author edits in a release.
    pub(crate) head: usize,
    /// By name, the next update that OLM makes now; none at all if it cannot order the channel.
    pub(crate) now: Vec<Option<usize>>,
    /// The same before the change. Without a state before, the same as now.
    pub(crate) before: Vec<Option<usize>>,
}

/// A version that a cluster may have installed.
#[derive(Debug)]
pub(crate) struct Name<'c> {
    pub(crate) name: &'c BundleName,
    /// Its index in [`Known::versions`], if it has a version that can be read.
    pub(crate) version: Option<usize>,
    /// Whether nobody may be updated to it.
    pub(crate) is_avoided: bool,
}

impl<'c> Known<'c> {
    pub(crate) fn of(question: Question<'c>) -> Self {
        let Question { before, after, channel, .. } = question;
        let version = |name: &BundleName| {
            let has_bundle = |package: &&Package| package.bundle(name.as_str()).is_some();
            let package = std::iter::once(after).chain(before).find(has_bundle).unwrap_or(after);
            version_of(package, name)
        };
        let entries = ranked(channel, &version);
        let mut names: Vec<&BundleName> = entries.iter().map(|entry| &entry.name.value).collect();
        let listed: BTreeSet<&BundleName> = names.iter().copied().collect();
        let states = [Some(channel), question.old_channel()];
        let named = states.into_iter().flatten().flat_map(|channel| &channel.entries).flat_map(names_in);
        // What only the change names, and neither state has a bundle of, nobody can have installed: it may be misspelt.
        let old_names: Option<BTreeSet<&BundleName>> =
            before.zip(question.old_channel()).map(|(_, old)| old.entries.iter().flat_map(names_in).collect());
        let has_bundle = |name: &BundleName| {
            std::iter::once(after).chain(before).any(|package| package.bundle(name.as_str()).is_some())
        };
        let may_be_installed =
            |name: &&BundleName| old_names.as_ref().is_none_or(|old| old.contains(*name)) || has_bundle(name);
        let covered = question.covered(&version);
        let others: BTreeSet<&BundleName> =
            named.filter(may_be_installed).chain(question.installed).chain(covered).collect();
        names.extend(others.into_iter().filter(|name| !listed.contains(name) && !name.as_str().is_empty()));
        let own: Vec<Option<Version>> = names.iter().map(|name| version(name)).collect();
        let mut versions: Vec<Version> = own.iter().flatten().cloned().collect();
        versions.sort();
        versions.dedup_by(|a, b| (*a).cmp(b).is_eq());
        let name = |(name, version): (&&'c BundleName, &Option<Version>)| Name {
            name,
            version: version.as_ref().and_then(|version| versions.binary_search(version).ok()),
            is_avoided: question.avoid.contains(*name),
        };
        let names: Vec<Name<'c>> = names.iter().zip(&own).map(name).collect();
        let by_name = names.iter().enumerate().map(|(at, name)| (name.name, at)).collect();
        let mut known = Self {
            head: head(channel, &entries, &names),
            question,
            entries,
            names,
            by_name,
            versions,
            now: Vec::new(),
            before: Vec::new(),
        };
        known.now = known.next_updates(after, channel).unwrap_or_else(|| vec![None; known.names.len()]);
        let old = before.zip(question.old_channel());
        known.before = match old {
            Some((package, channel)) => known.next_updates(package, channel).unwrap_or_else(|| known.now.clone()),
            None => known.now.clone(),
        };
        known
    }

    pub(crate) fn index(&self, name: &BundleName) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn version(&self, name: usize) -> Option<&Version> {
        self.names[name].version.map(|at| &self.versions[at])
    }

    /// Whether an entry is newer than a version. Not if one of them has no version that can be read.
    pub(crate) fn is_newer(&self, entry: usize, name: usize) -> bool {
        let versions = self.names[entry].version.zip(self.names[name].version);
        versions.is_some_and(|(newer, older)| newer > older)
    }

    /// By name, the next update in a state of the channel. `None` if OLM cannot order it.
    pub(crate) fn next_updates(&self, package: &Package, channel: &Channel) -> Option<Vec<Option<usize>>> {
        let chain = UpdateChain::of(package, channel).ok()?;
        let installed: Vec<_> = (0..self.names.len()).map(|at| (self.names[at].name, self.version(at))).collect();
        let updates = chain.next_updates(&installed).into_iter();
        Some(updates.map(|update| self.index(&update?.to.name.value)).collect())
    }
}

/// The name of an entry, and those that it replaces and skips.
fn names_in(entry: &Entry) -> impl Iterator<Item = &BundleName> {
    std::iter::once(&entry.name).chain(&entry.replaces).chain(&entry.skips).map(|name| &name.value)
}

/// The entries of a channel by rank; of equal names the first one.
fn ranked<'c>(channel: &'c Channel, version: &dyn Fn(&BundleName) -> Option<Version>) -> Vec<&'c Entry> {
    let mut known = BTreeSet::new();
    let mut entries: Vec<&Entry> = channel.entries.iter().filter(|entry| known.insert(&entry.name.value)).collect();
    entries.sort_by_cached_key(|entry| (Reverse(version(&entry.name.value)), entry.name.value.clone()));
    let place: BTreeMap<&BundleName, usize> =
        entries.iter().enumerate().map(|(at, entry)| (&entry.name.value, at)).collect();
    let replaced = |at: usize| entries[at].replaces.as_ref().and_then(|name| place.get(&name.value).copied());
    let mut waits_for = vec![0; entries.len()];
    (0..entries.len()).filter_map(replaced).for_each(|older| waits_for[older] += 1);
    let mut ready: BTreeSet<usize> = (0..entries.len()).filter(|&at| waits_for[at] == 0).collect();
    let mut order = Vec::new();
    while let Some(next) = ready.pop_first() {
        order.push(next);
        if let Some(older) = replaced(next) {
            waits_for[older] -= 1;
            ready.extend((waits_for[older] == 0).then_some(older));
        }
    }
    // In a circle the versions alone decide.
    let is_ordered = order.len() == entries.len();
    if is_ordered { order.into_iter().map(|at| entries[at]).collect() } else { entries }
}

/// The newest entry that no other one names or, if there is none, the newest of all.
fn head(channel: &Channel, entries: &[&Entry], names: &[Name<'_>]) -> usize {
    let heads: BTreeSet<&str> = catalog::heads(channel).into_iter().collect();
    let is_head = |at: &usize| heads.is_empty() || heads.contains(entries[*at].name.value.as_str());
    let candidates = (0..entries.len()).filter(is_head);
    candidates.max_by_key(|at| (names[*at].version, Reverse(*at))).unwrap_or(0)
}
