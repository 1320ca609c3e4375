//! What is selected.

use views::{EntryKey, PackageKey};

/// The selected package and entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The package.
    pub package: Option<PackageKey>,
    /// One of its entries.
    pub entry: Option<EntryKey>,
}

/// A selection by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedSelection {
    /// The catalog's name.
    pub catalog: String,
    /// The package's name.
    pub package: String,
    /// One of its entries.
    pub entry: Option<EntryKey>,
}
