//! The table of reach: from which versions of a package OLM's updates reach the head of a channel, and in how many hops.

use crate::{UpdateChain, Walks, version_of};
use catalog::{BundleName, Package};
use go_semver::blang::Version;
use source::StopReason;
use std::collections::{BTreeMap, BTreeSet};

/// The rows of the table: everything that a cluster may have installed of a package. These are its bundles, and every name that
/// its channels list, replace or skip.
#[derive(Clone, Debug)]
pub struct Installables<'c> {
    /// By version, then by name; names without version first.
    pub rows: Vec<Installable<'c>>,
    rows_of: BTreeMap<&'c BundleName, usize>,
}

/// A version that a cluster may have installed.
#[derive(Clone, Debug)]
pub struct Installable<'c> {
    /// The name of its CSV.
    pub name: &'c BundleName,
    /// For names without bundle the version that the name ends in.
    pub version: Option<Version>,
    /// Whether the package has a bundle with this name.
    pub bundle: bool,
}

/// A cell of the table: where updates from an installed version end, with a Subscription to a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The number of updates; if they repeat, up to the first row that comes again.
    pub hops: u32,
    /// The row where the updates end, or the first one that comes again.
    pub end: u32,
    /// Why they end there.
    pub stop: StopReason,
}

impl<'c> Installables<'c> {
    /// The rows of a package.
    #[must_use]
    pub fn of(package: &'c Package) -> Self {
        Self::with(package, &[])
    }

    /// The same with names of versions that the package no longer knows.
    #[must_use]
    pub fn with(package: &'c Package, more: &'c [BundleName]) -> Self {
        let bundles = package.bundles.iter().map(|bundle| &bundle.name.value);
        let entries = package.channels.iter().flat_map(|channel| &channel.entries);
        let named = entries.flat_map(|entry| std::iter::once(&entry.name).chain(&entry.replaces).chain(&entry.skips));
        let names = bundles.chain(named.map(|name| &name.value)).chain(more);
        let names: BTreeSet<&BundleName> = names.filter(|name| !name.as_str().is_empty()).collect();
        let row = |name: &'c BundleName| {
            let bundle = package.bundle(name.as_str()).is_some();
            Installable { name, version: version_of(package, name), bundle }
        };
        let mut rows: Vec<_> = names.into_iter().map(row).collect();
        rows.sort_by(|a, b| a.version.cmp(&b.version));
        let rows_of = rows.iter().enumerate().map(|(at, row)| (row.name, at)).collect();
        Self { rows, rows_of }
    }

    /// Keeps the newest `most` rows, and returns how many are removed.
    pub fn bound(&mut self, most: usize) -> usize {
        let over = self.rows.len().saturating_sub(most);
        self.rows.drain(..over);
        self.rows_of = self.rows.iter().enumerate().map(|(at, row)| (row.name, at)).collect();
        over
    }

    /// The index of a row by name.
    #[must_use]
    pub fn row_of(&self, name: &BundleName) -> Option<usize> {
        self.rows_of.get(name).copied()
    }

    /// For each row the row of its next update; none if there is no update, or if the row of the newer entry was removed.
    #[must_use]
    pub fn next_rows(&self, chain: &UpdateChain<'c>) -> Vec<Option<usize>> {
        let installed: Vec<_> = self.rows.iter().map(|row| (row.name, row.version.as_ref())).collect();
        let updates = chain.next_updates(&installed).into_iter();
        updates.map(|update| self.row_of(&update?.to.name.value)).collect()
    }

    /// The cells of a channel, one for each row.
    #[must_use]
    pub fn reach(&self, chain: &UpdateChain<'c>) -> Vec<Reach> {
        let head = chain.entries.first().and_then(|entry| self.row_of(&entry.name.value));
        let listed: BTreeSet<&BundleName> = chain.channel.entries.iter().map(|entry| &entry.name.value).collect();
        let stop = |end: usize, repeats: bool| match &self.rows[end] {
            // A skipRange may cover the head itself: then nothing ends there.
            _ if repeats => StopReason::Circle,
            _ if Some(end) == head => StopReason::Head,
            row if head.is_some_and(|head| row.version > self.rows[head].version) => StopReason::Newer,
            row if listed.contains(row.name) => StopReason::Stranded,
            _ => StopReason::Uncovered,
        };
        let walks = Walks::new(self.next_rows(chain));
        let all = (0..self.rows.len()).map(|row| walks.walk(row));
        all.map(|walk| Reach { hops: walk.hops as u32, end: walk.end as u32, stop: stop(walk.end, walk.repeats) })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    /// Lines `installed: hops end stop` of channel `c`.
    #[track_caller]
    fn check(notation: &str, expected: &[&str]) {
        let catalog = read(notation);
        let package = &catalog.packages[0];
        let rows = Installables::of(package);
        let reach = rows.reach(&UpdateChain::of(package, &package.channels[0]).unwrap());
        let shown: Vec<String> = rows
            .rows
            .iter()
            .zip(reach)
            .map(|(row, reach)| {
                format!("{}: {} {} {:?}", row.name, reach.hops, rows.rows[reach.end as usize].name, reach.stop)
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn hops_to_the_head_are_counted() {
        let notation = "c: 3.0.0 (replaces 2.0.0; skips 1.5.0), 2.0.0 (replaces 1.0.0), 1.0.0\nbundle 0.9.0, 4.0.0";
        let expected = [
            "p.v0.9.0: 0 p.v0.9.0 Uncovered",
            "p.v1.0.0: 2 p.v3.0.0 Head",
            "p.v1.5.0: 1 p.v3.0.0 Head",
            "p.v2.0.0: 1 p.v3.0.0 Head",
            "p.v3.0.0: 0 p.v3.0.0 Head",
            "p.v4.0.0: 0 p.v4.0.0 Newer",
        ];
        check(notation, &expected);
    }

    #[test]
    fn updates_that_leave_the_head_again_do_not_end_there() {
        let notation = "c: 2.0.0 (replaces 1.9.0), 1.9.0 (skipRange >=1.0.0)\nbundle 1.0.0";
        let expected = ["p.v1.0.0: 3 p.v1.9.0 Circle", "p.v1.9.0: 2 p.v1.9.0 Circle", "p.v2.0.0: 2 p.v2.0.0 Circle"];
        check(notation, &expected);
    }

    #[test]
    fn updates_may_end_before_the_head() {
        let notation = "c: 3.0.0 (skips 2.0.0), 2.0.0 (replaces 1.0.0), 1.0.0";
        let expected = ["p.v1.0.0: 0 p.v1.0.0 Stranded", "p.v2.0.0: 1 p.v3.0.0 Head", "p.v3.0.0: 0 p.v3.0.0 Head"];
        check(notation, &expected);
    }

    #[test]
    fn a_circle_that_the_head_is_not_part_of() {
        let notation = "c: 3.0.0 (replaces 2.0.0; skips 2.0.0), 2.0.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0 (replaces 0.9.0; skipRange =1.1.0)";
        let expected = [
            "p.v0.9.0: 3 p.v1.0.0 Circle",
            "p.v1.0.0: 2 p.v1.0.0 Circle",
            "p.v1.1.0: 2 p.v1.1.0 Circle",
            "p.v2.0.0: 1 p.v3.0.0 Head",
            "p.v3.0.0: 0 p.v3.0.0 Head",
        ];
        check(notation, &expected);
    }

    #[test]
    fn the_table_agrees_with_single_next_updates() {
        let catalog = read(
            "c: 3.0.0 (replaces 2.0.0; skipRange >=1.2.0 <2.0.0), 2.0.0 (replaces 1.0.0; skipRange <1.5.0), 1.0.0 (skipRange !=7.0.0)\nbundle 0.1.0, 1.3.0, 1.7.0, 5.0.0, 7.0.0",
        );
        let package = &catalog.packages[0];
        let rows = Installables::of(package);
        let chain = UpdateChain::of(package, &package.channels[0]).unwrap();
        for (row, reach) in rows.rows.iter().zip(rows.reach(&chain)) {
            let (mut name, mut version, mut hops, mut seen) = (row.name, row.version.clone(), 0, BTreeSet::new());
            while seen.insert(name)
                && let Some(next) = chain.next_update(name, version.as_ref())
            {
                name = &next.to.name.value;
                version = rows.rows[rows.row_of(name).unwrap()].version.clone();
                hops += 1;
            }
            assert_eq!((reach.hops, rows.rows[reach.end as usize].name), (hops, name), "{}", row.name);
        }
    }
}
