//! Finds the versions of a sorted list that a range matches by binary search.

use super::range::{Comparator, Op};
use super::version::Version;
use std::borrow::Borrow;
use std::ops::Range;

/// The indices in `ascending` that the conjunction matches, as ascending runs.
pub(crate) fn of_group<V: Borrow<Version>>(group: &[Comparator], ascending: &[V]) -> Vec<Range<usize>> {
    let (mut start, mut end) = (0, ascending.len());
    let mut holes = Vec::new();
    for Comparator { op, version } in group {
        let below = ascending.partition_point(|candidate| candidate.borrow() < version);
        let not_above = ascending.partition_point(|candidate| candidate.borrow() <= version);
        match op {
            Op::Lt => end = end.min(below),
            Op::Le => end = end.min(not_above),
            Op::Gt => start = start.max(not_above),
            Op::Ge => start = start.max(below),
            Op::Eq => (start, end) = (start.max(below), end.min(not_above)),
            Op::Ne => holes.push(below..not_above),
        }
    }
    holes.sort_by_key(|hole| hole.start);
    let mut runs = Vec::new();
    for hole in holes {
        runs.push(start..hole.start.min(end));
        start = start.max(hole.end);
    }
    runs.push(start..end);
    runs.retain(|run| run.start < run.end);
    runs
}

/// Merges runs that overlap or touch.
pub(crate) fn merged(mut runs: Vec<Range<usize>>) -> Vec<Range<usize>> {
    runs.sort_by_key(|run| run.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for run in runs {
        match merged.last_mut() {
            Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
            _ => merged.push(run),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use crate::blang::{Range, Version};

    const ASCENDING: [&str; 7] = ["0.9.0", "1.0.0-rc.1", "1.0.0", "1.0.0+b", "1.5.0", "2.0.0-a", "2.0.0"];

    /// Also that every version agrees with [`Range::matches`].
    #[track_caller]
    fn check(range: &str, expected: &[std::ops::Range<usize>]) {
        let versions: Vec<Version> = ASCENDING.iter().map(|text| Version::parse(text).unwrap()).collect();
        let range = Range::parse(range).unwrap();
        let runs = range.runs(&versions);
        assert_eq!(runs, expected);
        for (at, version) in versions.iter().enumerate() {
            let inside = runs.iter().any(|run| run.contains(&at));
            assert_eq!(inside, range.matches(version).unwrap_or(false), "{version}");
        }
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "a list of one run")]
    fn conjunctions() {
        check(">=1.0.0 <2.0.0", &[2..6]);
        check("<1.0.3", &[0..4]);
        check("1.0.0", &[2..4]);
        check("!=1.0.0", &[0..2, 4..7]);
        check("!=1.5.0 !=1.0.0 >0.9.0", &[1..2, 5..7]);
        check(">2.0.0", &[]);
        check(">1.5.0 <=1.0.0", &[]);
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "a list of one run")]
    fn alternatives() {
        check("<1.0.0 || >=2.0.0", &[0..2, 6..7]);
        check("<1.5.0 || >1.0.0", &[0..7]);
        check("1.0.0 || || 2.0.0", &[2..4]);
    }
}
