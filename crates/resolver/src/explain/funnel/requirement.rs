//! The bundles that can meet a requirement (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`, `getBundleVariables`).

use std::collections::{BTreeMap, BTreeSet};

use catalog::predicate::{PackageName, Property, Requirement};
use go_semver::blang::Version;
use update_graph::SortError;

use super::{Filter, Funnel, Sieve, hints};
use crate::entry::Entry;
use crate::explain::intrinsic_fault::entries_with_fault;
use crate::explain::visible;
use crate::explain::witness::{meets, versions};
use crate::fact::{Fact, FactId};
use crate::pool::{EntryId, Pool};
use crate::problem::Problem;

/// Filters the entries for those that meet the requirement of a rule; `None` if the rule is no requirement.
#[must_use]
pub fn requirement_funnel(problem: &Problem, rule: FactId) -> Option<Funnel> {
    let Fact::Requires { requirement, alternatives, .. } = problem.fact(rule) else { return None };
    let pool = &problem.pool;
    let mut sieve = Sieve::new(Filter::Catalog(None), visible::entries(pool, None));
    narrow(pool, &mut sieve, requirement);
    let (on_chain, broken) = match reachable(pool, &sieve.left) {
        Ok(found) => (found, None),
        Err(error) => (BTreeSet::new(), Some(error)),
    };
    sieve.keep(Filter::Chain { broken }, |id| on_chain.contains(&id));
    let faulty = entries_with_fault(problem, alternatives);
    sieve.keep(Filter::Allowed, |id| !faulty.contains(&id));
    let hints = if sieve.is_dry() { hints::of_requirement(pool, &sieve.stages) } else { Vec::new() };
    Some(Funnel { stages: sieve.stages, hints })
}

/// One filter for each part of the requirement that must hold.
fn narrow(pool: &Pool, sieve: &mut Sieve<EntryId>, requirement: &Requirement) {
    match requirement {
        Requirement::Gvk(gvk) => {
            let of_source = |source| pool.index(source).of_gvk(gvk).iter().map(move |&at| pool.id(source, at));
            let provides: BTreeSet<EntryId> = pool.of_key(None).flat_map(of_source).collect();
            sieve.keep(Filter::Provides(gvk.clone()), |id| provides.contains(&id));
        }
        Requirement::Package { name, text, .. } => {
            sieve.keep(Filter::Package(name.clone()), |id| pool.entry(id).is_of(name.as_str()));
            let versions = listed_versions(pool, &sieve.left);
            let filter = Filter::InRange { range: text.clone(), versions };
            sieve.keep(filter, |id| meets(pool.entry(id), requirement));
        }
        Requirement::All(inner) => {
            for part in inner {
                narrow(pool, sieve, part);
            }
        }
        Requirement::Label(_) | Requirement::Any(_) | Requirement::Not(_) | Requirement::Cel { .. } => {
            sieve.keep(Filter::Meets(requirement.clone()), |id| meets(pool.entry(id), requirement));
        }
    }
}

fn listed_versions(pool: &Pool, entries: &[EntryId]) -> Vec<Version> {
    let found: BTreeSet<Version> = entries.iter().flat_map(|&id| versions(pool.entry(id))).collect();
    found.into_iter().collect()
}

/// The entries that are installed or on the chain of their channel.
pub(crate) fn reachable(pool: &Pool, entries: &[EntryId]) -> Result<BTreeSet<EntryId>, SortError> {
    let mut reachable = BTreeSet::new();
    let mut channels = BTreeMap::new();
    for &id in entries {
        let entry = pool.entry(id);
        if pool.is_existing(id) {
            reachable.insert(id);
        } else {
            channels.entry((pool.source_of(id), &entry.channel, &entry.package)).or_insert_with(Vec::new);
        }
    }
    if channels.is_empty() {
        return Ok(reachable);
    }
    for id in visible::entries(pool, None) {
        let entry = pool.entry(id);
        for package in packages(entry) {
            if let Some(channel) = channels.get_mut(&(pool.source_of(id), &entry.channel, package)) {
                channel.push(id);
            }
        }
    }
    for channel in channels.values() {
        reachable.extend(pool.channel_order(channel)?);
    }
    Ok(reachable)
}

/// All packages of an entry.
fn packages(entry: &Entry) -> BTreeSet<&PackageName> {
    let stated = entry.properties.iter().filter_map(|placed| match &placed.property {
        Property::Package { name, .. } => Some(name),
        _ => None,
    });
    stated.chain([&entry.package]).collect()
}
