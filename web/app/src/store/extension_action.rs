//! Actions about the ClusterExtensions and ClusterCatalogs of the form.

use views::{CatalogAvailability, CatalogField, ExtensionField, UpgradePolicy};

/// Actions about the ClusterExtensions and ClusterCatalogs of the form.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtensionFormAction {
    Added,
    /// A field of a ClusterExtension was edited.
    Edited {
        /// Index of the ClusterExtension.
        index: usize,
        field: ExtensionField,
        /// Its new text.
        text: String,
    },
    /// The user left the package field of the ClusterExtension at an index.
    PackageEntered(usize),
    /// The `upgradeConstraintPolicy` of a ClusterExtension was chosen.
    PolicyChosen {
        /// Index of the ClusterExtension.
        index: usize,
        policy: UpgradePolicy,
    },
    /// The ClusterExtension at an index was removed.
    Removed(usize),
    /// The selected entry was set as the version that a ClusterExtension wants.
    InstallAsked,
    /// The selected entry was set as the installed bundle of a ClusterExtension.
    InstalledAsked,
    /// A field of a ClusterCatalog was edited.
    CatalogEdited {
        name: String,
        field: CatalogField,
        /// Its new text.
        text: String,
    },
    /// The `availabilityMode` of a ClusterCatalog was chosen.
    AvailabilityChosen {
        name: String,
        /// The mode.
        availability: CatalogAvailability,
    },
}
