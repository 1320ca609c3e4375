//! The updates that OLM makes in one channel as a forest: each version has at most one next update.

use std::collections::BTreeSet;
use std::ops::Range;

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
