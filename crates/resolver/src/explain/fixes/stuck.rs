//! Silent trouble: a Subscription that has an answer and still cannot move, because no edge leads on.

use std::sync::Arc;

use catalog::{BundleName, ChannelName};

use super::propose::other_channels;
use super::{Fix, Install, changed};
use crate::explain::funnel::{chain, current};
use crate::explain::visible;
use crate::fact::{Fact, VarId};
use crate::pool::EntryId;
use crate::problem::Problem;
use crate::resolve::{Outcome, resolve};
use cluster::{CatalogKey, InputChange, SubscriptionSpec};

/// Most Subscriptions that get fixes.
const WITH_FIXES: usize = 3;

/// A Subscription whose only alternative is what it has, although its channel has something else at its head.
#[derive(Clone, Debug, PartialEq)]
pub struct Stuck {
    pub subscription: VarId,
    pub installed: BundleName,
    pub head: BundleName,
    /// The channel of the head.
    pub channel: ChannelName,
    /// Its catalog.
    pub catalog: CatalogKey,
    /// Why no edge leads on.
    pub at: StuckAt,
    /// Changes of the Subscription after which the next resolution moves it; of the first few Subscriptions only.
    pub fixes: Vec<Fix>,
}

/// Where a Subscription is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StuckAt {
    /// The channel does not list the installed bundle, nor does an entry of it lead on from there: the channel was
    /// changed to one without an edge, or the catalog dropped what was between.
    NotListed,
    /// The channel lists it, but nothing on the chain from the head follows it.
    Listed,
}

/// The Subscriptions that cannot move, by name. Only an outcome that is an answer has any.
#[must_use]
pub fn stuck(problem: &Problem, outcome: &Outcome) -> Vec<Stuck> {
    let Outcome::Resolved(_) = outcome else { return Vec::new() };
    let mut found = Vec::new();
    for (_, fact) in problem.facts() {
        if let Fact::Wants { subscription, alternatives, .. } = fact
            && alternatives.len() == 1
            && let Some(mut stuck) = find(problem, *subscription)
        {
            if found.len() < WITH_FIXES {
                stuck.fixes = fixes_for(problem, &stuck);
            }
            found.push(stuck);
        }
    }
    found
}

/// The Subscription, if it has something installed, its channel has a head, and there is no edge between them.
fn find(problem: &Problem, id: VarId) -> Option<Stuck> {
    let pool = &problem.pool;
    let wanted = problem.subscription(id)?;
    let from = current(problem, wanted)?;
    let installed = &pool.entry(from).name;
    let listed = |id: &EntryId| {
        let entry = pool.entry(*id);
        !pool.is_existing(*id) && wanted.channel.as_ref().is_none_or(|channel| entry.channel == *channel)
    };
    let entries = visible::of_package(pool, wanted.catalog.as_ref(), wanted.package.as_str());
    let entries: Vec<EntryId> = entries.into_iter().filter(listed).collect();
    let head = *chain(pool, &entries).ok()?.first()?;
    let channel = &pool.entry(head).channel;
    let own = entries.iter().map(|&id| pool.entry(id)).find(|entry| entry.name == *installed);
    // Without a channel, the head of any channel is an end.
    let is_end = own.is_some_and(|own| own.name == pool.entry(head).name || own.channel != *channel);
    let at = if own.is_some() { StuckAt::Listed } else { StuckAt::NotListed };
    let (installed, head_name) = (installed.clone(), pool.entry(head).name.clone());
    let (channel, catalog) = (channel.clone(), pool.key_of(head).clone());
    let stuck = Stuck { subscription: id, installed, head: head_name, channel, catalog, at, fixes: Vec::new() };
    (!is_end).then_some(stuck)
}

/// The changes that were tried and move the Subscription.
fn fixes_for(problem: &Problem, stuck: &Stuck) -> Vec<Fix> {
    let Some(wanted) = problem.subscription(stuck.subscription) else { return Vec::new() };
    let name = || Arc::clone(&wanted.name);
    let channels = other_channels(problem, wanted).into_iter().filter(|(follows, _)| *follows);
    let changes = channels.map(|(_, channel)| InputChange::Channel { subscription: name(), channel });
    changes.filter_map(|change| moved(problem, wanted, &stuck.installed, change)).collect()
}

fn moved(problem: &Problem, wanted: &SubscriptionSpec, installed: &BundleName, change: InputChange) -> Option<Fix> {
    let changes = vec![change];
    let changed = changed(problem.namespace(), &changes);
    let Outcome::Resolved(resolution) = resolve(&changed, changed.anchors()) else { return None };
    let moves = |install: &Install| install.replaces.as_ref() == Some(installed) && install.package == wanted.package;
    let installs: Vec<Install> = resolution.selected.into_iter().map(Install::from).collect();
    installs.iter().any(moves).then_some(Fix { changes, installs })
}
