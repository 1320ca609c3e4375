//! The explanation of a resolution: every bundle of the package, with the rule that dropped it.

use std::fmt;

use catalog::BundleName;

use crate::release::VersionRelease;
use cluster::CatalogName;

/// A bundle of the package in a catalog that the resolution looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub catalog: CatalogName,
    pub bundle: BundleName,
    /// Absent if it cannot be read.
    pub version: Option<VersionRelease>,
    /// Whether its catalog deprecates it.
    pub is_deprecated: bool,
    /// What became of it.
    pub verdict: Verdict,
}

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Chosen,
    /// Not the answer, because of this rule.
    Dropped(DropReason),
}

/// The rule that dropped a candidate, in the order in which the rules apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// No selected channel lists it.
    NotInChannels,
    /// There is a version range, and its version cannot be read.
    UnreadableVersion,
    OutsideRange {
        /// Whether only because the range has no prerelease, and the version is one.
        is_prerelease: bool,
    },
    /// Neither the installed version nor one that an update edge leads to in the selected channels.
    NotASuccessor,
    /// Deprecated, and another bundle of the catalog is not.
    Deprecated { preferred: BundleName },
    /// Another bundle of the catalog has a higher version, or an equal one and comes first.
    LowerVersion { preferred: BundleName },
    /// Deprecated, and the candidate of another catalog is not.
    DeprecatedInCatalog {
        /// A catalog with a candidate that is not deprecated.
        preferred: CatalogName,
    },
    /// The catalog of another candidate has a higher priority.
    LowerPriority { preferred: CatalogName },
    /// The catalog has the highest priority, and so have other catalogs with candidates.
    Ambiguous,
    /// The version cannot be read, so that it cannot be installed.
    NoVersion,
    /// Chosen and then refused because of a dependency.
    Refused { property: Box<str> },
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInChannels => f.write_str("in none of the selected channels"),
            Self::UnreadableVersion => f.write_str("its version cannot be compared with the range"),
            Self::OutsideRange { is_prerelease: false } => f.write_str("outside the version range"),
            Self::OutsideRange { is_prerelease: true } => f.write_str("a prerelease, and the version range has none"),
            Self::NotASuccessor => f.write_str("no update edge from the installed bundle"),
            Self::Deprecated { preferred } => write!(f, "deprecated, and `{preferred}` is not"),
            Self::LowerVersion { preferred } => write!(f, "not as high as `{preferred}`"),
            Self::DeprecatedInCatalog { preferred } => {
                write!(f, "deprecated, and catalog `{preferred}` has a bundle that is not")
            }
            Self::LowerPriority { preferred } => write!(f, "catalog `{preferred}` has a higher priority"),
            Self::Ambiguous => f.write_str("several catalogs of the same priority have a bundle"),
            Self::NoVersion => f.write_str("its version cannot be read"),
            Self::Refused { property } => write!(f, "OLM v1 refuses its property `{property}`"),
        }
    }
}
