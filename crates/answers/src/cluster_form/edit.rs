//! Edits manifests: one value, or one document, for each change of the form.

use super::field::{
    APPROVAL, AVAILABILITY, CHANNEL, CHANNELS, Field, INSTALL_NAMESPACE, LABELS, NAME, Objects, PACKAGE, PACKAGE_NAME,
    POLICY, PRIORITY, SELECTOR, SOURCE, STARTING_CSV, VERSION,
};
use super::known::Known;
use super::{document, field, read};
use fbc::{Node, TextEditor};
use serde_json::{Value, json};
use session::{MANIFESTS, ManifestText};
use source::{Span, TextEdit};
use views::{
    CatalogField, ExtensionField, ExtensionForm, FormChange, FormPlace, SubscriptionField, SubscriptionForm, free_name,
};

/// The manifests after the change, in which a Subscription that is added brings an OperatorGroup `with_group`. Nothing changes if
/// they do not have what it is about.
pub(super) fn edited(
    known: &Known<'_>,
    manifests: &ManifestText,
    namespace: &str,
    change: &FormChange,
    with_group: bool,
) -> String {
    let objects = Objects::of(manifests.text(), manifests.nodes(), namespace);
    let mut text = Text { text: manifests.text().to_owned(), namespace: objects.namespace.clone() };
    match change {
        FormChange::Set { at: FormPlace::Subscription(index, field), text: value } => {
            set_subscription(known, &objects, &mut text, (*index as usize, *field), value);
        }
        FormChange::Set { at: FormPlace::Extension(index, field), text: value } => {
            if let Some(node) = objects.extensions.get(*index as usize) {
                let row = read::extension(&objects, node);
                let is_named_so = *field == ExtensionField::Package && follows(&row.name, &row.package, value);
                let name = is_named_so
                    .then(|| new_name(&objects, &without_index(&objects.extensions, *index as usize), ["", value, ""]));
                let has_own_namespace = row.namespace != row.name;
                let mut fields = extension_fields(known, row, *field, value);
                fields.extend(name.iter().map(|name| Field::text(NAME, name)));
                let namespace = name.iter().filter(|_| !has_own_namespace);
                fields.extend(namespace.map(|name| Field::text(INSTALL_NAMESPACE, name)));
                text.set(fields, |objects| objects.extensions.get(*index as usize).copied());
            }
        }
        FormChange::Set { at: FormPlace::Catalog(name, field), text: value } => {
            let field = match field {
                CatalogField::Priority => {
                    let number = value.parse::<i32>();
                    Field::new(PRIORITY, number.map_or_else(|_| Field::text(PRIORITY, value).value, Value::from))
                }
                CatalogField::Labels => Field::new(LABELS, field::labels(value)),
                CatalogField::Availability => Field::text(AVAILABILITY, value),
            };
            text.set(vec![field], |objects| {
                objects.cluster_catalogs.iter().find(|node| objects.text(node, NAME) == *name).copied()
            });
        }
        FormChange::Targets(names) => match objects.operator_groups[..] {
            [] => text.add(&document::operator_group(&objects.namespace, field::operator_group(names))),
            [_] => text.set(field::operator_group(names), |objects| objects.operator_groups.first().copied()),
            _ => {}
        },
        FormChange::AddSubscription(row) => {
            if with_group {
                text.add(&document::operator_group(&objects.namespace, Vec::new()));
            }
            let name = new_name(&objects, &objects.subscriptions, [&row.name, &row.package, "subscription"]);
            let row = SubscriptionForm {
                installed: known.csv_name(&row.package, &row.installed),
                ..SubscriptionForm::clone(row)
            };
            let mut fields = field::subscription(known, &row, &name);
            fields.extend(field::installed_csv(&row.installed));
            text.add(&document::subscription(&objects.namespace, fields));
            add_csvs(known, &objects, &mut text, &row);
        }
        FormChange::AddExtension(row) => {
            let name = new_name(&objects, &objects.extensions, [&row.name, &row.package, "extension"]);
            let mut fields = field::extension(row, &name);
            fields.extend(field::installed_bundle(known, row));
            text.add(&document::extension(fields));
        }
        FormChange::RemoveSubscription(index) => {
            if let Some(node) = objects.subscriptions.get(*index as usize) {
                remove_csv(&objects, &mut text, &read::subscription(&objects, node).installed);
                text.remove(|objects| objects.subscriptions.get(*index as usize).copied());
            }
        }
        FormChange::RemoveExtension(index) => text.remove(|objects| objects.extensions.get(*index as usize).copied()),
    }
    text.text
}

/// Whether an object that is named after its package gets another name with this package.
fn follows(name: &str, package: &str, new: &str) -> bool {
    !new.is_empty() && (package.is_empty() || name == package)
}

fn without_index<'n>(nodes: &[&'n Node], index: usize) -> Vec<&'n Node> {
    nodes.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, node)| *node).collect()
}

/// The first of these names that is not empty, with a number if an object has it.
fn new_name(objects: &Objects<'_>, nodes: &[&Node], wanted: [&str; 3]) -> String {
    let taken: Vec<String> = nodes.iter().map(|node| objects.text(node, NAME)).collect();
    let wanted = wanted.into_iter().find(|name| !name.is_empty());
    free_name(wanted.unwrap_or_default(), &taken)
}

fn set_subscription(
    known: &Known<'_>,
    objects: &Objects<'_>,
    text: &mut Text,
    (index, field): (usize, SubscriptionField),
    value: &str,
) {
    let Some(node) = objects.subscriptions.get(index) else { return };
    let row = read::subscription(objects, node);
    let fields = match field {
        SubscriptionField::Package => {
            // A Subscription that names no catalog yet gets the one that has the package.
            let source = known.catalog_with(value).filter(|_| objects.text(node, SOURCE).is_empty());
            let source = source.map(|key| field::source(Some(&key))).into_iter().flatten();
            let name = follows(&row.name, &row.package, value).then(|| {
                Field::text(NAME, &new_name(objects, &without_index(&objects.subscriptions, index), ["", value, ""]))
            });
            std::iter::once(Field::text(PACKAGE, value)).chain(name).chain(source).collect()
        }
        SubscriptionField::Channel => vec![Field::text(CHANNEL, value)],
        SubscriptionField::Catalog if value.is_empty() => field::source(None).into(),
        SubscriptionField::Catalog => field::source(Some(&known.named(value))).into(),
        SubscriptionField::StartingCsv => vec![Field::text(STARTING_CSV, &known.csv_name(&row.package, value))],
        SubscriptionField::Approval => vec![Field::text(APPROVAL, value)],
        SubscriptionField::Installed => {
            let installed = known.csv_name(&row.package, value);
            if installed == row.installed {
                return;
            }
            text.set(field::installed_csv(&installed).into(), |objects| objects.subscriptions.get(index).copied());
            remove_csv(objects, text, &row.installed);
            return add_csvs(known, objects, text, &SubscriptionForm { installed, ..row });
        }
    };
    text.set(fields, |objects| objects.subscriptions.get(index).copied());
}

/// Removes a CSV that one Subscription alone has installed.
fn remove_csv(objects: &Objects<'_>, text: &mut Text, csv: &str) {
    let rows = objects.subscriptions.iter().map(|node| read::subscription(objects, node));
    if !csv.is_empty() && rows.filter(|row| row.installed == csv).count() == 1 {
        text.remove(|objects| objects.csv(csv));
    }
}

/// Adds the CSV that a Subscription has installed from now on. Manifests without any CSV have those of their Subscriptions, until
/// one is written.
fn add_csvs(known: &Known<'_>, objects: &Objects<'_>, text: &mut Text, row: &SubscriptionForm) {
    let rows = objects.subscriptions.iter().map(|node| read::subscription(objects, node));
    let others = rows.filter(|other| !objects.has_csvs && other.name != row.name);
    let mut written: Vec<String> = Vec::new();
    for row in others.chain([row.clone()]) {
        let is_there = row.installed.is_empty() || objects.csv(&row.installed).is_some();
        if row.package.is_empty() || is_there || written.contains(&row.installed) {
            continue;
        }
        let csv = known.csv(&row, field::source_key(known, &row).as_ref(), &objects.namespace);
        let csv = csv.unwrap_or_else(|| document::unknown_csv(&objects.namespace, &row.installed));
        text.add(&document::csv(&csv));
        written.push(row.installed);
    }
}

fn extension_fields(known: &Known<'_>, row: ExtensionForm, field: ExtensionField, value: &str) -> Vec<Field> {
    match field {
        ExtensionField::Name => vec![Field::text(NAME, value)],
        ExtensionField::Package => vec![Field::text(PACKAGE_NAME, value)],
        ExtensionField::Version => vec![Field::text(VERSION, value)],
        ExtensionField::Channels => vec![Field::new(CHANNELS, field::list(value))],
        ExtensionField::Policy => vec![Field::text(POLICY, value)],
        ExtensionField::Selector => vec![Field::new(SELECTOR, field::labels(value))],
        ExtensionField::Namespace => vec![Field::text(INSTALL_NAMESPACE, value)],
        ExtensionField::Installed => {
            field::installed_bundle(known, &ExtensionForm { installed: value.to_owned(), ..row }).into()
        }
    }
}

/// The text of manifests while it is edited.
struct Text {
    text: String,
    namespace: String,
}

impl Text {
    /// Sets fields of an object, one after the other: each edit is one of the text after the edit before.
    fn set(&mut self, fields: Vec<Field>, object: impl for<'n> Fn(&Objects<'n>) -> Option<&'n Node>) {
        for Field { path, value, .. } in fields {
            let keys: Vec<&str> = path.split('.').collect();
            self.edit(|text, _, objects| {
                let editor = TextEditor { text };
                match value.is_null() {
                    true => removed(editor, object(objects)?, &keys),
                    false => put(editor, object(objects)?, &keys, &value),
                }
            });
        }
    }

    /// Removes an object, and with it its document.
    fn remove(&mut self, object: impl for<'n> Fn(&Objects<'n>) -> Option<&'n Node>) {
        self.edit(|text, nodes, objects| Some(without(text, nodes, object(objects)?)));
    }

    fn edit(&mut self, edit: impl FnOnce(&str, &[Node], &Objects<'_>) -> Option<TextEdit>) {
        let values = fbc::untyped_values(MANIFESTS, &self.text);
        let objects = Objects::of(&self.text, &values.nodes, &self.namespace);
        if let Some(new) = edit(&self.text, &values.nodes, &objects) {
            self.text.replace_range(new.start as usize..new.end as usize, &new.text);
        }
    }

    fn add(&mut self, document: &Value) {
        let text = self.text.trim_end();
        self.text = match text {
            "" => fbc::to_yaml(document),
            json if json.starts_with('{') => format!("{json}\n{document}\n"),
            yaml => format!("{yaml}\n---\n{}", fbc::to_yaml(document)),
        };
    }
}

/// The edit that sets a field of a part of an object. Parts that are not there are added.
fn put(editor: TextEditor<'_>, part: &Node, keys: &[&str], value: &Value) -> Option<TextEdit> {
    let (key, rest) = keys.split_first()?;
    match part.get(key).filter(|inner| matches!(&inner.value, fbc::Value::Mapping(fields) if !fields.is_empty())) {
        Some(inner) if !rest.is_empty() => put(editor, inner, rest, value),
        _ => editor.put(part, key, &rest.iter().rev().fold(value.clone(), |value, key| json!({ *key: value }))),
    }
}

/// The edit that removes a field of a part of an object, and with it parts that have nothing else.
fn removed(editor: TextEditor<'_>, part: &Node, keys: &[&str]) -> Option<TextEdit> {
    let (key, rest) = keys.split_first()?;
    let inner = part.get(key)?;
    if is_all(inner, rest) { editor.remove(part, key) } else { removed(editor, inner, rest) }
}

/// Whether a part has nothing but this field.
fn is_all(part: &Node, keys: &[&str]) -> bool {
    let Some((key, rest)) = keys.split_first() else { return true };
    let is_single = matches!(&part.value, fbc::Value::Mapping(fields) if fields.len() == 1);
    is_single && part.get(key).is_some_and(|inner| is_all(inner, rest))
}

/// The edit that removes an object: with its document if it is one, or else as `null`, so that the text around it stays valid.
fn without(text: &str, nodes: &[Node], object: &Node) -> TextEdit {
    let end = object.span.start + object.span.slice(text).trim_end().len() as u32;
    let alone = TextEdit::new(Span::new(MANIFESTS, object.span.start, end), "");
    if nodes.iter().all(|node| node.span != object.span) {
        return TextEdit { text: "null".to_owned(), ..alone };
    }
    let mut separators = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty()) {
            separators.push((at, at + line.len() as u32));
        }
        at += line.len() as u32;
    }
    let before = separators.iter().rev().find(|(start, _)| *start < object.span.start);
    let behind = separators.iter().find(|(start, _)| *start >= end);
    let (start, end) = match (before, behind) {
        (before, Some((_, end))) => (before.map_or(0, |(_, end)| *end), *end),
        (Some((start, _)), None) => (*start, text.len() as u32),
        (None, None) => (0, text.len() as u32),
    };
    let span = Span::new(MANIFESTS, start, end);
    let others = nodes.iter().filter(|node| node.span != object.span);
    // Objects of JSON need no separators.
    let has_others = others.clone().any(|node| node.span.start < node.span.end && span.contains(node.span));
    if has_others { alone } else { TextEdit::new(span, "") }
}
