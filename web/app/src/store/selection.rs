//! What is selected.

use views::{CatalogId, EntryKey, PackageKey};

/// What is selected: a catalog as a whole, or a package, or an entry of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub whole: Option<CatalogId>,
    pub package: Option<PackageKey>,
    pub entry: Option<EntryKey>,
}

impl Selection {
    /// The catalog that is selected, or has the selected package.
    #[must_use]
    pub fn catalog(&self) -> Option<CatalogId> {
        self.whole.or_else(|| Some(self.package.as_ref()?.catalog))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedSelection {
    pub catalog: String,
    /// The package's name; absent if the catalog is selected as a whole.
    pub package: Option<String>,
    pub entry: Option<EntryKey>,
}
