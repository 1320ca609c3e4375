//! InstallPlans that already wait for an approval. What such a plan installs stays as it is, also when a newer catalog has
//! something else (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`), so that it is approved or deleted
//! before an update of OpenShift.

use crate::plans::plan::Plan;
use catalog::BundleName;
use cluster::{Cluster, InstallPlan, PlanPhase, Subscription};
use std::sync::Arc;
use views::PlanAction;

/// An InstallPlan that waits for an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingPlan {
    pub name: Arc<str>,
    /// What it installs for the Subscription.
    pub csv: BundleName,
}

/// The InstallPlan that waits for an approval of what a Subscription is to get: the one that its status names, or the newest.
pub(crate) fn of_subscription(cluster: &Cluster, subscription: &Subscription) -> Option<WaitingPlan> {
    let csv = subscription.current_csv.as_ref().filter(|csv| cluster.installed(subscription).name() != Some(*csv))?;
    let waits = |plan: &&InstallPlan| {
        plan.namespace == subscription.namespace
            && !plan.approved
            && plan.phase == PlanPhase::RequiresApproval
            && plan.csvs.contains(csv)
    };
    let is_named = |plan: &&InstallPlan| subscription.status.install_plan.as_ref() == Some(&plan.name);
    let found = cluster.install_plans.iter().filter(waits).max_by_key(|plan| (is_named(plan), plan.generation))?;
    Some(WaitingPlan { name: Arc::clone(&found.name), csv: csv.clone() })
}

/// Gives the InstallPlan to the step that approves it. Without such a step on the first version the plan has to be approved or
/// deleted beside the steps.
pub(crate) fn name(plan: &mut Plan, waiting: WaitingPlan) {
    let is_first = |step: &&mut crate::plans::step::Step| step.what == PlanAction::Approve;
    let first = plan.steps.iter_mut().take_while(|step| step.what != PlanAction::OpenShift).find(is_first);
    match first.filter(|step| step.to == waiting.csv.as_str()) {
        Some(step) => step.install_plan = Some(waiting.name),
        None => plan.waiting = Some(waiting),
    }
}
