//! The rules about changes, with their levels.

use crate::level::Level;

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
    pub const ALL: [Self; 20] = [
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
        Self::EntryNewlySkipped,
        Self::ChannelAdded,
        Self::DeprecationAdded,
        Self::RelatedImages,
        Self::HeadChanged,
    ];

    /// Its id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::OwnDuplicateGvk => "own-duplicate-gvk",
            Self::VersionChanged => "version-changed",
            Self::ProviderLost => "provider-lost",
            Self::EntryRemoved => "entry-removed",
            Self::HeadRollback => "head-rollback",
            Self::DefaultChannelChanged => "default-channel-changed",
            Self::ImageChanged => "image-changed",
            Self::ProvidesRemoved => "provides-removed",
            Self::RequiresAdded => "requires-added",
            Self::RangeNarrowed => "range-narrowed",
            Self::ProvidesDuplicate => "provides-duplicate",
            Self::DeprecatedProperty => "deprecated-property",
            Self::MaxOpenShiftLowered => "max-ocp-lowered",
            Self::MinKubeRaised => "min-kube-raised",
            Self::InstallModeDropped => "install-mode-dropped",
            Self::EntryNewlySkipped => "entry-newly-skipped",
            Self::ChannelAdded => "channel-added",
            Self::DeprecationAdded => "deprecation-added",
            Self::RelatedImages => "related-images",
            Self::HeadChanged => "head-changed",
        }
    }

    /// What it says, as a sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::OwnDuplicateGvk => "A bundle provides the same API twice, so that the resolver can never select it.",
            Self::VersionChanged => "A bundle has another version under the same name.",
            Self::ProviderLost => "What met a requirement can no longer be chosen, and nothing else meets it.",
            Self::EntryRemoved => "A channel no longer lists a version, and the clusters that have it are updated.",
            Self::HeadRollback => "The head of a channel is a version that was listed before, below the head.",
            Self::DefaultChannelChanged => "The package has another default channel.",
            Self::ImageChanged => "A bundle has another image under the same name.",
            Self::ProvidesRemoved => "The new head of a channel no longer provides an API.",
            Self::RequiresAdded => "The new head of a channel requires something that the old one did not.",
            Self::RangeNarrowed => {
                "The new head of a channel requires a package in a range without versions that were allowed."
            }
            Self::ProvidesDuplicate => "The new head of a channel provides an API that another package provides.",
            Self::DeprecatedProperty => "A bundle is forbidden by `olm.deprecated`, and those who have it are updated.",
            Self::MaxOpenShiftLowered => "The new head of a channel supports fewer versions of OpenShift.",
            Self::MinKubeRaised => "The new head of a channel needs a later version of Kubernetes.",
            Self::InstallModeDropped => "The new head of a channel no longer supports an install mode.",
            Self::EntryNewlySkipped => "An entry skips a version that none skipped.",
            Self::ChannelAdded => "A channel is new.",
            Self::DeprecationAdded => "`olm.deprecations` has a new entry.",
            Self::RelatedImages => "The new heads of the channels have related images that the old ones have not.",
            Self::HeadChanged => "The head of a channel is a new version.",
        }
    }

    /// Its level, unless the user chose another one.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::OwnDuplicateGvk | Self::VersionChanged | Self::ProviderLost => Level::Breaking,
            Self::EntryRemoved
            | Self::HeadRollback
            | Self::DefaultChannelChanged
            | Self::ImageChanged
            | Self::ProvidesRemoved
            | Self::RequiresAdded
            | Self::RangeNarrowed
            | Self::ProvidesDuplicate
            | Self::DeprecatedProperty
            | Self::MaxOpenShiftLowered
            | Self::MinKubeRaised
            | Self::InstallModeDropped => Level::Risky,
            Self::EntryNewlySkipped
            | Self::ChannelAdded
            | Self::DeprecationAdded
            | Self::RelatedImages
            | Self::HeadChanged => Level::Neutral,
        }
    }
}
