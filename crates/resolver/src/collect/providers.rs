//! Finds the bundles that meet a requirement, best first.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`getBundleVariables`,
//! `sortBundles`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::predicate::{Requirement, Unevaluated};
use update_graph::SortError;

use super::Collector;
use crate::fact::VarId;
use crate::index::{At, Stated};
use crate::lookup::Matches;
use crate::pool::{EXISTING, EntryId};
use crate::ranked::rank;
use crate::unresolvable::{GaveUp, Obstacle};

/// The number of a list of providers, or what stands in the way.
pub(super) type ProviderSet = Result<u32, Obstacle>;

/// The bundles that meet a requirement, best first.
#[derive(Debug)]
pub(super) struct Providers {
    pub(super) entries: Vec<EntryId>,
    pub(super) alternatives: Arc<[VarId]>,
    /// All from here on have entered the problem.
    pub(super) visited_from: usize,
}

impl Collector<'_> {
    /// The entries that meet a requirement of `own`, best first. The whole channel of each is sorted before its other
    /// entries are left out, so skipped entries are left out too, and a channel without an order is an error.
    pub(super) fn providers(&mut self, own: EntryId, stated: Stated) -> ProviderSet {
        let place = (self.pool.source_of(own).index(), stated.number as usize);
        if let Some(found) = &self.memo[place.0][place.1] {
            return found.clone();
        }
        let found = self.find_providers(own, stated);
        self.memo[place.0][place.1] = Some(found.clone());
        found
    }

    fn find_providers(&mut self, own: EntryId, stated: Stated) -> ProviderSet {
        let pool = self.pool;
        let source = pool.source_of(own);
        let requirement = pool.index(source).requirement(stated.number);
        let precomputed = pool.precomputed(source, stated.number);
        let mut matches = Vec::new();
        for other in pool.sources() {
            if other == source && precomputed.is_some() {
                matches.push(Vec::new());
                continue;
            }
            let matching = Matches::of(pool.index(other), pool.entries_of(other), requirement, &mut self.fuel);
            if let Some(unknown) = matching.unknown {
                self.cannot_tell(own, stated, requirement, &unknown);
            }
            matches.push(matching.entries);
        }
        let mut entries = Vec::new();
        for &other in pool.preferred(source) {
            let matching = &matches[other.index()];
            match precomputed.filter(|_| other == source) {
                Some(ranked) => {
                    let ranked = ranked.as_ref().map_err(|error| Obstacle::Order(error.clone()))?;
                    entries.extend(ranked.iter().map(|&at| pool.id(other, at)));
                }
                None if other == EXISTING => entries.extend(self.sort_installed(matching).map_err(Obstacle::Order)?),
                None => {
                    let ranked = rank(pool.index(other), pool.entries_of(other), matching).map_err(Obstacle::Order)?;
                    entries.extend(ranked.into_iter().map(|at| pool.id(other, at)));
                }
            }
        }
        let alternatives = entries.iter().map(|&entry| self.bundle(entry)).collect();
        let number = u32::try_from(self.lists.len()).expect("a problem has fewer than 2^32 requirements");
        self.lists.push(Providers { visited_from: entries.len(), entries, alternatives });
        self.rules.shared_lists = number + 1;
        Ok(number)
    }

    /// An installed CSV is a channel of its own, but of several with the same package and the same Subscription, or
    /// none, the first stands for all. Those of one package are then put in order as if they were one channel.
    fn sort_installed(&self, matching: &[At]) -> Result<Vec<EntryId>, SortError> {
        let mut owners = BTreeSet::new();
        let mut channels: BTreeMap<_, Vec<EntryId>> = BTreeMap::new();
        for &at in matching {
            let id = self.pool.id(EXISTING, at);
            let package = &self.pool.entry(id).package;
            if owners.insert((package, self.owner(id))) {
                channels.entry(package).or_default().push(id);
            }
        }
        let mut sorted = Vec::new();
        for channel in channels.values() {
            sorted.extend(self.pool.channel_order(channel)?);
        }
        Ok(sorted)
    }

    fn cannot_tell(&mut self, own: EntryId, stated: Stated, requirement: &Requirement, why: &Unevaluated) {
        let bundle = self.pool.entry(own).name.clone();
        let span = stated.span;
        self.give_up(match why {
            Unevaluated::Cel { why, .. } => {
                GaveUp::Cel { bundle, requirement: requirement.to_string().into(), why: why.clone(), span }
            }
            Unevaluated::Range { .. } => GaveUp::Crash { bundle, span },
        });
    }
}
