//! `Range`: the parsed value, its evaluation and its canonical text (blang/semver v4 `range.go`).

use std::borrow::Borrow;
use std::fmt;

use super::bounds::Bounds;
use super::grammar::{self, RangeError};
use super::runs;
use super::version::Version;

/// Comparison operator of one comparator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `=`, also written `==` or not at all.
    Eq,
    /// `!=`, also written `!`.
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Op::Eq => "=",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
        })
    }
}

/// One comparison, for example `>=1.0.0`; wildcards are already expanded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comparator {
    /// How the candidate is compared.
    pub op: Op,
    /// What the candidate is compared with.
    pub version: Version,
}

impl Comparator {
    /// Plain ordering: a prerelease is a version like any other.
    pub fn matches(&self, candidate: &Version) -> bool {
        match self.op {
            Op::Eq => *candidate == self.version,
            Op::Ne => *candidate != self.version,
            Op::Lt => *candidate < self.version,
            Op::Le => *candidate <= self.version,
            Op::Gt => *candidate > self.version,
            Op::Ge => *candidate >= self.version,
        }
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.op, self.version)
    }
}

/// A parsed version range: groups joined by `||`, each a conjunction of comparators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    groups: Vec<Vec<Comparator>>,
}

impl Range {
    /// Parses a range as `semver.ParseRange` does, accidents included.
    pub fn parse(text: &str) -> Result<Range, RangeError> {
        grammar::parse(text).map(|groups| Range { groups })
    }

    /// Whether the version satisfies the range, or that OLM would crash on the question.
    pub fn matches(&self, version: &Version) -> Result<bool, RangePanic> {
        for group in &self.groups {
            if group.is_empty() {
                return Err(RangePanic);
            }
            if group.iter().all(|comparator| comparator.matches(version)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether OLM would crash on the question about some versions.
    #[must_use]
    pub fn may_panic(&self) -> bool {
        self.groups.iter().any(Vec::is_empty)
    }

    /// The positions in `ascending` whose versions satisfy the range, as disjoint ascending runs; a version that OLM
    /// would crash on satisfies nothing.
    pub fn runs<V: Borrow<Version>>(&self, ascending: &[V]) -> Vec<std::ops::Range<usize>> {
        let evaluated = self.groups.iter().take_while(|group| !group.is_empty());
        runs::merged(evaluated.flat_map(|group| runs::of_group(group, ascending)).collect())
    }

    /// The alternatives in source order. The first is never empty; a later empty one is where evaluation crashes.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &[Comparator]> {
        self.groups.iter().map(Vec::as_slice)
    }

    /// Whether some alternative that can match has no lower bound, as in `<1.0.3`.
    ///
    /// Only `>=0.0.0-0` counts as none: `>=0.0.0` already leaves out the prereleases of 0.0.0.
    pub fn unbounded_below(&self) -> bool {
        self.reachable().any(|bounds| bounds.starts_at_least() && bounds.lowest().is_some())
    }

    /// Whether no version at all satisfies the range, as in `!=1.x` or `1.0.0 - 2.0.0`.
    pub fn never_matches(&self) -> bool {
        self.lowest().is_none()
    }

    /// The least version that satisfies the range; build metadata apart it is exact, not a sample.
    pub fn lowest(&self) -> Option<Version> {
        self.reachable().filter_map(|bounds| bounds.lowest()).min()
    }

    /// The least version above `version` that satisfies the range.
    ///
    /// ```
    /// # use go_semver::blang::{Range, Version};
    /// let range = Range::parse("<=1.0.0 || >=2.0.0 <3.0.0")?;
    /// let above = |text| range.lowest_above(&Version::parse(text).unwrap()).map(|version| version.to_string());
    /// assert_eq!(above("1.0.0").as_deref(), Some("2.0.0"));
    /// assert_eq!(above("0.1.0").as_deref(), Some("0.1.1-0"));
    /// assert_eq!(above("3.0.0"), None);
    /// # Ok::<(), go_semver::blang::RangeError>(())
    /// ```
    pub fn lowest_above(&self, version: &Version) -> Option<Version> {
        self.reachable().filter_map(|bounds| bounds.above(version).lowest()).min()
    }

    /// The comparators after wildcard expansion, for example `>=1.0.0 <2.0.0 || >=3.0.0`.
    ///
    /// For people: an `x` in a prerelease or in build metadata, accepted after `>=`, is refused after the `=` written
    /// here.
    pub fn normalised(&self) -> String {
        let alternatives = self.groups.iter().map(|group| group.iter().map(Comparator::to_string).collect());
        let words: Vec<Vec<String>> = alternatives.collect();
        words.join(&"||".to_owned()).join(" ")
    }

    /// Bounds of the alternatives that evaluation can come to: those before the first empty one.
    fn reachable(&self) -> impl Iterator<Item = Bounds> {
        self.groups.iter().take_while(|group| !group.is_empty()).map(|group| Bounds::of(group))
    }
}

/// Evaluation came to an empty alternative (`1.0.0 || || 2.0.0`): the original calls a nil function here and the
/// process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangePanic;

impl fmt::Display for RangePanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OLM would crash: nothing between two `||`, expected a comparator")
    }
}

impl std::error::Error for RangePanic {}
