//! One provider per API and one bundle per package, among the bundles that entered the problem.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`addInvariants`). Uniqueness is
//! by identifier, so the same bundle in two channels counts twice.

use std::collections::BTreeMap;

use catalog::predicate::{Gvk, PackageName, Property};

use super::Collector;
use crate::fact::{Fact, VarId};
use crate::rules::Variable;

/// Adds the rules; a rule with fewer than two members restricts nothing and is left out.
pub(super) fn add(collector: &mut Collector<'_>) {
    for (gvk, providers) in members(collector, gvk_of) {
        collector.push_fact(Fact::OneProvider { gvk: gvk.clone(), providers });
    }
    for (package, bundles) in members(collector, package_of) {
        collector.push_fact(Fact::OneOfPackage { package: package.clone(), bundles });
    }
}

fn gvk_of(property: &Property) -> Option<&Gvk> {
    if let Property::Gvk(gvk, _) = property { Some(gvk) } else { None }
}

fn package_of(property: &Property) -> Option<&PackageName> {
    if let Property::Package { name, .. } = property { Some(name) } else { None }
}

/// By key, the bundles whose properties name it, sorted by identifier; one that does so twice occurs twice. Keys with fewer
/// than two bundles are left out. Looks at the bundles that entered the problem, which are few of those in the catalogs.
fn members<'p, K: Ord>(
    collector: &Collector<'p>,
    key: impl Fn(&'p Property) -> Option<&'p K>,
) -> Vec<(&'p K, Vec<VarId>)> {
    let pool = collector.pool;
    let mut members: BTreeMap<&K, Vec<_>> = BTreeMap::new();
    for (var, variable) in (0..).map(VarId).zip(&collector.rules.variables) {
        let Variable::Bundle { entry, identifier, .. } = variable else { continue };
        if is_parsable(identifier) {
            for key in pool.entry(*entry).properties.iter().filter_map(|placed| key(&placed.property)) {
                members.entry(key).or_default().push((pool.identifier_order(*entry), var));
            }
        }
    }
    members.retain(|_, members| members.len() > 1);
    let sorted = members.into_iter().map(|(key, mut members)| {
        members.sort_unstable();
        (key, members.into_iter().map(|(_, var)| var).collect())
    });
    sorted.collect()
}

/// Whether OLM can take the identifier apart again: four parts between slashes.
pub(crate) fn is_parsable(identifier: &str) -> bool {
    identifier.bytes().filter(|&byte| byte == b'/').count() == 3
}
