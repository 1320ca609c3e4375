//! Which bundles meet a requirement, best first.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`getBundleVariables`,
//! `sortBundles`).

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use predicate::{Requirement, Unevaluated};

use crate::fact::VarId;
use crate::gather::Gather;
use crate::index::{At, Stated};
use crate::lookup::Meeting;
use crate::pool::{EXISTING, EntryId, Pool, SourceId};
use crate::problem::{GaveUp, Obstacle};

/// The alternatives of a requirement, or what stands in the way.
pub(crate) type Found = Result<Providers, Obstacle>;

/// What meets a requirement, best first.
#[derive(Clone, Debug)]
pub(crate) struct Providers {
    pub(crate) entries: Arc<[EntryId]>,
    pub(crate) alternatives: Arc<[VarId]>,
    /// The number of the list of alternatives.
    pub(crate) number: u32,
}

impl Gather<'_> {
    /// The entries that meet a requirement of `own`, best first. The whole channel of each is put in order before the
    /// others of it are left out, so a skipped entry is none and a channel without an order is an error.
    pub(crate) fn providers(&mut self, own: EntryId, stated: Stated) -> Found {
        let source = self.pool.source_of(own);
        if let Some(found) = self.memo.get(&(source, stated.number)) {
            return found.clone();
        }
        let found = self.find_providers(own, stated);
        self.memo.insert((source, stated.number), found.clone());
        found
    }

    fn find_providers(&mut self, own: EntryId, stated: Stated) -> Found {
        let pool = self.pool;
        let source = pool.source_of(own);
        let requirement = pool.index(source).requirement(stated.number);
        let mut meetings: BTreeMap<SourceId, Vec<At>> = BTreeMap::new();
        for source in pool.sources() {
            let meeting = Meeting::of(pool.index(source), pool.entries_of(source), requirement, &mut self.fuel);
            if let Some(unknown) = meeting.unknown {
                self.cannot_tell(own, stated, requirement, &unknown);
            }
            meetings.insert(source, meeting.entries);
        }
        let mut entries = Vec::new();
        for &source in pool.preferred(source) {
            let meeting = &meetings[&source];
            let channels =
                if source == EXISTING { self.installed_channels(meeting) } else { channels(pool, source, meeting) };
            for channel in channels {
                let order = pool.channel_order(&channel).map_err(Obstacle::Order)?;
                entries.extend(order.into_iter().filter(|&id| meeting.binary_search(&pool.place(id).1).is_ok()));
            }
        }
        let alternatives = entries.iter().map(|&entry| self.bundle(entry)).collect();
        let number = self.rules.shared_lists;
        self.rules.shared_lists += 1;
        Ok(Providers { entries: entries.into(), alternatives, number })
    }

    /// An installed CSV is a channel of its own, but of several with the same package and the same Subscription, or none,
    /// the first stands for all. Those of one package are then put in order as if they were one channel.
    fn installed_channels(&self, meeting: &[At]) -> Vec<Vec<EntryId>> {
        let mut owners = BTreeSet::new();
        let mut channels: BTreeMap<_, Vec<EntryId>> = BTreeMap::new();
        for &at in meeting {
            let id = self.pool.id(EXISTING, at);
            let package = &self.pool.entry(id).package;
            if owners.insert((package, self.owner(id))) {
                channels.entry(package).or_default().push(id);
            }
        }
        channels.into_values().collect()
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

/// All entries of the channels that the given ones lie in: channels of defaults first, then by package and name.
fn channels(pool: &Pool, source: SourceId, meeting: &[At]) -> Vec<Vec<EntryId>> {
    let (index, entries) = (pool.index(source), pool.entries_of(source));
    let numbers: BTreeSet<u32> = meeting.iter().map(|&at| index.channel_of(at)).collect();
    let mut listed: BTreeMap<u32, Vec<At>> = BTreeMap::new();
    for &number in &numbers {
        let channel = index.channel(number);
        listed.insert(number, channel.members.clone());
        for &guest in channel.guests.iter().filter(|&&guest| !numbers.contains(&index.channel_of(guest))) {
            listed.entry(index.channel_of(guest)).or_default().push(guest);
        }
    }
    let mut channels: Vec<Vec<At>> = listed.into_values().collect();
    for members in &mut channels {
        members.sort_unstable();
        members.dedup();
    }
    // Stable: by package and name already.
    channels.sort_by_key(|members| !entries[members[0] as usize].default_channel);
    channels.into_iter().map(|members| members.into_iter().map(|at| pool.id(source, at)).collect()).collect()
}
