//! What is asked of a channel, and the answer.

use crate::cover::range_of;
use catalog::{BundleName, Channel, Package};
use go_semver::blang::Version;
use sat::Budget;
use std::collections::BTreeSet;
use update_graph::Edit;

/// Which edits of a channel make every version reach its head?
#[derive(Clone, Copy, Debug)]
pub struct Question<'c> {
    /// The package before a change, if that is known.
    pub before: Option<&'c Package>,
    pub after: &'c Package,
    pub channel: &'c Channel,
    /// Versions that clusters have installed, beside those that the channel lists or names in one of the states, and those of other
    /// channels that a skipRange of the channel covers.
    pub installed: &'c BTreeSet<BundleName>,
    /// Versions that nobody may be updated to.
    pub avoid: &'c BTreeSet<BundleName>,
    /// The work that the solver may do.
    pub budget: &'c Budget,
}

impl<'c> Question<'c> {
    /// The channel before the change.
    pub(crate) fn old_channel(&self) -> Option<&'c Channel> {
        self.before?.channel(self.channel.name.value.as_str())
    }

    /// The versions of other channels that a skipRange of the channel takes to a higher version: whoever has one may change the
    /// channel of the Subscription.
    pub(crate) fn covered(&self, version: &dyn Fn(&BundleName) -> Option<Version>) -> BTreeSet<&'c BundleName> {
        let ranged = |channel: &'c Channel| {
            let ranges =
                channel.entries.iter().filter_map(|entry| Some((range_of(entry)?, version(&entry.name.value)?)));
            ranges.collect::<Vec<_>>()
        };
        let states = [Some((self.after, self.channel)), self.before.zip(self.old_channel())];
        let covered = states.into_iter().flatten().flat_map(|(package, channel)| {
            let ranges = ranged(channel);
            let others = package.channels.iter().filter(|other| other.name.value != channel.name.value);
            let names = others.flat_map(|other| other.entries.iter().map(|entry| &entry.name.value));
            let is_covered = move |name: &&BundleName| {
                let own = if ranges.is_empty() { None } else { version(name) };
                own.is_some_and(|own| {
                    ranges.iter().any(|(range, to)| own < *to && range.matches(&own).unwrap_or(false))
                })
            };
            names.filter(is_covered)
        });
        covered.collect()
    }
}

/// Edits after which `opm` accepts the channel and every version of the question reaches its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The sum of the weights of the edits.
    pub weight: u32,
    /// How many versions get a next update that they did not have and did not need, or one that leaves out an entry which
    /// they were updated to before.
    pub widening: usize,
    /// The edits, in the order of the channel.
    pub edits: Vec<Edit>,
}
