//! Brings manifests to a form by edits: of the fields that differ, and of whole objects for rows that were added or removed.

use super::field::{self, Field, NAME, Objects};
use super::known::Known;
use super::{document, read};
use fbc::{Node, TextEditor};
use serde_json::{Value, json};
use session::{MANIFESTS, ManifestText};
use source::{Span, TextEdit};
use std::collections::BTreeSet;
use views::{ClusterCatalogForm, ClusterForm};

/// The manifests after the edits.
pub(super) fn edited(known: &Known<'_>, manifests: &ManifestText, namespace: &str, form: &ClusterForm) -> String {
    let objects = Objects::of(manifests.text(), manifests.nodes(), namespace);
    let mut text = Text { text: manifests.text().to_owned(), namespace: objects.namespace.clone() };
    let before = read::form(known, &objects);
    let form = &known.named_csvs(form);
    edit_operator_group(&objects, &before, form, &mut text);
    edit_subscriptions(known, &objects, &before, form, &mut text);
    edit_extensions(known, &objects, &before, form, &mut text);
    edit_cluster_catalogs(known, &objects, &mut text, form);
    text.text
}

fn edit_operator_group(objects: &Objects<'_>, before: &ClusterForm, form: &ClusterForm, text: &mut Text) {
    match (objects.operator_groups.as_slice(), &before.target_namespaces, &form.target_namespaces) {
        ([group], Some(before), Some(targets)) => {
            let changed = objects.changed(group, field::operator_group(before), field::operator_group(targets));
            text.set(changed, |objects| objects.operator_groups.first().copied());
        }
        ([_], _, None) => text.remove(|objects| objects.operator_groups.first().copied()),
        ([], _, Some(targets)) => {
            text.add(&document::operator_group(&objects.namespace, field::operator_group(targets)));
        }
        _ => {}
    }
}

fn edit_subscriptions(
    known: &Known<'_>,
    objects: &Objects<'_>,
    before: &ClusterForm,
    form: &ClusterForm,
    text: &mut Text,
) {
    let (names_before, names) = (before.names(), form.names());
    let fields = |new: usize| field::subscription(known, &form.subscriptions[new], &names[new]);
    let changed = |old: usize, new: usize| {
        let fields_before = field::subscription(known, &before.subscriptions[old], &names_before[old]);
        let mut changed = objects.changed(objects.subscriptions[old], fields_before, fields(new));
        if before.subscriptions[old].installed != form.subscriptions[new].installed {
            changed.extend(field::installed_csv(&form.subscriptions[new].installed));
        }
        changed
    };
    let rows =
        Rows::align(before.subscriptions.len(), form.subscriptions.len(), |old, new| is_same(&changed(old, new)));
    for (old, new) in rows.kept {
        text.set(changed(old, new), |objects| objects.subscriptions.get(old).copied());
    }
    for old in rows.removed.into_iter().rev() {
        text.remove(|objects| objects.subscriptions.get(old).copied());
    }
    for new in rows.added {
        let installed = field::installed_csv(&form.subscriptions[new].installed);
        let fields = fields(new).into_iter().chain(installed).collect();
        text.add(&document::subscription(&objects.namespace, fields));
    }
    let wanted: BTreeSet<&str> = form.subscriptions.iter().map(|row| &*row.installed).collect();
    for csv in
        before.subscriptions.iter().map(|row| &*row.installed).filter(|csv| !csv.is_empty() && !wanted.contains(csv))
    {
        text.remove(|objects| objects.csv(csv));
    }
    let mut present: BTreeSet<&str> = BTreeSet::new();
    let installed = form.subscriptions.iter().filter(|row| !row.package.is_empty() && !row.installed.is_empty());
    let missing = installed.filter(|row| objects.csv(&row.installed).is_none() && present.insert(&row.installed));
    let missing: Vec<_> = missing.collect();
    // Manifests without any CSV have those of their Subscriptions, until one is written.
    let is_assumed = |installed: &str| before.subscriptions.iter().any(|row| row.installed == installed);
    if missing.iter().all(|row| is_assumed(&row.installed)) {
        return;
    }
    for row in missing {
        let catalog = field::source_key(known, row);
        let csv = known.csv(row, catalog.as_ref(), &objects.namespace);
        let csv = csv.unwrap_or_else(|| document::unknown_csv(&objects.namespace, &row.installed));
        text.add(&document::csv(&csv));
    }
}

fn edit_extensions(
    known: &Known<'_>,
    objects: &Objects<'_>,
    before: &ClusterForm,
    form: &ClusterForm,
    text: &mut Text,
) {
    let (names_before, names) = (before.extension_names(), form.extension_names());
    let fields = |new: usize| field::extension(&form.extensions[new], &names[new]);
    let changed = |old: usize, new: usize| {
        let (row, other) = (&before.extensions[old], &form.extensions[new]);
        let mut changed =
            objects.changed(objects.extensions[old], field::extension(row, &names_before[old]), fields(new));
        let bundle = field::installed_bundle(known, other);
        if row.installed != other.installed && bundle[0].value != field::installed_bundle(known, row)[0].value {
            changed.extend(bundle);
        }
        changed
    };
    let rows = Rows::align(before.extensions.len(), form.extensions.len(), |old, new| is_same(&changed(old, new)));
    for (old, new) in rows.kept {
        text.set(changed(old, new), |objects| objects.extensions.get(old).copied());
    }
    for old in rows.removed.into_iter().rev() {
        text.remove(|objects| objects.extensions.get(old).copied());
    }
    for new in rows.added {
        let bundle = field::installed_bundle(known, &form.extensions[new]);
        text.add(&document::extension(fields(new).into_iter().chain(bundle).collect()));
    }
}

/// Without any ClusterCatalog each loaded catalog is taken for one, so the first that is written brings the others with it.
fn edit_cluster_catalogs(known: &Known<'_>, objects: &Objects<'_>, text: &mut Text, form: &ClusterForm) {
    let place = |row: &ClusterCatalogForm| {
        objects.cluster_catalogs.iter().position(|node| objects.text(node, NAME) == row.name)
    };
    let mut added: Vec<&ClusterCatalogForm> = Vec::new();
    for row in &form.cluster_catalogs {
        match place(row) {
            Some(at) => {
                let node = objects.cluster_catalogs[at];
                let before = field::cluster_catalog(&read::cluster_catalog(objects, node));
                let changed = objects.changed(node, before, field::cluster_catalog(row));
                text.set(changed, |objects| objects.cluster_catalogs.get(at).copied());
            }
            None if *row != ClusterCatalogForm::new(&row.name) => added.push(row),
            None => {}
        }
    }
    let others: Vec<ClusterCatalogForm> = match added.is_empty() || !objects.cluster_catalogs.is_empty() {
        true => Vec::new(),
        false => known.workbench.catalogs().iter().map(|catalog| ClusterCatalogForm::new(&catalog.name)).collect(),
    };
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for row in added.into_iter().chain(&others).filter(|row| names.insert(&row.name)) {
        text.add(&document::cluster_catalog(&row.name, field::cluster_catalog(row)));
    }
}

/// Whether an object and a row differ at most in the name, which also depends on the rows before.
fn is_same(changed: &[Field]) -> bool {
    changed.iter().all(|field| field.path == NAME)
}

/// Which objects belong to which rows.
struct Rows {
    /// Index of the object and of its row.
    kept: Vec<(usize, usize)>,
    /// Indices of objects.
    removed: Vec<usize>,
    added: Vec<usize>,
}

impl Rows {
    /// Objects and rows that say the same at the start and at the end belong together, and those between in their order.
    fn align(old: usize, new: usize, is_same: impl Fn(usize, usize) -> bool) -> Self {
        let most = old.min(new);
        let start = (0..most).take_while(|&at| is_same(at, at)).count();
        let end = (1..=most - start).take_while(|&back| is_same(old - back, new - back)).count();
        let between = (most - end).max(start);
        let kept = (0..between).map(|at| (at, at));
        let kept = kept.chain((1..=end).rev().map(|back| (old - back, new - back)));
        Self { kept: kept.collect(), removed: (between..old - end).collect(), added: (between..new - end).collect() }
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

    /// Adds a document at the end.
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
