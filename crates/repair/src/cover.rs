//! The edits that a repair may consist of, and which entries may then update which versions.

use crate::check::{Checked, stranded};
use crate::known::Known;
use catalog::{BundleName, Entry};
use go_semver::blang::{Range, Version};
use std::collections::{BTreeMap, BTreeSet};

/// The most entries of a channel in which every edit is considered. In longer ones those near to what is wrong are.
const ALL_EDITS: usize = 24;

/// In a longer channel, the most older entries of which edits are considered.
const OLDER: usize = 12;

/// By what an entry may update versions, and what of that an edit may change. Everything is by index of names.
#[derive(Debug, Default)]
pub(crate) struct Cover {
    /// The names in `skips` of entries.
    pub(crate) skips: BTreeMap<(usize, usize), Edge>,
    /// What entries may replace.
    pub(crate) replaces: BTreeMap<(usize, usize), Edge>,
    /// The entries whose `replaces` may be changed or removed.
    pub(crate) free_replaces: BTreeSet<usize>,
    /// The known versions that skipRanges may cover, by entry and index of the version.
    pub(crate) ranges: BTreeMap<(usize, usize), Edge>,
}

/// Whether an edge is there now, and whether an edit may change that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) is_present: bool,
    pub(crate) is_free: bool,
}

/// In a longer channel, the most names that `skips` and `replaces` may get, apart from those that are sure to matter. To name more
/// of them one by one costs more than other edits.
const NAMED: usize = 40;

/// Which entries are edited, and what for.
struct Near {
    entries: BTreeSet<usize>,
    /// What the skipRange of the head may cover.
    targets: BTreeSet<usize>,
    /// What the head may skip and near entries may replace.
    named: BTreeSet<usize>,
    /// Entries to which clusters were updated from a version that needs an update now.
    were_next: BTreeSet<(usize, usize)>,
}

impl Cover {
    pub(crate) fn of(known: &Known<'_>) -> Self {
        let mut cover = Self::default();
        let near = (known.entries.len() > ALL_EDITS).then(|| Near::of(known));
        for entry in 0..known.entries.len() {
            cover.add_present(known, entry);
            cover.add_replaces(known, entry, near.as_ref());
            cover.add_skips(known, entry, near.as_ref());
            cover.add_ranges(known, entry, near.as_ref());
        }
        cover
    }

    /// What the entry says now. Names can be taken out of `skips` again, apart from those that are avoided.
    fn add_present(&mut self, known: &Known<'_>, at: usize) {
        let entry = known.entries[at];
        let replaced = entry.replaces.iter().filter_map(|name| known.index(&name.value));
        let present = Edge { is_present: true, is_free: false };
        self.replaces.extend(replaced.map(|name| ((at, name), present)));
        for name in entry.skips.iter().filter_map(|name| known.index(&name.value)) {
            // Nobody gains from a skip less of a name that is no entry.
            let is_free = name < known.entries.len() && !known.names[name].is_avoided;
            self.skips.insert((at, name), Edge { is_present: true, is_free });
        }
    }

    fn add_replaces(&mut self, known: &Known<'_>, entry: usize, near: Option<&Near>) {
        if near.is_some_and(|near| !near.entries.contains(&entry)) {
            return;
        }
        self.free_replaces.insert(entry);
        let is_target = |name: &usize| near.is_none_or(|near| near.named.contains(name));
        let lower = (0..known.names.len()).filter(|name| known.is_newer(entry, *name)).filter(is_target);
        let added = Edge { is_present: false, is_free: true };
        for name in lower.filter(|name| *name > entry) {
            self.replaces.entry((entry, name)).or_insert(added);
        }
    }

    fn add_skips(&mut self, known: &Known<'_>, entry: usize, near: Option<&Near>) {
        let may_skip = |name: &usize| {
            let is_meant = near.is_none_or(|near| {
                (entry == known.head && near.named.contains(name)) || near.were_next.contains(&(entry, *name))
            });
            let is_lower = match known.version(*name) {
                // The entry that replaces it may as well skip it, also if it is no lower version.
                Some(_) => known.is_newer(entry, *name) || replaced_name(known, entry) == Some(*name),
                None => *name >= known.entries.len() && is_of_package(known, *name),
            };
            *name != entry && is_meant && is_lower
        };
        for name in (0..known.names.len()).filter(may_skip) {
            self.skips.entry((entry, name)).or_insert(Edge { is_present: false, is_free: true });
        }
    }

    fn add_ranges(&mut self, known: &Known<'_>, entry: usize, near: Option<&Near>) {
        let range = range_of(known.entries[entry]);
        let own = known.names[entry].version;
        let wanted: BTreeSet<usize> = near.map_or_else(BTreeSet::new, |near| {
            let is_meant = |name: &&usize| entry == known.head || near.were_next.contains(&(entry, **name));
            near.targets.iter().filter(is_meant).filter_map(|name| known.names[*name].version).collect()
        });
        for (at, version) in known.versions.iter().enumerate() {
            let is_present = range.is_some_and(|range| range.matches(version).unwrap_or(false));
            let is_lower = own.is_some_and(|own| at < own);
            let is_meant = near.is_none() || wanted.contains(&at);
            // A range may also be cut off at the entry's own version.
            let is_free = own.is_some() && if is_lower { is_meant } else { is_present };
            if is_present || is_free {
                self.ranges.insert((entry, at), Edge { is_present, is_free });
            }
        }
    }

    /// The versions that no edit can update, because no entry is above them.
    pub(crate) fn hopeless(&self, known: &Known<'_>) -> Vec<usize> {
        let named: BTreeSet<usize> = self.skips.keys().chain(self.replaces.keys()).map(|(_, name)| *name).collect();
        let updating = self.updating(known);
        let is_above = |name: &usize| !updating[*name].iter().any(|entry| !known.is_newer(*name, *entry));
        let others = known.entries.len()..known.names.len();
        others.filter(|name| !named.contains(name)).filter(is_above).collect()
    }

    /// The entries that may update a version, by rank.
    pub(crate) fn updating(&self, known: &Known<'_>) -> Vec<BTreeSet<usize>> {
        let mut updating = vec![BTreeSet::new(); known.names.len()];
        for (entry, name) in self.skips.keys().chain(self.replaces.keys()) {
            updating[*name].insert(*entry);
        }
        let mut of_version: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        self.ranges.keys().for_each(|(entry, version)| of_version.entry(*version).or_default().push(*entry));
        for (name, updating) in updating.iter_mut().enumerate() {
            let ranged = known.names[name].version.and_then(|version| of_version.get(&version));
            updating.extend(ranged.into_iter().flatten());
            updating.remove(&name);
        }
        updating
    }
}

impl Near {
    fn of(known: &Known<'_>) -> Self {
        let walked = walked(known);
        let is_whole = Checked::of(known, known.question.channel).is_some();
        let count = known.entries.len();
        let skipped: BTreeSet<usize> =
            (known.entries.iter().flat_map(|entry| &entry.skips)).filter_map(|name| known.index(&name.value)).collect();
        let left_out = |at: &usize| !is_whole && !walked.contains(at) && !skipped.contains(at);
        let replaced_there: BTreeSet<usize> =
            (0..count).filter(left_out).filter_map(|at| replaced(known, at)).collect();
        // The newest entries of the pieces that the chain from the head does not come to.
        let roots: BTreeSet<usize> = (0..count).filter(left_out).filter(|at| !replaced_there.contains(at)).collect();
        let faulty = stranded(known, known.question.channel).into_iter();
        let faulty: BTreeSet<usize> = faulty.filter(|name| is_whole || !walked.contains(name)).collect();
        let mut entries: BTreeSet<usize> = [known.head].into();
        entries.extend(walked.last());
        entries.extend(roots.iter().take(OLDER));
        let were_next: BTreeSet<(usize, usize)> = faulty
            .iter()
            .filter_map(|name| Some((known.before[*name].filter(|entry| *entry < count)?, *name)))
            .collect();
        let before: BTreeSet<usize> = were_next.iter().map(|(entry, _)| *entry).collect();
        entries.extend(before.into_iter().take(OLDER));
        let mut named: BTreeSet<usize> = faulty.iter().rev().take(NAMED).chain(&roots).copied().collect();
        // What an entry no longer replaces has to be skipped.
        named.extend(entries.iter().filter_map(|at| replaced_name(known, *at)));
        named.extend((0..known.names.len()).filter(|name| known.names[*name].is_avoided));
        // A name that is no longer skipped may be covered instead.
        let skips = known.entries.iter().flat_map(|entry| &entry.skips).filter_map(|name| known.index(&name.value));
        let targets = faulty.into_iter().chain(skips.filter(|name| *name < count)).collect();
        Self { entries, targets, named, were_next }
    }
}

/// The entries from the head down to the first one that is skipped, as `opm` walks them.
fn walked(known: &Known<'_>) -> Vec<usize> {
    let skipped: BTreeSet<&BundleName> =
        known.entries.iter().flat_map(|entry| &entry.skips).map(|name| &name.value).collect();
    let mut walked = vec![known.head];
    while let Some(next) = walked.last().and_then(|at| replaced(known, *at)) {
        if walked.contains(&next) || skipped.contains(known.names[next].name) {
            break;
        }
        walked.push(next);
    }
    walked
}

/// The entry that another one replaces.
fn replaced(known: &Known<'_>, at: usize) -> Option<usize> {
    replaced_name(known, at).filter(|name| *name < known.entries.len())
}

/// The name that an entry replaces.
fn replaced_name(known: &Known<'_>, at: usize) -> Option<usize> {
    known.index(&known.entries[at].replaces.as_ref()?.value)
}

/// Whether a name without a version begins as those of entries do. One of another package is not added to `skips`.
fn is_of_package(known: &Known<'_>, name: usize) -> bool {
    let package = |name: &BundleName| name.as_str().split('.').next().map(str::to_owned);
    let own = package(known.names[name].name);
    known.entries.iter().any(|entry| package(&entry.name.value) == own)
}

pub(crate) fn range_of(entry: &Entry) -> Option<&Range> {
    entry.skip_range.as_ref()?.value.range.as_ref().ok()
}

// The text of a skipRange that covers some of the known versions.

/// A text for the skipRange of an entry. `covered` says which of the known versions below that of the entry it covers.
/// Versions that nobody knows stay as they are in the present range: its own bounds count as known ones.
///
/// With `is_joined`, it also covers everything above the lowest of them.
pub(crate) fn range_text(
    known: &Known<'_>,
    entry: usize,
    covered: &dyn Fn(usize) -> bool,
    is_joined: bool,
) -> Option<Box<str>> {
    let own = known.version(entry)?;
    let present = known.entries[entry].skip_range.as_ref().and_then(|range| range.value.range.as_ref().ok());
    let matches = |version: &Version| present.is_some_and(|range| range.matches(version).unwrap_or(false));
    let mut points: Vec<(Version, bool)> =
        known.versions.iter().enumerate().map(|(at, version)| (version.clone(), covered(at))).collect();
    let lowest = Version::new(0, 0, 0);
    let bounds = present.into_iter().flat_map(Range::groups).flatten().map(|comparator| comparator.version.clone());
    for bound in bounds.chain(present.map(|_| lowest.clone())) {
        if !points.iter().any(|(version, _)| version.cmp(&bound).is_eq()) {
            let is_covered = matches(&bound);
            points.push((bound, is_covered));
        }
    }
    points.retain(|(version, _)| version < own);
    points.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut runs: Vec<(&Version, &Version)> = Vec::new();
    let mut is_open = false;
    for (at, (version, is_covered)) in points.iter().enumerate() {
        let is_in = *is_covered || (is_joined && is_open);
        let end = points.get(at + 1).map_or(own, |(next, _)| next);
        match runs.last_mut().filter(|_| is_open) {
            Some((_, last)) if is_in => *last = end,
            _ if is_in => runs.push((version, end)),
            _ => {}
        }
        is_open = is_in;
    }
    let run = |(first, end): &(&Version, &Version)| match present {
        Some(range) if **first == lowest && range.unbounded_below() => format!("<{end}"),
        _ => format!(">={first} <{end}"),
    };
    (!runs.is_empty()).then(|| runs.iter().map(run).collect::<Vec<_>>().join(" || ").into())
}
