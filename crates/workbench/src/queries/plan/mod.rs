//! Plans for updates of OpenShift.

mod clusters;
mod markdown;
mod served;

use clusters::head_clusters;
pub use clusters::subscribed_cluster;
pub use markdown::plan_markdown;
pub use served::PlanSources;
