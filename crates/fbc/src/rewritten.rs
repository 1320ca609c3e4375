//! What the changes of quick fixes mean: the values of a text with them, whatever the text looks like.

use crate::rewrite::holder;
use crate::{Node, Value};
use source::{Rewrite, Span, Spanned};

/// The documents of a text with changes made in their values. `None` if a value is not there, or if a change is one of bytes, which
/// mean nothing else.
#[must_use]
pub fn rewritten(mut documents: Vec<Node>, text: &str, changes: &[Rewrite]) -> Option<Vec<Node>> {
    for change in changes {
        match change {
            Rewrite::Replace { span, text: new } => set_text(&mut documents, *span, new)?,
            Rewrite::Quote { span } => set_text(&mut documents, *span, span.slice(text))?,
            Rewrite::Remove { span } => {
                let span = whole(&documents, text, *span);
                remove(&mut documents, span)?;
            }
            Rewrite::Set { mapping, within, field, text } => {
                let mapping = mapping_at(&mut documents, *mapping)?;
                let mapping = match within {
                    Some(within) => field_mut(mapping, within)?,
                    None => mapping,
                };
                put(mapping, field, Some(string(mapping.span, text)))?;
            }
            Rewrite::List { mapping, list, removed, added } => {
                let mapping = mapping_at(&mut documents, *mapping)?;
                let span = mapping.span;
                let old = match mapping.get(list).map(|list| &list.value) {
                    Some(Value::Sequence(items)) => &items[..],
                    _ => &[],
                };
                let is_kept = |item: &&Node| item.as_str().is_none_or(|text| removed.iter().all(|gone| gone != text));
                let new = added.iter().map(|text| string(span, text));
                let items: Vec<Node> = old.iter().filter(is_kept).cloned().chain(new).collect();
                let items = (!items.is_empty()).then_some(Node { span, value: Value::Sequence(items) });
                put(mapping, list, items)?;
            }
            // An empty one is no value.
            Rewrite::RemoveDocument { span } => documents.retain(|document| !span.contains(document.span)),
            Rewrite::AddDocument { before, fields } => {
                let fields =
                    fields.iter().map(|(name, text)| (Spanned::new((*name).into(), *before), string(*before, text)));
                documents.push(Node { span: *before, value: Value::Mapping(fields.collect()) });
            }
            Rewrite::Splice { .. } => return None,
        }
    }
    Some(documents)
}

fn string(span: Span, text: &str) -> Node {
    Node { span, value: Value::String(text.into()) }
}

/// The item or field that is removed: the last item in lines takes the field of its list with it.
fn whole(documents: &[Node], text: &str, span: Span) -> Span {
    let found = documents.iter().find_map(|document| holder(document, span)).map(|(holder, _)| holder);
    let is_last = |holder: &&Node| {
        let is_flow = holder.span.slice(text).starts_with('[');
        matches!(&holder.value, Value::Sequence(items) if items.len() == 1) && !is_flow
    };
    found.filter(is_last).map_or(span, |list| whole(documents, text, list.span))
}

/// The values in a list or mapping.
fn inner(node: &mut Node) -> Box<dyn Iterator<Item = &mut Node> + '_> {
    match &mut node.value {
        Value::Sequence(items) => Box::new(items.iter_mut()),
        Value::Mapping(fields) => Box::new(fields.iter_mut().map(|(_, value)| value)),
        _ => Box::new(std::iter::empty()),
    }
}

fn mapping_at(nodes: &mut [Node], span: Span) -> Option<&mut Node> {
    nodes.iter_mut().find_map(|node| mapping_in(node, span))
}

fn mapping_in(node: &mut Node, span: Span) -> Option<&mut Node> {
    if node.span == span && matches!(node.value, Value::Mapping(_)) {
        return Some(node);
    }
    inner(node).find_map(|node| mapping_in(node, span))
}

fn field_mut<'n>(mapping: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    let Value::Mapping(fields) = &mut mapping.value else { return None };
    fields.iter_mut().find(|(key, _)| *key.value == *name).map(|(_, value)| value)
}

/// Sets or removes a field of a mapping.
fn put(mapping: &mut Node, name: &str, value: Option<Node>) -> Option<()> {
    let span = mapping.span;
    let Value::Mapping(fields) = &mut mapping.value else { return None };
    match (fields.iter().position(|(key, _)| *key.value == *name), value) {
        (Some(at), Some(value)) => fields[at].1 = value,
        (None, Some(value)) => fields.push((Spanned::new(name.into(), span), value)),
        (Some(at), None) => drop(fields.remove(at)),
        (None, None) => {}
    }
    Some(())
}

/// Writes a text in the place of a scalar or of a key.
fn set_text(nodes: &mut [Node], span: Span, text: &str) -> Option<()> {
    nodes.iter_mut().find_map(|node| set_text_in(node, span, text))
}

fn set_text_in(node: &mut Node, span: Span, text: &str) -> Option<()> {
    let is_scalar = !matches!(node.value, Value::Sequence(_) | Value::Mapping(_));
    if node.span == span && is_scalar {
        node.value = Value::String(text.into());
        return Some(());
    }
    if let Value::Mapping(fields) = &mut node.value
        && let Some((key, _)) = fields.iter_mut().find(|(key, _)| key.span == span)
    {
        key.value = text.into();
        return Some(());
    }
    inner(node).find_map(|node| set_text_in(node, span, text))
}

/// Takes an item or a field out.
fn remove(nodes: &mut [Node], span: Span) -> Option<()> {
    nodes.iter_mut().find_map(|node| remove_in(node, span))
}

fn remove_in(node: &mut Node, span: Span) -> Option<()> {
    let count = |value: &Value| match value {
        Value::Sequence(items) => items.len(),
        Value::Mapping(fields) => fields.len(),
        _ => 0,
    };
    let before = count(&node.value);
    match &mut node.value {
        Value::Sequence(items) => items.retain(|item| item.span != span),
        Value::Mapping(fields) => fields.retain(|(key, value)| key.span != span && value.span != span),
        _ => return None,
    }
    if count(&node.value) < before {
        return Some(());
    }
    inner(node).find_map(|node| remove_in(node, span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rewriter;
    use source::{FileId, TextEdit};

    /// Changes the last occurrence of a word, and compares what is written with what is meant.
    #[track_caller]
    fn check(text: &str, word: &str, change: impl Fn(Span) -> Rewrite) {
        let start = text.rfind(word).unwrap() as u32;
        let changes = [change(Span::new(FileId(0), start, start + word.len() as u32))];
        let edits = Rewriter::new(text, &crate::parse(FileId(0), text).docs).edits(&changes).unwrap();
        let new = TextEdit::applied(&edits, text).unwrap();
        let json = |nodes: &[Node], text: &str| {
            nodes.iter().map(|node| node.to_json(text).unwrap()).collect::<Vec<serde_json::Value>>()
        };
        let before = crate::untyped_values(FileId(0), text).nodes;
        let meant = rewritten(before.clone(), text, &changes).unwrap();
        let mut written = json(&crate::untyped_values(FileId(0), &new).nodes, &new);
        written.sort_by_key(ToString::to_string);
        let mut said = json(&meant, text);
        said.sort_by_key(ToString::to_string);
        assert_eq!(said, written, "{new}");
        assert_ne!(said, json(&before, text));
    }

    #[test]
    fn what_is_written_is_what_is_meant() {
        let replace = |span| Rewrite::Replace { span, text: "0x1".to_owned() };
        check("schema: s\nk: old\n", "old", replace);
        check("{\"schema\": \"s\", \"k\": [\"old\"]}", "\"old\"", replace);
        check("schema: s\nold: 1\n", "old", replace);
        check("schema: s\nk: 1.0\n", "1.0", |span| Rewrite::Quote { span });
        let remove = |span| Rewrite::Remove { span };
        check("schema: s\nlist:\n- a # first\n- b\n", "a #", |span| Rewrite::Remove {
            span: Span { end: span.end - 2, ..span },
        });
        check("schema: s\nlist: [b]\n", "b", remove);
        check("schema: s\nlist:\n  - b\nx: 1\n", "b", remove);
        check("schema: s\nlist:\n- k: v\n  n: x\n", "v", remove);
        check("schema: a\n---\nschema: b\n", "schema: b", |span| Rewrite::RemoveDocument { span });
        check("schema: a\n---\nk: old\nschema: b\n", "old", |before| Rewrite::AddDocument {
            before,
            fields: vec![("schema", "x".to_owned())],
        });
        let entry = "name: c\n  skips: [a, b]";
        let text = format!("schema: s\nentries:\n- {entry}\n");
        check(&text, entry, |mapping| Rewrite::Set { mapping, within: None, field: "replaces", text: "a".to_owned() });
        let list = |mapping, removed: &[&str], added: &[&str]| {
            let [removed, added] = [removed, added].map(|names| names.iter().map(ToString::to_string).collect());
            Rewrite::List { mapping, list: "skips", removed, added }
        };
        check(&text, entry, |mapping| list(mapping, &["a"], &["d"]));
        check(&text, entry, |mapping| list(mapping, &["a", "b"], &[]));
    }

    #[test]
    fn bytes_and_missing_places_mean_nothing() {
        let text = "schema: s\n";
        let documents = || crate::untyped_values(FileId(0), text).nodes;
        let span = Span::new(FileId(0), 1, 2);
        let none = |change| assert_eq!(rewritten(documents(), text, &[change]), None);
        none(Rewrite::Splice { span, text: String::new() });
        none(Rewrite::Replace { span, text: "x".to_owned() });
        none(Rewrite::Remove { span });
    }
}
