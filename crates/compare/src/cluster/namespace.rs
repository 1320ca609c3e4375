//! What becomes of the Subscriptions of one namespace with one state of the catalogs.

use super::ClusterCatalogs;
use crate::path::{Hop, Path, PathError};
use crate::rule::Rule;
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use cluster::{Approval, CatalogKey, Cluster, GeneratedSubscription};
use go_semver::blang::Version;
use resolver::{Fact, Obstacle, Outcome, Pick, Problem, Resolution, Selected, VarId, conflicts, heads};
use simulate::{CsvFailure, Step, Timeline, timeline_and_end};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use update_graph::Via;

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

// What the difference between two simulations of a Subscription means. The rules are those of the rows, with
// the namespace and dependencies added.

impl Rule {
    /// The rule about rows that says the same as one about a Subscription; the user's level for it counts there, too.
    #[must_use]
    pub const fn row_rule(self) -> Option<Self> {
        match self {
            Self::Stuck => Some(Self::V0Stranded),
            Self::Downgraded => Some(Self::V0Downgrade),
            Self::Loops => Some(Self::V0Loop),
            Self::LowerByName => Some(Self::V0LowerByName),
            Self::StopsEarlier => Some(Self::V0EndLower),
            Self::OtherWay => Some(Self::V0NextChanged),
            Self::Unstuck => Some(Self::V0Unstranded),
            Self::GoesFurther => Some(Self::V0EndHigher),
            _ => None,
        }
    }
}

/// A Subscription without its rule.
pub(super) struct Case<'r> {
    pub(super) installed: Option<&'r BundleName>,
    pub(super) version: Option<&'r Version>,
    pub(super) old: &'r SimulatedPath,
    pub(super) new: &'r SimulatedPath,
    /// Whether the failure in the new state is about the Subscription.
    pub(super) is_cause: bool,
}

impl Case<'_> {
    /// The worst rule that applies.
    pub(super) fn rule(&self) -> Rule {
        let (old, new) = (self.old, self.new);
        if old.gave_up.is_some() || new.gave_up.is_some() {
            return Rule::NotCompared;
        }
        match (&old.failure, &new.failure) {
            (None, Some(_)) => return Rule::CsvFails,
            (Some(_), None) => return Rule::CsvRuns,
            _ => {}
        }
        match (&old.path.error, &new.path.error) {
            (None, Some(_)) if self.is_cause => return Rule::Frozen,
            (None, Some(_)) => return Rule::FrozenByOthers,
            (Some(_), None) => return Rule::Unfrozen,
            (Some(_), Some(_)) if old.path == new.path => return Rule::Same,
            (Some(_), Some(_)) if old.path.hops().eq(new.path.hops()) => return Rule::StillFrozen,
            _ => {}
        }
        let more = new.dependencies_without(old).next().map(|_| Rule::DependenciesAdded);
        let path = self.path_rule();
        match path {
            // A path that is no worse does not hide what else is installed.
            Some(Rule::GoesFurther | Rule::Unstuck | Rule::OtherWay) => more.or(path),
            Some(worse) => Some(worse),
            None => more.or_else(|| old.dependencies_without(new).next().map(|_| Rule::DependenciesRemoved)),
        }
        .unwrap_or(Rule::Same)
    }

    /// What the updates of two states mean; `None` if they are the same.
    fn path_rule(&self) -> Option<Rule> {
        let (old, new) = (self.old, self.new);
        let newly = |holds: &dyn Fn(&SimulatedPath) -> bool| holds(new) && !holds(old);
        let no_longer = |holds: &dyn Fn(&SimulatedPath) -> bool| holds(old) && !holds(new);
        if newly(&|found| self.is_stuck(found)) {
            Some(Rule::Stuck)
        } else if newly(&|found| found.path.goes_down(self.version, true)) {
            Some(Rule::Downgraded)
        } else if newly(&|found| found.path.repeats) {
            Some(Rule::Loops)
        } else if newly(&|found| found.path.goes_down(self.version, false)) {
            Some(Rule::LowerByName)
        } else if newly(&|found| self.is_behind(found)) {
            Some(Rule::StopsEarlier)
        } else if no_longer(&|found| self.is_stuck(found) || found.path.repeats) {
            Some(Rule::Unstuck)
        } else if old.path.names().eq(new.path.names()) {
            None
        } else {
            Some(self.other_path())
        }
    }

    /// What updates mean that differ and end with something else than before.
    fn other_path(&self) -> Rule {
        let (old, new) = (&self.old.path, &self.new.path);
        let longer =
            |long: &Path, short: &Path| long.len > short.len && long.names().zip(short.names()).all(|(a, b)| a == b);
        let order = match (new.end_version(self.version), old.end_version(self.version)) {
            (Some(new), Some(old)) => new.cmp(old),
            _ => Ordering::Equal,
        };
        if longer(new, old) || order == Ordering::Greater {
            Rule::GoesFurther
        } else if longer(old, new) || order == Ordering::Less {
            Rule::StopsEarlier
        } else {
            Rule::OtherWay
        }
    }

    /// Whether nothing follows what is installed, although it is not the head.
    fn is_stuck(&self, found: &SimulatedPath) -> bool {
        found.path.is_empty() && self.is_behind(found)
    }

    /// Whether the updates end below the head.
    fn is_behind(&self, found: &SimulatedPath) -> bool {
        let is_head = |end: &BundleName| found.heads.contains(end);
        found.is_settled() && !found.heads.is_empty() && found.end(self.installed).is_some_and(|end| !is_head(end))
    }
}

// Why OLM cannot resolve a namespace, and which object is the cause.

/// A resolution that fails. It freezes all Subscriptions of its namespace, also those that it is not about
/// (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, `syncResolvingNamespace`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// OLM's message in the condition `ResolutionFailed` of every Subscription of the namespace.
    pub error: Box<str>,
    /// What the failure is about, without repetition. OLM's message is about the first conflict alone; the causes are those
    /// of all independent conflicts that were found. Empty if no object that Opscope reads is the cause.
    pub causes: Vec<Cause>,
}

/// An object that a failure is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    Subscription(Arc<str>),
    /// An installed CSV without a Subscription.
    Csv(BundleName),
    /// A CatalogSource that the namespace sees and that does not answer.
    Catalog(CatalogKey),
    /// The installed CSVs, which OLM cannot read.
    InstalledCsvs,
    /// A channel that OLM cannot order.
    Channel(PackageName, ChannelName),
    /// A bundle with a requirement that OLM cannot read.
    Bundle(BundleName),
}

impl Failure {
    /// The failure of a step, if it failed and it is known that OLM fails too.
    pub(super) fn of(step: &Step) -> Option<Self> {
        let error = step.error.as_deref()?;
        let mut causes = match &step.outcome {
            Outcome::GaveUp(_) => return None,
            Outcome::Unsolvable(_) => of_conflicts(step),
            Outcome::Prevented(prevented) => prevented.errors.iter().filter_map(of_obstacle).collect(),
            // OLM stopped before it resolved anything.
            Outcome::Resolved(_) => Vec::new(),
        };
        causes.sort();
        causes.dedup();
        Some(Self { error: error.into(), causes })
    }

    /// Whether the failure is about this Subscription of the namespace.
    #[must_use]
    pub fn is_caused_by(&self, subscription: &cluster::SubscriptionSpec) -> bool {
        self.causes.iter().any(|cause| match cause {
            Cause::Subscription(name) => *name == subscription.name,
            Cause::Catalog(key) => subscription.catalog.as_ref() == Some(key),
            Cause::Channel(package, channel) => {
                subscription.package == *package && subscription.channel.as_ref().is_none_or(|own| own == channel)
            }
            Cause::Csv(_) | Cause::InstalledCsvs | Cause::Bundle(_) => false,
        })
    }
}

/// The Subscriptions and installed CSVs of all independent conflicts.
fn of_conflicts(step: &Step) -> Vec<Cause> {
    let problem = &step.problem;
    let found = conflicts(problem).unwrap_or_default().conflicts;
    let of_first = match &step.outcome {
        Outcome::Unsolvable(conflict) => Some(conflict),
        Outcome::Resolved(_) | Outcome::Prevented(_) | Outcome::GaveUp(_) => None,
    };
    let all = of_first.into_iter().chain(&found);
    all.flat_map(|conflict| conflict.anchors(problem)).filter_map(|anchor| of_anchor(problem, anchor)).collect()
}

fn of_anchor(problem: &Problem, anchor: VarId) -> Option<Cause> {
    match problem.subscription(anchor) {
        Some(subscription) => Some(Cause::Subscription(Arc::clone(&subscription.name))),
        None => Some(Cause::Csv(problem.entry(anchor)?.name.clone())),
    }
}

fn of_obstacle(obstacle: &Obstacle) -> Option<Cause> {
    match obstacle {
        Obstacle::Source(key, _) if key.is_existing() => Some(Cause::InstalledCsvs),
        Obstacle::Source(key, _) => Some(Cause::Catalog(key.clone())),
        Obstacle::Order(error) => Some(Cause::Channel(error.package().into(), error.channel().into())),
        Obstacle::Requirement { bundle, .. } => Some(Cause::Bundle(bundle.clone())),
        Obstacle::Identifier(_) | Obstacle::NotExactlyOne(_) => None,
    }
}
