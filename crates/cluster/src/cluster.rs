//! The state of a cluster, as far as OLM v0 resolves it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use go_semver::blang::Version;
use sat::Budget;
use source::Span;
use update_graph::Edit;

use crate::objects::{
    CatalogKey, CatalogSource, Csv, InstallPlan, OperatorCondition, OperatorGroup, Subscription, SubscriptionSpec,
};

use crate::workload::FailingWorkload;

/// The global namespace of upstream OLM.
pub(crate) const UPSTREAM: &str = "olm";
/// That of OpenShift.
pub(crate) const OPENSHIFT: &str = "openshift-marketplace";

/// The objects of all namespaces.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The namespace whose CatalogSources all namespaces see: `olm`, or `openshift-marketplace` on OpenShift.
    pub global_namespace: Arc<str>,
    /// CatalogSources.
    pub catalog_sources: Vec<CatalogSource>,
    pub subscriptions: Vec<Subscription>,
    /// ClusterServiceVersions, without those that OLM copied from other namespaces.
    pub csvs: Vec<Csv>,
    /// CSVs that OLM copied from other namespaces, by namespace and name. OLM takes them for present where it only looks for a
    /// name.
    pub copied_csvs: BTreeSet<(Arc<str>, BundleName)>,
    /// OperatorConditions. No resolution reads them, only the simulation of its operators.
    pub operator_conditions: Vec<OperatorCondition>,
    /// Whether there may be further Subscriptions, because the manifests are cut off before the last one.
    pub lacks_subscriptions: bool,
    /// OperatorGroups, by namespace. All namespaces share them, because the APIs of one group can exclude those of another.
    pub operator_groups: Arc<BTreeMap<Arc<str>, Vec<OperatorGroup>>>,
    /// Whether no namespace has other OperatorGroups, so that one without any has none. Otherwise it counts as having one.
    pub has_all_groups: bool,
    /// InstallPlans. No resolution reads them, only the simulation of its operators.
    pub install_plans: Vec<InstallPlan>,
    /// CatalogSources whose pod does not run, for example because `opm serve` rejects the catalog. Each of them blocks every
    /// namespace that sees it.
    pub not_served: BTreeSet<CatalogKey>,
    /// Namespaces that are being deleted: nothing is created there any more.
    pub terminating_namespaces: Arc<BTreeSet<Arc<str>>>,
    /// Pods and Jobs of catalogs and bundles that fail. No resolution reads them.
    pub failing_workloads: Vec<FailingWorkload>,
    /// The version of OpenShift, from the object `ClusterVersion`; absent on other clusters. No resolution reads it.
    pub openshift: Option<Version>,
    /// CustomResourceDefinitions: the versions that objects are stored in, by name. No resolution reads them;
    /// InstallPlans update them.
    pub crds: Arc<BTreeMap<Box<str>, Vec<Box<str>>>>,
    /// The work that the solver may do for all resolutions of the cluster, and of the clusters that its updates lead to.
    pub budget: Budget,
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            global_namespace: UPSTREAM.into(),
            catalog_sources: Vec::new(),
            subscriptions: Vec::new(),
            csvs: Vec::new(),
            copied_csvs: BTreeSet::new(),
            operator_conditions: Vec::new(),
            lacks_subscriptions: false,
            operator_groups: Arc::default(),
            has_all_groups: false,
            install_plans: Vec::new(),
            not_served: BTreeSet::new(),
            terminating_namespaces: Arc::default(),
            failing_workloads: Vec::new(),
            openshift: None,
            crds: Arc::default(),
            budget: Budget::default(),
        }
    }
}

/// The CatalogSources that Subscriptions name.
fn named_sources(subscriptions: &[Subscription]) -> BTreeSet<&CatalogKey> {
    let named = subscriptions.iter().filter_map(|one| one.spec.catalog.as_ref());
    named.filter(|key| !key.name.is_empty()).collect()
}

impl Cluster {
    /// Manifests without any CatalogSource are taken for incomplete: adds those that Subscriptions name. The global namespace is
    /// then that of OpenShift if one of them is there and none in that of upstream OLM. Returns whether the manifests have none.
    pub fn assume_sources(&mut self) -> bool {
        if !self.catalog_sources.is_empty() {
            return false;
        }
        let keys = named_sources(&self.subscriptions);
        let is_home = |namespace: &str| keys.iter().any(|key| *key.namespace == *namespace);
        if is_home(OPENSHIFT) && !is_home(UPSTREAM) {
            self.global_namespace = OPENSHIFT.into();
        }
        self.catalog_sources = keys.into_iter().map(|key| CatalogSource::new(key.clone(), 0)).collect();
        true
    }

    /// Adds the CatalogSources that Subscriptions name, for manifests that do not have all CatalogSources.
    pub(crate) fn assume_named_sources(&mut self) {
        let is_missing = |key: &CatalogKey| self.catalog_sources.iter().all(|source| source.key != *key);
        let missing: Vec<_> =
            named_sources(&self.subscriptions).into_iter().filter(|key| is_missing(key)).cloned().collect();
        self.catalog_sources.extend(missing.into_iter().map(|key| CatalogSource::new(key, 0)));
    }

    /// The namespaces that have a Subscription. OLM resolves no others.
    #[must_use]
    pub fn namespaces(&self) -> BTreeSet<Arc<str>> {
        self.subscriptions.iter().map(|subscription| Arc::clone(&subscription.namespace)).collect()
    }

    /// The namespaces that have a Subscription, a CSV or an InstallPlan.
    #[must_use]
    pub fn occupied_namespaces(&self) -> BTreeSet<Arc<str>> {
        let csvs = self.csvs.iter().map(|csv| &csv.namespace);
        let plans = self.install_plans.iter().map(|plan| &plan.namespace);
        self.namespaces().into_iter().chain(csvs.chain(plans).cloned()).collect()
    }

    /// For each namespace with a Subscription the part of the cluster that OLM reads there: its objects, its CatalogSources and
    /// the global ones, and the objects without a namespace. With many namespaces a part is much less than the cluster, which
    /// every step of a timeline copies.
    #[must_use]
    pub fn by_namespace(&self) -> BTreeMap<Arc<str>, Self> {
        self.parts_of(self.namespaces())
    }

    /// The same for each of these namespaces.
    #[must_use]
    pub fn parts_of(&self, namespaces: BTreeSet<Arc<str>>) -> BTreeMap<Arc<str>, Self> {
        let global_namespace = Arc::clone(&self.global_namespace);
        let (openshift, crds) = (self.openshift.clone(), Arc::clone(&self.crds));
        let (operator_groups, has_all_groups) = (Arc::clone(&self.operator_groups), self.has_all_groups);
        let common = Self {
            global_namespace,
            lacks_subscriptions: self.lacks_subscriptions,
            operator_groups,
            has_all_groups,
            terminating_namespaces: Arc::clone(&self.terminating_namespaces),
            openshift,
            crds,
            budget: self.budget.clone(),
            ..Self::default()
        };
        let mut parts: BTreeMap<Arc<str>, Self> =
            namespaces.into_iter().map(|namespace| (namespace, common.clone())).collect();
        distribute(&mut parts, &self.subscriptions, |one| &one.namespace, |part| &mut part.subscriptions);
        distribute(&mut parts, &self.csvs, |csv| &csv.namespace, |part| &mut part.csvs);
        let conditions = &self.operator_conditions;
        distribute(&mut parts, conditions, |one| &one.namespace, |part| &mut part.operator_conditions);
        for (namespace, name) in &self.copied_csvs {
            if let Some(part) = parts.get_mut(namespace) {
                part.copied_csvs.insert((Arc::clone(namespace), name.clone()));
            }
        }
        distribute(&mut parts, &self.install_plans, |plan| &plan.namespace, |part| &mut part.install_plans);
        self.distribute_catalog_sources(&mut parts);
        parts
    }

    /// Adds to each part the CatalogSources of its namespace and the global ones, in the order of the cluster.
    fn distribute_catalog_sources(&self, parts: &mut BTreeMap<Arc<str>, Self>) {
        let mut by_home: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, source) in self.catalog_sources.iter().enumerate() {
            by_home.entry(&source.key.namespace).or_default().push(at);
        }
        for (namespace, part) in parts {
            let homes = BTreeSet::from([&**namespace, &*self.global_namespace]);
            let mut found: Vec<usize> = homes.iter().filter_map(|home| by_home.get(home)).flatten().copied().collect();
            found.sort_unstable();
            part.catalog_sources = found.into_iter().map(|at| self.catalog_sources[at].clone()).collect();
            let keys = part.catalog_sources.iter().map(|source| &source.key);
            part.not_served = keys.filter(|key| self.not_served.contains(*key)).cloned().collect();
        }
    }

    /// The CSV of each Subscription of the namespace that has one, by the Subscription's name.
    #[must_use]
    pub fn installed_csvs(&self, namespace: &str) -> BTreeMap<Arc<str>, BundleName> {
        let here = self.subscriptions.iter().filter(|subscription| &*subscription.namespace == namespace);
        here.filter_map(|one| Some((Arc::clone(&one.spec.name), self.installed(one).name()?.clone()))).collect()
    }

    /// The OperatorGroups of the namespace.
    #[must_use]
    pub fn groups_of(&self, namespace: &str) -> &[OperatorGroup] {
        self.operator_groups.get(namespace).map_or(&[], Vec::as_slice)
    }

    /// Whether the OperatorGroup of the namespace lets failed CSVs be replaced.
    #[must_use]
    pub fn fails_forward(&self, namespace: &str) -> bool {
        self.groups_of(namespace).first().is_some_and(|group| group.fail_forward)
    }

    /// Whether there is an OperatorCondition of a CSV, and it does not forbid the update.
    #[must_use]
    pub fn allows_update(&self, namespace: &str, csv: &BundleName) -> bool {
        let mut own = self.operator_conditions.iter().filter(|one| *one.namespace == *namespace && one.csv == *csv);
        own.next().is_some_and(|one| one.refusal.is_none())
    }

    /// The CatalogSources that the namespace sees and whose pod does not run. OLM resolves nothing in the namespace while
    /// there is one.
    pub fn blocking<'s>(&'s self, namespace: &'s str) -> impl Iterator<Item = &'s CatalogKey> {
        self.visible_to(namespace).filter(|key| self.not_served.contains(*key))
    }

    /// The same cluster with every CatalogSource served, to show what OLM would do if catalogs that `opm` rejects were
    /// served nevertheless.
    #[must_use]
    pub fn all_served(&self) -> Self {
        Self { not_served: BTreeSet::new(), ..self.clone() }
    }

    /// The CatalogSources that the namespace sees.
    pub fn visible_to<'s>(&'s self, namespace: &'s str) -> impl Iterator<Item = &'s CatalogKey> {
        let excludes_global = self.groups_of(namespace).first().is_some_and(|group| group.excludes_global);
        let global = (!excludes_global).then_some(&*self.global_namespace);
        let keys = self.catalog_sources.iter().map(|source| &source.key);
        keys.filter(move |key| &*key.namespace == namespace || Some(&*key.namespace) == global)
    }
}

/// Adds each object to the part of its namespace, if there is one.
fn distribute<T: Clone>(
    parts: &mut BTreeMap<Arc<str>, Cluster>,
    objects: &[T],
    namespace: impl Fn(&T) -> &Arc<str>,
    list: impl Fn(&mut Cluster) -> &mut Vec<T>,
) {
    for object in objects {
        if let Some(part) = parts.get_mut(namespace(object)) {
            list(part).push(object.clone());
        }
    }
}

// Changes to the objects of a namespace or to a catalog that it sees.

/// One change. What it names and is not there stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputChange {
    /// Another `spec.channel`.
    Channel { subscription: Arc<str>, channel: ChannelName },
    /// InstallPlans wait for approval, `spec.installPlanApproval`.
    Manual { subscription: Arc<str> },
    /// Another package, `spec.name`.
    Package { subscription: Arc<str>, package: PackageName },
    /// `spec.name` and `spec.channel` exchanged.
    Swap { subscription: Arc<str> },
    /// Another `spec.source` and `spec.sourceNamespace`.
    Catalog { subscription: Arc<str>, catalog: CatalogKey },
    /// Another `spec.startingCSV`, or none.
    StartingCsv {
        subscription: Arc<str>,
        /// The new value.
        csv: Option<BundleName>,
    },
    /// A new Subscription.
    AddSubscription(SubscriptionSpec),
    /// A Subscription is deleted; its CSV stays behind.
    DropSubscription { subscription: Arc<str> },
    /// A Subscription takes over a CSV that has none: its `status.installedCSV` and `status.currentCSV` are set to it.
    AdoptCsv { csv: BundleName, subscription: Arc<str> },
    /// A CSV is deleted, which uninstalls the operator.
    DeleteCsv { csv: BundleName },
    /// A range of a bundle's requirement takes in more versions.
    WidenRange {
        catalog: CatalogKey,
        /// The bundle's package.
        package: PackageName,
        /// The bundle, in whatever channels.
        bundle: BundleName,
        required: PackageName,
        /// The property's place.
        span: Option<Span>,
        /// The range as written.
        from: Box<str>,
        /// The new range.
        to: Box<str>,
    },
    /// The edges of a channel entry change.
    EditEntry {
        catalog: CatalogKey,
        package: PackageName,
        channel: ChannelName,
        /// The entry's place.
        span: Option<Span>,
        edit: Edit,
    },
}
