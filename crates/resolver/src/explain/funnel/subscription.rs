//! The candidates of a Subscription (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`, `getSubscriptionVariables`).

use std::collections::BTreeSet;

use catalog::BundleName;
use update_graph::SortError;

use super::{Filter, Funnel, Sieve, hints};
use crate::explain::edge::edge;
use crate::explain::intrinsic_fault::entries_with_fault;
use crate::explain::visible;
use crate::fact::{FactId, VarId};
use crate::pool::{EntryId, Pool};
use crate::problem::Problem;
use cluster::SubscriptionSpec;

/// Filters the entries for the candidates of a Subscription. Does not count the installed bundle, which it can keep.
#[must_use]
pub fn subscription_funnel(problem: &Problem, subscription: &SubscriptionSpec) -> Funnel {
    let pool = &problem.pool;
    let current = current(problem, subscription);
    let catalog = subscription.catalog.as_ref();
    let mut sieve = Sieve::new(Filter::Catalog(catalog.cloned()), visible::entries(pool, catalog));
    let package = subscription.package.as_str();
    sieve.leave(Filter::Package(subscription.package.clone()), || visible::of_package(pool, catalog, package));
    if let Some(channel) = &subscription.channel {
        sieve.keep(Filter::Channel(channel.clone()), |id| pool.entry(id).channel == *channel);
    }
    if let Some(name) = subscription.starting_csv.as_ref().filter(|_| current.is_none()) {
        sieve.keep(Filter::StartingCsv(name.clone()), |id| pool.entry(id).name == *name);
    }
    let (chain, broken) = match chain(pool, &sieve.left) {
        Ok(chain) => (chain, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let on_chain: BTreeSet<EntryId> = chain.into_iter().collect();
    sieve.keep(Filter::Chain { broken }, |id| on_chain.contains(&id));
    if let Some(current) = current.map(|id| pool.entry(id)) {
        let follows = |id| edge(pool.entry(id), &current.name, current.version.as_ref()).is_some();
        sieve.keep(Filter::Follows(current.name.clone()), follows);
    }
    let faulty = choice(problem, subscription).map(|choice| entries_with_fault(problem, alternatives(problem, choice)));
    let faulty = faulty.unwrap_or_default();
    sieve.keep(Filter::Allowed, |id| !faulty.contains(&id));
    let hints = if sieve.is_dry() { hints::of_subscription(pool, subscription, &sieve.stages) } else { Vec::new() };
    Funnel { stages: sieve.stages, hints }
}

/// The choice of a Subscription; absent if it found nothing.
pub(crate) fn choice(problem: &Problem, subscription: &SubscriptionSpec) -> Option<FactId> {
    let is = |id: &&VarId| problem.subscription(**id).is_some_and(|known| known.name == subscription.name);
    let id = problem.anchors().iter().find(is)?;
    problem.rules.choices[id.0 as usize].first().copied()
}

fn alternatives(problem: &Problem, choice: FactId) -> &[VarId] {
    problem.fact(choice).alternatives().unwrap_or_default()
}

/// The installed CSV of a Subscription, if it is there.
pub(crate) fn current(problem: &Problem, subscription: &SubscriptionSpec) -> Option<EntryId> {
    let is = |name: &BundleName| subscription.installed_csv.as_ref() == Some(name);
    problem.pool.existing().find(|&id| is(&problem.pool.entry(id).name))
}

/// The entries on the chains of their channels, each chain from its head down.
pub(crate) fn chain(pool: &Pool, entries: &[EntryId]) -> Result<Vec<EntryId>, SortError> {
    let mut entries = entries.to_vec();
    let key = |id: EntryId| (!pool.entry(id).default_channel, &pool.entry(id).channel);
    entries.sort_by(|&a, &b| key(a).cmp(&key(b)));
    let mut chain = Vec::new();
    for run in entries.chunk_by(|&a, &b| pool.entry(a).channel == pool.entry(b).channel) {
        chain.extend(pool.channel_order(run)?);
    }
    Ok(chain)
}
