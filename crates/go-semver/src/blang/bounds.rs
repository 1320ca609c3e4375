//! What ranges match, as a half-open interval with holes and in a sorted list, and ranges that mean something else
//! elsewhere.

use std::borrow::Borrow;
use std::ops::Range;

use super::range::{Comparator, Op, flat_version, known_operator, raw_tokens, split_operator};
use super::version::Version;

/// Versions `v` with `start <= v < end`, `v` not in `holes`.
///
/// Every version has a direct successor, so strict and inclusive comparators alike become half-open ends.
pub(crate) struct Bounds {
    /// `None`: beyond the last representable version, so empty.
    start: Option<Version>,
    /// `None`: no upper end.
    end: Option<Version>,
    holes: Vec<Version>,
}

impl Bounds {
    pub(crate) fn of(group: &[Comparator]) -> Bounds {
        let mut bounds = Bounds { start: Some(Version::least()), end: None, holes: Vec::new() };
        for Comparator { op, version } in group {
            match op {
                Op::Ge => bounds.raise(Some(version.clone())),
                Op::Gt => bounds.raise(version.successor()),
                Op::Lt => bounds.cut(Some(version.clone())),
                Op::Le => bounds.cut(version.successor()),
                Op::Eq => {
                    bounds.raise(Some(version.clone()));
                    bounds.cut(version.successor());
                }
                Op::Ne => bounds.holes.push(version.clone()),
            }
        }
        bounds
    }

    /// The part above `version`.
    pub(crate) fn above(mut self, version: &Version) -> Bounds {
        self.raise(version.successor());
        self
    }

    /// Whether there is no lower bound.
    pub(crate) fn starts_at_least(&self) -> bool {
        self.start.as_ref() == Some(&Version::least())
    }

    /// The least version inside, if any is.
    pub(crate) fn lowest(&self) -> Option<Version> {
        let mut candidate = self.start.clone()?;
        while self.holes.contains(&candidate) {
            candidate = candidate.successor()?;
        }
        let inside = self.end.as_ref().is_none_or(|end| candidate < *end);
        inside.then_some(candidate)
    }

    fn raise(&mut self, start: Option<Version>) {
        // `None` is the highest start, the opposite of how `Option` orders.
        self.start = self.start.take().zip(start).map(|(old, new)| old.max(new));
    }

    fn cut(&mut self, end: Option<Version>) {
        self.end = match (self.end.take(), end) {
            (Some(old), Some(new)) => Some(old.min(new)),
            (old, new) => old.or(new),
        };
    }
}

// Finds the versions of a sorted list that a range matches by binary search.

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

// Ranges that parse, but mean something else than in npm, Cargo or Go modules.

/// A part of a range that means something unexpected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// A part of one byte stands alone and is dropped: the `!` of `! 1.0.0`, the `-` of `1.0.0 - 2.0.0`.
    Dropped { part: Box<str> },
    /// An operator that blang does not know stands before a wildcard and is dropped: `~1.2.x` is exactly 1.2.0.
    ForgottenOperator {
        part: Box<str>,
        /// The only version that it matches.
        exactly: Box<str>,
    },
    /// `1.x.x` counts up the minor number, so it ends before 1.1.0.
    HalfWildcard {
        part: Box<str>,
        /// The wildcard that was probably meant.
        meant: Box<str>,
    },
    /// An `x` inside a prerelease is a wildcard, too: `>=1.0.0-alpha.x` begins at `1.0.0-alpha.0`.
    PrereleaseWildcard {
        part: Box<str>,
        /// The version that blang reads instead.
        read: Box<str>,
    },
}

/// The quirks of a range, in the order of its text; none for texts that are not ranges.
///
/// ```
/// use go_semver::blang::{Quirk, quirks};
///
/// let exactly = Quirk::ForgottenOperator { part: "^1.x".into(), exactly: "1.0.0".into() };
/// assert_eq!(quirks("^1.x"), [exactly]);
/// assert_eq!(quirks(">=1.0.0 <2.0.0 || 3.x"), []);
/// ```
#[must_use]
pub fn quirks(text: &str) -> Vec<Quirk> {
    raw_tokens(text).into_iter().filter_map(quirk).collect()
}

fn quirk(token: &str) -> Option<Quirk> {
    match token {
        // `&` is dropped as well, but means the same as a blank.
        "" | "&" => return None,
        _ if token.len() == 1 => return Some(Quirk::Dropped { part: token.into() }),
        _ => {}
    }
    let joined = token.replace(' ', "");
    let wildcard = joined.find('x')?;
    let (operator, version) = split_operator(&joined).ok()?;
    let (part, flat) = (joined.as_str().into(), flat_version(version));
    let before_core_ends = version.find(['-', '+']).is_none_or(|end| wildcard < joined.len() - version.len() + end);
    if !known_operator(operator) {
        Some(Quirk::ForgottenOperator { part, exactly: flat.into() })
    } else if !before_core_ends {
        (flat != version).then(|| Quirk::PrereleaseWildcard { part, read: flat.into() })
    } else {
        let counts_up = matches!(operator, "" | "=" | "==" | ">" | "<=");
        let major = version.strip_suffix(".x.x").filter(|_| counts_up)?;
        Some(Quirk::HalfWildcard { part, meant: format!("{operator}{major}.x").into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[track_caller]
    fn check_quirk(text: &str, expected: &[Quirk]) {
        assert!(Range::parse(text).is_ok(), "{text}");
        assert_eq!(quirks(text), expected);
    }

    #[test]
    fn single_bytes_are_dropped() {
        check_quirk("! 1.0.0", &[Quirk::Dropped { part: "!".into() }]);
        check_quirk("1.0.0 - 2.0.0", &[Quirk::Dropped { part: "-".into() }]);
        check_quirk(">=1.0.0 & <2.0.0", &[]);
        check_quirk("> 1.0.0 != 1.2.0", &[]);
    }

    #[test]
    fn operators_before_wildcards() {
        check_quirk("~1.2.x", &[Quirk::ForgottenOperator { part: "~1.2.x".into(), exactly: "1.2.0".into() }]);
        check_quirk("v1.x", &[Quirk::ForgottenOperator { part: "v1.x".into(), exactly: "1.0.0".into() }]);
        check_quirk("x.1.0", &[Quirk::ForgottenOperator { part: "x.1.0".into(), exactly: "1.0.0".into() }]);
        check_quirk(">= 1.x", &[]);
    }

    #[test]
    fn two_wildcards() {
        check_quirk("1.x.x", &[Quirk::HalfWildcard { part: "1.x.x".into(), meant: "1.x".into() }]);
        check_quirk(">=1.x.x <3.0.0", &[]);
    }

    #[test]
    fn prereleases() {
        let read = "1.0.0-alpha.0".into();
        check_quirk(">=1.0.0-alpha.x", &[Quirk::PrereleaseWildcard { part: ">=1.0.0-alpha.x".into(), read }]);
        check_quirk(">=1.0.0-next.1", &[]);
    }
}
