//! What is on a cluster before a step, as far as OLM v0 resolves it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::{BundleName, Catalog};
use resolver::{CatalogKey, Entry, InstalledCsv, Namespace, Snapshot};

use crate::fail_forward;
use crate::install_plan::InstallPlan;
use crate::plan::GeneratedSubscription;
use crate::status::SubscriptionStatus;

/// Objects of all namespaces.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The namespace whose CatalogSources every other one sees: `olm`, or `openshift-marketplace` on OpenShift.
    pub global_namespace: Arc<str>,
    /// CatalogSources.
    pub catalog_sources: Vec<CatalogSource>,
    /// Subscriptions.
    pub subscriptions: Vec<Subscription>,
    /// ClusterServiceVersions, copied ones left out.
    pub csvs: Vec<Csv>,
    /// OperatorGroups.
    pub operator_groups: Vec<OperatorGroup>,
    /// InstallPlans. A resolution does not look at them; the [`Controller`](crate::Controller) does.
    pub install_plans: Vec<InstallPlan>,
    /// CatalogSources whose pod does not run, because `opm serve` rejects the catalog say. Each blocks every namespace
    /// that sees it.
    pub not_served: BTreeSet<CatalogKey>,
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            global_namespace: "olm".into(),
            catalog_sources: Vec::new(),
            subscriptions: Vec::new(),
            csvs: Vec::new(),
            operator_groups: Vec::new(),
            install_plans: Vec::new(),
            not_served: BTreeSet::new(),
        }
    }
}

/// A CatalogSource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogSource {
    /// Name and namespace.
    pub key: CatalogKey,
    /// `spec.priority`
    pub priority: i32,
}

/// A Subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its namespace.
    pub namespace: Arc<str>,
    /// What the resolver looks at.
    pub spec: resolver::Subscription,
    /// `spec.installPlanApproval`
    pub approval: Approval,
    /// `status.currentCSV`; absent when empty.
    pub current_csv: Option<BundleName>,
    /// The rest of its status. A resolution does not look at it; the [`Controller`](crate::Controller) does.
    pub status: SubscriptionStatus,
}

impl Subscription {
    /// What a plan creates for a dependency, as it is once the plan is through.
    pub(crate) fn generated(namespace: &str, generated: &GeneratedSubscription) -> Self {
        Self {
            namespace: namespace.into(),
            spec: resolver::Subscription {
                name: Arc::clone(&generated.name),
                package: generated.package.clone(),
                channel: Some(generated.channel.clone()),
                catalog: Some(generated.catalog.clone()),
                starting_csv: Some(generated.starting_csv.clone()),
                installed_csv: Some(generated.starting_csv.clone()),
            },
            approval: Approval::Automatic,
            current_csv: Some(generated.starting_csv.clone()),
            status: SubscriptionStatus::default(),
        }
    }
}

/// Who approves an InstallPlan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approval {
    /// Nobody has to.
    #[default]
    Automatic,
    /// A user.
    Manual,
}

/// A ClusterServiceVersion.
#[derive(Clone, Debug, PartialEq)]
pub struct Csv {
    /// Its namespace.
    pub namespace: Arc<str>,
    /// What the resolver looks at.
    pub installed: InstalledCsv,
    /// `status.phase`; absent when empty. It matters only with fail-forward.
    pub phase: Option<Box<str>>,
    /// `spec.replaces`; absent when empty.
    pub replaces: Option<BundleName>,
}

impl Csv {
    /// The CSV that a bundle becomes, with the bundle's properties: OLM writes them into its annotation.
    #[must_use]
    pub fn from_bundle(namespace: &str, entry: &Entry, replaces: Option<BundleName>) -> Self {
        Self {
            namespace: namespace.into(),
            installed: InstalledCsv::from_bundle(entry),
            phase: Some("Succeeded".into()),
            replaces,
        }
    }
}

/// An OperatorGroup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorGroup {
    /// Its namespace.
    pub namespace: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Whether the catalogs of the global namespace are out of sight.
    pub excludes_global: bool,
    /// Whether `spec.upgradeStrategy` is `TechPreviewUnsafeFailForward`.
    pub fail_forward: bool,
}

/// What the resolver hears of a CatalogSource whose pod does not run. The pod and its service exist, so OLM has a client
/// for it, and the client finds nobody behind the service's address, which is not ours to know. (Only an object without
/// an address, which was never synchronised, gives "no registry client established".)
const NOT_SERVED: &str = "failed to list bundles: rpc error: code = Unavailable desc = connection error: desc = \"transport: \
                          Error while dialing: dial tcp <service IP>:50051: connect: connection refused\"";

/// What the catalogs hold, by CatalogSource.
pub type Snapshots = BTreeMap<CatalogKey, Arc<Snapshot>>;

impl Cluster {
    /// The snapshots of the CatalogSources whose content is at hand.
    #[must_use]
    pub fn snapshots<'c>(&self, content: impl Fn(&CatalogKey) -> Option<&'c Catalog>) -> Snapshots {
        let known = self.catalog_sources.iter().filter_map(|source| {
            let snapshot = Snapshot::of(content(&source.key)?, source.key.clone(), source.priority);
            Some((source.key.clone(), Arc::new(snapshot)))
        });
        known.collect()
    }

    /// The namespaces that have a Subscription: the others are never resolved.
    #[must_use]
    pub fn namespaces(&self) -> BTreeSet<Arc<str>> {
        self.subscriptions.iter().map(|subscription| Arc::clone(&subscription.namespace)).collect()
    }

    /// What the Subscription's status says is installed, if that CSV is there.
    #[must_use]
    pub fn installed<'s>(&self, subscription: &'s Subscription) -> Option<&'s BundleName> {
        let is = |csv: &Csv, name: &BundleName| csv.namespace == subscription.namespace && csv.installed.name == *name;
        subscription.spec.installed_csv.as_ref().filter(|name| self.csvs.iter().any(|csv| is(csv, name)))
    }

    /// What a resolution of the namespace looks at.
    #[must_use]
    pub fn namespace(&self, name: &str, snapshots: &Snapshots) -> Namespace {
        let group = self.operator_groups.iter().find(|group| &*group.namespace == name);
        let mut namespace = Namespace { name: name.into(), ..Namespace::default() };
        for key in self.visible_to(name) {
            match snapshots.get(key) {
                _ if self.not_served.contains(key) => namespace.broken.push((key.clone(), NOT_SERVED.into())),
                Some(snapshot) => namespace.catalogs.push(Arc::clone(snapshot)),
                None => {
                    let error = format!("no registry client established for catalogsource {key}");
                    namespace.broken.push((key.clone(), error.into()));
                }
            }
        }
        let mut csvs: Vec<&Csv> = self.csvs.iter().filter(|csv| &*csv.namespace == name).collect();
        csvs.sort_by(|a, b| a.installed.name.cmp(&b.installed.name));
        let counted =
            if group.is_some_and(|group| group.fail_forward) { fail_forward::counted(&csvs) } else { Ok(csvs) };
        match counted {
            Ok(csvs) => namespace.installed = csvs.into_iter().map(|csv| csv.installed.clone()).collect(),
            Err(error) => namespace.broken.push((CatalogKey::existing(name), error.into())),
        }
        let subscriptions = self.subscriptions.iter().filter(|subscription| &*subscription.namespace == name);
        namespace.subscriptions = subscriptions.map(|subscription| subscription.spec.clone()).collect();
        namespace
    }

    /// The CatalogSources that the namespace sees and whose pod does not run. OLM resolves nothing there as long as there
    /// is one.
    pub fn blocking<'s>(&'s self, namespace: &'s str) -> impl Iterator<Item = &'s CatalogKey> {
        self.visible_to(namespace).filter(|key| self.not_served.contains(*key))
    }

    /// The same cluster with every CatalogSource served: what would happen if the catalogs that `opm` rejects were served
    /// all the same.
    #[must_use]
    pub fn all_served(&self) -> Self {
        Self { not_served: BTreeSet::new(), ..self.clone() }
    }

    /// The CatalogSources that the namespace sees.
    pub(crate) fn visible_to<'s>(&'s self, namespace: &'s str) -> impl Iterator<Item = &'s CatalogKey> {
        let group = self.operator_groups.iter().find(|group| &*group.namespace == namespace);
        let excludes_global = group.is_some_and(|group| group.excludes_global);
        let global = (!excludes_global).then_some(&*self.global_namespace);
        let keys = self.catalog_sources.iter().map(|source| &source.key);
        keys.filter(move |key| &*key.namespace == namespace || Some(&*key.namespace) == global)
    }
}
