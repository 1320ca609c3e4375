//! What the difference between two paths means: the rules of compare (4.1), the worst one that applies.

use crate::level::Level;
use crate::path::{ChannelState, Path};
use crate::rule::ComparisonRule;
use blang_semver::Version;
use catalog::{BundleName, Channel};
use std::cmp::Ordering;

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
    /// The next update leads elsewhere, because its target is no longer listed.
    ManualPending,
    /// More updates lead to the same end.
    PathLonger,
    /// Fewer updates lead to the same end.
    PathShorter,
}

impl RowRule {
    /// All rules in the order in which they are tried: the worst first, and before those that follow from it.
    pub const ALL: [Self; 18] = [
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
        Self::ManualPending,
        Self::Unstranded,
        Self::StillStranded,
        Self::EndHigher,
        Self::PathLonger,
        Self::PathShorter,
    ];

    /// Its texts and its level.
    #[must_use]
    pub const fn rule(self) -> ComparisonRule {
        match self {
            Self::PackageGone => ComparisonRule {
                id: "v0-package-gone",
                level: Level::Breaking,
                about: "The package is gone.",
                effect: "No Subscription of a namespace with a Subscription to the package is resolved any more, also those of other operators. What is installed keeps running.",
            },
            Self::ChannelGone => ComparisonRule {
                id: "v0-channel-gone",
                level: Level::Breaking,
                about: "The channel is gone.",
                effect: "No Subscription of a namespace with a Subscription to the channel is resolved any more, also those of other operators. Keep the old channel with the same entries when a channel is renamed.",
            },
            Self::GraphBroken => ComparisonRule {
                id: "v0-graph-broken",
                level: Level::Breaking,
                about: "OLM can no longer order the channel, or `opm` rejects the catalog.",
                effect: "Each resolution that comes to the channel fails, also by a requirement of another operator: the channel has no head, several heads or a cycle.",
            },
            Self::Deprecated => ComparisonRule {
                id: "deprecated-property",
                level: Level::Breaking,
                about: "`olm.deprecated` forbids the version, and nothing follows it, so that the namespace cannot be resolved.",
                effect: "OLM must not keep the version and has nothing to replace it with, so that no Subscription of the namespace is resolved. Where something follows, clusters are updated at once.",
            },
            Self::Stranded => ComparisonRule {
                id: "v0-stranded",
                level: Level::Breaking,
                about: "The version is stuck; before, it was updated or was the head.",
                effect: "Nothing on the cluster says so: the Subscription stays `AtLatestKnown` without a condition, and the operator gets no updates.",
            },
            Self::Downgrade => ComparisonRule {
                id: "v0-downgrade",
                level: Level::Breaking,
                about: "A skipRange leads to a lower version.",
                effect: "OLM follows a skipRange that contains the installed version, even if the entry that has it is older. The operator is downgraded.",
            },
            Self::Loop => ComparisonRule {
                id: "v0-loop",
                level: Level::Breaking,
                about: "The updates repeat forever.",
                effect: "A skipRange leads back to a version that the operator has left, so that it is updated and downgraded in turns without an end.",
            },
            Self::LowerByName => ComparisonRule {
                id: "v0-lower-by-name",
                level: Level::Risky,
                about: "`replaces` or `skips` lead to a lower version.",
                effect: "OLM follows names and does not compare versions. This is right for a respin such as 1.0.1-1 after 1.0.1; otherwise the operator is downgraded.",
            },
            Self::EndLower => ComparisonRule {
                id: "v0-end-lower",
                level: Level::Risky,
                about: "The updates end at a lower version than before.",
                effect: "Clusters that have not come so far yet no longer get the newest version. Those that have it are rows of their own.",
            },
            Self::EndBehind => ComparisonRule {
                id: "v0-end-behind",
                level: Level::Risky,
                about: "The updates no longer reach the head.",
                effect: "Clusters are updated and then stop short of the head. Nothing on the cluster says so.",
            },
            Self::NextChanged => ComparisonRule {
                id: "v0-next-changed",
                level: Level::Risky,
                about: "The next update is another one, to a version that was there before.",
                effect: "Clusters that are on the way take another way than those that went before them, through versions that were tested for others.",
            },
            Self::JumpWidened => ComparisonRule {
                id: "v0-jump-widened",
                level: Level::Risky,
                about: "The next update leaves out a version in between, and crosses a minor or major version that it did not cross.",
                effect: "What the version in between migrates is not migrated. Check its conversions and the stored versions of its CustomResourceDefinitions.",
            },
            Self::ManualPending => ComparisonRule {
                id: "v0-manual-pending",
                level: Level::Risky,
                about: "The next update leads elsewhere, because its target is no longer listed.",
                effect: "An InstallPlan for the old target that waits for approval stays as it is. If it is approved, the cluster installs a version that no catalog lists; when OLM resolves the namespace again, another InstallPlan takes its place.",
            },
            Self::Unstranded => ComparisonRule {
                id: "v0-unstranded",
                level: Level::Good,
                about: "The version was stuck and no longer is.",
                effect: "Clusters that had stopped are updated again.",
            },
            Self::StillStranded => ComparisonRule {
                id: "v0-still-stranded",
                level: Level::Neutral,
                about: "The version was stuck and still is.",
                effect: "The change does not harm these clusters, but they still get no updates; the same fixes help.",
            },
            Self::EndHigher => ComparisonRule {
                id: "v0-end-higher",
                level: Level::Neutral,
                about: "The updates end at a higher version than before.",
                effect: "This is the normal release: clusters are updated to the new head.",
            },
            Self::PathLonger => ComparisonRule {
                id: "v0-path-longer",
                level: Level::Neutral,
                about: "More updates lead to the same end.",
                effect: "Clusters make one more update or several, one after the other.",
            },
            Self::PathShorter => ComparisonRule {
                id: "v0-path-shorter",
                level: Level::Neutral,
                about: "Fewer updates lead to the same end.",
                effect: "Clusters leave out versions in between; none of these is a minor or major version of its own.",
            },
        }
    }

    /// Its id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.rule().id
    }

    /// Its level, unless the user chose another one.
    #[must_use]
    pub const fn level(self) -> Level {
        self.rule().level
    }
}

/// Whether a channel lists an entry.
fn lists(channel: Option<&Channel>, name: &BundleName) -> bool {
    channel.is_some_and(|channel| channel.entry(name.as_str()).is_some())
}

/// A row without its verdict.
pub(crate) struct Case<'r> {
    pub(crate) installed: &'r BundleName,
    pub(crate) version: Option<&'r Version>,
    pub(crate) old: &'r Path,
    pub(crate) new: &'r Path,
    /// The channel in the old state.
    pub(crate) before: Option<&'r Channel>,
    /// The channel in the new state.
    pub(crate) after: Option<&'r Channel>,
    /// Whether an update leaves out all versions of a minor version that the updates came through before.
    pub(crate) jumps_a_minor: &'r dyn Fn() -> bool,
}

/// The worst rule that applies.
pub(crate) fn verdict(case: &Case<'_>) -> Option<RowRule> {
    // All other rules are about a difference, apart from that of a version whose resolution failed.
    if !case.is_stuck(case.new) && case.old.error.is_some() && case.old == case.new {
        return None;
    }
    RowRule::ALL.into_iter().find(|rule| case.applies(*rule))
}

impl Case<'_> {
    fn applies(&self, rule: RowRule) -> bool {
        let (old, new) = (self.old, self.new);
        let becomes = |state: &ChannelState| new.state == *state && old.state != *state;
        let newly = |holds: &dyn Fn(&Path) -> bool| holds(new) && !holds(old);
        let (was_stuck, is_stuck) = (self.is_stuck(old), self.is_stuck(new));
        match rule {
            RowRule::PackageGone => becomes(&ChannelState::PackageGone),
            RowRule::ChannelGone => becomes(&ChannelState::ChannelGone),
            RowRule::GraphBroken => becomes(&ChannelState::Broken),
            RowRule::Deprecated => newly(&|path| path.head().is_some() && path.error.is_some()),
            RowRule::Stranded => is_stuck && (!old.is_empty() || old.head() == Some(self.installed)),
            RowRule::StillStranded => is_stuck && was_stuck,
            RowRule::Unstranded => !is_stuck && new.head().is_some() && (was_stuck || old.error.is_some()),
            RowRule::Downgrade => newly(&|path| path.goes_down(self.version, true)),
            RowRule::LowerByName => newly(&|path| path.goes_down(self.version, false)),
            RowRule::Loop => newly(&|path| path.repeats),
            RowRule::EndLower => self.compare_ends() == Some(Ordering::Less),
            RowRule::EndHigher => self.compare_ends() == Some(Ordering::Greater),
            RowRule::EndBehind => newly(&|path| self.is_behind(path)),
            RowRule::NextChanged => {
                let existed = |next: &BundleName| lists(self.before, next);
                old.next() != new.next() && old.next().is_some() && new.next().is_some_and(existed)
            }
            RowRule::JumpWidened => (self.jumps_a_minor)(),
            RowRule::ManualPending => {
                let is_gone = |next: &BundleName| !lists(self.after, next);
                old.next().is_some_and(is_gone) && new.next().is_some()
            }
            RowRule::PathLonger => self.has_same_end() && new.len > old.len,
            RowRule::PathShorter => self.has_same_end() && new.len < old.len,
        }
    }

    /// Whether nothing follows the version, although it is not the head.
    fn is_stuck(&self, path: &Path) -> bool {
        path.is_empty() && path.error.is_none() && path.head().is_some_and(|head| head != self.installed)
    }

    fn is_behind(&self, path: &Path) -> bool {
        path.head().is_some_and(|head| head != path.end(self.installed))
    }

    fn has_same_end(&self) -> bool {
        self.old.end(self.installed) == self.new.end(self.installed)
    }

    /// How the end compares to the one before, by version.
    fn compare_ends(&self) -> Option<Ordering> {
        Some(self.new.end_version(self.version)?.cmp(self.old.end_version(self.version)?))
    }
}
