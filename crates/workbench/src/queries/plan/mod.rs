//! Plans for updates of OpenShift.

mod clusters;
mod served;

use clusters::head_clusters;
pub(crate) use clusters::subscribed_cluster;
pub(crate) use served::PlanSources;
