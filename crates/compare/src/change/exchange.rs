//! Channels that have another head after the change.

use crate::edit::{Edit, EntryChange};
use catalog::{Bundle, BundleName, ChannelName, Package};
use update_graph::UpdateChain;

/// A channel with another head.
pub(super) struct Exchange<'c> {
    pub(super) channel: &'c ChannelName,
    pub(super) before: &'c BundleName,
    pub(super) after: &'c BundleName,
    pub(super) bundles: Option<(&'c Bundle, &'c Bundle)>,
}

impl Exchange<'_> {
    /// The place of the new head in its channel.
    pub(super) fn edit(&self) -> Edit {
        Edit::Entry { channel: self.channel.clone(), entry: self.after.clone(), change: EntryChange::Added }
    }
}

/// The channels of both states that have another head.
pub(super) fn exchanges<'c>(old: &'c Package, new: &'c Package) -> Vec<Exchange<'c>> {
    let found = old.channels.iter().filter_map(|channel| {
        let channel = &channel.name.value;
        let (before, after) = (head(old, channel)?, head(new, channel)?);
        let bundles = old.bundle(before.as_str()).zip(new.bundle(after.as_str()));
        (before != after).then_some(Exchange { channel, before, after, bundles })
    });
    found.collect()
}

fn head<'c>(package: &'c Package, name: &ChannelName) -> Option<&'c BundleName> {
    let chain = UpdateChain::of(package, package.channel(name.as_str())?).ok()?;
    chain.entries.first().map(|entry| &entry.name.value)
}
