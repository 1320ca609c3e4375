//! What a namespace sees of a package: entries, the edges that lead to them, and heads of channels that a Subscription
//! could have.

use std::collections::BTreeSet;

use catalog::BundleName;
use cluster::{CatalogKey, SubscriptionSpec};
use go_semver::blang::Version;
use update_graph::Via;

use crate::explain::funnel::chain;
use crate::explain::why_not::EntryRef;
use crate::pool::{EntryId, Pool};
use crate::problem::Problem;
use crate::snapshot::Entry;

/// The entries of one catalog, or all of them for no key, installed ones included.
pub(crate) fn entries(pool: &Pool, key: Option<&CatalogKey>) -> Vec<EntryId> {
    let ids = |source| (0..).zip(pool.entries_of(source)).map(move |(at, _)| pool.id(source, at));
    pool.of_key(key).flat_map(ids).collect()
}

pub(crate) fn catalogs(pool: &Pool) -> BTreeSet<&CatalogKey> {
    let keys = entries(pool, None).into_iter().map(|id| pool.key_of(id));
    keys.filter(|key| !key.is_existing()).collect()
}

/// The entries of a package, of one catalog or of all.
pub(crate) fn of_package(pool: &Pool, key: Option<&CatalogKey>, package: &str) -> Vec<EntryId> {
    let of_source = |source| pool.index(source).of_package(package).iter().map(move |&at| pool.id(source, at));
    pool.of_key(key).flat_map(of_source).collect()
}

// Update edges, as a Subscription's candidates have them (operator-lifecycle-manager
// `pkg/controller/registry/resolver/cache/predicates.go`).

/// How the installed `name` of this version can be updated to the entry. A range that crashes OLM leads nowhere.
pub(crate) fn edge(entry: &Entry, name: &BundleName, version: Option<&Version>) -> Option<Via> {
    if entry.replaces.as_ref() == Some(name) {
        return Some(Via::Replaces);
    }
    if entry.skips.contains(name) {
        return Some(Via::Skips);
    }
    let inside = entry.skip_range.as_ref()?.matches(version?).unwrap_or(false);
    inside.then_some(Via::SkipRange)
}

// What a Subscription could have: the heads of its channels, and CSVs of its package that it does not own.

/// The heads of the channels that a Subscription follows: of its own channel, or of every channel of its package if it
/// names none, the default channel first. Empty if no visible catalog has such a channel or OLM cannot order one of them.
#[must_use]
pub fn heads(problem: &Problem, subscription: &SubscriptionSpec) -> Vec<EntryRef> {
    let pool = &problem.pool;
    let is_followed = |channel| subscription.channel.as_ref().is_none_or(|wanted| wanted == channel);
    let is_candidate = |id: &EntryId| !pool.is_existing(*id) && is_followed(&pool.entry(*id).channel);
    let entries: Vec<EntryId> = of_subscribed_package(problem, subscription).into_iter().filter(is_candidate).collect();
    let chains = chain(pool, &entries).unwrap_or_default();
    let heads = chains.chunk_by(|&a, &b| pool.entry(a).channel == pool.entry(b).channel).map(|chain| chain[0]);
    let entry = |id| {
        let (catalog, entry) = (pool.key_of(id).clone(), pool.entry(id));
        let (package, channel, name) = (entry.package.clone(), entry.channel.clone(), entry.name.clone());
        EntryRef { catalog, package, channel, name }
    };
    heads.map(entry).collect()
}

/// The installed CSVs of a Subscription's package that no Subscription owns: those with its package as property, or with
/// the name of one of its bundles.
#[must_use]
pub fn unowned_csvs<'p>(problem: &'p Problem, subscription: &SubscriptionSpec) -> Vec<&'p BundleName> {
    let pool = &problem.pool;
    let owned: BTreeSet<&BundleName> =
        problem.subscriptions().iter().filter_map(|one| one.installed_csv.as_ref()).collect();
    let bundles = of_subscribed_package(problem, subscription);
    let is_of = |id: &EntryId| {
        let entry = pool.entry(*id);
        let is_bundle = |other: &EntryId| !pool.is_existing(*other) && pool.entry(*other).name == entry.name;
        entry.is_of(subscription.package.as_str()) || bundles.iter().any(is_bundle)
    };
    let name = |id| &pool.entry(id).name;
    pool.existing().filter(|&id| !owned.contains(name(id))).filter(is_of).map(name).collect()
}

fn of_subscribed_package(problem: &Problem, subscription: &SubscriptionSpec) -> Vec<EntryId> {
    of_package(&problem.pool, subscription.catalog.as_ref(), subscription.package.as_str())
}
