//! One resolution of a namespace, and the changes that its InstallPlan makes.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/step_resolver.go`. The plan succeeds at once: its bundles
//! become CSVs, and the CSVs that they replace are gone, unless a CSV does not fit the OperatorGroup.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use cluster::{CatalogKey, Cluster, Csv, GeneratedSubscription, PlanPhase, Subscription, TargetNamespaces};
use go_semver::blang::Version;
use resolver::{Outcome, Problem, Resolution, Selected, conflict_text};
use source::Approval;

use crate::namespace::csv_of_bundle;
use crate::operator_groups::{
    CsvFailure, Fit, ReadModes, csv_failures, fail, fit, fitting_targets, predecessor, remove_replaced,
};

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
        approval: approval(cluster, namespace),
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
    wrong_group_count(cluster, namespace).map(|count| format!("found {count} operatorGroups, expected 1"))
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

// The changes that follow from a resolution: bundles to install, Subscriptions to update and to create.
//
// Follows operator-lifecycle-manager `pkg/controller/registry/resolver/step_resolver.go`.

/// A bundle that a resolution chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBundle {
    pub name: BundleName,
    pub package: PackageName,
    /// The channel that it was chosen from.
    pub channel: ChannelName,
    /// The catalog that it comes from.
    pub catalog: CatalogKey,
    /// The `spec.replaces` of its CSV.
    pub replaces: Option<BundleName>,
    pub version: Option<Version>,
}

/// A Subscription that gets another CSV. Its `Display` form is `<subscription> -> <currentCSV>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedSubscription {
    pub name: Arc<str>,
    /// Its new `status.currentCSV`.
    pub current_csv: BundleName,
}

impl fmt::Display for UpdatedSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.name, self.current_csv)
    }
}

/// The changes that OLM wants to make after a resolution.
pub(crate) struct PlannedChanges<'r> {
    /// All chosen bundles, also those that are up to date, by `name/channel/catalog`.
    pub(crate) selected: Vec<NewBundle>,
    /// The bundles to install, in the same order. OLM's own order is random.
    pub(crate) installations: Vec<Installation<'r>>,
    pub(crate) generated: Vec<GeneratedSubscription>,
    /// The Subscriptions to update, by name. If there are none, OLM creates no InstallPlan and changes nothing.
    pub(crate) updated: Vec<UpdatedSubscription>,
}

/// A bundle to install.
pub(crate) struct Installation<'r> {
    pub(crate) selected: &'r Selected,
    /// Indices of the Subscriptions that it is for; empty if a Subscription is to be created for it.
    matching: Vec<usize>,
}

impl<'r> PlannedChanges<'r> {
    pub(crate) fn of(cluster: &Cluster, namespace: &str, resolution: &'r Resolution) -> Self {
        let mut planned =
            Self { selected: Vec::new(), installations: Vec::new(), generated: Vec::new(), updated: Vec::new() };
        for selected in &resolution.selected {
            planned.selected.push(new_bundle(selected));
            let subscriptions = &cluster.subscriptions;
            let matching: Vec<usize> =
                (0..subscriptions.len()).filter(|&at| is_for(&subscriptions[at], namespace, selected)).collect();
            if matching.is_empty() {
                planned.generated.push(generated(selected));
            } else if matching.iter().all(|&at| is_up_to_date(cluster, &subscriptions[at], selected)) {
                continue;
            }
            let outdated = matching.iter().map(|&at| &subscriptions[at]);
            let outdated =
                outdated.filter(|subscription| subscription.current_csv.as_ref() != Some(&selected.entry.name));
            planned.updated.extend(outdated.map(|subscription| UpdatedSubscription {
                name: Arc::clone(&subscription.spec.name),
                current_csv: selected.entry.name.clone(),
            }));
            planned.installations.push(Installation { selected, matching });
        }
        planned.selected.sort_by(|a, b| (&a.name, &a.channel, &a.catalog).cmp(&(&b.name, &b.channel, &b.catalog)));
        planned.installations.sort_by(|a, b| {
            let (a, b) = (a.selected, b.selected);
            (&a.entry.name, &a.entry.channel, &a.catalog).cmp(&(&b.entry.name, &b.entry.channel, &b.catalog))
        });
        planned.generated.sort_by(|a, b| a.name.cmp(&b.name));
        planned.updated.sort_by(|a, b| a.name.cmp(&b.name));
        planned
    }
}

/// The number of OperatorGroups of the namespace if there is not exactly one, which stops OLM before it resolves. A namespace
/// without any counts as having one with default settings, unless all groups of the cluster are known.
pub(crate) fn wrong_group_count(cluster: &Cluster, namespace: &str) -> Option<usize> {
    let count = cluster.groups_of(namespace).len();
    (count > 1 || count == 0 && cluster.has_all_groups).then_some(count)
}

/// How the next plan of the namespace is approved: by a user if any Subscription requires that, even an unrelated one.
pub(crate) fn approval(cluster: &Cluster, namespace: &str) -> Approval {
    let mut here = cluster.subscriptions.iter().filter(|subscription| &*subscription.namespace == namespace);
    if here.any(|subscription| subscription.approval == Approval::Manual) {
        Approval::Manual
    } else {
        Approval::Automatic
    }
}

fn new_bundle(selected: &Selected) -> NewBundle {
    NewBundle {
        name: selected.entry.name.clone(),
        package: selected.entry.package.clone(),
        channel: selected.entry.channel.clone(),
        catalog: selected.catalog.clone(),
        replaces: selected.replaces.clone(),
        version: selected.entry.version.clone(),
    }
}

/// Whether the bundle satisfies the Subscription.
fn is_for(subscription: &Subscription, namespace: &str, selected: &Selected) -> bool {
    let spec = &subscription.spec;
    &*subscription.namespace == namespace
        && spec.package == selected.entry.package
        && spec.channel.as_ref().is_none_or(|channel| *channel == selected.entry.channel)
        && spec.catalog.as_ref().is_none_or(|catalog| *catalog == selected.catalog)
}

fn is_up_to_date(cluster: &Cluster, subscription: &Subscription, selected: &Selected) -> bool {
    let name = &selected.entry.name;
    let exists = |csv: &Csv| csv.namespace == subscription.namespace && csv.installed.name == *name;
    subscription.current_csv.as_ref() == Some(name) && cluster.csvs.iter().any(exists)
}

/// The Subscription that OLM creates for a bundle without one.
pub(crate) fn generated(selected: &Selected) -> GeneratedSubscription {
    let (entry, catalog) = (&selected.entry, &selected.catalog);
    let name = format!("{}-{}-{}-{}", entry.package, entry.channel, catalog.name, catalog.namespace);
    GeneratedSubscription {
        name: name.as_str().into(),
        package: entry.package.clone(),
        channel: entry.channel.clone(),
        catalog: catalog.clone(),
        starting_csv: entry.name.clone(),
    }
}
