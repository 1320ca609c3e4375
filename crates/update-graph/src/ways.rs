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
