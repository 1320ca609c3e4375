//! Ids, keys and places that requests and replies refer to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A catalog of the current inputs; stable while it is loaded, never reused within a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
pub struct CatalogId(#[schemars(with = "String")] pub u32);

/// A file of the current inputs; stable while it is loaded, never reused within a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
pub struct FileKey(#[schemars(with = "String")] pub u32);

impl FileKey {
    /// The text of the cluster manifests, which is not a file of a catalog.
    pub const MANIFESTS: Self = Self(u32::MAX);
}

/// A package of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
pub struct PackageKey {
    pub catalog: CatalogId,
    pub package: String,
}

/// An entry of a channel, or a bundle in any channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
pub struct EntryKey {
    /// The channel; absent for a bundle that no channel lists.
    pub channel: Option<String>,
    /// The entry's (and bundle's) name.
    pub name: String,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[schemars(into = "PrintedPlace")]
pub struct Place {
    pub file: FileKey,
    /// First byte (UTF-8).
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Column of the first byte in UTF-16 units, from 1.
    pub column: u32,
}

/// A place as it is printed for other programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct PrintedPlace {
    /// The path of the file; absent where the text is in no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// From 1.
    pub line: u32,
    /// From 1, in UTF-16 units.
    pub column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// One past the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}
