//! One update from what is installed to an entry, and all updates that a list of entries allows.

use crate::Change;
use catalog::{BundleName, Entry, Package};
use go_semver::blang::{Range, Version, first_matches};
use std::collections::BTreeMap;

/// How an entry says that it follows another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Via {
    Replaces,
    Skips,
    /// `skipRange`
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
    pub(crate) fn first_of_each(&self, installed: &[(&BundleName, Option<&Version>)]) -> Vec<Option<(usize, Via)>> {
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
