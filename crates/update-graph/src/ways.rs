//! Ways to other channels: where updates end after a Subscription changes its channel, once or several times.

use crate::channel_map::{Head, MappedChannel, channels_in_order, safety};
use crate::{Installables, UpdateChain, Walks, version_of};
use catalog::{BundleName, Channel, Package};
use std::cmp::Reverse;

/// The most pairs of [`Ways::of_several`].
const MAX_PAIRS: usize = 500_000;

/// The channels of a package, with where the updates of each installed version end in them.
#[derive(Clone, Debug)]
pub struct Ways<'c> {
    /// The one with the newest head first; channels that OLM cannot order last.
    pub channels: Vec<MappedChannel<'c>>,
    /// How many channels are left out.
    pub omitted: usize,
    rows: Installables<'c>,
    /// By channel and row; empty if OLM cannot order the channel.
    walks: Vec<Walks>,
}

impl<'c> Ways<'c> {
    /// The ways of a package, also from `installed` versions that it no longer knows. Of more than `most` channels, it has
    /// those with the newest heads.
    #[must_use]
    pub fn of(package: &'c Package, installed: &'c [BundleName], most: usize) -> Self {
        let default = package.default_channel.as_ref().map(|name| &name.value);
        let mapped = |channel: &'c Channel| {
            let chain = UpdateChain::of(package, channel);
            let head = chain.as_ref().ok().and_then(|chain| chain.entries.first()).map(|entry| &entry.name.value);
            let head = head.map(|name| Head { version: version_of(package, name), name });
            let (problem, is_default) = (chain.as_ref().err().cloned(), default == Some(&channel.name.value));
            (MappedChannel { channel, head, is_default, problem, dead_end: false }, chain.ok())
        };
        let mut all: Vec<_> = channels_in_order(package).into_iter().map(mapped).collect();
        all.sort_by(|(a, _), (b, _)| Reverse(&a.head).cmp(&Reverse(&b.head)));
        let omitted = all.len().saturating_sub(most);
        all.truncate(most);
        let rows = Installables::with(package, installed);
        let (channels, chains): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let walks = chains.iter().map(|chain| chain.as_ref().map(|chain| Walks::new(rows.next_rows(chain))));
        let walks = walks.map(Option::unwrap_or_default).collect();
        let mut ways = Self { channels, omitted, rows, walks };
        for at in 0..ways.channels.len() {
            let is_dead_end = |head: &Head<'c>| ways.is_newer(0, at) && !ways.leads_on(head.name, at);
            ways.channels[at].dead_end = ways.channels[at].head.as_ref().is_some_and(is_dead_end);
        }
        ways
    }

    /// The number of updates from an installed version to the head of a channel, if they end there.
    #[must_use]
    pub fn hops(&self, from: &BundleName, to: usize) -> Option<u32> {
        let head = self.rows.row_of(self.channels[to].head.as_ref()?.name)?;
        let walk = self.walks[to].walk(self.rows.row_of(from)?);
        (walk.end == head && !walk.repeats).then_some(walk.hops as u32)
    }

    /// The switches of an installed version of a channel to those with a higher head, the newest first: such a channel lists the
    /// version, or has an update from it, and OLM's updates from there end at the head. Each is the channel, and the entry of it
    /// that one comes to first.
    pub fn switches(&self, from: &'c BundleName, channel: usize) -> impl Iterator<Item = (usize, &'c BundleName)> {
        let newer = (0..self.channels.len()).filter(move |to| self.is_newer(*to, channel));
        newer.filter_map(move |to| {
            self.hops(from, to)?;
            let is_listed = self.channels[to].channel.entry(from.as_str()).is_some();
            let next = || self.walks[to].next(self.rows.row_of(from)?).map(|row| self.rows.rows[row].name);
            Some((to, if is_listed { from } else { next()? }))
        })
    }

    /// Whether an installed version of a channel has a way to one with a higher head.
    #[must_use]
    pub fn leads_on(&self, from: &'c BundleName, channel: usize) -> bool {
        self.switches(from, channel).next().is_some()
    }

    /// Whether the head of a channel has no way on, although its users miss a newer version.
    #[must_use]
    pub fn is_dead_end(&self, channel: usize) -> bool {
        self.channels[channel].dead_end && self.missed_by(channel).next().is_some()
    }

    /// The ways of a package of several channels, unless it has too many pairs of a channel and a version, or of two
    /// channels: where the updates of every version end is computed for every channel, in some 60 bytes each. Real
    /// packages have some thousands of pairs.
    #[must_use]
    pub fn of_several(package: &'c Package) -> Option<Self> {
        let channels = package.channels.len();
        let pairs = || channels.saturating_mul(channels.max(Installables::of(package).rows.len()));
        (channels > 1 && pairs() <= MAX_PAIRS).then(|| Self::of(package, &[], usize::MAX))
    }

    fn is_newer(&self, channel: usize, than: usize) -> bool {
        self.channels[channel].version() > self.channels[than].version()
    }

    /// The channels with a higher head that users of a channel miss, the default one first, then the one with the newest head. A
    /// stable channel misses nothing that is only in an alpha channel, unless that is the default one.
    pub fn missed_by(&self, channel: usize) -> impl Iterator<Item = usize> {
        let safety = |at: usize| safety(self.channels[at].channel.name.value.as_str());
        let is_missed = |at: &usize| {
            self.is_newer(*at, channel) && (self.channels[*at].is_default || safety(*at) <= safety(channel))
        };
        let mut missed: Vec<usize> = (0..self.channels.len()).filter(is_missed).collect();
        missed.sort_by_key(|at| !self.channels[*at].is_default);
        missed.into_iter()
    }
}

/// A part of a way: the Subscription follows a channel until it has a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage<'c> {
    pub channel: &'c Channel,
    pub until: &'c BundleName,
    /// The number of updates.
    pub hops: u32,
    /// Whether the channel updates that version further, so that OLM stops there only with approval Manual.
    pub goes_on: bool,
}

/// What updates lead to from an installed version, if the Subscription may change its channel before each of them.
#[derive(Clone, Debug)]
pub struct Reached<'w, 'c> {
    ways: &'w Ways<'c>,
    from: usize,
    /// By row: how one comes to it with the fewest changes of the channel, as the row before, and the channel from there on.
    last: Vec<Option<(usize, usize)>>,
}

impl<'c> Ways<'c> {
    /// What updates lead to from an installed version; nothing if the package does not know it.
    #[must_use]
    pub fn reached(&self, installed: &BundleName) -> Option<Reached<'_, 'c>> {
        let start = self.rows.row_of(installed)?;
        let mut last = vec![None; self.rows.rows.len()];
        let mut is_passed = vec![vec![false; last.len()]; self.channels.len()];
        let mut layer = vec![start];
        while !layer.is_empty() {
            let mut next: Vec<(bool, usize)> = Vec::new();
            for from in layer {
                for (channel, passed) in is_passed.iter_mut().enumerate() {
                    let walk = &self.walks[channel];
                    for row in walk.versions_after(from).take_while(|&row| !std::mem::replace(&mut passed[row], true)) {
                        if row != start && last[row].is_none() {
                            last[row] = Some((from, channel));
                            next.push((walk.next(row).is_some(), row));
                        }
                    }
                }
            }
            // OLM stops by itself at the end of a channel: a change there needs no approvals before.
            next.sort_by_key(|(goes_on, _)| *goes_on);
            layer = next.into_iter().map(|(_, row)| row).collect();
        }
        Some(Reached { ways: self, from: start, last })
    }
}

impl<'c> Reached<'_, 'c> {
    /// The way to a version with the fewest changes of the channel, at its end in the channel that is `preferred`, if that has it.
    #[must_use]
    pub fn way(&self, goal: &BundleName, preferred: usize) -> Option<Vec<Stage<'c>>> {
        let Ways { rows, walks, channels, .. } = self.ways;
        let mut stages = Vec::new();
        let goal = rows.row_of(goal)?;
        let mut until = goal;
        while until != self.from {
            let (from, channel) = self.last[until]?;
            let has_it = || channels[preferred].head.is_some() && walks[preferred].hops_to(from, goal).is_some();
            let channel = if until == goal && has_it() { preferred } else { channel };
            stages.push(Stage {
                channel: channels[channel].channel,
                until: rows.rows[until].name,
                hops: walks[channel].hops_to(from, until)? as u32,
                goes_on: walks[channel].next(until).is_some(),
            });
            until = from;
        }
        stages.reverse();
        Some(stages)
    }

    /// The way to the head of a channel.
    #[must_use]
    pub fn way_to_head(&self, channel: usize) -> Option<Vec<Stage<'c>>> {
        self.way(self.ways.channels[channel].head.as_ref()?.name, channel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    /// The way from an installed version to the head of channel `c`: `channel until version (hops)`, with `!` where OLM goes on.
    #[track_caller]
    fn check(channels: &str, from: &str, expected: &str) {
        let catalog = read(channels);
        let ways = Ways::of(&catalog.packages[0], &[], 60);
        let to = ways.channels.iter().position(|channel| channel.channel.name.value.as_str() == "c").unwrap();
        let way = ways.reached(&format!("p.v{from}").as_str().into()).and_then(|reached| reached.way_to_head(to));
        let stage = |stage: Stage<'_>| {
            let Stage { channel, until, hops, goes_on } = stage;
            format!("{} until {until} ({hops}){}", channel.name, if goes_on { "!" } else { "" })
        };
        let shown = way.map(|way| way.into_iter().map(stage).collect::<Vec<_>>().join(", "));
        assert_eq!(shown.as_deref().unwrap_or("none"), expected);
    }

    const CHANNELS: &str = "c: 3.0.0 (replaces 2.1.0) <- 3.1.0\n\
                            two: 2.0.0 (replaces 1.1.0) <- 2.1.0 <- 2.2.0\none: 1.0.0 <- 1.1.0 <- 1.2.0";

    #[test]
    fn a_way_may_need_several_changes_and_leave_a_channel_before_its_head() {
        check(CHANNELS, "1.1.0", "two until p.v2.1.0 (2)!, c until p.v3.1.0 (2)");
        check(CHANNELS, "1.0.0", "one until p.v1.1.0 (1)!, two until p.v2.1.0 (2)!, c until p.v3.1.0 (2)");
        check(CHANNELS, "1.2.0", "none");
        check(CHANNELS, "9.0.0", "none");
    }

    #[test]
    fn a_channel_is_left_where_olm_stops_by_itself_if_that_helps_too() {
        let channels = "c: 3.0.0 (skipRange >=2.0.0 <3.0.0)\ntwo: 2.0.0 (replaces 1.0.0) <- 2.1.0\none: 1.0.0";
        check(channels, "1.0.0", "two until p.v2.1.0 (2), c until p.v3.0.0 (1)");
    }

    #[test]
    fn a_way_ends_in_the_channel_that_was_asked_for_if_that_has_it() {
        check("c: 2.0.0\nfast: 1.0.0 <- 2.0.0", "1.0.0", "fast until p.v2.0.0 (1)");
        check("c: 1.0.0 <- 2.0.0\nfast: 1.0.0 <- 2.0.0", "1.0.0", "c until p.v2.0.0 (1)");
        check("c: 2.0.0", "2.0.0", "");
    }
}
