//! From which versions of a package OLM comes to the head of a channel, and in how many updates.

use crate::{Ladder, version_in};
use blang_semver::Version;
use catalog::{BundleName, Package};
use std::collections::{BTreeMap, BTreeSet};

/// What can be installed of a package: its bundles, and every name that its channels list, replace or skip.
#[derive(Clone, Debug)]
pub struct Installables<'c> {
    /// By version, then by name; those without version first.
    pub rows: Vec<Installable<'c>>,
    rows_of: BTreeMap<&'c BundleName, usize>,
}

/// A version that a cluster may have installed.
#[derive(Clone, Debug)]
pub struct Installable<'c> {
    /// The name of its CSV.
    pub name: &'c BundleName,
    /// Its version; for names without bundle the version that the name ends in.
    pub version: Option<Version>,
    /// Whether the package has a bundle of the name.
    pub bundle: bool,
}

/// What becomes of an installed version whose Subscription names a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// So many updates are made before it ends.
    pub hops: u32,
    /// Where it ends, a row.
    pub end: u32,
    /// Why there.
    pub halt: Halt,
}

/// Why OLM makes no further update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Halt {
    /// It is the head of the channel.
    Head,
    /// It is newer than the head, and nothing of the channel follows it.
    Newer,
    /// It is an entry of the channel, but none that OLM chooses from follows it.
    Stranded,
    /// It is no entry of the channel, and none follows it.
    Uncovered,
    /// Updates lead in a circle that the head is not part of.
    Circle,
}

impl<'c> Installables<'c> {
    /// Everything of `package` that may be installed.
    #[must_use]
    pub fn of(package: &'c Package) -> Self {
        let bundles = package.bundles.iter().map(|bundle| &bundle.name.value);
        let entries = package.channels.iter().flat_map(|channel| &channel.entries);
        let named = entries.flat_map(|entry| std::iter::once(&entry.name).chain(&entry.replaces).chain(&entry.skips));
        let names: BTreeSet<&BundleName> =
            bundles.chain(named.map(|name| &name.value)).filter(|name| !name.as_str().is_empty()).collect();
        let row = |name: &'c BundleName| {
            let bundle = package.bundle(name.as_str());
            let version = bundle.map_or_else(|| version_in(name.as_str()), |bundle| bundle.version().cloned());
            Installable { name, version, bundle: bundle.is_some() }
        };
        let mut rows: Vec<_> = names.into_iter().map(row).collect();
        rows.sort_by(|a, b| a.version.cmp(&b.version));
        let rows_of = rows.iter().enumerate().map(|(at, row)| (row.name, at)).collect();
        Self { rows, rows_of }
    }

    /// Keeps the newest `most` rows, and tells how many were left out.
    pub fn bound(&mut self, most: usize) -> usize {
        let over = self.rows.len().saturating_sub(most);
        self.rows.drain(..over);
        self.rows_of = self.rows.iter().enumerate().map(|(at, row)| (row.name, at)).collect();
        over
    }

    /// The row of a name.
    #[must_use]
    pub fn row_of(&self, name: &BundleName) -> Option<usize> {
        self.rows_of.get(name).copied()
    }

    /// What becomes of each row in a channel. A row that was left out of the table ends a walk like a circle.
    #[must_use]
    pub fn reach(&self, ladder: &Ladder<'c>) -> Vec<Reach> {
        let installed: Vec<_> = self.rows.iter().map(|row| (row.name, row.version.as_ref())).collect();
        let rows_of_rungs: Vec<Option<usize>> =
            ladder.rungs.iter().map(|entry| self.row_of(&entry.name.value)).collect();
        let rungs = ladder.climbs(&installed);
        let next: Vec<Option<usize>> = rungs.into_iter().map(|rung| rows_of_rungs[rung?]).collect();
        let head = rows_of_rungs.first().copied().flatten();
        let mut walks = Walks { next: &next, head, ends: vec![None; self.rows.len()] };
        let ends: Vec<(u32, usize, bool)> = (0..self.rows.len()).map(|row| walks.end_of(row)).collect();
        let listed: BTreeSet<&BundleName> = ladder.channel.entries.iter().map(|entry| &entry.name.value).collect();
        let halt = |end: usize, circle: bool| match &self.rows[end] {
            _ if Some(end) == head => Halt::Head,
            _ if circle => Halt::Circle,
            row if head.is_some_and(|head| row.version > self.rows[head].version) => Halt::Newer,
            row if listed.contains(row.name) => Halt::Stranded,
            _ => Halt::Uncovered,
        };
        let reach = |(hops, end, circle): (u32, usize, bool)| Reach { hops, end: end as u32, halt: halt(end, circle) };
        ends.into_iter().map(reach).collect()
    }
}

/// Walks along what follows what, each row looked at once.
struct Walks<'a> {
    next: &'a [Option<usize>],
    head: Option<usize>,
    /// Hops, the last row and whether it is part of a circle.
    ends: Vec<Option<(u32, usize, bool)>>,
}

impl Walks<'_> {
    fn end_of(&mut self, row: usize) -> (u32, usize, bool) {
        let mut walked: Vec<usize> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut at = row;
        let (mut hops, end, circle) = loop {
            if let Some(known) = self.ends[at] {
                break known;
            }
            match self.next[at].filter(|_| Some(at) != self.head) {
                None => break (0, at, false),
                Some(_) if !seen.insert(at) => break (0, at, true),
                Some(next) => {
                    walked.push(at);
                    at = next;
                }
            }
        };
        self.ends[at] = Some((hops, end, circle));
        for row in walked.into_iter().rev() {
            hops += 1;
            self.ends[row] = Some((hops, end, circle));
        }
        self.ends[row].unwrap_or((hops, end, circle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bundles, catalog};

    /// Lines `installed: hops end halt` of channel `c`.
    #[track_caller]
    fn check(entries: &str, versions: &[&str], expected: &[&str]) {
        let catalog = catalog(&format!("{entries}{}", bundles(versions)));
        let package = &catalog.packages[0];
        let rows = Installables::of(package);
        let reach = rows.reach(&Ladder::of(package, &package.channels[0]).unwrap());
        let told: Vec<String> = rows
            .rows
            .iter()
            .zip(reach)
            .map(|(row, reach)| {
                format!("{}: {} {} {:?}", row.name, reach.hops, rows.rows[reach.end as usize].name, reach.halt)
            })
            .collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn hops_to_the_head() {
        let entries = "- {name: p.v3.0.0, replaces: p.v2.0.0, skips: [p.v1.5.0]}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        let expected = [
            "p.v0.9.0: 0 p.v0.9.0 Uncovered",
            "p.v1.0.0: 2 p.v3.0.0 Head",
            "p.v1.5.0: 1 p.v3.0.0 Head",
            "p.v2.0.0: 1 p.v3.0.0 Head",
            "p.v3.0.0: 0 p.v3.0.0 Head",
            "p.v4.0.0: 0 p.v4.0.0 Newer",
        ];
        check(entries, &["0.9.0", "1.0.0", "2.0.0", "3.0.0", "4.0.0"], &expected);
    }

    #[test]
    fn an_end_that_is_not_the_head() {
        let entries =
            "- {name: p.v3.0.0, skips: [p.v2.0.0]}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        let expected = ["p.v1.0.0: 0 p.v1.0.0 Stranded", "p.v2.0.0: 1 p.v3.0.0 Head", "p.v3.0.0: 0 p.v3.0.0 Head"];
        check(entries, &["1.0.0", "2.0.0", "3.0.0"], &expected);
    }

    #[test]
    fn a_circle_that_the_head_is_not_part_of() {
        let entries = "- {name: p.v3.0.0, replaces: p.v2.0.0, skips: [p.v2.0.0]}\n- {name: p.v2.0.0, replaces: p.v1.1.0}\n- {name: p.v1.1.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0, replaces: p.v0.9.0, skipRange: =1.1.0}\n";
        let expected = [
            "p.v0.9.0: 3 p.v1.0.0 Circle",
            "p.v1.0.0: 2 p.v1.0.0 Circle",
            "p.v1.1.0: 1 p.v1.0.0 Circle",
            "p.v2.0.0: 1 p.v3.0.0 Head",
            "p.v3.0.0: 0 p.v3.0.0 Head",
        ];
        check(entries, &["1.0.0", "1.1.0", "2.0.0", "3.0.0"], &expected);
    }

    #[test]
    fn a_walk_of_single_climbs_agrees() {
        let entries = "- {name: p.v3.0.0, replaces: p.v2.0.0, skipRange: '>=1.2.0 <2.0.0'}\n- {name: p.v2.0.0, replaces: p.v1.0.0, skipRange: <1.5.0}\n- {name: p.v1.0.0, skipRange: '!=7.0.0'}\n";
        let versions = ["0.1.0", "1.0.0", "1.3.0", "1.7.0", "2.0.0", "3.0.0", "5.0.0", "7.0.0"];
        let catalog = catalog(&format!("{entries}{}", bundles(&versions)));
        let package = &catalog.packages[0];
        let rows = Installables::of(package);
        let ladder = Ladder::of(package, &package.channels[0]).unwrap();
        for (row, reach) in rows.rows.iter().zip(rows.reach(&ladder)) {
            let (mut name, mut version, mut hops) = (row.name, row.version.clone(), 0);
            while let Some(climb) = ladder.climb(name, version.as_ref()).filter(|_| Some(0) != ladder.rung(name)) {
                name = &climb.to.name.value;
                version = rows.rows[rows.row_of(name).unwrap()].version.clone();
                hops += 1;
            }
            assert_eq!((reach.hops, rows.rows[reach.end as usize].name), (hops, name), "{}", row.name);
        }
    }
}
