//! Simulates the catalog operator and the OLM operator in one namespace, event by event.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, `…/catalog/subscription/state.go` and
//! `…/olm/operator.go`. Both operators run many workers; here they take turns in a fixed order, and a resolution uses the
//! default order of anchors unless [`Controller::with_outcome`] chooses another. Not simulated: the unpacking of bundles,
//! which succeeds at once, and reasons why a deployment does not run. The steps of a plan for CustomResourceDefinitions are
//! executed for the bundles of [`Controller::with_bundle_crds`].

mod action;
mod conditions;
mod csvs;
mod event;
mod now;
mod plans;
mod remedy;
mod run;
mod sync;

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::BundleName;
use cluster::{Cluster, Csv, CsvPhase, PlanPhase};
use resolver::{Outcome, Problem};

use crate::namespace::{BundleCrds, Snapshots};
use crate::operator_groups::BundleModes;

pub use action::Action;
pub use conditions::{Deprecations, deprecations};
pub use event::{Event, EventKind, FailureReason, Object, SubscriptionEdit, SyncResult};
pub use now::{Becomes, Now, StateReason};
pub use remedy::Remedy;
pub use run::{Blocker, End, Run};

/// A namespace and the operators that manage it. Clone the value to return to a state later.
#[derive(Clone, Debug)]
pub struct Controller {
    cluster: Cluster,
    namespace: Arc<str>,
    snapshots: Snapshots,
    deprecations: Deprecations,
    /// The CustomResourceDefinitions that plans create or update.
    bundle_crds: BundleCrds,
    install_modes: BundleModes,
    /// The CSVs whose plan failed at another object of the same bundle, with the error. ServiceAccounts and roles are the
    /// last objects of a bundle, so these CSVs lack them, and their requirements are not met.
    incomplete: BTreeMap<BundleName, Box<str>>,
    /// The results of installations, by CSV, where an [`Action`] set them.
    install_results: BTreeMap<BundleName, InstallResult>,
    /// The result of all other installations.
    default_result: InstallResult,
    /// The index of the outcome to use in each resolution; the first outcome if there are fewer.
    outcome: usize,
    /// Whether the conditions of Subscriptions must be updated.
    behind: bool,
    /// Whether something changed that OLM watches, so that it synchronises.
    due: bool,
    /// Whether something changed that only the resync every 15 minutes finds.
    stale: bool,
    /// The result of the last synchronisation.
    synced: Option<SyncResult>,
    resolution: Option<(Arc<Problem>, Outcome)>,
}

/// How the installation of a CSV ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InstallResult {
    Succeeds,
    Fails,
    Waits,
}

impl Controller {
    /// Starts with the objects of `cluster`. CSVs succeed unless an [`Action`] sets another result.
    #[must_use]
    pub fn new(cluster: Cluster, namespace: &str, snapshots: Snapshots, deprecations: Deprecations) -> Self {
        let incomplete = incomplete_csvs(&cluster, namespace);
        Self {
            cluster,
            namespace: namespace.into(),
            snapshots,
            deprecations,
            bundle_crds: BundleCrds::new(),
            install_modes: BundleModes::new(),
            incomplete,
            install_results: BTreeMap::new(),
            default_result: InstallResult::Succeeds,
            outcome: 0,
            behind: true,
            due: true,
            stale: false,
            synced: None,
            resolution: None,
        }
    }

    /// Sets the CustomResourceDefinitions of bundles. Plans create or update them.
    #[must_use]
    pub fn with_bundle_crds(mut self, bundle_crds: BundleCrds) -> Self {
        self.bundle_crds = bundle_crds;
        self
    }

    /// Sets the install modes of bundles. A CSV of another bundle counts as fitting every OperatorGroup.
    #[must_use]
    pub fn with_install_modes(mut self, install_modes: BundleModes) -> Self {
        self.install_modes = install_modes;
        self
    }

    /// Keeps CSVs in phase `Installing` until an [`Action`] sets a result.
    #[must_use]
    pub fn holding_csvs(mut self) -> Self {
        self.default_result = InstallResult::Waits;
        self
    }

    /// Uses the outcome with this index of [`resolver::outcomes()`] in every resolution that has that many.
    #[must_use]
    pub fn with_outcome(mut self, outcome: usize) -> Self {
        self.outcome = outcome;
        self
    }

    /// The current objects.
    #[must_use]
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The namespace.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The last resolution and its outcome, for explanations.
    #[must_use]
    pub fn last_resolution(&self) -> Option<(&Arc<Problem>, &Outcome)> {
        self.resolution.as_ref().map(|(problem, outcome)| (problem, outcome))
    }

    fn csv(&self, name: &BundleName) -> Option<&Csv> {
        self.cluster.csvs.iter().find(|csv| csv.namespace == self.namespace && csv.installed.name == *name)
    }

    /// Indices of the namespace's Subscriptions, by name.
    fn subscriptions(&self) -> Vec<usize> {
        let all = &self.cluster.subscriptions;
        let mut here: Vec<usize> = (0..all.len()).filter(|&at| all[at].namespace == self.namespace).collect();
        here.sort_by(|&a, &b| all[a].spec.name.cmp(&all[b].spec.name));
        here
    }

    /// The index of a Subscription of the namespace.
    fn subscription(&self, name: &str) -> Option<usize> {
        self.subscriptions().into_iter().find(|&at| &*self.cluster.subscriptions[at].spec.name == name)
    }

    /// Indices of the namespace's InstallPlans, by generation.
    fn plans(&self) -> Vec<usize> {
        let all = &self.cluster.install_plans;
        let mut here: Vec<usize> = (0..all.len()).filter(|&at| all[at].namespace == self.namespace).collect();
        here.sort_by(|&a, &b| (all[a].generation, &all[a].name).cmp(&(all[b].generation, &all[b].name)));
        here
    }

    /// The index of an InstallPlan of the namespace.
    fn plan(&self, name: &str) -> Option<usize> {
        self.plans().into_iter().find(|&at| &*self.cluster.install_plans[at].name == name)
    }

    fn fails_forward(&self) -> bool {
        self.cluster.fails_forward(&self.namespace)
    }
}

/// The CSVs that lack objects because a plan of the manifests failed, each with the error. A plan does not tell which of
/// several CSVs that is.
fn incomplete_csvs(cluster: &Cluster, namespace: &str) -> BTreeMap<BundleName, Box<str>> {
    let failed = cluster.install_plans.iter().filter(|plan| &*plan.namespace == namespace);
    let only = failed.filter(|plan| plan.phase == PlanPhase::Failed).filter_map(|plan| match &*plan.csvs {
        [only] => Some((only.clone(), plan.error.clone()?)),
        _ => None,
    });
    only.collect()
}

/// The phase of a CSV; unknown words count as `Unknown`.
fn phase(csv: &Csv) -> CsvPhase {
    csv.phase.as_deref().map_or(CsvPhase::None, |word| CsvPhase::of(word).unwrap_or(CsvPhase::Unknown))
}

fn subscription_event(name: &Arc<str>, kind: EventKind) -> Event {
    Event { object: Object::Subscription(Arc::clone(name)), kind }
}

fn plan_event(name: &Arc<str>, kind: EventKind) -> Event {
    Event { object: Object::InstallPlan(Arc::clone(name)), kind }
}

fn csv_event(name: &BundleName, kind: EventKind) -> Event {
    Event { object: Object::Csv(name.clone()), kind }
}
