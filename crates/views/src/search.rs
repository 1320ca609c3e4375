//! What a search finds besides packages, whose names the page has.

use crate::{EntryKey, PackageKey};
use serde::{Deserialize, Serialize};

/// The results of a search, by kind; only kinds with results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchView {
    /// In display order.
    pub groups: Vec<SearchGroup>,
}

/// Results of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchGroup {
    /// The kind.
    pub kind: SearchKind,
    /// The best results.
    pub hits: Vec<SearchHit>,
    /// The number of further ones.
    pub more: u32,
}

/// What is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SearchKind {
    /// A bundle or an entry, by its name or version.
    Version,
    /// An API that bundles provide, by its kind or group.
    Api,
    /// An image of a bundle, or one that it lists as related.
    Image,
}

/// One result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchHit {
    /// The name, API or image.
    pub text: String,
    /// The package that has it.
    pub package: PackageKey,
    /// The entry that has it; of several, the newest.
    pub entry: EntryKey,
    /// The version of the entry.
    pub version: Option<String>,
}
