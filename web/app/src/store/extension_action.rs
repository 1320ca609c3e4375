//! Actions about the ClusterExtensions and ClusterCatalogs of the form.

use views::{CatalogAvailability, CatalogField, ExtensionField, UpgradePolicy};

/// Actions about the ClusterExtensions and ClusterCatalogs of the form.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtensionFormAction {
    /// A ClusterExtension was added.
    Added,
    /// A field of a ClusterExtension was edited.
    Edited {
        /// Index of the ClusterExtension.
        index: usize,
        /// The field.
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
        /// The policy.
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
        /// Its name.
        name: String,
        /// The field.
        field: CatalogField,
        /// Its new text.
        text: String,
    },
    /// The `availabilityMode` of a ClusterCatalog was chosen.
    AvailabilityChosen {
        /// Its name.
        name: String,
        /// The mode.
        availability: CatalogAvailability,
    },
}
