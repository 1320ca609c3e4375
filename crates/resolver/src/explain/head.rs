//! The channel heads that a Subscription can reach if nothing prevents it.

use catalog::BundleName;

use crate::cluster::Subscription;
use crate::explain::funnel::chain;
use crate::explain::visible;
use crate::pool::EntryId;
use crate::problem::Problem;

/// The heads of the channels that a Subscription follows: of its own channel, or of every channel of its package if it
/// names none, the default channel first. Empty if no visible catalog has such a channel or OLM cannot order one of them.
#[must_use]
pub fn heads(problem: &Problem, subscription: &Subscription) -> Vec<BundleName> {
    let pool = &problem.pool;
    let entries = visible::of_package(pool, subscription.catalog.as_ref(), subscription.package.as_str());
    let is_followed = |channel| subscription.channel.as_ref().is_none_or(|wanted| wanted == channel);
    let is_candidate = |id: &EntryId| !pool.is_existing(*id) && is_followed(&pool.entry(*id).channel);
    let entries: Vec<EntryId> = entries.into_iter().filter(is_candidate).collect();
    let chains = chain(pool, &entries).unwrap_or_default();
    let heads = chains.chunk_by(|&a, &b| pool.entry(a).channel == pool.entry(b).channel);
    heads.map(|chain| pool.entry(chain[0]).name.clone()).collect()
}
