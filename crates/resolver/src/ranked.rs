//! The entries of one catalog that meet a requirement, best first; for the catalog's own requirements precomputed.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`sortBundles`). Installed CSVs
//! are ordered in `collect`.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::predicate::{Fuel, Requirement};
use update_graph::SortError;

use crate::entry::Entry;
use crate::index::{At, Index};
use crate::lookup::{Matches, cost};

/// How many tests of an entry, for each entry of a catalog, may be spent on precomputing.
const LOOKS: usize = 64;

/// Entries in order of preference.
pub(crate) type Ranked = Result<Arc<[At]>, SortError>;

/// By number of a requirement: what meets it in the catalog that states it. Requirements that no index answers, those
/// that OLM would crash on, and, in a catalog that states very many, those that take long are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Precomputed(Vec<Option<Ranked>>);

impl Precomputed {
    pub(crate) fn of(index: &Index, entries: &[Entry]) -> Self {
        let mut left = entries.len().saturating_mul(LOOKS);
        let mut known = |requirement: &Requirement| {
            left = left.checked_sub(cost(index, requirement)?)?;
            let matching = Matches::of(index, entries, requirement, &mut Fuel::new(0));
            matching.unknown.is_none().then(|| rank(index, entries, &matching.entries).map(Arc::from))
        };
        Self((0..index.requirement_count()).map(|number| known(index.requirement(number))).collect())
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Ranked> {
        self.0[number as usize].as_ref()
    }
}

/// Ranks the matching entries, which are given in ascending order: default channels first, then by package and channel;
/// within a channel from the head down. The whole channel of each is sorted before its other entries are left out, so
/// skipped entries are left out too, and a channel without an order is an error.
pub(crate) fn rank(index: &Index, entries: &[Entry], matching: &[At]) -> Result<Vec<At>, SortError> {
    let mut channels: Vec<u32> = matching.iter().map(|&at| index.channel_of(at)).collect();
    channels.sort_unstable();
    channels.dedup();
    if channels.iter().any(|&channel| !index.channel(channel).guests.is_empty()) {
        return rank_with_guests(index, entries, matching, &channels);
    }
    // Stable: by package and name already.
    channels.sort_by_key(|&channel| !is_default(entries, &index.channel(channel).members));
    let mut ranked = Vec::with_capacity(matching.len());
    for channel in channels {
        let order = index.channel(channel).order.as_ref().map_err(SortError::clone)?;
        ranked.extend(order.iter().filter(|at| matching.binary_search(at).is_ok()));
    }
    Ok(ranked)
}

fn is_default(entries: &[Entry], members: &[At]) -> bool {
    entries[members[0] as usize].default_channel
}

/// As [`rank`], if entries of one package claim to be of another one. Then the channels of both packages are sorted, those
/// of the former without the entries that do not claim this.
fn rank_with_guests(index: &Index, entries: &[Entry], matching: &[At], numbers: &[u32]) -> Result<Vec<At>, SortError> {
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
    channels.sort_by_key(|members| !is_default(entries, members));
    let mut ranked = Vec::new();
    for members in channels {
        let order = index.channel_order(entries, &members)?;
        ranked.extend(order.iter().filter(|at| matching.binary_search(at).is_ok()));
    }
    Ok(ranked)
}
