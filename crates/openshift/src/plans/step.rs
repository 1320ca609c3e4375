//! A step, and why there may be none.

use catalog::ChannelName;
use source::OpenShift;
use std::sync::Arc;
use views::PlanAction;

/// Why OLM resolves nothing in a namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frozen {
    /// The Subscriptions that cannot be resolved, each with the reason in words.
    pub causes: Vec<(Arc<str>, String)>,
    /// Whether it is so only until the steps on this version are made.
    pub is_until_steps: bool,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The version of OpenShift on which it happens.
    pub openshift: OpenShift,
    /// What is done.
    pub what: PlanAction,
    /// The CSV before; of OpenShift the version, and of a switch the channel or the CatalogSource.
    pub from: String,
    /// The same afterwards; empty if nothing is left.
    pub to: String,
    /// The channel of the Subscription, after the step.
    pub channel: Option<ChannelName>,
    /// Whether the new CSV stays Pending, because it needs a later Kubernetes.
    pub hangs: bool,
    /// The InstallPlan to approve, if the cluster has it already.
    pub install_plan: Option<Arc<str>>,
    /// What makes it necessary, as a clause; absent where no single fact does.
    pub because: Option<String>,
}
