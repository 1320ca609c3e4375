//! All entries that a resolution can see, with ids, identifiers and the order in which OLM prefers them.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/{cache/cache.go,resolver.go}`.

use std::collections::BTreeMap;
use std::sync::Arc;

use update_graph::{SortError, sort_channel};

use crate::entry::{CatalogKey, Entry};
use crate::snapshot::Snapshot;

/// An entry of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EntryId(u32);

/// One of the pool's snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SourceId(u32);

/// The installed operators (source 0) and the visible catalogs.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    namespace: Arc<str>,
    sources: Vec<Arc<Snapshot>>,
    /// By entry id: which source, and where in it.
    places: Vec<(SourceId, u32)>,
}

impl Pool {
    /// Catalogs are ordered by key, so that their order in the input makes no difference; of two with one key the first
    /// counts.
    pub(crate) fn new(namespace: &str, existing: Vec<Entry>, catalogs: &[Arc<Snapshot>]) -> Self {
        let existing = Snapshot { key: CatalogKey::existing(namespace), priority: 0, entries: existing };
        let mut sources = vec![Arc::new(existing)];
        sources.extend(catalogs.iter().map(Arc::clone));
        sources[1..].sort_by(|a, b| a.key.cmp(&b.key));
        sources.dedup_by(|b, a| a.key == b.key);
        let numbered = (0u32..).map(SourceId).zip(&sources);
        let places = numbered.flat_map(|(id, source)| (0u32..).take(source.entries.len()).map(move |at| (id, at)));
        Self { namespace: namespace.into(), places: places.collect(), sources }
    }

    pub(crate) fn entry(&self, id: EntryId) -> &Entry {
        let (source, at) = self.places[id.0 as usize];
        &self.source(source).entries[at as usize]
    }

    pub(crate) fn source_of(&self, id: EntryId) -> SourceId {
        self.places[id.0 as usize].0
    }

    pub(crate) fn key_of(&self, id: EntryId) -> &CatalogKey {
        &self.source(self.source_of(id)).key
    }

    pub(crate) fn is_existing(&self, id: EntryId) -> bool {
        self.source_of(id) == SourceId(0)
    }

    /// The installed entries, by name.
    pub(crate) fn existing(&self) -> impl Iterator<Item = EntryId> {
        self.entries().take_while(|&id| self.is_existing(id))
    }

    /// All entries, source by source.
    pub(crate) fn entries(&self) -> impl Iterator<Item = EntryId> {
        (0u32..).take(self.places.len()).map(EntryId)
    }

    /// The entries of one catalog, or of all for no key.
    pub(crate) fn of_catalog(&self, key: Option<&CatalogKey>) -> Vec<EntryId> {
        self.entries().filter(|&id| key.is_none_or(|key| self.key_of(id) == key)).collect()
    }

    /// `<catalog>/<catalogNamespace>/<channel>/<name>`
    pub(crate) fn identifier(&self, id: EntryId) -> String {
        let (key, entry) = (self.key_of(id), self.entry(id));
        format!("{}/{}/{}/{}", key.name, key.namespace, entry.channel, entry.name)
    }

    /// The sources in the order in which a requirement of an entry of `own` prefers them: installed operators, its own
    /// catalog, then by priority, the resolving namespace first, and by name.
    fn preferred(&self, own: SourceId) -> Vec<SourceId> {
        let mut order: Vec<SourceId> = (0u32..).take(self.sources.len()).map(SourceId).collect();
        order.sort_by_key(|&id| {
            let source = self.source(id);
            let elsewhere = source.key.namespace != self.namespace;
            (id != SourceId(0), id != own, -i64::from(source.priority), elsewhere, Arc::clone(&source.key.name))
        });
        order
    }

    /// The given entries in the order of preference for a requirement of an entry of `own`: by source; there default
    /// channels first, then by package and channel; there from the head down.
    pub(crate) fn sorted(&self, entries: &[EntryId], own: SourceId) -> Result<Vec<EntryId>, SortError> {
        let rank: BTreeMap<SourceId, usize> =
            self.preferred(own).into_iter().enumerate().map(|(rank, id)| (id, rank)).collect();
        let mut channels: BTreeMap<_, Vec<EntryId>> = BTreeMap::new();
        for &id in entries {
            let entry = self.entry(id);
            let place = (rank[&self.source_of(id)], !entry.default_channel, &entry.package, &entry.channel);
            channels.entry(place).or_default().push(id);
        }
        let mut sorted = Vec::new();
        for channel in channels.values() {
            sorted.extend(self.channel_order(channel)?);
        }
        Ok(sorted)
    }

    /// The entries of one channel from the head down.
    pub(crate) fn channel_order(&self, channel: &[EntryId]) -> Result<Vec<EntryId>, SortError> {
        let entries: Vec<&Entry> = channel.iter().map(|&id| self.entry(id)).collect();
        let Some(first) = entries.first() else { return Ok(Vec::new()) };
        let order = sort_channel(first.channel.as_str(), first.package.as_str(), &entries)?;
        Ok(order.into_iter().map(|at| channel[at]).collect())
    }

    fn source(&self, id: SourceId) -> &Snapshot {
        &self.sources[id.0 as usize]
    }
}
