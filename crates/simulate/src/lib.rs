//! Simulates OLM v0 on a cluster: resolutions, InstallPlans, and the changes that they make.
//!
//! `cluster::read` reads the objects of a cluster from manifests; `resolver` makes each choice. There are two levels of detail.
//! In [`timelines`] a plan succeeds at once, so each step is one resolution; where OLM's choice depends on chance, all
//! outcomes are followed. A [`Controller`] simulates the two operators of OLM event by event: plans that wait for a user,
//! old CSVs that block an update, states and conditions of Subscriptions. Neither uses a clock.
//!
//! ```
//! use simulate::{Action, Controller, End, EventKind, deprecations, snapshots};
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
//! let cluster = cluster::read(source::FileId(0), "
//! kind: CatalogSource
//! metadata: {name: community, namespace: olm}
//! ---
//! kind: Subscription
//! metadata: {name: etcd, namespace: operators}
//! spec: {name: etcd, source: community, sourceNamespace: olm, installPlanApproval: Manual}
//! ").cluster;
//! let snapshots = snapshots(&cluster, |_| Some(&catalog));
//! let deprecations = deprecations(&cluster, |_| Some(&catalog));
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

mod controller;
mod namespace;
mod operator_groups;
mod providers;
mod step;
mod timeline;

pub use controller::{
    Action, Becomes, Blocker, Controller, Deprecations, End, Event, EventKind, FailureReason, Now, Object, Remedy, Run,
    StateReason, SubscriptionEdit, SyncResult, deprecations,
};
pub use namespace::{BundleCrds, Snapshots, apply_crd, namespace_of, snapshots};
pub use operator_groups::{
    AssumedGroup, BundleModes, CommonTargets, CsvFailure, OPENSHIFT_OPERATORS, ReadModes, complete, csv_failures,
    no_modes, sync_with_group,
};
pub use providers::{TakenProviders, take_providers};
pub use step::{NewBundle, Step, StuckGenerated, UpdatedSubscription};
pub use timeline::{Timeline, TimelineSearch, Timelines, step, timeline, timeline_and_end, timelines};
