//! What the CatalogSources of a cluster offer, as PackageManifests tell it.

use crate::ManifestFinding;
use serde::{Deserialize, Serialize};

/// An inventory: packages, channels and versions, without update edges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InventoryView {
    /// What the inventory lacks, and what to do about it; a sentence or two.
    pub notice: String,
    /// The CatalogSources, by namespace and name.
    pub sources: Vec<InventorySourceView>,
    /// How many objects of other kinds were left out.
    pub skipped: u32,
    /// Findings about the text, in its order. An object with an error is left out.
    pub findings: Vec<ManifestFinding>,
}

/// A CatalogSource and what it offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InventorySourceView {
    pub name: String,
    pub namespace: String,
    /// Its name for people; empty if it has none.
    pub display_name: String,
    /// Its publisher; empty if it has none.
    pub publisher: String,
    pub commands: Vec<CatalogCommand>,
    pub packages: Vec<InventoryPackageView>,
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
pub struct InventoryPackageView {
    pub name: String,
    /// Who provides it; empty if nobody is named.
    pub provider: String,
    /// The default channel; empty if there is none.
    pub default_channel: String,
    pub deprecated: Option<String>,
    /// As package-server lists them.
    pub channels: Vec<InventoryChannelView>,
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InventoryChannelView {
    pub name: String,
    /// Whether it is the default channel.
    pub is_default: bool,
    pub head: String,
    /// The version of the head; empty if it is not known.
    pub version: String,
    pub deprecated: Option<String>,
    /// The newest version first.
    pub entries: Vec<InventoryEntryView>,
}

/// An entry of a channel, without its edges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InventoryEntryView {
    /// The name of the CSV.
    pub name: String,
    /// Its version; empty if it is not known.
    pub version: String,
    pub deprecated: Option<String>,
}
