//! Catalogs, packages and entries as lists and details.

use crate::{CatalogId, Counts, EntryKey, Excerpt, FactLine, FactRow, FileKey, FindingView, PackageKey, Place};
use serde::{Deserialize, Serialize};

/// Everything loaded, in one list each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    /// In the order they were added.
    pub catalogs: Vec<CatalogRow>,
    /// By name, then by catalog.
    pub packages: Vec<PackageRow>,
    /// Over all catalogs.
    pub findings: Counts,
}

/// A catalog: a CatalogSource and its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CatalogRow {
    /// Which.
    pub id: CatalogId,
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`
    pub namespace: String,
    /// `spec.priority`
    pub priority: i32,
    /// Its files by path.
    pub files: Vec<FileRow>,
    /// How many packages it has.
    pub packages: u32,
    /// Its findings.
    pub findings: Counts,
}

/// A file of a catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRow {
    /// Which.
    pub file: FileKey,
    /// The path below the catalog's root.
    pub path: String,
    /// Length in bytes.
    pub bytes: u32,
    /// Whether `.indexignore` leaves it out.
    pub ignored: bool,
    /// The template that it was expanded from, if it was.
    pub expanded_from: Option<FileKey>,
    /// Its findings.
    pub findings: Counts,
}

/// A package in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackageRow {
    /// Which.
    pub key: PackageKey,
    /// The default channel as written.
    pub default_channel: Option<String>,
    /// The version of the default channel's head, else the head's name.
    pub head: Option<String>,
    /// Its channels by name.
    pub channels: Vec<String>,
    /// How many bundles.
    pub bundles: u32,
    /// Its findings.
    pub findings: Counts,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// The icon of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IconRow {
    /// Whose.
    pub key: PackageKey,
    /// A `data:` URL of an image type, to be used in `img` elements only.
    pub url: String,
}

/// All about one entry (and its bundle).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryView {
    /// Which.
    pub key: EntryKey,
    /// The bundle's version as written.
    pub version: Option<String>,
    /// Why the entry is special, a short sentence each: `head of stable`, `skipped by x in fast`, `deprecated: ...`.
    pub notes: Vec<String>,
    /// The entry in each channel that lists it, the asked one first.
    pub channels: Vec<EntryRow>,
    /// The APIs that it provides, `Kind (group/version)`.
    pub provides: Vec<String>,
    /// What it requires.
    pub requires: Vec<RequirementView>,
    /// The bundle image.
    pub image: Option<String>,
    /// What else its bundle says of itself: properties, description, images, people, links.
    pub facts: Vec<FactRow>,
    /// Who requires it, in all loaded catalogs.
    pub required_by: Vec<FactLine>,
    /// Where the entry stands in the channel.
    pub entry_place: Option<Place>,
    /// Where the bundle document stands.
    pub bundle_place: Option<Place>,
    /// The first lines of the entry's text, or of the bundle's.
    pub excerpt: Option<Excerpt>,
    /// Findings about it.
    pub findings: Vec<FindingView>,
    /// Names of entries that can update to this one in one hop, with the edge: `1.0.0 (replaces)`.
    pub from: Vec<String>,
    /// Names of entries that this one can update to in one hop, the one that OLM takes first.
    pub to: Vec<String>,
    /// Names of versions that OLM brings here in more than one hop, with how many: `1.0.0 (3 hops)`.
    pub later: Vec<String>,
    /// Names of other versions of the package, which OLM never brings here in this channel.
    pub never: Vec<String>,
}

/// An entry in one channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryRow {
    /// The channel.
    pub channel: String,
    /// `replaces` as written.
    pub replaces: Option<String>,
    /// `skips` as written.
    pub skips: Vec<String>,
    /// `skipRange`.
    pub skip_range: Option<RangeView>,
}

/// A range and what it means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RangeView {
    /// As written.
    pub text: String,
    /// In canonical comparators; absent when it does not parse.
    pub normalised: Option<String>,
    /// Versions of the package that it matches, ascending.
    pub matches: Vec<String>,
    /// What is wrong with it.
    pub error: Option<String>,
}

/// A requirement of a bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequirementView {
    /// What completes "requires": ``package `x` in range `>=1.0.0` ``; names are in backticks.
    pub text: String,
    /// Bundles of the loaded catalogs that meet it, a few of the newest.
    pub met_by: Vec<FactLine>,
    /// How many more there are.
    pub more: u32,
    /// What it means, part by part, where it is a constraint.
    pub parts: Vec<FactLine>,
    /// Where it stands.
    pub place: Option<Place>,
}
