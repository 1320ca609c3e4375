//! Updates one after the other. Each version has at most one next update, so the updates of a channel are a functional
//! graph: a walk from any version ends at a version that stays, or repeats.
//!
//! Everything here is answered from the forest of the updates, without following a walk: there are as many walks as
//! versions, and all of them together have quadratically many hops.

use std::collections::BTreeSet;
use std::ops::Range;

/// The next updates of versions, which are indices.
#[derive(Clone, Debug, Default)]
pub struct Walks {
    next: Vec<Option<usize>>,
    forest: Vec<TreePosition>,
    /// By version whose updates repeat: where the walk from it enters the circle; for others, where it ends.
    ends: Vec<usize>,
}

/// All updates from one version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The number of updates. Of a walk that repeats, up to the first version that comes again.
    pub hops: usize,
    /// The version where they end, or the first one that comes again.
    pub end: usize,
    pub repeats: bool,
}

/// A number for each update, added up along walks.
#[derive(Clone, Debug, Default)]
pub struct WalkSums {
    of: Vec<u32>,
    /// By version: the sum up to where the updates end, or where the circle is cut.
    to_end: Vec<u32>,
}

impl Walks {
    /// `next` has the version that each version is updated to.
    #[must_use]
    pub fn new(next: Vec<Option<usize>>) -> Self {
        let forest = update_forest(&next);
        let mut ends: Vec<usize> = forest.iter().map(|position| position.end).collect();
        let mut walks = Self { next, forest, ends: Vec::new() };
        for version in walks.ends_first() {
            if walks.forest[version].in_circle {
                let cut = walks.forest[version].end;
                let newer = walks.next[version].unwrap_or(cut);
                // A version is in the circle if the walk from where the circle is cut comes to it.
                let is_in_circle = walks.after_cut(cut).is_some_and(|first| {
                    version == cut || walks.forest[first].hops_to(&walks.forest[version]).is_some()
                });
                ends[version] = if is_in_circle { version } else { ends[newer] };
            }
        }
        walks.ends = ends;
        walks
    }

    /// The versions, each before those that are updated to it; in a circle from where it is cut.
    fn ends_first(&self) -> Vec<usize> {
        let mut versions: Vec<usize> = (0..self.next.len()).collect();
        versions.sort_by_key(|&version| self.forest[version].subtree.start);
        versions
    }

    fn after_cut(&self, cut: usize) -> Option<usize> {
        self.next[cut].filter(|_| self.forest[cut].in_circle)
    }

    /// The positions of the versions in the forest, in which each circle is cut.
    #[must_use]
    pub fn trees(&self) -> &[TreePosition] {
        &self.forest
    }

    /// What a version is updated to.
    #[must_use]
    pub fn next(&self, version: usize) -> Option<usize> {
        self.next.get(version).copied().flatten()
    }

    /// The walk from a version.
    #[must_use]
    pub fn walk(&self, from: usize) -> Walk {
        let (position, end) = (&self.forest[from], self.ends[from]);
        let Some(first) = self.after_cut(position.end) else {
            return Walk { hops: position.hops as usize, end, repeats: false };
        };
        let around = self.forest[first].hops as usize + 1;
        Walk { hops: self.hops_to(from, end).unwrap_or_default() + around, end, repeats: true }
    }

    /// In how many updates the walk from a version comes to another one for the first time.
    #[must_use]
    pub fn hops_to(&self, from: usize, to: usize) -> Option<usize> {
        let direct = |from: usize| self.forest[from].hops_to(&self.forest[to]).map(|hops| hops as usize);
        let around = || {
            let first = self.after_cut(self.forest[from].end)?;
            Some(self.forest[from].hops as usize + 1 + direct(first)?)
        };
        direct(from).or_else(around)
    }

    /// The versions that the walk from a version comes to, without an end if they repeat.
    pub fn versions_after(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.next(from), |&at| self.next(at))
    }

    /// Adds up a number of each version along the walks: the number belongs to the update from this version.
    #[must_use]
    pub fn sums(&self, of: Vec<u32>) -> WalkSums {
        let mut to_end = vec![0; of.len()];
        for version in self.ends_first() {
            // The walk up to its end does not include the update from there.
            if let Some(newer) = self.next[version].filter(|_| self.forest[version].hops > 0) {
                to_end[version] = of[version] + to_end[newer];
            }
        }
        WalkSums { of, to_end }
    }

    /// The sum along the walk from a version up to another one that it comes to.
    #[must_use]
    pub fn sum_to(&self, sums: &WalkSums, from: usize, to: usize) -> u32 {
        let to_end = &sums.to_end;
        match self.after_cut(self.forest[from].end) {
            Some(first) if self.forest[from].hops_to(&self.forest[to]).is_none() => {
                to_end[from] + sums.of[self.forest[from].end] + to_end[first] - to_end[to]
            }
            _ => to_end[from] - to_end[to],
        }
    }

    /// The sum along the whole walk from a version.
    #[must_use]
    pub fn sum(&self, sums: &WalkSums, from: usize) -> u32 {
        let around = self.after_cut(self.forest[from].end).map(|first| sums.to_end[first]);
        let around = around.map(|rest| sums.of[self.forest[from].end] + rest).unwrap_or_default();
        self.sum_to(sums, from, self.ends[from]) + around
    }
}

// The updates that OLM makes in one channel as a forest: each version has at most one next update.

/// Where a version stands in the forest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreePosition {
    /// The number of updates from it to `end`.
    pub hops: u32,
    /// The version where its updates end, an index; of a circle, the version where the circle is cut.
    pub end: usize,
    /// Whether its updates lead into a circle.
    pub in_circle: bool,
    /// The numbers of the versions that updates bring to it, its own first: an update path from `a` leads to `b` when
    /// `b.subtree` contains `a.subtree.start` (numbered in preorder). It spares a list of pairs, of which there are half
    /// a million in a chain of a thousand entries.
    pub subtree: Range<u32>,
}

impl TreePosition {
    /// In how many updates OLM brings this version to another one.
    #[must_use]
    pub fn hops_to(&self, other: &Self) -> Option<u32> {
        other.subtree.contains(&self.subtree.start).then(|| self.hops - other.hops)
    }
}

/// Finds the positions of all versions. `next` is the index of what each is updated to.
pub(crate) fn update_forest(next: &[Option<usize>]) -> Vec<TreePosition> {
    let mut older: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
    for (index, newer) in next.iter().enumerate() {
        newer.iter().for_each(|&newer| older[newer].push(index));
    }
    let mut forest = Forest { older, positions: vec![None; next.len()], preorder: Vec::new() };
    let ends = (0..next.len()).filter(|&index| next[index].is_none());
    ends.for_each(|end| forest.add_tree(end, false));
    for index in 0..next.len() {
        if forest.positions[index].is_none() {
            let mut seen = BTreeSet::new();
            let mut at = index;
            while let (true, Some(newer)) = (seen.insert(at), next[at]) {
                at = newer;
            }
            forest.add_tree(at, true);
        }
    }
    forest.close(next)
}

struct Forest {
    /// By version: those whose next update it is.
    older: Vec<Vec<usize>>,
    positions: Vec<Option<TreePosition>>,
    /// The versions by their number.
    preorder: Vec<usize>,
}

impl Forest {
    /// Adds all versions that updates bring to `end`.
    fn add_tree(&mut self, end: usize, in_circle: bool) {
        let mut waiting = vec![(end, 0)];
        while let Some((at, hops)) = waiting.pop() {
            if self.positions[at].is_none() {
                let number = self.preorder.len() as u32;
                self.positions[at] = Some(TreePosition { hops, end, in_circle, subtree: number..number + 1 });
                self.preorder.push(at);
                waiting.extend(self.older[at].iter().map(|&older| (older, hops + 1)));
            }
        }
    }

    /// Gives each version the size of its subtree: the last numbers come first, as they are those of leaves.
    fn close(mut self, next: &[Option<usize>]) -> Vec<TreePosition> {
        for &index in self.preorder.iter().rev() {
            let (hops, last) = match &self.positions[index] {
                Some(position) => (position.hops, position.subtree.end),
                None => continue,
            };
            let newer = next[index].filter(|_| hops > 0).and_then(|newer| self.positions[newer].as_mut());
            newer.into_iter().for_each(|newer| newer.subtree.end = newer.subtree.end.max(last));
        }
        self.positions
            .into_iter()
            .map(|position| position.expect("every version has an end or leads into a circle"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A walk, hop by hop.
    fn followed(next: &[Option<usize>], from: usize) -> (Walk, Vec<usize>) {
        let mut seen = vec![from];
        while let Some(to) = next[seen[seen.len() - 1]] {
            let repeats = seen.contains(&to);
            seen.push(to);
            if repeats {
                return (Walk { hops: seen.len() - 1, end: to, repeats }, seen);
            }
        }
        (Walk { hops: seen.len() - 1, end: seen[seen.len() - 1], repeats: false }, seen)
    }

    proptest! {
        #[test]
        fn walks_are_those_that_are_followed_hop_by_hop(
            drawn in proptest::collection::vec((proptest::option::weighted(0.8, 0..9usize), 0..5u32), 1..9)
        ) {
            let count = drawn.len();
            let next: Vec<Option<usize>> =
                drawn.iter().enumerate().map(|(at, (to, _))| to.filter(|to| *to < count && *to != at)).collect();
            let of: Vec<u32> = drawn.iter().map(|(_, number)| *number).collect();
            let walks = Walks::new(next.clone());
            let sums = walks.sums(of.clone());
            for from in 0..count {
                let (walk, seen) = followed(&next, from);
                prop_assert_eq!(walks.walk(from), walk);
                let sum = |hops: usize| seen[..hops].iter().map(|&at| of[at]).sum::<u32>();
                prop_assert_eq!(walks.sum(&sums, from), sum(walk.hops));
                let after: Vec<usize> = walks.versions_after(from).take(walk.hops).collect();
                prop_assert_eq!(&after, &seen[1..]);
                for to in 0..count {
                    let hops = seen.iter().position(|&at| at == to);
                    prop_assert_eq!(walks.hops_to(from, to), hops, "{} {}", from, to);
                    if let Some(hops) = hops {
                        prop_assert_eq!(walks.sum_to(&sums, from, to), sum(hops));
                    }
                }
            }
        }
    }

    /// The number of hops and the end of each version.
    fn ends(forest: &[TreePosition]) -> Vec<(u32, usize)> {
        forest.iter().map(|position| (position.hops, position.end)).collect()
    }

    /// The pairs of versions between which updates lead, with their number.
    fn pairs(forest: &[TreePosition]) -> Vec<(usize, usize, u32)> {
        let all = (0..forest.len()).flat_map(|from| (0..forest.len()).map(move |to| (from, to)));
        let hops = |(from, to): (usize, usize)| Some((from, to, forest[from].hops_to(&forest[to])?));
        all.filter(|(from, to)| from != to).filter_map(hops).collect()
    }

    #[test]
    fn paths_that_meet_share_their_end() {
        // 0 and 1 are updated to 2, 2 to 4, 3 to 4; 5 stays.
        let forest = update_forest(&[Some(2), Some(2), Some(4), Some(4), None, None]);
        assert_eq!(ends(&forest), [(2, 4), (2, 4), (1, 4), (1, 4), (0, 4), (0, 5)]);
        assert_eq!(pairs(&forest), [(0, 2, 1), (0, 4, 2), (1, 2, 1), (1, 4, 2), (2, 4, 1), (3, 4, 1)]);
    }

    #[test]
    fn a_circle_is_cut_once() {
        // 0 leads into the circle of 1, 2 and 3.
        let forest = update_forest(&[Some(1), Some(2), Some(3), Some(1)]);
        assert_eq!(ends(&forest), [(1, 1), (0, 1), (2, 1), (1, 1)]);
        assert_eq!(pairs(&forest), [(0, 1, 1), (2, 1, 2), (2, 3, 1), (3, 1, 1)]);
        assert!(forest.iter().all(|position| position.in_circle));
    }
}
