//! What is written into catalogs: releases, removals and deprecations, and bundles that are tried.

use crate::{CatalogId, EditView, FileEdit, FileKey, Level, RefusedView, SetId, SideKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::OpenShift;

/// What is written into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A catalog: its text is edited here.
    Catalog(CatalogId),
    /// All catalogs of a set that have the package: the edits are shown, to be downloaded.
    Set(SetId),
}

/// What is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuthoringInput {
    /// A new bundle is added.
    Release(Trial),
    /// A version is taken out of all channels, or stays listed without being offered.
    Remove { package: String, name: String, stays_listed: bool },
    /// A package, a channel or a version is deprecated.
    Deprecate {
        package: String,
        what: Deprecatee,
        /// What users are told.
        message: String,
    },
    /// The edges of an entry are changed, whether `opm` accepts that or not.
    Edge { package: String, edit: EdgeGesture },
    /// What was offered as a fix is made, whether `opm` accepts the result or not.
    Fix {
        /// What it does; names are in backticks.
        title: String,
        changes: Vec<CatalogChange>,
    },
}

/// A change of a catalog that is offered: what it means. The text is made when it is chosen, and read again.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CatalogChange {
    /// The quick fix of a finding that has the title of the fix.
    QuickFix {
        file: FileKey,
        /// The id of the finding's rule.
        rule: String,
        /// The first byte of the finding.
        start: u32,
        /// One past its last byte.
        end: u32,
    },
    /// Edits of entries of a channel.
    Entries { package: String, channel: String, edits: Vec<EditView> },
    /// A bundle requires a package in the range `to` instead of `from`.
    Range { package: String, bundle: String, required: String, from: String, to: String },
    /// Something of a package is again as it was in another state.
    Kept { package: String, before: SideKey, what: Kept },
}

/// What of a package is as it was.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// Entries that a channel no longer lists.
    Entries {
        channel: String,
        names: Vec<String>,
    },
    Channel(String),
    Package,
}

/// What the user did to the edges of an entry in the drawing. The worker makes an edit of it: only there the versions are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeGesture {
    /// The channel.
    pub channel: String,
    pub entry: String,
    /// What changes.
    pub gesture: Gesture,
    /// The entry that it is changed to.
    pub to: String,
}

/// How the edges of an entry change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gesture {
    /// It replaces the other one; no longer, if it does already.
    Replace,
    /// It skips the other one; no longer, if it does already.
    Skip,
    /// Its skipRange begins at the version of the other one.
    RangeFrom,
    /// Its skipRange ends with the version of the other one.
    RangeTo,
}

/// What a change of edges does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeEffectView {
    /// What changes, and how many installed versions that is about, as a sentence; names are in backticks.
    pub sentence: String,
    /// The updates of installed versions before and after it, as a sentence for those that change alike.
    pub effects: Vec<String>,
    /// Whether some no longer reach the head.
    pub is_worse: bool,
}

/// What is deprecated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deprecatee {
    Package,
    Channel(String),
    Bundle(String),
}

/// What was written into a catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authored {
    pub catalog: CatalogId,
    pub input: AuthoringInput,
    pub undo: Vec<FileEdit>,
}

/// What is or would be written into catalogs.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WrittenView {
    /// How many catalogs change, as a sentence; names are in backticks.
    pub sentence: String,
    /// The catalogs; those of a set with the same files as one.
    pub catalogs: Vec<WrittenCatalog>,
    /// The files beside them that are made.
    pub files: Vec<WrittenFileView>,
}

/// What is or would be written into a catalog, or into catalogs with the same files.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WrittenCatalog {
    /// What it is.
    pub title: String,
    /// The versions of OpenShift that it is for, if it is one of a set.
    pub openshift: Vec<OpenShift>,
    /// The template of the community pipelines, if it is one.
    pub template: Option<String>,
    /// What changes in channels.
    pub channels: Vec<ChannelEditView>,
    pub files: Vec<WrittenFileView>,
    /// What becomes of installed versions, as sentences; names are in backticks.
    pub effects: Vec<String>,
    /// The worst of that.
    pub worst: Option<Level>,
    /// That the catalog is ahead of its template, which is written into.
    pub outgrown: Option<String>,
    /// Why nothing is written.
    pub reason: Option<RefusedView>,
}

/// What changes in a channel.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ChannelEditView {
    pub channel: String,
    /// Whether the channel is made.
    pub new: bool,
    /// The entries that it gets.
    pub added: Vec<AddedEntry>,
    /// The edits of its entries.
    pub edits: Vec<EditView>,
    /// The entries that it loses.
    pub removed: Vec<String>,
}

/// An entry that a channel gets.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct AddedEntry {
    pub name: String,
    pub replaces: Option<String>,
    pub skips: Vec<String>,
    pub skip_range: Option<String>,
    /// The edges in words; names are in backticks.
    pub text: String,
}

/// A file that changes or is made.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WrittenFileView {
    pub path: String,
    /// How its text changes: a unified diff. Empty for a template that the pipelines change.
    pub diff: String,
    /// The same of what a template expands to.
    pub expansion: Option<String>,
}

impl WrittenCatalog {
    /// Why nothing is written and what to do, or what becomes of installed versions, as sentences; names are in backticks.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        self.reason
            .as_ref()
            .map_or_else(|| self.effects.clone(), |reason| reason.sentences("Nothing is written").into())
    }

    /// Whether it takes what is written, and no installed version is worse off.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        self.reason.is_none() && self.outgrown.is_none() && self.worst != Some(Level::Breaking)
    }
}

// Trying a new bundle on an open catalog, or on the catalogs of a set.

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
