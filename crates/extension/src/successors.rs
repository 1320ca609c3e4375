//! The answers for many installed versions of one package: what [`resolve`](crate::resolve()) says of an extension with no
//! version range that follows the edges of a single catalog.

use std::collections::BTreeMap;

use blang_semver::Range;
use catalog::{Bundle, BundleName, Catalog, ChannelName, Entry};
use predicate::PackageName;

use crate::error::{NoAnswer, ResolveError};
use crate::filter::Installed;
use crate::objects::InstalledBundle;
use crate::release::{BundleVersionError, VersionRelease, highest_first};
use crate::resolve::{deprecated_bundles, refused_properties};

/// The bundles of a package that an extension may get, prepared for many questions.
#[derive(Clone, Debug)]
pub struct Successors<'c> {
    package: PackageName,
    channels: Vec<ChannelName>,
    /// In the order of preference, each with its entries in the selected channels.
    bundles: Vec<Candidate<'c>>,
    /// Whether a `skipRange` crashes blang for some installed versions: then all of them are asked.
    may_panic: bool,
}

#[derive(Clone, Debug)]
struct Candidate<'c> {
    bundle: &'c Bundle,
    version: Result<VersionRelease, BundleVersionError>,
    entries: Vec<&'c Entry>,
}

impl<'c> Successors<'c> {
    /// Prepares a package for extensions that name these channels; none stands for all.
    #[must_use]
    pub fn of(catalog: &'c Catalog, package: &PackageName, channels: &[ChannelName]) -> Self {
        let mut bundles = Vec::new();
        if let Some(found) = catalog.package(package.as_str()) {
            let mut entries: BTreeMap<&BundleName, Vec<&Entry>> = BTreeMap::new();
            let selected = |name: &ChannelName| channels.is_empty() || channels.contains(name);
            for channel in found.channels.iter().filter(|channel| selected(&channel.name.value)) {
                for entry in &channel.entries {
                    entries.entry(&entry.name.value).or_default().push(entry);
                }
            }
            let candidate = |bundle: &'c Bundle| {
                let entries = entries.remove(&bundle.name.value).unwrap_or_default();
                let is_left = channels.is_empty() || !entries.is_empty();
                is_left.then(|| Candidate { bundle, version: VersionRelease::of(bundle), entries })
            };
            let mut sorted: Vec<&Bundle> = found.bundles.iter().collect();
            sorted.sort_by_key(|bundle| bundle.span);
            bundles = sorted.into_iter().filter_map(candidate).collect();
            let deprecated = deprecated_bundles(found);
            let is_deprecated = |candidate: &Candidate<'_>| deprecated.contains(&candidate.bundle.name.value);
            bundles.sort_by(|a, b| {
                is_deprecated(a).cmp(&is_deprecated(b)).then_with(|| highest_first(&a.version, &b.version))
            });
        }
        let may_panic = bundles.iter().flat_map(|candidate| &candidate.entries).any(|entry| {
            entry.skip_range.as_ref().is_some_and(|range| range.value.range.as_ref().is_ok_and(Range::may_panic))
        });
        Self { package: package.clone(), channels: channels.to_vec(), bundles, may_panic }
    }

    /// The bundle that follows the installed one, which may be that one itself.
    ///
    /// # Errors
    /// Why there is none, as [`resolve`](crate::resolve()) says it.
    pub fn next(&self, installed: &InstalledBundle) -> Result<&'c Bundle, ResolveError> {
        let mut best: Option<&Candidate<'c>> = None;
        if !self.bundles.is_empty() {
            let read = Installed::read(installed).map_err(ResolveError::InstalledVersion)?;
            for candidate in &self.bundles {
                let mut follows = false;
                for entry in &candidate.entries {
                    follows = follows || read.is_followed_by(entry).map_err(|_| ResolveError::SkipRangePanic)?;
                }
                if follows || candidate.version.as_ref().is_ok_and(|version| *version == read.version) {
                    best = best.or(Some(candidate));
                    if !self.may_panic {
                        break;
                    }
                }
            }
        }
        let Some(Candidate { bundle, version, .. }) = best else {
            return Err(ResolveError::NoAnswer(NoAnswer {
                package: self.package.clone(),
                range: "".into(),
                channels: self.channels.clone(),
                installed_version: Some(installed.version.clone()),
                catalogs: Vec::new(),
            }));
        };
        let name = bundle.name.value.clone();
        if let Err(error) = version {
            return Err(ResolveError::BundleVersion { bundle: name, error: error.clone() });
        }
        match refused_properties(bundle).next() {
            Some(property) => Err(ResolveError::Dependency { bundle: name, property: property.into() }),
            None => Ok(bundle),
        }
    }

    /// The bundle with the highest version, whether deprecated or not.
    #[must_use]
    pub fn highest(&self) -> Option<&'c Bundle> {
        let highest = self.bundles.iter().min_by(|a, b| highest_first(&a.version, &b.version));
        highest.map(|candidate| candidate.bundle)
    }
}
