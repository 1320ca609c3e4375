//! Ways to other channels: where updates end after a Subscription changes its channel, once or several times.

use crate::channel_map::{Head, channels_in_order, safety};
use crate::{Installables, SortError, UpdateChain, Walks, version_of};
use catalog::{BundleName, Channel, Package};
use std::cmp::Reverse;

/// The channels of a package, with where the updates of each installed version end in them.
#[derive(Clone, Debug)]
pub struct Ways<'c> {
    package: &'c Package,
    rows: Installables<'c>,
    /// The one with the newest head first; channels that OLM cannot order last.
    pub channels: Vec<WayChannel<'c>>,
    /// How many channels are left out.
    pub omitted: usize,
}

/// A channel to which a Subscription can change.
#[derive(Clone, Debug)]
pub struct WayChannel<'c> {
    pub channel: &'c Channel,
    /// Absent if OLM cannot order it.
    pub head: Option<Head<'c>>,
    /// Why OLM cannot order it.
    pub problem: Option<SortError>,
    /// By row; empty if OLM cannot order it.
    walks: Walks,
}

impl<'c> Ways<'c> {
    /// The ways of a package, also from `installed` versions that it no longer knows. Of more than `most` channels, it has
    /// those with the newest heads.
    #[must_use]
    pub fn of(package: &'c Package, installed: &'c [BundleName], most: usize) -> Self {
        let head = |chain: &UpdateChain<'c>| {
            let name = &chain.entries.first()?.name.value;
            Some(Head { version: version_of(package, name), name })
        };
        let with_head = |channel: &'c Channel| {
            let chain = UpdateChain::of(package, channel);
            (channel, chain.as_ref().ok().and_then(head), chain)
        };
        let mut chains: Vec<_> = channels_in_order(package).into_iter().map(with_head).collect();
        chains.sort_by(|(_, a, _), (_, b, _)| Reverse(a).cmp(&Reverse(b)));
        let omitted = chains.len().saturating_sub(most);
        chains.truncate(most);
        let rows = Installables::with(package, installed);
        let channels = chains.into_iter().map(|(channel, head, chain)| {
            let walks = chain.as_ref().map(|chain| Walks::new(rows.next_rows(chain))).unwrap_or_default();
            WayChannel { channel, head, problem: chain.err(), walks }
        });
        Self { package, channels: channels.collect(), rows, omitted }
    }

    /// The number of updates from an installed version to the head of a channel, if they end there.
    #[must_use]
    pub fn hops(&self, from: &BundleName, to: usize) -> Option<u32> {
        Some(self.row_hops(self.rows.row_of(from)?, to)? as u32)
    }

    fn row_hops(&self, from: usize, to: usize) -> Option<usize> {
        let head = self.head_row(to)?;
        let walk = self.channels[to].walks.walk(from);
        (walk.end == head && !walk.repeats).then_some(walk.hops)
    }

    fn head_row(&self, channel: usize) -> Option<usize> {
        self.rows.row_of(self.channels[channel].head.as_ref()?.name)
    }

    /// Whether an installed version of a channel has a way to one with a higher head: that lists the version, or has an
    /// update from it, and OLM's updates from there end at the head.
    #[must_use]
    pub fn leads_on(&self, from: &BundleName, channel: usize) -> bool {
        (0..self.channels.len()).any(|to| self.is_newer(to, channel) && self.hops(from, to).is_some())
    }

    fn is_newer(&self, channel: usize, than: usize) -> bool {
        let version = |at: usize| self.channels[at].head.as_ref().and_then(|head| head.version.as_ref());
        version(channel) > version(than)
    }

    /// The channels with a higher head that users of a channel miss, the default one first, then the one with the newest head. A
    /// stable channel misses nothing that is only in an alpha channel, unless that is the default one.
    pub fn missed_by(&self, channel: usize) -> impl Iterator<Item = usize> {
        let safety = |at: usize| safety(self.channels[at].channel.name.value.as_str());
        let is_missed =
            move |at: &usize| self.is_newer(*at, channel) && (self.is_default(*at) || safety(*at) <= safety(channel));
        let (default, others): (Vec<usize>, Vec<usize>) =
            (0..self.channels.len()).filter(is_missed).partition(|at| self.is_default(*at));
        default.into_iter().chain(others)
    }

    /// Whether it is the default channel of the package.
    #[must_use]
    pub fn is_default(&self, channel: usize) -> bool {
        let default = self.package.default_channel.as_ref();
        default.is_some_and(|name| name.value == self.channels[channel].channel.name.value)
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
    /// By row: how one comes to it, with the fewest changes of the channel.
    last: Vec<Option<Part>>,
}

/// Updates in one channel, as rows.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: usize,
    channel: usize,
    hops: usize,
}

impl<'c> Ways<'c> {
    /// What updates lead to from an installed version; nothing if the package does not know it.
    #[must_use]
    pub fn reached(&self, installed: &BundleName) -> Option<Reached<'_, 'c>> {
        let start = self.rows.row_of(installed)?;
        let mut last: Vec<Option<Part>> = vec![None; self.rows.rows.len()];
        let mut is_passed = vec![vec![false; last.len()]; self.channels.len()];
        let mut layer = vec![start];
        while !layer.is_empty() {
            let mut next: Vec<usize> = Vec::new();
            for &from in &layer {
                for (channel, passed) in is_passed.iter_mut().enumerate() {
                    let versions = self.channels[channel].walks.versions_after(from);
                    let new = versions.take_while(|&row| !std::mem::replace(&mut passed[row], true));
                    for (row, hops) in new.zip(1..) {
                        if row != start && last[row].is_none() {
                            last[row] = Some(Part { from, channel, hops });
                            next.push(row);
                        }
                    }
                }
            }
            // OLM stops by itself at the end of a channel: a change there needs no approvals before.
            next.sort_by_key(|&row| last[row].is_some_and(|part| self.goes_on(part.channel, row)));
            layer = next;
        }
        Some(Reached { ways: self, from: start, last })
    }

    fn goes_on(&self, channel: usize, row: usize) -> bool {
        self.channels[channel].walks.next(row).is_some()
    }
}

impl<'c> Reached<'_, 'c> {
    /// The way to the head of a channel, with the fewest changes of the channel; it ends in that channel.
    #[must_use]
    pub fn way(&self, to: usize) -> Option<Vec<Stage<'c>>> {
        let ways = self.ways;
        let head = ways.head_row(to).filter(|head| !ways.goes_on(to, *head))?;
        let mut parts: Vec<(Part, usize)> = Vec::new();
        let mut at = head;
        while at != self.from {
            let part = self.last[at]?;
            parts.push((part, at));
            at = part.from;
        }
        match parts.first_mut() {
            Some((part, _)) if ways.row_hops(part.from, to).is_some() => part.channel = to,
            Some((part, _)) if part.channel == to => {}
            _ => parts.insert(0, (Part { from: head, channel: to, hops: 0 }, head)),
        }
        let stage = |(part, until): (Part, usize)| Stage {
            channel: ways.channels[part.channel].channel,
            until: ways.rows.rows[until].name,
            hops: part.hops as u32,
            goes_on: ways.goes_on(part.channel, until),
        };
        Some(parts.into_iter().rev().map(stage).collect())
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
        let way = ways.reached(&format!("p.v{from}").as_str().into()).and_then(|reached| reached.way(to));
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
    fn a_way_ends_in_the_channel_that_was_asked_for() {
        check("c: 2.0.0\nfast: 1.0.0 <- 2.0.0", "1.0.0", "fast until p.v2.0.0 (1), c until p.v2.0.0 (0)");
        check("c: 1.0.0 <- 2.0.0\nfast: 1.0.0 <- 2.0.0", "1.0.0", "c until p.v2.0.0 (1)");
        check("c: 2.0.0", "2.0.0", "c until p.v2.0.0 (0)");
    }
}
