//! What becomes of the Subscriptions of one namespace with one state of the catalogs.

use catalog::BundleName;
use catalog::predicate::PackageName;
use cluster::{Approval, Cluster, GeneratedSubscription};
use resolver::{Fact, Outcome, Pick, Problem, Resolution, Selected, VarId, heads};
use simulate::{CsvFailure, Step, Timeline, timeline_and_end};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use update_graph::Via;

use super::ClusterCatalogs;
use super::failure::Failure;
use crate::path::{Hop, Path, PathError};

/// The limit on resolutions of one namespace, one after the other.
const STEPS: usize = 500;

/// What OLM does for one Subscription until nothing changes, with all that the namespace has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimulatedPath {
    /// The installations and updates. Its error is that of the namespace.
    pub path: Path,
    /// Why the simulation does not know how OLM goes on, if it does not.
    pub gave_up: Option<Box<str>>,
    /// The heads of the channels that the Subscription follows in the end: one, or one for each channel of the package if
    /// it names none. Empty if there is no such channel, or OLM cannot order one of them.
    pub heads: Vec<BundleName>,
    /// Why the CSV in the end does not run, if it does not fit the OperatorGroup of the namespace.
    pub failure: Option<CsvFailure>,
    /// The operators that OLM installs because this Subscription needs them, directly or through others, by name of their
    /// new Subscription.
    pub dependencies: Vec<Dependency>,
}

/// An operator that OLM installs as a dependency, with a Subscription of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    pub package: PackageName,
    /// The name of the new Subscription.
    pub subscription: Arc<str>,
    /// The CSV that is installed in the end.
    pub csv: BundleName,
}

impl SimulatedPath {
    /// Whether nothing changes any more in the end.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.path.error.is_none() && !self.path.repeats && self.gave_up.is_none()
    }

    /// What is installed in the end.
    #[must_use]
    pub fn end<'p>(&'p self, installed: Option<&'p BundleName>) -> Option<&'p BundleName> {
        self.path.last().map(|(name, _)| name).or(installed)
    }

    /// The dependencies on packages that `other` does not install as dependencies.
    pub(super) fn dependencies_without<'p>(&'p self, other: &'p Self) -> impl Iterator<Item = &'p Dependency> {
        let has = |package: &PackageName| other.dependencies.iter().any(|one| one.package == *package);
        self.dependencies.iter().filter(move |one| !has(&one.package))
    }
}

/// The simulation of one namespace.
pub(super) struct Namespace {
    /// By the name of the Subscription.
    pub(super) paths: BTreeMap<Arc<str>, SimulatedPath>,
    /// Why the last resolution fails, if it does.
    pub(super) failure: Option<Failure>,
    /// How the plans of the namespace are approved.
    pub(super) approval: Approval,
}

impl Namespace {
    /// Simulates one namespace. Returns also the cluster in the end.
    pub(super) fn simulate(cluster: &Cluster, namespace: &str, catalogs: ClusterCatalogs<'_>) -> (Self, Cluster) {
        let (timeline, end) = timeline_and_end(cluster, namespace, catalogs.snapshots, catalogs.modes, STEPS);
        let last = timeline.last_resolution();
        let mut installed = cluster.installed_csvs(namespace);
        let here = cluster.subscriptions.iter().filter(|one| &*one.namespace == namespace);
        let mut hops: BTreeMap<&Arc<str>, Vec<Hop>> = here.map(|one| (&one.spec.name, Vec::new())).collect();
        let mut generated = Generated::default();
        for step in &timeline.steps {
            for (name, hops) in &mut hops {
                hops.extend(hop(step, installed.get(*name), step.installed.get(*name)));
            }
            generated.add(step);
            installed.clone_from(&step.installed);
        }
        let path = |(name, hops): (&Arc<str>, Vec<Hop>)| {
            let (path, gave_up) = path(&timeline, name, hops);
            let heads = last.map(|step| heads_of(step, name)).unwrap_or_default();
            let failure = last.and_then(|step| csv_failure(step, name));
            (Arc::clone(name), SimulatedPath { path, gave_up, heads, failure, dependencies: Vec::new() })
        };
        let mut paths: BTreeMap<Arc<str>, SimulatedPath> = hops.into_iter().map(path).collect();
        for (name, found) in generated.found {
            let Some(csv) = installed.get(&name) else { continue };
            for requester in &found.requesters {
                let dependency =
                    Dependency { package: found.package.clone(), subscription: Arc::clone(&name), csv: csv.clone() };
                paths.entry(Arc::clone(requester)).and_modify(|path| path.dependencies.push(dependency));
            }
        }
        let approval = timeline.steps.first().map(|step| step.approval).unwrap_or_default();
        (Self { paths, failure: last.and_then(Failure::of), approval }, end)
    }
}

/// The path of a Subscription, and why it is not known how it goes on.
fn path(timeline: &Timeline, subscription: &Arc<str>, hops: Vec<Hop>) -> (Path, Option<Box<str>>) {
    let repeats = timeline.cycle_start.is_some() && timeline.cycling_csvs().contains_key(subscription);
    let path = Path::listed(hops, repeats);
    let last = timeline.last_resolution().filter(|_| timeline.cycle_start.is_none());
    match last.map(|last| (&last.error, &last.outcome, last.install_plan_created)) {
        Some((Some(error), Outcome::GaveUp(_), _)) => (path, Some(error.as_str().into())),
        Some((Some(error), ..)) => (Path { error: Some(PathError::other(error.as_str())), ..path }, None),
        Some((None, _, true)) => (path, Some(format!("gave up after {STEPS} updates of the namespace").into())),
        Some((None, _, false)) | None => (path, None),
    }
}

fn heads_of(step: &Step, name: &Arc<str>) -> Vec<BundleName> {
    let subscription = step.problem.subscriptions().iter().find(|one| one.name == *name);
    subscription.map_or_else(Vec::new, |one| heads(&step.problem, one).into_iter().map(|head| head.name).collect())
}

/// Why the CSV of a Subscription does not run after a step, if it does not fit the OperatorGroup.
fn csv_failure(step: &Step, name: &Arc<str>) -> Option<CsvFailure> {
    let csv = step.installed.get(name)?;
    step.csv_failures.iter().find(|failure| failure.csv == *csv).cloned()
}

/// The hop that a step makes for a Subscription, if it makes one.
fn hop(step: &Step, from: Option<&BundleName>, to: Option<&BundleName>) -> Option<Hop> {
    let to = to.filter(|to| Some(*to) != from)?;
    let selected = resolution(step).and_then(|found| found.selected.iter().find(|one| one.entry.name == *to));
    let version = selected.and_then(|one| one.entry.version.clone());
    Some(Hop { to: to.clone(), version, via: from.zip(selected).map(|(from, selected)| via(from, selected)) })
}

/// The field that allows an update.
fn via(from: &BundleName, to: &Selected) -> Via {
    if to.entry.replaces.as_ref() == Some(from) {
        Via::Replaces
    } else if to.entry.skips.contains(from) {
        Via::Skips
    } else {
        Via::SkipRange
    }
}

fn resolution(step: &Step) -> Option<&Resolution> {
    match &step.outcome {
        Outcome::Resolved(resolution) => Some(resolution),
        Outcome::Unsolvable(_) | Outcome::Prevented(_) | Outcome::GaveUp(_) => None,
    }
}

/// The Subscriptions that OLM creates for dependencies.
#[derive(Default)]
struct Generated {
    found: BTreeMap<Arc<str>, GeneratedFor>,
}

struct GeneratedFor {
    package: PackageName,
    /// The Subscriptions of the cluster that need it.
    requesters: BTreeSet<Arc<str>>,
}

impl Generated {
    fn add(&mut self, step: &Step) {
        let Some(resolution) = resolution(step) else { return };
        for generated in &step.generated_subscriptions {
            let is_it = |one: &&Selected| is_for(one, generated);
            let Some(selected) = resolution.selected.iter().find(is_it) else { continue };
            let requesters = requesters(&step.problem, &resolution.picks, selected.id);
            // A Subscription that was generated before stands for those that needed it.
            let requesters = requesters.into_iter().flat_map(|name| match self.found.get(&name) {
                Some(earlier) => earlier.requesters.clone(),
                None => BTreeSet::from([name]),
            });
            let found = GeneratedFor { package: generated.package.clone(), requesters: requesters.collect() };
            self.found.insert(Arc::clone(&generated.name), found);
        }
    }
}

fn is_for(selected: &Selected, generated: &GeneratedSubscription) -> bool {
    selected.entry.name == generated.starting_csv
        && selected.entry.channel == generated.channel
        && selected.catalog == generated.catalog
}

/// The Subscriptions whose choices led to a bundle, through the requirements of other bundles if need be.
fn requesters(problem: &Problem, picks: &[Pick], bundle: VarId) -> BTreeSet<Arc<str>> {
    let (mut names, mut seen, mut open) = (BTreeSet::new(), BTreeSet::from([bundle]), vec![bundle]);
    while let Some(bundle) = open.pop() {
        let choices = picks.iter().filter(|pick| pick.selected == bundle).filter_map(|pick| pick.choice);
        for choice in choices {
            match problem.fact(choice) {
                Fact::Wants { subscription, .. } => {
                    names.extend(problem.subscription(*subscription).map(|found| Arc::clone(&found.name)));
                }
                Fact::Requires { bundle, .. } if seen.insert(*bundle) => open.push(*bundle),
                _ => {}
            }
        }
    }
    names
}
