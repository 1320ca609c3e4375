//! Which bundles meet a requirement, best first.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`getBundleVariables`,
//! `sortBundles`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use predicate::{Requirement, Unevaluated};
use update_graph::SortError;

use crate::fact::VarId;
use crate::gather::Gather;
use crate::index::{At, Stated};
use crate::lookup::Meeting;
use crate::pool::{EXISTING, EntryId, Pool, SourceId};
use crate::problem::{GaveUp, Obstacle};

/// The number of a list of providers, or what stands in the way.
pub(crate) type Found = Result<u32, Obstacle>;

/// What meets a requirement, best first.
#[derive(Debug)]
pub(crate) struct Providers {
    pub(crate) entries: Vec<EntryId>,
    pub(crate) alternatives: Arc<[VarId]>,
    /// Whether all of them are known to have entered the problem.
    pub(crate) all_visited: bool,
}

impl Gather<'_> {
    /// The entries that meet a requirement of `own`, best first. The whole channel of each is put in order before the
    /// others of it are left out, so a skipped entry is none and a channel without an order is an error.
    pub(crate) fn providers(&mut self, own: EntryId, stated: Stated) -> Found {
        let place = (self.pool.source_of(own).index(), stated.number as usize);
        if let Some(found) = &self.memo[place.0][place.1] {
            return found.clone();
        }
        let found = self.find_providers(own, stated);
        self.memo[place.0][place.1] = Some(found.clone());
        found
    }

    fn find_providers(&mut self, own: EntryId, stated: Stated) -> Found {
        let pool = self.pool;
        let source = pool.source_of(own);
        let requirement = pool.index(source).requirement(stated.number);
        let mut meetings = Vec::new();
        for source in pool.sources() {
            let meeting = Meeting::of(pool.index(source), pool.entries_of(source), requirement, &mut self.fuel);
            if let Some(unknown) = meeting.unknown {
                self.cannot_tell(own, stated, requirement, &unknown);
            }
            meetings.push(meeting.entries);
        }
        let mut entries = Vec::new();
        for &source in pool.preferred(source) {
            let meeting = &meetings[source.index()];
            let sorted = if source == EXISTING { self.sort_installed(meeting) } else { sort(pool, source, meeting) };
            entries.extend(sorted.map_err(Obstacle::Order)?);
        }
        let alternatives = entries.iter().map(|&entry| self.bundle(entry)).collect();
        let number = u32::try_from(self.lists.len()).expect("a problem has fewer than 2^32 requirements");
        self.lists.push(Providers { entries, alternatives, all_visited: false });
        self.rules.shared_lists = number + 1;
        Ok(number)
    }

    /// An installed CSV is a channel of its own, but of several with the same package and the same Subscription, or none,
    /// the first stands for all. Those of one package are then put in order as if they were one channel.
    fn sort_installed(&self, meeting: &[At]) -> Result<Vec<EntryId>, SortError> {
        let mut owners = BTreeSet::new();
        let mut channels: BTreeMap<_, Vec<EntryId>> = BTreeMap::new();
        for &at in meeting {
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

/// The given entries, in ascending order, as the channels of defaults come first, then by package and channel, there from
/// the head down.
fn sort(pool: &Pool, source: SourceId, meeting: &[At]) -> Result<Vec<EntryId>, SortError> {
    let index = pool.index(source);
    let mut channels: Vec<u32> = meeting.iter().map(|&at| index.channel_of(at)).collect();
    channels.sort_unstable();
    channels.dedup();
    if channels.iter().any(|&channel| !index.channel(channel).guests.is_empty()) {
        return sort_with_guests(pool, source, meeting, &channels);
    }
    // Stable: by package and name already.
    channels.sort_by_key(|&channel| !is_default(pool, source, &index.channel(channel).members));
    let mut sorted = Vec::with_capacity(meeting.len());
    for channel in channels {
        let order = index.channel(channel).order.as_ref().map_err(SortError::clone)?;
        let meeting = order.iter().filter(|at| meeting.binary_search(at).is_ok());
        sorted.extend(meeting.map(|&at| pool.id(source, at)));
    }
    Ok(sorted)
}

fn is_default(pool: &Pool, source: SourceId, members: &[At]) -> bool {
    pool.entries_of(source)[members[0] as usize].default_channel
}

/// The same where entries of one package claim to be of another: the channels of both are then put in order, of the former
/// only the entries that claim so.
fn sort_with_guests(pool: &Pool, source: SourceId, meeting: &[At], numbers: &[u32]) -> Result<Vec<EntryId>, SortError> {
    let index = pool.index(source);
    let mut listed: BTreeMap<u32, Vec<At>> = BTreeMap::new();
    for &number in numbers {
        let channel = index.channel(number);
        listed.insert(number, channel.members.clone());
        for &guest in channel.guests.iter().filter(|&&guest| numbers.binary_search(&index.channel_of(guest)).is_err()) {
            listed.entry(index.channel_of(guest)).or_default().push(guest);
        }
    }
    let mut channels: Vec<Vec<At>> = listed.into_values().collect();
    for members in &mut channels {
        members.sort_unstable();
        members.dedup();
    }
    channels.sort_by_key(|members| !is_default(pool, source, members));
    let mut sorted = Vec::new();
    for members in channels {
        let members: Vec<EntryId> = members.into_iter().map(|at| pool.id(source, at)).collect();
        let order = pool.channel_order(&members)?;
        sorted.extend(order.into_iter().filter(|&id| meeting.binary_search(&pool.place(id).1).is_ok()));
    }
    Ok(sorted)
}
