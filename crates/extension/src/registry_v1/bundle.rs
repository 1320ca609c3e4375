//! The manifests of a bundle, as far as the checks read them.

use fbc::{Node, Value};
use source::FileId;

/// What the checks read of the manifests.
#[derive(Debug, Default)]
pub(crate) struct RegistryV1 {
    /// The supported ones of the CSV's `installModes`, sorted.
    pub(super) install_modes: Vec<Box<str>>,
    /// The names of the CSV's deployments.
    pub(super) deployments: Vec<Box<str>>,
    /// The names of the CRDs that the CSV owns.
    pub(super) owned_crds: Vec<Box<str>>,
    /// The CSV's `webhookdefinitions`.
    pub(super) webhooks: Vec<Webhook>,
    pub(super) crds: Vec<Crd>,
    /// The objects that are neither CSV nor CRD.
    pub(super) others: Vec<Object>,
}

/// An entry of `webhookdefinitions`.
#[derive(Debug)]
pub(super) struct Webhook {
    /// `type`
    pub(super) kind: Box<str>,
    /// `generateName`
    pub(super) name: Box<str>,
    /// `deploymentName`
    pub(super) deployment: Box<str>,
    /// `conversionCRDs`
    pub(super) conversion_crds: Vec<Box<str>>,
    pub(super) rules: Vec<Rule>,
}

impl Webhook {
    pub(super) fn is_conversion(&self) -> bool {
        *self.kind == *"ConversionWebhook"
    }
}

/// What an admission webhook applies to.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) api_groups: Vec<Box<str>>,
    pub(super) resources: Vec<Box<str>>,
}

#[derive(Debug)]
pub(super) struct Crd {
    pub(super) name: Box<str>,
    pub(super) preserves_unknown_fields: bool,
}

#[derive(Debug)]
pub(super) struct Object {
    pub(super) kind: Box<str>,
    pub(super) name: Box<str>,
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
