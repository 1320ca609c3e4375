//! One resolution of a namespace and what its InstallPlan changes.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/step_resolver.go`. The plan is taken to succeed at
//! once: its bundles become CSVs and what they replace is gone.

use std::fmt;
use std::sync::Arc;

use blang_semver::Version;
use catalog::{BundleName, ChannelName};
use predicate::PackageName;
use resolver::{CatalogKey, Outcome, Problem, Resolution, Selected, conflict_text};

use crate::cluster::{Approval, Cluster, Csv, Subscription};

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

/// A bundle that the resolution chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBundle {
    /// Its name.
    pub name: BundleName,
    /// Its package.
    pub package: PackageName,
    /// The channel that it was chosen from.
    pub channel: ChannelName,
    /// The catalog that it comes from.
    pub catalog: CatalogKey,
    /// The `spec.replaces` of its CSV.
    pub replaces: Option<BundleName>,
    /// Its version; absent when it has none.
    pub version: Option<Version>,
}

/// A Subscription that OLM creates for a dependency; displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedSubscription {
    /// `<package>-<channel>-<catalog>-<catalogNamespace>`
    pub name: Arc<str>,
    /// The package.
    pub package: PackageName,
    /// The channel, pinned.
    pub channel: ChannelName,
    /// The catalog, pinned.
    pub catalog: CatalogKey,
    /// The bundle.
    pub starting_csv: BundleName,
}

impl fmt::Display for GeneratedSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, package, channel, catalog, starting_csv } = self;
        write!(f, "{name} package={package} channel={channel} catalog={catalog} startingCSV={starting_csv}")
    }
}

/// A Subscription that moves on; displays as `<subscription> -> <currentCSV>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedSubscription {
    /// The Subscription.
    pub name: Arc<str>,
    /// Its new `status.currentCSV`.
    pub current_csv: BundleName,
}

impl fmt::Display for UpdatedSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.name, self.current_csv)
    }
}

/// What an outcome means for the namespace, and the cluster after its plan.
pub(crate) fn take(cluster: &Cluster, namespace: &str, problem: &Arc<Problem>, outcome: Outcome) -> (Step, Cluster) {
    let mut step = Step {
        selected: Vec::new(),
        generated_subscriptions: Vec::new(),
        updated_subscriptions: Vec::new(),
        install_plan_created: false,
        approval: approval(cluster, namespace),
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

/// OLM stops before it resolves unless there is exactly one OperatorGroup. None at all is taken for one that says nothing,
/// so that a sketch of a cluster can do without.
fn too_many_groups(cluster: &Cluster, namespace: &str) -> Option<String> {
    let count = cluster.operator_groups.iter().filter(|group| &*group.namespace == namespace).count();
    (count > 1).then(|| format!("found {count} operatorGroups, expected 1"))
}

fn error(problem: &Problem, outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Resolved(_) => None,
        Outcome::Unsolvable(conflict) => Some(conflict_text(problem, conflict)),
        Outcome::Prevented(prevented) => Some(prevented.to_string()),
        Outcome::GaveUp(gave_up) => Some(gave_up.to_string()),
    }
}

fn approval(cluster: &Cluster, namespace: &str) -> Approval {
    let mut here = cluster.subscriptions.iter().filter(|subscription| &*subscription.namespace == namespace);
    if here.any(|subscription| subscription.approval == Approval::Manual) {
        Approval::Manual
    } else {
        Approval::Automatic
    }
}

fn plan(step: &mut Step, next: &mut Cluster, namespace: &str, resolution: &Resolution) {
    let before = next.clone();
    for selected in &resolution.selected {
        step.selected.push(new_bundle(selected));
        let matching: Vec<usize> = (0..before.subscriptions.len())
            .filter(|&at| is_about(&before.subscriptions[at], namespace, selected))
            .collect();
        if matching.is_empty() {
            let generated = generated(selected);
            next.subscriptions.push(subscription(namespace, &generated));
            step.generated_subscriptions.push(generated);
        } else if matching.iter().all(|&at| is_up_to_date(&before, &before.subscriptions[at], selected)) {
            continue;
        }
        for at in matching {
            let subscription = &mut next.subscriptions[at];
            if subscription.current_csv.as_ref() != Some(&selected.entry.name) {
                let name = Arc::clone(&subscription.wish.name);
                let current_csv = selected.entry.name.clone();
                step.updated_subscriptions.push(UpdatedSubscription { name, current_csv: current_csv.clone() });
                subscription.current_csv = Some(current_csv);
            }
            subscription.wish.installed_csv = Some(selected.entry.name.clone());
        }
        install(next, namespace, selected);
    }
    step.selected.sort_by(|a, b| (&a.name, &a.channel, &a.catalog).cmp(&(&b.name, &b.channel, &b.catalog)));
    step.generated_subscriptions.sort_by(|a, b| a.name.cmp(&b.name));
    step.updated_subscriptions.sort_by(|a, b| a.name.cmp(&b.name));
    step.install_plan_created = !step.updated_subscriptions.is_empty();
    if !step.install_plan_created {
        step.generated_subscriptions.clear();
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

/// Whether the Subscription is one that the bundle is for.
fn is_about(subscription: &Subscription, namespace: &str, selected: &Selected) -> bool {
    let wish = &subscription.wish;
    &*subscription.namespace == namespace
        && wish.package == selected.entry.package
        && wish.channel.as_ref().is_none_or(|channel| *channel == selected.entry.channel)
        && wish.catalog.as_ref().is_none_or(|catalog| *catalog == selected.catalog)
}

fn is_up_to_date(cluster: &Cluster, subscription: &Subscription, selected: &Selected) -> bool {
    let name = &selected.entry.name;
    let exists = |csv: &Csv| csv.namespace == subscription.namespace && csv.installed.name == *name;
    subscription.current_csv.as_ref() == Some(name) && cluster.csvs.iter().any(exists)
}

fn generated(selected: &Selected) -> GeneratedSubscription {
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

fn subscription(namespace: &str, generated: &GeneratedSubscription) -> Subscription {
    Subscription {
        namespace: namespace.into(),
        wish: resolver::Subscription {
            name: Arc::clone(&generated.name),
            package: generated.package.clone(),
            channel: Some(generated.channel.clone()),
            catalog: Some(generated.catalog.clone()),
            starting_csv: Some(generated.starting_csv.clone()),
            installed_csv: Some(generated.starting_csv.clone()),
        },
        approval: Approval::Automatic,
        current_csv: Some(generated.starting_csv.clone()),
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
