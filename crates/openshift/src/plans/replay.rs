//! Whole plans played back: the simulator makes every step of a namespace, with all of its Subscriptions and dependencies, and says
//! where it has something else than the plans. Such a plan is none.

use crate::plans::explain::unknown;
use crate::plans::plan::{Plan, Station, WaitingPlan};
use crate::plans::question::Question;
use crate::plans::search::Act;
use catalog::predicate::PackageName;
use catalog::{BundleName, InstallModes};
use cluster::{CatalogKey, Cluster};
use resolver::Snapshot;
use simulate::{Snapshots, Step};
use source::OpenShift;
use std::sync::Arc;
use views::PlanAction;

/// The most resolutions on one version of OpenShift.
const MOST_STEPS: usize = 200;

/// Plays the plans of a namespace, of which the cluster is, and takes the steps from those with which the simulation does not agree.
/// `acts` are their steps in order, without those of OpenShift; plans that lead nowhere are not compared.
pub(crate) fn replay(question: &Question<'_>, plans: &mut [Plan], acts: &[Act]) {
    let Some(namespace) = plans.first().map(|plan| Arc::clone(&plan.namespace)) else { return };
    let mut cluster = question.cluster.clone();
    // What waits for an approval is resolved again, as it is when its InstallPlan is deleted.
    let waits = |one: &cluster::Subscription| WaitingPlan::of_subscription(&cluster, one).is_some();
    let waits: Vec<bool> = cluster.subscriptions.iter().map(waits).collect();
    for (subscription, _) in cluster.subscriptions.iter_mut().zip(waits).filter(|(_, waits)| *waits) {
        subscription.current_csv.clone_from(&subscription.spec.installed_csv);
    }
    let mut replay = Replay { question, namespace, cluster, at: 0, snapshots: Snapshots::new(), pending: Vec::new() };
    let mut differing: Vec<Option<String>> = vec![None; plans.len()];
    for (at, version) in question.way.iter().enumerate() {
        replay.enter_version(at);
        // The cluster does not come to the first version: it is there.
        let came = replay.run_updates().filter(|_| at > 0);
        for act in acts.iter().filter(|act| act.step.openshift == *version && act.step.what.is_manual()) {
            replay.act(&plans[act.operator], act);
            if act.step.what != PlanAction::Approve {
                replay.run_updates();
            }
        }
        let left = replay.error();
        for (plan, differs) in plans.iter().zip(&mut differing).filter(|(_, differs)| differs.is_none()) {
            let Some(station) = plan.stations.get(at) else { continue };
            *differs = replay.difference(&plan.subscription, station, *version, came.as_deref().or(left.as_deref()));
        }
    }
    for (plan, differs) in plans.iter_mut().zip(differing) {
        if let Some(text) = differs {
            plan.make_unknown(unknown(format!(
                "The steps that the update graph has and the simulation differ: {text}."
            )));
        }
    }
}

struct Replay<'q, 'c> {
    question: &'q Question<'c>,
    namespace: Arc<str>,
    cluster: Cluster,
    at: usize,
    snapshots: Snapshots,
    /// The CSVs that wait for a later Kubernetes, with what they need.
    pending: Vec<(BundleName, Box<str>)>,
}

impl Replay<'_, '_> {
    /// The cluster comes to a version: the catalogs are exchanged, and a Kubernetes that is new enough lets CSVs go on.
    fn enter_version(&mut self, at: usize) {
        self.at = at;
        self.snapshots.clear();
        self.cluster.not_served.clear();
        let version = self.question.way[at];
        for source in &self.cluster.catalog_sources {
            let served =
                self.question.sources.get(&source.key).and_then(|versions| versions.get(at).copied().flatten());
            let Some(served) = served else { continue };
            if served.state().rejected.is_some() {
                self.cluster.not_served.insert(source.key.clone());
            }
            let snapshot = Snapshot { key: source.key.clone(), priority: source.priority, listing: served.listing() };
            self.snapshots.insert(source.key.clone(), Arc::new(snapshot));
        }
        self.pending.retain(|(_, least)| version.is_older_than(least));
    }

    /// Whether InstallPlans wait for an approval.
    fn is_manual(&self) -> bool {
        self.cluster.subscriptions.iter().any(|one| one.approval == source::Approval::Manual)
    }

    /// All that happens by itself. Returns the error of the first resolution.
    fn run_updates(&mut self) -> Option<String> {
        if self.is_manual() {
            return self.error();
        }
        let mut first = None;
        for count in 0..MOST_STEPS {
            if let Some(error) = self.waits() {
                return first.or(Some(error));
            }
            let step = self.step();
            if count == 0 {
                first = step.error.clone();
            }
            if step.error.is_some() || !step.install_plan_created {
                break;
            }
        }
        first
    }

    /// Why the namespace is not resolved now.
    fn error(&self) -> Option<String> {
        self.waits().or_else(|| self.resolution().0.error)
    }

    fn waits(&self) -> Option<String> {
        let (name, least) = self.pending.first()?;
        Some(format!("`{name}` waits for Kubernetes {least}"))
    }

    fn resolution(&self) -> (Step, Cluster) {
        let modes = |key: &CatalogKey, package: &PackageName, bundle: &BundleName| self.modes(key, package, bundle);
        simulate::step(&self.cluster, &self.namespace, &self.snapshots, &modes)
    }

    fn step(&mut self) -> Step {
        let (step, cluster) = self.resolution();
        self.cluster = cluster;
        if step.install_plan_created {
            for new in &step.selected {
                let least = self.bundle(&new.catalog, &new.package, &new.name, |served, bundle| {
                    served.min_kube(&new.package, bundle)
                });
                if let Some(least) = least.flatten().filter(|least| self.question.way[self.at].is_older_than(least)) {
                    self.pending.push((new.name.clone(), least));
                }
            }
        }
        step
    }

    fn modes(&self, key: &CatalogKey, package: &PackageName, bundle: &BundleName) -> Option<InstallModes> {
        self.bundle(key, package, bundle, |served, bundle| served.install_modes(bundle)).flatten()
    }

    fn bundle<T>(
        &self,
        key: &CatalogKey,
        package: &PackageName,
        bundle: &BundleName,
        read: impl FnOnce(&dyn crate::plans::question::Served, &catalog::Bundle) -> T,
    ) -> Option<T> {
        let served = self.question.sources.get(key)?.get(self.at).copied().flatten()?;
        let bundle = served.state().catalog.package(package.as_str())?.bundle(bundle.as_str())?;
        Some(read(served, bundle))
    }

    /// What somebody does.
    fn act(&mut self, plan: &Plan, act: &Act) {
        if act.step.what == PlanAction::Approve {
            // The plan of the first operator updates the others, too.
            if self.installed(&plan.subscription).is_none_or(|csv| csv.as_str() != act.step.to) {
                self.step();
            }
            return;
        }
        let is_it = |one: &cluster::Subscription| one.spec.name == plan.subscription;
        match act.step.what {
            PlanAction::SwitchChannel => {
                for one in self.cluster.subscriptions.iter_mut().filter(|one| is_it(one)) {
                    one.spec.channel.clone_from(&act.step.channel);
                }
            }
            PlanAction::Remove => self.cluster.subscriptions.retain(|one| !is_it(one)),
            PlanAction::Reinstall => {
                self.cluster.csvs.retain(|csv| csv.installed.name.as_str() != act.step.from);
                for one in self.cluster.subscriptions.iter_mut().filter(|one| is_it(one)) {
                    one.spec.channel.clone_from(&act.step.channel);
                    (one.spec.installed_csv, one.spec.starting_csv, one.current_csv) = (None, None, None);
                }
                // Who installs it approves its InstallPlan, too.
                if self.is_manual() {
                    self.step();
                }
            }
            // The catalogs are exchanged with OpenShift, and OLM v1 takes no part.
            PlanAction::SwitchSource
            | PlanAction::SetVersion
            | PlanAction::Approve
            | PlanAction::Update
            | PlanAction::OpenShift => {}
        }
    }

    fn installed(&self, subscription: &str) -> Option<&BundleName> {
        let found = self.cluster.subscriptions.iter().find(|one| &*one.spec.name == subscription)?;
        self.cluster.installed(found).name()
    }

    /// Where the simulation has something else than the plan.
    fn difference(
        &self,
        subscription: &str,
        station: &Station,
        version: OpenShift,
        error: Option<&str>,
    ) -> Option<String> {
        // An error explains why nothing is installed.
        if let (Some(error), None) = (error, &station.frozen) {
            return Some(format!("on {version} the simulation resolves nothing: {}", compare::shortened(error)));
        }
        let is_there = self.cluster.subscriptions.iter().any(|one| &*one.spec.name == subscription);
        let installed = self.installed(subscription);
        let planned = station.pending.as_ref().or(station.csv.as_ref());
        if is_there && installed != planned {
            let shown =
                |name: Option<&BundleName>| name.map_or_else(|| "nothing".to_owned(), |name| format!("`{name}`"));
            let text = format!("on {version} the simulation installs {}, not {}", shown(installed), shown(planned));
            return Some(text);
        }
        let is_resolved = error.is_none() && station.frozen.is_some();
        is_resolved.then(|| format!("on {version} the simulation resolves the namespace"))
    }
}
