//! Changes to a namespace as edits of the text of its manifests, so that the rest of the text does not change.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{InputChange, SubscriptionSpec};
use fbc::{Node, TextEditor, Value, flow, plain};
use source::{Approval, Span, TextEdit};

use super::{Kind, ObjectKey};
use crate::objects::{OperatorGroup, TargetNamespaces};

/// The edits of `text` that apply `changes` to a namespace, in the order of the text and without overlap. `None` if a change
/// does not affect manifests, or if the object that it changes is missing. `nodes` are the values
/// of the text, and `places` those of [`read`](super::read).
#[must_use]
pub fn edit_manifests(
    text: &str,
    nodes: &[Node],
    places: &BTreeMap<ObjectKey, Span>,
    namespace: &Arc<str>,
    changes: &[InputChange],
) -> Option<Vec<TextEdit>> {
    let editor = ManifestEditor { text, places, namespace, nodes };
    let mut splices = Vec::new();
    for change in changes {
        splices.extend(editor.change(change)?);
    }
    splices.sort_by_key(|splice| (splice.start, splice.end));
    TextEdit::are_apart(&splices).then_some(splices)
}

/// The edits of `text` that make an OperatorGroup select other namespaces, in the order of the text. `None` if the text does not
/// have the group, or has no place for the field.
#[must_use]
pub fn edit_targets(
    text: &str,
    nodes: &[Node],
    places: &BTreeMap<ObjectKey, Span>,
    group: &OperatorGroup,
    targets: &TargetNamespaces,
) -> Option<Vec<TextEdit>> {
    let OperatorGroup { namespace, name, .. } = group;
    let key = ObjectKey { kind: Kind::OperatorGroup, namespace: Arc::clone(namespace), name: Arc::clone(name) };
    let span = *places.get(&key)?;
    let object = nodes.iter().find_map(|node| object_at(node, span))?;
    let names = match targets {
        TargetNamespaces::All => Vec::new(),
        TargetNamespaces::Named(names) => names.iter().map(|name| name.to_string()).collect(),
        TargetNamespaces::Labelled => return None,
    };
    let editor = TextEditor { text };
    let Some(spec) = object.get("spec") else {
        return Some(vec![editor.put(object, "spec", &serde_json::json!({ "targetNamespaces": names }))?]);
    };
    // An empty list is the same as none; the selector counts only beside that.
    let selector = spec
        .get("selector")
        .filter(|_| names.is_empty())
        .and_then(|_| editor.put(spec, "selector", &serde_json::json!({})));
    let mut edits: Vec<TextEdit> = selector.into_iter().collect();
    edits.push(editor.put(spec, "targetNamespaces", &serde_json::json!(names))?);
    edits.sort_by_key(|edit| (edit.start, edit.end));
    Some(edits)
}

struct ManifestEditor<'a> {
    text: &'a str,
    places: &'a BTreeMap<ObjectKey, Span>,
    namespace: &'a Arc<str>,
    nodes: &'a [Node],
}

impl ManifestEditor<'_> {
    fn change(&self, change: &InputChange) -> Option<Vec<TextEdit>> {
        let spec = |name: &Arc<str>, fields: &[(&str, &str)]| {
            let object = self.object(Kind::Subscription, name)?;
            self.set(object, "spec", fields)
        };
        match change {
            InputChange::Channel { subscription, channel } => spec(subscription, &[("channel", channel.as_str())]),
            InputChange::Manual { subscription } => {
                spec(subscription, &[("installPlanApproval", Approval::Manual.as_str())])
            }
            InputChange::Package { subscription, package } => spec(subscription, &[("name", package.as_str())]),
            InputChange::Swap { subscription } => {
                let object = self.object(Kind::Subscription, subscription)?.get("spec")?;
                let (package, channel) = (object.get("name")?.as_str()?, object.get("channel")?.as_str()?);
                spec(subscription, &[("name", channel), ("channel", package)])
            }
            InputChange::Catalog { subscription, catalog } => {
                spec(subscription, &[("source", &catalog.name), ("sourceNamespace", &catalog.namespace)])
            }
            InputChange::StartingCsv { subscription, csv: Some(csv) } => {
                spec(subscription, &[("startingCSV", csv.as_str())])
            }
            // To OLM an empty field is the same as a missing one.
            InputChange::StartingCsv { subscription, csv: None } => spec(subscription, &[("startingCSV", "")]),
            InputChange::AdoptCsv { csv, subscription } => {
                let object = self.object(Kind::Subscription, subscription)?;
                self.set(object, "status", &[("installedCSV", csv.as_str()), ("currentCSV", csv.as_str())])
            }
            InputChange::AddSubscription(added) => Some(vec![self.add(added)]),
            InputChange::DropSubscription { subscription } => Some(vec![self.drop(Kind::Subscription, subscription)?]),
            InputChange::DeleteCsv { csv } => Some(vec![self.drop(Kind::ClusterServiceVersion, csv.as_str())?]),
            InputChange::WidenRange { .. } | InputChange::EditEntry { .. } => None,
        }
    }

    fn object(&self, kind: Kind, name: &str) -> Option<&Node> {
        let key = ObjectKey { kind, namespace: Arc::clone(self.namespace), name: name.into() };
        let span = *self.places.get(&key)?;
        self.nodes.iter().find_map(|node| object_at(node, span))
    }

    fn set(&self, object: &Node, part: &str, fields: &[(&str, &str)]) -> Option<Vec<TextEdit>> {
        TextEditor { text: self.text }.set_in(object, part, fields)
    }

    /// Replaces an object by `null`, so that the text around it stays valid.
    fn drop(&self, kind: Kind, name: &str) -> Option<TextEdit> {
        let node = self.object(kind, name)?;
        let length = node.span.slice(self.text).trim_end().len() as u32;
        let span = Span { end: node.span.start + length, ..node.span };
        let text = if (TextEditor { text: self.text }).is_flow(node) {
            "null".to_owned()
        } else {
            format!("null # {kind} {name} is deleted")
        };
        Some(TextEdit::new(span, text))
    }

    /// Appends a Subscription as a new document.
    fn add(&self, added: &SubscriptionSpec) -> TextEdit {
        let catalog = added.catalog.as_ref();
        let fields = [
            ("name", Some(added.package.as_str())),
            ("channel", added.channel.as_ref().map(|channel| channel.as_str())),
            ("source", catalog.map(|key| &*key.name)),
            ("sourceNamespace", catalog.map(|key| &*key.namespace)),
            ("startingCSV", added.starting_csv.as_ref().map(|csv| csv.as_str())),
        ];
        let fields: Vec<(&str, &str)> = fields
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.filter(|value| !value.is_empty())?)))
            .collect();
        let metadata = flow(&[("name", &added.name), ("namespace", self.namespace)]);
        let json = self.text.trim_start().starts_with('{');
        let text = if json {
            let api = "\"apiVersion\": \"operators.coreos.com/v1alpha1\", \"kind\": \"Subscription\"";
            format!("\n{{{api}, \"metadata\": {metadata}, \"spec\": {}}}\n", flow(&fields))
        } else {
            let lines: Vec<String> =
                fields.iter().map(|(name, value)| format!("  {name}: {}\n", plain(value))).collect();
            let head = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription";
            format!("\n---\n{head}\nmetadata: {metadata}\nspec:\n{}", lines.concat())
        };
        let end = self.text.trim_end().len() as u32;
        TextEdit { start: end, end: self.text.len() as u32, text }
    }
}

/// The object with the given span: the node itself, or one of its items.
fn object_at(node: &Node, span: Span) -> Option<&Node> {
    if node.span == span {
        return Some(node);
    }
    let items = match &node.value {
        Value::Sequence(items) => items,
        Value::Mapping(_) => match &node.get("items")?.value {
            Value::Sequence(items) => items,
            _ => return None,
        },
        _ => return None,
    };
    items.iter().filter(|item| item.span.contains(span)).find_map(|item| object_at(item, span))
}
