//! Suggests other names if a filter leaves nothing.

use std::collections::BTreeSet;

use catalog::predicate::{Gvk, PackageName};
use source::nearest;

use super::{Filter, Hint, Stage};
use crate::entry::Entry;
use crate::explain::visible;
use crate::pool::{EntryId, Pool};
use cluster::{CatalogKey, SubscriptionSpec};

/// Most hints of one kind.
const MOST: usize = 3;

pub(super) fn of_subscription(pool: &Pool, subscription: &SubscriptionSpec, stages: &[Stage]) -> Vec<Hint> {
    let Some(last) = stages.last() else { return Vec::new() };
    let look = Look { pool, subscription };
    match &last.filter {
        Filter::Catalog(Some(key)) => look.catalogs(key),
        Filter::Package(name) => look.packages(name),
        Filter::Channel(_) => look.channels(),
        Filter::StartingCsv(_) => look.bundles(),
        _ => Vec::new(),
    }
}

pub(super) fn of_requirement(pool: &Pool, stages: &[Stage]) -> Vec<Hint> {
    match stages.last().map(|stage| &stage.filter) {
        Some(Filter::Package(name)) => {
            let all: BTreeSet<&PackageName> =
                visible::entries(pool, None).into_iter().map(|id| &pool.entry(id).package).collect();
            let near = nearest(name.as_str(), all.into_iter().map(PackageName::as_str));
            near.into_iter().map(|name| Hint::Package(name.into())).collect()
        }
        Some(Filter::Provides(gvk)) => apis(pool, gvk),
        _ => Vec::new(),
    }
}

struct Look<'p> {
    pool: &'p Pool,
    subscription: &'p SubscriptionSpec,
}

impl<'p> Look<'p> {
    /// The entries of the Subscription's catalog.
    fn own(&self) -> impl Iterator<Item = &'p Entry> {
        let pool = self.pool;
        visible::entries(pool, self.subscription.catalog.as_ref()).into_iter().map(|id| pool.entry(id))
    }

    /// The entries of its package.
    fn of_package(&self) -> impl Iterator<Item = &'p Entry> {
        let package = self.subscription.package.as_str();
        self.own().filter(move |entry| entry.is_of(package))
    }

    /// The visible catalogs with an entry that passes.
    fn others(&self, test: impl Fn(&Entry) -> bool) -> Vec<Hint> {
        let pool = self.pool;
        let offers = |id: &EntryId| !pool.is_existing(*id) && test(pool.entry(*id));
        let keys: BTreeSet<&CatalogKey> =
            visible::entries(pool, None).into_iter().filter(offers).map(|id| pool.key_of(id)).collect();
        let others = keys.into_iter().filter(|key| Some(*key) != self.subscription.catalog.as_ref());
        others.take(MOST).map(|key| Hint::InCatalog(key.clone())).collect()
    }

    fn catalogs(&self, wanted: &CatalogKey) -> Vec<Hint> {
        let mut hints = self.others(|entry| entry.is_of(self.subscription.package.as_str()));
        let keys = visible::catalogs(self.pool);
        let near = nearest(&wanted.name, keys.iter().map(|key| &*key.name));
        let meant =
            keys.into_iter().filter(|key| *key != wanted && (near.contains(&&*key.name) || key.name == wanted.name));
        let meant = meant.filter(|key| !hints.contains(&Hint::InCatalog(CatalogKey::clone(key))));
        let meant: Vec<Hint> = meant.take(MOST).map(|key| Hint::Catalog(key.clone())).collect();
        hints.extend(meant);
        hints
    }

    fn packages(&self, wanted: &PackageName) -> Vec<Hint> {
        let channel = self.subscription.channel.as_ref();
        let is_swapped = |entry: &Entry| {
            Some(entry.package.as_str()) == channel.map(|channel| channel.as_str())
                && entry.channel.as_str() == wanted.as_str()
        };
        let mut hints = Vec::new();
        if self.own().any(is_swapped) {
            hints.push(Hint::Swapped);
        }
        hints.extend(self.others(|entry| entry.is_of(wanted.as_str())));
        let names: BTreeSet<&str> = self.own().map(|entry| entry.package.as_str()).collect();
        hints.extend(nearest(wanted.as_str(), names).into_iter().map(|name| Hint::Package(name.into())));
        hints
    }

    fn channels(&self) -> Vec<Hint> {
        let Some(wanted) = &self.subscription.channel else { return Vec::new() };
        let names: BTreeSet<&str> = self.of_package().map(|entry| entry.channel.as_str()).collect();
        let near = nearest(wanted.as_str(), names);
        let mut hints: Vec<Hint> = near.iter().map(|name| Hint::Channel((*name).into())).collect();
        let default = self.of_package().find(|entry| entry.default_channel).map(|entry| entry.channel.clone());
        hints.extend(default.filter(|channel| !near.contains(&channel.as_str())).map(Hint::DefaultChannel));
        let package = self.subscription.package.as_str();
        hints.extend(self.others(|entry| entry.channel == *wanted && entry.is_of(package)));
        hints
    }

    fn bundles(&self) -> Vec<Hint> {
        let Some(wanted) = &self.subscription.starting_csv else { return Vec::new() };
        let channels: BTreeSet<_> =
            self.of_package().filter(|entry| entry.name == *wanted).map(|entry| entry.channel.clone()).collect();
        let mut hints: Vec<Hint> = channels.into_iter().take(MOST).map(Hint::InChannel).collect();
        let package = self.subscription.package.as_str();
        hints.extend(self.others(|entry| entry.name == *wanted && entry.is_of(package)));
        let channel = self.subscription.channel.as_ref();
        let listed: Vec<&Entry> =
            self.of_package().filter(|entry| channel.is_none_or(|channel| entry.channel == *channel)).collect();
        // A version where the name of a CSV is wanted.
        let version = wanted.as_str().trim_start_matches('v');
        let is_it = |entry: &&Entry| entry.version.as_ref().is_some_and(|one| one.to_string() == version);
        let same: BTreeSet<&str> = listed.iter().copied().filter(is_it).map(|entry| entry.name.as_str()).collect();
        let near = nearest(wanted.as_str(), listed.iter().map(|entry| entry.name.as_str()));
        let near = near.into_iter().filter(|name| !same.contains(name));
        hints.extend(same.iter().copied().chain(near).map(|name| Hint::Bundle(name.into())));
        hints
    }
}

/// The same kind in the same group first, then the same kind, then similar kinds.
fn apis(pool: &Pool, wanted: &Gvk) -> Vec<Hint> {
    let all: BTreeSet<&Gvk> =
        pool.of_key(None).flat_map(|source| pool.index(source).gvks()).map(|(gvk, _)| gvk).collect();
    let kinds: BTreeSet<&str> = all.iter().map(|gvk| &*gvk.kind).collect();
    let near = nearest(&wanted.kind, kinds);
    let rank = |gvk: &Gvk| match (gvk.kind == wanted.kind, gvk.group == wanted.group) {
        (true, true) => Some(0),
        (true, false) => Some(1),
        (false, true) if near.contains(&&*gvk.kind) => Some(2),
        (false, _) => None,
    };
    let mut ranked: Vec<(u8, &Gvk)> = all.into_iter().filter_map(|gvk| Some((rank(gvk)?, gvk))).collect();
    ranked.sort_unstable();
    ranked.into_iter().take(MOST).map(|(_, gvk)| Hint::Api(gvk.clone())).collect()
}
