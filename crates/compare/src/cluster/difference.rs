//! What the difference between two simulations of a Subscription means. The rules are those of the rows, with
//! the namespace and dependencies added.

use super::namespace::SimulatedPath;
use crate::path::Path;
use crate::rule::Rule;
use catalog::BundleName;
use go_semver::blang::Version;
use std::cmp::Ordering;

impl Rule {
    /// The rule about rows that says the same as one about a Subscription; the user's level for it counts there, too.
    #[must_use]
    pub const fn row_rule(self) -> Option<Self> {
        match self {
            Self::Stuck => Some(Self::V0Stranded),
            Self::Downgraded => Some(Self::V0Downgrade),
            Self::Loops => Some(Self::V0Loop),
            Self::LowerByName => Some(Self::V0LowerByName),
            Self::StopsEarlier => Some(Self::V0EndLower),
            Self::OtherWay => Some(Self::V0NextChanged),
            Self::Unstuck => Some(Self::V0Unstranded),
            Self::GoesFurther => Some(Self::V0EndHigher),
            _ => None,
        }
    }
}

/// A Subscription without its rule.
pub(super) struct Case<'r> {
    pub(super) installed: Option<&'r BundleName>,
    pub(super) version: Option<&'r Version>,
    pub(super) old: &'r SimulatedPath,
    pub(super) new: &'r SimulatedPath,
    /// Whether the failure in the new state is about the Subscription.
    pub(super) is_cause: bool,
}

impl Case<'_> {
    /// The worst rule that applies.
    pub(super) fn rule(&self) -> Rule {
        let (old, new) = (self.old, self.new);
        if old.gave_up.is_some() || new.gave_up.is_some() {
            return Rule::NotCompared;
        }
        match (&old.failure, &new.failure) {
            (None, Some(_)) => return Rule::CsvFails,
            (Some(_), None) => return Rule::CsvRuns,
            _ => {}
        }
        match (&old.path.error, &new.path.error) {
            (None, Some(_)) if self.is_cause => return Rule::Frozen,
            (None, Some(_)) => return Rule::FrozenByOthers,
            (Some(_), None) => return Rule::Unfrozen,
            (Some(_), Some(_)) if old.path == new.path => return Rule::Same,
            (Some(_), Some(_)) if old.path.hops().eq(new.path.hops()) => return Rule::StillFrozen,
            _ => {}
        }
        let more = new.dependencies_without(old).next().map(|_| Rule::DependenciesAdded);
        let path = self.path_rule();
        match path {
            // A path that is no worse does not hide what else is installed.
            Some(Rule::GoesFurther | Rule::Unstuck | Rule::OtherWay) => more.or(path),
            Some(worse) => Some(worse),
            None => more.or_else(|| old.dependencies_without(new).next().map(|_| Rule::DependenciesRemoved)),
        }
        .unwrap_or(Rule::Same)
    }

    /// What the updates of two states mean; `None` if they are the same.
    fn path_rule(&self) -> Option<Rule> {
        let (old, new) = (self.old, self.new);
        let newly = |holds: &dyn Fn(&SimulatedPath) -> bool| holds(new) && !holds(old);
        let no_longer = |holds: &dyn Fn(&SimulatedPath) -> bool| holds(old) && !holds(new);
        if newly(&|found| self.is_stuck(found)) {
            Some(Rule::Stuck)
        } else if newly(&|found| found.path.goes_down(self.version, true)) {
            Some(Rule::Downgraded)
        } else if newly(&|found| found.path.repeats) {
            Some(Rule::Loops)
        } else if newly(&|found| found.path.goes_down(self.version, false)) {
            Some(Rule::LowerByName)
        } else if newly(&|found| self.is_behind(found)) {
            Some(Rule::StopsEarlier)
        } else if no_longer(&|found| self.is_stuck(found) || found.path.repeats) {
            Some(Rule::Unstuck)
        } else if old.path.names().eq(new.path.names()) {
            None
        } else {
            Some(self.other_path())
        }
    }

    /// What updates mean that differ and end with something else than before.
    fn other_path(&self) -> Rule {
        let (old, new) = (&self.old.path, &self.new.path);
        let longer =
            |long: &Path, short: &Path| long.len > short.len && long.names().zip(short.names()).all(|(a, b)| a == b);
        let order = match (new.end_version(self.version), old.end_version(self.version)) {
            (Some(new), Some(old)) => new.cmp(old),
            _ => Ordering::Equal,
        };
        if longer(new, old) || order == Ordering::Greater {
            Rule::GoesFurther
        } else if longer(old, new) || order == Ordering::Less {
            Rule::StopsEarlier
        } else {
            Rule::OtherWay
        }
    }

    /// Whether nothing follows what is installed, although it is not the head.
    fn is_stuck(&self, found: &SimulatedPath) -> bool {
        found.path.is_empty() && self.is_behind(found)
    }

    /// Whether the updates end below the head.
    fn is_behind(&self, found: &SimulatedPath) -> bool {
        let is_head = |end: &BundleName| found.heads.contains(end);
        found.is_settled() && !found.heads.is_empty() && found.end(self.installed).is_some_and(|end| !is_head(end))
    }
}
