//! What a search finds.

use crate::{CatalogId, EntryKey, FileKey, PackageKey};
use serde::{Deserialize, Serialize};

/// Where a search looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchScope {
    /// In everything that is loaded.
    #[default]
    All,
    /// In the entries of a package, each in each channel that lists it, and in its channels, which stand for their heads.
    Entries {
        package: PackageKey,
        /// The channel whose entries come first, if others fit as well.
        channel: Option<String>,
    },
}

/// The results of a search, by kind; only kinds with results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchView {
    /// In display order.
    pub groups: Vec<SearchGroup>,
}

/// Results of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchGroup {
    pub kind: SearchKind,
    /// The best results.
    pub hits: Vec<SearchHit>,
    /// The number of further ones.
    pub more: u32,
}

/// What is found, in display order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    Package,
    Channel,
    /// A bundle or an entry, by its name or version.
    Version,
    /// An API that bundles provide, by its kind or group.
    Api,
    /// An image of a bundle, or one that it lists as related.
    Image,
    File,
    Catalog,
}

/// One result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchHit {
    /// The name, API, image or path.
    pub text: String,
    /// What else there is to know of it, in a few words; may be empty.
    pub about: String,
    pub catalog: CatalogId,
    /// What it leads to.
    pub target: SearchTarget,
}

/// What a result leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchTarget {
    Package(PackageKey),
    Channel {
        package: PackageKey,
        channel: String,
    },
    /// An entry; of several that have what was found, the newest.
    Entry {
        package: PackageKey,
        entry: EntryKey,
    },
    File(FileKey),
    Catalog(CatalogId),
}
