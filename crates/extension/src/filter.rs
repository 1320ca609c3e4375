//! Which bundles of a catalog an extension may have: channels, version range and update edges (operator-controller
//! `internal/operator-controller/catalogmetadata/filter`).

use std::collections::BTreeMap;
use std::fmt;

use catalog::{Bundle, BundleName, Channel, Entry, Package};
use cluster::{CatalogName, ClusterExtension, InstalledBundle, UpgradeConstraintPolicy};
use go_semver::blang::{RangePanic, Version};
use go_semver::masterminds::Constraints;
use source::{OlmV1, joined};

use crate::error::{InstalledVersionError, ResolveError};
use crate::release::{BundleVersionError, VersionRelease};

/// The rules that drop bundles of one catalog, before bundles are compared with each other.
pub(crate) struct Filter<'a> {
    /// The entries of the selected channels, in the order of the text. Edges of other channels do not count.
    entries: BTreeMap<&'a BundleName, Vec<&'a Entry>>,
    has_channels: bool,
    range: Option<&'a Constraints>,
    installed: Option<Installed<'a>>,
}

impl<'a> Filter<'a> {
    /// The rules for a package.
    ///
    /// # Errors
    /// When updates must follow edges, and the installed version cannot be read.
    pub(crate) fn new(
        extension: &'a ClusterExtension,
        range: Option<&'a Constraints>,
        package: &'a Package,
    ) -> Result<Self, ResolveError> {
        let has_channels = !extension.channels.is_empty();
        let is_selected = |channel: &&Channel| !has_channels || extension.channels.contains(&channel.name.value);
        let mut channels: Vec<&Channel> = package.channels.iter().filter(is_selected).collect();
        channels.sort_by_key(|channel| channel.span);
        let mut entries: BTreeMap<&BundleName, Vec<&Entry>> = BTreeMap::new();
        for entry in channels.into_iter().flat_map(|channel| &channel.entries) {
            entries.entry(&entry.name.value).or_default().push(entry);
        }
        let follows_edges = extension.policy == UpgradeConstraintPolicy::CatalogProvided;
        let installed = extension.installed.as_ref().filter(|_| follows_edges);
        let installed = installed.map(|installed| Installed::read(installed, extension.olm)).transpose();
        let installed = installed.map_err(ResolveError::InstalledVersion)?;
        Ok(Self { entries, has_channels, range, installed })
    }

    /// The rule that drops the bundle, if any does.
    ///
    /// # Errors
    /// When a `skipRange` crashes blang.
    pub(crate) fn check(
        &self,
        bundle: &Bundle,
        version: &Result<VersionRelease, BundleVersionError>,
    ) -> Result<Option<DropReason>, RangePanic> {
        let entries = self.entries.get(&bundle.name.value).map_or(&[][..], Vec::as_slice);
        if self.has_channels && entries.is_empty() {
            return Ok(Some(DropReason::NotInChannels));
        }
        if let Some(range) = self.range {
            let Ok(version) = version else { return Ok(Some(DropReason::UnreadableVersion)) };
            if !range.matches(&version.version) {
                let is_prerelease = range.leaves_out_prerelease(&version.version);
                return Ok(Some(DropReason::OutsideRange { is_prerelease }));
            }
        }
        let Some(installed) = &self.installed else { return Ok(None) };
        for entry in entries {
            if installed.is_followed_by(entry)? {
                return Ok(None);
            }
        }
        // The name does not matter: another bundle with the installed version counts as the installed one.
        let is_same = version.as_ref().is_ok_and(|version| *version == installed.version);
        Ok((!is_same).then_some(DropReason::NotASuccessor))
    }
}

/// The installed bundle, as update edges name it, with its version read.
#[derive(Clone, Debug)]
pub struct Installed<'a> {
    pub(crate) name: &'a BundleName,
    pub(crate) version: VersionRelease,
    /// The version with its build metadata, which is compared with a `skipRange`.
    pub(crate) whole_version: Version,
}

impl<'a> Installed<'a> {
    /// Reads the version of an installed bundle.
    ///
    /// # Errors
    /// When blang does not accept it.
    pub fn read(bundle: &'a InstalledBundle, olm: OlmV1) -> Result<Self, InstalledVersionError> {
        let version = VersionRelease::of_installed(bundle, olm)?;
        let whole_version = Version::parse(&bundle.version).map_err(InstalledVersionError::Version)?;
        Ok(Self { name: &bundle.name, version, whole_version })
    }

    /// Whether the entry replaces or skips the installed bundle. A `skipRange` that blang rejects covers nothing.
    pub(crate) fn is_followed_by(&self, entry: &Entry) -> Result<bool, RangePanic> {
        let is_named = entry.replaces.iter().chain(&entry.skips).any(|name| name.value == *self.name);
        match entry.skip_range.as_ref().map(|range| &range.value.range) {
            _ if is_named => Ok(true),
            Some(Ok(range)) => range.matches(&self.whole_version),
            Some(Err(_)) | None => Ok(false),
        }
    }
}

// The catalogs that a resolution does not look into.

/// More catalogs than this are counted and not named.
const NAMED: usize = 3;

/// Why the resolution looked at no bundle of a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The selector of the extension does not select the catalog.
    NotSelected,
    /// The catalog is in availability mode `Unavailable`.
    Unavailable,
    NoPackage,
}

impl SkipReason {
    const ALL: [Self; 3] = [Self::NotSelected, Self::Unavailable, Self::NoPackage];

    /// What is said of several catalogs.
    fn of_many(self) -> &'static str {
        match self {
            Self::NotSelected => "not selected by the extension",
            Self::Unavailable => "their availability mode is `Unavailable`",
            Self::NoPackage => "they do not have the package",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSelected => "not selected by the extension",
            Self::Unavailable => "its availability mode is `Unavailable`",
            Self::NoPackage => "does not have the package",
        })
    }
}

/// A sentence for each reason: a cluster may have dozens of catalogs without the package.
#[must_use]
pub fn skipped_sentences(skipped: &[(CatalogName, SkipReason)]) -> Vec<String> {
    let of_reason = |reason: SkipReason| {
        let names: Vec<String> =
            skipped.iter().filter(|(_, why)| *why == reason).map(|(name, _)| format!("`{name}`")).collect();
        match &*names {
            [] => None,
            [name] => Some(format!("catalog {name} does not count: {reason}")),
            _ => Some(format!("catalogs {} do not count: {}", joined(&names, NAMED, "and"), reason.of_many())),
        }
    };
    SkipReason::ALL.into_iter().filter_map(of_reason).collect()
}

// The explanation of a resolution: every bundle of the package, with the rule that dropped it.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogs_with_the_same_reason_share_a_sentence() {
        let without = |names: &[&str]| -> Vec<(CatalogName, SkipReason)> {
            names.iter().map(|name| ((*name).into(), SkipReason::NoPackage)).collect()
        };
        let mut skipped = without(&["a", "b", "c", "d", "e"]);
        skipped.insert(2, ("off".into(), SkipReason::Unavailable));
        assert_eq!(
            skipped_sentences(&skipped),
            [
                "catalog `off` does not count: its availability mode is `Unavailable`",
                "catalogs `a`, `b`, `c` and 2 more do not count: they do not have the package",
            ]
        );
        assert_eq!(
            skipped_sentences(&without(&["a", "b", "c"])),
            ["catalogs `a`, `b` and `c` do not count: they do not have the package"]
        );
        assert!(skipped_sentences(&[]).is_empty());
    }
}
