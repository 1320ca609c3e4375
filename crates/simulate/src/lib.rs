//! What happens on a cluster, step by step: a resolution, the plan that it makes, the cluster that the plan leaves.
//!
//! Knows OLM v0's namespaces and their objects, reads them from manifests, and asks `resolver` for each choice. Knows no
//! time: a plan succeeds at once.

mod cluster;
mod fail_forward;
mod manifest;
mod step;
mod timeline;

pub use cluster::{Approval, CatalogSource, Cluster, Csv, OperatorGroup, Snapshots, Subscription};
pub use manifest::{Manifests, Skipped, read};
pub use step::{GeneratedSubscription, NewBundle, Step, UpdatedSubscription};
pub use timeline::{Timelines, step, timeline, timelines};
