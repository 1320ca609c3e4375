//! Subscriptions as ClusterExtensions of OLM v1, and what OLM v1 refuses in the bundles of a package. The command line prints
//! [`MigrationView`] as JSON, so that its field names are part of its contract.

use crate::NamespaceState;
use ::source::ReadinessVerdict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What becomes of the Subscriptions of a cluster under OLM v1.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MigrationView {
    /// The namespaces as they stand under OLM v0; the rest is what follows.
    pub namespaces: Vec<NamespaceState>,
    /// Subscriptions with the same answer, in the order of their first Subscriptions by namespace and name.
    pub groups: Vec<MigrationGroup>,
    /// The ClusterCatalogs that stand for the CatalogSources, by namespace and name of these.
    pub catalogs: Vec<CatalogMigrationRow>,
    /// The objects to apply, as a YAML stream.
    pub manifests: String,
    /// Notices about the input, a sentence each.
    pub notices: Vec<String>,
}

/// Subscriptions that differ in nothing but names and notes.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MigrationGroup {
    pub package: String,
    /// The installed bundle.
    pub installed: Option<String>,
    pub verdict: MigrationVerdict,
    /// The verdict in a few words: ``moves first to `etcd.v2` ``.
    pub summary: String,
    /// What OLM v0 does next, a sentence.
    pub v0: String,
    /// What OLM v1 does next, a sentence, with its error if it has one.
    pub v1: String,
    /// Whether the two do not end at the same bundle.
    pub differs: bool,
    /// What is in the way, what is unknown, and what else to know of all Subscriptions; the worst first.
    pub notes: Vec<MigrationNote>,
    /// The bundles that updates may lead to, the head of the channel first, and the installed one last.
    pub bundles: Vec<ReadinessRow>,
    /// The CRDs of the update that OLM v1 makes; empty if it makes none.
    pub crds: Vec<CrdUpgradeRow>,
    /// By namespace and name.
    pub subscriptions: Vec<MigratedSubscription>,
}

/// A Subscription of a group.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MigratedSubscription {
    pub subscription: String,
    pub namespace: String,
    /// The name of the ClusterExtension.
    pub extension: String,
    /// The notes that not all Subscriptions of the group have.
    pub notes: Vec<MigrationNote>,
}

/// The ClusterCatalog that stands for a CatalogSource.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CatalogMigrationRow {
    /// The name of the CatalogSource.
    pub source: String,
    pub namespace: String,
    /// The name of the ClusterCatalog.
    pub catalog: String,
    pub status: CatalogMigrationStatus,
    /// Why, in a clause that follows the name of the ClusterCatalog.
    pub reason: String,
    /// What a ClusterCatalog does not have.
    pub notes: Vec<String>,
}

/// What there is to do for a CatalogSource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CatalogMigrationStatus {
    /// Its ClusterCatalog is among the manifests.
    New,
    /// A ClusterCatalog serves its content.
    Exists,
    /// Somebody has to create a ClusterCatalog by hand.
    Missing,
    /// The manifests do not show its image.
    Unknown,
}

/// What becomes of a Subscription as a ClusterExtension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MigrationVerdict {
    /// OLM v1 installs another bundle than the installed one, or the first one.
    Moves,
    /// It keeps the installed version.
    Stays,
    /// It is not made a ClusterExtension, because another one has its package.
    Ends,
    /// It finds no bundle.
    Fails,
    /// The catalog or the installed version is not known, or the catalog does not show the ClusterServiceVersion of the bundle.
    CannotBeKnown,
    /// It refuses the bundle that it finds, or the API server rejects the ClusterExtension.
    Refused,
}

impl MigrationVerdict {
    /// Whether the Subscription moves or stays.
    #[must_use]
    pub const fn succeeds(self) -> bool {
        matches!(self, Self::Moves | Self::Stays)
    }
}

/// Something to know about a migration.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MigrationNote {
    /// How much it matters.
    pub kind: MigrationNoteKind,
    /// A sentence; names and OLM's texts are in backticks.
    pub text: String,
}

/// How much a note matters, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MigrationNoteKind {
    /// OLM v1 or the API server refuses something.
    Refusal,
    /// Somebody has to do something before or after the migration.
    Obstacle,
    Unknown,
    Hint,
}

/// What OLM v1 refuses in the bundles of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadinessView {
    /// The bundles, the highest version first.
    pub bundles: Vec<ReadinessRow>,
    /// The summary in a few words: `2 of 3 bundles are refused`.
    pub summary: String,
}

/// What a catalog shows of a bundle for OLM v1.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ReadinessRow {
    pub bundle: String,
    /// Its version; empty if it has none.
    pub version: String,
    /// The channels that list it.
    pub channels: Vec<String>,
    pub is_installed: bool,
    /// Whether it is the one that OLM v1 chooses.
    pub is_chosen: bool,
    pub verdict: ReadinessVerdict,
    /// The texts of what OLM v1 refuses.
    pub refusals: Vec<String>,
    /// What the bundle needs on the cluster.
    pub needs: Vec<String>,
    /// What the catalog does not show.
    pub unknown: Vec<String>,
}

/// A CRD in an update that OLM v1 makes.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CrdUpgradeRow {
    pub name: String,
    pub status: CrdUpgradeStatus,
    /// The lines of OLM v1's CRD upgrade safety check, or why it cannot be checked.
    pub lines: Vec<String>,
}

/// What becomes of a CRD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CrdUpgradeStatus {
    /// The check finds nothing.
    Accepted,
    /// The check forbids the update.
    Refused,
    /// The check forbids the update in some runs.
    RefusedByChance,
    /// Only the new bundle has it.
    New,
    /// Only the old bundle has it.
    Gone,
    /// It cannot be checked.
    Unknown,
}
