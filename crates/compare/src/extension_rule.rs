//! The rules about installed versions under OLM v1.

use crate::level::Level;
use crate::rule::ComparisonRule;

/// A rule about a row, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExtensionRule {
    /// The resolution fails.
    Error,
    /// Several catalogs of the same priority have a bundle.
    Ambiguous,
    /// The next bundle has a dependency.
    Dependency,
    /// The next version is lower.
    Downgrade,
    /// The updates end at a lower version than before.
    EndLower,
    /// The updates no longer reach the highest version.
    EndBehind,
    /// The next update is another one, to a bundle that was there before.
    NextChanged,
    /// The next update leaves out a version in between, and crosses a minor or major version that it did not cross.
    JumpWidened,
    /// The bundle has another image.
    ImageSwap,
    /// No bundle has the version any more.
    PinLost,
    /// An edge leads to a lower version, which OLM v0 follows.
    SuccessorLower,
}

impl ExtensionRule {
    /// All rules, the worst first.
    pub const ALL: [Self; 11] = [
        Self::Error,
        Self::Ambiguous,
        Self::Dependency,
        Self::Downgrade,
        Self::EndLower,
        Self::EndBehind,
        Self::NextChanged,
        Self::JumpWidened,
        Self::ImageSwap,
        Self::PinLost,
        Self::SuccessorLower,
    ];

    /// Its texts and its level.
    #[must_use]
    pub const fn rule(self) -> ComparisonRule {
        match self {
            Self::Error => ComparisonRule {
                id: "v1-error",
                level: Level::Breaking,
                about: "OLM v1 finds no bundle for the version any more.",
                effect: "The extension keeps running what it has, gets no updates, and its condition `Progressing` says `Retrying` with the error.",
            },
            Self::Ambiguous => ComparisonRule {
                id: "v1-ambiguous",
                level: Level::Breaking,
                about: "Another catalog of the same priority has a bundle too, so OLM v1 chooses none.",
                effect: "The extension keeps running what it has, gets no updates, and its condition `Progressing` says `Retrying` with the error. A `priority` of one ClusterCatalog, or a `selector` in the extension, decides.",
            },
            Self::Dependency => ComparisonRule {
                id: "v1-dependency",
                level: Level::Breaking,
                about: "The next bundle has a dependency, which OLM v1 refuses.",
                effect: "OLM v1 takes no lower bundle instead: every extension that could be updated gets the error.",
            },
            Self::Downgrade => ComparisonRule {
                id: "v1-downgrade",
                level: Level::Breaking,
                about: "OLM v1 goes to a lower version.",
                effect: "The installed bundle is deprecated, and OLM v1 prefers a bundle that is not, even a lower one. The operator is downgraded.",
            },
            Self::EndLower => ComparisonRule {
                id: "v1-end-lower",
                level: Level::Risky,
                about: "The updates of OLM v1 end at a lower version than before.",
                effect: "Extensions that have already passed the new end are rows of their own.",
            },
            Self::EndBehind => ComparisonRule {
                id: "v1-end-behind",
                level: Level::Risky,
                about: "The updates of OLM v1 no longer reach the highest version.",
                effect: "Extensions stop short of it, without a condition that says so.",
            },
            Self::NextChanged => ComparisonRule {
                id: "v1-next-changed",
                level: Level::Risky,
                about: "The next update of OLM v1 is another one, to a bundle that was there before.",
                effect: "The change is retroactive: extensions that are on their way take another one.",
            },
            Self::JumpWidened => ComparisonRule {
                id: "v1-jump-widened",
                level: Level::Risky,
                about: "The next update of OLM v1 leaves out a version in between, and crosses a minor or major version that it did not cross.",
                effect: "Migrations of the versions in between do not run.",
            },
            Self::ImageSwap => ComparisonRule {
                id: "v1-image-swap",
                level: Level::Risky,
                about: "The bundle of the same version has another image, which OLM v1 applies in place.",
                effect: "OLM v1 pulls the image of the catalog at every reconciliation, so that running extensions change without a new version. OLM v0 never notices.",
            },
            Self::PinLost => ComparisonRule {
                id: "v1-pin-lost",
                level: Level::Risky,
                about: "No bundle has the version any more.",
                effect: "Extensions whose `version` names exactly this version fail.",
            },
            Self::SuccessorLower => ComparisonRule {
                id: "v1-successor-lower",
                level: Level::Risky,
                about: "An edge leads to a lower version, which OLM v0 follows and OLM v1 does not.",
                effect: "OLM v1 takes the highest version, which is the installed one. Extensions never get the release.",
            },
        }
    }
}
