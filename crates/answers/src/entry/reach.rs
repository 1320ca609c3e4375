//! Where OLM's updates of an entry end in the channels of its package.

use catalog::{BundleName, Channel, Package};
use update_graph::{Installable, Installables, UpdateChain, channels_in_order};
use views::{ChannelReach, EntryKey, NextHop};

/// The number of channels that an entry is followed through: a package may have hundreds, and each is put in order.
const CHANNELS: usize = 100;

/// An entry, or a name that an entry replaces or skips, among all that may be installed of its package.
pub(super) struct EntryReach<'c> {
    package: &'c Package,
    rows: Installables<'c>,
    row: usize,
}

impl<'c> EntryReach<'c> {
    pub(super) fn of(package: &'c Package, name: &BundleName) -> Option<Self> {
        let rows = Installables::of(package);
        rows.row_of(name).map(|row| Self { package, rows, row })
    }

    /// Where its updates end with a Subscription to a channel.
    pub(super) fn in_channel(&self, channel: &'c Channel) -> ChannelReach {
        let own = &self.rows.rows[self.row];
        let default = self.package.default_channel.as_ref();
        let mut reach = ChannelReach {
            channel: channel.name.to_string(),
            default: default.is_some_and(|default| default.value == channel.name.value),
            head: None,
            next: None,
            hops: 0,
            end: label(own),
            stop: None,
        };
        if let Ok(chain) = UpdateChain::of(self.package, channel) {
            let key = |name: &BundleName| EntryKey { channel: Some(channel.name.to_string()), name: name.to_string() };
            let found = self.rows.reach(&chain)[self.row];
            let next = chain.next_update(own.name, own.version.as_ref()).filter(|_| found.hops > 0);
            reach.head = chain.entries.first().map(|head| key(&head.name.value));
            reach.next = next.and_then(|next| {
                let label = label(&self.rows.rows[self.rows.row_of(&next.to.name.value)?]);
                Some(NextHop { to: key(&next.to.name.value), label, via: next.via.as_str().to_owned() })
            });
            reach.hops = found.hops;
            reach.end = label(&self.rows.rows[found.end as usize]);
            reach.stop = Some(found.stop);
        }
        reach
    }

    /// The same for the channels of the package other than `shown`, in the order of the graph's lanes.
    pub(super) fn switches(&self, shown: Option<&Channel>) -> Vec<ChannelReach> {
        let is_other = |channel: &&Channel| shown.is_none_or(|shown| shown.name.value != channel.name.value);
        let others = channels_in_order(self.package).into_iter().filter(is_other).take(CHANNELS);
        others.map(|channel| self.in_channel(channel)).collect()
    }
}

/// The version, else the name.
fn label(row: &Installable<'_>) -> String {
    row.version.as_ref().map_or_else(|| row.name.to_string(), ToString::to_string)
}
