//! `Constraints`: the parsed value and its evaluation (Masterminds/semver v3.4.0 `constraints.go`).

use std::fmt;

use crate::blang::Version;

use super::check;
use super::grammar::{self, ConstraintError};

/// A parsed constraint: alternatives joined by `||`, each a conjunction of comparators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    groups: Vec<Group>,
}

impl Constraints {
    /// Parses a constraint as `semver.NewConstraint` does.
    ///
    /// # Errors
    /// The library's error, with its text.
    pub fn parse(text: &str) -> Result<Self, ConstraintError> {
        grammar::parse(text).map(|groups| Self { groups })
    }

    /// Whether the version satisfies the constraint; build metadata does not matter.
    #[must_use]
    pub fn matches(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| group.matches(version))
    }

    /// Whether the version is left out only because it is a prerelease: with a prerelease in every alternative, as in
    /// `>=1.0.0-0`, it would match.
    #[must_use]
    pub fn leaves_out_prerelease(&self, version: &Version) -> bool {
        let would_match = |group: &Group| group.comparators.iter().all(|one| check::matches(one, version));
        !version.pre().is_empty() && !self.matches(version) && self.groups.iter().any(would_match)
    }

    /// The alternatives in the order of the text.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &Group> {
        self.groups.iter()
    }
}

impl fmt::Display for Constraints {
    /// The constraint with one blank between comparators, and wildcards as `x`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, group) in self.groups.iter().enumerate() {
            if number > 0 {
                f.write_str(" || ")?;
            }
            write!(f, "{group}")?;
        }
        Ok(())
    }
}

/// An alternative: comparators that must all match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    comparators: Vec<Comparator>,
    /// Whether a comparator has a prerelease. Without one, no prerelease matches.
    allows_prereleases: bool,
}

impl Group {
    pub(crate) fn new(comparators: Vec<Comparator>) -> Self {
        let allows_prereleases = comparators.iter().any(|comparator| !comparator.bound.prerelease.is_empty());
        Self { comparators, allows_prereleases }
    }

    /// Whether the version satisfies all comparators of the alternative.
    #[must_use]
    pub fn matches(&self, version: &Version) -> bool {
        (version.pre().is_empty() || self.allows_prereleases)
            && self.comparators.iter().all(|comparator| check::matches(comparator, version))
    }

    /// Whether prereleases can match: a comparator has a prerelease.
    #[must_use]
    pub fn allows_prereleases(&self) -> bool {
        self.allows_prereleases
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, comparator) in self.comparators.iter().enumerate() {
            if number > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{comparator}")?;
        }
        Ok(())
    }
}

/// One comparison, for example `>=1.2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparator {
    pub(crate) operator: Operator,
    pub(crate) bound: Bound,
    pub(crate) width: Width,
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.operator {
            Operator::Equal => "",
            Operator::NotEqual => "!=",
            Operator::Above => ">",
            Operator::AtLeast => ">=",
            Operator::Below => "<",
            Operator::AtMost => "<=",
            Operator::Tilde => "~",
            Operator::Caret => "^",
        })?;
        let Release { major, minor, patch } = self.bound.release;
        match self.width {
            Width::Any => f.write_str("x")?,
            Width::Major => write!(f, "{major}.x")?,
            Width::Minor => write!(f, "{major}.{minor}.x")?,
            Width::Exact => write!(f, "{major}.{minor}.{patch}")?,
        }
        match &*self.bound.prerelease {
            "" => Ok(()),
            prerelease => write!(f, "-{prerelease}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `=`, also not written at all. With a wildcard it means the same as `~`.
    Equal,
    NotEqual,
    Above,
    AtLeast,
    Below,
    AtMost,
    Tilde,
    Caret,
}

/// The version of a comparator, with zeros for wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) release: Release,
    /// Without its `-`; empty if there is none.
    pub(crate) prerelease: Box<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Release {
    pub(crate) major: u64,
    pub(crate) minor: u64,
    pub(crate) patch: u64,
}

impl Release {
    pub(crate) fn of(version: &Version) -> Self {
        Self { major: version.major(), minor: version.minor(), patch: version.patch() }
    }
}

/// How many numbers of a comparator are given; the others are wildcards or missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// None, as in `*`.
    Any,
    /// The major number, as in `1` and `1.x`.
    Major,
    /// Major and minor number, as in `1.2`.
    Minor,
    /// All three.
    Exact,
}
