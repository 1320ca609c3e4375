//! What the bundles of a package require, each requirement once.

use crate::operator::Operator;
use catalog::Bundle;
use predicate::{PackageName, Requirement, RequirementError, RequirementKey};
use source::Span;
use std::collections::BTreeMap;

/// A requirement and who states it.
pub(crate) struct Demand<'c> {
    /// The package of the bundles that state it.
    pub(crate) package: &'c PackageName,
    /// As OLM reads it.
    pub(crate) requirement: Result<Requirement, RequirementError>,
    /// The newest bundle that states it.
    pub(crate) bundle: &'c Bundle,
    /// Its property.
    pub(crate) span: Span,
    /// How many other bundles state it.
    pub(crate) others: usize,
    /// Whether the head of some channel states it.
    pub(crate) by_head: bool,
}

impl Demand<'_> {
    /// `p.v1.0.0`, or `p.v1.0.0 and 3 older`.
    pub(crate) fn who(&self) -> String {
        let name = &self.bundle.name;
        match self.others {
            0 => format!("`{name}`"),
            more => format!("`{name}` (and {more} older)"),
        }
    }
}

/// The requirements of a package, in an order that follows from what they say.
pub(crate) fn demands<'c>(operator: &Operator<'c>) -> Vec<Demand<'c>> {
    let heads = operator.heads();
    let mut bundles: Vec<&Bundle> = operator.package.bundles.iter().collect();
    bundles.sort_by(|a, b| b.version().cmp(&a.version()));
    let mut demands: BTreeMap<RequirementKey<'c>, Demand<'c>> = BTreeMap::new();
    for bundle in bundles {
        let by_head = heads.contains(bundle.name.value.as_str());
        for property in &bundle.properties {
            let Some(key) = RequirementKey::of(&property.value) else { continue };
            if let Some(known) = demands.get_mut(&key) {
                known.others += usize::from(known.bundle.name != bundle.name);
                known.by_head |= by_head;
            } else if let Some(requirement) = Requirement::of(&property.value) {
                let (package, span) = (&operator.package.name, property.span);
                demands.insert(key, Demand { package, requirement, bundle, span, others: 0, by_head });
            }
        }
    }
    demands.into_values().collect()
}

/// The requirement and all that it is made of.
pub(crate) fn inner(requirement: &Requirement) -> Vec<&Requirement> {
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
