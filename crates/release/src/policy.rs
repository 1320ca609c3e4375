//! How a new version is to be reached in a channel.

/// A way to release a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// The new version replaces the head.
    ReplaceHead,
    /// It replaces the head, and older versions of the minor update to it directly.
    DirectJumps,
    /// It takes the place of a head that nobody is to be updated to.
    WithdrawHead,
    /// The newest version of a minor: all others of the minor update to it directly.
    ZStream,
    /// The first version of a minor, with a channel of its own.
    NewMinor,
    /// A version below the head, on the way to the next one.
    Hotfix,
    /// A version below the head, which the next one skips.
    SkippedHotfix,
    PreRelease,
    /// The version that pre-releases led to.
    Final,
    /// A version of another channel.
    Promote,
    /// A version that is there, built again.
    Rebuild,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 11] = [
        Self::ReplaceHead,
        Self::DirectJumps,
        Self::WithdrawHead,
        Self::ZStream,
        Self::NewMinor,
        Self::Hotfix,
        Self::SkippedHotfix,
        Self::PreRelease,
        Self::Final,
        Self::Promote,
        Self::Rebuild,
    ];

    /// Its id in arguments and answers.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::ReplaceHead => "replace-head",
            Self::DirectJumps => "direct-jumps",
            Self::WithdrawHead => "withdraw-head",
            Self::ZStream => "z-stream",
            Self::NewMinor => "new-minor",
            Self::Hotfix => "hotfix",
            Self::SkippedHotfix => "skipped-hotfix",
            Self::PreRelease => "pre-release",
            Self::Final => "final",
            Self::Promote => "promote",
            Self::Rebuild => "rebuild",
        }
    }

    /// What it means, as a sentence without its full stop.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::ReplaceHead => "the new version replaces the head of the channel",
            Self::DirectJumps => "replace the head, and let older versions of its minor update directly",
            Self::WithdrawHead => "take the place of the head, which nobody is updated to any more",
            Self::ZStream => "replace the newest version, and let all of this minor update directly",
            Self::NewMinor => "open a channel for a new minor; channels that are there get the version as their head",
            Self::Hotfix => "put the version below the head, as a step on the way to the next version",
            Self::SkippedHotfix => "put the version below the head, and let the next version skip it",
            Self::PreRelease => "a pre-release replaces the head of the channel",
            Self::Final => "replace the head, and take over who has a pre-release of this version",
            Self::Promote => "add a version of another channel to this one",
            Self::Rebuild => "put a new build of the same version in its place (`olm.template.substitutes`)",
        }
    }
}
