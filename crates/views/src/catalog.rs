//! Rows of catalogs and packages, the details of an entry, and lists of what catalogs have.

use crate::{
    BundleRules, CatalogId, ChannelReach, Counts, EntryExtension, EntryKey, Excerpt, FactLine, FactRow, FileKey,
    FindingView, ManifestFinding, PackageKey, Place, RepairsView, Runtime, SetRow, SmallChain, StuckView,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All loaded catalogs and packages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    /// In the order they were added.
    pub catalogs: Vec<CatalogRow>,
    /// By name, then by catalog.
    #[serde(with = "crate::packed")]
    pub packages: Vec<PackageRow>,
    /// The number of findings in all catalogs.
    pub findings: Counts,
    /// Catalogs that are only compared with others, in the order they were added. Nothing above counts them.
    pub baselines: Vec<CatalogRow>,
    /// Catalogs for several versions of OpenShift, in the order they were added. Nothing above counts them.
    pub sets: Vec<SetRow>,
}

/// A catalog: a CatalogSource and its files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CatalogRow {
    pub id: CatalogId,
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`
    pub namespace: String,
    /// `spec.priority`
    pub priority: i64,
    /// Its files, sorted by path.
    pub files: Vec<FileRow>,
    pub packages: u32,
    pub findings: Counts,
    /// Why `opm` rejects it, so that a cluster gets none of its packages; absent if `opm` accepts it.
    pub rejection: Option<Rejection>,
    /// By what it is made of a folder of bundle directories, if it is one.
    pub bundles: Option<BundleChoice>,
}

/// The error for which `opm` rejects a catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// The release of `opm`, in words.
    pub opm: String,
    /// The error that `opm validate` stops at, or prints first.
    pub text: String,
    /// The package that it is about; absent for a file as a whole.
    pub package: Option<String>,
    /// The file.
    pub path: String,
    pub place: Place,
    /// The number of further packages with errors of `opm`.
    pub others: u32,
}

/// By what a catalog is made of bundle directories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundleChoice {
    /// By what its first package is made.
    pub rules: BundleRules,
    /// All that can be chosen.
    pub all: Vec<BundleRules>,
}

/// A file of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRow {
    pub file: FileKey,
    /// The path below the catalog's root.
    pub path: String,
    /// Length in bytes.
    pub bytes: u32,
    /// Whether `.indexignore` leaves it out.
    pub ignored: bool,
    /// Whether the text differs from what was opened.
    pub edited: bool,
    /// The template that it is the expansion of.
    pub expanded_from: Option<FileKey>,
    pub findings: Counts,
}

/// A package in the list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PackageRow {
    pub key: PackageKey,
    /// The default channel as written.
    pub default_channel: Option<String>,
    /// The version of the default channel's head, else the head's name.
    pub head: Option<String>,
    /// The names of its channels, sorted.
    pub channels: Vec<String>,
    pub bundles: u32,
    pub findings: Counts,
    /// How many findings the list shows for it: its own, and the errors of its catalog that are about no package.
    pub listed: u32,
    /// Its worst problem under OLM v0.
    pub v0: ProblemView,
    /// The one under OLM v1 alone, where it is another.
    pub v1: Option<ProblemView>,
    pub place: Option<Place>,
}

impl PackageRow {
    /// Its worst problem.
    #[must_use]
    pub fn problem(&self, runtime: Runtime) -> &ProblemView {
        self.v1.as_ref().filter(|_| runtime == Runtime::V1).unwrap_or(&self.v0)
    }
}

/// The worst problem of a package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemView {
    /// The message of the worst error or warning, up to its first semicolon.
    pub message: Option<String>,
    /// How bad that is, the worst first: 0 if `opm` rejects the catalog for it, 1 for another error, 2 if installed
    /// versions are stuck, 3 for another warning, 4 if a channel has no way to a newer one, 5 without a problem.
    pub rank: u32,
    /// The versions that are stuck, if that is the worst.
    pub stuck: Option<StuckView>,
}

impl Default for ProblemView {
    fn default() -> Self {
        Self { message: None, rank: 5, stuck: None }
    }
}

/// The icon of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IconRow {
    pub key: PackageKey,
    /// A `data:` URL of an image. For `img` elements only, where an SVG cannot run scripts.
    pub url: String,
}

/// The details of an entry and its bundle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EntryView {
    /// Whether `opm` rejects the catalog, so that clusters get nothing from it.
    pub is_rejected: bool,
    pub key: EntryKey,
    /// The bundle's version as written.
    pub version: Option<String>,
    /// Where OLM's updates of it end in the channel that the view is about; absent if no channel lists it and none was
    /// requested.
    pub reach: Option<ChannelReach>,
    /// Its way to the head of this channel; absent for the head, and for what is newer.
    pub chain: Option<SmallChain>,
    /// What helps, if it is stuck in this channel.
    pub repairs: Option<RepairsView>,
    /// The other versions that are stuck in this channel, by name, if it is.
    pub stuck_too: Vec<String>,
    /// Where its updates end in the other channels of the package: what a Subscription gets that switches to one of them.
    pub switches: Vec<ChannelReach>,
    /// What is special about the entry, a short clause each: `head of fast`, `skipped by x in fast`, `deprecated: ...`.
    pub notes: Vec<String>,
    /// The entry in each channel that lists it, the requested channel first.
    pub channels: Vec<EntryRow>,
    /// The APIs that the bundle provides, `Kind (group/version)`.
    pub provides: Vec<String>,
    pub requires: Vec<RequirementView>,
    pub image: Option<String>,
    /// Further facts about the bundle: properties, description, images, people, links.
    pub facts: Vec<FactRow>,
    /// The bundles of all loaded catalogs that require it.
    pub required_by: Vec<FactLine>,
    /// Why no startingCSV can name it in the channel that the view is about, a clause; `None` if one can.
    pub start_fault: Option<String>,
    /// The place of the entry in the channel.
    pub entry_place: Option<Place>,
    pub bundle_place: Option<Place>,
    /// The first lines of the entry, or of the bundle if no channel lists it.
    pub excerpt: Option<Excerpt>,
    pub findings: Vec<FindingView>,
    /// Versions that OLM updates to this one in one hop, with the edge: `1.0.0 (replaces)`.
    pub from: Vec<String>,
    /// Entries that this one can be updated to in one hop, OLM's choice first.
    pub to: Vec<String>,
    /// Versions that OLM updates to this one in several hops, with their number: `1.0.0 (3 hops)`.
    pub later: Vec<String>,
    /// Versions with an edge to this one that OLM does not use: it updates them to an entry nearer to the head.
    pub passed_over: Vec<String>,
    /// Versions of the package, none of them newer, that OLM never updates to this one in this channel.
    pub never: Vec<String>,
    /// What OLM v1 does with it; absent if the catalog has no bundle of this name.
    pub extension: Option<EntryExtension>,
}

impl EntryView {
    /// Whether the catalog has its bundle, so that a cluster can have it installed.
    #[must_use]
    pub const fn has_bundle(&self) -> bool {
        self.bundle_place.is_some()
    }

    /// Whether a startingCSV can name it in the channel that the view is about.
    #[must_use]
    pub const fn can_start(&self) -> bool {
        self.start_fault.is_none() && self.has_bundle()
    }
}

/// An entry in one channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryRow {
    pub channel: String,
    /// `replaces` as written.
    pub replaces: Option<String>,
    /// `skips` as written.
    pub skips: Vec<String>,
    /// `skipRange`.
    pub skip_range: Option<RangeView>,
}

/// A range, and the versions that it matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RangeView {
    /// As written.
    pub text: String,
    /// In canonical comparators; absent when it does not parse.
    pub normalised: Option<String>,
    /// The versions of the package that it matches, ascending.
    pub matches: Vec<String>,
    /// The syntax error, if there is one.
    pub error: Option<String>,
}

/// A requirement of a bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequirementView {
    /// The requirement, to be read after "requires": ``package `x` in range `>=1.0.0` ``; names are in backticks.
    pub text: String,
    /// The newest bundles of the loaded catalogs that meet it.
    pub met_by: Vec<FactLine>,
    /// The number of further bundles that meet it.
    pub more: u32,
    /// The parts of a constraint, each with what it matches.
    pub parts: Vec<FactLine>,
    pub place: Option<Place>,
}

// What catalogs have: packages, channels, heads and versions. One type for catalogs and for PackageManifests.

/// What catalogs have, without update edges.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CatalogCommand {
    pub purpose: String,
    /// The command line, in which words in capitals stand for what the user has to fill in.
    pub command: Option<String>,
    /// Why there is no command.
    pub reason: Option<String>,
}

/// A package.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ListedEntry {
    /// The name of the CSV.
    pub name: String,
    /// Its version; empty if it is not known.
    pub version: String,
    pub deprecated: Option<String>,
}
