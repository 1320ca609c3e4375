//! The part of the form that is about OLM v1: ClusterExtensions and ClusterCatalogs. An empty text means that the field is not
//! set.

use crate::SubscriptionField;
use serde::{Deserialize, Serialize};

/// A row of the form, a ClusterExtension.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExtensionForm {
    /// `metadata.name`; empty for the package's name. See [`ClusterForm::extension_names`](crate::ClusterForm::extension_names).
    pub name: String,
    /// `packageName`
    pub package: String,
    /// `version`, a version range.
    pub version: String,
    /// `channels`, separated by commas.
    pub channels: String,
    /// `upgradeConstraintPolicy`
    pub policy: UpgradePolicy,
    /// `selector.matchLabels`: `key=value`, separated by commas.
    pub selector: String,
    /// `spec.namespace`; empty for the name of the extension.
    pub namespace: String,
    /// The installed bundle, by its name or version; empty for a new extension.
    pub installed: String,
}

impl ExtensionForm {
    /// The text of a field.
    #[must_use]
    pub fn field(&self, field: ExtensionField) -> &str {
        match field {
            ExtensionField::Name => &self.name,
            ExtensionField::Package => &self.package,
            ExtensionField::Version => &self.version,
            ExtensionField::Channels => &self.channels,
            ExtensionField::Selector => &self.selector,
            ExtensionField::Namespace => &self.namespace,
            ExtensionField::Installed => &self.installed,
        }
    }

    /// The same, to change it.
    pub fn field_mut(&mut self, field: ExtensionField) -> &mut String {
        match field {
            ExtensionField::Name => &mut self.name,
            ExtensionField::Package => &mut self.package,
            ExtensionField::Version => &mut self.version,
            ExtensionField::Channels => &mut self.channels,
            ExtensionField::Selector => &mut self.selector,
            ExtensionField::Namespace => &mut self.namespace,
            ExtensionField::Installed => &mut self.installed,
        }
    }
}

/// `upgradeConstraintPolicy`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum UpgradePolicy {
    /// Updates follow the edges of the catalog.
    #[default]
    CatalogProvided,
    /// Any version may follow.
    SelfCertified,
}

/// The ClusterCatalog of a loaded catalog, as far as it differs from a new one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClusterCatalogForm {
    /// Its name, that of the loaded catalog with its content.
    pub name: String,
    /// `spec.priority`; empty for 0.
    pub priority: String,
    /// `spec.availabilityMode`
    pub availability: CatalogAvailability,
    /// `metadata.labels`: `key=value`, separated by commas.
    pub labels: String,
}

impl ClusterCatalogForm {
    /// A ClusterCatalog with the defaults of the API.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// `spec.availabilityMode` of a ClusterCatalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CatalogAvailability {
    /// Extensions are resolved from it.
    #[default]
    Available,
    /// No extension is.
    Unavailable,
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

/// A text field of a ClusterExtension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtensionField {
    /// `metadata.name`
    Name,
    /// `packageName`
    Package,
    Version,
    Channels,
    Selector,
    /// `spec.namespace`
    Namespace,
    /// `status.install.bundle`
    Installed,
}

/// A text field of a ClusterCatalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CatalogField {
    /// `spec.priority`
    Priority,
    /// `metadata.labels`
    Labels,
}
