//! The documents of a package that a change touches, as a unified diff by meaning: each document is written in one form on both
//! sides, so that order, quotes, YAML or JSON make no difference.

use catalog::{BundleName, Package};
use compare::Compared;
use fbc::raw::LIFECYCLE_SCHEMA;
use fbc::{Node, Value as Unread};
use serde_json::Value;
use session::{Comparison, Side};
use similar::{ChangeTag, TextDiff};
use source::Span;
use std::collections::BTreeMap;
use views::{DiffLine, DiffSign, DocumentDiff, SourceDiff};

/// The most documents that are shown.
const DOCUMENTS: usize = 40;
/// The most lines of a document that are shown.
const LINES: usize = 200;
/// The most characters of a line that are shown.
const WIDTH: usize = 160;
/// Unchanged lines that are shown around changed ones.
const CONTEXT: usize = 3;

/// A document, or an entry of `olm.deprecations`: its order among those of a package, its schema, and its name.
type Key = (u8, &'static str, String);

/// What differs in the documents of a package.
pub(super) fn source_diff(comparison: &Comparison<'_>, found: &Compared) -> SourceDiff {
    let [old, new] = comparison.states(found);
    let (before, after) = (documents(comparison.before, old), documents(comparison.after, new));
    let mut keys: Vec<&Key> = before.keys().chain(after.keys()).collect();
    keys.sort();
    keys.dedup();
    let text = |documents: &BTreeMap<Key, Value>, key: &Key| documents.get(key).map(fbc::to_yaml).unwrap_or_default();
    let differing = keys.into_iter().filter(|key| before.get(*key) != after.get(*key));
    let mut documents: Vec<DocumentDiff> = differing
        .map(|key| {
            let (_, schema, name) = key;
            let (lines, more) = lines(&text(&before, key), &text(&after, key));
            DocumentDiff { title: format!("{schema} {name}"), lines, more }
        })
        .collect();
    let more = documents.len().saturating_sub(DOCUMENTS) as u32;
    documents.truncate(DOCUMENTS);
    SourceDiff { documents, more }
}

/// The lines that differ with some around them, and how many are left out at the end.
fn lines(before: &str, after: &str) -> (Vec<DiffLine>, u32) {
    let diff = TextDiff::from_lines(before, after);
    let mut lines = Vec::new();
    for (at, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if at > 0 {
            lines.push(DiffLine { sign: DiffSign::Gap, text: "…".to_owned() });
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => DiffSign::Same,
                ChangeTag::Delete => DiffSign::Removed,
                ChangeTag::Insert => DiffSign::Added,
            };
            let text = change.value().trim_end_matches('\n').chars().take(WIDTH).collect();
            lines.push(DiffLine { sign, text });
        }
    }
    let more = lines.len().saturating_sub(LINES) as u32;
    lines.truncate(LINES);
    (lines, more)
}

/// The documents of a package in one form.
fn documents(side: Side<'_>, package: Option<&Package>) -> BTreeMap<Key, Value> {
    let Some(package) = package else { return BTreeMap::new() };
    let name = |name: &BundleName| name.to_string();
    let declared = package.declared.map(|span| ((0, "olm.package", package.name.to_string()), span));
    let channels = package.channels.iter().map(|channel| ((1, "olm.channel", channel.name.to_string()), channel.span));
    let bundles = package.bundles.iter().map(|bundle| ((3, "olm.bundle", name(&bundle.name.value)), bundle.span));
    let deprecations = package.deprecations.iter().map(|found| {
        let target = found.target.name().unwrap_or("of the package");
        ((2, "olm.deprecations", target.to_owned()), found.span)
    });
    let lifecycles = package.lifecycles.iter().zip(1..).map(|(data, number): (_, u32)| {
        let name = if number == 1 { package.name.to_string() } else { format!("{} ({number})", package.name) };
        ((4, LIFECYCLE_SCHEMA, name), data.span)
    });
    let spans = declared.into_iter().chain(channels).chain(deprecations).chain(bundles).chain(lifecycles);
    spans.filter_map(|(key, span)| Some((key, document(side, span)?))).collect()
}

/// The document around a span.
fn document(side: Side<'_>, span: Span) -> Option<Value> {
    let text = side.text(span.file)?;
    let mut value = Node { span, value: Unread::Unopened }.to_json(&text).ok()?;
    sort_lists(&mut value);
    Some(value)
}

/// Sorts lists whose order means nothing: entries, `skips`, properties and related images.
fn sort_lists(value: &mut Value) {
    let Value::Object(fields) = value else { return };
    for list in ["entries", "properties", "relatedImages"] {
        if let Some(Value::Array(items)) = fields.get_mut(list) {
            for item in items.iter_mut() {
                if let Some(Value::Array(skips)) = item.get_mut("skips") {
                    skips.sort_by_key(ToString::to_string);
                }
            }
            items.sort_by_key(|item| {
                let field = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
                (field("name"), field("type"), item.to_string())
            });
        }
    }
}
