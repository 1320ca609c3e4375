//! The bundles that OLM can choose from in all loaded catalogs, and which of them meet a requirement.

use crate::index::IndexedPackage;
use crate::requirements::BundleRequirement;
use catalog::predicate::{Fuel, Gvk, Requirement};
use catalog::{Bundle, DeprecationTarget, Package};
use go_semver::blang::Version;
use std::collections::{BTreeMap, BTreeSet};

/// A requirement and the candidates that meet it.
pub(crate) struct MetRequirement<'d, 'c> {
    pub(crate) stated: &'d BundleRequirement<'c>,
    pub(crate) requirement: &'d Requirement,
    /// Indices into [`Candidates`].
    pub(crate) candidates: Vec<usize>,
}

/// How many bundles may be tested against compound requirements, for all requirements together. Requirements beyond that
/// are not checked. A real catalog of 400 packages needs some hundreds.
const MAX_TESTED: usize = 500_000;

/// A bundle that OLM may choose to meet a requirement.
pub(crate) struct Candidate<'c> {
    /// The index of its catalog.
    pub(crate) catalog: usize,
    pub(crate) package: &'c Package,
    pub(crate) bundle: &'c Bundle,
    /// Whether OLM may choose it from the default channel of its package.
    pub(crate) in_default_channel: bool,
    /// Whether `olm.deprecations` names it or its package.
    pub(crate) is_deprecated: bool,
}

/// The candidates of all catalogs. A bundle is not a candidate if its package is not declared, if every channel that lists
/// it also skips it, or if it has the property `olm.deprecated`
/// (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`, `getBundleVariables`).
#[derive(Default)]
pub(crate) struct Candidates<'c> {
    pub(crate) all: Vec<Candidate<'c>>,
    packages: BTreeMap<&'c str, PackageCandidates<'c>>,
    gvks: BTreeMap<&'c Gvk, Vec<usize>>,
    /// Whether there are bundles that nobody knows: a template has images that no loaded catalog has, or a part of a catalog
    /// was not read.
    pub(crate) is_incomplete: bool,
}

/// The candidates of one package, by ascending version.
#[derive(Default)]
struct PackageCandidates<'c> {
    versions: Vec<&'c Version>,
    indices: Vec<usize>,
}

impl<'c> Candidates<'c> {
    pub(crate) fn of(catalogs: &[Vec<IndexedPackage<'c>>]) -> Self {
        let mut candidates = Self::default();
        for (catalog, packages) in catalogs.iter().enumerate() {
            for package in packages.iter().filter(|indexed| indexed.package.declared.is_some()) {
                candidates.is_incomplete |= package.package.has_unknown_bundles;
                candidates.add(catalog, package);
            }
        }
        candidates.sort_by_version();
        candidates
    }

    fn add(&mut self, catalog: usize, indexed: &IndexedPackage<'c>) {
        let package = indexed.package;
        let default = package.default_channel.as_ref().map(|name| &name.value);
        // By bundle: whether the default channel is among the channels that it may be chosen from.
        let mut selectable: BTreeMap<&str, bool> = BTreeMap::new();
        for channel in &indexed.channels {
            let is_default = Some(&channel.name().value) == default;
            for at in channel.selectable() {
                *selectable.entry(channel.entries()[at].name.value.as_str()).or_default() |= is_default;
            }
        }
        let targets: BTreeSet<&str> = package.deprecations.iter().filter_map(deprecated_bundle).collect();
        let is_package_deprecated =
            package.deprecations.iter().any(|deprecation| deprecation.target == DeprecationTarget::Package);
        for bundle in &package.bundles {
            let name = bundle.name.value.as_str();
            let is_excluded = || bundle.properties.iter().any(|property| property.value.kind() == "olm.deprecated");
            if let Some(&in_default_channel) = selectable.get(name).filter(|_| !is_excluded()) {
                let is_deprecated = is_package_deprecated || targets.contains(name);
                self.push(Candidate { catalog, package, bundle, in_default_channel, is_deprecated });
            }
        }
    }

    fn push(&mut self, candidate: Candidate<'c>) {
        let at = self.all.len();
        self.packages.entry(candidate.package.name.as_str()).or_default().indices.push(at);
        for property in &candidate.bundle.properties {
            if let catalog::predicate::Property::Gvk(gvk, _) = &property.value {
                self.gvks.entry(gvk).or_default().push(at);
            }
        }
        self.all.push(candidate);
    }

    fn sort_by_version(&mut self) {
        for own in self.packages.values_mut() {
            let versioned = own.indices.iter().filter_map(|&at| Some((self.all[at].bundle.version()?, at)));
            let mut pairs: Vec<(&Version, usize)> = versioned.collect();
            pairs.sort();
            (own.versions, own.indices) = pairs.into_iter().unzip();
        }
    }

    /// The candidates of a package, oldest first.
    pub(crate) fn of_package(&self, name: &str) -> &[usize] {
        self.packages.get(name).map_or(&[], |own| &own.indices)
    }

    /// The candidates that provide an API.
    pub(crate) fn of_gvk(&self, gvk: &Gvk) -> &[usize] {
        self.gvks.get(gvk).map_or(&[], Vec::as_slice)
    }

    /// All APIs with the candidates that provide them.
    pub(crate) fn gvks(&self) -> impl Iterator<Item = (&'c Gvk, &[usize])> {
        self.gvks.iter().map(|(gvk, providers)| (*gvk, providers.as_slice()))
    }

    /// All package names.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &'c str> {
        self.packages.keys().copied()
    }

    /// The packages of some candidates.
    pub(crate) fn package_names(&self, candidates: &[usize]) -> BTreeSet<&'c str> {
        candidates.iter().map(|&at| self.all[at].package.name.as_str()).collect()
    }

    /// The candidates that meet the requirement; `None` if that cannot be found out within the budget.
    pub(crate) fn meeting(&self, requirement: &Requirement, budget: &mut Budget) -> Option<Vec<usize>> {
        match requirement {
            Requirement::Gvk(gvk) => budget.spend(self.of_gvk(gvk)).map(<[_]>::to_vec),
            Requirement::Package { name, range, .. } => {
                let Some(own) = self.packages.get(name.as_str()) else { return Some(Vec::new()) };
                budget.spend(&own.indices)?;
                Some(range.runs(&own.versions).into_iter().flat_map(|run| own.indices[run].iter().copied()).collect())
            }
            compound => self.tested(compound, budget),
        }
    }

    /// Tests all candidates that may meet the requirement.
    fn tested(&self, requirement: &Requirement, budget: &mut Budget) -> Option<Vec<usize>> {
        let mut meeting = Vec::new();
        for at in self.possible(requirement, budget)? {
            let Candidate { package, bundle, .. } = &self.all[at];
            let properties = bundle.properties.iter().map(|property| &property.value);
            let holds = requirement.holds_within(&package.name, bundle.version(), properties, &mut budget.fuel);
            if holds.ok()? {
                meeting.push(at);
            }
        }
        Some(meeting)
    }

    /// The candidates to test: no other meets the requirement. Lookups by API or package name narrow them down where the
    /// form of the requirement allows that.
    fn possible(&self, requirement: &Requirement, budget: &mut Budget) -> Option<BTreeSet<usize>> {
        let looked_up = |part: &Requirement| match part {
            Requirement::Gvk(gvk) => Some(self.of_gvk(gvk)),
            Requirement::Package { name, .. } => Some(self.of_package(name.as_str())),
            _ => None,
        };
        let parts: Option<Vec<&[usize]>> = match requirement {
            Requirement::All(inner) => inner.iter().find_map(looked_up).map(|candidates| vec![candidates]),
            Requirement::Any(inner) => inner.iter().map(looked_up).collect(),
            _ => None,
        };
        let Some(parts) = parts else {
            budget.left = budget.left.checked_sub(self.all.len())?;
            return Some((0..self.all.len()).collect());
        };
        let mut candidates = BTreeSet::new();
        for part in parts {
            candidates.extend(budget.spend(part)?);
        }
        Some(candidates)
    }
}

/// Bounds the work of testing compound requirements.
pub(crate) struct Budget {
    /// How many more bundles may be tested.
    left: usize,
    fuel: Fuel,
}

impl Budget {
    fn spend<'o>(&mut self, candidates: &'o [usize]) -> Option<&'o [usize]> {
        self.left = self.left.checked_sub(candidates.len())?;
        Some(candidates)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: MAX_TESTED, fuel: Fuel::default() }
    }
}

fn deprecated_bundle(deprecation: &catalog::Deprecation) -> Option<&str> {
    match &deprecation.target {
        DeprecationTarget::Bundle(name) => Some(name.as_str()),
        DeprecationTarget::Package | DeprecationTarget::Channel(_) => None,
    }
}
