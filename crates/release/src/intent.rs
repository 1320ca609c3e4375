//! The intended change of an edit, and the check that the edited texts contain this change and no other.
//!
//! Texts are compared as `opm` loads them: by their documents, those of a template by its entries. So what an edit changes by an
//! anchor, a key in another spelling or a wrong place is found, whatever the edit looks like.

use crate::authored::{Authored, Form};
use crate::refusal::Refusal;
use bundle::{Bundle, Document, catalog_document};
use catalog::predicate::exchange_range;
use catalog::{BundleName, DeprecationTarget};
use fbc::Node;
use serde_json::{Map, Value, json};
use source::Rewrite;
use std::collections::{BTreeMap, BTreeSet};
use template::TemplateKind;
use update_graph::{ChannelEdit, Edges, Edit, NewEntry};

/// The intended change of an edit.
#[derive(Clone, Debug, Default)]
pub struct Intent<'i> {
    /// The packages and what changes in their channels.
    pub channels: Vec<(&'i str, &'i ChannelEdit)>,
    /// The bundle whose document, or whose image in a template of channels, is added.
    pub bundle: Option<&'i Bundle>,
    /// The package and the bundle whose document and deprecation are removed.
    pub removed: Option<(&'i str, &'i BundleName)>,
    /// The image of a template of channels that goes with it.
    pub removed_image: Option<&'i str>,
    /// The package, what of it is deprecated, and the message.
    pub deprecated: Option<(&'i str, &'i DeprecationTarget, &'i str)>,
    /// The items that lists of a template get or lose.
    pub items: Vec<ListItem>,
    /// A bundle, the package that it requires, the range in which it does, and the one that takes its place.
    pub ranges: Vec<[&'i str; 4]>,
    /// Documents that are as they were in another state.
    pub documents: Vec<Document>,
    /// The schema, package and name of documents that go.
    pub gone: Vec<[String; 3]>,
    /// Changes of values in the file, by their places. Those of bytes mean the bytes and nothing else.
    pub rewrites: &'i [Rewrite],
}

/// An item that a list of a template gets or loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListItem {
    /// The fields that lead to the list.
    pub list: Vec<&'static str>,
    /// The item: fields and texts.
    pub fields: Vec<(&'static str, String)>,
    /// Whether the list loses it.
    pub is_removed: bool,
}

/// A text before and after an edit.
pub(crate) type Pair<'p, 't> = (&'p Authored<'t>, &'p Authored<'t>);

/// The documents with a schema, package and name.
type Documents = BTreeMap<[String; 3], Vec<Value>>;

/// The key of what a template has beside its entries.
const TEMPLATE: &str = "(template)";

impl Intent<'_> {
    /// Checks that texts differ by exactly this.
    ///
    /// # Errors
    ///
    /// What differs besides. Also if a changed document cannot be read.
    pub fn check(&self, texts: &[Pair<'_, '_>]) -> Result<(), Refusal> {
        if self.rewrites.iter().any(|change| matches!(change, Rewrite::Splice { .. })) {
            return Ok(());
        }
        let (mut before, mut after) = (Documents::new(), Documents::new());
        for (at, (old, new)) in texts.iter().enumerate() {
            let rewritten = match self.rewrites {
                [] => None,
                changes => match old.with_values(changes) {
                    Some(rewritten) => Some(rewritten),
                    None => return Err(Refusal::changes_more(["what the text is".to_owned()])),
                },
            };
            let old = rewritten.as_ref().unwrap_or(*old);
            let is_read = old.form == new.form && add_changed(&mut before, &mut after, old, new, at).is_some();
            if !is_read {
                return Err(Refusal::changes_more(["what the text is".to_owned()]));
            }
        }
        let is_meant = self.apply(&mut before, &after).is_some();
        let (before, after) = (normal(before), normal(after));
        if is_meant && before == after {
            return Ok(());
        }
        let keys: BTreeSet<&[String; 3]> = before.keys().chain(after.keys()).collect();
        let different = keys.into_iter().filter(|key| before.get(*key) != after.get(*key));
        let of = |documents: &Documents, key| documents.get(key).cloned().unwrap_or_default();
        Err(Refusal::changes_more(different.flat_map(|key| words(key, &of(&before, key), &of(&after, key)))))
    }

    /// Makes the change in the documents. `None` if one that it is about is missing.
    fn apply(&self, documents: &mut Documents, after: &Documents) -> Option<()> {
        for (package, edit) in &self.channels {
            let key = ["olm.channel".to_owned(), (*package).to_owned(), edit.channel.to_string()];
            if edit.is_new {
                let channel = json!({"schema": key[0], "package": key[1], "name": key[2], "entries": []});
                documents.entry(key.clone()).or_default().push(channel);
            } else if edit.edits.is_empty() && edit.removed.is_empty() && edit.added.is_empty() {
                continue;
            }
            let [channel] = &mut documents.get_mut(&key)?[..] else { return None };
            edit_channel(channel.get_mut("entries")?.as_array_mut()?, edit);
        }
        if let Some(bundle) = self.bundle {
            let key = ["olm.bundle", &bundle.package, &bundle.name].map(str::to_owned);
            let image = ["olm.bundle", "", ""].map(str::to_owned);
            if let Some(written) = after.get(&key) {
                let forms = [bundle.document(), bundle.clone().migrated().document()];
                let mut forms = forms.iter().filter_map(|document| serde_json::from_str(&document.json).ok());
                let meant = forms.find(|form: &Value| written.contains(form));
                documents.entry(key).or_default().extend(meant);
            } else {
                let document = json!({"schema": "olm.bundle", "name": "", "package": "", "image": bundle.image});
                documents.entry(image).or_default().push(document);
            }
        }
        if let Some((package, name)) = self.removed {
            documents.remove(&["olm.bundle", package, name.as_str()].map(str::to_owned));
            let key = ["olm.deprecations", package, ""].map(str::to_owned);
            if let Some([deprecations]) = documents.get_mut(&key).map(|found| &mut found[..]) {
                let about = reference(&DeprecationTarget::Bundle(name.clone()));
                let entries = deprecations.get_mut("entries")?.as_array_mut()?;
                entries.retain(|entry| entry.get("reference") != Some(&about));
                if entries.is_empty() {
                    documents.remove(&key);
                }
            }
        }
        if let Some(image) = self.removed_image {
            let of_images =
                documents.iter_mut().filter(|([schema, package, _], _)| schema == "olm.bundle" && package.is_empty());
            of_images.for_each(|(_, found)| found.retain(|bundle| bundle.get("image") != Some(&json!(image))));
        }
        if let Some((package, what, message)) = self.deprecated {
            let key = ["olm.deprecations", package, ""].map(str::to_owned);
            let new = json!({"schema": key[0], "package": package, "entries": []});
            let found = documents.entry(key).or_insert_with(|| vec![new]);
            let entries = found.first_mut()?.get_mut("entries")?.as_array_mut()?;
            entries.push(json!({"reference": reference(what), "message": message}));
        }
        for [name, required, from, to] in &self.ranges {
            let bundles = documents.iter_mut().filter(|([schema, _, of], _)| schema == "olm.bundle" && of == name);
            bundles.flat_map(|(_, found)| found).for_each(|bundle| exchange_range(bundle, required, [from, to]));
        }
        for key in &self.gone {
            documents.remove(key)?;
        }
        for Document { schema, package, name, json } in &self.documents {
            let key = [schema, package, name].map(String::clone);
            documents.entry(key).or_default().push(serde_json::from_str(json).ok()?);
        }
        for ListItem { list, fields, is_removed } in &self.items {
            let mut templates = documents.iter_mut().filter(|([schema, ..], _)| schema == TEMPLATE);
            let (Some((_, found)), None) = (templates.next(), templates.next()) else { return None };
            let mut value = found.first_mut()?;
            for key in list {
                value = value.as_object_mut()?.entry(*key).or_insert(Value::Null);
            }
            if value.is_null() {
                *value = json!([]);
            }
            let item: Map<String, Value> = fields.iter().map(|(key, text)| ((*key).to_owned(), json!(text))).collect();
            let (items, item) = (value.as_array_mut()?, Value::Object(item));
            if *is_removed { items.retain(|other| *other != item) } else { items.push(item) }
        }
        Some(())
    }
}

/// What of a document differs, in words.
fn words([schema, package, name]: &[String; 3], before: &[Value], after: &[Value]) -> Vec<String> {
    let differs = |of: &dyn Fn(&Value) -> Option<Value>| {
        let of = |documents: &[Value]| documents.iter().map(of).collect::<Vec<_>>();
        of(before) != of(after)
    };
    let all = || before.iter().chain(after);
    match &**schema {
        TEMPLATE => {
            let keys: BTreeSet<&String> = all().filter_map(Value::as_object).flat_map(Map::keys).collect();
            let different = keys.into_iter().filter(|key| differs(&|template| template.get(*key).cloned()));
            different.map(|key| format!("`{key}` of the template")).collect()
        }
        "olm.channel" => {
            let entries =
                |channel: &Value| channel.get("entries").and_then(Value::as_array).cloned().unwrap_or_default();
            let named = |entry: &Value| entry.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            let names: BTreeSet<String> = all().flat_map(entries).map(|entry| named(&entry)).collect();
            let of = |channel: &Value, name: &str| {
                Some(entries(channel).into_iter().filter(|entry| named(entry) == name).collect())
            };
            let different = names.iter().filter(|entry| differs(&|channel| of(channel, entry)));
            let mut words: Vec<String> = different.map(|entry| format!("`{entry}` of channel `{name}`")).collect();
            if words.is_empty() {
                words.push(format!("channel `{name}`"));
            }
            words
        }
        "olm.package" => vec![format!("package `{package}`")],
        "olm.deprecations" => vec![format!("the deprecations of package `{package}`")],
        "olm.bundle" if name.is_empty() => vec!["the images of bundles".to_owned()],
        "olm.bundle" => vec![format!("bundle `{name}`")],
        other => vec![format!("a document of the schema `{other}`")],
    }
}

fn reference(what: &DeprecationTarget) -> Value {
    match what.name() {
        None | Some("") => json!({"schema": what.schema()}),
        Some(name) => json!({"schema": what.schema(), "name": name}),
    }
}

/// Changes the entries of a channel. The edit is applied to what was read, not to the model that made it: a fault in one shows in
/// the comparison with the other.
fn edit_channel(entries: &mut Vec<Value>, edit: &ChannelEdit) {
    let name = |entry: &Value| entry.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    for Edit { entry, change } in &edit.edits {
        let found = entries.iter_mut().filter(|found| name(found) == entry.as_str());
        found.filter_map(Value::as_object_mut).for_each(|entry| change.apply(&mut JsonEntry(entry)));
    }
    entries.retain(|entry| !edit.removed.iter().any(|removed| removed.as_str() == name(entry)));
    entries.extend(edit.added.iter().map(|NewEntry { name, replaces, skips, skip_range }| {
        json!({
            "name": name.as_str(),
            "replaces": replaces.as_ref().map(BundleName::as_str),
            "skips": skips.iter().map(BundleName::as_str).collect::<Vec<_>>(),
            "skipRange": skip_range.as_deref(),
        })
    }));
}

/// An entry as it was read.
struct JsonEntry<'e>(&'e mut Map<String, Value>);

impl JsonEntry<'_> {
    /// Sets a field; what is `null` counts as left out.
    fn set(&mut self, field: &str, value: Value) {
        self.0.insert(field.to_owned(), value);
    }

    fn skips(&self) -> Vec<Value> {
        self.0.get("skips").and_then(Value::as_array).cloned().unwrap_or_default()
    }
}

impl Edges for JsonEntry<'_> {
    fn set_replaces(&mut self, name: Option<&BundleName>) {
        self.set("replaces", json!(name.map(BundleName::as_str)));
    }

    fn skip(&mut self, name: &BundleName) {
        let skips = self.skips().into_iter().chain([json!(name.as_str())]).collect();
        self.set("skips", skips);
    }

    fn unskip(&mut self, name: &BundleName) {
        let skips = self.skips().into_iter().filter(|skip| skip.as_str() != Some(name.as_str())).collect();
        self.set("skips", skips);
    }

    fn set_range(&mut self, range: Option<&str>) {
        self.set("skipRange", json!(range));
    }
}

/// The documents in a form in which equal ones are equal: entries and skips are sets, and what is empty is left out.
fn normal(documents: Documents) -> Documents {
    let set = |values: &mut Vec<Value>| {
        values.sort_by_cached_key(Value::to_string);
        values.dedup();
    };
    let normal = |mut document: Value| {
        let entries = document.get_mut("entries").and_then(Value::as_array_mut);
        for entry in entries.into_iter().flatten().filter_map(Value::as_object_mut) {
            if let Some(skips) = entry.get_mut("skips").and_then(Value::as_array_mut) {
                set(skips);
            }
            entry.retain(|_, value| !value.is_null() && *value != json!([]) && *value != json!(""));
        }
        if let Some(entries) = document.get_mut("entries").and_then(Value::as_array_mut) {
            entries.sort_by_cached_key(Value::to_string);
        }
        document
    };
    let with_documents = documents.into_iter().filter(|(_, found)| !found.is_empty());
    let all = with_documents.map(|(key, found)| {
        let mut found: Vec<Value> = found.into_iter().map(normal).collect();
        if key[0] == TEMPLATE {
            // A list of which nothing is left may go with its field.
            found.iter_mut().for_each(without_nothing);
        }
        found.sort_by_cached_key(Value::to_string);
        (key, found)
    });
    all.collect()
}

/// Adds the documents of a text before and after an edit.
fn add_changed(
    before: &mut Documents,
    after: &mut Documents,
    old: &Authored<'_>,
    new: &Authored<'_>,
    at: usize,
) -> Option<()> {
    let Form::Template(kind) = old.form else {
        add(before, &old.documents, old.text)?;
        return add(after, &new.documents, new.text);
    };
    for (to, text) in [(before, old), (after, new)] {
        let [template] = &text.documents[..] else { return None };
        let mut value = kind.go_type().decoded(value(template, text.text)?);
        if kind != TemplateKind::Semver {
            add(to, text.blobs(), text.text)?;
            value.as_object_mut()?.remove("entries");
        }
        to.entry([TEMPLATE.to_owned(), at.to_string(), String::new()]).or_default().push(value);
    }
    Some(())
}

fn add(to: &mut Documents, nodes: &[Node], text: &str) -> Option<()> {
    for node in nodes {
        let document = catalog_document(node, text).ok()?;
        let value = serde_json::from_str(&document.json).ok()?;
        to.entry([document.schema, document.package, document.name]).or_default().push(value);
    }
    Some(())
}

/// Takes out lists and mappings in which nothing is left.
fn without_nothing(value: &mut Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.values_mut().for_each(without_nothing);
        fields.retain(|_, value| !value.is_null() && *value != json!([]) && *value != json!({}));
    }
}

fn value(node: &Node, text: &str) -> Option<Value> {
    serde_json::from_str(&catalog_document(node, text).ok()?.json).ok()
}
