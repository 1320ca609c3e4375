//! A cluster that is ready to be simulated.

use crate::manifest_text::ManifestText;
use crate::{CatalogInput, Workbench};
use resolver::{CatalogKey, Conflicts, GaveUp, Outcome, Snapshot, conflicts};
use simulate::{Cluster, Snapshots, Step, TimelineSearch, Timelines};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use views::{CatalogId, ClusterForm, ExtensionView, FormFault, ManifestsView};

/// The limit on resolutions, one after the other.
pub(super) const STEPS: usize = 50;
/// The limit on outcomes.
pub(super) const OUTCOMES: usize = 16;

/// A cluster that is ready to be simulated.
pub(in crate::queries) struct Scenario {
    pub(in crate::queries) cluster: Cluster,
    /// The namespace to resolve; empty when there is none.
    pub(super) namespace: Arc<str>,
    pub(in crate::queries) snapshots: Snapshots,
    /// The loaded catalog that stands for each CatalogSource.
    pub(in crate::queries) bound: BTreeMap<CatalogKey, CatalogId>,
    /// What the user should know before reading the results.
    pub(in crate::queries) notices: Vec<String>,
    /// What was read, if it was manifests.
    pub(super) manifests: Option<ManifestsView>,
    /// The text of the manifests, with the places of its objects.
    pub(super) text: Option<Rc<ManifestText>>,
    /// CatalogSources that do not answer, with the state of the connection.
    pub(super) unreachable: BTreeMap<CatalogKey, Box<str>>,
    /// The form, if it was one.
    pub(super) form: Option<ClusterForm>,
    /// The index in the form of each Subscription, by name.
    pub(super) rows: BTreeMap<Arc<str>, usize>,
    /// What OLM v1 does with its ClusterExtensions.
    pub(super) extensions: Vec<ExtensionView>,
    /// What is wrong with fields of the form.
    pub(super) faults: Vec<FormFault>,
}

/// Why a step has no solution.
#[derive(Default)]
pub(super) struct Failure {
    /// The conflicts, or why they were not found; `None` if the step did not fail because of conflicts.
    pub(super) conflicts: Option<Result<Conflicts, GaveUp>>,
}

impl Failure {
    pub(super) fn of(step: &Step) -> Self {
        let is_conflict = matches!(step.outcome, Outcome::Unsolvable(_));
        Self { conflicts: is_conflict.then(|| conflicts(&step.problem)) }
    }
}

impl Scenario {
    /// The number of Subscriptions in the namespace.
    pub(super) fn subscriptions(&self) -> usize {
        self.cluster.subscriptions.iter().filter(|one| one.namespace == self.namespace).count()
    }

    /// The search for all timelines of the namespace.
    pub(super) fn search(&self) -> TimelineSearch {
        TimelineSearch::new(&self.cluster, &self.namespace, &self.snapshots, STEPS, OUTCOMES)
    }

    /// The first `count` timelines of the namespace, or all if there are fewer.
    pub(super) fn timelines(&self, count: usize) -> Timelines {
        let mut search = self.search();
        while search.found().timelines.len() < count && search.advance() {}
        search.into_found()
    }

    /// The loaded catalog that stands for a CatalogSource.
    pub(super) fn stands_for<'w>(&self, workbench: &'w Workbench, key: &CatalogKey) -> Option<&'w CatalogInput> {
        workbench.catalog(*self.bound.get(key)?)
    }
}

/// What the CatalogSources of a cluster serve.
pub(super) fn snapshots(
    workbench: &Workbench,
    cluster: &Cluster,
    bound: &BTreeMap<CatalogKey, CatalogId>,
) -> Snapshots {
    let served = cluster.catalog_sources.iter().filter_map(|source| {
        let listing = workbench.catalog(*bound.get(&source.key)?)?.analysis.listing();
        let snapshot = Snapshot { key: source.key.clone(), priority: source.priority, listing };
        Some((source.key.clone(), Arc::new(snapshot)))
    });
    served.collect()
}
