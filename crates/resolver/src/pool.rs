//! All entries that a resolution can see, with ids, identifiers and the order in which OLM prefers them.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/{cache/cache.go,resolver.go}`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::BundleName;
use catalog::predicate::{Fuel, Requirement};
use cluster::CatalogKey;
use update_graph::{SortError, sort_channel};

use crate::index::{At, Index, Matches, cost};
use crate::snapshot::{Entry, Listing, Snapshot};

/// An entry of the pool: all entries are numbered source by source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EntryId(u32);

/// One of the pool's snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SourceId(u32);

impl SourceId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The installed operators.
pub(crate) const EXISTING: SourceId = SourceId(0);

/// The installed operators (source 0) and the visible catalogs.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    sources: Vec<Arc<Snapshot>>,
    /// By source: the number of its first entry; at the end, how many entries there are.
    starts: Vec<u32>,
    /// By source: all sources in the order in which a requirement from there prefers them.
    preferred: Vec<Vec<SourceId>>,
    /// By source: its place in the order of identifiers.
    ranks: Vec<u32>,
}

impl Pool {
    /// Catalogs are ordered by key, so that their order in the input makes no difference; of two with one key the first
    /// counts.
    pub(crate) fn new(namespace: &str, existing: Vec<Entry>, catalogs: &[Arc<Snapshot>]) -> Self {
        let listing = Arc::new(Listing::new(existing));
        let mut sources = vec![Arc::new(Snapshot { key: CatalogKey::existing(namespace), priority: 0, listing })];
        sources.extend(catalogs.iter().map(Arc::clone));
        sources[1..].sort_by(|a, b| a.key.cmp(&b.key));
        sources.dedup_by(|b, a| a.key == b.key);
        let mut starts = vec![0_u32];
        for source in &sources {
            let count = u32::try_from(source.listing.entries().len()).ok();
            let end = count.and_then(|count| starts[starts.len() - 1].checked_add(count));
            starts.push(end.expect("a namespace sees fewer than 2^32 entries"));
        }
        let ranks = ranks(&sources);
        let mut pool = Self { sources, starts, preferred: Vec::new(), ranks };
        pool.preferred = pool.sources().map(|own| pool.in_order(own, namespace)).collect();
        pool
    }

    pub(crate) fn entry(&self, id: EntryId) -> &Entry {
        let (source, at) = self.place(id);
        &self.source(source).listing.entries()[at as usize]
    }

    pub(crate) fn source_of(&self, id: EntryId) -> SourceId {
        self.place(id).0
    }

    pub(crate) fn key_of(&self, id: EntryId) -> &CatalogKey {
        &self.source(self.source_of(id)).key
    }

    pub(crate) fn is_existing(&self, id: EntryId) -> bool {
        id.0 < self.starts[1]
    }

    /// The installed entries, by name.
    pub(crate) fn existing(&self) -> impl Iterator<Item = EntryId> + use<> {
        (0..self.starts[1]).map(EntryId)
    }

    pub(crate) fn installed(&self, name: &BundleName) -> Option<EntryId> {
        let at = self.index(EXISTING).named(name).first()?;
        Some(self.id(EXISTING, *at))
    }

    pub(crate) fn entry_count(&self) -> usize {
        self.starts[self.sources.len()] as usize
    }

    pub(crate) fn sources(&self) -> impl Iterator<Item = SourceId> + use<> {
        (0..self.sources.len()).map(|at| SourceId(u32::try_from(at).expect("every source has a start")))
    }

    /// The sources of one key; for no key all of them, in the order in which OLM looks through them when no catalog
    /// comes first: installed operators, then catalogs by priority, own namespace and name.
    pub(crate) fn of_key<'p>(&'p self, key: Option<&'p CatalogKey>) -> impl Iterator<Item = SourceId> + 'p {
        self.preferred(EXISTING).iter().copied().filter(move |&id| key.is_none_or(|key| self.source(id).key == *key))
    }

    pub(crate) fn index(&self, source: SourceId) -> &Index {
        self.source(source).listing.index()
    }

    /// The entries of the source that meet one of its own requirements, if they are precomputed.
    pub(crate) fn precomputed(&self, source: SourceId, requirement: u32) -> Option<&Ranked> {
        self.source(source).listing.precomputed(requirement).filter(|_| source != EXISTING)
    }

    pub(crate) fn entries_of(&self, source: SourceId) -> &[Entry] {
        self.source(source).listing.entries()
    }

    /// The source of an entry, and its position in it.
    pub(crate) fn place(&self, id: EntryId) -> (SourceId, At) {
        let after = self.starts.partition_point(|&start| start <= id.0);
        let source = SourceId(u32::try_from(after - 1).expect("every source has a start"));
        (source, id.0 - self.starts[source.0 as usize])
    }

    pub(crate) fn id(&self, source: SourceId, at: At) -> EntryId {
        EntryId(self.starts[source.0 as usize] + at)
    }

    /// Entries have the same number if and only if they have the same identifier. Below the number of entries.
    pub(crate) fn identifier_number(&self, id: EntryId) -> usize {
        let (source, at) = self.place(id);
        (self.starts[source.0 as usize] + self.index(source).identifier(at)) as usize
    }

    /// Orders entries as their identifiers are.
    pub(crate) fn identifier_order(&self, id: EntryId) -> (u32, u32) {
        let (source, at) = self.place(id);
        (self.ranks[source.0 as usize], self.index(source).identifier(at))
    }

    /// `<catalog>/<catalogNamespace>/<channel>/<name>`
    pub(crate) fn identifier(&self, id: EntryId) -> String {
        let (key, entry) = (self.key_of(id), self.entry(id));
        [&key.name, "/", &key.namespace, "/", entry.channel.as_str(), "/", entry.name.as_str()].concat()
    }

    /// How many entries of the same catalog share the identifier of this one.
    pub(crate) fn sharing(&self, id: EntryId) -> usize {
        let (source, _) = self.place(id);
        let (index, entries, entry) = (self.index(source), self.entries_of(source), self.entry(id));
        index.named(&entry.name).iter().filter(|&&at| entries[at as usize].channel == entry.channel).count()
    }

    /// The sources in the order in which a requirement of an entry of `own` prefers them: installed operators, its own
    /// catalog, then by priority, the resolving namespace first, and by name.
    pub(crate) fn preferred(&self, own: SourceId) -> &[SourceId] {
        &self.preferred[own.0 as usize]
    }

    fn in_order(&self, own: SourceId, namespace: &str) -> Vec<SourceId> {
        let mut order: Vec<SourceId> = self.sources().collect();
        order.sort_by_key(|&id| {
            let source = self.source(id);
            let elsewhere = *source.key.namespace != *namespace;
            (id != EXISTING, id != own, Reverse(source.priority), elsewhere, Arc::clone(&source.key.name))
        });
        order
    }

    /// Entries of one channel from the head down. `run` may be any part of a channel, in ascending order.
    pub(crate) fn channel_order(&self, run: &[EntryId]) -> Result<Vec<EntryId>, SortError> {
        let Some(&first) = run.first() else { return Ok(Vec::new()) };
        let (source, at) = self.place(first);
        let (index, entries) = (self.index(source), self.entries_of(source));
        let channel = index.channel(index.channel_of(at));
        let whole = channel.members.iter().map(|&at| self.id(source, at)).eq(run.iter().copied());
        if whole {
            return Ok(channel.order.clone()?.into_iter().map(|at| self.id(source, at)).collect());
        }
        let several: Vec<&Entry> = run.iter().map(|&id| self.entry(id)).collect();
        let first = &entries[at as usize];
        let order = sort_channel(first.channel.as_str(), first.package.as_str(), &several)?;
        Ok(order.into_iter().map(|at| run[at]).collect())
    }

    fn source(&self, id: SourceId) -> &Snapshot {
        &self.sources[id.0 as usize]
    }
}

/// The order in which identifiers begin. Neither name nor namespace of an object has a slash.
fn ranks(sources: &[Arc<Snapshot>]) -> Vec<u32> {
    let starts: Vec<String> =
        sources.iter().map(|source| format!("{}/{}/", source.key.name, source.key.namespace)).collect();
    let before = |start: &String| starts.iter().filter(|other| *other < start).count();
    starts.iter().map(|start| u32::try_from(before(start)).expect("there are fewer than 2^32 catalogs")).collect()
}

// The entries of one catalog that meet a requirement, best first; for the catalog's own requirements precomputed.
//
// Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`sortBundles`). Installed CSVs
// are ordered in `collect`.

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
