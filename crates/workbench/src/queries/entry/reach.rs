//! Where OLM's updates of an entry end in the channels of its package.

use catalog::{BundleName, Channel, Package};
use update_graph::{Hop, Paths, UpdateChain, channels_in_order};
use views::{ChannelReach, EntryKey, NextHop};

/// The number of channels that an entry is followed through: a package may have hundreds, and each is put in order.
const CHANNELS: usize = 100;

/// Where updates from an entry end with a Subscription to a channel.
pub(super) fn reach<'c>(package: &'c Package, channel: &'c Channel, name: &'c BundleName) -> ChannelReach {
    let default = package.default_channel.as_ref().is_some_and(|default| default.value == channel.name.value);
    let chain = UpdateChain::of(package, channel).ok();
    let key = |name: &BundleName| EntryKey { channel: Some(channel.name.to_string()), name: name.to_string() };
    let head = chain.as_ref().and_then(|chain| chain.entries.first()).map(|head| key(&head.name.value));
    let (hops, stop) = match &chain {
        Some(chain) => {
            let (path, stop) = Paths::of(package).reach(chain, name);
            (path.hops, Some(stop))
        }
        None => (Vec::new(), None),
    };
    ChannelReach {
        channel: channel.name.to_string(),
        default,
        head,
        next: hops.first().map(|hop| next(package, hop)),
        hops: hops.len() as u32,
        end: label(package, hops.last().map_or(name, |hop| &hop.to.name.value)),
        stop,
    }
}

/// The same for the channels of the package other than `shown`, in the order of the graph's lanes.
pub(super) fn switches(package: &Package, shown: Option<&Channel>, name: &BundleName) -> Vec<ChannelReach> {
    let is_other = |channel: &&Channel| shown.is_none_or(|shown| shown.name.value != channel.name.value);
    let others = channels_in_order(package).into_iter().filter(is_other).take(CHANNELS);
    others.map(|channel| reach(package, channel, name)).collect()
}

fn next(package: &Package, hop: &Hop<'_>) -> NextHop {
    NextHop {
        to: EntryKey { channel: Some(hop.channel.name.to_string()), name: hop.to.name.to_string() },
        label: label(package, &hop.to.name.value),
        via: hop.via.as_str().to_owned(),
    }
}

/// The version, else the name.
fn label(package: &Package, name: &BundleName) -> String {
    Paths::of(package).version(name).map_or_else(|| name.to_string(), |version| version.to_string())
}
