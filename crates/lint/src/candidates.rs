//! What all loaded catalogs offer, and which of it meets a requirement.

use crate::operator::Operator;
use blang_semver::Version;
use catalog::{Bundle, DeprecationTarget, Package};
use predicate::{Fuel, Gvk, Requirement};
use std::collections::{BTreeMap, BTreeSet};

/// At most so many bundles are looked at for all requirements together; what is left is not judged. A catalog of 400
/// packages takes some hundreds.
const ASKED: usize = 500_000;

/// A bundle that OLM may choose to meet a requirement.
pub(crate) struct Offer<'c> {
    /// The position of its catalog.
    pub(crate) catalog: usize,
    pub(crate) package: &'c Package,
    pub(crate) bundle: &'c Bundle,
    /// Whether the default channel of its package offers it.
    pub(crate) by_default: bool,
    /// Whether `olm.deprecations` names it or its package.
    pub(crate) deprecated: bool,
}

/// The offers of all catalogs. Bundles that no registry serves, that are skipped wherever they are listed, or that carry
/// `olm.deprecated` are none (olm-runtime A2.5, A2.6).
#[derive(Default)]
pub(crate) struct Supply<'c> {
    pub(crate) offers: Vec<Offer<'c>>,
    /// The offers of each package, by version.
    packages: BTreeMap<&'c str, OfPackage<'c>>,
    gvks: BTreeMap<&'c Gvk, Vec<usize>>,
}

/// The offers of a package, ascending.
#[derive(Default)]
struct OfPackage<'c> {
    versions: Vec<&'c Version>,
    offers: Vec<usize>,
}

impl<'c> Supply<'c> {
    pub(crate) fn of(catalogs: &[Vec<Operator<'c>>]) -> Self {
        let mut supply = Self::default();
        for (catalog, operators) in catalogs.iter().enumerate() {
            for operator in operators.iter().filter(|operator| operator.package.declared.is_some()) {
                supply.add(catalog, operator);
            }
        }
        supply.add_versions();
        supply
    }

    fn add(&mut self, catalog: usize, operator: &Operator<'c>) {
        let package = operator.package;
        let default = package.default_channel.as_ref().map(|name| &name.value);
        // Whether the default channel is among those that offer the bundle.
        let mut offered: BTreeMap<&str, bool> = BTreeMap::new();
        for lane in &operator.lanes {
            let by_default = Some(&lane.channel.name.value) == default;
            for at in lane.chosen() {
                *offered.entry(lane.channel.entries[at].name.value.as_str()).or_default() |= by_default;
            }
        }
        let targets: BTreeSet<&str> = package.deprecations.iter().filter_map(bundle_of).collect();
        let whole = package.deprecations.iter().any(|deprecation| deprecation.target == DeprecationTarget::Package);
        for bundle in &package.bundles {
            let name = bundle.name.value.as_str();
            let forbidden = || bundle.properties.iter().any(|property| property.value.kind() == "olm.deprecated");
            if let Some(&by_default) = offered.get(name).filter(|_| !forbidden()) {
                let deprecated = whole || targets.contains(name);
                self.push(Offer { catalog, package, bundle, by_default, deprecated });
            }
        }
    }

    fn push(&mut self, offer: Offer<'c>) {
        let at = self.offers.len();
        self.packages.entry(offer.package.name.as_str()).or_default().offers.push(at);
        for property in &offer.bundle.properties {
            if let predicate::Property::Gvk(gvk, _) = &property.value {
                self.gvks.entry(gvk).or_default().push(at);
            }
        }
        self.offers.push(offer);
    }

    fn add_versions(&mut self) {
        for of in self.packages.values_mut() {
            let versioned = of.offers.iter().filter_map(|&at| Some((self.offers[at].bundle.version()?, at)));
            let mut pairs: Vec<(&Version, usize)> = versioned.collect();
            pairs.sort();
            (of.versions, of.offers) = pairs.into_iter().unzip();
        }
    }

    /// The offers of a package, oldest first.
    pub(crate) fn of_package(&self, name: &str) -> &[usize] {
        self.packages.get(name).map_or(&[], |of| &of.offers)
    }

    /// Who provides an API.
    pub(crate) fn of_gvk(&self, gvk: &Gvk) -> &[usize] {
        self.gvks.get(gvk).map_or(&[], Vec::as_slice)
    }

    /// All APIs with their providers.
    pub(crate) fn gvks(&self) -> impl Iterator<Item = (&'c Gvk, &[usize])> {
        self.gvks.iter().map(|(gvk, offers)| (*gvk, offers.as_slice()))
    }

    /// The names of the packages of some offers.
    pub(crate) fn names(&self, offers: &[usize]) -> BTreeSet<&'c str> {
        offers.iter().map(|&at| self.offers[at].package.name.as_str()).collect()
    }

    /// Who meets the requirement; `None` where that is not known.
    pub(crate) fn meeting(&self, requirement: &Requirement, budget: &mut Budget) -> Option<Vec<usize>> {
        match requirement {
            Requirement::Gvk(gvk) => budget.spend(self.of_gvk(gvk)).map(<[_]>::to_vec),
            Requirement::Package { name, range, .. } => {
                let Some(of) = self.packages.get(name.as_str()) else { return Some(Vec::new()) };
                budget.spend(&of.offers)?;
                Some(range.runs(&of.versions).into_iter().flat_map(|run| of.offers[run].iter().copied()).collect())
            }
            compound => self.asked(compound, budget),
        }
    }

    /// Asks all offers that may meet the requirement.
    fn asked(&self, requirement: &Requirement, budget: &mut Budget) -> Option<Vec<usize>> {
        let mut meeting = Vec::new();
        for at in self.narrowed(requirement, budget)? {
            let Offer { package, bundle, .. } = &self.offers[at];
            let properties = bundle.properties.iter().map(|property| &property.value);
            let held = requirement.holds_within(&package.name, bundle.version(), properties, &mut budget.fuel);
            if held.ok()? {
                meeting.push(at);
            }
        }
        Some(meeting)
    }

    /// Offers outside of which nothing meets the requirement.
    fn narrowed(&self, requirement: &Requirement, budget: &mut Budget) -> Option<BTreeSet<usize>> {
        let looked_up = |part: &Requirement| match part {
            Requirement::Gvk(gvk) => Some(self.of_gvk(gvk)),
            Requirement::Package { name, .. } => Some(self.of_package(name.as_str())),
            _ => None,
        };
        let parts: Option<Vec<&[usize]>> = match requirement {
            Requirement::All(inner) => inner.iter().find_map(looked_up).map(|offers| vec![offers]),
            Requirement::Any(inner) => inner.iter().map(looked_up).collect(),
            _ => None,
        };
        let Some(parts) = parts else {
            budget.left = budget.left.checked_sub(self.offers.len())?;
            return Some((0..self.offers.len()).collect());
        };
        let mut offers = BTreeSet::new();
        for part in parts {
            offers.extend(budget.spend(part)?);
        }
        Some(offers)
    }
}

/// What may still be spent on questions that no lookup answers.
pub(crate) struct Budget {
    left: usize,
    fuel: Fuel,
}

impl Budget {
    fn spend<'o>(&mut self, offers: &'o [usize]) -> Option<&'o [usize]> {
        self.left = self.left.checked_sub(offers.len())?;
        Some(offers)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: ASKED, fuel: Fuel::default() }
    }
}

fn bundle_of(deprecation: &catalog::Deprecation) -> Option<&str> {
    match &deprecation.target {
        DeprecationTarget::Bundle(name) => Some(name.as_str()),
        DeprecationTarget::Package | DeprecationTarget::Channel(_) => None,
    }
}
