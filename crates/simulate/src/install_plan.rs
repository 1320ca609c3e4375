//! InstallPlans: the objects that one resolution wants to create.

use std::sync::Arc;

use catalog::BundleName;

use crate::cluster::{Approval, Csv};
use crate::plan::GeneratedSubscription;
use crate::status::PlanPhase;

/// An InstallPlan.
#[derive(Clone, Debug, PartialEq)]
pub struct InstallPlan {
    /// Its namespace.
    pub namespace: Arc<str>,
    /// Its name. OLM draws five random letters; a simulated plan has its generation instead.
    pub name: Arc<str>,
    /// `spec.generation`, which counts the plans of a namespace.
    pub generation: u32,
    /// `spec.approval`
    pub approval: Approval,
    /// `spec.approved`
    pub approved: bool,
    /// `status.phase`
    pub phase: PlanPhase,
    /// `spec.clusterServiceVersionNames`
    pub csvs: Vec<BundleName>,
    /// What it creates, in order, as far as that is known: a plan from a manifest names its CSVs only.
    pub steps: Vec<PlanStep>,
    /// How many steps are done.
    pub done: usize,
}

/// An object that a plan creates.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanStep {
    /// A Subscription for a dependency.
    Subscription(GeneratedSubscription),
    /// The CSV of a bundle.
    Csv(Csv),
}
