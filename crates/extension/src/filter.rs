//! Which bundles of a catalog an extension may have: channels, version range and update edges (operator-controller
//! `internal/operator-controller/catalogmetadata/filter`).

use std::collections::BTreeMap;

use catalog::{Bundle, BundleName, Channel, Entry, Package};
use go_semver::{
    blang::{RangePanic, Version},
    masterminds::Constraints,
};

use crate::candidate::DropReason;
use crate::error::{InstalledVersionError, ResolveError};
use crate::release::{BundleVersionError, VersionRelease};
use cluster::{ClusterExtension, InstalledBundle, UpgradeConstraintPolicy};
use source::OlmV1;

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
