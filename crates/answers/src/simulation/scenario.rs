//! A cluster that is ready to be simulated.

use catalog::predicate::PackageName;
use catalog::{BundleName, CsvDetails, InstallModes, bundle_details};
use cluster::{CatalogKey, CatalogSource, Cluster, ConditionStatus, ConditionType, Csv, TargetNamespaces};
use go_semver::blang::Version;
use resolver::{Conflicts, GaveUp, Outcome, Snapshot, conflicts};
use session::{CatalogInput, ManifestText, Workbench, openshift_version};
use simulate::{
    AssumedGroup, BundleModes, CommonTargets, OPENSHIFT_OPERATORS, Snapshots, Step, Timeline, TimelineSearch, Timelines,
};
use source::{OpenShift, parse_min_kube};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use views::{
    CatalogId, ExtensionView, FileKey, FormFault, FormPlace, ManifestsView, NamespaceState, SubscriptionField,
};

/// The limits of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulationLimits {
    /// Resolutions, one after the other.
    pub steps: usize,
    pub outcomes: usize,
}

impl SimulationLimits {
    /// The limits of the page, which shows all outcomes side by side.
    pub(super) const PAGE: Self = Self { steps: 50, outcomes: 16 };
}

/// A cluster that is ready to be simulated.
#[derive(Clone)]
pub(crate) struct Scenario {
    pub(crate) cluster: Cluster,
    /// The namespace to resolve; empty when there is none.
    pub(super) namespace: Arc<str>,
    pub(crate) snapshots: Snapshots,
    /// The loaded catalog that stands for each CatalogSource.
    pub(crate) bound: BTreeMap<CatalogKey, CatalogId>,
    /// What the user should know before reading the results.
    pub(crate) notices: Vec<String>,
    /// What was read; `None` in a scenario of a further namespace.
    pub(super) manifests: Option<ManifestsView>,
    /// The text of the manifests, with the places of its objects.
    pub(super) text: Rc<ManifestText>,
    /// CatalogSources without a loaded catalog.
    pub(super) unloaded: Rc<BTreeSet<CatalogKey>>,
    /// CatalogSources that do not answer, with the state of the connection.
    pub(super) unreachable: BTreeMap<CatalogKey, Box<str>>,
    /// What OLM v1 does with its ClusterExtensions.
    pub(super) extensions: Vec<ExtensionView>,
    /// What is wrong with fields of the form.
    pub(super) faults: Vec<FormFault>,
    /// The install modes that were asked for.
    pub(super) modes: Rc<KnownModes>,
    /// The OperatorGroups that the manifests do not have.
    pub(super) assumed: Vec<AssumedGroup>,
    /// While an InstallPlan waits for approval, with which the simulation begins: the CSVs that are installed until then, by
    /// Subscription.
    pub(super) until_approved: Option<BTreeMap<Arc<str>, BundleName>>,
    /// The namespace as it stands, where the simulation begins with that.
    pub(super) state: Option<Box<NamespaceState>>,
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

    /// The CatalogSources that Subscriptions of the namespace name.
    fn named_sources(&self) -> impl Iterator<Item = Option<&CatalogKey>> {
        let here = self.cluster.subscriptions.iter().filter(|one| one.namespace == self.namespace);
        here.map(|one| one.spec.catalog.as_ref())
    }

    /// Whether none of the catalogs is loaded that the Subscriptions of the namespace name: what OLM does is not known.
    pub(super) fn is_unknown(&self) -> bool {
        let is_unloaded = |key: Option<&CatalogKey>| key.is_some_and(|key| self.unloaded.contains(key));
        self.subscriptions() > 0 && self.named_sources().all(is_unloaded)
    }

    /// Whether one of them is not loaded.
    pub(super) fn lacks_catalog(&self) -> bool {
        self.named_sources().flatten().any(|key| self.unloaded.contains(key))
    }

    /// What is wrong with the name of an installed CSV that no loaded catalog has, if it is no name of a bundle that catalogs
    /// may have dropped: it is a version alone, or has none. Then nothing can be said about its updates.
    pub(super) fn unknown_csv(&self, installed: &BundleName) -> Option<&str> {
        let is_it = |csv: &&Csv| csv.namespace == self.namespace && csv.installed.name == *installed;
        let core = installed.as_str().trim_start_matches('v').split(['-', '+']).next().unwrap_or_default();
        let is_version = core.chars().all(|c| c.is_ascii_digit() || c == '.');
        let is_no_name = |csv: &&Csv| is_version || csv.installed.version == Version::new(0, 0, 0);
        self.cluster.csvs.iter().find(is_it).filter(is_no_name)?;
        let name = format!("`{installed}`");
        let is_about = |fault: &&FormFault| {
            matches!(fault.at, FormPlace::Subscription(_, SubscriptionField::Installed))
                && fault.message.contains(&name)
        };
        self.faults.iter().find(is_about).map(|fault| &*fault.message)
    }

    /// Why the resolution failed, as Subscriptions of the namespace report it.
    pub(super) fn reported_failures(&self) -> BTreeSet<&str> {
        let here = self.cluster.subscriptions.iter().filter(|one| one.namespace == self.namespace);
        let failed = here.filter_map(|one| one.status.conditions.get(&ConditionType::ResolutionFailed));
        let failed = failed.filter(|condition| condition.status == ConditionStatus::True);
        failed.map(|condition| &*condition.message).filter(|message| !message.is_empty()).collect()
    }

    /// Whether something else than a resolution decides about the namespace as it stands.
    pub(super) fn is_before_resolution(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.is_before_resolution())
    }

    /// Lets CatalogSources of the whole cluster serve what is given, whatever is loaded for them.
    pub(super) fn serve(&mut self, whole: &Cluster, served: Snapshots) {
        Rc::make_mut(&mut self.unloaded).retain(|key| !served.contains_key(key));
        let sources = &mut self.cluster.catalog_sources;
        sources.retain(|source| !served.contains_key(&source.key));
        sources.extend(served.keys().map(|key| {
            let known = whole.catalog_sources.iter().find(|source| source.key == *key);
            known.cloned().unwrap_or_else(|| CatalogSource::new(key.clone(), 0))
        }));
        self.snapshots.extend(served);
    }

    pub(super) fn search(&self, limits: SimulationLimits) -> TimelineSearch {
        TimelineSearch::new(&self.cluster, &self.namespace, &self.snapshots, limits.steps, limits.outcomes)
    }

    /// The first `count` timelines of the namespace, or all if there are fewer.
    pub(super) fn timelines(&self, workbench: &Workbench, count: usize) -> Timelines {
        let SimulationLimits { steps, outcomes } = SimulationLimits::PAGE;
        let mut search = self.search(SimulationLimits { steps, outcomes: outcomes.max(count) });
        let modes = self.modes(workbench);
        while search.found().timelines.len() < count && search.advance(&modes) {}
        search.into_found()
    }

    /// Leaves out of the cluster what does not concern the namespace, so that a step copies only what does.
    pub(super) fn narrow(&mut self) {
        if let Some(part) = self.cluster.by_namespace().remove(&self.namespace) {
            self.cluster = part;
        }
    }

    /// A scenario for each namespace with Subscriptions, with what concerns it. What concerns the cluster as a whole is only
    /// in the first one: notices, what was read, and the objects of OLM v1.
    pub(super) fn by_namespace(self) -> impl ExactSizeIterator<Item = Self> {
        let parts = self.cluster.by_namespace();
        self.of_parts(parts)
    }

    /// The same for each namespace with objects of OLM v0, also without Subscriptions.
    pub(super) fn of_occupied_namespaces(self) -> impl ExactSizeIterator<Item = Self> {
        let parts = self.cluster.parts_of(self.cluster.occupied_namespaces());
        self.of_parts(parts)
    }

    fn of_parts(mut self, parts: BTreeMap<Arc<str>, Cluster>) -> impl ExactSizeIterator<Item = Self> {
        parts.into_iter().map(move |(namespace, cluster)| self.part(namespace, cluster))
    }

    /// The scenario of a namespace; takes what concerns the cluster as a whole.
    fn part(&mut self, namespace: Arc<str>, cluster: Cluster) -> Self {
        let homes = BTreeSet::from([Arc::clone(&namespace), Arc::clone(&cluster.global_namespace)]);
        Self {
            snapshots: visible(&self.snapshots, &homes),
            bound: visible(&self.bound, &homes),
            unloaded: Rc::clone(&self.unloaded),
            unreachable: visible(&self.unreachable, &homes),
            namespace,
            cluster,
            notices: std::mem::take(&mut self.notices),
            manifests: self.manifests.take(),
            text: Rc::clone(&self.text),
            extensions: std::mem::take(&mut self.extensions),
            faults: std::mem::take(&mut self.faults),
            modes: Rc::clone(&self.modes),
            assumed: Vec::new(),
            until_approved: None,
            state: None,
        }
    }

    /// The loaded catalog that stands for a CatalogSource.
    pub(super) fn stands_for<'w>(&self, workbench: &'w Workbench, key: &CatalogKey) -> Option<&'w CatalogInput> {
        workbench.catalog(*self.bound.get(key)?)
    }
}

/// What belongs to CatalogSources of these namespaces.
fn visible<T: Clone>(by_source: &BTreeMap<CatalogKey, T>, homes: &BTreeSet<Arc<str>>) -> BTreeMap<CatalogKey, T> {
    let first = |home: &Arc<str>| CatalogKey { namespace: Arc::clone(home), name: "".into() };
    let of_home = |home: &Arc<str>| {
        let namespace = Arc::clone(home);
        by_source.range(first(home)..).take_while(move |(key, _)| key.namespace == namespace)
    };
    homes.iter().flat_map(of_home).map(|(key, value)| (key.clone(), value.clone())).collect()
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

// The install modes of bundles, and what the simulation says about OperatorGroups.

/// The install modes that a simulation has asked for. Each is read from the text of its bundle once.
#[derive(Default)]
pub(crate) struct KnownModes(RefCell<BTreeMap<(CatalogKey, PackageName, BundleName), Option<InstallModes>>>);

impl KnownModes {
    /// The install modes of a bundle, which are read if they are not known.
    pub(crate) fn of(
        &self,
        (catalog, package, bundle): (&CatalogKey, &PackageName, &BundleName),
        read: impl FnOnce() -> Option<InstallModes>,
    ) -> Option<InstallModes> {
        let key = (catalog.clone(), package.clone(), bundle.clone());
        if let Some(modes) = self.0.borrow().get(&key) {
            return modes.clone();
        }
        let modes = read();
        self.0.borrow_mut().insert(key, modes.clone());
        modes
    }

    /// Those that are known.
    pub(super) fn known(&self) -> BundleModes {
        let asked = self.0.borrow();
        asked.iter().filter_map(|(key, modes)| Some((key.clone(), modes.clone()?))).collect()
    }
}

impl Scenario {
    /// Looks up install modes in the loaded catalogs.
    pub(crate) fn modes<'s>(
        &'s self,
        workbench: &'s Workbench,
    ) -> impl Fn(&CatalogKey, &PackageName, &BundleName) -> Option<InstallModes> + 's {
        move |catalog, package, bundle| {
            self.modes.of((catalog, package, bundle), || {
                of_bundle(self.stands_for(workbench, catalog)?, package.as_str(), bundle.as_str())
            })
        }
    }

    /// Completes what the manifests leave out about install modes and OperatorGroups.
    pub(crate) fn complete(&mut self, workbench: &Workbench) {
        let mut cluster = std::mem::take(&mut self.cluster);
        let assumed = simulate::complete(&mut cluster, &self.snapshots, &self.modes(workbench));
        self.assumed = assumed;
        self.cluster = cluster;
    }

    /// What is assumed about the OperatorGroup, or not known, in the simulation of these timelines.
    pub(super) fn group_notice<'t>(&self, timelines: impl Iterator<Item = &'t Timeline>) -> Option<String> {
        let known = self.modes.known();
        if let Some(assumed) = self.assumed.iter().find(|assumed| assumed.namespace == self.namespace) {
            return Some(self.assumption(assumed, timelines));
        }
        let group = self.cluster.groups_of(&self.namespace).first()?;
        if group.watched().is_none() && !known.is_empty() {
            return Some(format!(
                "the manifests do not tell which namespaces OperatorGroup `{}` selects by labels, so install modes are not checked; its `status.namespaces` would tell",
                group.name
            ));
        }
        if known.is_empty() && group.targets == TargetNamespaces::All {
            // A catalog without any metadata of CSVs, and the usual group: nothing depends on it.
            return None;
        }
        let selected = timelines.flat_map(|timeline| &timeline.steps).flat_map(|step| &step.selected);
        let is_unknown =
            |key: &(CatalogKey, PackageName, BundleName)| self.modes.0.borrow().get(key).is_some_and(Option::is_none);
        let unknown = selected
            .filter(|bundle| is_unknown(&(bundle.catalog.clone(), bundle.package.clone(), bundle.name.clone())));
        let names: BTreeSet<String> = unknown.map(|bundle| format!("`{}`", bundle.name)).collect();
        (!names.is_empty()).then(|| {
            format!(
                "the catalog does not tell the install modes of {}, so it is not known whether OperatorGroup `{}` allows to run it",
                source::joined(names.into_iter(), 3, "and"),
                group.name
            )
        })
    }

    /// Which OperatorGroup is assumed: one that fits all that these timelines end with.
    fn assumption<'t>(&self, assumed: &AssumedGroup, timelines: impl Iterator<Item = &'t Timeline>) -> String {
        let here = format!("the manifests have no OperatorGroup in namespace `{}`", self.namespace);
        if assumed.targets.is_none() {
            return format!(
                "{here}, and what is installed there supports neither all namespaces nor this one alone, so install modes are not checked"
            );
        }
        let ends = timelines.filter_map(Timeline::last_resolution);
        let names: BTreeSet<&BundleName> =
            ends.flat_map(|end| end.installed.values().chain(end.selected.iter().map(|bundle| &bundle.name))).collect();
        let known = self.modes.known();
        let of_csvs = self.cluster.csvs.iter().filter(|csv| csv.namespace == self.namespace);
        let of_csvs = of_csvs.filter_map(|csv| Some((&csv.installed.name, csv.install_modes.as_ref()?)));
        let of_bundles = known.iter().map(|((_, _, name), modes)| (name, modes));
        let modes: BTreeMap<&BundleName, &InstallModes> =
            of_csvs.chain(of_bundles).filter(|(name, _)| names.contains(name)).collect();
        let all: Vec<&InstallModes> = modes.values().copied().collect();
        let limited =
            modes.iter().filter(|(_, modes)| CommonTargets::of(&[modes]) != Some(CommonTargets::AllNamespaces));
        let limited = source::joined(limited.map(|(name, _)| format!("`{name}`")), 3, "and");
        let named = |what: &str| {
            format!(
                "{here}; one for {what} is assumed, because {limited} does not support all namespaces; that of `openshift-operators` \
                 or `operators` does not fit"
            )
        };
        if *self.namespace == *OPENSHIFT_OPERATORS && assumed.targets == Some(TargetNamespaces::All) {
            return format!("{here}; that of OpenShift, for all namespaces, is assumed");
        }
        match CommonTargets::of(&all) {
            Some(CommonTargets::AllNamespaces) => format!("{here}; one for all namespaces is assumed"),
            Some(CommonTargets::OwnNamespace) => named("this namespace alone"),
            Some(CommonTargets::SingleNamespace) => named("one other namespace"),
            Some(CommonTargets::MultiNamespace) => named("several other namespaces"),
            None => format!(
                "{here}, and none fits all of {}",
                source::joined(names.iter().map(|name| format!("`{name}`")), 4, "and")
            ),
        }
    }
}

/// The install modes of a bundle; `None` if the catalog does not tell them.
fn of_bundle(catalog: &CatalogInput, package: &str, bundle: &str) -> Option<InstallModes> {
    Some(csv_details(catalog, package, bundle)?.install_modes)
}

fn csv_details(catalog: &CatalogInput, package: &str, bundle: &str) -> Option<CsvDetails> {
    let bundle = catalog.analysis.catalog.package(package)?.bundle(bundle)?;
    let file = catalog.file(FileKey(bundle.span.file.0))?;
    bundle_details(bundle, &file.text)?.csv
}

/// Why a CSV stays in phase `Pending`: its `minKubeVersion`, which no resolution reads (operator-lifecycle-manager
/// `pkg/controller/operators/olm/requirements.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KubeObstacle {
    /// OLM cannot parse it.
    Unreadable { least: Box<str> },
    /// The Kubernetes of this version of OpenShift is older.
    Older { least: Box<str>, openshift: OpenShift },
}

impl KubeObstacle {
    pub(super) fn short(&self) -> String {
        match self {
            Self::Unreadable { .. } => "stays Pending with `CSV version parsing error`".to_owned(),
            Self::Older { least, .. } => format!("stays Pending until the cluster has Kubernetes {least}"),
        }
    }

    pub(super) fn notice(&self, csv: &BundleName) -> String {
        match self {
            Self::Unreadable { least } => format!(
                "`{csv}` has the `minKubeVersion` `{least}`, which OLM cannot parse: on every cluster its CSV stays Pending with \
                 `CSV version parsing error`"
            ),
            Self::Older { least, openshift } => {
                let (major, minor) = openshift.kubernetes();
                format!(
                    "`{csv}` needs Kubernetes {least}, and OpenShift {openshift} has {major}.{minor}: OLM installs it nevertheless, its \
                     CSV stays Pending, what it replaces goes on, and OLM updates nothing in the namespace until OpenShift is newer"
                )
            }
        }
    }
}

impl Scenario {
    /// Whether the cluster lacks the Kubernetes that a bundle needs. Where its version is not known, only what no cluster has.
    pub(super) fn kube_obstacle(
        &self,
        workbench: &Workbench,
        (catalog, package, bundle): (&CatalogKey, &PackageName, &BundleName),
    ) -> Option<KubeObstacle> {
        let details = csv_details(self.stands_for(workbench, catalog)?, package.as_str(), bundle.as_str())?;
        let least = details.min_kube_version?;
        if parse_min_kube(&least).is_none() {
            return Some(KubeObstacle::Unreadable { least });
        }
        let openshift = openshift_version(&self.cluster).filter(|version| version.is_older_than(&least))?;
        Some(KubeObstacle::Older { least, openshift })
    }

    /// Looks up what decides whether these bundles run, and says which of them does not for its `minKubeVersion`.
    pub(super) fn look_up(&self, workbench: &Workbench, names: &[BundleName]) -> Option<(BundleName, KubeObstacle)> {
        let listed = || {
            names.iter().flat_map(|name| {
                let of_name = |snapshot: &Arc<Snapshot>| {
                    Some((snapshot.key.clone(), snapshot.listing.named(name).next()?.package.clone(), name.clone()))
                };
                self.snapshots.values().filter_map(of_name).collect::<Vec<_>>()
            })
        };
        let modes = self.modes(workbench);
        listed().for_each(|(catalog, package, bundle)| drop(modes(&catalog, &package, &bundle)));
        listed().find_map(|(catalog, package, bundle)| {
            let obstacle = self.kube_obstacle(workbench, (&catalog, &package, &bundle))?;
            Some((bundle, obstacle))
        })
    }
}
