//! One resolution of a namespace and what its InstallPlan changes.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/step_resolver.go`. The plan is taken to succeed at
//! once: its bundles become CSVs and what they replace is gone.

use std::sync::Arc;

use catalog::BundleName;
use resolver::{Outcome, Problem, Resolution, Selected, conflict_text};

use crate::cluster::{Approval, Cluster, Csv, Subscription};
use crate::plan::{self, GeneratedSubscription, NewBundle, Plan, UpdatedSubscription, generated};

/// One resolution and its effect.
#[derive(Clone, Debug)]
pub struct Step {
    /// New bundles, by `name/channel/catalog`.
    pub selected: Vec<NewBundle>,
    /// Subscriptions that the plan creates for dependencies, by name.
    pub generated_subscriptions: Vec<GeneratedSubscription>,
    /// Subscriptions that move to another CSV, by name.
    pub updated_subscriptions: Vec<UpdatedSubscription>,
    /// Whether there is a plan: only if a Subscription is updated. Without one nothing changes.
    pub install_plan_created: bool,
    /// Who approves the plan: a user if any Subscription of the namespace says so.
    pub approval: Approval,
    /// OLM's condition message instead of the above; also what keeps us from an answer.
    pub error: Option<String>,
    /// The resolution behind the step, to ask why.
    pub problem: Arc<Problem>,
    /// Its answer.
    pub outcome: Outcome,
}

/// What an outcome means for the namespace, and the cluster after its plan.
pub(crate) fn take(cluster: &Cluster, namespace: &str, problem: &Arc<Problem>, outcome: Outcome) -> (Step, Cluster) {
    let mut step = Step {
        selected: Vec::new(),
        generated_subscriptions: Vec::new(),
        updated_subscriptions: Vec::new(),
        install_plan_created: false,
        approval: plan::approval(cluster, namespace),
        error: too_many_groups(cluster, namespace).or_else(|| error(problem, &outcome)),
        problem: Arc::clone(problem),
        outcome,
    };
    let mut next = cluster.clone();
    if let (None, Outcome::Resolved(resolution)) = (&step.error, step.outcome.clone()) {
        plan(&mut step, &mut next, namespace, &resolution);
    }
    let next = if step.install_plan_created { next } else { cluster.clone() };
    (step, next)
}

/// EventKind OLM says before it resolves anything, if the OperatorGroups do not allow it.
fn too_many_groups(cluster: &Cluster, namespace: &str) -> Option<String> {
    plan::too_many_groups(cluster, namespace).map(|count| format!("found {count} operatorGroups, expected 1"))
}

pub(crate) fn error(problem: &Problem, outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Resolved(_) => None,
        Outcome::Unsolvable(conflict) => Some(conflict_text(problem, conflict)),
        Outcome::Prevented(prevented) => Some(prevented.to_string()),
        Outcome::GaveUp(gave_up) => Some(gave_up.to_string()),
    }
}

fn plan(step: &mut Step, next: &mut Cluster, namespace: &str, resolution: &Resolution) {
    let made = Plan::of(next, namespace, resolution);
    for change in &made.changes {
        if change.matching.is_empty() {
            next.subscriptions.push(Subscription::generated(namespace, &generated(change.selected)));
        }
        for &at in &change.matching {
            let subscription = &mut next.subscriptions[at];
            subscription.current_csv = Some(change.selected.entry.name.clone());
            subscription.spec.installed_csv = Some(change.selected.entry.name.clone());
        }
        install(next, namespace, change.selected);
    }
    step.install_plan_created = !made.updated.is_empty();
    step.selected = made.selected;
    step.updated_subscriptions = made.updated;
    if step.install_plan_created {
        step.generated_subscriptions = made.generated;
    }
}

/// Adds the CSV and removes the one that it replaces, with the chain of those in phase `Replacing` behind it. A CSV that
/// exists already is never changed.
fn install(cluster: &mut Cluster, namespace: &str, selected: &Selected) {
    let name = &selected.entry.name;
    let is = |csv: &Csv, other: &BundleName| &*csv.namespace == namespace && csv.installed.name == *other;
    let mut gone = selected.replaces.clone().filter(|replaced| replaced != name);
    while let Some(at) = gone.take().and_then(|gone| cluster.csvs.iter().position(|csv| is(csv, &gone))) {
        let behind = cluster.csvs.remove(at).replaces;
        let replacing = |csv: &&Csv| csv.phase.as_deref() == Some("Replacing");
        gone = behind.filter(|behind| cluster.csvs.iter().filter(replacing).any(|csv| is(csv, behind)));
    }
    if !cluster.csvs.iter().any(|csv| is(csv, name)) {
        cluster.csvs.push(Csv::from_bundle(namespace, &selected.entry, selected.replaces.clone()));
    }
}
