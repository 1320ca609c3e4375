//! What OLM v1 does with a ClusterExtension. Names in sentences are in backticks.

use crate::Place;
use serde::{Deserialize, Serialize};

/// A ClusterExtension and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtensionView {
    pub name: String,
    pub package: String,
    /// Where it stands in the manifests.
    pub place: Option<Place>,
    /// What becomes of it, as a sentence without a subject: `installs `etcd.v1.2.1``.
    pub verdict: String,
    /// The same as a value.
    pub status: ExtensionStatus,
    /// The bundles that are installed one after the other, beginning with the one that is installed now.
    pub hops: Vec<String>,
    /// Why the last resolution fails, in OLM's words.
    pub error: Option<String>,
    /// What OLM v1 refuses of the bundle that it chose last, with the feature gate that lifts it, or the API server of the extension,
    /// in their words.
    pub refusals: Vec<String>,
    /// Changes of the extension that help if its resolution fails or its bundle is refused, a sentence each; each was followed to
    /// its end.
    pub fixes: Vec<String>,
    /// Changes after which OLM v1 chooses a bundle that it refuses, a sentence each.
    pub dead_ends: Vec<String>,
    /// The conditions of its status at the end, without those that the cluster reports.
    pub conditions: Vec<ExtensionCondition>,
    /// The bundles of the package that the last resolution did not take, the highest version first.
    pub dropped: Vec<DroppedBundle>,
    /// The catalogs that do not count, a sentence for each reason.
    pub skipped: Vec<String>,
}

/// How an extension ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtensionStatus {
    /// It gets another bundle, or its first one.
    Moves,
    /// It stays at its bundle.
    Stays,
    /// A resolution fails, OLM v1 refuses the bundle, or the API server the extension.
    Fails,
    /// A catalog that it selects is not loaded.
    Unknown,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtensionCondition {
    /// Its type.
    pub name: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    pub reason: String,
    /// Its message, which may have several lines.
    pub message: String,
}

/// What OLM v1 does with an extension that has a bundle installed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryExtension {
    /// For an extension without channels, then for one of each channel that lists the bundle.
    pub next: Vec<NextExtension>,
    /// What OLM v1 refuses of the bundle itself, in its words.
    pub refusals: Vec<String>,
    /// What the catalog does not show, as a sentence.
    pub unknown: Option<String>,
}

/// The next update of an extension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextExtension {
    /// The channel that the extension names; absent if it names none.
    pub channel: Option<String>,
    /// What OLM v1 does: the name of the next bundle, that it stays, or the error.
    pub text: String,
    /// What OLM v0 does with a Subscription to the channel, if that is something else.
    pub v0: Option<String>,
}

/// A bundle that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedBundle {
    pub bundle: String,
    /// Its version; empty if it cannot be read.
    pub version: String,
    /// The ClusterCatalog.
    pub catalog: String,
    /// The rule that dropped it, as a clause.
    pub because: String,
}
