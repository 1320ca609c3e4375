//! Plans for updates of OpenShift.

mod clusters;
mod served;

pub(crate) use clusters::subscribed_cluster;
pub(crate) use served::PlanSources;
