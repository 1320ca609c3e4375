//! One resolution of a namespace, and the changes that its InstallPlan makes.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/step_resolver.go`. The plan
//! succeeds at once: its bundles become CSVs, and the CSVs that they replace are gone.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::BundleName;
use resolver::{Outcome, Problem, Resolution, Selected, conflict_text};

use crate::cluster::Cluster;
use crate::objects::{Csv, Subscription};
use crate::planned_changes::{self, GeneratedSubscription, NewBundle, PlannedChanges, UpdatedSubscription, generated};
use vocabulary::Approval;

/// One resolution and its effect.
#[derive(Clone, Debug)]
pub struct Step {
    /// The chosen bundles, by `name/channel/catalog`.
    pub selected: Vec<NewBundle>,
    /// Subscriptions that the plan creates for dependencies, by name.
    pub generated_subscriptions: Vec<GeneratedSubscription>,
    /// Subscriptions that get another CSV, by name.
    pub updated_subscriptions: Vec<UpdatedSubscription>,
    /// Whether OLM creates an InstallPlan, which it does only if a Subscription is updated. Otherwise nothing changes.
    pub install_plan_created: bool,
    /// How the plan is approved: by a user if any Subscription of the namespace requires that.
    pub approval: Approval,
    /// The CSV of each Subscription of the namespace after the step, by the Subscription's name. A Subscription without a
    /// CSV is absent. Use this, and not `updated_subscriptions`, to see what is installed: a plan can also
    /// install a CSV again that was deleted, without updating a Subscription.
    pub installed: BTreeMap<Arc<str>, BundleName>,
    /// OLM's condition message if the resolution failed, or why we have no answer. Then nothing is selected, generated or
    /// updated, and `installed` is as before the step.
    pub error: Option<String>,
    /// The resolution of the step, for explanations.
    pub problem: Arc<Problem>,
    /// The outcome of the resolution.
    pub outcome: Outcome,
}

/// Applies an outcome to a cluster. Returns the step, and the cluster after its InstallPlan.
pub(crate) fn apply(cluster: &Cluster, namespace: &str, problem: &Arc<Problem>, outcome: Outcome) -> (Step, Cluster) {
    let mut step = Step {
        selected: Vec::new(),
        generated_subscriptions: Vec::new(),
        updated_subscriptions: Vec::new(),
        install_plan_created: false,
        approval: planned_changes::approval(cluster, namespace),
        installed: BTreeMap::new(),
        error: operator_group_error(cluster, namespace).or_else(|| error(problem, &outcome)),
        problem: Arc::clone(problem),
        outcome,
    };
    let mut next = cluster.clone();
    if let (None, Outcome::Resolved(resolution)) = (&step.error, step.outcome.clone()) {
        apply_resolution(&mut step, &mut next, namespace, &resolution);
    }
    // Without an InstallPlan OLM drops what it wanted to change, although it resolved the namespace.
    let next = if step.install_plan_created { next } else { cluster.clone() };
    step.installed = next.installed_csvs(namespace);
    (step, next)
}

/// OLM's error before it resolves anything, if the namespace has too many OperatorGroups.
fn operator_group_error(cluster: &Cluster, namespace: &str) -> Option<String> {
    planned_changes::too_many_groups(cluster, namespace)
        .map(|count| format!("found {count} operatorGroups, expected 1"))
}

/// OLM's condition message for an outcome without a resolution, or why we have no answer.
pub(crate) fn error(problem: &Problem, outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Resolved(_) => None,
        Outcome::Unsolvable(conflict) => Some(conflict_text(problem, conflict)),
        Outcome::Prevented(prevented) => Some(prevented.to_string()),
        Outcome::GaveUp(gave_up) => Some(gave_up.to_string()),
    }
}

fn apply_resolution(step: &mut Step, next: &mut Cluster, namespace: &str, resolution: &Resolution) {
    let planned = PlannedChanges::of(next, namespace, resolution);
    for installation in &planned.installations {
        if installation.matching.is_empty() {
            next.subscriptions.push(Subscription::generated(namespace, &generated(installation.selected)));
        }
        for &index in &installation.matching {
            let subscription = &mut next.subscriptions[index];
            subscription.current_csv = Some(installation.selected.entry.name.clone());
            subscription.spec.installed_csv = Some(installation.selected.entry.name.clone());
        }
        install(next, namespace, installation.selected);
    }
    step.install_plan_created = !planned.updated.is_empty();
    step.selected = planned.selected;
    step.updated_subscriptions = planned.updated;
    // The selected bundles are the answer of the resolver with or without a plan; Subscriptions are generated only by one.
    if step.install_plan_created {
        step.generated_subscriptions = planned.generated;
    }
}

/// Adds the CSV, and removes the CSV that it replaces and then each older CSV in the chain of `replaces`, as long as its phase is
/// `Replacing`. A CSV that already exists is not changed.
fn install(cluster: &mut Cluster, namespace: &str, selected: &Selected) {
    let name = &selected.entry.name;
    let is_named = |csv: &Csv, other: &BundleName| &*csv.namespace == namespace && csv.installed.name == *other;
    // A CSV never replaces itself.
    let mut replaced = selected.replaces.clone().filter(|older| older != name);
    while let Some(at) = replaced.take().and_then(|older| cluster.csvs.iter().position(|csv| is_named(csv, &older))) {
        let older = cluster.csvs.remove(at).replaces;
        let is_replacing = |csv: &&Csv| csv.phase.as_deref() == Some("Replacing");
        replaced = older.filter(|older| cluster.csvs.iter().filter(is_replacing).any(|csv| is_named(csv, older)));
    }
    if !cluster.csvs.iter().any(|csv| is_named(csv, name)) {
        cluster.csvs.push(Csv::from_bundle(namespace, &selected.entry, selected.replaces.clone()));
    }
}
