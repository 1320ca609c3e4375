//! The fields in which two Go values differ.
//!
//! OLM takes them from a report of go-cmp, whose layout is unstable on purpose. Its meaning is kept, a field with its value
//! before and after, and so is its notation of short values.

use super::Go;
use fbc::{float_with_v, quoted};
use std::collections::{BTreeMap, BTreeSet};

/// The struct around a JSON value.
const JSON: &str = "JSON";
/// The struct of a schema; the names of those that hold one begin alike.
const SCHEMA: &str = "JSONSchemaProps";

/// A field of a schema, or of something in it, that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The field of the schema that it is, or that it is in, as Go names it.
    pub within: &'static str,
    /// A key of a map is in quotes, an element of a list has its index.
    pub name: String,
    pub before: String,
    pub after: String,
}

/// The changes of the fields of a struct.
pub(crate) fn field_changes(old: &[(&'static str, Go)], new: &[(&'static str, Go)]) -> Vec<FieldChange> {
    let mut found = Vec::new();
    for ((field, before), (_, after)) in old.iter().zip(new) {
        collect(field, (*field).to_owned(), Some(before), Some(after), &mut found);
    }
    found
}

fn collect(within: &'static str, name: String, old: Option<&Go>, new: Option<&Go>, found: &mut Vec<FieldChange>) {
    if old == new {
        return;
    }
    match (old, new) {
        (Some(Go::Reference(Some(old))), Some(Go::Reference(Some(new)))) => {
            collect(within, name, Some(old), Some(new), found);
        }
        (Some(Go::Struct(kind, before)), Some(Go::Struct(_, after))) if *kind != JSON => {
            for ((field, before), (_, after)) in before.iter().zip(after) {
                collect(within, (*field).to_owned(), Some(before), Some(after), found);
            }
        }
        (Some(Go::Map(_, before)), Some(Go::Map(_, after))) if !before.is_empty() && !after.is_empty() => {
            let (before, after): (BTreeMap<_, _>, BTreeMap<_, _>) = (sorted(before), sorted(after));
            for key in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
                let (before, after) = (before.get(key).copied(), after.get(key).copied());
                collect(within, quoted(key), before, after, found);
            }
        }
        (Some(Go::List(_, before)), Some(Go::List(_, after))) if !before.is_empty() && !after.is_empty() => {
            let equal = |pairs: &mut dyn Iterator<Item = (&Go, &Go)>| pairs.take_while(|(old, new)| old == new).count();
            let start = equal(&mut before.iter().zip(after));
            let (before, after) = (&before[start..], &after[start..]);
            let end = equal(&mut before.iter().rev().zip(after.iter().rev()));
            let (before, after) = (&before[..before.len() - end], &after[..after.len() - end]);
            for index in 0..before.len().max(after.len()) {
                let name = format!("{name}[{}]", start + index);
                collect(within, name, before.get(index), after.get(index), found);
            }
        }
        _ => found.push(FieldChange { within, name, before: shortened(old), after: shortened(new) }),
    }
}

fn sorted(entries: &[(String, Go)]) -> BTreeMap<&str, &Go> {
    entries.iter().map(|(key, value)| (key.as_str(), value)).collect()
}

/// The value as operator-controller shows it: it leaves out what has schemas in it.
fn shortened(value: Option<&Go>) -> String {
    let text = value.map_or_else(|| "<empty>".to_owned(), text);
    if text.contains(SCHEMA) { "<complex value>".to_owned() } else { text }
}

fn text(value: &Go) -> String {
    match value {
        Go::Text(text) => quoted(text),
        Go::Bool(flag) => flag.to_string(),
        Go::Int(number) => number.to_string(),
        Go::Float(number) => float_with_v(*number),
        Go::Bytes(json) => json.clone(),
        Go::Pointer(None) | Go::Reference(None) => "nil".to_owned(),
        Go::List(_, items) if items.is_empty() => "nil".to_owned(),
        Go::Map(_, entries) if entries.is_empty() => "nil".to_owned(),
        Go::Pointer(Some(to)) => format!("&{}", text(to)),
        // The name of a struct is only shown behind `&`.
        Go::Reference(Some(to)) => match &**to {
            Go::Struct(kind, _) if kind.contains(SCHEMA) => format!("&{kind}"),
            to => text(to),
        },
        // The one list with a name of its own.
        Go::List("[]ValidationRule", items) => braces("ValidationRules", items.iter().map(text)),
        Go::List(kind, items) => braces(kind, items.iter().map(text)),
        Go::Map(kind, entries) => {
            braces(kind, entries.iter().map(|(key, value)| format!("{}: {}", quoted(key), text(value))))
        }
        Go::Struct(JSON, fields) => fields.iter().map(|(_, value)| text(value)).collect(),
        Go::Struct(_, fields) => {
            let given = fields.iter().filter(|(_, value)| !value.is_zero());
            braces("", given.map(|(field, value)| format!("{field}: {}", text(value))))
        }
    }
}

fn braces(kind: &str, parts: impl Iterator<Item = String>) -> String {
    format!("{kind}{{{}}}", parts.collect::<Vec<_>>().join(", "))
}
