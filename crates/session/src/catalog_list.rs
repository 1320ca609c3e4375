//! The list of catalogs. It counts its changes, so that what is computed from several of them is known to be out of date.

use crate::CatalogInput;
use std::ops::{Deref, DerefMut};

/// The catalogs of the cluster, then the baselines; each in the order they were added.
#[derive(Default)]
pub(crate) struct CatalogList {
    catalogs: Vec<CatalogInput>,
    changes: u64,
}

impl CatalogList {
    /// How often the list or one of its catalogs may have changed.
    pub(crate) const fn changes(&self) -> u64 {
        self.changes
    }
}

impl Deref for CatalogList {
    type Target = Vec<CatalogInput>;

    fn deref(&self) -> &Vec<CatalogInput> {
        &self.catalogs
    }
}

impl DerefMut for CatalogList {
    // Nobody can change a catalog without this, so no change is missed.
    fn deref_mut(&mut self) -> &mut Vec<CatalogInput> {
        self.changes += 1;
        &mut self.catalogs
    }
}
