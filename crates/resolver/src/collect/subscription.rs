//! Collects the bundles that a Subscription can install or keep.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`getSubscriptionVariables`).

use std::collections::{BTreeMap, BTreeSet};

use catalog::BundleName;
use cluster::SubscriptionSpec;

use super::Collector;
use crate::fact::{Fact, Missing, VarId, Variable};
use crate::pool::{EntryId, Pool, SourceId};
use crate::resolve::{GaveUp, Obstacle};

/// Adds the Subscription at an index with its candidates and all that these can depend on.
pub(super) fn add(collector: &mut Collector<'_>, at: usize) -> Vec<Obstacle> {
    let wanted = &collector.subscriptions[at];
    let pool = collector.pool;
    let current = wanted.installed_csv.as_ref().and_then(|name| pool.installed(name));
    let listed = match listed(collector, wanted, current.is_none()) {
        Ok(listed) => listed,
        Err(missing) => {
            let subscription = add_anchor(collector, at);
            collector.add_fact(subscription, Fact::NothingFound { subscription, missing });
            return Vec::new();
        }
    };
    let sorted = match by_channel(collector, &listed) {
        Ok(sorted) => sorted,
        Err(obstacle) => return vec![obstacle],
    };
    let checked: Vec<(EntryId, Follows)> = sorted.into_iter().map(|id| (id, follows(pool, id, current))).collect();
    let names: BTreeSet<&BundleName> =
        checked.iter().filter(|(_, follows)| follows.is_true).map(|(id, _)| &pool.entry(*id).name).collect();
    let by_name = by_name(pool, listed.into_iter().filter(|id| names.contains(&pool.entry(*id).name)));
    let mut groups = Vec::new();
    for (id, follows) in checked {
        follows.crash.into_iter().for_each(|crash| collector.give_up(crash));
        if follows.is_true {
            let group = by_name[&pool.entry(id).name].clone();
            let obstacles = collector.expand(group.iter().rev().copied().collect());
            if !obstacles.is_empty() {
                return obstacles;
            }
            groups.push(group);
        }
    }
    let subscription = add_anchor(collector, at);
    want(collector, subscription, &groups, current);
    Vec::new()
}

fn add_anchor(collector: &mut Collector<'_>, at: usize) -> VarId {
    let subscription = collector.add_variable(Variable::Subscription(at));
    collector.rules.anchors.push(subscription);
    collector.add_fact(subscription, Fact::Subscribed { subscription });
    subscription
}

/// The entries that the Subscription is about; `startingCSV` counts only while nothing is installed.
fn listed(collector: &Collector<'_>, wanted: &SubscriptionSpec, fresh: bool) -> Result<Vec<EntryId>, Missing> {
    let pool = collector.pool;
    let sources: Vec<SourceId> = pool.of_key(wanted.catalog.as_ref()).collect();
    if sources.iter().all(|&source| pool.entries_of(source).is_empty()) {
        return Err(Missing::Catalog);
    }
    let of_package = sources.into_iter().flat_map(|source| {
        pool.index(source).of_package(wanted.package.as_str()).iter().map(move |&at| pool.id(source, at))
    });
    let mut entries: Vec<EntryId> = of_package.collect();
    let mut narrow = |missing: Missing, keep: &dyn Fn(EntryId) -> bool| {
        entries.retain(|&id| keep(id));
        if entries.is_empty() { Err(missing) } else { Ok(()) }
    };
    narrow(Missing::Package, &|_| true)?;
    if let Some(channel) = &wanted.channel {
        narrow(Missing::Channel, &|id| pool.entry(id).channel == *channel)?;
    }
    if let Some(name) = wanted.starting_csv.as_ref().filter(|_| fresh) {
        narrow(Missing::StartingCsv, &|id| pool.entry(id).name == *name)?;
    }
    Ok(entries)
}

/// Channel by channel, the default one first, each from its head down.
fn by_channel(collector: &Collector<'_>, listed: &[EntryId]) -> Result<Vec<EntryId>, Obstacle> {
    let pool = collector.pool;
    let mut entries = listed.to_vec();
    entries.sort_by_key(|&id| (!pool.entry(id).default_channel, &pool.entry(id).channel));
    let mut sorted = Vec::new();
    for run in entries.chunk_by(|&a, &b| pool.entry(a).channel == pool.entry(b).channel) {
        sorted.extend(pool.channel_order(run).map_err(Obstacle::Order)?);
    }
    Ok(sorted)
}

/// Whether an installed bundle may jump to an entry.
struct Follows {
    is_true: bool,
    /// The range of the entry crashes.
    crash: Option<GaveUp>,
}

/// Whether what is installed may jump to the entry, if anything is installed.
fn follows(pool: &Pool, id: EntryId, current: Option<EntryId>) -> Follows {
    let Some(current) = current else { return Follows { is_true: true, crash: None } };
    let (entry, current) = (pool.entry(id), pool.entry(current));
    let by_name = entry.replaces.as_ref() == Some(&current.name) || entry.skips.contains(&current.name);
    let is_inside = entry.skip_range.as_ref().zip(current.version.as_ref()).map(|(range, own)| range.matches(own));
    let crash = matches!(is_inside, Some(Err(_)));
    Follows {
        is_true: by_name || matches!(is_inside, Some(Ok(true))),
        crash: crash.then(|| GaveUp::Crash { bundle: entry.name.clone(), span: entry.span }),
    }
}

/// By bundle name: its entries in all the channels that are wanted, the default channel first.
fn by_name(pool: &Pool, entries: impl Iterator<Item = EntryId>) -> BTreeMap<&BundleName, Vec<EntryId>> {
    let mut groups: BTreeMap<&BundleName, Vec<EntryId>> = BTreeMap::new();
    for id in entries {
        groups.entry(&pool.entry(id).name).or_default().push(id);
    }
    for group in groups.values_mut() {
        group.sort_by_key(|&id| (!pool.entry(id).default_channel, &pool.entry(id).channel));
    }
    groups
}

/// States the choice, and that an upgrade and what it replaces exclude each other.
fn want(collector: &mut Collector<'_>, subscription: VarId, groups: &[Vec<EntryId>], current: Option<EntryId>) {
    let mut alternatives = Vec::new();
    let mut ties = Vec::new();
    for group in groups {
        let start = alternatives.len();
        let mut seen = BTreeSet::new();
        for &id in group {
            let bundle = collector.bundle(id);
            if seen.insert(bundle) {
                alternatives.push(bundle);
            }
        }
        if seen.len() > 1 {
            ties.push(start..alternatives.len());
        }
    }
    if let Some(current) = current {
        let installed = collector.bundle(current);
        for upgrade in alternatives.iter().copied().collect::<BTreeSet<VarId>>() {
            supersede(collector, upgrade, installed, &collector.pool.entry(current).name);
        }
        alternatives.push(installed);
    }
    collector.add_fact(subscription, Fact::Wants { subscription, alternatives: alternatives.into(), ties });
}

fn supersede(collector: &mut Collector<'_>, upgrade: VarId, installed: VarId, name: &BundleName) {
    if let Variable::Bundle { upgrades, .. } = &mut collector.rules.variables[upgrade.0 as usize] {
        *upgrades = Some(name.clone());
    }
    collector.add_fact(upgrade, Fact::Supersedes { upgrade, installed });
}
