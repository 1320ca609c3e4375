//! Subscriptions as ClusterExtensions of OLM v1, and what OLM v1 refuses in the bundles of a package.

use crate::PackageKey;
use serde::{Deserialize, Serialize};

/// What becomes of the Subscriptions of a cluster under OLM v1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MigrationView {
    pub subscriptions: Vec<MigrationRow>,
    /// The operators that the migration tool has migrated already: the ClusterExtension, and the Subscription that it was made of
    /// as `namespace/name`.
    pub migrated: Vec<(String, String)>,
    /// What `migrate-catalogs-v0-to-v1` makes of the CatalogSources, in the order of its results.
    pub catalogs: Vec<CatalogMigrationRow>,
    /// What only the cluster shows of these results, a sentence.
    pub unknown_catalogs: Option<String>,
    /// The error with which `migrate-catalogs-v0-to-v1` ends.
    pub failed_catalogs: Option<String>,
    /// What `rollback` and `cleanup` do with the ClusterExtensions that the migration tool made, by name.
    pub recoveries: Vec<RecoveryRow>,
    /// The objects that the migration tool creates, as a YAML stream.
    pub manifests: String,
    /// Notices about the input, a sentence each.
    pub notices: Vec<String>,
}

/// What becomes of a Subscription under OLM v1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MigrationRow {
    pub subscription: String,
    pub namespace: String,
    pub package: String,
    /// Its package in a loaded catalog, if there is one.
    pub package_key: Option<PackageKey>,
    pub installed: Option<String>,
    /// The name of the ClusterExtension.
    pub extension: String,
    /// Whether the migration tool takes the Subscription.
    pub eligibility: EligibilityView,
    /// What `convert` does with it.
    pub conversion: ConversionView,
    /// What OLM v1 does with it then.
    pub verdict: MigrationVerdictView,
    /// The same in a few words: ``moves first to `etcd.v2` ``.
    pub summary: String,
    /// What OLM v0 does next, a sentence.
    pub v0: String,
    /// What OLM v1 does next, a sentence, with its error if it has one.
    pub v1: String,
    /// Whether the two do not end at the same bundle.
    pub differs: bool,
    /// What is in the way, what is unknown, and what else to know; the worst first.
    pub notes: Vec<MigrationNote>,
    /// The bundles that updates of the Subscription may lead to, the head of its channel first, and the installed one last.
    pub bundles: Vec<ReadinessRow>,
    /// The CRDs of the update that OLM v1 makes; empty if it makes none.
    pub crds: Vec<CrdUpgradeRow>,
    /// What `convert` creates, as a YAML stream.
    pub manifest: String,
}

impl MigrationRow {
    /// Whether the migration tool takes the Subscription and OLM v1 then moves or keeps it, as far as the manifests show.
    #[must_use]
    pub fn succeeds(&self) -> bool {
        self.eligibility.is_eligible() && self.conversion.refusal.is_none() && self.verdict.succeeds()
    }
}

/// What `convert` of the migration tool does with a Subscription.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversionView {
    /// The error with which it ends before it changes anything.
    pub refusal: Option<String>,
    /// What it depends on besides and the manifests do not tell.
    pub unknown: Vec<String>,
    /// The namespace of the operator afterwards.
    pub namespace: Option<String>,
    /// The name of the ClusterObjectSet.
    pub object_set: Option<String>,
    /// Its phases, with the objects that the manifests name.
    pub phases: Vec<(String, Vec<String>)>,
    /// What it deletes, keeps and moves, in the words of its dry run.
    pub plan: Vec<String>,
}

/// What `rollback` and `cleanup` do with a ClusterExtension that the migration tool made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryRow {
    /// The ClusterExtension.
    pub extension: String,
    /// The Subscription that it was made of, as `namespace/name`.
    pub subscription: String,
    pub rollback: RecoveryView,
    /// The Subscription that `rollback` creates, as YAML.
    pub restored: Option<String>,
    /// What `cleanup` does, if the Subscription exists.
    pub cleanup: Option<RecoveryView>,
}

/// What `rollback` or `cleanup` does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryView {
    /// The error with which it ends before it changes anything.
    pub refusal: Option<String>,
    /// What it deletes, in order. What these objects own stays.
    pub deleted: Vec<String>,
    /// What else to know, a sentence each.
    pub notes: Vec<String>,
}

/// Whether the official migration tool takes a Subscription, with its texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EligibilityView {
    /// `Conflict`, `Ineligible` or `Eligible`.
    pub state: String,
    pub reason: String,
    /// The checks, in the order of the tool.
    pub checks: Vec<CheckView>,
    /// What the tool warns about.
    pub warnings: Vec<String>,
    /// The number of checks whose result the manifests do not tell.
    pub unknown: u32,
}

impl EligibilityView {
    /// Whether the tool takes it, as far as the manifests show.
    #[must_use]
    pub fn is_eligible(&self) -> bool {
        self.state == "Eligible"
    }

    /// The verdict in a few words.
    #[must_use]
    pub fn sentence(&self) -> String {
        match (self.is_eligible(), self.unknown) {
            (true, 0) => "the migration tool takes it: Eligible".to_owned(),
            (true, 1) => "Eligible as far as the manifests show; 1 check is not known".to_owned(),
            (true, many) => format!("Eligible as far as the manifests show; {many} checks are not known"),
            (false, _) => format!("the migration tool refuses it: {}, {}", self.state, self.reason),
        }
    }
}

/// A check of the migration tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckView {
    pub name: String,
    /// How it ends.
    pub outcome: CheckOutcomeView,
    /// The text of the tool, or why the result is not known.
    pub message: String,
}

/// How a check ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckOutcomeView {
    Passed,
    /// It fails, and an acknowledgment lets it pass.
    Overridden,
    Failed,
    /// The manifests and catalogs do not tell.
    NotKnown,
}

impl CheckOutcomeView {
    /// The word in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Overridden => "overridden",
            Self::Failed => "failed",
            Self::NotKnown => "notKnown",
        }
    }
}

/// What `migrate-catalogs-v0-to-v1` makes of a CatalogSource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogMigrationRow {
    /// The name of the CatalogSource.
    pub source: String,
    pub namespace: String,
    /// The result.
    pub status: CatalogMigrationStatus,
    /// The ClusterCatalog that has its content afterwards.
    pub catalog: Option<String>,
    /// The reason in the words of the tool, or why the result is not known.
    pub reason: String,
    /// What a ClusterCatalog does not have, in the words of the tool.
    pub notes: Vec<String>,
    /// What to know about the result, a sentence.
    pub hint: Option<String>,
    /// The note of the tool with `--delete-catalogsource`, if that is not given.
    pub deletion: Option<String>,
}

/// The result for a CatalogSource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CatalogMigrationStatus {
    Created,
    /// A dry run would create or adopt a ClusterCatalog.
    DryRun,
    /// It shares a ClusterCatalog of the same image.
    Adopted,
    /// The tool makes nothing of it.
    Skipped,
    /// A ClusterCatalog of the name has another image.
    Error,
    /// The manifests do not show it.
    NotKnown,
}

/// What becomes of a Subscription as a ClusterExtension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MigrationVerdictView {
    /// OLM v1 installs another bundle, or the first one.
    Moves,
    /// It keeps the installed version.
    Stays,
    /// It finds no bundle.
    Fails,
    /// The loaded catalogs do not show it.
    CannotBeKnown,
    /// OLM v1 refuses the bundle, or the API server rejects the ClusterExtension.
    Refused,
}

impl MigrationVerdictView {
    /// Whether the Subscription moves or stays.
    #[must_use]
    pub const fn succeeds(self) -> bool {
        matches!(self, Self::Moves | Self::Stays)
    }
}

/// Something to know about a migration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MigrationNote {
    /// How much it matters.
    pub kind: MigrationNoteKind,
    /// A sentence; names and OLM's texts are in backticks.
    pub text: String,
}

/// How much a note matters, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MigrationNoteKind {
    /// OLM v1 or the API server refuses something.
    Refusal,
    /// Somebody has to do something before or after the migration.
    Obstacle,
    /// It is not known.
    Unknown,
    /// An explanation.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadinessRow {
    pub bundle: String,
    /// Its version; empty if it has none.
    pub version: String,
    pub channels: Vec<String>,
    pub is_installed: bool,
    /// Whether it is the one that OLM v1 chooses.
    pub is_chosen: bool,
    pub verdict: ReadinessVerdictView,
    /// The texts of what OLM v1 refuses.
    pub refusals: Vec<String>,
    /// What the bundle needs on the cluster.
    pub needs: Vec<String>,
    /// What the catalog does not show.
    pub unknown: Vec<String>,
}

/// What a catalog shows of a bundle in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReadinessVerdictView {
    /// OLM v1 refuses the bundle.
    Refused,
    /// The catalog does not show the ClusterServiceVersion.
    CannotBeKnown,
    /// The catalog shows nothing that OLM v1 refuses, which is no promise.
    NothingFound,
}

/// A CRD in an update that OLM v1 makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrdUpgradeRow {
    pub name: String,
    /// What becomes of it.
    pub status: CrdUpgradeStatus,
    /// The lines of OLM v1's CRD upgrade safety check, or why it cannot be checked.
    pub lines: Vec<String>,
}

/// What becomes of a CRD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
