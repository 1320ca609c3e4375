//! What the bundles of a package require, each requirement once.

use crate::index::IndexedPackage;
use catalog::predicate::{PackageName, Requirement, RequirementError, RequirementKey};
use catalog::{Bundle, Package};
use source::Span;
use std::collections::BTreeMap;

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
