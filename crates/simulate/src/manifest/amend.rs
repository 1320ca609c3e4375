//! Changes to a namespace as edits of the text of its manifests, so that the rest of the text stays as it is.
//!
//! It is the shape of what is there that is kept: block style gets lines, flow style and JSON get quoted members.

use std::collections::BTreeMap;
use std::sync::Arc;

use fbc::{Node, Value};
use order::Order;
use resolver::{Change, Subscription};
use source::{FileId, Span};

use super::{Kind, ObjectKey};

/// Bytes of the text, and what takes their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Edits of `text` that make `changes` to a namespace, in the order of the text and apart from each other; nothing if
/// one of the changes is none to a manifest, or if what it changes is not there. `places` are those of
/// [`read`](super::read).
#[must_use]
pub fn amend(
    file: FileId,
    text: &str,
    places: &BTreeMap<ObjectKey, Span>,
    namespace: &Arc<str>,
    changes: &[Change],
) -> Option<Vec<Splice>> {
    let trees = fbc::trees(file, text);
    let amending = Amending { file, text, places, namespace, nodes: &trees.nodes };
    let mut splices = Vec::new();
    for change in changes {
        splices.extend(amending.change(change)?);
    }
    splices.order_by_key(|splice| splice.span);
    let apart = splices.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
    apart.then_some(splices)
}

struct Amending<'a> {
    file: FileId,
    text: &'a str,
    places: &'a BTreeMap<ObjectKey, Span>,
    namespace: &'a Arc<str>,
    nodes: &'a [Node],
}

impl Amending<'_> {
    fn change(&self, change: &Change) -> Option<Vec<Splice>> {
        let spec = |name: &Arc<str>, fields: &[(&str, &str)]| {
            let object = self.object(Kind::Subscription, name)?;
            self.set(object, "spec", fields)
        };
        match change {
            Change::Channel { subscription, channel } => spec(subscription, &[("channel", channel.as_str())]),
            Change::Package { subscription, package } => spec(subscription, &[("name", package.as_str())]),
            Change::Swap { subscription } => {
                let object = self.object(Kind::Subscription, subscription)?.get("spec")?;
                let (package, channel) = (object.get("name")?.as_str()?, object.get("channel")?.as_str()?);
                spec(subscription, &[("name", channel), ("channel", package)])
            }
            Change::Catalog { subscription, catalog } => {
                spec(subscription, &[("source", &catalog.name), ("sourceNamespace", &catalog.namespace)])
            }
            Change::StartingCsv { subscription, csv: Some(csv) } => {
                spec(subscription, &[("startingCSV", csv.as_str())])
            }
            // An empty one is none.
            Change::StartingCsv { subscription, csv: None } => spec(subscription, &[("startingCSV", "")]),
            Change::AdoptCsv { csv, subscription } => {
                let object = self.object(Kind::Subscription, subscription)?;
                self.set(object, "status", &[("installedCSV", csv.as_str()), ("currentCSV", csv.as_str())])
            }
            Change::AddSubscription(added) => Some(vec![self.add(added)]),
            Change::DropSubscription { subscription } => Some(vec![self.drop(Kind::Subscription, subscription)?]),
            Change::DeleteCsv { csv } => Some(vec![self.drop(Kind::ClusterServiceVersion, csv.as_str())?]),
            Change::WidenRange { .. } | Change::AddEdge { .. } => None,
        }
    }

    fn object(&self, kind: Kind, name: &str) -> Option<&Node> {
        let key = ObjectKey { kind, namespace: Arc::clone(self.namespace), name: name.into() };
        let span = *self.places.get(&key)?;
        self.nodes.iter().find_map(|node| object_at(node, span))
    }

    /// Sets texts in a part of an object.
    fn set(&self, object: &Node, part: &str, fields: &[(&str, &str)]) -> Option<Vec<Splice>> {
        let Some(inner) = object.get(part) else {
            return Some(vec![self.insert(object, &self.member(object, part, fields)?)?]);
        };
        let is_mapping = |node: &Node| matches!(&node.value, Value::Mapping(entries) if !entries.is_empty());
        if !is_mapping(inner) {
            let text = flow(fields);
            let blank = if inner.span.start == inner.span.end { " " } else { "" };
            return Some(vec![Splice { span: inner.span, text: format!("{blank}{text}") }]);
        }
        let mut splices = Vec::new();
        let mut new = Vec::new();
        for (name, value) in fields {
            match inner.get(name) {
                Some(old) => splices.push(Splice { span: old.span, text: self.scalar(old, value) }),
                None => new.push(self.line(inner, name, value)),
            }
        }
        if !new.is_empty() {
            splices.push(self.insert(inner, &new.concat())?);
        }
        Some(splices)
    }

    /// A part of an object that is not there yet, as it is inserted.
    fn member(&self, object: &Node, part: &str, fields: &[(&str, &str)]) -> Option<String> {
        if self.is_flow(object) {
            return Some(format!("{part:?}: {}, ", flow(fields)));
        }
        let indent = self.indent(object)?;
        let lines: Vec<String> =
            fields.iter().map(|(name, value)| format!("{indent}  {name}: {}\n", plain(value))).collect();
        Some(format!("{part}:\n{}{indent}", lines.concat()))
    }

    /// A text of a mapping that is not there yet, as it is inserted.
    fn line(&self, mapping: &Node, name: &str, value: &str) -> String {
        if self.is_flow(mapping) {
            return format!("{name:?}: {}, ", quoted(value));
        }
        format!("{name}: {}\n{}", plain(value), self.indent(mapping).unwrap_or_default())
    }

    /// Puts something before the first key of a mapping.
    fn insert(&self, mapping: &Node, text: &str) -> Option<Splice> {
        let first = first_key(mapping)?;
        Some(Splice { span: first.at_start(), text: text.to_owned() })
    }

    fn is_flow(&self, node: &Node) -> bool {
        node.span.slice(self.text).starts_with('{')
    }

    /// The blanks before the keys of a mapping in block style.
    fn indent(&self, mapping: &Node) -> Option<String> {
        let before = self.text.get(..first_key(mapping)?.start as usize)?;
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        Some(" ".repeat(before[line..].chars().count()))
    }

    /// A text in the place of `old`, in quotes if that was.
    fn scalar(&self, old: &Node, value: &str) -> String {
        let was = old.span.slice(self.text);
        match (was.is_empty(), was.starts_with('"')) {
            (true, _) => format!(" {}", plain(value)),
            (false, true) => quoted(value),
            (false, false) => plain(value),
        }
    }

    /// Puts nothing in the place of an object; the text around it stays what it is.
    fn drop(&self, kind: Kind, name: &str) -> Option<Splice> {
        let node = self.object(kind, name)?;
        let length = node.span.slice(self.text).trim_end().len() as u32;
        let span = Span::new(self.file, node.span.start, node.span.start + length);
        let text = if self.is_flow(node) { "null".to_owned() } else { format!("null # {kind} {name} is deleted") };
        Some(Splice { span, text })
    }

    /// A new Subscription, as a document behind the others.
    fn add(&self, added: &Subscription) -> Splice {
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
        Splice { span: Span::new(self.file, end, self.text.len() as u32), text }
    }
}

/// The object at a place: the node, or one of its items.
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

/// The place of the key that comes first in the text.
fn first_key(mapping: &Node) -> Option<Span> {
    let Value::Mapping(entries) = &mapping.value else { return None };
    entries.iter().map(|(key, _)| key.span).min()
}

/// Texts as a mapping in flow style, which is JSON, too.
fn flow(fields: &[(&str, &str)]) -> String {
    let members: Vec<String> = fields.iter().map(|(name, value)| format!("{name:?}: {}", quoted(value))).collect();
    format!("{{{}}}", members.join(", "))
}

/// A text in quotes, as JSON and YAML have it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text without quotes, if every reader takes it for that text then.
fn plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let safe = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(byte))
        && bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if safe { text.to_owned() } else { quoted(text) }
}

/// What YAML 1.1 takes for something else than a text.
const WORDS: [&str; 10] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan"];
