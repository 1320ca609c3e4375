//! What catalogs have: packages, channels, heads and versions. One type for catalogs and for PackageManifests.

use crate::ManifestFinding;
use serde::{Deserialize, Serialize};

/// What catalogs have, without update edges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListView {
    /// What PackageManifests lack, and what to do about it, a sentence or two; empty without them.
    pub notice: String,
    /// The catalogs; those of PackageManifests by namespace and name.
    pub sources: Vec<ListedCatalog>,
    /// How many objects beside PackageManifests were left out.
    pub skipped: u32,
    /// Findings about the text of PackageManifests, in its order. An object with an error is left out.
    pub findings: Vec<ManifestFinding>,
}

/// A catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedCatalog {
    pub name: String,
    /// That of its CatalogSource; empty for a catalog that was read itself.
    pub namespace: String,
    /// Its name for people; empty if it has none.
    pub display_name: String,
    /// Its publisher; empty if it has none.
    pub publisher: String,
    /// How to get the catalog, if only its PackageManifests were read.
    pub commands: Vec<CatalogCommand>,
    pub packages: Vec<ListedPackage>,
}

/// A command that helps to get a catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogCommand {
    pub purpose: String,
    /// The command line, in which words in capitals stand for what the user has to fill in; or why there is none.
    pub command: Result<String, String>,
}

/// A package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedPackage {
    pub name: String,
    /// Who provides it; empty if nobody is named.
    pub provider: String,
    /// The default channel; empty if there is none.
    pub default_channel: String,
    pub deprecated: Option<String>,
    /// Of PackageManifests as package-server lists them, else by name.
    pub channels: Vec<ListedChannel>,
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedChannel {
    pub name: String,
    /// Whether it is the default channel.
    pub is_default: bool,
    /// The name of the head; empty if OLM finds none.
    pub head: String,
    /// The version of the head; empty if it is not known.
    pub version: String,
    pub deprecated: Option<String>,
    /// The newest version first.
    pub entries: Vec<ListedEntry>,
}

/// An entry of a channel, without its edges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedEntry {
    /// The name of the CSV.
    pub name: String,
    /// Its version; empty if it is not known.
    pub version: String,
    pub deprecated: Option<String>,
}
