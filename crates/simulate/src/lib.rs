//! What happens on a cluster, step by step: a resolution, the plan that it makes, the cluster that the plan leaves.
//!
//! Knows OLM v0's namespaces and their objects, reads them from manifests, and asks `resolver` for each choice. Knows no
//! time: a plan succeeds at once.

mod cluster;
mod controller;
mod fail_forward;
mod install_plan;
mod manifest;
mod plan;
mod status;
mod step;
mod timeline;

pub use cluster::{Approval, CatalogSource, Cluster, Csv, OperatorGroup, Snapshots, Subscription};
pub use controller::{
    Action, Controller, Deprecations, Edit, End, Event, FailureReason, Frozen, Object, Run, Synced, What,
};
pub use install_plan::{InstallPlan, PlanStep};
pub use manifest::{Kind, Manifests, ObjectKey, SkipReason, Skipped, read};
pub use plan::{GeneratedSubscription, NewBundle, UpdatedSubscription};
pub use status::{
    Condition, ConditionStatus, ConditionType, CsvPhase, PlanPhase, SubscriptionState, SubscriptionStatus,
};
pub use step::Step;
pub use timeline::{Timelines, step, timeline, timelines};
