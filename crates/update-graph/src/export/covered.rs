//! The edges of skipRanges: one for each entry that a range matches, up to a bound.

use go_semver::blang::{Range, Version};
use std::collections::BTreeMap;

/// The most edges of skipRanges that are written for a package, those of the first ranges. Viewers cannot lay out more, and
/// their number grows with the square of the entries.
const EDGES: usize = 10_000;

/// Limits the number of written edges and counts the edges that are left out.
pub(super) struct Drawn {
    left: usize,
    pub(super) left_out: usize,
}

impl Default for Drawn {
    fn default() -> Self {
        Self { left: EDGES, left_out: 0 }
    }
}

/// The entries of a channel by version.
pub(super) struct Covered<'v> {
    ascending: Vec<&'v Version>,
    /// Their indices in the channel.
    places: Vec<usize>,
    /// By index in the channel, the index in `ascending`.
    ranks: BTreeMap<usize, usize>,
}

impl<'v> Covered<'v> {
    /// Indexes entries that have a version, given with their index in the channel.
    pub(super) fn of(versions: impl Iterator<Item = (usize, &'v Version)>) -> Self {
        let mut pairs: Vec<(usize, &Version)> = versions.collect();
        pairs.sort_by_key(|(_, version)| *version);
        let (places, ascending): (Vec<usize>, Vec<&Version>) = pairs.into_iter().unzip();
        let ranks = places.iter().enumerate().map(|(rank, &place)| (place, rank)).collect();
        Self { ascending, places, ranks }
    }

    /// The indices that a range matches, ascending, as many as may be written, without `own`.
    pub(super) fn by(&self, range: &Range, own: usize, drawn: &mut Drawn) -> Vec<usize> {
        let runs = range.runs(&self.ascending);
        if drawn.left == 0 {
            let has_own = self.ranks.get(&own).is_some_and(|rank| runs.iter().any(|run| run.contains(rank)));
            let count: usize = runs.iter().map(ExactSizeIterator::len).sum();
            drawn.left_out += count - usize::from(has_own);
            return Vec::new();
        }
        let mut places: Vec<usize> = runs.into_iter().flat_map(|run| self.places[run].iter().copied()).collect();
        places.retain(|&place| place != own);
        places.sort_unstable();
        drawn.left_out += places.len().saturating_sub(drawn.left);
        places.truncate(drawn.left);
        drawn.left -= places.len();
        places
    }
}
