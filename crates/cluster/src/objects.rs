//! The objects of OLM v0, as far as a resolution or the controllers read them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use catalog::predicate::{Gvk, PackageName, Property};
use catalog::{BundleCrd, BundleName, ChannelName, InstallModes};
use go_semver::blang::Version;
use source::{Approval, Span};
use update_graph::version_in;

use crate::status::{GroupMismatch, PlanPhase, SubscriptionStatus};

/// The name under which the installed operators of a namespace stand beside the catalogs.
const EXISTING: &str = "@existing";

/// Identifies a CatalogSource; the installed operators of a namespace have the name `@existing`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CatalogKey {
    pub namespace: Arc<str>,
    pub name: Arc<str>,
}

impl CatalogKey {
    /// The CatalogSource `name` in `namespace`.
    #[must_use]
    pub fn new(name: &str, namespace: &str) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }

    /// The installed operators of a namespace.
    #[must_use]
    pub fn existing(namespace: &str) -> Self {
        Self::new(EXISTING, namespace)
    }

    /// Whether this stands for installed operators.
    #[must_use]
    pub fn is_existing(&self) -> bool {
        &*self.name == EXISTING
    }
}

impl fmt::Display for CatalogKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// A property and where it stands; one of a cluster object has no place.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedProperty {
    pub property: Property,
    /// The place in the catalog's text.
    pub span: Option<Span>,
}

/// The fields of a Subscription that a resolution reads: those of `spec`, and `status.installedCSV`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionSpec {
    pub name: Arc<str>,
    /// `spec.name`
    pub package: PackageName,
    /// `spec.channel`; absent when empty, which means any.
    pub channel: Option<ChannelName>,
    /// `spec.source` and `spec.sourceNamespace`; absent when both are empty, which means every visible catalog.
    pub catalog: Option<CatalogKey>,
    /// `spec.startingCSV`; absent when empty.
    pub starting_csv: Option<BundleName>,
    /// `status.installedCSV`; absent when empty.
    pub installed_csv: Option<BundleName>,
}

/// A ClusterServiceVersion of the namespace, in whatever phase.
#[derive(Clone, Debug, PartialEq)]
pub struct InstalledCsv {
    pub name: BundleName,
    /// `spec.version`; 0.0.0 when unset.
    pub version: Version,
    pub properties: CsvProperties,
}

/// Where the properties of an installed CSV come from.
#[derive(Clone, Debug, PartialEq)]
pub enum CsvProperties {
    /// There is no annotation: OLM infers from what the CSV owns and requires.
    Inferred {
        /// Owned CRDs and APIServices.
        provided: Vec<Gvk>,
        /// Required CRDs and APIServices.
        required: Vec<Gvk>,
    },
    /// Known as values: of a CSV that was made from a bundle, or that carries them in the annotation
    /// `operatorframework.io/properties`, which stands for everything.
    Known(Arc<[PlacedProperty]>),
    /// OLM fails to read them with this error.
    Broken(Box<str>),
}

impl InstalledCsv {
    /// A CSV of which only the name is known: it has the version in the name, and provides and requires nothing.
    #[must_use]
    pub fn of_name(name: &BundleName) -> Self {
        Self {
            name: name.clone(),
            version: version_in(name.as_str()).unwrap_or(Version::new(0, 0, 0)),
            properties: CsvProperties::Inferred { provided: Vec::new(), required: Vec::new() },
        }
    }
}

/// How OLM writes "all namespaces" in a set of namespaces.
pub const EVERY_NAMESPACE: &str = "";

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
    pub spec: SubscriptionSpec,
    /// `spec.installPlanApproval`
    pub approval: Approval,
    /// `status.currentCSV`; absent if empty.
    pub current_csv: Option<BundleName>,
    /// The names of the fields of `spec.config`, which OLM puts into the deployments of the operator. No resolution reads them.
    pub config: BTreeSet<Box<str>>,
    /// The rest of its status. Only the simulation of the operators reads it.
    pub status: SubscriptionStatus,
}

impl Subscription {
    /// The Subscription that a plan creates for a dependency, after the plan is complete.
    #[must_use]
    pub fn generated(namespace: &str, generated: &GeneratedSubscription) -> Self {
        Self {
            namespace: namespace.into(),
            spec: SubscriptionSpec {
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

impl Csv {
    /// Why OLM keeps the CSV in phase `Failed`, if the reason is the OperatorGroup.
    #[must_use]
    pub fn group_mismatch(&self) -> Option<GroupMismatch> {
        let failed = self.phase.as_deref() == Some("Failed");
        self.reason.as_deref().filter(|_| failed).and_then(GroupMismatch::of)
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

impl OperatorGroup {
    /// Whether the manifests do not have it, and it is taken to be there: it has no name.
    #[must_use]
    pub fn is_assumed(&self) -> bool {
        self.name.is_empty()
    }

    /// The namespaces that its operators watch; the empty text stands for all. `None` if the manifests do not tell which
    /// namespaces have the labels of its selector, or if OLM refuses its list and has found nothing before.
    #[must_use]
    pub fn watched(&self) -> Option<BTreeSet<Box<str>>> {
        match &self.targets {
            TargetNamespaces::All => Some(BTreeSet::from([EVERY_NAMESPACE.into()])),
            TargetNamespaces::Named(names) if names.contains(EVERY_NAMESPACE) => self.selected.clone(),
            TargetNamespaces::Named(names) => Some(names.clone()),
            TargetNamespaces::Labelled => self.selected.clone(),
        }
    }
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

/// A Subscription that OLM creates for a dependency. Its `Display` form is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedSubscription {
    /// `<package>-<channel>-<catalog>-<catalogNamespace>`
    pub name: Arc<str>,
    pub package: PackageName,
    /// The channel, which is always set.
    pub channel: ChannelName,
    /// The catalog, which is always set.
    pub catalog: CatalogKey,
    pub starting_csv: BundleName,
}

impl fmt::Display for GeneratedSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, package, channel, catalog, starting_csv } = self;
        write!(f, "{name} package={package} channel={channel} catalog={catalog} startingCSV={starting_csv}")
    }
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
        crd: BundleCrd,
    },
}
