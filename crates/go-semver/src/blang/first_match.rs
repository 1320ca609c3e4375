//! Many versions against many ranges at once.

use super::{Range, Version};

/// For each version the index of the first range that it satisfies. A version that OLM would crash on satisfies nothing.
///
/// Each range is searched in the sorted versions, and a version that was found is not looked at again: with a range for each
/// version, as in many channels, it would otherwise take quadratic time.
#[must_use]
pub fn first_matches<'r>(ranges: impl IntoIterator<Item = &'r Range>, versions: &[&Version]) -> Vec<Option<usize>> {
    let mut places: Vec<usize> = (0..versions.len()).collect();
    places.sort_by_key(|&place| versions[place]);
    let ascending: Vec<&Version> = places.iter().map(|&place| versions[place]).collect();
    let mut found = vec![None; versions.len()];
    // By rank: itself if its version is still to be found, else a higher rank from which to look on.
    let mut open: Vec<usize> = (0..=versions.len()).collect();
    for (index, range) in ranges.into_iter().enumerate() {
        if next_open(&mut open, 0) == versions.len() {
            break;
        }
        for run in range.runs(&ascending) {
            let mut rank = next_open(&mut open, run.start);
            while rank < run.end {
                found[places[rank]] = Some(index);
                open[rank] = rank + 1;
                rank = next_open(&mut open, rank);
            }
        }
    }
    found
}

fn next_open(open: &mut [usize], mut rank: usize) -> usize {
    while open[rank] != rank {
        open[rank] = open[open[rank]];
        rank = open[rank];
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_range_is_found_as_one_by_one(
            versions in proptest::collection::vec((0..4u64, 0..4u64), 0..12),
            ranges in proptest::collection::vec((0..4u64, 0..4u64, 0..5u64), 0..6),
        ) {
            let versions: Vec<Version> = versions.into_iter().map(|(minor, patch)| Version::new(1, minor, patch)).collect();
            let range = |(minor, patch, end): (u64, u64, u64)| {
                Range::parse(&format!(">=1.{minor}.{patch} <1.{end}.0 || =1.0.{patch}")).unwrap()
            };
            let ranges: Vec<Range> = ranges.into_iter().map(range).collect();
            let one_by_one: Vec<Option<usize>> = (versions.iter())
                .map(|version| ranges.iter().position(|range| range.matches(version) == Ok(true)))
                .collect();
            prop_assert_eq!(first_matches(&ranges, &versions.iter().collect::<Vec<_>>()), one_by_one);
        }
    }
}
