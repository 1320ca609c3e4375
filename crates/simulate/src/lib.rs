//! Simulates OLM v0 on a cluster: resolutions, InstallPlans, and the changes that they make.
//!
//! [`read`] reads the objects of a cluster from manifests; `resolver` makes each choice. There are two levels of detail.
//! In [`timelines`] a plan succeeds at once, so each step is one resolution; where OLM's choice depends on chance, all
//! outcomes are followed. A [`Controller`] simulates the two operators of OLM event by event: plans that wait for a user,
//! old CSVs that block an update, states and conditions of Subscriptions. Neither uses a clock.
//!
//! ```
//! use simulate::{Action, Controller, End, EventKind, read};
//!
//! let text = r#"
//! schema: olm.package
//! name: etcd
//! defaultChannel: stable
//! ---
//! schema: olm.channel
//! package: etcd
//! name: stable
//! entries: [{name: etcd.v1}]
//! ---
//! schema: olm.bundle
//! package: etcd
//! name: etcd.v1
//! image: example.com/etcd:1
//! properties: [{type: olm.package, value: {packageName: etcd, version: 1.0.0}}]
//! "#;
//! let parse = fbc::parse(source::FileId(1), text);
//! let (catalog, _) = catalog::lower(&[catalog::ParsedFile { text, parse: &parse }]);
//! let cluster = read(source::FileId(0), "
//! kind: CatalogSource
//! metadata: {name: community, namespace: olm}
//! ---
//! kind: Subscription
//! metadata: {name: etcd, namespace: operators}
//! spec: {name: etcd, source: community, sourceNamespace: olm, installPlanApproval: Manual}
//! ").cluster;
//! let snapshots = cluster.snapshots(|_| Some(&catalog));
//! let deprecations = cluster.deprecations(|_| Some(&catalog));
//!
//! let mut controller = Controller::new(cluster, "operators", snapshots, deprecations);
//! let End::WaitsForApproval(plans) = controller.settle(1000).end else { unreachable!() };
//! let before = controller.clone();
//! controller.act(Action::Approve(plans[0].clone()));
//! let run = controller.settle(1000);
//! assert!(run.events.iter().any(|event| matches!(event.kind, EventKind::CsvCreated { .. })));
//! assert_eq!(run.end, End::Settled);
//! // The earlier value is unchanged.
//! assert!(before.cluster().csvs.is_empty());
//! ```

mod cluster;
mod controller;
mod crds;
mod fail_forward;
mod installed;
mod manifest;
mod must_gather;
mod objects;
mod operator_groups;
mod planned_changes;
mod status;
mod step;
mod timeline;

pub use cluster::{Cluster, Snapshots};
pub use controller::{
    Action, Becomes, Blocker, Controller, Deprecations, End, Event, EventKind, FailureReason, Now, Object, Remedy, Run,
    StateReason, SubscriptionEdit, SyncResult,
};
pub use crds::BundleCrds;
pub use installed::Installed;
pub use manifest::{
    Cut, FieldFinding, FieldPath, Inventory, InventoryChannel, InventoryEntry, InventoryPackage, InventorySource, Kind,
    ManifestFacts, Manifests, ObjectKey, RejectedExtension, SkipReason, Skipped, catalog_commands, edit_manifests,
    edit_targets, every_object, inventory, is_inventory, manifest_values, object_nodes, read, read_values,
};
pub use must_gather::{
    MustGather, is_marked_complete, is_must_gather_file, is_must_gather_log, must_gather, must_gather_files,
};
pub use objects::{
    CatalogSource, Connection, Csv, InstallPlan, MOST_PRIORITY, OperatorCondition, OperatorGroup, PlanStep,
    Requirement, Subscription, TargetNamespaces,
};
pub use operator_groups::{AssumedGroup, BundleModes, CsvFailure, ReadModes, no_modes};
pub use planned_changes::{GeneratedSubscription, NewBundle, UpdatedSubscription};
pub use source::Approval;
pub use status::{
    Condition, ConditionStatus, ConditionType, CsvPhase, GroupMismatch, PlanPhase, SubscriptionState,
    SubscriptionStatus,
};
pub use step::{Step, StuckGenerated};
pub use timeline::{Timeline, TimelineSearch, Timelines, step, timeline, timeline_and_end, timelines};
