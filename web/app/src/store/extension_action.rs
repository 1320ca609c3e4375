//! Actions about the ClusterExtensions and ClusterCatalogs of the form.

use views::{CatalogAvailability, CatalogField, ExtensionField, UpgradePolicy};

/// Actions about the ClusterExtensions, named by their indices, and ClusterCatalogs of the form.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtensionFormAction {
    /// A ClusterExtension was added.
    Added,
    /// A field of a ClusterExtension was edited.
    Edited { index: usize, field: ExtensionField, text: String },
    /// The user left the package field of a ClusterExtension.
    PackageEntered(usize),
    /// The `upgradeConstraintPolicy` of a ClusterExtension was chosen.
    PolicyChosen { index: usize, policy: UpgradePolicy },
    /// A ClusterExtension was removed.
    Removed(usize),
    /// The selected entry was set as the version that a ClusterExtension wants.
    InstallAsked,
    /// The selected entry was set as the installed bundle of a ClusterExtension.
    InstalledAsked,
    /// A field of a ClusterCatalog was edited.
    CatalogEdited { name: String, field: CatalogField, text: String },
    /// The `availabilityMode` of a ClusterCatalog was chosen.
    AvailabilityChosen { name: String, availability: CatalogAvailability },
}
