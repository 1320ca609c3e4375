//! The resolution of one extension (operator-controller `internal/operator-controller/resolve/catalog.go`).
//!
//! Each catalog gives one candidate; then deprecation, and after it priority, decide between the catalogs. Only the winner
//! is checked for what OLM v1 refuses, and no other bundle takes its place.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use catalog::{Bundle, BundleName, Catalog, Deprecation, DeprecationTarget, Package};
use cluster::{Availability, CatalogName, ClusterCatalog, ClusterExtension};
use go_semver::blang::Version;
use go_semver::masterminds::Constraints;

use crate::error::{NoAnswer, ResolveError};
use crate::filter::{Candidate, DropReason, Filter, SkipReason, Verdict};
use crate::release::{BundleVersionError, Release, VersionRelease, highest_first};

/// The types of the properties that OLM v1 refuses in a bundle.
const DEPENDENCIES: [&str; 3] = ["olm.package.required", "olm.gvk.required", "olm.constraint"];

/// A ClusterCatalog with what it serves.
#[derive(Clone, Copy, Debug)]
pub struct CatalogState<'c> {
    pub object: &'c ClusterCatalog,
    /// Absent while catalogd does not serve it, or if it is not known what it serves.
    pub content: Option<&'c Catalog>,
}

/// The answer to what an extension gets next.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// The bundle, or why there is none.
    pub outcome: Result<Resolved, ResolveError>,
    /// All bundles of the package, by catalog and then in the order of its text. Empty where the resolution fails before it
    /// compares bundles.
    pub candidates: Vec<Candidate>,
    /// The catalogs without candidates, by name.
    pub skipped: Vec<(CatalogName, SkipReason)>,
}

/// A chosen bundle.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// May be the installed one.
    pub bundle: BundleName,
    /// Without a release in build metadata.
    pub version: Version,
    pub release: Option<Release>,
    /// Absent if the catalog has none.
    pub image: Option<Box<str>>,
    pub catalog: CatalogName,
    /// The deprecations that operator-controller shows. They are those of the candidate's catalog that it looked at last,
    /// which may be another one than the bundle's.
    pub deprecations: Vec<Deprecation>,
}

impl Resolved {
    /// The version with its release.
    #[must_use]
    pub fn version_release(&self) -> VersionRelease {
        VersionRelease { version: self.version.clone(), release: self.release.clone() }
    }
}

/// Resolves an extension.
///
/// operator-controller takes the catalogs in the order of its cache, which is not sorted; here they are taken by name. Only
/// two things depend on it: which catalog an error names, and whose deprecations are shown.
#[must_use]
pub fn resolve(extension: &ClusterExtension, catalogs: &[CatalogState<'_>]) -> Resolution {
    let mut sorted = catalogs.to_vec();
    sorted.sort_by_key(|state| &state.object.name);
    let mut walk = Walk { extension, skipped: Vec::new(), candidates: Vec::new(), kept: Vec::new() };
    let outcome = match walk.all(&sorted) {
        Ok(()) => walk.decide(),
        Err(error) => {
            walk.candidates.clear();
            Err(error)
        }
    };
    Resolution { outcome, candidates: walk.candidates, skipped: walk.skipped }
}

/// The candidate of a catalog.
struct Kept<'c> {
    catalog: &'c CatalogName,
    priority: i32,
    package: &'c Package,
    bundle: &'c Bundle,
    version: Result<VersionRelease, BundleVersionError>,
    /// The position in the list of all candidates.
    index: usize,
}

struct Walk<'c, 'e> {
    extension: &'e ClusterExtension,
    skipped: Vec<(CatalogName, SkipReason)>,
    candidates: Vec<Candidate>,
    kept: Vec<Kept<'c>>,
}

impl<'c> Walk<'c, '_> {
    fn all(&mut self, catalogs: &[CatalogState<'c>]) -> Result<(), ResolveError> {
        let ClusterExtension { selector, version, package, .. } = self.extension;
        selector.check().map_err(ResolveError::Selector)?;
        let range = (!version.is_empty()).then(|| Constraints::parse(version)).transpose();
        let range = range.map_err(|error| ResolveError::Version { range: version.clone(), error })?;
        for state in catalogs {
            let name = &state.object.name;
            let skipped = if !selector.matches(state.object).map_err(ResolveError::Selector)? {
                SkipReason::NotSelected
            } else if state.object.availability == Availability::Unavailable {
                SkipReason::Unavailable
            } else {
                let catalog = || name.clone();
                let content = state.content.ok_or_else(|| match state.object.is_served {
                    Some(false) => ResolveError::NotServed { package: package.clone(), catalog: catalog() },
                    Some(true) | None => ResolveError::NotLoaded { catalog: catalog() },
                })?;
                match content.package(package.as_str()) {
                    Some(found) => {
                        self.package(state, found, range.as_ref())?;
                        continue;
                    }
                    None => SkipReason::NoPackage,
                }
            };
            self.skipped.push((name.clone(), skipped));
        }
        Ok(())
    }

    /// Finds the candidate of a catalog.
    fn package(
        &mut self,
        state: &CatalogState<'c>,
        package: &'c Package,
        range: Option<&Constraints>,
    ) -> Result<(), ResolveError> {
        let filter = Filter::new(self.extension, range, package)?;
        let deprecated = deprecated_bundles(package);
        let mut bundles: Vec<&Bundle> = package.bundles.iter().collect();
        bundles.sort_by_key(|bundle| bundle.span);
        let mut left = Vec::new();
        let catalog = &state.object.name;
        for bundle in bundles {
            let version = VersionRelease::of(bundle, self.extension.olm);
            let dropped = filter.check(bundle, &version).map_err(|_| ResolveError::SkipRangePanic)?;
            let index = self.candidates.len();
            let is_deprecated = deprecated.contains(&bundle.name.value);
            self.candidates.push(Candidate {
                catalog: catalog.clone(),
                bundle: bundle.name.value.clone(),
                version: version.as_ref().ok().cloned(),
                is_deprecated,
                verdict: dropped.clone().map_or(Verdict::Chosen, Verdict::Dropped),
            });
            if dropped.is_none() {
                let priority = state.object.priority;
                left.push(Kept { catalog, priority, package, bundle, version, index });
            }
        }
        left.sort_by(|a, b| {
            let is_deprecated = |kept: &Kept<'_>| self.candidates[kept.index].is_deprecated;
            is_deprecated(a).cmp(&is_deprecated(b)).then_with(|| highest_first(&a.version, &b.version))
        });
        let mut left = left.into_iter();
        let Some(best) = left.next() else { return Ok(()) };
        let is_clean = !self.candidates[best.index].is_deprecated;
        for other in left {
            let preferred = best.bundle.name.value.clone();
            let is_deprecated = self.candidates[other.index].is_deprecated;
            let reason = if is_clean && is_deprecated {
                DropReason::Deprecated { preferred }
            } else {
                DropReason::LowerVersion { preferred }
            };
            self.drop(&other, reason);
        }
        self.keep(best);
        Ok(())
    }

    /// Adds the candidate of a catalog to those of the catalogs before it. All that are kept are deprecated, or none is.
    fn keep(&mut self, new: Kept<'c>) {
        let is_deprecated = |candidates: &[Candidate], kept: &Kept<'_>| candidates[kept.index].is_deprecated;
        let is_new_deprecated = is_deprecated(&self.candidates, &new);
        if let Some(last) = self.kept.last() {
            let was_deprecated = is_deprecated(&self.candidates, last);
            if is_new_deprecated && !was_deprecated {
                let preferred = last.catalog.clone();
                self.drop(&new, DropReason::DeprecatedInCatalog { preferred });
                return;
            }
            if !is_new_deprecated && was_deprecated {
                for old in std::mem::take(&mut self.kept) {
                    self.drop(&old, DropReason::DeprecatedInCatalog { preferred: new.catalog.clone() });
                }
            }
        }
        self.kept.push(new);
    }

    fn drop(&mut self, kept: &Kept<'_>, reason: DropReason) {
        self.candidates[kept.index].verdict = Verdict::Dropped(reason);
    }

    /// Decides between the candidates of several catalogs.
    fn decide(&mut self) -> Result<Resolved, ResolveError> {
        let deprecations = self.kept.last().map(|last| last.package.deprecations.clone()).unwrap_or_default();
        let mut kept = std::mem::take(&mut self.kept);
        let mut names: Vec<CatalogName> = kept.iter().map(|kept| kept.catalog.clone()).collect();
        kept.sort_by_key(|kept| Reverse(kept.priority));
        let is_decided = match kept.as_slice() {
            [] => false,
            [_] => true,
            [first, second, ..] => first.priority != second.priority,
        };
        if !is_decided {
            for one in &kept {
                // OLM's text names all of them as equal.
                let better = kept.first().filter(|first| first.priority > one.priority);
                self.drop(
                    one,
                    better.map_or(DropReason::Ambiguous, |better| DropReason::LowerPriority {
                        preferred: better.catalog.clone(),
                    }),
                );
            }
            names.sort();
            let ClusterExtension { package, version, channels, installed, .. } = self.extension;
            return Err(ResolveError::NoAnswer(NoAnswer {
                package: package.clone(),
                range: version.clone(),
                channels: channels.clone(),
                installed_version: installed.as_ref().map(|installed| installed.version.clone()),
                catalogs: names,
            }));
        }
        let mut kept = kept.into_iter();
        let winner = kept.next().expect("a decision needs a candidate");
        for other in kept {
            self.drop(&other, DropReason::LowerPriority { preferred: winner.catalog.clone() });
        }
        self.check_winner(winner, deprecations)
    }

    fn check_winner(&mut self, winner: Kept<'_>, deprecations: Vec<Deprecation>) -> Result<Resolved, ResolveError> {
        let bundle = winner.bundle.name.value.clone();
        let VersionRelease { version, release } = match &winner.version {
            Ok(version) => version.clone(),
            Err(error) => {
                self.drop(&winner, DropReason::NoVersion);
                return Err(ResolveError::BundleVersion { bundle, error: error.clone() });
            }
        };
        if let Some(property) = refused_properties(winner.bundle).next() {
            self.drop(&winner, DropReason::Refused { property: property.into() });
            return Err(ResolveError::Dependency { bundle, property: property.into() });
        }
        let image = winner.bundle.image.as_ref().map(|image| image.value.clone());
        Ok(Resolved { bundle, version, release, image, catalog: winner.catalog.clone(), deprecations })
    }
}

/// The types of the properties that declare dependencies (operator-controller
/// `internal/operator-controller/resolve/validation.go`).
pub(crate) fn refused_properties(bundle: &Bundle) -> impl Iterator<Item = &str> {
    bundle.properties.iter().map(|property| property.value.kind()).filter(|kind| DEPENDENCIES.contains(kind))
}

pub(crate) fn deprecated_bundles(package: &Package) -> BTreeSet<&BundleName> {
    let bundles = package.deprecations.iter().filter_map(|deprecation| match &deprecation.target {
        DeprecationTarget::Bundle(name) => Some(name),
        DeprecationTarget::Package | DeprecationTarget::Channel(_) => None,
    });
    bundles.collect()
}
