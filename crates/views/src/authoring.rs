//! What is written into catalogs: releases, removals and deprecations.

use crate::{CatalogId, DiffLine, FileEdit, Level, SetId, Trial};
use serde::{Deserialize, Serialize};

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
    Remove {
        package: String,
        /// The name of its bundle.
        name: String,
        /// Whether its entries stay.
        stays_listed: bool,
    },
    /// A package, a channel or a version is deprecated.
    Deprecate {
        package: String,
        what: Deprecatee,
        /// What users are told.
        message: String,
    },
    /// The edges of an entry are changed, whether `opm` accepts that or not.
    Edge {
        package: String,
        /// The change.
        edit: EdgeGesture,
    },
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

/// What would be written into the catalogs of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenView {
    /// How many catalogs change, as a sentence; names are in backticks.
    pub sentence: String,
    /// The catalogs, those with the same files as one.
    pub catalogs: Vec<WrittenCatalog>,
}

/// What would be written into catalogs with the same files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenCatalog {
    /// The versions of OpenShift.
    pub title: String,
    /// Why nothing is written and what to do, or what becomes of installed versions, as sentences; names are in backticks.
    pub sentences: Vec<String>,
    /// Whether nothing is written.
    pub is_refused: bool,
    /// The worst that becomes of installed versions.
    pub worst: Option<Level>,
    pub files: Vec<WrittenFileView>,
}

/// A file that would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenFileView {
    pub path: String,
    pub diff: Vec<DiffLine>,
}
