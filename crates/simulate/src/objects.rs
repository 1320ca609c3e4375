//! The objects of OLM v0, as far as a resolution or the controllers read them.

use std::collections::BTreeSet;
use std::sync::Arc;

use catalog::{BundleCrd, BundleName, InstallModes};
use resolver::{CatalogKey, Entry, InstalledCsv};
use source::Approval;

use crate::planned_changes::GeneratedSubscription;
use crate::status::{PlanPhase, SubscriptionStatus};

/// The highest priority of a CatalogSource. OLM takes 64 bits; the page has the integers of JavaScript, which end here.
pub const MOST_PRIORITY: i64 = (1 << 53) - 1;

/// A CatalogSource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogSource {
    /// Name and namespace.
    pub key: CatalogKey,
    /// `spec.priority`, which a ClusterCatalog has with 32 bits only.
    pub priority: i64,
    /// `spec.image`; absent if empty. OLM pulls the catalog from there.
    pub image: Option<Box<str>>,
    /// `spec.sourceType`. An abbreviated manifest may leave it out: it is `grpc` beside an image or an address, and else absent.
    pub source_type: Option<Box<str>>,
    /// `spec.updateStrategy.registryPoll.interval`; absent if there is no `registryPoll`.
    pub poll_interval: Option<Box<str>>,
    /// The number of `spec.secrets`.
    pub secrets: usize,
    /// Whether there is a `spec.grpcPodConfig`.
    pub has_pod_config: bool,
    /// Whether its image follows the version of Kubernetes, by the annotation `olm.catalogImageTemplate`
    /// (`pkg/lib/catalogsource/image_template.go`).
    pub has_image_template: bool,
    pub connection: Connection,
}

/// Whether OLM reaches a CatalogSource (operator-lifecycle-manager `pkg/controller/registry/resolver/source_registry.go`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    /// It answers, or the manifest does not tell: it was not read from a cluster.
    #[default]
    Answers,
    /// The object of a cluster has no state: OLM has never connected.
    Never,
    /// `status.connectionState.lastObservedState`, where that is another one than `READY` and `IDLE`.
    Fails(Box<str>),
}

impl CatalogSource {
    /// A CatalogSource of which nothing else is known.
    #[must_use]
    pub const fn new(key: CatalogKey, priority: i64) -> Self {
        Self {
            key,
            priority,
            image: None,
            source_type: None,
            poll_interval: None,
            secrets: 0,
            has_pod_config: false,
            has_image_template: false,
            connection: Connection::Answers,
        }
    }
}

/// A Subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    pub namespace: Arc<str>,
    /// The fields that the resolver reads: those of `spec`, and `status.installedCSV`.
    pub spec: resolver::Subscription,
    /// `spec.installPlanApproval`
    pub approval: Approval,
    /// `status.currentCSV`; absent if empty.
    pub current_csv: Option<BundleName>,
    /// The names of the fields of `spec.config`, which OLM puts into the deployments of the operator. No resolution reads them.
    pub config: BTreeSet<Box<str>>,
    /// The rest of its status. Only the [`Controller`](crate::Controller) reads it.
    pub status: SubscriptionStatus,
}

impl Subscription {
    /// The Subscription that a plan creates for a dependency, after the plan is complete.
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
            config: BTreeSet::new(),
            status: SubscriptionStatus::default(),
        }
    }
}

/// A ClusterServiceVersion.
#[derive(Clone, Debug, PartialEq)]
pub struct Csv {
    pub namespace: Arc<str>,
    /// The fields that the resolver reads.
    pub installed: InstalledCsv,
    /// `status.phase`; absent if empty. A resolution reads it only with fail-forward.
    pub phase: Option<Box<str>>,
    /// `status.reason`; absent if empty.
    pub reason: Option<Box<str>>,
    /// `status.message`; absent if empty.
    pub message: Option<Box<str>>,
    /// The entries of `status.requirementStatus` that are not met.
    pub unmet: Vec<Requirement>,
    /// `spec.replaces`; absent if empty.
    pub replaces: Option<BundleName>,
    /// `spec.installModes`; absent if not known. No resolution reads them.
    pub install_modes: Option<InstallModes>,
    /// The names of the CustomResourceDefinitions that it owns.
    pub owned_crds: BTreeSet<Box<str>>,
    /// Whether it was deleted, and waits for its finalizer.
    pub is_terminating: bool,
    /// Whether the manifests do not have it, and only a Subscription names it.
    pub is_assumed: bool,
    /// Whether `spec.install.strategy` is one that OLM does not know.
    pub has_unknown_strategy: bool,
}

impl Csv {
    /// The CSV of a bundle, with the properties of the bundle, which OLM writes into an annotation of the CSV.
    #[must_use]
    pub fn from_bundle(
        namespace: &str,
        entry: &Entry,
        replaces: Option<BundleName>,
        install_modes: Option<InstallModes>,
    ) -> Self {
        Self { replaces, install_modes, ..Self::running(namespace, InstalledCsv::from_bundle(entry)) }
    }

    /// A CSV whose operator runs and of which nothing else is known.
    #[must_use]
    pub fn running(namespace: &str, installed: InstalledCsv) -> Self {
        Self {
            namespace: namespace.into(),
            installed,
            phase: Some("Succeeded".into()),
            reason: None,
            message: None,
            unmet: Vec::new(),
            replaces: None,
            install_modes: None,
            owned_crds: BTreeSet::new(),
            is_terminating: false,
            is_assumed: false,
            has_unknown_strategy: false,
        }
    }
}

/// Something that a CSV requires, and that was not there when OLM looked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    pub kind: Box<str>,
    pub name: Box<str>,
    /// OLM's text about it.
    pub message: Box<str>,
}

/// What an OperatorCondition says about updates of its operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorCondition {
    pub namespace: Arc<str>,
    /// The name of its CSV.
    pub csv: BundleName,
    /// Why the operator must not be updated, in OLM's words; absent if it may be.
    pub refusal: Option<Box<str>>,
}

/// An OperatorGroup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorGroup {
    pub namespace: Arc<str>,
    pub name: Arc<str>,
    /// Whether the namespace does not see the catalogs of the global namespace.
    pub excludes_global: bool,
    /// Whether `spec.upgradeStrategy` is `TechPreviewUnsafeFailForward`.
    pub fail_forward: bool,
    /// The namespaces that its operators watch. No resolution reads them.
    pub targets: TargetNamespaces,
    /// `status.namespaces`: what OLM found for `targets`; absent without a status. The empty text stands for all.
    pub selected: Option<BTreeSet<Box<str>>>,
    /// The annotation `olm.providedAPIs`: the APIs of its operators, as `Kind.version.group`.
    pub provided_apis: BTreeSet<Box<str>>,
    /// `spec.staticProvidedAPIs`: whether OLM may not change that annotation.
    pub has_static_apis: bool,
    /// What the group says about its ServiceAccount, if that does not exist.
    pub account_error: Option<Box<str>>,
    /// OLM's error about an annotation with times for the unpacking of bundles, which stops it before it resolves.
    pub annotation_error: Option<Box<str>>,
}

/// The namespaces that an OperatorGroup selects (operator-lifecycle-manager
/// `pkg/controller/operators/olm/operatorgroup.go`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TargetNamespaces {
    #[default]
    All,
    /// Those of `spec.targetNamespaces`.
    Named(BTreeSet<Box<str>>),
    /// Those with the labels of `spec.selector`.
    Labelled,
}

/// An InstallPlan.
#[derive(Clone, Debug, PartialEq)]
pub struct InstallPlan {
    pub namespace: Arc<str>,
    /// Its name. OLM appends five random letters; a simulated plan has its generation instead.
    pub name: Arc<str>,
    /// `spec.generation`, which counts the plans of a namespace.
    pub generation: u32,
    /// `spec.approval`
    pub approval: Approval,
    /// `spec.approved`
    pub approved: bool,
    /// `status.phase`
    pub phase: PlanPhase,
    /// `spec.clusterServiceVersionNames`
    pub csvs: Vec<BundleName>,
    /// The objects that it creates, in order. Empty for a plan from a manifest, which only names its CSVs.
    pub steps: Vec<PlanStep>,
    /// The number of steps that are done.
    pub done: usize,
    /// The message of the condition `Installed` = `False` with reason `InstallComponentFailed`, if the plan failed and the
    /// error is known.
    pub error: Option<Box<str>>,
    /// `status.message` while it is executed again and again, because a step fails, or the message of a check that fails.
    pub retries: Option<Box<str>>,
    /// Whether the manifests do not have it, and only a Subscription names it.
    pub is_assumed: bool,
    /// Whether the object of a cluster has no steps, so that nothing is executed.
    pub is_empty: bool,
}

/// An object that a plan creates.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanStep {
    Subscription(GeneratedSubscription),
    Csv(Csv),
    /// A CustomResourceDefinition of a bundle.
    Crd {
        /// The CSV of the bundle, whose step is before this one.
        csv: BundleName,
        /// The CustomResourceDefinition.
        crd: BundleCrd,
    },
}
