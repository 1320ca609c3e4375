//! One provider per API and one bundle per package, among the bundles that entered the problem.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`addInvariants`). Uniqueness is by
//! identifier, so the same bundle in two channels counts twice.

use std::collections::BTreeMap;

use predicate::{Gvk, PackageName, Property};

use crate::fact::{Fact, VarId};
use crate::gather::Gather;
use crate::problem::Variable;

/// Adds the rules; a rule with fewer than two members says nothing and is left out.
pub(crate) fn add(gather: &mut Gather<'_>) {
    let mut providers: BTreeMap<Gvk, Vec<VarId>> = BTreeMap::new();
    let mut bundles: BTreeMap<PackageName, Vec<VarId>> = BTreeMap::new();
    // Sorted by identifier, as the members have to be.
    for (identifier, &id) in gather.bundles.iter().filter(|(identifier, _)| is_parsable(identifier)) {
        let Variable::Bundle { entry, .. } = &gather.rules.variables[id.0 as usize] else {
            unreachable!("{identifier} is the identifier of a bundle")
        };
        for placed in gather.pool.entry(*entry).properties.iter() {
            match &placed.property {
                Property::Gvk(gvk, _) => providers.entry(gvk.clone()).or_default().push(id),
                Property::Package { name, .. } => bundles.entry(name.clone()).or_default().push(id),
                Property::GvkRequired(..) | Property::PackageRequired { .. } | Property::Other { .. } => {}
            }
        }
    }
    for (gvk, providers) in providers.into_iter().filter(|(_, members)| members.len() > 1) {
        gather.rules.facts.push(Fact::OneProvider { gvk, providers });
        gather.rules.shared.push(None);
    }
    for (package, bundles) in bundles.into_iter().filter(|(_, members)| members.len() > 1) {
        gather.rules.facts.push(Fact::OneOfPackage { package, bundles });
        gather.rules.shared.push(None);
    }
}

/// Whether OLM can take the identifier apart again: four parts between slashes.
pub(crate) fn is_parsable(identifier: &str) -> bool {
    identifier.split('/').count() == 4
}
