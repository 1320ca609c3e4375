//! The part of the form that is about OLM v1: ClusterExtensions and ClusterCatalogs. An empty text means that the field is not
//! set.

use crate::SubscriptionField;
use serde::{Deserialize, Serialize};

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
