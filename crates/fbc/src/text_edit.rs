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

    fn in_flow(&self, style: Style) -> String {
        match self {
            Self::Text(text) => style.value(text),
            Self::Texts(texts) => style.list(texts),
        }
    }

    /// The lines of the field behind its indentation.
    fn in_block(&self, name: &str, indent: &str, style: Style) -> String {
        match self {
            Self::Text(text) => format!("{name}: {}", style.value(text)),
            Self::Texts(texts) => {
                let items: String = texts.iter().map(|text| format!("\n{indent}- {}", style.value(text))).collect();
                format!("{name}:{items}")
            }
        }
    }
}

/// How the text around a mapping writes keys and texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// All of them in double quotes, as in JSON.
    Json,
    /// What needs no quotes stands without, and other texts in this character.
    Yaml(char),
}

impl Style {
    fn key(self, name: &str) -> String {
        if self == Self::Json { quoted(name) } else { name.to_owned() }
    }

    fn value(self, text: &str) -> String {
        match self {
            Self::Yaml(_) if is_plain(text) => text.to_owned(),
            // Between single quotes nothing else is escaped.
            Self::Yaml('\'') if !text.contains(char::is_control) => format!("'{}'", text.replace('\'', "''")),
            Self::Yaml(_) | Self::Json => quoted(text),
        }
    }

    fn list(self, texts: &[impl AsRef<str>]) -> String {
        format!("[{}]", self.items(texts))
    }

    fn items(self, texts: &[impl AsRef<str>]) -> String {
        texts.iter().map(|text| self.value(text.as_ref())).collect::<Vec<_>>().join(", ")
    }
}

/// The fields of a channel entry in their usual order. A new one is put behind those before it.
const ENTRY_FIELDS: [&str; 4] = ["name", "replaces", "skips", "skipRange"];

/// How far around a mapping its style is looked up, in bytes.
const AROUND: usize = 4096;

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
/// assert_eq!(new, ["'<2.0.0'", "\n  replaces: b"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextEditor<'a> {
    /// The text that the spans are of.
    pub text: &'a str,
}

impl TextEditor<'_> {
    /// Sets texts in a mapping. New fields of an entry have their usual place, others come first. `None` for an empty mapping
    /// and for other values.
    #[must_use]
    pub fn set(self, mapping: &Node, fields: &[(&str, &str)]) -> Option<Vec<TextEdit>> {
        let style = self.style(mapping);
        let edit = |(name, value): &(&str, &str)| match mapping.get(name) {
            Some(old) => Some(self.scalar(old, value)),
            None => self.new_field(mapping, name, &style.value(value), &style.value(value)),
        };
        let edits: Option<Vec<TextEdit>> = fields.iter().map(edit).collect();
        edits.filter(|_| first_key(mapping).is_some())
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

    /// Takes texts out of the list that is the field `list` of a mapping, and adds others at its end. A list of which nothing is
    /// left goes with its field. `None` if the field is not a list.
    ///
    /// ```
    /// use fbc::TextEditor;
    /// use source::FileId;
    ///
    /// let text = "name: c\nskips:\n- a # first\n- b\n";
    /// let node = &fbc::yaml_document(FileId(0), text).unwrap().node;
    /// let edits = TextEditor { text }.change_list(node, "skips", &["a"], &["c"]).unwrap();
    /// let edits: Vec<_> = edits.iter().map(|edit| (edit.span.slice(text), &*edit.text)).collect();
    /// assert_eq!(edits, [("- a # first\n", ""), ("", "\n- c")]);
    /// ```
    #[must_use]
    pub fn change_list(self, mapping: &Node, list: &str, removed: &[&str], added: &[&str]) -> Option<Vec<TextEdit>> {
        let style = self.style(mapping);
        let Some(found) = mapping.get(list) else {
            let in_block = match self.has_block_list(list) {
                true => added.iter().map(|text| format!("\n{}- {}", self.indent(mapping), style.value(text))).collect(),
                false => format!(" {}", style.list(added)),
            };
            let new = |in_block: &str| self.new_field(mapping, list, &style.list(added), in_block);
            return if added.is_empty() {
                Some(Vec::new())
            } else {
                new(in_block.trim_start_matches(' ')).map(|edit| vec![edit])
            };
        };
        let items = match &found.value {
            Value::Sequence(items) => &items[..],
            Value::Null => &[],
            _ => return None,
        };
        let is_removed = |item: &Node| item.as_str().is_some_and(|text| removed.contains(&text));
        let Some(last) = items.iter().rfind(|item| !is_removed(item)) else {
            if added.is_empty() {
                return self.remove(mapping, list).map(|edit| vec![edit]);
            }
            return self.replace_items(found, items, added, style).map(|edit| vec![edit]);
        };
        let mut edits = self.without_items(found, items, &is_removed)?;
        if !added.is_empty() {
            edits.push(self.append(found, last, added, style)?);
            edits.sort_by_key(|edit| edit.span);
        }
        Some(edits)
    }

    /// Whether a field with this name has a list in block style somewhere in the text before.
    fn has_block_list(self, list: &str) -> bool {
        [format!("{list}:\n"), format!("{list}:\r\n")].iter().any(|field| self.text.contains(field.as_str()))
    }

    /// Writes other items in the place of all items of a list.
    fn replace_items(self, list: &Node, items: &[Node], added: &[&str], style: Style) -> Option<TextEdit> {
        let [first, .., last] = items else {
            let blank = if list.span.start == list.span.end { " " } else { "" };
            return match items {
                [only] => Some(TextEdit { span: only.span, text: self.joined(list, only, added, style)? }),
                _ => Some(TextEdit { span: list.span, text: format!("{blank}{}", style.list(added)) }),
            };
        };
        let span = Span::new(list.span.file, first.span.start, last.span.end);
        Some(TextEdit { span, text: self.joined(list, first, added, style)? })
    }

    /// Items behind each other, as a list has the item `like`.
    fn joined(self, list: &Node, like: &Node, items: &[&str], style: Style) -> Option<String> {
        if list.span.slice(self.text).starts_with('[') {
            return Some(style.items(items));
        }
        let before = self.before_item(like)?;
        Some(items.iter().map(|item| style.value(item)).collect::<Vec<_>>().join(&format!("\n{before}")))
    }

    /// What stands before an item in block style: blanks, and the dash.
    fn before_item(self, item: &Node) -> Option<String> {
        let before = &self.text[self.line_start(item.span.start)..item.span.start as usize];
        let dash = before.rfind('-')?;
        Some(" ".repeat(before[..dash].chars().count()) + &before[dash..])
    }

    /// Cuts items out of a list, each with the comment behind it.
    fn without_items(self, list: &Node, items: &[Node], is_removed: &dyn Fn(&Node) -> bool) -> Option<Vec<TextEdit>> {
        let cut = |start: u32, end: u32| TextEdit { span: Span::new(list.span.file, start, end), text: String::new() };
        if !list.span.slice(self.text).starts_with('[') {
            let line = |item: &Node| {
                let start = self.line_start(item.span.start);
                let is_alone = self.text[start..item.span.start as usize].trim() == "-";
                let end = self.end_of_line(item.span.end).filter(|_| is_alone)?;
                let newline = self.text[end as usize..].find('\n').map_or(0, |at| at as u32 + 1);
                Some(cut(start as u32, end + newline))
            };
            return items.iter().filter(|item| is_removed(item)).map(line).collect();
        }
        let mut edits = Vec::new();
        let mut kept: Option<&Node> = None;
        let mut at = 0;
        while let Some(item) = items.get(at) {
            if !is_removed(item) {
                (kept, at) = (Some(item), at + 1);
                continue;
            }
            let run = items[at..].iter().take_while(|item| is_removed(item)).count();
            let (end, next) = (items[at + run - 1].span.end, items.get(at + run));
            edits.push(match (kept, next) {
                (Some(kept), _) => cut(kept.span.end, end),
                (None, Some(next)) => cut(item.span.start, next.span.start),
                (None, None) => cut(item.span.start, end),
            });
            at += run;
        }
        Some(edits)
    }

    /// Adds items behind the one that is the last.
    fn append(self, list: &Node, last: &Node, added: &[&str], style: Style) -> Option<TextEdit> {
        if list.span.slice(self.text).starts_with('[') {
            let span = Span::new(list.span.file, last.span.end, last.span.end);
            return Some(TextEdit { span, text: format!(", {}", style.items(added)) });
        }
        let end = self.end_of_line(last.span.end)?;
        let text = format!("\n{}{}", self.before_item(last)?, self.joined(list, last, added, style)?);
        Some(TextEdit { span: Span::new(list.span.file, end, end), text })
    }

    /// The end of the line behind a value, before the line break, if only a comment is in between.
    fn end_of_line(self, end: u32) -> Option<u32> {
        let rest = self.text[end as usize..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let is_free = rest.trim().is_empty() || (rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#'));
        is_free.then_some(end + rest.len() as u32)
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
        let style = self.style(mapping);
        let given = fields.iter().filter(|(_, value)| !value.is_empty());
        let in_flow: Vec<String> =
            given.clone().map(|(name, value)| format!("{}: {}", style.key(name), value.in_flow(style))).collect();
        let in_flow = format!("{{{}}}", in_flow.join(", "));
        let lines = |indent: &str| {
            let fields: Vec<String> = given.clone().map(|(name, value)| value.in_block(name, indent, style)).collect();
            fields.join(&format!("\n{indent}"))
        };
        self.push_item(mapping, list, &in_flow, &lines)
    }

    /// Adds an item at the front of a list; `in_block` writes it for an indentation.
    fn push_item(
        self,
        mapping: &Node,
        list: &str,
        in_flow: &str,
        in_block: &dyn Fn(&str) -> String,
    ) -> Option<TextEdit> {
        let Some(found) = mapping.get(list) else {
            let new = format!("[{in_flow}]");
            return self.new_field(mapping, list, &new, &new);
        };
        match &found.value {
            Value::Sequence(old) if old.is_empty() => Some(TextEdit { span: found.span, text: format!("[{in_flow}]") }),
            Value::Sequence(old) => {
                let first = old.first()?;
                let text = if found.span.slice(self.text).starts_with('[') {
                    format!("{in_flow}, ")
                } else {
                    let before = self.before_item(first)?;
                    format!("{}\n{before}", in_block(&" ".repeat(before.chars().count())))
                };
                Some(TextEdit { span: first.span.at_start(), text })
            }
            _ => None,
        }
    }

    /// Replaces a scalar by a text, in quotes if the scalar is in quotes.
    #[must_use]
    pub fn scalar(self, old: &Node, value: &str) -> TextEdit {
        let was = old.span.slice(self.text);
        let style = self.style(old);
        let text = match was.chars().next() {
            None => format!(" {}", style.value(value)),
            Some('"') => quoted(value),
            Some('\'') if !value.contains(char::is_control) => format!("'{}'", value.replace('\'', "''")),
            Some('|' | '>') if was.ends_with('\n') => format!("{}\n", style.value(value)),
            Some(_) => style.value(value),
        };
        TextEdit { span: old.span, text }
    }

    /// How the text around a value is written: in JSON, or with the quotes of the nearest text before it or behind it.
    fn style(self, value: &Node) -> Style {
        let key = first_key(value).map(|key| key.slice(self.text));
        let around = |from: usize, to: usize| {
            let (from, to) = (self.text.floor_char_boundary(from), self.text.ceil_char_boundary(to));
            &self.text[from..to]
        };
        let (start, end) = (value.span.start as usize, value.span.end as usize);
        let before = around(start.saturating_sub(AROUND), start);
        let behind = around(start, (end + AROUND).min(self.text.len()));
        let quote = |text: &str, at: usize| text[at + 2..].chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let nearest = (before.rmatch_indices(": ").find_map(|(at, _)| quote(before, at)))
            .or_else(|| behind.match_indices(": ").find_map(|(at, _)| quote(behind, at)));
        match (key, nearest) {
            (Some(key), _) if key.starts_with('"') => Style::Json,
            (_, Some(quote)) => Style::Yaml(quote),
            (_, None) => Style::Yaml('\''),
        }
    }

    /// Whether a mapping is written in braces.
    #[must_use]
    pub fn is_flow(self, mapping: &Node) -> bool {
        mapping.span.slice(self.text).starts_with('{')
    }

    /// Adds a field that a mapping does not have yet, with its value in flow style or in block style: behind the fields that
    /// usually come before it or, if there are none, before all others.
    fn new_field(self, mapping: &Node, name: &str, in_flow: &str, in_block: &str) -> Option<TextEdit> {
        let Value::Mapping(entries) = &mapping.value else { return None };
        let is_flow = self.is_flow(mapping);
        let blank = if in_block.starts_with('\n') { "" } else { " " };
        let field = match is_flow {
            true => format!("{}: {in_flow}", self.style(mapping).key(name)),
            false => format!("{name}:{blank}{in_block}"),
        };
        let before = ENTRY_FIELDS.iter().take_while(|field| **field != name);
        let before: Vec<&str> = before.copied().filter(|_| ENTRY_FIELDS.contains(&name)).collect();
        let behind =
            entries.iter().filter(|(key, _)| before.contains(&&*key.value)).max_by_key(|(key, _)| key.span.end);
        let end = behind.map(|(key, value)| self.end_of_field(key.span, value));
        let end = end.and_then(|end| if is_flow { Some(end) } else { self.end_of_line(end) });
        match end {
            Some(end) => {
                let text = if is_flow { format!(", {field}") } else { format!("\n{}{field}", self.indent(mapping)) };
                Some(TextEdit { span: Span::new(mapping.span.file, end, end), text })
            }
            None if is_flow => Self::insert(mapping, format!("{field}, ")),
            None => Self::insert(mapping, format!("{field}\n{}", self.indent(mapping))),
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
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Whether every reader reads this text where it stands without quotes.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(byte))
        && bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && crate::write::is_plain(text)
}

/// A new text with the line ends of the text around the place where it is put.
#[must_use]
pub fn with_line_ends(text: &str, offset: u32, new: &str) -> String {
    let (before, after) = text.split_at(offset as usize);
    let break_at = after.find('\n').map(|at| at + before.len()).or_else(|| before.rfind('\n'));
    let carriage = break_at.and_then(|at| at.checked_sub(1)).is_some_and(|at| text.as_bytes()[at] == b'\r');
    if carriage { new.replace('\n', "\r\n") } else { new.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    /// The text after names were taken out of the skips of its first entry, and `b.v1` was added.
    fn pushed(text: &str, removed: &[&str]) -> String {
        let document = crate::yaml_document(FileId(0), text).unwrap().node;
        let entry = match &document.get("entries").unwrap().value {
            Value::Sequence(entries) => &entries[0],
            other => panic!("{other:?}"),
        };
        changed(text, &TextEditor { text }.change_list(entry, "skips", removed, &["b.v1"]).unwrap())
    }

    /// The text with edits, which are in its order.
    fn changed(text: &str, edits: &[TextEdit]) -> String {
        let mut new = text.to_owned();
        for edit in edits.iter().rev() {
            new.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        new
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
            ("entries:\n- name: a\n", "entries:\n- name: a\n  skips: [b.v1]\n"),
            ("entries:\n- {name: a}\n", "entries:\n- {name: a, skips: [b.v1]}\n"),
            ("entries:\n- name: a # one\n  skips: []\n", "entries:\n- name: a # one\n  skips: [b.v1]\n"),
            (
                "entries:\n- skipRange: <1.0.0\n  name: a\n",
                "entries:\n- skipRange: <1.0.0\n  name: a\n  skips: [b.v1]\n",
            ),
            ("entries:\n- name: a\n  skips: [c]\n", "entries:\n- name: a\n  skips: [c, b.v1]\n"),
            (
                "entries:\n- name: a # one\n- name: c\n  skips:\n  - d\n",
                "entries:\n- name: a # one\n  skips:\n  - b.v1\n- name: c\n  skips:\n  - d\n",
            ),
            (
                "entries:\n  - name: a\n    skips:\n    -   c\n    -   d # two\n",
                "entries:\n  - name: a\n    skips:\n    -   c\n    -   d # two\n    -   b.v1\n",
            ),
            ("{\"entries\": [{\"name\": \"a\"}]}", "{\"entries\": [{\"name\": \"a\", \"skips\": [\"b.v1\"]}]}"),
        ];
        for (text, expected) in cases {
            assert_eq!(pushed(text, &[]), expected);
            assert!(crate::yaml_document(FileId(0), expected).is_ok());
        }
    }

    #[test]
    fn a_list_loses_items_in_its_own_style() {
        let of = |skips: &str| format!("entries:\n- name: a\n  skips: {skips}\n  x: y\n");
        for (text, removed, expected) in [
            ("[c, d, e]", &["d", "e"][..], "[c, b.v1]"),
            ("[c, d, e]", &["c", "d"], "[e, b.v1]"),
            ("[c, d, e]", &["c", "e"], "[d, b.v1]"),
            ("[c, d]", &["c", "d"], "[b.v1]"),
            ("\n  - c\n  - d # two\n  - e", &["d"], "\n  - c\n  - e\n  - b.v1"),
            ("\n  - c\n  - d", &["d"], "\n  - c\n  - b.v1"),
            ("\n  - c\n  - d", &["c", "d"], "\n  - b.v1"),
        ] {
            assert_eq!(pushed(&of(text), removed), of(expected), "{text}");
        }
        let removed = |text: &str| {
            let document = crate::yaml_document(FileId(0), text).unwrap().node;
            changed(text, &TextEditor { text }.change_list(&document, "skips", &["c", "d"], &[]).unwrap())
        };
        assert_eq!(removed("name: a\nskips:\n- c\n- d\nx: y\n"), "name: a\nx: y\n");
        assert_eq!(removed("{name: a, skips: [c, d]}"), "{name: a}");
        assert_eq!(removed("{\"skips\": [\"c\", \"e\"], \"name\": \"a\"}"), "{\"skips\": [\"e\"], \"name\": \"a\"}");
    }

    #[test]
    fn texts_are_quoted_as_the_text_around_them() {
        let set = |text: &str| {
            let document = crate::yaml_document(FileId(0), text).unwrap().node;
            changed(text, &TextEditor { text }.set(&document, &[("skipRange", "<2.0.0")]).unwrap())
        };
        assert_eq!(set("name: a\nreplaces: b\n"), "name: a\nreplaces: b\nskipRange: '<2.0.0'\n");
        assert_eq!(set("name: \"a\"\nx: y\n"), "name: \"a\"\nskipRange: \"<2.0.0\"\nx: y\n");
        assert_eq!(set("name: a\nskipRange: '<1.0.0' # up\n"), "name: a\nskipRange: '<2.0.0' # up\n");
        assert_eq!(set("name: a\nskipRange: >-\n  <1.0.0\nx: y\n"), "name: a\nskipRange: '<2.0.0'\nx: y\n");
        assert_eq!(set("{name: a, replaces: b}"), "{name: a, replaces: b, skipRange: '<2.0.0'}");
        assert_eq!(set("{\"name\": \"a\"}"), "{\"name\": \"a\", \"skipRange\": \"<2.0.0\"}");
    }

    #[test]
    fn new_lines_end_as_those_around_them() {
        assert_eq!(with_line_ends("a\r\nb\r\n", 1, "\nc"), "\r\nc");
        assert_eq!(with_line_ends("a\nb", 3, "\nc"), "\nc");
    }
}
