//! A bundle of format registry+v1 as operator-controller reads it, and what it refuses in the manifests before it installs any
//! of them (operator-controller `internal/operator-controller/rukpak/bundle/source/source.go`,
//! `internal/operator-controller/rukpak/render/registryv1`).
//!
//! One check is left out: the package has a name, because the catalog lists the bundle under it. Fields of a wrong type count
//! as empty.

mod conversion;
mod crds;
mod deployments;
mod error;
mod objects;
#[cfg(test)]
mod testing;
mod webhook_rules;
mod webhooks;

pub use error::{ManifestError, NameFault};

use fbc::{Node, Value};
use source::FileId;

/// What the checks read of the manifests.
#[derive(Debug, Default)]
pub(crate) struct RegistryV1 {
    /// The supported ones of the CSV's `installModes`, sorted.
    install_modes: Vec<Box<str>>,
    /// The names of the CSV's deployments.
    deployments: Vec<Box<str>>,
    /// The names of the CRDs that the CSV owns.
    owned_crds: Vec<Box<str>>,
    /// The CSV's `webhookdefinitions`.
    webhooks: Vec<Webhook>,
    /// The CRDs.
    crds: Vec<Crd>,
    /// The objects that are neither CSV nor CRD.
    others: Vec<Object>,
}

/// An entry of `webhookdefinitions`.
#[derive(Debug)]
struct Webhook {
    /// `type`
    kind: Box<str>,
    /// `generateName`
    name: Box<str>,
    /// `deploymentName`
    deployment: Box<str>,
    /// `conversionCRDs`
    conversion_crds: Vec<Box<str>>,
    rules: Vec<Rule>,
}

impl Webhook {
    fn is_conversion(&self) -> bool {
        *self.kind == *"ConversionWebhook"
    }
}

/// What an admission webhook applies to.
#[derive(Debug)]
struct Rule {
    api_groups: Vec<Box<str>>,
    resources: Vec<Box<str>>,
}

#[derive(Debug)]
struct Crd {
    name: Box<str>,
    preserves_unknown_fields: bool,
}

#[derive(Debug)]
struct Object {
    kind: Box<str>,
    name: Box<str>,
}

impl RegistryV1 {
    /// Reads manifests, of which the last CSV counts. `None` if one cannot be read, or there is no CSV.
    pub(crate) fn read<'t>(manifests: impl IntoIterator<Item = &'t str>) -> Option<Self> {
        let mut read = Self::default();
        let mut has_csv = false;
        for text in manifests {
            let values = fbc::untyped_values(FileId(0), text);
            if !values.diagnostics.is_empty() {
                return None;
            }
            for object in values.nodes.iter().flat_map(objects) {
                has_csv |= read.add(object);
            }
        }
        has_csv.then_some(read)
    }

    pub(crate) fn has_webhooks(&self) -> bool {
        !self.webhooks.is_empty()
    }

    /// Everything that OLM v1 refuses, in its order.
    pub(crate) fn errors(&self) -> Vec<ManifestError> {
        let mut errors = deployments::duplicates(self);
        errors.extend(deployments::invalid_names(self));
        errors.extend(crds::duplicates(self));
        errors.extend(crds::missing(self));
        errors.extend(conversion::unsupported(self));
        errors.extend(webhooks::without_deployment(self));
        errors.extend(webhooks::duplicates(self));
        errors.extend(webhooks::invalid_names(self));
        errors.extend(conversion::shared_crds(self));
        errors.extend(conversion::foreign_crds(self));
        errors.extend(webhook_rules::forbidden(self));
        errors.extend(objects::unsupported(self));
        errors.extend(conversion::preserved_fields(self));
        errors
    }

    /// Adds an object. Returns whether it is a CSV.
    fn add(&mut self, object: &Node) -> bool {
        let kind = text(object, "kind");
        let is_csv = *kind == *"ClusterServiceVersion";
        let name = object.get("metadata").map(|metadata| text(metadata, "name")).unwrap_or_default();
        let spec = object.get("spec");
        match &*kind {
            _ if is_csv => self.set_csv(spec),
            "CustomResourceDefinition" => {
                let preserved = spec.and_then(|spec| spec.get("preserveUnknownFields"));
                let preserves_unknown_fields = preserved.is_some_and(|value| value.value == Value::Bool(true));
                self.crds.push(Crd { name, preserves_unknown_fields });
            }
            _ => self.others.push(Object { kind, name }),
        }
        is_csv
    }

    fn set_csv(&mut self, spec: Option<&Node>) {
        let names = |list: &[Node]| list.iter().map(|item| text(item, "name")).collect();
        let is_supported = |mode: &&Node| mode.get("supported").is_some_and(|value| value.value == Value::Bool(true));
        let modes = list(spec, &["installModes"]).iter().filter(is_supported);
        self.install_modes = modes.map(|mode| text(mode, "type")).collect();
        self.install_modes.sort();
        self.install_modes.dedup();
        self.deployments = names(list(spec, &["install", "spec", "deployments"]));
        self.owned_crds = names(list(spec, &["customresourcedefinitions", "owned"]));
        self.webhooks = list(spec, &["webhookdefinitions"]).iter().map(webhook).collect();
    }
}

/// The object, or the items if it is a list.
fn objects(node: &Node) -> Vec<&Node> {
    match node.get("items").map(|items| &items.value) {
        Some(Value::Sequence(items)) if text(node, "kind").ends_with("List") => {
            items.iter().flat_map(objects).collect()
        }
        _ => vec![node],
    }
}

fn webhook(node: &Node) -> Webhook {
    let rule = |rule: &Node| Rule { api_groups: texts(rule, "apiGroups"), resources: texts(rule, "resources") };
    Webhook {
        kind: text(node, "type"),
        name: text(node, "generateName"),
        deployment: text(node, "deploymentName"),
        conversion_crds: texts(node, "conversionCRDs"),
        rules: list(Some(node), &["rules"]).iter().map(rule).collect(),
    }
}

fn text(node: &Node, field: &str) -> Box<str> {
    node.get(field).and_then(Node::as_str).unwrap_or_default().into()
}

fn texts(node: &Node, field: &str) -> Vec<Box<str>> {
    list(Some(node), &[field]).iter().filter_map(|item| Some(item.as_str()?.into())).collect()
}

/// The items of the list at a path of fields; none if there is no such list.
fn list<'n>(node: Option<&'n Node>, path: &[&str]) -> &'n [Node] {
    let list = node.and_then(|node| path.iter().try_fold(node, |node, field| node.get(field)));
    match list.map(|list| &list.value) {
        Some(Value::Sequence(items)) => items,
        _ => &[],
    }
}
