//! One provider per API and one bundle per package, among the bundles that entered the problem.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`addInvariants`). Uniqueness is
//! by identifier, so the same bundle in two channels counts twice.

use std::collections::BTreeMap;

use super::Collector;
use crate::fact::{Fact, VarId};
use crate::index::At;
use crate::pool::SourceId;
use crate::rules::Variable;

/// Adds the rules; a rule with fewer than two members restricts nothing and is left out.
pub(super) fn add(collector: &mut Collector<'_>) {
    let pool = collector.pool;
    let parsable: Vec<bool> = collector.rules.variables.iter().map(is_parsable_bundle).collect();
    for (gvk, providers) in members(collector, &parsable, |source| pool.index(source).gvks()) {
        collector.push_fact(Fact::OneProvider { gvk: gvk.clone(), providers });
    }
    for (package, bundles) in members(collector, &parsable, |source| pool.index(source).named_packages()) {
        collector.push_fact(Fact::OneOfPackage { package: package.clone(), bundles });
    }
}

/// By key, the bundles that name it, sorted by identifier. Keys with fewer than two bundles are left out.
fn members<'p, K: Ord + 'p, L: Iterator<Item = (&'p K, &'p [At])>>(
    collector: &Collector<'p>,
    parsable: &[bool],
    lists: impl Fn(SourceId) -> L,
) -> Vec<(&'p K, Vec<VarId>)> {
    let pool = collector.pool;
    let mut members: BTreeMap<&K, Vec<_>> = BTreeMap::new();
    for source in pool.sources() {
        for (key, entries) in lists(source) {
            let ids = entries.iter().map(|&at| pool.id(source, at));
            // Of entries that share an identifier, the first that entered the problem stands for it.
            let known = ids.filter_map(|id| Some((pool.identifier_order(id), collector.known(id)?, id)));
            let counted = known.filter(|(_, var, id)| parsable[var.0 as usize] && collector.stands_for(*id, *var));
            members.entry(key).or_default().extend(counted.map(|(order, var, _)| (order, var)));
        }
    }
    members.retain(|_, members| members.len() > 1);
    let sorted = members.into_iter().map(|(key, mut members)| {
        members.sort_unstable();
        (key, members.into_iter().map(|(_, var)| var).collect())
    });
    sorted.collect()
}

fn is_parsable_bundle(variable: &Variable) -> bool {
    matches!(variable, Variable::Bundle { identifier, .. } if is_parsable(identifier))
}

/// Whether OLM can take the identifier apart again: four parts between slashes.
pub(crate) fn is_parsable(identifier: &str) -> bool {
    identifier.bytes().filter(|&byte| byte == b'/').count() == 3
}
