//! The entries that a namespace sees.

use std::collections::BTreeSet;

use crate::pool::{EntryId, Pool};
use cluster::CatalogKey;

/// The entries of one catalog, or all of them for no key, installed ones included.
pub(crate) fn entries(pool: &Pool, key: Option<&CatalogKey>) -> Vec<EntryId> {
    let ids = |source| (0..).zip(pool.entries_of(source)).map(move |(at, _)| pool.id(source, at));
    pool.of_key(key).flat_map(ids).collect()
}

/// The catalogs that have an entry.
pub(crate) fn catalogs(pool: &Pool) -> BTreeSet<&CatalogKey> {
    let keys = entries(pool, None).into_iter().map(|id| pool.key_of(id));
    keys.filter(|key| !key.is_existing()).collect()
}

/// The entries of a package, of one catalog or of all.
pub(crate) fn of_package(pool: &Pool, key: Option<&CatalogKey>, package: &str) -> Vec<EntryId> {
    let of_source = |source| pool.index(source).of_package(package).iter().map(move |&at| pool.id(source, at));
    pool.of_key(key).flat_map(of_source).collect()
}
