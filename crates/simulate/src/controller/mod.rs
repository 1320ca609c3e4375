//! The real course of events in one namespace: catalog-operator and olm-operator, one act after the other.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, `…/catalog/subscription/state.go` and
//! `…/olm/operator.go`. Both operators run many workers; here they take turns in one fixed order, and a resolution takes
//! the default order of anchors unless told otherwise. Not modelled: unpacking of bundles, which succeeds at once, and
//! what keeps a deployment from running.

mod action;
mod conditions;
mod csvs;
mod deprecations;
mod event;
mod plans;
mod run;
mod sync;

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::BundleName;
use resolver::{Outcome, Problem};

pub use action::Action;
pub use deprecations::Deprecations;
pub use event::{Event, EventKind, FailureReason, Object, SubscriptionEdit, SyncResult};
pub use run::{Blocker, End, Run};

use crate::cluster::{Cluster, Csv, Snapshots};
use crate::status::CsvPhase;

/// A namespace and the operators that look after it. A value: clone it to be able to step back.
#[derive(Clone, Debug)]
pub struct Controller {
    cluster: Cluster,
    namespace: Arc<str>,
    snapshots: Snapshots,
    deprecations: Deprecations,
    /// What is to become of CSVs, where it was said.
    install_results: BTreeMap<BundleName, InstallResult>,
    /// What becomes of the others.
    default_result: InstallResult,
    /// Which outcome of a resolution is taken; the first where there are fewer.
    outcome: usize,
    /// Something changed that conditions of Subscriptions follow.
    behind: bool,
    /// Something changed that OLM watches.
    due: bool,
    /// Something changed that only the resync every 15 minutes finds.
    stale: bool,
    /// How far the last synchronisation came.
    synced: Option<SyncResult>,
    /// The last resolution, to ask why.
    resolution: Option<(Arc<Problem>, Outcome)>,
}

/// What becomes of a CSV whose deployments are on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InstallResult {
    Succeeds,
    Fails,
    Waits,
}

impl Controller {
    /// The operators find the namespace as the cluster has it. CSVs succeed unless an [`Action`] says otherwise.
    #[must_use]
    pub fn new(cluster: Cluster, namespace: &str, snapshots: Snapshots, deprecations: Deprecations) -> Self {
        Self {
            cluster,
            namespace: namespace.into(),
            snapshots,
            deprecations,
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

    /// Lets CSVs wait in phase `Installing` until an [`Action`] says whether they succeed.
    #[must_use]
    pub fn holding_csvs(mut self) -> Self {
        self.default_result = InstallResult::Waits;
        self
    }

    /// Takes another one of [`resolver::outcomes()`] than the first, wherever a resolution has so many.
    #[must_use]
    pub fn with_outcome(mut self, outcome: usize) -> Self {
        self.outcome = outcome;
        self
    }

    /// The objects as they are now.
    #[must_use]
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The namespace.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The last resolution, to ask why: what it looked at and its answer.
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

    /// The place of a Subscription of the namespace.
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

    /// The place of an InstallPlan of the namespace.
    fn plan(&self, name: &str) -> Option<usize> {
        self.plans().into_iter().find(|&at| &*self.cluster.install_plans[at].name == name)
    }

    fn fails_forward(&self) -> bool {
        let group = self.cluster.operator_groups.iter().find(|group| group.namespace == self.namespace);
        group.is_some_and(|group| group.fail_forward)
    }
}

/// The phase of a CSV; a word that OLM does not have is one that it cannot tell.
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
