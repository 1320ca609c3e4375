//! Facts for which a bundle can never be selected, whatever else is wanted: the property `olm.deprecated`, a property stated
//! twice, or a requirement that no bundle meets.

use std::collections::BTreeSet;

use catalog::predicate::Property;

use crate::entry::Entry;
use crate::fact::{Fact, FactId, VarId};
use crate::pool::EntryId;
use crate::problem::Problem;
use crate::rules::Variable;

/// The fact for which a bundle can never be selected, if there is one.
pub(crate) fn intrinsic_fault(problem: &Problem, bundle: VarId) -> Option<FactId> {
    let entry = problem.entry(bundle)?;
    let is_unmet = |id: &&FactId| problem.fact(**id).alternatives().is_some_and(<[VarId]>::is_empty);
    // Looked at first, because most bundles are not affected and all facts are many.
    if entry.is_deprecated() || states_property_twice(entry) {
        let forbids = |fact: &Fact| match fact {
            Fact::Deprecated { bundle: deprecated } => *deprecated == bundle,
            Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
                members.iter().filter(|&&member| member == bundle).nth(1).is_some()
            }
            _ => false,
        };
        return problem.facts().find(|(_, fact)| forbids(fact)).map(|(id, _)| id);
    }
    problem.rules.choices[bundle.0 as usize].iter().find(is_unmet).copied()
}

/// The entries of those bundles that have an intrinsic fault.
pub(crate) fn entries_with_fault(problem: &Problem, bundles: &[VarId]) -> BTreeSet<EntryId> {
    let faulty = bundles.iter().filter(|&&id| intrinsic_fault(problem, id).is_some());
    let entries = faulty.filter_map(|id| match problem.rules.variables[id.0 as usize] {
        Variable::Bundle { entry, .. } => Some(entry),
        Variable::Subscription(_) => None,
    });
    entries.collect()
}

/// Whether the bundle names an API or a package twice, so that it counts twice where at most one bundle is allowed, and excludes
/// itself.
fn states_property_twice(entry: &Entry) -> bool {
    let (mut gvks, mut packages) = (BTreeSet::new(), BTreeSet::new());
    entry.properties.iter().any(|placed| match &placed.property {
        Property::Gvk(gvk, _) => !gvks.insert(gvk),
        Property::Package { name, .. } => !packages.insert(name),
        _ => false,
    })
}
