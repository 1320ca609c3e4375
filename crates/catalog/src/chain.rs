//! The replaces chain of a channel as `opm` walks it (operator-registry `alpha/model/model.go`, 195-312).
//!
//! OLM's resolver orders a channel differently and accepts more (`update_graph::sort_channel`).

use crate::{Channel, Entry};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The result of walking a channel from its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chain<'c> {
    /// The channel has no entries.
    Empty,
    /// Every entry is replaced or skipped by some entry.
    NoHead,
    /// Entries that nothing replaces or skips, sorted by name.
    ManyHeads(Vec<&'c str>),
    /// The chain returns to an earlier entry: the entries from the head on, of which the last is that earlier entry.
    Cycle(Vec<&'c str>),
    /// The channel has exactly one head.
    Headed {
        /// The entry that nothing replaces or skips.
        head: &'c str,
        /// Entries that the chain does not reach and that nothing skips, sorted by name.
        stranded: Vec<&'c str>,
    },
}

impl<'c> Chain<'c> {
    /// Walks `channel`. `opm` ignores skipRange here.
    #[must_use]
    pub fn of(channel: &'c Channel) -> Self {
        if channel.entries.is_empty() {
            return Self::Empty;
        }
        let heads = heads(channel);
        match heads.as_slice() {
            [] => Self::NoHead,
            [head] => walk(channel, head, |is_skipped| is_skipped),
            _ => Self::ManyHeads(heads),
        }
    }

    /// The head, if there is exactly one.
    #[must_use]
    pub fn head(&self) -> Option<&'c str> {
        match self {
            Self::Headed { head, .. } => Some(head),
            Self::Cycle(path) => path.first().copied(),
            Self::Empty | Self::NoHead | Self::ManyHeads(_) => None,
        }
    }
}

/// The chain from `head` that goes on at skipped entries, as `opm` before v1.58.0 walked it (operator-registry#1750).
pub(crate) fn whole_chain<'c>(channel: &'c Channel, head: &'c str) -> Chain<'c> {
    walk(channel, head, |_| false)
}

/// The entries that no entry of the channel replaces or skips, itself included; sorted by name.
#[must_use]
pub fn heads(channel: &Channel) -> Vec<&str> {
    let named: HashSet<&str> =
        channel.entries.iter().flat_map(|entry| replaced(entry).into_iter().chain(skips(entry))).collect();
    let heads: BTreeSet<&str> = names(channel).filter(|name| !named.contains(name)).collect();
    heads.into_iter().collect()
}

/// `ends_at` says whether the chain ends before an entry that is skipped or not.
fn walk<'c>(channel: &'c Channel, head: &'c str, ends_at: impl Fn(bool) -> bool) -> Chain<'c> {
    // In reverse, so that of two entries of one name the first counts.
    let entries: HashMap<&str, &Entry> =
        channel.entries.iter().rev().map(|entry| (entry.name.value.as_str(), entry)).collect();
    let skipped: HashSet<&str> = channel.entries.iter().flat_map(skips).collect();
    let mut path = vec![head];
    let mut seen = HashSet::from([head]);
    while let Some(entry) = path.last().and_then(|name| entries.get(name)) {
        let next = replaced(entry).unwrap_or("");
        // The chain ends before a skipped entry, so what only that entry replaces is stranded.
        if ends_at(skipped.contains(next)) {
            break;
        }
        path.push(next);
        if !seen.insert(next) {
            return Chain::Cycle(path);
        }
    }
    let stranded: BTreeSet<&str> =
        names(channel).filter(|name| !seen.contains(name) && !skipped.contains(name)).collect();
    Chain::Headed { head, stranded: stranded.into_iter().collect() }
}

fn names(channel: &Channel) -> impl Iterator<Item = &str> {
    channel.entries.iter().map(|entry| entry.name.value.as_str())
}

fn replaced(entry: &Entry) -> Option<&str> {
    entry.replaces.as_ref().map(|name| name.value.as_str())
}

fn skips(entry: &Entry) -> impl Iterator<Item = &str> {
    entry.skips.iter().map(|name| name.value.as_str())
}
