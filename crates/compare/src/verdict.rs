//! What the difference between two fates means: the rules of compare (4.1), the worst one that applies.

use crate::fate::{ChannelState, Fate, Hop};
use crate::level::Level;
use blang_semver::Version;
use catalog::BundleName;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use update_graph::Via;

/// A rule about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowRule {
    /// The package is gone.
    PackageGone,
    /// The channel is gone.
    ChannelGone,
    /// OLM can no longer order the channel, or `opm` rejects the catalog.
    GraphBroken,
    /// `olm.deprecated` forbids the version, and nothing follows it, so that the namespace cannot be resolved.
    Deprecated,
    /// The version is stuck; before, it was updated or was the head.
    Stranded,
    /// The version was stuck and still is.
    StillStranded,
    /// The version was stuck and no longer is.
    Unstranded,
    /// A skipRange leads to a lower version.
    Downgrade,
    /// `replaces` or `skips` lead to a lower version.
    LowerByName,
    /// The updates repeat forever.
    Loop,
    /// The updates end at a lower version than before.
    EndLower,
    /// The updates no longer reach the head.
    EndBehind,
    /// The updates end at a higher version than before.
    EndHigher,
    /// The next update is another one, to a version that was there before.
    NextChanged,
    /// The next update leaves out a version in between, and crosses a minor or major version that it did not cross.
    JumpWidened,
    /// More updates lead to the same end.
    PathLonger,
    /// Fewer updates lead to the same end.
    PathShorter,
}

impl RowRule {
    /// All rules in the order in which they are tried: the worst first, and before those that follow from it.
    pub const ALL: [Self; 17] = [
        Self::PackageGone,
        Self::ChannelGone,
        Self::GraphBroken,
        Self::Deprecated,
        Self::Stranded,
        Self::Downgrade,
        Self::Loop,
        Self::LowerByName,
        Self::EndLower,
        Self::EndBehind,
        Self::NextChanged,
        Self::JumpWidened,
        Self::Unstranded,
        Self::StillStranded,
        Self::EndHigher,
        Self::PathLonger,
        Self::PathShorter,
    ];

    /// Its id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::PackageGone => "v0-package-gone",
            Self::ChannelGone => "v0-channel-gone",
            Self::GraphBroken => "v0-graph-broken",
            Self::Deprecated => "deprecated-property",
            Self::Stranded => "v0-stranded",
            Self::StillStranded => "v0-still-stranded",
            Self::Unstranded => "v0-unstranded",
            Self::Downgrade => "v0-downgrade",
            Self::LowerByName => "v0-lower-by-name",
            Self::Loop => "v0-loop",
            Self::EndLower => "v0-end-lower",
            Self::EndBehind => "v0-end-behind",
            Self::EndHigher => "v0-end-higher",
            Self::NextChanged => "v0-next-changed",
            Self::JumpWidened => "v0-jump-widened",
            Self::PathLonger => "v0-path-longer",
            Self::PathShorter => "v0-path-shorter",
        }
    }

    /// What it says, as a sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::PackageGone => "The package is gone.",
            Self::ChannelGone => "The channel is gone.",
            Self::GraphBroken => "OLM can no longer order the channel, or `opm` rejects the catalog.",
            Self::Deprecated => {
                "`olm.deprecated` forbids the version, and nothing follows it, so that the namespace cannot be resolved."
            }
            Self::Stranded => "The version is stuck; before, it was updated or was the head.",
            Self::StillStranded => "The version was stuck and still is.",
            Self::Unstranded => "The version was stuck and no longer is.",
            Self::Downgrade => "A skipRange leads to a lower version.",
            Self::LowerByName => "`replaces` or `skips` lead to a lower version.",
            Self::Loop => "The updates repeat forever.",
            Self::EndLower => "The updates end at a lower version than before.",
            Self::EndBehind => "The updates no longer reach the head.",
            Self::EndHigher => "The updates end at a higher version than before.",
            Self::NextChanged => "The next update is another one, to a version that was there before.",
            Self::JumpWidened => {
                "The next update leaves out a version in between, and crosses a minor or major version that it did not cross."
            }
            Self::PathLonger => "More updates lead to the same end.",
            Self::PathShorter => "Fewer updates lead to the same end.",
        }
    }

    /// Its level, unless the user chose another one.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::PackageGone
            | Self::ChannelGone
            | Self::GraphBroken
            | Self::Deprecated
            | Self::Stranded
            | Self::Downgrade
            | Self::Loop => Level::Breaking,
            Self::LowerByName | Self::EndLower | Self::EndBehind | Self::NextChanged | Self::JumpWidened => {
                Level::Risky
            }
            Self::StillStranded | Self::EndHigher | Self::PathLonger | Self::PathShorter => Level::Neutral,
            Self::Unstranded => Level::Good,
        }
    }
}

/// A row without its verdict.
pub(crate) struct Case<'r> {
    pub(crate) installed: &'r BundleName,
    pub(crate) version: Option<&'r Version>,
    pub(crate) old: &'r Fate,
    pub(crate) new: &'r Fate,
    /// The names that the channel lists in the old state.
    pub(crate) listed: &'r BTreeSet<&'r BundleName>,
}

/// The worst rule that applies.
pub(crate) fn verdict(case: &Case<'_>) -> Option<RowRule> {
    if case.old == case.new && !case.is_stuck(case.new) {
        return None;
    }
    RowRule::ALL.into_iter().find(|rule| case.applies(*rule))
}

impl Case<'_> {
    fn applies(&self, rule: RowRule) -> bool {
        let (old, new) = (self.old, self.new);
        let becomes = |state: &ChannelState| new.state == *state && old.state != *state;
        let newly = |holds: &dyn Fn(&Fate) -> bool| holds(new) && !holds(old);
        let (was_stuck, is_stuck) = (self.is_stuck(old), self.is_stuck(new));
        match rule {
            RowRule::PackageGone => becomes(&ChannelState::PackageGone),
            RowRule::ChannelGone => becomes(&ChannelState::ChannelGone),
            RowRule::GraphBroken => becomes(&ChannelState::Broken),
            RowRule::Deprecated => newly(&|fate| fate.head().is_some() && fate.error.is_some()),
            RowRule::Stranded => is_stuck && (!old.hops.is_empty() || old.head() == Some(self.installed)),
            RowRule::StillStranded => is_stuck && was_stuck,
            RowRule::Unstranded => !is_stuck && new.head().is_some() && (was_stuck || old.error.is_some()),
            RowRule::Downgrade => newly(&|fate| self.goes_down(fate, |via| via == Some(Via::SkipRange))),
            RowRule::LowerByName => newly(&|fate| self.goes_down(fate, |via| via != Some(Via::SkipRange))),
            RowRule::Loop => newly(&|fate| fate.repeats),
            RowRule::EndLower => self.compare_ends() == Some(Ordering::Less),
            RowRule::EndHigher => self.compare_ends() == Some(Ordering::Greater),
            RowRule::EndBehind => newly(&|fate| self.is_behind(fate)),
            RowRule::NextChanged => {
                let existed = |next: &BundleName| self.listed.contains(next);
                old.next() != new.next() && old.next().is_some() && new.next().is_some_and(existed)
            }
            RowRule::JumpWidened => self.jumps_a_minor(),
            RowRule::PathLonger => self.has_same_end() && new.hops.len() > old.hops.len(),
            RowRule::PathShorter => self.has_same_end() && new.hops.len() < old.hops.len(),
        }
    }

    /// Whether nothing follows the version, although it is not the head.
    fn is_stuck(&self, fate: &Fate) -> bool {
        fate.hops.is_empty() && fate.error.is_none() && fate.head().is_some_and(|head| head != self.installed)
    }

    fn is_behind(&self, fate: &Fate) -> bool {
        fate.head().is_some_and(|head| head != fate.end(self.installed))
    }

    fn has_same_end(&self) -> bool {
        self.old.end(self.installed) == self.new.end(self.installed)
    }

    /// Whether an update that a field of this kind allows leads to a lower version.
    fn goes_down(&self, fate: &Fate, kind: impl Fn(Option<Via>) -> bool) -> bool {
        let versions = std::iter::once(self.version).chain(fate.hops.iter().map(|hop| hop.version.as_ref()));
        let is_down = |(before, hop): (Option<&Version>, &Hop)| {
            before.zip(hop.version.as_ref()).is_some_and(|(before, after)| after < before) && kind(hop.via)
        };
        versions.zip(&fate.hops).any(is_down)
    }

    /// How the end compares to the one before, by version.
    fn compare_ends(&self) -> Option<Ordering> {
        let version = |fate: &Fate| fate.hops.last().map_or(self.version, |hop| hop.version.as_ref()).cloned();
        Some(version(self.new)?.cmp(&version(self.old)?))
    }

    /// Whether an update leaves out all versions of a minor version that the updates came through before.
    fn jumps_a_minor(&self) -> bool {
        let minor = |version: &Version| (version.major(), version.minor());
        let visited = |hop: &Hop| self.new.hops.iter().any(|new| new.to == hop.to);
        let old = self.old.hops.split_last().map_or(&[][..], |(_, between)| between);
        let left_out: Vec<_> =
            old.iter().filter(|hop| !visited(hop)).filter_map(|hop| hop.version.as_ref().map(minor)).collect();
        let versions = std::iter::once(self.version).chain(self.new.hops.iter().map(|hop| hop.version.as_ref()));
        let jumps = |(before, hop): (Option<&Version>, &Hop)| {
            let ends = before.map(minor).zip(hop.version.as_ref().map(minor));
            ends.is_some_and(|(before, after)| left_out.iter().any(|between| before < *between && *between < after))
        };
        versions.zip(&self.new.hops).any(jumps)
    }
}
