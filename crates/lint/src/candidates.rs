//! The bundles that OLM can choose from in all loaded catalogs, which of them meet a requirement, and the rules that
//! need them all.

use crate::index::{IndexedPackage, Input};
use crate::rules::{
    dependency_cycle, deprecated_requirement, no_minimum_version, non_default_provider, prerelease_in_range,
    several_providers, split_requirement, unsatisfiable_requirement,
};
use catalog::predicate::{Fuel, Gvk, PackageName, Requirement, RequirementError, RequirementKey};
use catalog::{Bundle, DeprecationTarget, Package};
use go_semver::blang::Version;
use source::{Diagnostic, Executor, Findings, Span};
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
    fn of_gvk(&self, gvk: &Gvk) -> &[usize] {
        self.gvks.get(gvk).map_or(&[], Vec::as_slice)
    }

    /// All APIs with the candidates that provide them.
    pub(crate) fn gvks(&self) -> impl Iterator<Item = (&'c Gvk, &[usize])> {
        self.gvks.iter().map(|(gvk, providers)| (*gvk, providers.as_slice()))
    }

    pub(crate) fn all_names(&self) -> impl Iterator<Item = &'c str> {
        self.packages.keys().copied()
    }

    pub(crate) fn package_names(&self, candidates: &[usize]) -> BTreeSet<&'c str> {
        candidates.iter().map(|&at| self.all[at].package.name.as_str()).collect()
    }

    /// The candidates that meet the requirement; `None` if that cannot be found out within the budget.
    fn meeting(&self, requirement: &Requirement, budget: &mut Budget) -> Option<Vec<usize>> {
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
struct Budget {
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

// What the bundles of a package require, each requirement once.

/// A requirement, and the bundles of a package that state it.
pub(crate) struct BundleRequirement<'c> {
    pub(crate) package: &'c PackageName,
    /// The requirement as OLM reads it, or OLM's error.
    pub(crate) requirement: Result<Requirement, RequirementError>,
    /// The newest bundle that states it.
    pub(crate) bundle: &'c Bundle,
    pub(crate) span: Span,
    /// How many older bundles state it, too.
    pub(crate) others: usize,
    /// Whether the head of some channel states it.
    pub(crate) by_head: bool,
}

impl BundleRequirement<'_> {
    /// The bundles, for a message: the name of the newest, and how many others there are.
    pub(crate) fn who(&self) -> String {
        let name = &self.bundle.name;
        match self.others {
            0 => format!("`{name}`"),
            1 => format!("`{name}` (and 1 older bundle)"),
            more => format!("`{name}` (and {more} older bundles)"),
        }
    }
}

/// Whether a bundle of the package states a requirement.
pub(crate) fn states_requirements(package: &Package) -> bool {
    let properties = package.bundles.iter().flat_map(|bundle| &bundle.properties);
    properties.into_iter().any(|property| RequirementKey::of(&property.value).is_some())
}

/// The requirements of a package, in the order of their keys.
pub(crate) fn requirements<'c>(package: &IndexedPackage<'c>) -> Vec<BundleRequirement<'c>> {
    let heads = package.heads();
    let mut bundles: Vec<&Bundle> = package.package.bundles.iter().collect();
    bundles.sort_by(|a, b| b.version().cmp(&a.version()));
    let mut requirements: BTreeMap<RequirementKey<'c>, BundleRequirement<'c>> = BTreeMap::new();
    for bundle in bundles {
        let by_head = heads.contains(bundle.name.value.as_str());
        for property in &bundle.properties {
            let Some(key) = RequirementKey::of(&property.value) else { continue };
            if let Some(known) = requirements.get_mut(&key) {
                known.others += usize::from(known.bundle.name != bundle.name);
                known.by_head |= by_head;
            } else if let Some(requirement) = Requirement::of(&property.value) {
                let (package, span) = (&package.package.name, property.span);
                let stated = BundleRequirement { package, requirement, bundle, span, others: 0, by_head };
                requirements.insert(key, stated);
            }
        }
    }
    requirements.into_values().collect()
}

/// The requirement and, if it is compound, all requirements inside it.
pub(crate) fn parts(requirement: &Requirement) -> Vec<&Requirement> {
    let mut parts = vec![requirement];
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        if let Requirement::All(inner) | Requirement::Any(inner) | Requirement::Not(inner) = *part {
            parts.extend(inner);
        }
        at += 1;
    }
    parts
}

// Runs the rules that need all loaded catalogs.

/// The findings of each catalog that depend on all loaded catalogs, in the order of the catalogs.
///
/// Several packages are perhaps looked at at once.
#[must_use]
pub fn check_across_catalogs(inputs: &[Input<'_>], executor: Executor) -> Vec<Vec<Diagnostic>> {
    let catalogs: Vec<Vec<IndexedPackage<'_>>> = inputs
        .iter()
        .map(|input| executor.map(&input.catalog.packages, |package| IndexedPackage::of(package)))
        .collect();
    let mut candidates = Candidates::of(&catalogs);
    candidates.is_incomplete |= inputs.iter().any(|input| input.catalog.is_partial);
    let stated: Vec<Vec<BundleRequirement<'_>>> =
        catalogs.iter().map(|packages| executor.map(packages, requirements).into_iter().flatten().collect()).collect();
    let mut budget = Budget::default();
    let mut met: Vec<Vec<MetRequirement<'_, '_>>> = Vec::new();
    for stated in &stated {
        let of_catalog = stated.iter().filter_map(|stated| {
            let requirement = stated.requirement.as_ref().ok()?;
            let candidates = candidates.meeting(requirement, &mut budget)?;
            Some(MetRequirement { stated, requirement, candidates })
        });
        met.push(of_catalog.collect());
    }
    let mut findings: Vec<Findings> = Vec::new();
    for (catalog, (input, met)) in inputs.iter().zip(&met).enumerate() {
        let mut own = Findings::default();
        for met in met {
            unsatisfiable_requirement::check(*input, met, &candidates, &mut own);
            non_default_provider::check(met, &candidates, &mut own);
            deprecated_requirement::check(met, &candidates, &mut own);
            no_minimum_version::check(met, &candidates, &mut own);
            split_requirement::check(met, &candidates, &mut own);
            prerelease_in_range::check(*input, met, &candidates, &mut own);
        }
        several_providers::check(catalog, &candidates, &mut own);
        findings.push(own);
    }
    dependency_cycle::check(&met, &candidates, &mut findings);
    findings.into_iter().map(Findings::into_diagnostics).collect()
}
