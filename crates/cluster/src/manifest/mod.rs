//! Reads cluster manifests into a [`Cluster`]: one or more outputs of `kubectl get … -o yaml` or `-o json`.
//!
//! An object that cannot be read gives a finding; the other objects still count. Objects of other kinds are listed as
//! skipped. The order of objects does not matter.

mod annotation;
mod cut;
mod edit;
mod extension;
mod extension_status;
mod fields;
mod inventory;
mod missing_catalogs;
mod object;
mod olm_v1;
mod workload;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use fbc::{Node, UntypedValues, Value};
use fields::{Fields, Problems};
use missing_catalogs::GlobalNamespace;
use source::{Diagnostic, FileId, OlmV1, OlmV1Release, Rule, Severity, Span};

use crate::CatalogKey;
use crate::cluster::Cluster;
use crate::extension::{Availability, CatalogName, ClusterCatalog, ClusterExtension, ExtensionName};
use crate::extension_status::{NotUpgradeable, Revision};
pub use cut::{Cut, manifest_values, unmarked_lines};
pub use edit::{edit_manifests, edit_targets};
pub use extension::RejectedExtension;
pub use fields::{FieldFinding, FieldPath, every_object, object_nodes};
pub use inventory::{Inventory, inventory, is_inventory};
pub use missing_catalogs::catalog_commands;

/// The API group of OLM v0. Other groups have kinds with the same names: Knative and Red Hat ACM have a Subscription.
const GROUP: &str = "operators.coreos.com/";

/// gRPC's state of a connection that repeatedly fails. All other states are temporary or belong to a working connection.
const UNREACHABLE: &str = "TRANSIENT_FAILURE";

/// The objects in a text of manifests, and the findings about it.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    /// The objects that OLM v0 reads.
    pub cluster: Cluster,
    /// The release of OLM v1 and its feature gates.
    pub olm_v1: OlmV1,
    /// What is taken for its release and feature gates, as a sentence; absent if the user says the release.
    pub assumed_olm_v1: Option<String>,
    /// ClusterCatalogs of OLM v1, in the order of the text.
    pub cluster_catalogs: Vec<ClusterCatalog>,
    /// Whether the cluster has no other ClusterCatalogs.
    pub has_all_cluster_catalogs: bool,
    /// Whether the cluster has no other CatalogSources.
    pub has_all_catalog_sources: bool,
    /// ClusterCatalogs that the API server rejects, in the order of the text. The cluster does not have them.
    pub rejected_catalogs: Vec<CatalogName>,
    /// ClusterExtensions of OLM v1, in the order of the text.
    pub cluster_extensions: Vec<ClusterExtension>,
    /// ClusterExtensions that the API server rejects, in the order of the text. The cluster does not have them.
    pub rejected_extensions: Vec<RejectedExtension>,
    /// The ClusterOperators of OLM that keep OpenShift from its next minor version, in the order of the text.
    pub not_upgradeable: Vec<NotUpgradeable>,
    pub places: BTreeMap<ObjectKey, Span>,
    /// CatalogSources that OLM cannot connect to, with the state of the connection as it stands in the manifest.
    pub unreachable: BTreeMap<CatalogKey, Box<str>>,
    pub skipped: Vec<Skipped>,
    /// Findings, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// The kind, namespace and name of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectKey {
    pub kind: Kind,
    /// Its namespace; empty for kinds without namespaces.
    pub namespace: Arc<str>,
    pub name: Arc<str>,
}

/// The kinds that OLM reads. The `Display` form is the name in the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    CatalogSource,
    /// `ClusterCatalog`, of OLM v1
    ClusterCatalog,
    /// `ClusterExtension`, of OLM v1
    ClusterExtension,
    ClusterServiceVersion,
    InstallPlan,
    OperatorCondition,
    OperatorGroup,
    Subscription,
}

impl Kind {
    /// The kind with this name, unless the API group is another one than OLM's.
    fn of(word: &str, api_version: &str) -> Option<Self> {
        let (kind, group) = match word {
            "CatalogSource" => (Self::CatalogSource, GROUP),
            "ClusterCatalog" => (Self::ClusterCatalog, extension::GROUP),
            "ClusterExtension" => (Self::ClusterExtension, extension::GROUP),
            "ClusterServiceVersion" => (Self::ClusterServiceVersion, GROUP),
            "InstallPlan" => (Self::InstallPlan, GROUP),
            "OperatorCondition" => (Self::OperatorCondition, GROUP),
            "OperatorGroup" => (Self::OperatorGroup, GROUP),
            "Subscription" => (Self::Subscription, GROUP),
            _ => return None,
        };
        (api_version.is_empty() || api_version.starts_with(group)).then_some(kind)
    }
}

impl Kind {
    /// The name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CatalogSource => "CatalogSource",
            Self::ClusterCatalog => "ClusterCatalog",
            Self::ClusterExtension => "ClusterExtension",
            Self::ClusterServiceVersion => "ClusterServiceVersion",
            Self::InstallPlan => "InstallPlan",
            Self::OperatorCondition => "OperatorCondition",
            Self::OperatorGroup => "OperatorGroup",
            Self::Subscription => "Subscription",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An object that was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its `apiVersion`; empty if missing.
    pub api_version: Box<str>,
    /// Its kind; empty if missing.
    pub kind: Box<str>,
    /// Its name; empty if missing.
    pub name: Box<str>,
    /// Its place.
    pub span: Span,
    pub because: SkipReason,
}

/// Why an object was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// OLM v0 does not read this kind.
    OtherKind,
    /// OLM copied the CSV from the namespace of its operator.
    Copied,
}

/// What the user says about manifests, beside their text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManifestFacts {
    /// Whether they have all objects of OLM that the cluster has: what they do not have does not exist.
    pub is_complete: bool,
    /// The namespace whose CatalogSources all namespaces see, where the user knows it.
    pub global_namespace: Option<Box<str>>,
    /// The release of OLM v1, where the user knows it.
    pub olm_v1: Option<OlmV1Release>,
}

/// Reads manifests of which nothing else is known.
#[must_use]
pub fn read(file: FileId, text: &str) -> Manifests {
    let (values, cut) = manifest_values(file, text);
    let (manifests, findings) = read_values(&values, cut.as_ref(), &ManifestFacts::default());
    Manifests { diagnostics: findings.into_iter().map(|finding| finding.diagnostic).collect(), ..manifests }
}

/// The same of the values of a text, which may be cut off, with the findings beside the manifests: each with the field that it is about.
#[must_use]
pub fn read_values(values: &UntypedValues, cut: Option<&Cut>, facts: &ManifestFacts) -> (Manifests, Vec<FieldFinding>) {
    let mut reader = Reader::default();
    (reader.manifests.olm_v1, reader.manifests.assumed_olm_v1) = olm_v1::read(&values.nodes, facts.olm_v1);
    for node in &values.nodes {
        reader.object(node, &Inherited::default());
    }
    let revisions = std::mem::take(&mut reader.revisions);
    let Reader {
        mut manifests, mut findings, references, has_csvs, has_plans, has_all_groups, global_namespace, ..
    } = reader;
    for extension in &mut manifests.cluster_extensions {
        if let Some(known) = revisions.get(&extension.name) {
            extension.rolling_out.clone_from(known);
            extension.rolling_out.sort_by(|one, other| (one.number, &one.name).cmp(&(other.number, &other.name)));
        }
    }
    let has_cluster_catalogs = manifests.has_cluster_catalogs();
    manifests.has_all_cluster_catalogs = match cut {
        Some(cut) => facts.is_complete && !cut.hides(Kind::ClusterCatalog, has_cluster_catalogs),
        None => facts.is_complete,
    };
    if manifests.has_all_cluster_catalogs {
        // What the cluster tells is all there is.
        for catalog in &mut manifests.cluster_catalogs {
            catalog.is_served.get_or_insert(false);
        }
    }
    let cluster = &mut manifests.cluster;
    let lacks = |kind: Kind, is_there: bool| match cut {
        Some(cut) => cut.hides(kind, is_there),
        None => !is_there && !facts.is_complete,
    };
    if lacks(Kind::ClusterServiceVersion, has_csvs) {
        cluster.assume_csvs();
    }
    if lacks(Kind::InstallPlan, has_plans) {
        cluster.assume_plans();
    }
    let has_groups = !cluster.operator_groups.is_empty();
    cluster.has_all_groups = match cut {
        Some(cut) => has_all_groups && !cut.hides(Kind::OperatorGroup, has_groups),
        None => facts.is_complete || has_all_groups,
    };
    let (has_sources, has_subscriptions) = (!cluster.catalog_sources.is_empty(), !cluster.subscriptions.is_empty());
    cluster.lacks_subscriptions = cut.is_some_and(|cut| cut.hides(Kind::Subscription, has_subscriptions));
    let lacks_sources = cut.is_some_and(|cut| cut.hides(Kind::CatalogSource, has_sources));
    manifests.has_all_catalog_sources = facts.is_complete && !lacks_sources;
    findings.extend(cut.map(|cut| FieldFinding::from(cut.finding())));
    findings.extend(values.diagnostics.iter().cloned().map(FieldFinding::from));
    let stated = facts.global_namespace.as_deref();
    manifests.cluster.global_namespace = stated.map_or_else(|| global_namespace.of(&manifests.cluster), Into::into);
    if lacks_sources {
        manifests.cluster.assume_named_sources();
    }
    findings.extend(missing_catalogs::check(&manifests.cluster, &references).into_iter().map(FieldFinding::from));
    findings.sort_by_key(|finding| finding.diagnostic.span);
    (manifests, findings)
}

impl Manifests {
    /// Whether there are ClusterExtensions, accepted or rejected ones.
    #[must_use]
    pub fn has_extensions(&self) -> bool {
        !self.cluster_extensions.is_empty() || !self.rejected_extensions.is_empty()
    }

    /// Whether there are ClusterCatalogs, accepted or rejected ones.
    #[must_use]
    pub fn has_cluster_catalogs(&self) -> bool {
        !self.cluster_catalogs.is_empty() || !self.rejected_catalogs.is_empty()
    }

    /// A warning for each CatalogSource without content that a Subscription sees, because the simulation does not know what it
    /// serves; for each one if there is no Subscription.
    #[must_use]
    pub fn without_content(&self, has_content: impl Fn(&CatalogKey) -> bool) -> Vec<Diagnostic> {
        let (homes, global) = (self.cluster.namespaces(), &self.cluster.global_namespace);
        let is_seen = |home: &Arc<str>| homes.is_empty() || home == global || homes.contains(home);
        let sources = self.cluster.catalog_sources.iter();
        let sources = sources.filter(|source| !has_content(&source.key) && is_seen(&source.key.namespace));
        let found = sources.filter_map(|source| {
            let CatalogKey { namespace, name } = &source.key;
            let (namespace, name) = (Arc::clone(namespace), Arc::clone(name));
            let span = self.places.get(&ObjectKey { kind: Kind::CatalogSource, namespace, name })?;
            Some(missing_catalogs::without_content(source, *span))
        });
        found.collect()
    }
}

impl Manifests {
    /// A warning for each ClusterCatalog without content, if there is a ClusterExtension: OLM v1 resolves no extension that selects
    /// it if it is not served, and else nobody can tell. One whose availability mode is `Unavailable` needs no content.
    #[must_use]
    pub fn cluster_catalogs_without_content(&self, has_content: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
        let catalogs = self
            .cluster_catalogs
            .iter()
            .filter(|catalog| catalog.availability == Availability::Available && !has_content(catalog.name.as_str()));
        let found = catalogs.filter(|_| self.has_extensions()).filter_map(|catalog| {
            let name = &catalog.name;
            let key = ObjectKey { kind: Kind::ClusterCatalog, namespace: "".into(), name: name.as_str().into() };
            let place = self.places.get(&key)?.at_start();
            let (message, help) = match catalog.is_served {
                known @ (Some(true) | None) => (
                    format!(
                        "no catalog is loaded for ClusterCatalog `{name}`{}",
                        if known.is_some() { ", which is served" } else { "" }
                    ),
                    "load its catalog with that name: without it nobody can tell what the extensions get that select it",
                ),
                Some(false) => (
                    format!("no catalog is loaded for ClusterCatalog `{name}`, so it counts as not served"),
                    "load its catalog with that name, or remove the ClusterCatalog: it blocks every extension that selects it",
                ),
            };
            Some(Diagnostic::new(Rule::UnknownCatalog, place, message).with_help(help))
        });
        found.collect()
    }
}

/// The fields that the items of a typed list inherit from the list.
#[derive(Clone, Default)]
struct Inherited<'n> {
    kind: &'n str,
    api_version: &'n str,
}

/// Whether the items are the output of `kubectl get KIND --all-namespaces` for this kind: they are in several namespaces, and
/// at least one is of this kind, which may be named by the list alone.
fn is_of_all_namespaces(items: &[&Node], kind: &str, of_list: &str) -> bool {
    let namespace = |item: &&Node| item.get("metadata")?.get("namespace")?.as_str().map(str::to_owned);
    let is_it = |item: &&Node| item.get("kind").and_then(Node::as_str).unwrap_or(of_list) == kind;
    items.iter().any(is_it) && items.iter().filter_map(namespace).collect::<BTreeSet<_>>().len() > 1
}

#[derive(Default)]
struct Reader {
    /// Without findings.
    manifests: Manifests,
    findings: Vec<FieldFinding>,
    references: Vec<missing_catalogs::CatalogReference>,
    /// The revisions that roll out, by extension; of an extension without such revisions none.
    revisions: BTreeMap<ExtensionName, Vec<Revision>>,
    /// Whether there is a ClusterServiceVersion, also a copied one or one that cannot be read.
    has_csvs: bool,
    /// Whether there is an InstallPlan, also one that cannot be read.
    has_plans: bool,
    /// Whether a list has the OperatorGroups of all namespaces.
    has_all_groups: bool,
    global_namespace: GlobalNamespace,
}

impl Reader {
    /// Reads an object, or the items of a list.
    fn object(&mut self, node: &Node, inherited: &Inherited<'_>) {
        match &node.value {
            Value::Mapping(_) => {}
            Value::Null => return,
            // The API server does not accept a list without a `List` around it, but its meaning is clear.
            Value::Sequence(items) => return items.iter().for_each(|item| self.object(item, inherited)),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                let message = "expected an object with `kind`, `metadata` and `spec`";
                let finding = Diagnostic::new(Rule::WrongType, node.span, message);
                return self.findings.push(finding.with_help("print whole objects, with `-o yaml`").into());
            }
            Value::Unopened => {
                let message = "nested too deeply: objects below this are not read";
                return self.findings.push(Diagnostic::new(Rule::WrongType, node.span, message).into());
            }
        }
        let problems = Problems::default();
        let fields = Fields::of(node, &problems);
        let kind = fields.text("kind").unwrap_or(inherited.kind);
        let api_version = fields.text("apiVersion").unwrap_or(inherited.api_version);
        // A list of which the end is missing has no kind.
        if node.get("items").is_some() && (kind.is_empty() || kind.ends_with("List")) {
            // The items of a plain `List` have a kind of their own.
            let inner = match kind.strip_suffix("List") {
                Some("") | None => Inherited::default(),
                Some(kind) => Inherited { kind, api_version },
            };
            let items = fields.list("items");
            self.has_all_groups |= is_of_all_namespaces(&items, "OperatorGroup", inner.kind);
            items.iter().for_each(|item| self.object(item, &inner));
        } else {
            self.single(fields, kind, api_version);
        }
        self.findings.extend(problems.into_inner());
    }

    fn single(&mut self, fields: Fields<'_, '_>, kind: &str, api_version: &str) {
        if kind.is_empty() && fields.is_valid() {
            let message = "Opscope ignores an object without `kind`";
            let finding =
                Diagnostic { severity: Severity::Warning, ..Diagnostic::new(Rule::MissingField, fields.span, message) };
            self.findings.push(finding.with_help("add `kind` and `apiVersion`").into());
            return;
        }
        if kind == object::CLUSTER_VERSION_KIND
            && (api_version.is_empty() || api_version.starts_with(object::CLUSTER_VERSION_GROUP))
        {
            let version = object::read_cluster_version(&fields).filter(|_| fields.is_valid());
            let first = self.manifests.cluster.openshift.take();
            self.manifests.cluster.openshift = first.or(version);
            return;
        }
        if let Some(name) = object::terminating_namespace(&fields, kind, api_version) {
            Arc::make_mut(&mut self.manifests.cluster.terminating_namespaces).insert(name);
            return;
        }
        if let Some(failing) = workload::read(&fields, kind, api_version) {
            return self.manifests.cluster.failing_workloads.extend(failing.filter(|_| fields.is_valid()));
        }
        self.global_namespace.look_at(&fields, kind);
        if kind == object::CRD_KIND && (api_version.is_empty() || api_version.starts_with(object::CRD_GROUP)) {
            return object::read_crd(&fields, Arc::make_mut(&mut self.manifests.cluster.crds));
        }
        if extension_status::is_operator(kind, api_version, fields.node) {
            return self.manifests.not_upgradeable.extend(extension_status::not_upgradeable(fields.node));
        }
        if extension_status::is_revision(kind, api_version) {
            if let Some((extension, revision)) = extension_status::revision(fields.node) {
                self.revisions.entry(extension).or_default().extend(revision);
            }
            return;
        }
        let Some(known) = Kind::of(kind, api_version) else {
            return self.skip(&fields, kind, api_version, SkipReason::OtherKind);
        };
        self.has_csvs |= known == Kind::ClusterServiceVersion;
        self.has_plans |= known == Kind::InstallPlan;
        if matches!(known, Kind::ClusterCatalog | Kind::ClusterExtension) {
            let object = extension::read(known, &fields, self.manifests.olm_v1).filter(|_| fields.is_valid());
            return object.into_iter().for_each(|object| self.add_v1(object, fields.span));
        }
        match object::read(known, &fields) {
            Some((key, None)) => {
                self.manifests.cluster.copied_csvs.insert((key.namespace, (&*key.name).into()));
                self.skip(&fields, kind, api_version, SkipReason::Copied);
            }
            Some((key, Some(object))) if fields.is_valid() => self.add(key, object, fields.span),
            Some(_) | None => {}
        }
    }

    fn skip(&mut self, fields: &Fields<'_, '_>, kind: &str, api_version: &str, because: SkipReason) {
        let metadata = fields.node.get("metadata");
        let name = metadata.and_then(|metadata| metadata.get("name")?.as_str()).unwrap_or_default();
        let (api_version, kind, name) = (api_version.into(), kind.into(), name.into());
        self.manifests.skipped.push(Skipped { api_version, kind, name, span: fields.span, because });
    }

    /// Whether the object is the first of its kind and name.
    fn is_first(&mut self, key: ObjectKey, span: Span) -> bool {
        if let Some(&first) = self.manifests.places.get(&key) {
            let slash = if key.namespace.is_empty() { "" } else { "/" };
            let name = format!("{}{slash}{}", key.namespace, key.name);
            let message = format!("{} `{name}` is defined twice; the first one counts", key.kind);
            let finding =
                Diagnostic { severity: Severity::Warning, ..Diagnostic::new(Rule::DuplicateName, span, message) };
            let finding = finding.with_label(first, "this one counts").with_help("remove one of them");
            self.findings.push(finding.into());
            return false;
        }
        self.manifests.places.insert(key, span);
        true
    }

    fn add_v1(&mut self, object: extension::Object, span: Span) {
        let key = |kind, name: &str| ObjectKey { kind, namespace: "".into(), name: name.into() };
        match object {
            extension::Object::Catalog(catalog) => {
                if self.is_first(key(Kind::ClusterCatalog, catalog.name.as_str()), span) {
                    self.manifests.cluster_catalogs.push(catalog);
                }
            }
            extension::Object::RejectedCatalog(name) => {
                if self.is_first(key(Kind::ClusterCatalog, name.as_str()), span) {
                    self.manifests.rejected_catalogs.push(name);
                }
            }
            extension::Object::Extension(extension) => {
                if self.is_first(key(Kind::ClusterExtension, extension.name.as_str()), span) {
                    self.manifests.cluster_extensions.push(*extension);
                }
            }
            extension::Object::RejectedExtension(rejected) => {
                if self.is_first(key(Kind::ClusterExtension, rejected.extension.name.as_str()), span) {
                    self.manifests.rejected_extensions.push(*rejected);
                }
            }
        }
    }

    fn add(&mut self, key: ObjectKey, object: object::Object, span: Span) {
        if !self.is_first(key, span) {
            return;
        }
        let cluster = &mut self.manifests.cluster;
        match object {
            object::Object::CatalogSource(source, state) => {
                if let Some(state) = state.filter(|state| &**state == UNREACHABLE) {
                    self.manifests.unreachable.insert(source.key.clone(), state);
                }
                cluster.catalog_sources.push(source);
            }
            object::Object::Csv(csv) => cluster.csvs.push(csv),
            object::Object::InstallPlan(plan) => cluster.install_plans.push(plan),
            object::Object::OperatorCondition(condition) => cluster.operator_conditions.push(condition),
            object::Object::OperatorGroup(group) => {
                let groups = Arc::make_mut(&mut cluster.operator_groups);
                groups.entry(Arc::clone(&group.namespace)).or_default().push(group);
            }
            object::Object::Subscription(subscription, source) => {
                self.references.extend(missing_catalogs::CatalogReference::of(&subscription, source));
                cluster.subscriptions.push(subscription);
            }
        }
    }
}

#[cfg(test)]
mod tests;
