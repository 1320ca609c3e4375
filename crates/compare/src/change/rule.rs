//! The rules about changes, with their levels.

use crate::level::Level;
use crate::rule::ComparisonRule;
use crate::verdict::RowRule;

/// A rule about a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeRule {
    /// A bundle provides the same API twice, so that the resolver can never select it.
    OwnDuplicateGvk,
    /// A bundle has another version under the same name.
    VersionChanged,
    /// What met a requirement can no longer be chosen, and nothing else meets it.
    ProviderLost,
    /// A channel no longer lists a version, and the clusters that have it are updated.
    EntryRemoved,
    /// The head of a channel is a version that was listed before, below the head.
    HeadRollback,
    /// The package has another default channel.
    DefaultChannelChanged,
    /// A bundle has another image under the same name.
    ImageChanged,
    /// The new head of a channel no longer provides an API.
    ProvidesRemoved,
    /// The new head of a channel requires something that the old one did not.
    RequiresAdded,
    /// The new head of a channel requires a package in a range without versions that were allowed.
    RangeNarrowed,
    /// The new head of a channel provides an API that another package provides.
    ProvidesDuplicate,
    /// A bundle is forbidden by `olm.deprecated`, and those who have it are updated.
    DeprecatedProperty,
    /// The new head of a channel supports fewer versions of OpenShift.
    MaxOpenShiftLowered,
    /// The new head of a channel needs a later version of Kubernetes.
    MinKubeRaised,
    /// The new head of a channel no longer supports an install mode.
    InstallModeDropped,
    /// A new channel has a name that extensions of OLM v1 cannot name.
    ChannelName,
    /// An entry skips a version that none skipped.
    EntryNewlySkipped,
    /// A channel is new.
    ChannelAdded,
    /// `olm.deprecations` has a new entry.
    DeprecationAdded,
    /// The new heads of the channels have related images that the old ones have not.
    RelatedImages,
    /// The head of a channel is a new version.
    HeadChanged,
}

impl ChangeRule {
    /// All rules, the worst first.
    pub const ALL: [Self; 21] = [
        Self::OwnDuplicateGvk,
        Self::VersionChanged,
        Self::ProviderLost,
        Self::EntryRemoved,
        Self::HeadRollback,
        Self::DefaultChannelChanged,
        Self::ImageChanged,
        Self::ProvidesRemoved,
        Self::RequiresAdded,
        Self::RangeNarrowed,
        Self::ProvidesDuplicate,
        Self::DeprecatedProperty,
        Self::MaxOpenShiftLowered,
        Self::MinKubeRaised,
        Self::InstallModeDropped,
        Self::ChannelName,
        Self::EntryNewlySkipped,
        Self::ChannelAdded,
        Self::DeprecationAdded,
        Self::RelatedImages,
        Self::HeadChanged,
    ];

    /// Its texts and its level.
    #[must_use]
    pub const fn rule(self) -> ComparisonRule {
        match self {
            Self::OwnDuplicateGvk => ComparisonRule {
                id: "own-duplicate-gvk",
                level: Level::Breaking,
                about: "A bundle provides the same API twice, so that the resolver can never select it.",
                effect: "OLM counts each API that a bundle provides and allows one provider in a namespace, also within one bundle. Remove the repeated `olm.gvk`.",
            },
            Self::VersionChanged => ComparisonRule {
                id: "version-changed",
                level: Level::Breaking,
                about: "A bundle has another version under the same name.",
                effect: "Clusters that have the bundle keep the old version. skipRanges and version ranges then see another version than the catalog says.",
            },
            Self::ProviderLost => ComparisonRule {
                id: "provider-lost",
                level: Level::Breaking,
                about: "What met a requirement can no longer be chosen, and nothing else meets it.",
                effect: "An entry that another one skips can be updated from, but never be installed as a dependency. Who requires it can neither be installed nor be updated.",
            },
            Self::EntryRemoved => ComparisonRule {
                id: "entry-removed",
                level: Level::Risky,
                about: "A channel no longer lists a version, and the clusters that have it are updated.",
                effect: "They are updated at once. The version can no longer be named as `startingCSV`, and OLM cannot fall back to it.",
            },
            Self::HeadRollback => ComparisonRule {
                id: "head-rollback",
                level: Level::Risky,
                about: "The head of a channel is a version that was listed before, below the head.",
                effect: "New installations get the older version. Clusters that have the withdrawn one are rows of their own: they are stuck or downgraded.",
            },
            Self::DefaultChannelChanged => ComparisonRule {
                id: "default-channel-changed",
                level: Level::Risky,
                about: "The package has another default channel.",
                effect: "New installations from the console take it, and so do Subscriptions without a channel, which may move to it. OLM prefers it for dependencies. Subscriptions with a channel do not change.",
            },
            Self::ImageChanged => ComparisonRule {
                id: "image-changed",
                level: Level::Risky,
                about: "A bundle has another image under the same name.",
                effect: "With OLM v0, clusters that have the bundle never get the new image, and those that install it from now on do: the same version is not the same everywhere. OLM v1 applies the new image in place. Release a new version instead.",
            },
            Self::ProvidesRemoved => ComparisonRule {
                id: "provides-removed",
                level: Level::Risky,
                about: "The new head of a channel no longer provides an API.",
                effect: "Custom resources of this API stay on the clusters, and nothing serves them any more.",
            },
            Self::RequiresAdded => ComparisonRule {
                id: "requires-added",
                level: Level::Risky,
                about: "The new head of a channel requires something that the old one did not.",
                effect: "OLM installs one more operator for it. If nothing meets the requirement, clusters stay at an older version, and nothing says so.",
            },
            Self::RangeNarrowed => ComparisonRule {
                id: "range-narrowed",
                level: Level::Risky,
                about: "The new head of a channel requires a package in a range without versions that were allowed.",
                effect: "Where such a version is installed, the update waits until that operator was updated, too.",
            },
            Self::ProvidesDuplicate => ComparisonRule {
                id: "provides-duplicate",
                level: Level::Risky,
                about: "The new head of a channel provides an API that another package provides.",
                effect: "OLM allows one provider of an API in a namespace: both packages can no longer be installed together.",
            },
            // The text is about both, and a row that nothing follows is worse.
            Self::DeprecatedProperty => ComparisonRule {
                level: Level::Risky,
                about: "A bundle is forbidden by `olm.deprecated`, and those who have it are updated.",
                ..RowRule::Deprecated.rule()
            },
            Self::MaxOpenShiftLowered => ComparisonRule {
                id: "max-ocp-lowered",
                level: Level::Risky,
                about: "The new head of a channel supports fewer versions of OpenShift.",
                effect: "`olm.maxOpenShiftVersion` makes the cluster report `Upgradeable=False` until the operator is updated.",
            },
            Self::MinKubeRaised => ComparisonRule {
                id: "min-kube-raised",
                level: Level::Risky,
                about: "The new head of a channel needs a later version of Kubernetes.",
                effect: "The resolver does not look at `minKubeVersion`. On older clusters the new CSV stays Pending, and the update hangs.",
            },
            Self::InstallModeDropped => ComparisonRule {
                id: "install-mode-dropped",
                level: Level::Risky,
                about: "The new head of a channel no longer supports an install mode.",
                effect: "In namespaces whose OperatorGroup needs this mode, the new CSV fails with `UnsupportedOperatorGroup`.",
            },
            Self::ChannelName => ComparisonRule {
                id: "v1-channel-name",
                level: Level::Risky,
                about: "A new channel has a name that no extension of OLM v1 can select.",
                effect: "`channels` of a ClusterExtension takes DNS subdomains by RFC 1123 only, and the API server rejects others: `channels entries must be valid DNS1123 subdomains`. Extensions that name no channels get its bundles, too.",
            },
            Self::EntryNewlySkipped => ComparisonRule {
                id: "entry-newly-skipped",
                level: Level::Neutral,
                about: "An entry skips a version that none skipped.",
                effect: "Clusters that have the skipped version are updated. It can still be named as `startingCSV`; otherwise OLM no longer installs it.",
            },
            Self::ChannelAdded => ComparisonRule {
                id: "channel-added",
                level: Level::Neutral,
                about: "A channel is new.",
                effect: "Nobody gets it who does not ask for it. It is risky if only this channel has the newest version and those who follow a channel that had the newest one so far miss it.",
            },
            Self::DeprecationAdded => ComparisonRule {
                id: "deprecation-added",
                level: Level::Neutral,
                about: "`olm.deprecations` has a new entry.",
                effect: "Subscriptions to what is deprecated show its message as a condition. OLM v0 resolves as before.",
            },
            Self::RelatedImages => ComparisonRule {
                id: "related-images",
                level: Level::Neutral,
                about: "The new heads of the channels have related images that the old ones have not.",
                effect: "Mirrors of disconnected clusters need these images.",
            },
            Self::HeadChanged => ComparisonRule {
                id: "head-changed",
                level: Level::Neutral,
                about: "The head of a channel is a new version.",
                effect: "This is the normal release.",
            },
        }
    }

    /// Its id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.rule().id
    }

    /// Whether it matters to extensions of OLM v1 alone.
    #[must_use]
    pub const fn is_about_v1(self) -> bool {
        matches!(self, Self::ChannelName)
    }

    /// Its level, unless the user chose another one.
    #[must_use]
    pub const fn level(self) -> Level {
        self.rule().level
    }
}
