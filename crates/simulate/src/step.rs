//! One resolution of a namespace, and the changes that its InstallPlan makes.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/step_resolver.go`. The plan succeeds at once: its bundles
//! become CSVs, and the CSVs that they replace are gone, unless a CSV does not fit the OperatorGroup.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use catalog::BundleName;
use resolver::{Outcome, Problem, Resolution, Selected, conflict_text};

use crate::namespace::csv_of_bundle;
use crate::operator_groups::{
    CsvFailure, Fit, ReadModes, csv_failures, fail, fit, fitting_targets, predecessor, remove_replaced,
};
use crate::planned_changes::{self, NewBundle, PlannedChanges, UpdatedSubscription, generated};
use cluster::{Cluster, Csv, GeneratedSubscription, PlanPhase, Subscription, TargetNamespaces};
use source::Approval;

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
    /// The CSVs of the namespace that do not fit its OperatorGroup, after the step.
    pub csv_failures: Vec<CsvFailure>,
    /// What the OperatorGroup could select after the step so that all these CSVs fit. Empty if all fit already.
    pub fitting_targets: Vec<TargetNamespaces>,
    /// The CSVs that wait after the step, each for the CSV that it replaces: that one does not fit the OperatorGroup, so OLM
    /// never comes to replace it.
    pub waiting: Vec<(BundleName, BundleName)>,
    /// A generated Subscription because of which OLM never resolves the namespace.
    pub stuck_generated: Option<StuckGenerated>,
    /// OLM's condition message if the resolution failed, or why we have no answer. Then nothing is selected, generated or
    /// updated, and `installed` is as before the step.
    pub error: Option<String>,
    /// The resolution of the step, for explanations.
    pub problem: Arc<Problem>,
    pub outcome: Outcome,
}

/// Applies an outcome to a cluster. Returns the step, and the cluster after its InstallPlan.
pub(crate) fn apply(
    cluster: &Cluster,
    namespace: &str,
    problem: &Arc<Problem>,
    outcome: Outcome,
    modes: &ReadModes<'_>,
) -> (Step, Cluster) {
    let mut step = Step {
        selected: Vec::new(),
        generated_subscriptions: Vec::new(),
        updated_subscriptions: Vec::new(),
        install_plan_created: false,
        approval: planned_changes::approval(cluster, namespace),
        installed: BTreeMap::new(),
        csv_failures: Vec::new(),
        fitting_targets: Vec::new(),
        waiting: Vec::new(),
        stuck_generated: None,
        error: operator_group_error(cluster, namespace),
        problem: Arc::clone(problem),
        outcome,
    };
    if step.error.is_none() {
        step.stuck_generated = stuck_generated(cluster, namespace);
        let stuck = step.stuck_generated.as_ref().map(ToString::to_string);
        step.error = stuck.or_else(|| error(problem, &step.outcome));
    }
    let mut next = cluster.clone();
    if let (None, Outcome::Resolved(resolution)) = (&step.error, step.outcome.clone()) {
        apply_resolution(&mut step, &mut next, namespace, &resolution, modes);
    }
    // Without an InstallPlan OLM drops what it wanted to change, although it resolved the namespace.
    let next = if step.install_plan_created { next } else { cluster.clone() };
    step.installed = next.installed_csvs(namespace);
    step.csv_failures = csv_failures(&next, namespace);
    if !step.csv_failures.is_empty() {
        step.fitting_targets = fitting_targets(&next, namespace);
    }
    step.waiting = waiting(&next, namespace);
    (step, next)
}

/// OLM's error before it resolves anything, if the namespace has too many OperatorGroups, or none.
fn operator_group_error(cluster: &Cluster, namespace: &str) -> Option<String> {
    planned_changes::wrong_group_count(cluster, namespace)
        .map(|count| format!("found {count} operatorGroups, expected 1"))
}

/// A Subscription that OLM created for a dependency, and that it cannot link to the InstallPlan that its annotation
/// `olm.generated-by` names: the plan is gone, or it is complete and its CSV is gone. No condition says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StuckGenerated {
    pub subscription: Arc<str>,
    /// The InstallPlan.
    pub plan: Arc<str>,
    /// The CSV that is gone; absent if the plan is.
    pub csv: Option<BundleName>,
}

impl fmt::Display for StuckGenerated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subscription, plan, csv } = self;
        write!(f, "Subscription `{subscription}` is generated by InstallPlan `{plan}`, ")?;
        match csv {
            Some(csv) => write!(f, "which is complete, and its CSV `{csv}` does not exist"),
            None => f.write_str("which does not exist"),
        }
    }
}

/// Follows operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go` (`ensureSubscriptionInstallPlanState`).
fn stuck_generated(cluster: &Cluster, namespace: &str) -> Option<StuckGenerated> {
    let mut here = cluster.subscriptions.iter().filter(|subscription| &*subscription.namespace == namespace);
    here.find_map(|subscription| {
        let (None, Some(by)) = (&subscription.status.install_plan, &subscription.status.generated_by) else {
            return None;
        };
        let mut plans = cluster.install_plans.iter().filter(|plan| &*plan.namespace == namespace);
        let csv = match plans.find(|plan| plan.name == *by) {
            None => None,
            Some(plan) if plan.phase == PlanPhase::Complete => {
                let csv = subscription.spec.starting_csv.as_ref()?;
                let exists = |one: &Csv| &*one.namespace == namespace && one.installed.name == *csv;
                Some(csv.clone()).filter(|_| !cluster.csvs.iter().any(exists)).map(Some)?
            }
            Some(_) => return None,
        };
        Some(StuckGenerated { subscription: Arc::clone(&subscription.spec.name), plan: Arc::clone(by), csv })
    })
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

fn waiting(cluster: &Cluster, namespace: &str) -> Vec<(BundleName, BundleName)> {
    let pending =
        cluster.csvs.iter().filter(|csv| &*csv.namespace == namespace && csv.phase.as_deref() == Some("Pending"));
    let waiting = pending.filter_map(|csv| {
        let old = predecessor(cluster, csv).filter(|old| old.group_mismatch().is_some())?;
        Some((csv.installed.name.clone(), old.installed.name.clone()))
    });
    waiting.collect()
}

fn apply_resolution(
    step: &mut Step,
    next: &mut Cluster,
    namespace: &str,
    resolution: &Resolution,
    modes: &ReadModes<'_>,
) {
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
        install(next, namespace, installation.selected, modes);
    }
    step.install_plan_created = !planned.updated.is_empty();
    step.selected = planned.selected;
    step.updated_subscriptions = planned.updated;
    // The selected bundles are the answer of the resolver with or without a plan; Subscriptions are generated only by one.
    if step.install_plan_created {
        step.generated_subscriptions = planned.generated;
    }
}

/// Adds the CSV, and removes those that it replaces. A CSV that already exists is not changed. One that does not fit the
/// OperatorGroup never runs, so what it replaces stays; and it waits for one that does not fit.
fn install(cluster: &mut Cluster, namespace: &str, selected: &Selected, modes: &ReadModes<'_>) {
    let name = &selected.entry.name;
    let is_named = |csv: &Csv, other: &BundleName| &*csv.namespace == namespace && csv.installed.name == *other;
    // A CSV never replaces itself.
    let replaced = selected.replaces.clone().filter(|older| older != name);
    if cluster.csvs.iter().any(|csv| is_named(csv, name)) {
        return remove_replaced(cluster, namespace, replaced);
    }
    let modes = modes(&selected.catalog, &selected.entry.package, name);
    let mut csv = csv_of_bundle(namespace, &selected.entry, selected.replaces.clone(), modes);
    let mut older = cluster.csvs.iter_mut().filter(|csv| replaced.as_ref().is_some_and(|older| is_named(csv, older)));
    let waits = older.next().is_some_and(|older| {
        let waits = older.group_mismatch().is_some();
        if !waits {
            older.phase = Some("Replacing".into());
        }
        waits
    });
    match fit(cluster, &csv) {
        Fit::Fails(reason, message) => fail(&mut csv, reason, message),
        Fit::Fits | Fit::NotKnown if waits => csv.phase = Some("Pending".into()),
        Fit::Fits | Fit::NotKnown => remove_replaced(cluster, namespace, replaced),
    }
    cluster.csvs.push(csv);
}
