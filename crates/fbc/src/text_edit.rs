//! Edits of the text of a mapping, which leave the rest of the text as it is.
//!
//! They keep the style of the mapping: block style gets lines, flow style and JSON get quoted members.

use crate::{Node, Value};
use source::Span;

/// A range of the text, and the text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// A value of a mapping that is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// A text.
    Text(&'a str),
    /// A list of texts.
    Texts(&'a [String]),
}

impl Field<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Texts(texts) => texts.is_empty(),
        }
    }

    fn in_flow(&self) -> String {
        match self {
            Self::Text(text) => quoted(text),
            Self::Texts(texts) => {
                let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
                format!("[{}]", texts.join(", "))
            }
        }
    }

    /// The lines of the field behind its indentation.
    fn in_block(&self, name: &str, indent: &str) -> String {
        match self {
            Self::Text(text) => format!("{name}: {}", plain(text)),
            Self::Texts(texts) => {
                let items: String = texts.iter().map(|text| format!("\n{indent}- {}", plain(text))).collect();
                format!("{name}:{items}")
            }
        }
    }
}

/// Makes edits of a text from the values that were read from it.
///
/// ```
/// use fbc::TextEditor;
/// use source::FileId;
///
/// let text = "- name: a\n  skipRange: <1.0.0\n";
/// let node = &fbc::yaml_document(FileId(0), text).unwrap().node;
/// let fbc::Value::Sequence(entries) = &node.value else { panic!("a list") };
/// let splices = TextEditor { text }.set(&entries[0], &[("skipRange", "<2.0.0"), ("replaces", "b")]).unwrap();
/// let new: Vec<&str> = splices.iter().map(|splice| &*splice.text).collect();
/// assert_eq!(new, ["\"<2.0.0\"", "replaces: b\n  "]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextEditor<'a> {
    /// The text that the spans are of.
    pub text: &'a str,
}

impl TextEditor<'_> {
    /// Sets texts in a mapping. `None` for an empty mapping and for other values.
    #[must_use]
    pub fn set(self, mapping: &Node, fields: &[(&str, &str)]) -> Option<Vec<TextEdit>> {
        let mut splices = Vec::new();
        let mut new = Vec::new();
        for (name, value) in fields {
            match mapping.get(name) {
                Some(old) => splices.push(self.scalar(old, value)),
                None => new.push(self.field(mapping, name, &quoted(value), &plain(value))),
            }
        }
        if !new.is_empty() {
            splices.push(Self::insert(mapping, new.concat())?);
        }
        Some(splices)
    }

    /// Sets a field of a mapping to a value. A text keeps the quotes of the text before. `None` for an empty mapping and for
    /// other values.
    ///
    /// ```
    /// use fbc::TextEditor;
    /// use source::FileId;
    ///
    /// let text = "spec:\n  name: etcd\n";
    /// let node = &fbc::yaml_document(FileId(0), text).unwrap().node;
    /// let spec = node.get("spec").unwrap();
    /// let edit = TextEditor { text }.put(spec, "selector", &serde_json::json!({"tier": "gold"})).unwrap();
    /// assert_eq!(edit.text, "selector:\n    tier: gold\n  ");
    /// ```
    #[must_use]
    pub fn put(self, mapping: &Node, name: &str, value: &serde_json::Value) -> Option<TextEdit> {
        let Value::Mapping(entries) = &mapping.value else { return None };
        let flow = format!("{name:?}: {value}");
        let block = || {
            let lines = crate::to_yaml(&serde_json::json!({ name: value }));
            lines.trim_end().replace('\n', &format!("\n{}", self.indent(mapping)))
        };
        let is_flow = self.is_flow(mapping);
        let Some((key, old)) = entries.iter().find(|(key, _)| *key.value == *name) else {
            let end = if is_flow { ", ".to_owned() } else { format!("\n{}", self.indent(mapping)) };
            return Self::insert(mapping, if is_flow { flow } else { block() } + &end);
        };
        match (&old.value, value) {
            (Value::String(_), serde_json::Value::String(new))
                if !old.span.slice(self.text).starts_with(['|', '>']) =>
            {
                Some(self.scalar(old, new))
            }
            _ => {
                let span = Span::new(key.span.file, key.span.start, self.end_of_field(key.span, old));
                Some(TextEdit { span, text: if is_flow { flow } else { block() } })
            }
        }
    }

    /// Removes a field of a mapping, and the comment behind it. `None` if there is no such field.
    ///
    /// ```
    /// use fbc::TextEditor;
    /// use source::FileId;
    ///
    /// let text = "name: etcd\nchannel: stable # for now\n";
    /// let node = &fbc::yaml_document(FileId(0), text).unwrap().node;
    /// let edit = TextEditor { text }.remove(node, "channel").unwrap();
    /// assert_eq!((edit.span.slice(text), &*edit.text), ("channel: stable # for now\n", ""));
    /// ```
    #[must_use]
    pub fn remove(self, mapping: &Node, name: &str) -> Option<TextEdit> {
        let Value::Mapping(entries) = &mapping.value else { return None };
        let at = entries.iter().position(|(key, _)| *key.value == *name)?;
        let (key, old) = entries.get(at)?;
        let end = self.end_of_field(key.span, old);
        let before = at.checked_sub(1).and_then(|at| entries.get(at));
        let next = entries.get(at + 1).map(|(key, _)| key.span.start);
        let line = self.line_start(key.span.start);
        let (start, end) = match (next, before) {
            _ if !self.is_flow(mapping) && self.text[line..key.span.start as usize].trim().is_empty() => {
                let rest = &self.text[end as usize..];
                (line as u32, end + rest.find('\n').map_or(rest.len(), |at| at + 1) as u32)
            }
            (Some(next), _) => (key.span.start, next),
            (None, Some((_, before))) if self.is_flow(mapping) => (before.span.end, end),
            (None, _) => (key.span.start, end),
        };
        Some(TextEdit { span: Span::new(key.span.file, start, end), text: String::new() })
    }

    /// The end of a field of a mapping, without the blanks behind it.
    fn end_of_field(self, key: Span, value: &Node) -> u32 {
        let colon = self.text[key.end as usize..].find(':').map_or(0, |at| at as u32 + 1);
        let end = value.span.end.max(key.end + colon);
        let field = self.text.get(key.start as usize..end as usize).unwrap_or_default();
        key.start + field.trim_end().len() as u32
    }

    /// Sets texts in the mapping that is the field `part` of a mapping. `None` if the outer value has no fields.
    #[must_use]
    pub fn set_in(self, mapping: &Node, part: &str, fields: &[(&str, &str)]) -> Option<Vec<TextEdit>> {
        let Some(inner) = mapping.get(part) else {
            let indent = self.indent(mapping);
            let lines = fields.iter().map(|(name, value)| format!("\n{indent}  {name}: {}", plain(value)));
            let text = match self.is_flow(mapping) {
                true => format!("{part:?}: {}, ", flow(fields)),
                false => format!("{part}:{}\n{indent}", lines.collect::<String>()),
            };
            return Some(vec![Self::insert(mapping, text)?]);
        };
        if matches!(&inner.value, Value::Mapping(entries) if !entries.is_empty()) {
            return self.set(inner, fields);
        }
        let blank = if inner.span.start == inner.span.end { " " } else { "" };
        Some(vec![TextEdit { span: inner.span, text: format!("{blank}{}", flow(fields)) }])
    }

    /// Adds texts at the front of the list that is the field `list` of a mapping. `None` if the field is not a list.
    #[must_use]
    pub fn push(self, mapping: &Node, list: &str, items: &[&str]) -> Option<TextEdit> {
        let in_flow = items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
        self.push_items(mapping, list, &in_flow, &|_| items.iter().map(|item| plain(item)).collect())
    }

    /// Adds a mapping at the front of the list that is the field `list` of a mapping; of its fields those that are not empty.
    /// `None` if the field is not a list.
    ///
    /// ```
    /// use fbc::{Field, TextEditor};
    /// use source::FileId;
    ///
    /// let text = "name: c\nentries:\n- name: a\n";
    /// let node = &fbc::yaml_document(FileId(0), text).unwrap().node;
    /// let entry = [("name", Field::Text("b")), ("skips", Field::Texts(&["a".to_owned()]))];
    /// let edit = TextEditor { text }.push_mapping(node, "entries", &entry).unwrap();
    /// assert_eq!(edit.text, "name: b\n  skips:\n  - a\n- ");
    /// ```
    #[must_use]
    pub fn push_mapping(self, mapping: &Node, list: &str, fields: &[(&str, Field<'_>)]) -> Option<TextEdit> {
        let given = fields.iter().filter(|(_, value)| !value.is_empty());
        let in_flow: Vec<String> =
            given.clone().map(|(name, value)| format!("{name:?}: {}", value.in_flow())).collect();
        let in_flow = format!("{{{}}}", in_flow.join(", "));
        let lines = |indent: &str| {
            let fields: Vec<String> = given.clone().map(|(name, value)| value.in_block(name, indent)).collect();
            vec![fields.join(&format!("\n{indent}"))]
        };
        self.push_items(mapping, list, &in_flow, &lines)
    }

    /// Adds items at the front of a list; `in_block` writes them for an indentation.
    fn push_items(
        self,
        mapping: &Node,
        list: &str,
        in_flow: &str,
        in_block: &dyn Fn(&str) -> Vec<String>,
    ) -> Option<TextEdit> {
        let Some(found) = mapping.get(list) else {
            let new = format!("[{in_flow}]");
            return Self::insert(mapping, self.field(mapping, list, &new, &new));
        };
        match &found.value {
            Value::Sequence(old) if old.is_empty() => Some(TextEdit { span: found.span, text: format!("[{in_flow}]") }),
            Value::Sequence(old) => {
                let first = old.first()?.span;
                let text = if found.span.slice(self.text).starts_with('[') {
                    format!("{in_flow}, ")
                } else {
                    // What stands before the first item: blanks, and the dash.
                    let before = &self.text[self.line_start(first.start)..first.start as usize];
                    let dash = before.rfind('-')?;
                    let blanks = " ".repeat(before[..dash].chars().count());
                    let indent = " ".repeat(before.chars().count());
                    in_block(&indent).iter().map(|item| format!("{item}\n{blanks}{}", &before[dash..])).collect()
                };
                Some(TextEdit { span: first.at_start(), text })
            }
            _ => None,
        }
    }

    /// Replaces a scalar by a text, in quotes if the scalar is in quotes.
    #[must_use]
    pub fn scalar(self, old: &Node, value: &str) -> TextEdit {
        let was = old.span.slice(self.text);
        let text = match (was.is_empty(), was.starts_with('"')) {
            (true, _) => format!(" {}", plain(value)),
            (false, true) => quoted(value),
            (false, false) => plain(value),
        };
        TextEdit { span: old.span, text }
    }

    /// Whether a mapping is written in braces.
    #[must_use]
    pub fn is_flow(self, mapping: &Node) -> bool {
        mapping.span.slice(self.text).starts_with('{')
    }

    /// A field that a mapping does not have yet, as it is inserted, with its value in flow style or in block style.
    fn field(self, mapping: &Node, name: &str, in_flow: &str, in_block: &str) -> String {
        match self.is_flow(mapping) {
            true => format!("{name:?}: {in_flow}, "),
            false => format!("{name}: {in_block}\n{}", self.indent(mapping)),
        }
    }

    /// Inserts a text before the first key of a mapping.
    fn insert(mapping: &Node, text: String) -> Option<TextEdit> {
        Some(TextEdit { span: first_key(mapping)?.at_start(), text })
    }

    /// The blanks in the place of what stands before the first key of a mapping in its line.
    fn indent(self, mapping: &Node) -> String {
        let first = first_key(mapping).map_or(0, |key| key.start);
        let before = self.text.get(self.line_start(first)..first as usize).unwrap_or_default();
        " ".repeat(before.chars().count())
    }

    fn line_start(self, at: u32) -> usize {
        self.text.get(..at as usize).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
    }
}

/// The place of the key that comes first in the text.
fn first_key(mapping: &Node) -> Option<Span> {
    let Value::Mapping(entries) = &mapping.value else { return None };
    entries.iter().map(|(key, _)| key.span).min()
}

/// Texts as a mapping in flow style, which is JSON, too.
#[must_use]
pub fn flow(fields: &[(&str, &str)]) -> String {
    let members: Vec<String> = fields.iter().map(|(name, value)| format!("{name:?}: {}", quoted(value))).collect();
    format!("{{{}}}", members.join(", "))
}

/// A text in quotes, as JSON and YAML have it.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text without quotes, if every reader then reads this text, or else in quotes.
#[must_use]
pub fn plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let safe = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(byte))
        && bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && crate::write::is_plain(text);
    if safe { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    /// The text after `b.v1` was added to the skips of its first entry.
    fn pushed(text: &str) -> String {
        let document = crate::yaml_document(FileId(0), text).unwrap().node;
        let entry = match &document.get("entries").unwrap().value {
            Value::Sequence(entries) => &entries[0],
            other => panic!("{other:?}"),
        };
        let TextEdit { span, text: new } = TextEditor { text }.push(entry, "skips", &["b.v1"]).unwrap();
        let mut text = text.to_owned();
        text.replace_range(span.start as usize..span.end as usize, &new);
        text
    }

    /// The text after an edit of its mapping `spec`.
    fn edited(text: &str, edit: impl Fn(TextEditor<'_>, &Node) -> Option<TextEdit>) -> String {
        let document = crate::yaml_document(FileId(0), text).unwrap().node;
        let TextEdit { span, text: new } = edit(TextEditor { text }, document.get("spec").unwrap()).unwrap();
        let mut text = text.to_owned();
        text.replace_range(span.start as usize..span.end as usize, &new);
        assert!(crate::yaml_document(FileId(0), &text).is_ok(), "{text}");
        text
    }

    #[test]
    fn a_field_is_set_in_the_style_of_its_mapping() {
        let list = serde_json::json!(["b", "on"]);
        let put = |text: &str| edited(text, |editor, spec| editor.put(spec, "a", &list));
        assert_eq!(put("spec:\n  b: 1 # one\n"), "spec:\n  a:\n  - b\n  - \"on\"\n  b: 1 # one\n");
        assert_eq!(put("spec:\n  a:\n  - c\n  - d\n  b: 1\n"), "spec:\n  a:\n  - b\n  - \"on\"\n  b: 1\n");
        assert_eq!(put("spec:\n  a:\n  b: 1\n"), "spec:\n  a:\n  - b\n  - \"on\"\n  b: 1\n");
        assert_eq!(put("spec: {b: 1, a: c}\n"), "spec: {b: 1, \"a\": [\"b\",\"on\"]}\n");
        assert_eq!(put("{\"spec\": {\"a\": [], \"b\": 1}}"), "{\"spec\": {\"a\": [\"b\",\"on\"], \"b\": 1}}");
        let text = serde_json::json!("c");
        let put = |text_of: &str| edited(text_of, |editor, spec| editor.put(spec, "a", &text));
        assert_eq!(put("spec:\n  a: \"b\" # old\n"), "spec:\n  a: \"c\" # old\n");
        assert_eq!(put("spec:\n  a: |\n    b\n  d: 1\n"), "spec:\n  a: c\n  d: 1\n");
    }

    #[test]
    fn a_field_is_removed_with_its_line_or_its_comma() {
        let removed = |text: &str| edited(text, |editor, spec| editor.remove(spec, "a"));
        assert_eq!(removed("spec:\n  a: b # one\n  # two\n  c: d\n"), "spec:\n  # two\n  c: d\n");
        assert_eq!(removed("spec:\n  c: d\n  a:\n  - b\n  - c\nstatus: {}\n"), "spec:\n  c: d\nstatus: {}\n");
        assert_eq!(removed("spec:\n  a: b"), "spec:\n");
        assert_eq!(removed("spec: {a: b, c: d}\n"), "spec: {c: d}\n");
        assert_eq!(removed("spec: {c: d, a: b}\n"), "spec: {c: d}\n");
        assert_eq!(removed("{\"spec\": {\"a\": [1]}}"), "{\"spec\": {}}");
    }

    #[test]
    fn a_list_gets_an_item_in_its_own_style() {
        let cases = [
            ("entries:\n- name: a\n", "entries:\n- skips: [\"b.v1\"]\n  name: a\n"),
            ("entries:\n- {name: a}\n", "entries:\n- {\"skips\": [\"b.v1\"], name: a}\n"),
            ("entries:\n- name: a\n  skips: []\n", "entries:\n- name: a\n  skips: [\"b.v1\"]\n"),
            ("entries:\n- name: a\n  skips: [c]\n", "entries:\n- name: a\n  skips: [\"b.v1\", c]\n"),
            (
                "entries:\n  - name: a\n    skips:\n    -   c\n    -   d\n",
                "entries:\n  - name: a\n    skips:\n    -   b.v1\n    -   c\n    -   d\n",
            ),
            ("{\"entries\": [{\"name\": \"a\"}]}", "{\"entries\": [{\"skips\": [\"b.v1\"], \"name\": \"a\"}]}"),
        ];
        for (text, expected) in cases {
            assert_eq!(pushed(text), expected);
            assert!(crate::yaml_document(FileId(0), expected).is_ok());
        }
    }
}
