//! The other places of a finding about many entries.

use crate::Channel;
use source::Span;
use std::collections::BTreeSet;

/// How many labels a finding has at most; its message counts all places.
pub(super) const LABELS: usize = 100;

/// The entries with one of these names, in the order of the text, each name once.
pub(super) fn entries_named<'c>(channel: &'c Channel, names: &[&str]) -> Vec<(&'c str, Span)> {
    let mut wanted: BTreeSet<&str> = names.iter().copied().collect();
    let names = channel.entries.iter().map(|entry| (entry.name.value.as_str(), entry.name.span));
    names.filter(|(name, _)| wanted.remove(name)).collect()
}
