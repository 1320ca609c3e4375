//! The versions that a conjunction of comparators matches: a half-open interval with holes.

use super::range::{Comparator, Op};
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
