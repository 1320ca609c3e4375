//! Turns the changes of quick fixes into edits of the text, in the style of what they change.

use crate::text_edit::behind_comments;
use crate::text_style::{quoted, with_line_ends};
use crate::{Doc, Node, TextEditor, Value};
use source::{Rewrite, Span, Spanned, TextEdit};
use std::collections::BTreeMap;
use std::ops::Range;

/// Makes edits of one file. Reads each document that needs it once, however many quick fixes change it.
///
/// ```
/// use fbc::Rewriter;
/// use source::{FileId, Rewrite, Span};
///
/// let text = "schema: olm.channel\nentries:\n- name: b\n  skips:\n  - a\n  - b # itself\n";
/// let parse = fbc::parse(FileId(0), text);
/// let at = text.rfind("b #").unwrap() as u32;
/// let remove = Rewrite::Remove { span: Span::new(FileId(0), at, at + 1) };
/// let edits = Rewriter::new(text, &parse.docs).edits(&[remove]).unwrap();
/// assert_eq!(edits[0].replaced(text), "  - b # itself\n");
/// ```
#[derive(Debug)]
pub struct Rewriter<'a> {
    text: &'a str,
    docs: &'a [Doc],
    /// The documents that were read, by their starts; `None` for those that cannot be.
    trees: BTreeMap<u32, Option<Node>>,
}

impl<'a> Rewriter<'a> {
    /// Of a text and the documents in it.
    #[must_use]
    pub const fn new(text: &'a str, docs: &'a [Doc]) -> Self {
        Self { text, docs, trees: BTreeMap::new() }
    }

    /// The edits that make all changes, in the order of the text, apart from each other, and with the line ends of the lines around
    /// them. `None` if the text has no such places, or is written in a way that leaves no simple edit.
    pub fn edits(&mut self, changes: &[Rewrite]) -> Option<Vec<TextEdit>> {
        let mut edits = Vec::new();
        for change in changes {
            edits.extend(self.edits_of(change)?);
        }
        edits.sort_by_key(|edit| (edit.start, edit.end));
        edits.dedup();
        edits = edits.into_iter().fold(Vec::new(), put_in_removed_line);
        edits.iter_mut().for_each(|edit| edit.text = with_line_ends(self.text, edit.start, &edit.text));
        TextEdit::are_apart(&edits).then_some(edits)
    }

    fn edits_of(&mut self, change: &Rewrite) -> Option<Vec<TextEdit>> {
        let (text, editor) = (self.text, TextEditor { text: self.text });
        match change {
            Rewrite::Replace { span, text: new } => {
                let written = span.slice(text);
                // A block scalar ends with its line.
                let is_inline = !written.contains('\n');
                let new = match (written.starts_with('"'), written.is_empty()) {
                    (true, _) => quoted(new),
                    (false, true) => format!(" {}", crate::plain(new)),
                    (false, false) => crate::plain(new),
                };
                is_inline.then(|| vec![TextEdit::new(*span, new)])
            }
            Rewrite::Quote { span } => {
                let written = span.slice(text);
                let is_plain = !written.is_empty() && !written.starts_with(['"', '\'', '|', '>', '*', '&', '!']);
                is_plain.then(|| vec![TextEdit::new(*span, quoted(written))])
            }
            Rewrite::Remove { span } => {
                let root = self.tree(*span)?;
                Some(vec![TextEdit::new(removed(text, root, *span)?, "")])
            }
            Rewrite::Set { mapping, within, field, text: new } => {
                let node = mapping_at(self.tree(*mapping)?, *mapping)?;
                let node = within.map_or(Some(node), |within| node.field(within))?;
                let field = node.member(field).map_or(*field, |(key, _)| &key.value);
                editor.set(node, &[(field, new)])
            }
            Rewrite::List { mapping, list, removed, added } => {
                let node = mapping_at(self.tree(*mapping)?, *mapping)?;
                let [removed, added] =
                    [removed, added].map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>());
                editor.change_list(node, list, &removed, &added)
            }
            Rewrite::RemoveDocument { span } => Some(vec![TextEdit::new(self.document_with_separator(*span), "")]),
            Rewrite::AddDocument { before, fields } => {
                let after = self.docs.partition_point(|doc| doc.span.start <= before.start);
                let document = self.docs[..after].last()?.span;
                let lines = fields.iter().map(|(name, value)| format!("{name}: {}\n", crate::plain(value)));
                let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let new = match document.slice(text).starts_with('{') && text.trim_start().starts_with('{') {
                    true => format!("{}\n", crate::json_like(text, &crate::flow(&fields))),
                    false => format!("{}---\n", lines.collect::<String>()),
                };
                let is_line = document.start == 0 || text[..document.start as usize].ends_with('\n');
                is_line.then(|| vec![TextEdit::new(document.at_start(), new)])
            }
            Rewrite::Splice { span, text } => Some(vec![TextEdit::new(*span, text.clone())]),
        }
    }

    /// The document around a place, as a tree.
    fn tree(&mut self, place: Span) -> Option<&Node> {
        let after = self.docs.partition_point(|doc| doc.span.start <= place.start);
        let span = self.docs[..after].last().map(|doc| doc.span).filter(|span| span.contains(place))?;
        let text = self.text;
        let read = || Node { span, value: Value::Unopened }.open(text).ok();
        self.trees.entry(span.start).or_insert_with(read).as_ref()
    }

    /// A document with the separator before it or, of the first document, the one after it.
    fn document_with_separator(&self, span: Span) -> Span {
        let before = self.docs.iter().map(|doc| doc.span.end).filter(|end| *end <= span.start).max().unwrap_or(0);
        let after = self.docs.iter().map(|doc| doc.span.start).filter(|start| *start >= span.end).min();
        let after = after.map_or(self.text.len(), |start| start as usize);
        let above = separators(self.text, before as usize..span.start as usize).last();
        let below = separators(self.text, span.end as usize..after).next();
        let cut = match (above, below) {
            (Some(above), Some(below)) => above.start..below.start,
            (Some(above), None) => above.start..after,
            (None, Some(below)) => span.start as usize..below.end,
            (None, None) => span.start as usize..span.end as usize,
        };
        Span::new(span.file, cut.start as u32, cut.end as u32)
    }
}

/// Adds an edit. New lines at the end of a line that is removed take its place.
fn put_in_removed_line(mut edits: Vec<TextEdit>, edit: TextEdit) -> Vec<TextEdit> {
    match edits.last_mut() {
        Some(removed)
            if edit.text.starts_with('\n')
                && removed.start <= edit.start
                && edit.end <= removed.end
                && edit.start < removed.end =>
        {
            removed.text += &format!("{}\n", &edit.text[1..]);
        }
        _ => edits.push(edit),
    }
    edits
}

/// The lines in a range of a text that separate documents.
fn separators(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    let lines = text.get(range).unwrap_or_default().split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start..at, line)
    });
    let at_line_start = move |start: usize| start == 0 || text.as_bytes()[start - 1] == b'\n';
    lines.filter(move |(line, written)| written.starts_with("---") && at_line_start(line.start)).map(|(line, _)| line)
}

fn mapping_at(node: &Node, span: Span) -> Option<&Node> {
    match &node.value {
        Value::Mapping(_) if node.span == span => Some(node),
        _ if !node.span.contains(span) => None,
        Value::Sequence(items) => items.iter().find_map(|item| mapping_at(item, span)),
        Value::Mapping(entries) => entries.iter().find_map(|(_, value)| mapping_at(value, span)),
        _ => None,
    }
}

/// A list or a mapping, and the index of the item or field that has this span.
fn holder(node: &Node, span: Span) -> Option<(&Node, usize)> {
    if !node.span.contains(span) {
        return None;
    }
    match &node.value {
        Value::Sequence(items) => match items.iter().position(|item| item.span == span) {
            Some(at) => Some((node, at)),
            None => items.iter().find_map(|item| holder(item, span)),
        },
        Value::Mapping(entries) => match entries.iter().position(|(key, node)| key.span == span || node.span == span) {
            Some(at) => Some((node, at)),
            None => entries.iter().find_map(|(_, value)| holder(value, span)),
        },
        _ => None,
    }
}

/// The bytes to remove for an item of a list or a field of a mapping.
fn removed(text: &str, root: &Node, span: Span) -> Option<Span> {
    let (holder, at) = holder(root, span)?;
    let parts: Vec<Span> = match &holder.value {
        Value::Sequence(items) => items.iter().map(|item| item.span).collect(),
        Value::Mapping(entries) => {
            let whole = |(key, node): &(crate::raw::Text, Node)| {
                let is_behind = node.span.start >= key.span.end;
                is_behind.then(|| Span::new(span.file, key.span.start, node.span.end))
            };
            entries.iter().map(whole).collect::<Option<_>>()?
        }
        _ => return None,
    };
    let (part, next) = (parts[at], parts.get(at + 1));
    let cut = |start: u32, end: u32| (start < end).then(|| Span::new(span.file, start, end));
    if text[holder.span.start as usize..].starts_with(['[', '{']) {
        // Neighbours that are removed, too, are cut out each for itself.
        return match (at.checked_sub(1), next) {
            (Some(before), _) => cut(parts[before].end, part.end),
            (None, Some(next)) => cut(part.start, next.start),
            (None, None) => cut(part.start, part.end),
        };
    }
    if parts.len() == 1 {
        return matches!(holder.value, Value::Sequence(_)).then(|| removed(text, root, holder.span))?;
    }
    let line = text[..part.start as usize].rfind('\n').map_or(0, |newline| newline + 1);
    let mut before = &text[line..part.start as usize];
    if matches!(holder.value, Value::Sequence(_)) {
        before = before.trim_end().strip_suffix('-')?;
    }
    match (before.trim().is_empty(), next) {
        (true, _) => {
            // The comments below an item are indented as deep as its keys, those below a field deeper than its key.
            let is_field = matches!(holder.value, Value::Mapping(_));
            let column = part.start as usize - line + usize::from(is_field);
            let end = behind_comments(text, end_of_line(text, part.end as usize)?, column);
            cut(line as u32, end_of_line(text, end)? as u32)
        }
        // The first field of an item, on the line of its dash.
        (false, Some(next)) if matches!(holder.value, Value::Mapping(_)) => cut(part.start, next.start),
        (false, _) => None,
    }
}

/// The end of the line in which a value ends, if only a comment follows it there.
fn end_of_line(text: &str, end: usize) -> Option<usize> {
    if text[..end].ends_with('\n') {
        return Some(end);
    }
    let rest = text[end..].split_inclusive('\n').next().unwrap_or_default();
    (rest.trim().is_empty() || rest.trim_start().starts_with('#')).then_some(end + rest.len())
}

// What the changes of quick fixes mean: the values of a text with them, whatever the text looks like.

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
                let mapping = value_mapping_at(&mut documents, *mapping)?;
                let mapping = match within {
                    Some(within) => field_mut(mapping, within)?,
                    None => mapping,
                };
                put(mapping, field, Some(string(mapping.span, text)))?;
            }
            Rewrite::List { mapping, list, removed, added } => {
                let mapping = value_mapping_at(&mut documents, *mapping)?;
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

fn value_mapping_at(nodes: &mut [Node], span: Span) -> Option<&mut Node> {
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
    use source::{FileId, TextEdit};

    /// The place of the last occurrence of a word.
    fn place(text: &str, word: &str) -> Span {
        let start = text.rfind(word).unwrap() as u32;
        Span::new(FileId(0), start, start + word.len() as u32)
    }

    #[track_caller]
    fn check(text: &str, change: impl FnOnce(&dyn Fn(&str) -> Span) -> Rewrite, expected: &str) {
        let parse = crate::parse(FileId(0), text);
        let change = change(&|word| place(text, word));
        let edits = Rewriter::new(text, &parse.docs).edits(&[change]);
        assert_eq!(TextEdit::applied(&edits.unwrap(), text).unwrap(), expected);
    }

    #[test]
    fn items_and_fields_are_removed_in_their_style() {
        let cases = [
            ("a", "schema: s\nlist:\n- a # first\n- b\n", "schema: s\nlist:\n- b\n"),
            ("b", "schema: s\nlist: [a, b]\n", "schema: s\nlist: [a]\n"),
            ("a", "schema: s\nlist: [a, b]\n", "schema: s\nlist: [b]\n"),
            ("a", "schema: s\nlist:\n  - a\nx: 1\n", "schema: s\nx: 1\n"),
            ("a", "schema: s\nlist:\n- k: a\n  n: x\n", "schema: s\nlist:\n- n: x\n"),
            ("a", "schema: s\nlist:\n- n: x\n  k: a\n", "schema: s\nlist:\n- n: x\n"),
            ("\"a\"", "{\"schema\": \"s\", \"k\": \"a\"}", "{\"schema\": \"s\"}"),
        ];
        for (word, text, expected) in cases {
            check(text, |at| Rewrite::Remove { span: at(word) }, expected);
        }
    }

    #[test]
    fn a_new_field_takes_the_line_of_a_removed_one() {
        let text = "schema: s\nentries:\n- name: c\n  replaces: b\n- name: b\n";
        let parse = crate::parse(FileId(0), text);
        let entry = place(text, "name: c\n  replaces: b");
        let list = Rewrite::List { mapping: entry, list: "skips", removed: Vec::new(), added: vec!["b".to_owned()] };
        let remove = Rewrite::Remove { span: Span::new(FileId(0), entry.end - 1, entry.end) };
        let edits = Rewriter::new(text, &parse.docs).edits(&[remove, list]).unwrap();
        let edits: Vec<_> = edits.iter().map(|edit| (edit.replaced(text), &*edit.text)).collect();
        assert_eq!(edits, [("  replaces: b\n", "  skips: [b]\n")]);
    }

    #[test]
    fn scalars_keep_their_quotes() {
        let to = |span| Rewrite::Replace { span, text: "new".to_owned() };
        check("schema: s\nk: old\n", |at| to(at("old")), "schema: s\nk: new\n");
        check("schema: s\nk: \"old\"\n", |at| to(at("\"old\"")), "schema: s\nk: \"new\"\n");
        check("schema: s\nk: 1.0\n", |at| Rewrite::Quote { span: at("1.0") }, "schema: s\nk: \"1.0\"\n");
    }

    #[test]
    fn documents_go_with_one_separator() {
        let cases = [
            ("schema: a\n---\nschema: b\n---\nschema: c\n", "schema: b", "schema: a\n---\nschema: c\n"),
            ("schema: a\n---\nschema: b\n", "schema: a", "schema: b\n"),
            ("schema: a\n---\nschema: b\n", "schema: b", "schema: a\n"),
            ("{\"schema\": \"a\"}\n{\"schema\": \"b\"}\n", "{\"schema\": \"b\"}", "{\"schema\": \"a\"}\n\n"),
        ];
        for (text, word, expected) in cases {
            check(text, |at| Rewrite::RemoveDocument { span: at(word) }, expected);
        }
    }

    #[test]
    fn a_document_is_added_in_the_style_of_the_file() {
        let add = |before| Rewrite::AddDocument { before, fields: vec![("schema", "x".to_owned())] };
        check(
            "schema: a\n---\nk: old\nschema: b\n",
            |at| add(at("old")),
            "schema: a\n---\nschema: x\n---\nk: old\nschema: b\n",
        );
        let json = "{\"schema\": \"a\"}\n";
        check(json, |at| add(at("{\"schema\": \"a\"}")), &("{\"schema\": \"x\"}\n".to_owned() + json));
    }

    #[test]
    fn a_text_without_the_place_has_no_edit() {
        let text = "schema: s\nk: |\n  old\n";
        let parse = crate::parse(FileId(0), text);
        let mut rewriter = Rewriter::new(text, &parse.docs);
        let none = Span::new(FileId(0), 1, 2);
        assert_eq!(rewriter.edits(&[Rewrite::Remove { span: none }]), None);
        let block = Span::new(FileId(0), 13, text.len() as u32);
        assert_eq!(rewriter.edits(&[Rewrite::Replace { span: block, text: "x".to_owned() }]), None);
    }

    /// Changes the last occurrence of a word, and compares what is written with what is meant.
    #[track_caller]
    fn check_rewritten(text: &str, word: &str, change: impl Fn(Span) -> Rewrite) {
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
        check_rewritten("schema: s\nk: old\n", "old", replace);
        check_rewritten("{\"schema\": \"s\", \"k\": [\"old\"]}", "\"old\"", replace);
        check_rewritten("schema: s\nold: 1\n", "old", replace);
        check_rewritten("schema: s\nk: 1.0\n", "1.0", |span| Rewrite::Quote { span });
        let remove = |span| Rewrite::Remove { span };
        check_rewritten("schema: s\nlist:\n- a # first\n- b\n", "a #", |span| Rewrite::Remove {
            span: Span { end: span.end - 2, ..span },
        });
        check_rewritten("schema: s\nlist: [b]\n", "b", remove);
        check_rewritten("schema: s\nlist:\n  - b\nx: 1\n", "b", remove);
        check_rewritten("schema: s\nlist:\n- k: v\n  n: x\n", "v", remove);
        check_rewritten("schema: a\n---\nschema: b\n", "schema: b", |span| Rewrite::RemoveDocument { span });
        check_rewritten("schema: a\n---\nk: old\nschema: b\n", "old", |before| Rewrite::AddDocument {
            before,
            fields: vec![("schema", "x".to_owned())],
        });
        let entry = "name: c\n  skips: [a, b]";
        let text = format!("schema: s\nentries:\n- {entry}\n");
        check_rewritten(&text, entry, |mapping| Rewrite::Set {
            mapping,
            within: None,
            field: "replaces",
            text: "a".to_owned(),
        });
        let list = |mapping, removed: &[&str], added: &[&str]| {
            let [removed, added] = [removed, added].map(|names| names.iter().map(ToString::to_string).collect());
            Rewrite::List { mapping, list: "skips", removed, added }
        };
        check_rewritten(&text, entry, |mapping| list(mapping, &["a"], &["d"]));
        check_rewritten(&text, entry, |mapping| list(mapping, &["a", "b"], &[]));
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
