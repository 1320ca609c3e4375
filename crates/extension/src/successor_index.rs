//! The answers for many installed versions of one package: what [`resolve`](crate::resolve()) says of an extension with no
//! version range that follows the edges of a single catalog, of the newest OLM v1 with its defaults. It looks up what [`resolve`](crate::resolve()) finds by checking
//! every bundle: for all installed versions of a catalog of 35 packages this takes a twelfth of the time.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, Catalog, ChannelName, Entry, Package};
use go_semver::blang::{Range, Version, first_matches};

use crate::error::{InstalledVersionError, NoAnswer, ResolveError};
use crate::filter::Installed;
use crate::release::{BundleVersionError, VersionRelease, highest_first};
use crate::resolve::{deprecated_bundles, refused_properties};
use cluster::InstalledBundle;
use source::OlmV1;

/// The bundles of a package of a catalog, with their versions read, in OLM's order of preference.
#[derive(Clone, Debug)]
pub struct PackageBundles<'c> {
    name: PackageName,
    package: Option<&'c Package>,
    bundles: Vec<(&'c Bundle, Arc<Result<VersionRelease, BundleVersionError>>)>,
}

impl<'c> PackageBundles<'c> {
    /// Reads a package; one that the catalog does not have has no bundles.
    #[must_use]
    pub fn of(catalog: &'c Catalog, name: &PackageName) -> Self {
        Self::read(catalog.package(name.as_str()), name)
    }

    /// Reads a package.
    #[must_use]
    pub fn of_package(package: &'c Package) -> Self {
        Self::read(Some(package), &package.name)
    }

    fn read(package: Option<&'c Package>, name: &PackageName) -> Self {
        let mut bundles: Vec<_> = package
            .into_iter()
            .flat_map(|package| &package.bundles)
            .map(|bundle| (bundle, Arc::new(VersionRelease::of(bundle, OlmV1::default()))))
            .collect();
        let deprecated = package.map(deprecated_bundles).unwrap_or_default();
        let is_deprecated = |bundle: &Bundle| deprecated.contains(&bundle.name.value);
        bundles.sort_by_key(|(bundle, _)| bundle.span);
        bundles.sort_by(|(a, a_version), (b, b_version)| {
            is_deprecated(a).cmp(&is_deprecated(b)).then_with(|| highest_first(a_version, b_version))
        });
        Self { name: name.clone(), package, bundles }
    }

    /// The versions that can be read, ascending.
    #[must_use]
    pub fn versions(&self) -> Vec<&VersionRelease> {
        let mut versions: Vec<&VersionRelease> =
            self.bundles.iter().filter_map(|(_, version)| version.as_ref().as_ref().ok()).collect();
        versions.sort();
        versions
    }
}

/// The bundles of a package that an extension may get, prepared for many questions.
#[derive(Clone, Debug)]
pub struct SuccessorIndex<'c> {
    package: PackageName,
    channels: Vec<ChannelName>,
    /// In the order of preference, each with its entries in the selected channels.
    bundles: Vec<Candidate<'c>>,
    /// The first bundle that replaces or skips each name.
    named: BTreeMap<&'c BundleName, usize>,
    /// The bundles with a `skipRange`, in the order of preference.
    ranges: Vec<(usize, &'c Range)>,
    /// The bundles whose version can be read, by version and then in the order of preference.
    by_version: Vec<usize>,
    /// Whether a `skipRange` crashes blang for some installed versions: then every bundle is checked.
    may_panic: bool,
}

#[derive(Clone, Debug)]
struct Candidate<'c> {
    bundle: &'c Bundle,
    version: Arc<Result<VersionRelease, BundleVersionError>>,
    entries: Vec<&'c Entry>,
}

/// The version of an installed bundle, or why it cannot be read.
pub type ReadVersion<'r> = Result<Installed<'r>, InstalledVersionError>;

/// The answer for an installed bundle.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'c> {
    pub bundle: &'c Bundle,
    /// The position in the order of preference, which tells the bundles of one [`SuccessorIndex`] apart.
    pub position: usize,
    /// Whether it has the installed version and release, so that nothing is updated.
    pub is_installed_version: bool,
}

impl<'c> SuccessorIndex<'c> {
    /// Prepares a package for extensions that name these channels; none stands for all.
    #[must_use]
    pub fn of(package: &PackageBundles<'c>, channels: &[ChannelName]) -> Self {
        let mut entries: BTreeMap<&BundleName, Vec<&Entry>> = BTreeMap::new();
        let selected = |name: &ChannelName| channels.is_empty() || channels.contains(name);
        let all = package.package.into_iter().flat_map(|package| &package.channels);
        for entry in all.filter(|channel| selected(&channel.name.value)).flat_map(|channel| &channel.entries) {
            entries.entry(&entry.name.value).or_default().push(entry);
        }
        let candidate = |(bundle, version): &(&'c Bundle, Arc<Result<VersionRelease, BundleVersionError>>)| {
            let entries = entries.get(&bundle.name.value).cloned().unwrap_or_default();
            let is_left = channels.is_empty() || !entries.is_empty();
            is_left.then(|| Candidate { bundle, version: Arc::clone(version), entries })
        };
        let bundles: Vec<Candidate<'c>> = package.bundles.iter().filter_map(candidate).collect();
        let (mut named, mut ranges) = (BTreeMap::new(), Vec::new());
        for (at, candidate) in bundles.iter().enumerate() {
            for &entry in &candidate.entries {
                for name in entry.replaces.iter().chain(&entry.skips) {
                    named.entry(&name.value).or_insert(at);
                }
                let range = entry.skip_range.as_ref().and_then(|range| range.value.range.as_ref().ok());
                ranges.extend(range.map(|range| (at, range)));
            }
        }
        let may_panic = ranges.iter().any(|(_, range)| range.may_panic());
        let version = |at: &usize| bundles[*at].version.as_ref().as_ref().ok();
        let mut by_version: Vec<usize> = (0..bundles.len()).filter(|at| version(at).is_some()).collect();
        by_version.sort_by(|a, b| version(a).cmp(&version(b)));
        let channels = channels.to_vec();
        Self { package: package.name.clone(), channels, bundles, named, ranges, by_version, may_panic }
    }

    /// The bundle that follows the installed one, which may be that one itself.
    ///
    /// # Errors
    /// Why there is none, as [`resolve`](crate::resolve()) says it.
    pub fn next(&self, installed: &InstalledBundle) -> Result<Successor<'c>, ResolveError> {
        self.after(&Installed::read(installed, OlmV1::default()), installed)
    }

    /// As [`next`](Self::next), for an installed bundle whose version was read already, so that it is read once for several packages.
    ///
    /// # Errors
    /// As those of [`next`](Self::next).
    pub fn after(&self, read: &ReadVersion<'_>, installed: &InstalledBundle) -> Result<Successor<'c>, ResolveError> {
        let position = match read {
            _ if self.bundles.is_empty() => None,
            Err(error) => return Err(ResolveError::InstalledVersion(error.clone())),
            Ok(read) if self.may_panic => self.one_by_one(read)?,
            Ok(read) => {
                let best = self.named_or_same(read);
                let before = |at: usize| best.is_none_or(|best| at < best);
                let mut ranges = self.ranges.iter().take_while(|(at, _)| before(*at));
                let covering = ranges.find(|(_, range)| range.matches(&read.whole_version) == Ok(true));
                covering.map(|(at, _)| *at).or(best)
            }
        };
        self.answer(position, read, installed)
    }

    /// What follows each of many installed bundles.
    #[must_use]
    pub fn after_each(
        &self,
        installed: &[(ReadVersion<'_>, &InstalledBundle)],
    ) -> Vec<Result<Successor<'c>, ResolveError>> {
        if self.may_panic || self.bundles.is_empty() {
            return installed.iter().map(|(read, installed)| self.after(read, installed)).collect();
        }
        let versions: Vec<&Version> =
            installed.iter().filter_map(|(read, _)| Some(&read.as_ref().ok()?.whole_version)).collect();
        let mut covering = first_matches(self.ranges.iter().map(|(_, range)| *range), &versions).into_iter();
        let answer = |(read, installed): &(ReadVersion<'_>, &InstalledBundle)| {
            let known = read.as_ref().map_err(|error| ResolveError::InstalledVersion(error.clone()))?;
            let covering = covering.next().flatten().map(|range| self.ranges[range].0);
            self.answer(covering.into_iter().chain(self.named_or_same(known)).min(), read, installed)
        };
        installed.iter().map(answer).collect()
    }

    /// The bundles that may follow, in the order of preference: by position.
    pub fn bundles(&self) -> impl Iterator<Item = &'c Bundle> {
        self.bundles.iter().map(|candidate| candidate.bundle)
    }

    /// The answer if the best bundle is at this position.
    fn answer(
        &self,
        position: Option<usize>,
        read: &ReadVersion<'_>,
        installed: &InstalledBundle,
    ) -> Result<Successor<'c>, ResolveError> {
        let Some(position) = position else {
            return Err(ResolveError::NoAnswer(NoAnswer {
                package: self.package.clone(),
                range: "".into(),
                channels: self.channels.clone(),
                installed_version: Some(installed.version.clone()),
                catalogs: Vec::new(),
            }));
        };
        let Candidate { bundle, version, .. } = &self.bundles[position];
        let name = || bundle.name.value.clone();
        let version = version.as_ref().as_ref();
        let version = version.map_err(|error| ResolveError::BundleVersion { bundle: name(), error: error.clone() })?;
        match refused_properties(bundle).next() {
            Some(property) => Err(ResolveError::Dependency { bundle: name(), property: property.into() }),
            None => {
                let is_installed_version = read.as_ref().is_ok_and(|read| *version == read.version);
                Ok(Successor { bundle, position, is_installed_version })
            }
        }
    }

    /// The first bundle that names the installed one or has its version.
    fn named_or_same(&self, read: &Installed<'_>) -> Option<usize> {
        let version = |at: usize| self.bundles[at].version.as_ref().as_ref().ok();
        let same = self.by_version.partition_point(|&at| version(at) < Some(&read.version));
        let same = self.by_version.get(same).copied().filter(|&at| version(at) == Some(&read.version));
        same.into_iter().chain(self.named.get(read.name).copied()).min()
    }

    /// What follows where a `skipRange` may crash blang: every bundle is checked, as OLM does.
    fn one_by_one(&self, read: &Installed<'_>) -> Result<Option<usize>, ResolveError> {
        let mut best = None;
        for (position, candidate) in self.bundles.iter().enumerate() {
            let mut follows = false;
            for entry in &candidate.entries {
                follows = follows || read.is_followed_by(entry).map_err(|_| ResolveError::SkipRangePanic)?;
            }
            if follows || candidate.version.as_ref().as_ref().is_ok_and(|version| *version == read.version) {
                best = best.or(Some(position));
            }
        }
        Ok(best)
    }

    /// The bundle with the highest version, whether deprecated or not.
    #[must_use]
    pub fn highest(&self) -> Option<&'c Bundle> {
        let highest = self.bundles.iter().min_by(|a, b| highest_first(&a.version, &b.version));
        highest.map(|candidate| candidate.bundle)
    }
}
