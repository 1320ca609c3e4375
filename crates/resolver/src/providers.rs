//! Which bundles meet a requirement, best first.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`getBundleVariables`,
//! `sortBundles`).

use std::collections::BTreeSet;

use predicate::{Requirement, Unevaluated};
use source::Span;

use crate::entry::PlacedProperty;
use crate::gather::Gather;
use crate::pool::EntryId;
use crate::problem::{GaveUp, Obstacle};

impl Gather<'_> {
    /// What the entry requires, in property order.
    pub(crate) fn requirements(&self, entry: EntryId) -> Result<Vec<(Requirement, Option<Span>)>, Obstacle> {
        let entry = self.pool.entry(entry);
        let mut requirements = Vec::new();
        for placed in entry.properties.iter() {
            match Requirement::of(&placed.property) {
                None => {}
                Some(Ok(requirement)) => requirements.push((requirement, placed.span)),
                Some(Err(error)) => {
                    return Err(Obstacle::Requirement { bundle: entry.name.clone(), span: placed.span, error });
                }
            }
        }
        Ok(requirements)
    }

    /// The entries that meet a requirement of `own`, best first. The whole channel of each is put in order before the
    /// others of it are left out, so a skipped entry is none and a channel without an order is an error.
    pub(crate) fn providers(&mut self, own: EntryId, requirement: &Requirement) -> Result<Vec<EntryId>, Obstacle> {
        let source = self.pool.source_of(own);
        let known = self.memo.iter().find(|(of, what, _)| *of == source && what == requirement);
        if let Some((_, _, found)) = known {
            return found.clone();
        }
        let found = self.find_providers(own, requirement);
        self.memo.push((source, requirement.clone(), found.clone()));
        found
    }

    fn find_providers(&mut self, own: EntryId, requirement: &Requirement) -> Result<Vec<EntryId>, Obstacle> {
        let pool = self.pool;
        let mut meeting: BTreeSet<EntryId> = BTreeSet::new();
        for id in pool.entries() {
            if self.meets(own, id, requirement) {
                meeting.insert(id);
            }
        }
        let channels = self.channels_of(&meeting);
        let sorted = pool.sorted(&channels, pool.source_of(own)).map_err(Obstacle::Order)?;
        Ok(sorted.into_iter().filter(|id| meeting.contains(id)).collect())
    }

    /// All entries of the channels that the given ones lie in. An installed CSV is a channel of its own, but of several
    /// with the same package and the same Subscription, or none, the first stands for all.
    fn channels_of(&self, meeting: &BTreeSet<EntryId>) -> Vec<EntryId> {
        let pool = self.pool;
        let mut owners = BTreeSet::new();
        let mut channels = BTreeSet::new();
        let mut entries = Vec::new();
        for &id in meeting {
            let entry = pool.entry(id);
            if !pool.is_existing(id) {
                channels.insert((pool.source_of(id), &entry.package, &entry.channel));
            } else if owners.insert((&entry.package, self.owner(id))) {
                entries.push(id);
            }
        }
        let listed = |id: &EntryId| {
            let entry = pool.entry(*id);
            channels.iter().any(|(source, package, channel)| {
                pool.source_of(*id) == *source && entry.channel == **channel && entry.is_of(package.as_str())
            })
        };
        entries.extend(pool.entries().filter(listed));
        entries
    }

    /// Whether the entry `id` meets a requirement of `own`; where that cannot be told, the whole problem is given up.
    fn meets(&mut self, own: EntryId, id: EntryId, requirement: &Requirement) -> bool {
        let (own, entry) = (self.pool.entry(own), self.pool.entry(id));
        let properties = entry.properties.iter().map(|placed| &placed.property);
        match requirement.holds(&entry.package, entry.version.as_ref(), properties) {
            Ok(met) => met,
            Err(why) => {
                let says = |placed: &&PlacedProperty| {
                    Requirement::of(&placed.property).is_some_and(|stated| stated.as_ref() == Ok(requirement))
                };
                let span = own.properties.iter().find(says).and_then(|placed| placed.span);
                let bundle = own.name.clone();
                self.give_up(match why {
                    Unevaluated::Cel { .. } => {
                        GaveUp::Cel { bundle, requirement: requirement.to_string().into(), span }
                    }
                    Unevaluated::Range { .. } => GaveUp::Crash { bundle, span },
                });
                false
            }
        }
    }
}
