//! Trying a new bundle on an open catalog.

use crate::{CatalogId, FileEdit};
use serde::{Deserialize, Serialize};

/// A bundle directory whose package an open catalog has: it can be tried there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewBundleView {
    /// Its number.
    pub number: u32,
    /// The name of its CSV.
    pub name: String,
    /// The version of its CSV; empty when it has none.
    pub version: String,
    /// Its package.
    pub package: String,
    /// What it is, for a title.
    pub title: String,
    /// The catalogs that have the package, the last that was opened first, each with the policies that fit. Never empty.
    pub catalogs: Vec<TrialCatalog>,
    /// What `opm render` loses of it, as sentences.
    pub findings: Vec<String>,
}

/// A catalog that a bundle can be tried on, with the edges that one policy of releases gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialCatalog {
    /// The catalog.
    pub catalog: CatalogId,
    /// Its name.
    pub name: String,
    /// The id of the policy; empty for the edges that the CSV of the bundle names.
    pub policy: String,
    /// The policy in words, behind the name of the catalog if there are several.
    pub label: String,
    /// What a trial does, as a sentence; names are in backticks.
    pub intro: String,
    /// The channels of the package, then those that the bundle's annotations name and the package does not have.
    pub channels: Vec<TrialChannel>,
}

/// A channel that a bundle may be added to, with the edges that its CSV and the channel suggest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialChannel {
    /// Whether the bundle's annotations name it.
    pub is_named: bool,
    /// Whether the package has the channel and the bundle's annotations name it, in words.
    pub note: String,
    /// The suggested entry.
    pub entry: TrialEntry,
    /// What the suggested entry updates, and where that is from, as a sentence; names are in backticks.
    pub edge: String,
}

/// An entry of a channel for a new bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialEntry {
    /// The channel.
    pub channel: String,
    /// `replaces`; empty for none.
    pub replaces: String,
    /// `skips`
    pub skips: Vec<String>,
    /// `skipRange`; empty for none.
    pub skip_range: String,
}

/// What a new bundle becomes in a catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// The number of the bundle.
    pub number: u32,
    /// The catalog that it is added to.
    pub catalog: CatalogId,
    /// The id of the policy, which may change other entries, too; empty for none.
    pub policy: String,
    /// Its entry in each chosen channel.
    pub entries: Vec<TrialEntry>,
}

/// A trial that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// What was added.
    pub trial: Trial,
    /// The edits that undo it, one for each file.
    pub undo: Vec<FileEdit>,
}
