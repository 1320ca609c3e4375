//! Trying a new bundle on an open catalog, or on the catalogs of a set.

use crate::Target;
use serde::{Deserialize, Serialize};

/// A bundle directory whose package an open catalog or set has: it can be tried there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewBundleView {
    pub number: u32,
    /// The name of its CSV.
    pub name: String,
    /// The version of its CSV; empty when it has none.
    pub version: String,
    pub package: String,
    pub title: String,
    /// What it can be added to, the catalog that was opened last first. Never empty.
    pub targets: Vec<TrialTarget>,
    /// What `opm render` loses of it, as sentences.
    pub findings: Vec<String>,
}

/// A catalog or a set that a bundle can be added to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialTarget {
    pub target: Target,
    pub name: String,
    /// What happens, as a sentence; names are in backticks.
    pub intro: String,
    /// The policies that fit. Never empty.
    pub policies: Vec<TrialPolicy>,
}

/// The edges that one policy of releases gives a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialPolicy {
    /// The id of the policy; empty for the edges that the CSV of the bundle names.
    pub policy: String,
    /// The policy in words.
    pub label: String,
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
    pub entry: TrialEntry,
    /// What the suggested entry updates, and where that is from, as a sentence; names are in backticks.
    pub edge: String,
}

/// An entry of a channel for a new bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialEntry {
    pub channel: String,
    /// `replaces`; empty for none.
    pub replaces: String,
    pub skips: Vec<String>,
    /// `skipRange`; empty for none.
    pub skip_range: String,
}

/// A new bundle with its edges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// The number of the bundle.
    pub number: u32,
    /// The image that it is in, for its document; empty if that is not known.
    pub image: String,
    /// The id of the policy, which may change other entries, too; empty for none.
    pub policy: String,
    /// Its entry in each chosen channel. In a set the channels count alone: the policy says the edges in each catalog.
    pub entries: Vec<TrialEntry>,
}
