//! What OLM v1 does with a ClusterExtension, and the form for it. Names in sentences are in backticks.

use crate::{BoardView, FixView, Place, Severity, SubscriptionField};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A ClusterExtension and what becomes of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExtensionView {
    pub name: String,
    pub package: String,
    /// Where it stands in the manifests.
    pub place: Option<Place>,
    /// What becomes of it, as a sentence without a subject: `installs `etcd.v1.2.1``.
    pub verdict: String,
    /// The same as a value.
    pub status: ExtensionStatus,
    /// The bundles that are installed one after the other, as the only lane.
    pub board: BoardView,
    /// Why the last resolution fails, in OLM's words.
    pub error: Option<String>,
    /// What OLM v1 refuses of the bundle that it chose last, with the feature gate that lifts it, or the API server of the extension,
    /// in their words.
    pub refusals: Vec<String>,
    /// Changes of the extension that help if its resolution fails or its bundle is refused; each was followed to its end.
    pub fixes: Vec<FixView>,
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
#[serde(rename_all = "snake_case")]
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

impl ExtensionStatus {
    /// How bad it is; `None` if nothing is wrong.
    #[must_use]
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Moves | Self::Stays => None,
            Self::Fails => Some(Severity::Error),
            Self::Unknown => Some(Severity::Hint),
        }
    }
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
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct DroppedBundle {
    pub bundle: String,
    /// Its version; empty if it cannot be read.
    pub version: String,
    /// The ClusterCatalog.
    pub catalog: String,
    /// The rule that dropped it, as a clause.
    pub because: String,
}

// The part of the form that is about OLM v1: ClusterExtensions and ClusterCatalogs. An empty text means that the field is
// not set.

/// A row of the form, a ClusterExtension.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtensionForm {
    /// `metadata.name`; of a row that is added the package's name if empty, with a number if that is taken.
    pub name: String,
    /// `packageName`
    pub package: String,
    /// `version`, a version range.
    pub version: String,
    /// `channels`, separated by commas.
    pub channels: String,
    /// `upgradeConstraintPolicy`: `SelfCertified`, or empty for `CatalogProvided`.
    pub policy: String,
    /// `selector.matchLabels`: `key=value`, separated by commas.
    pub selector: String,
    /// `spec.namespace`; of a row that is added the name of the extension if empty.
    pub namespace: String,
    /// The installed bundle, by its name or version; empty for a new extension.
    pub installed: String,
}

impl ExtensionForm {
    /// What the row is called: its name, or that of its package.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.name.is_empty() { &self.package } else { &self.name }
    }

    /// The text of a field.
    #[must_use]
    pub fn field(&self, field: ExtensionField) -> &str {
        match field {
            ExtensionField::Name => &self.name,
            ExtensionField::Package => &self.package,
            ExtensionField::Version => &self.version,
            ExtensionField::Channels => &self.channels,
            ExtensionField::Policy => &self.policy,
            ExtensionField::Selector => &self.selector,
            ExtensionField::Namespace => &self.namespace,
            ExtensionField::Installed => &self.installed,
        }
    }

    /// The same, to change it.
    pub(crate) fn field_mut(&mut self, field: ExtensionField) -> &mut String {
        match field {
            ExtensionField::Name => &mut self.name,
            ExtensionField::Package => &mut self.package,
            ExtensionField::Version => &mut self.version,
            ExtensionField::Channels => &mut self.channels,
            ExtensionField::Policy => &mut self.policy,
            ExtensionField::Selector => &mut self.selector,
            ExtensionField::Namespace => &mut self.namespace,
            ExtensionField::Installed => &mut self.installed,
        }
    }
}

/// A ClusterCatalog of the manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterCatalogForm {
    /// `metadata.name`, that of the loaded catalog with its content.
    pub name: String,
    /// `spec.priority`; empty for 0.
    pub priority: String,
    /// `spec.availabilityMode`: `Unavailable`, or empty for `Available`.
    pub availability: String,
    /// `metadata.labels`: `key=value`, separated by commas.
    pub labels: String,
}

/// A fault in a field of the form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormFault {
    /// The field.
    pub at: FormPlace,
    /// What is wrong; names are in backticks.
    pub message: String,
}

/// A field of the form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormPlace {
    /// Of the Subscription at an index.
    Subscription(u32, SubscriptionField),
    /// Of the ClusterExtension at an index.
    Extension(u32, ExtensionField),
    /// Of the ClusterCatalog with a name.
    Catalog(String, CatalogField),
}

/// A field of a ClusterExtension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtensionField {
    /// `metadata.name`
    Name,
    /// `packageName`
    Package,
    Version,
    Channels,
    /// `upgradeConstraintPolicy`
    Policy,
    Selector,
    /// `spec.namespace`
    Namespace,
    /// `status.install.bundle`
    Installed,
}

/// A field of a ClusterCatalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CatalogField {
    /// `spec.priority`
    Priority,
    /// `metadata.labels`
    Labels,
    /// `spec.availabilityMode`
    Availability,
}
