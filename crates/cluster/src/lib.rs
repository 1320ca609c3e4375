//! The objects of a cluster, as far as OLM v0 and OLM v1 read them, and how they are read from manifests.
//!
//! [`read`] reads the objects of both runtimes from one text. [`Cluster`] holds those of OLM v0; [`Manifests`] also has the
//! ClusterCatalogs and ClusterExtensions of OLM v1. What OLM does with them is not decided here: `resolver` and `simulate` know
//! OLM v0, `extension` knows OLM v1, and neither needs the other.
//!
//! ```
//! let manifests = cluster::read(source::FileId(0), "
//! kind: CatalogSource
//! metadata: {name: community, namespace: olm}
//! ---
//! kind: Subscription
//! metadata: {name: etcd, namespace: operators}
//! spec: {name: etcd, source: community, sourceNamespace: olm}
//! ");
//! let subscription = &manifests.cluster.subscriptions[0];
//! assert_eq!(subscription.spec.catalog, Some(cluster::CatalogKey::new("community", "olm")));
//! ```

mod cluster;
mod extension;
mod extension_status;
mod installed;
mod managed;
mod manifest;
mod must_gather;
mod objects;
mod selector;
mod status;
mod workload;

pub use cluster::{Cluster, InputChange};
pub use extension::{
    Availability, CatalogName, ClusterCatalog, ClusterExtension, ConfigValue, ExtensionName, InlineConfig,
    InstalledBundle, NAME_LABEL, NameFault, UpgradeConstraintPolicy, name_faults,
};
pub use extension_status::{FailedProbe, NotUpgradeable, ReportedCondition, ReportedFailure, Revision, RollOut};
pub use installed::Installed;
pub use managed::Manager;
pub use manifest::{
    Cut, FieldFinding, FieldPath, Inventory, Kind, ManifestFacts, Manifests, ObjectKey, RejectedExtension, SkipReason,
    Skipped, catalog_commands, edit_manifests, edit_targets, every_object, inventory, is_inventory, manifest_values,
    object_nodes, read, read_values, unmarked_lines,
};
pub use must_gather::{
    MustGather, is_marked_complete, is_must_gather_file, is_must_gather_log, must_gather, must_gather_files,
};
pub use objects::{
    CatalogKey, CatalogSource, Connection, Csv, CsvProperties, EVERY_NAMESPACE, GeneratedSubscription, InstallPlan,
    InstalledCsv, MOST_PRIORITY, OperatorCondition, OperatorGroup, PlacedProperty, PlanStep, Requirement, Subscription,
    SubscriptionSpec, TargetNamespaces,
};
pub use sat::Budget;
pub use selector::{Expression, Selector, SelectorError};
pub use source::Approval;
pub use status::{
    Condition, ConditionStatus, ConditionType, CsvPhase, GroupMismatch, PlanPhase, SubscriptionState,
    SubscriptionStatus,
};
pub use workload::{FailingWorkload, WorkloadFault};
