//! What the difference between two fates of a Subscription means. The rules are those of the rows (compare 4.1), with the
//! namespace and dependencies added.

use blang_semver::Version;
use catalog::BundleName;
use std::cmp::Ordering;
use update_graph::Via;

use super::fate::{FateEnd, SubscriptionFate};
use crate::rule::Rule;
use vocabulary::Level;

/// What the exchange of a catalog means for one Subscription: the worst that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// The resolution of the namespace fails; before, it did not.
    Frozen {
        /// Whether the failure is about this Subscription. Otherwise another object of the namespace is the cause.
        is_cause: bool,
    },
    /// Nothing follows what is installed, although it is not the head; before, it was updated or was the head.
    Stuck,
    /// A skipRange leads to a lower version.
    Downgraded,
    /// The updates repeat forever.
    Loops,
    /// `replaces` or `skips` lead to a lower version.
    LowerByName,
    /// The updates end at a lower version than before, or no longer at the head.
    StopsEarlier,
    /// OLM installs more operators as dependencies.
    DependenciesAdded,
    /// Other updates lead to the same end, or to one that cannot be compared.
    OtherWay,
    /// The simulation does not know what OLM does in one of the states.
    NotCompared,
    /// The resolution of the namespace no longer fails.
    Unfrozen,
    /// What is installed was stuck or updated in a circle, and no longer is.
    Unstuck,
    /// The updates lead to a higher version than before.
    GoesFurther,
    /// OLM no longer installs an operator as dependency.
    DependenciesRemoved,
    /// The resolution of the namespace fails as before, with another error.
    StillFrozen,
    /// Nothing changes.
    Same,
}

impl Difference {
    /// Its id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Frozen { .. } => "frozen",
            Self::Stuck => "stuck",
            Self::Downgraded => "downgraded",
            Self::Loops => "loops",
            Self::LowerByName => "lower-by-name",
            Self::StopsEarlier => "stops-earlier",
            Self::DependenciesAdded => "dependencies-added",
            Self::OtherWay => "other-way",
            Self::NotCompared => "not-compared",
            Self::Unfrozen => "unfrozen",
            Self::Unstuck => "unstuck",
            Self::GoesFurther => "goes-further",
            Self::DependenciesRemoved => "dependencies-removed",
            Self::StillFrozen => "still-frozen",
            Self::Same => "same",
        }
    }

    /// What it says, as a sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Frozen { is_cause: true } => "OLM can no longer resolve the namespace, because of this Subscription.",
            Self::Frozen { is_cause: false } => {
                "OLM can no longer resolve the namespace, although this Subscription is not the cause."
            }
            Self::Stuck => "The operator is stuck; before, it was updated or was the head.",
            Self::Downgraded => "A skipRange leads to a lower version.",
            Self::Loops => "The updates repeat forever.",
            Self::LowerByName => "`replaces` or `skips` lead to a lower version.",
            Self::StopsEarlier => "The updates end at a lower version than before, or no longer at the head.",
            Self::DependenciesAdded => "OLM installs more operators as dependencies.",
            Self::OtherWay => "The updates take another way.",
            Self::NotCompared => "Opscope cannot tell what OLM does in one of the states.",
            Self::Unfrozen => "OLM can resolve the namespace again.",
            Self::Unstuck => "The operator was stuck or updated in a circle, and no longer is.",
            Self::GoesFurther => "The updates lead to a higher version than before.",
            Self::DependenciesRemoved => "OLM no longer installs an operator as dependency.",
            Self::StillFrozen => "OLM still cannot resolve the namespace, with another error.",
            Self::Same => "Nothing changes.",
        }
    }

    /// The rule about rows that says the same; the user's level for it counts here, too.
    #[must_use]
    pub const fn row_rule(self) -> Option<Rule> {
        match self {
            Self::Stuck => Some(Rule::V0Stranded),
            Self::Downgraded => Some(Rule::V0Downgrade),
            Self::Loops => Some(Rule::V0Loop),
            Self::LowerByName => Some(Rule::V0LowerByName),
            Self::StopsEarlier => Some(Rule::V0EndLower),
            Self::OtherWay => Some(Rule::V0NextChanged),
            Self::Unstuck => Some(Rule::V0Unstranded),
            Self::GoesFurther => Some(Rule::V0EndHigher),
            Self::Frozen { .. }
            | Self::DependenciesAdded
            | Self::NotCompared
            | Self::Unfrozen
            | Self::DependenciesRemoved
            | Self::StillFrozen
            | Self::Same => None,
        }
    }

    /// Its level, unless the user chose another one.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::Frozen { .. } | Self::Stuck | Self::Downgraded | Self::Loops => Level::Breaking,
            Self::LowerByName | Self::StopsEarlier | Self::DependenciesAdded | Self::OtherWay | Self::NotCompared => {
                Level::Risky
            }
            Self::GoesFurther | Self::DependenciesRemoved | Self::StillFrozen | Self::Same => Level::Neutral,
            Self::Unfrozen | Self::Unstuck => Level::Good,
        }
    }

    pub(super) fn of(case: &Case<'_>) -> Self {
        let (old, new) = (case.old, case.new);
        if [old, new].iter().any(|fate| matches!(fate.end, FateEnd::GaveUp(_))) {
            return Self::NotCompared;
        }
        match (has_failed(old), has_failed(new)) {
            (false, true) => return Self::Frozen { is_cause: case.is_cause },
            (true, false) => return Self::Unfrozen,
            (true, true) if old.hops == new.hops => {
                return if old.end == new.end { Self::Same } else { Self::StillFrozen };
            }
            _ => {}
        }
        let more = new.dependencies_without(old).next().map(|_| Self::DependenciesAdded);
        let path = case.path();
        match path {
            // A path that is no worse does not hide what else is installed.
            Some(Self::GoesFurther | Self::Unstuck | Self::OtherWay) => more.or(path),
            Some(worse) => Some(worse),
            None => more.or_else(|| old.dependencies_without(new).next().map(|_| Self::DependenciesRemoved)),
        }
        .unwrap_or(Self::Same)
    }
}

/// A Subscription without its difference.
pub(super) struct Case<'r> {
    pub(super) installed: Option<&'r BundleName>,
    pub(super) version: Option<&'r Version>,
    pub(super) old: &'r SubscriptionFate,
    pub(super) new: &'r SubscriptionFate,
    /// Whether the failure in the new state is about the Subscription.
    pub(super) is_cause: bool,
}

impl Case<'_> {
    /// What the updates of two states mean; `None` if they are the same.
    fn path(&self) -> Option<Difference> {
        let (old, new) = (self.old, self.new);
        let newly = |holds: &dyn Fn(&SubscriptionFate) -> bool| holds(new) && !holds(old);
        let no_longer = |holds: &dyn Fn(&SubscriptionFate) -> bool| holds(old) && !holds(new);
        if newly(&|fate| self.is_stuck(fate)) {
            Some(Difference::Stuck)
        } else if newly(&|fate| self.goes_down(fate, true)) {
            Some(Difference::Downgraded)
        } else if newly(&|fate| fate.end == FateEnd::Repeats) {
            Some(Difference::Loops)
        } else if newly(&|fate| self.goes_down(fate, false)) {
            Some(Difference::LowerByName)
        } else if newly(&|fate| self.is_behind(fate)) {
            Some(Difference::StopsEarlier)
        } else if no_longer(&|fate| self.is_stuck(fate) || fate.end == FateEnd::Repeats) {
            Some(Difference::Unstuck)
        } else if names(old).eq(names(new)) {
            None
        } else {
            Some(self.other_path())
        }
    }

    /// What updates mean that differ and end with something else than before.
    fn other_path(&self) -> Difference {
        let (old, new) = (&self.old.hops, &self.new.hops);
        let longer = |long: &SubscriptionFate, short: &SubscriptionFate| {
            names(long).zip(names(short)).all(|(a, b)| a == b) && long.hops.len() > short.hops.len()
        };
        let end = |hops: &[crate::path::Hop]| hops.last().map_or(self.version, |hop| hop.version.as_ref()).cloned();
        let order = match (end(new), end(old)) {
            (Some(new), Some(old)) => new.cmp(&old),
            _ => Ordering::Equal,
        };
        if longer(self.new, self.old) || order == Ordering::Greater {
            Difference::GoesFurther
        } else if longer(self.old, self.new) || order == Ordering::Less {
            Difference::StopsEarlier
        } else {
            Difference::OtherWay
        }
    }

    /// Whether nothing follows what is installed, although it is not the head.
    fn is_stuck(&self, fate: &SubscriptionFate) -> bool {
        fate.hops.is_empty() && self.is_behind(fate)
    }

    /// Whether the updates end below the head.
    fn is_behind(&self, fate: &SubscriptionFate) -> bool {
        let is_head = |end: &BundleName| fate.heads.contains(end);
        let end = fate.end_csv(self.installed);
        fate.end == FateEnd::Settled && !fate.heads.is_empty() && end.is_some_and(|end| !is_head(end))
    }

    /// Whether an update leads to a lower version, by a skipRange or by a name.
    fn goes_down(&self, fate: &SubscriptionFate, by_range: bool) -> bool {
        let versions = std::iter::once(self.version).chain(fate.hops.iter().map(|hop| hop.version.as_ref()));
        let is_down = |(before, hop): (Option<&Version>, &crate::path::Hop)| {
            let is_lower = before.zip(hop.version.as_ref()).is_some_and(|(before, after)| after < before);
            is_lower && (hop.via == Some(Via::SkipRange)) == by_range
        };
        versions.zip(&fate.hops).any(is_down)
    }
}

fn has_failed(fate: &SubscriptionFate) -> bool {
    matches!(fate.end, FateEnd::Failed(_))
}

fn names(fate: &SubscriptionFate) -> impl Iterator<Item = &BundleName> {
    fate.hops.iter().map(|hop| &hop.to)
}
