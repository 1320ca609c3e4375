//! Reads single objects, as far as OLM reads them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::InstallModes;
use catalog::predicate::Gvk;
use go_semver::blang::Version;
use source::{Approval, Diagnostic, Rule, Severity, Span};

use super::fields::{self, Fields};
use super::{Kind, ObjectKey, annotation};
use crate::objects::{
    CatalogSource, Connection, Csv, InstallPlan, MOST_PRIORITY, OperatorCondition, OperatorGroup, Requirement,
    Subscription, TargetNamespaces,
};
use crate::status::{Condition, ConditionStatus, ConditionType, PlanPhase, SubscriptionState, SubscriptionStatus};
use crate::{CatalogKey, CsvProperties, InstalledCsv, Manager, SubscriptionSpec};

/// The effect of a CSV with invalid properties.
const BLOCKS: &str = "OLM resolves nothing in the namespace until the CSV is corrected or removed";

/// An object of a kind that OLM reads.
pub(super) enum Object {
    /// With the last observed state of the connection.
    CatalogSource(CatalogSource, Option<Box<str>>),
    Csv(Csv),
    InstallPlan(InstallPlan),
    OperatorCondition(OperatorCondition),
    OperatorGroup(OperatorGroup),
    /// With the place that names its catalog.
    Subscription(Subscription, Span),
}

/// Reads an object of OLM v0; `None` if its name is missing. The object itself is `None` if it is a CSV that OLM copied from another
/// namespace. If there was a finding about the object, the caller must ignore it.
pub(super) fn read(kind: Kind, fields: &Fields<'_, '_>) -> Option<(ObjectKey, Option<Object>)> {
    let parts = Parts::of(fields);
    let name: Arc<str> = parts.metadata.required("name")?.into();
    // kubectl's default.
    let namespace: Arc<str> = parts.metadata.non_empty("namespace").unwrap_or("default").into();
    let key = ObjectKey { kind, namespace, name };
    let object = match kind {
        Kind::CatalogSource => {
            let state = parts.status.part("connectionState").non_empty("lastObservedState").map(Into::into);
            Object::CatalogSource(catalog_source(&key, &parts), state)
        }
        Kind::ClusterCatalog | Kind::ClusterExtension => return None,
        Kind::ClusterServiceVersion if is_copied(&key, &parts) => return Some((key, None)),
        Kind::ClusterServiceVersion => Object::Csv(csv(&key, &parts)),
        Kind::InstallPlan => Object::InstallPlan(install_plan(&key, &parts)),
        Kind::OperatorCondition => Object::OperatorCondition(operator_condition(&key, &parts)),
        Kind::OperatorGroup => Object::OperatorGroup(operator_group(&key, &parts)),
        Kind::Subscription => {
            let spec = &parts.spec;
            let place = spec.place("source").or(spec.place("sourceNamespace")).unwrap_or(spec.span.at_start());
            Object::Subscription(subscription(&key, &parts), place)
        }
    };
    Some((key, Some(object)))
}

/// The parts of an object. Each is looked up once, so that a wrong one is reported once.
struct Parts<'n, 'p> {
    metadata: Fields<'n, 'p>,
    annotations: Fields<'n, 'p>,
    spec: Fields<'n, 'p>,
    status: Fields<'n, 'p>,
}

impl<'n, 'p> Parts<'n, 'p> {
    fn of(fields: &Fields<'n, 'p>) -> Self {
        let metadata = fields.part("metadata");
        let annotations = metadata.part("annotations");
        Self { annotations, metadata, spec: fields.part("spec"), status: fields.part("status") }
    }

    /// Whether the object was read from a cluster, and has all that the cluster knows of it.
    fn is_of_cluster(&self) -> bool {
        self.metadata.place("uid").is_some()
    }
}

fn catalog_source(key: &ObjectKey, parts: &Parts<'_, '_>) -> CatalogSource {
    let spec = &parts.spec;
    let (image, address) = (spec.non_empty("image"), spec.non_empty("address"));
    let update = spec.part("updateStrategy");
    let interval = || update.part("registryPoll").text("interval").unwrap_or_default();
    CatalogSource {
        key: CatalogKey::new(&key.name, &key.namespace),
        priority: spec.integer("priority", -MOST_PRIORITY, MOST_PRIORITY).unwrap_or(0),
        image: image.map(Into::into),
        source_type: spec.text("sourceType").or_else(|| image.or(address).map(|_| "grpc")).map(Into::into),
        poll_interval: update.place("registryPoll").map(|_| interval().into()),
        secrets: spec.texts("secrets").len(),
        has_pod_config: spec.place("grpcPodConfig").is_some(),
        has_image_template: parts.annotations.text("olm.catalogImageTemplate").is_some(),
        connection: connection(parts),
    }
}

fn connection(parts: &Parts<'_, '_>) -> Connection {
    match parts.status.part("connectionState").non_empty("lastObservedState") {
        Some("READY" | "IDLE") => Connection::Answers,
        Some(state) => Connection::Fails(state.into()),
        None if parts.is_of_cluster() => Connection::Never,
        None => Connection::Answers,
    }
}

fn subscription(key: &ObjectKey, parts: &Parts<'_, '_>) -> Subscription {
    let Parts { spec, status, .. } = parts;
    // The API server demands the field but takes an empty text; OLM then looks for a package without a name.
    let package = spec.text("name").or_else(|| spec.required("name")).unwrap_or_default();
    let (source, namespace) = (spec.non_empty("source"), spec.non_empty("sourceNamespace"));
    let catalog = (source.is_some() || namespace.is_some())
        .then(|| CatalogKey::new(source.unwrap_or_default(), namespace.unwrap_or_default()));
    Subscription {
        namespace: Arc::clone(&key.namespace),
        spec: SubscriptionSpec {
            name: Arc::clone(&key.name),
            package: package.into(),
            channel: spec.non_empty("channel").map(Into::into),
            catalog,
            starting_csv: spec.non_empty("startingCSV").map(Into::into),
            installed_csv: status.non_empty("installedCSV").map(Into::into),
        },
        approval: approval(spec.text("installPlanApproval")),
        current_csv: status.non_empty("currentCSV").map(Into::into),
        config: spec.part("config").keys().into_iter().map(Into::into).collect(),
        status: subscription_status(parts),
    }
}

fn approval(word: Option<&str>) -> Approval {
    if word == Some(Approval::Manual.as_str()) { Approval::Manual } else { Approval::Automatic }
}

fn subscription_status(Parts { metadata, annotations, status, .. }: &Parts<'_, '_>) -> SubscriptionStatus {
    let labels = metadata.part("labels");
    let reference = status.part("installPlanRef").non_empty("name");
    let conditions = status.parts("conditions").into_iter().filter_map(|condition| {
        let kind = ConditionType::of(condition.text("type")?)?;
        let status = condition.text("status").and_then(ConditionStatus::of)?;
        let text = |key| condition.text(key).unwrap_or_default().into();
        Some((kind, Condition { status, reason: text("reason"), message: text("message") }))
    });
    SubscriptionStatus {
        state: status.text("state").and_then(SubscriptionState::of).unwrap_or_default(),
        install_plan: reference.map(Into::into),
        install_plan_generation: count(status, "installPlanGeneration"),
        generated_by: annotations.non_empty("olm.generated-by").map(Into::into),
        managed_by: Manager::of(|key| labels.non_empty(key), |key| annotations.non_empty(key)),
        conditions: conditions.collect(),
    }
}

fn count(fields: &Fields<'_, '_>, key: &str) -> u32 {
    fields.integer(key, 0, i32::MAX).map_or(0, i32::unsigned_abs)
}

fn install_plan(key: &ObjectKey, parts: &Parts<'_, '_>) -> InstallPlan {
    let Parts { spec, status, .. } = parts;
    let conditions = status.parts("conditions").into_iter();
    let conditions: Vec<_> = conditions.map(|one| (one.text("reason"), one.non_empty("message"))).collect();
    let failure = |reason| {
        let mut found = conditions.iter().filter(|(known, _)| *known == Some(reason));
        found.find_map(|(_, message)| message.map(Into::into))
    };
    let phase = status.text("phase").and_then(PlanPhase::of).unwrap_or(PlanPhase::None);
    let retries = status.text("message").filter(|text| text.starts_with("retrying execution"));
    InstallPlan {
        namespace: Arc::clone(&key.namespace),
        name: Arc::clone(&key.name),
        generation: count(spec, "generation"),
        approval: approval(spec.text("approval")),
        approved: spec.is_true("approved"),
        phase,
        csvs: spec.texts("clusterServiceVersionNames").into_iter().map(Into::into).collect(),
        steps: Vec::new(),
        done: 0,
        error: failure("InstallComponentFailed"),
        retries: retries
            .map(Into::into)
            .or_else(|| failure("InstallCheckFailed"))
            .or_else(|| not_unpacked(status).filter(|_| phase == PlanPhase::Failed)),
        is_assumed: false,
        is_empty: parts.is_of_cluster() && status.list("plan").is_empty() && status.list("bundleLookups").is_empty(),
    }
}

/// Why a bundle could not be unpacked, as OLM says it in the conditions of the InstallPlan (operator-lifecycle-manager
/// `pkg/controller/operators/catalog/operator.go`, `unpackBundles`).
fn not_unpacked(status: &Fields<'_, '_>) -> Option<Box<str>> {
    let mut conditions = status.parts("bundleLookups").into_iter().flat_map(|bundle| bundle.parts("conditions"));
    let failed = conditions.find(|condition| {
        condition.text("type") == Some("BundleLookupFailed") && condition.text("status") == Some("True")
    })?;
    let [reason, message] = ["reason", "message"].map(|key| failed.text(key).unwrap_or_default());
    Some(format!("Bundle unpacking failed. Reason: {reason}, and Message: {message}").into())
}

fn operator_group(key: &ObjectKey, parts: &Parts<'_, '_>) -> OperatorGroup {
    let excludes = parts.annotations.text("olm.operatorframework.io/exclude-global-namespace-resolution");
    let apis = parts.annotations.text("olm.providedAPIs").unwrap_or_default();
    OperatorGroup {
        namespace: Arc::clone(&key.namespace),
        name: Arc::clone(&key.name),
        excludes_global: excludes == Some("true"),
        fail_forward: parts.spec.text("upgradeStrategy") == Some("TechPreviewUnsafeFailForward"),
        targets: targets(&parts.spec),
        selected: selected(&parts.status),
        provided_apis: apis.split(',').map(str::trim).filter(|api| !api.is_empty()).map(Into::into).collect(),
        has_static_apis: parts.spec.is_true("staticProvidedAPIs"),
        account_error: account_error(&parts.status),
        annotation_error: annotation_error(&parts.annotations),
    }
}

/// What OLM says of a ServiceAccount that does not exist (operator-lifecycle-manager `pkg/lib/scoped/syncer.go`).
fn account_error(status: &Fields<'_, '_>) -> Option<Box<str>> {
    let mut conditions = status.parts("conditions").into_iter();
    let is_it = |condition: &Fields<'_, '_>| {
        condition.text("reason") == Some("ServiceAccountNotFound") && condition.text("status") == Some("True")
    };
    conditions.find(is_it).map(|condition| condition.text("message").unwrap_or_default().into())
}

/// OLM's error about the annotations with times for the unpacking of bundles (operator-lifecycle-manager
/// `pkg/controller/bundle/bundle_unpacker.go`).
fn annotation_error(annotations: &Fields<'_, '_>) -> Option<Box<str>> {
    let error = |key: &str, what: &str| {
        let text = annotations.non_empty(key)?;
        let error = fields::check_go_duration(text).err()?;
        Some(format!("failed to parse unpack {what} annotation({key}: {text}): {error}").into())
    };
    error("operatorframework.io/bundle-unpack-timeout", "timeout")
        .or_else(|| error("operatorframework.io/bundle-unpack-min-retry-interval", "retry"))
}

/// What OLM found. The field is left out if it is empty, so only the time of the status tells that there was a search.
fn selected(status: &Fields<'_, '_>) -> Option<BTreeSet<Box<str>>> {
    let is_known = status.place("namespaces").is_some() || status.place("lastUpdated").is_some();
    is_known.then(|| status.texts("namespaces").into_iter().map(Into::into).collect())
}

/// The selector does not count beside names, and an empty one selects all namespaces.
fn targets(spec: &Fields<'_, '_>) -> TargetNamespaces {
    let named: BTreeSet<Box<str>> = spec.texts("targetNamespaces").into_iter().map(Into::into).collect();
    if !named.is_empty() {
        return TargetNamespaces::Named(named);
    }
    let selector = spec.part("selector");
    let has_labels = !selector.part("matchLabels").keys().is_empty() || !selector.list("matchExpressions").is_empty();
    if has_labels { TargetNamespaces::Labelled } else { TargetNamespaces::All }
}

fn is_copied(key: &ObjectKey, parts: &Parts<'_, '_>) -> bool {
    let labelled = parts.metadata.part("labels").place("olm.copiedFrom").is_some();
    let operator = parts.annotations.text("olm.operatorNamespace");
    let elsewhere = operator.is_some_and(|namespace| *namespace != *key.namespace);
    labelled || elsewhere || parts.status.text("reason") == Some("Copied")
}

/// A CSV in any phase; OLM counts them all, even those that are being deleted.
fn csv(key: &ObjectKey, Parts { metadata, annotations, spec, status }: &Parts<'_, '_>) -> Csv {
    let owned = spec.part("customresourcedefinitions").parts("owned").into_iter();
    Csv {
        namespace: Arc::clone(&key.namespace),
        installed: InstalledCsv {
            name: (&*key.name).into(),
            version: version(spec),
            properties: properties(key, annotations, spec),
        },
        phase: status.non_empty("phase").map(Into::into),
        reason: status.non_empty("reason").map(Into::into),
        message: status.non_empty("message").map(Into::into),
        unmet: status.parts("requirementStatus").iter().filter_map(unmet).collect(),
        replaces: spec.non_empty("replaces").map(Into::into),
        install_modes: install_modes(spec),
        owned_crds: owned.filter_map(|crd| crd.non_empty("name").map(Into::into)).collect(),
        is_terminating: metadata.place("deletionTimestamp").is_some(),
        is_assumed: false,
        has_unknown_strategy: spec.part("install").text("strategy").is_some_and(|strategy| strategy != "deployment"),
    }
}

/// A requirement that is not met (operator-lifecycle-manager `pkg/controller/operators/olm/requirements.go`).
fn unmet(requirement: &Fields<'_, '_>) -> Option<Requirement> {
    let text = |key| requirement.text(key).unwrap_or_default();
    let is_met = matches!(text("status"), "Present" | "Satisfied");
    (!is_met).then(|| Requirement {
        kind: text("kind").into(),
        name: text("name").into(),
        message: text("message").into(),
    })
}

/// Why an operator must not be updated: an override counts before what the operator says, and what it says must be about the
/// present object (operator-lifecycle-manager `pkg/controller/operators/olm/operatorconditions.go`).
fn operator_condition(key: &ObjectKey, Parts { metadata, spec, status, .. }: &Parts<'_, '_>) -> OperatorCondition {
    let about_updates = |conditions: Vec<Fields<'_, '_>>| {
        let mut conditions = conditions.into_iter();
        let found = conditions.find(|condition| condition.text("type") == Some("Upgradeable"))?;
        let text = |key| found.text(key).unwrap_or_default().to_owned();
        Some((text("status"), text("message"), count(&found, "observedGeneration")))
    };
    let refused = |message: &str| format!("the operator is not upgradeable: {message}");
    let refusal = match (about_updates(spec.parts("overrides")), about_updates(status.parts("conditions"))) {
        (Some((status, message, _)), _) => (status != "True").then(|| refused(&message)),
        (None, Some((status, _, observed))) if observed < count(metadata, "generation") => {
            Some(format!("the operatorcondition status \"Upgradeable\"=\"{status}\" is outdated"))
        }
        (None, Some((status, message, _))) => (status == "False").then(|| refused(&message)),
        (None, None) => None,
    };
    OperatorCondition {
        namespace: Arc::clone(&key.namespace),
        csv: (&*key.name).into(),
        refusal: refusal.map(Into::into),
    }
}

/// The install modes of a complete CSV, which has the required field `install`, or lists them; absent for an abbreviated one.
fn install_modes(spec: &Fields<'_, '_>) -> Option<InstallModes> {
    let is_known = spec.place("installModes").is_some() || spec.place("install").is_some();
    let mode = |mode: &Fields<'_, '_>| (mode.text("type").unwrap_or_default().to_owned(), mode.is_true("supported"));
    is_known.then(|| spec.parts("installModes").iter().map(mode).collect())
}

/// The version, parsed tolerantly (operator-framework/api `pkg/lib/version/version.go`); 0.0.0 if missing.
fn version(spec: &Fields<'_, '_>) -> Version {
    let none = Version::new(0, 0, 0);
    let Some(text) = spec.non_empty("version") else { return none };
    Version::parse_tolerant(text).unwrap_or_else(|error| {
        let place = spec.place("version").unwrap_or(spec.span);
        let message = format!("`spec.version` `{text}` is not a valid version: {error}");
        spec.report("version", Diagnostic::new(Rule::InvalidVersion, place, message));
        none
    })
}

fn properties(key: &ObjectKey, annotations: &Fields<'_, '_>, spec: &Fields<'_, '_>) -> CsvProperties {
    if let Some(text) = annotations.text(annotation::KEY) {
        return annotation::properties(text).map_or_else(
            |error| {
                let place = annotations.place(annotation::KEY).unwrap_or(annotations.span);
                let message = format!("the annotation `{}` is invalid: {error}", annotation::KEY);
                let finding = Diagnostic { severity: Severity::Warning, ..Diagnostic::new(Rule::InvalidProperty, place, message) };
                annotations.warn(annotation::KEY, finding.with_help(BLOCKS));
                let name = &key.name;
                let message = format!("failed to retrieve properties of csv \"{name}\": failed to unmarshal properties annotation: {error}");
                CsvProperties::Broken(message.into())
            },
            |properties| CsvProperties::Known(properties.into()),
        );
    }
    let (crds, services) = (spec.part("customresourcedefinitions"), spec.part("apiservicedefinitions"));
    let gvks = |which: &str| -> Result<Vec<Gvk>, String> {
        let crds = crds.parts(which).into_iter().map(|crd| of_crd(&crd));
        crds.chain(services.parts(which).into_iter().map(|api| Ok(of_api_service(&api)))).collect()
    };
    match (gvks("owned"), gvks("required")) {
        (Ok(provided), Ok(required)) => CsvProperties::Inferred { provided, required },
        (Err(error), _) | (_, Err(error)) => CsvProperties::Broken(error.into()),
    }
}

/// The group of a CRD is the part of its name after the first dot.
fn of_crd(crd: &Fields<'_, '_>) -> Result<Gvk, String> {
    let text = |key| crd.text(key).unwrap_or_default();
    let name = text("name");
    let Some((_, group)) = name.split_once('.') else {
        let place = crd.place("name").unwrap_or(crd.span.at_start());
        let message = format!("the name `{name}` of a custom resource definition has no group");
        let finding = Diagnostic { severity: Severity::Warning, ..Diagnostic::new(Rule::InvalidName, place, message) };
        crd.warn("name", finding.with_help(BLOCKS));
        return Err(format!("error parsing crd name: {name}"));
    };
    Ok(Gvk { group: group.into(), version: text("version").into(), kind: text("kind").into() })
}

fn of_api_service(api: &Fields<'_, '_>) -> Gvk {
    let text = |key| api.text(key).unwrap_or_default().into();
    Gvk { group: text("group"), version: text("version"), kind: text("kind") }
}

// CustomResourceDefinitions of a cluster: of these OLM reads which versions objects are stored in.

/// The name of a Namespace that is being deleted.
pub(super) fn terminating_namespace(fields: &Fields<'_, '_>, kind: &str, api_version: &str) -> Option<Arc<str>> {
    if kind != "Namespace" || !matches!(api_version, "" | "v1") {
        return None;
    }
    let metadata = fields.part("metadata");
    let is_terminating =
        metadata.place("deletionTimestamp").is_some() || fields.part("status").text("phase") == Some("Terminating");
    metadata.text("name").filter(|_| is_terminating && fields.is_valid()).map(Into::into)
}

pub(super) const CRD_KIND: &str = "CustomResourceDefinition";
pub(super) const CRD_GROUP: &str = "apiextensions.k8s.io/";

/// Adds a CustomResourceDefinition: `status.storedVersions` by name. Of two of one name the first counts.
pub(super) fn read_crd(fields: &Fields<'_, '_>, into: &mut BTreeMap<Box<str>, Vec<Box<str>>>) {
    let name = fields.part("metadata").required("name");
    let stored = fields.part("status").texts("storedVersions").into_iter().map(Box::from).collect();
    if let Some(name) = name.filter(|_| fields.is_valid()) {
        into.entry(name.into()).or_insert(stored);
    }
}

// The version of OpenShift, from the object `ClusterVersion`.
//
// OLM reads it from the variable `RELEASE_VERSION` of its own Deployment (operator-lifecycle-manager
// `pkg/controller/operators/openshift/helpers.go`), which the last complete update set; earlier versions of OLM read
// `status.desired` of the object. While an update runs, the two differ.

pub(super) const CLUSTER_VERSION_KIND: &str = "ClusterVersion";
pub(super) const CLUSTER_VERSION_GROUP: &str = "config.openshift.io/";

/// The version of the newest complete update, or the desired one if none is complete.
pub(super) fn read_cluster_version(fields: &Fields<'_, '_>) -> Option<Version> {
    let status = fields.part("status");
    // The newest entry is the first.
    let history = status.parts("history").into_iter();
    let complete = history.filter(|update| update.text("state") == Some("Completed"));
    let update = complete.chain([status.part("desired")]).find(|update| update.non_empty("version").is_some())?;
    let text = update.non_empty("version")?;
    Version::parse_tolerant(text)
        .map_err(|error| {
            let place = update.place("version").unwrap_or(update.span);
            let message = format!("the version of OpenShift `{text}` is not a valid version: {error}");
            let finding =
                Diagnostic { severity: Severity::Warning, ..Diagnostic::new(Rule::InvalidVersion, place, message) };
            update.warn("version", finding.with_help("write a version such as `4.21.3`"));
        })
        .ok()
}
