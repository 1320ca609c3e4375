//! Edits of the text of a mapping, which leave the rest of the text as it is.
//!
//! They keep the style of the mapping: block style gets lines, flow style and JSON get quoted members.

use crate::text_style::{Layout, Style, flow, plain, quoted};
use crate::{Node, Value, same_field};
use source::{FileId, Span, TextEdit};

/// A value of a mapping that is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    Text(&'a str),
    Texts(&'a [String]),
    /// A mapping, which is written in braces.
    Mapping(Fields<'a>),
    Mappings(&'a [Fields<'a>]),
}

/// The fields of a mapping that is added, of which those that are empty are left out.
pub type Fields<'a> = &'a [(&'a str, Field<'a>)];

impl Field<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Texts(texts) => texts.is_empty(),
            Self::Mapping(fields) => fields.is_empty(),
            Self::Mappings(items) => items.is_empty(),
        }
    }

    /// The field in brackets, or in quotes.
    fn in_flow(&self, name: &str, style: Style, layout: &Layout, around: TextEditor<'_>) -> String {
        match self {
            Self::Text(text) => style.value(text),
            Self::Texts(texts) => around.list_in_flow(name, texts, style, layout),
            Self::Mapping(fields) => in_flow(fields, style, layout, around),
            Self::Mappings(items) => {
                let inner = layout.inner();
                let items: Vec<String> = items.iter().map(|fields| in_flow(fields, style, &inner, around)).collect();
                layout.bracketed(['[', ']'], &items)
            }
        }
    }

    /// The lines of the field behind its indentation, as the text around it writes such fields.
    fn in_block(&self, name: &str, indent: &str, style: Style, around: TextEditor<'_>) -> String {
        let key = style.key(name);
        match self {
            Self::Texts(texts) if around.has_block_list(name) => {
                let items: String = texts.iter().map(|text| format!("\n{indent}- {}", style.value(text))).collect();
                format!("{key}:{items}")
            }
            Self::Mappings(items) => {
                let inner = format!("{indent}  ");
                let item = |fields: &Fields<'_>| format!("\n{indent}- {}", in_block(fields, &inner, style, around));
                format!("{key}:{}", items.iter().map(item).collect::<String>())
            }
            Self::Text(_) | Self::Texts(_) | Self::Mapping(_) => {
                format!("{key}: {}", self.in_flow(name, style, &Layout::Line, around))
            }
        }
    }
}

/// Fields in braces.
fn in_flow(fields: Fields<'_>, style: Style, layout: &Layout, around: TextEditor<'_>) -> String {
    let given = fields.iter().filter(|(_, value)| !value.is_empty());
    let inner = layout.inner();
    let field = |(name, value): &(&str, Field<'_>)| {
        format!("{}{}{}", style.key(name), layout.colon(), value.in_flow(name, style, &inner, around))
    };
    layout.bracketed(['{', '}'], &given.map(field).collect::<Vec<_>>())
}

/// Fields as a value of JSON, without blanks between its parts.
#[must_use]
pub fn in_json(fields: Fields<'_>) -> String {
    in_flow(fields, Style::JSON, &Layout::Compact, TextEditor { text: "" })
}

/// Fields in lines, of which the first is not indented.
fn in_block(fields: Fields<'_>, indent: &str, style: Style, around: TextEditor<'_>) -> String {
    let given = fields.iter().filter(|(_, value)| !value.is_empty());
    let given: Vec<String> = given.map(|(name, value)| value.in_block(name, indent, style, around)).collect();
    given.join(&format!("\n{indent}"))
}

/// The fields of a channel entry in their usual order. A new one is put behind those before it.
const ENTRY_FIELDS: [&str; 4] = ["name", "replaces", "skips", "skipRange"];

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
        let style = Style::of(self.text, mapping);
        let edit = |(name, value): &(&str, &str)| match entry(mapping, name) {
            Some((key, old)) => Some(TextEdit::new(self.value_span(key, old), self.scalar(old, value).text)),
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
                Some(TextEdit::new(span, if is_flow { flow } else { block() }))
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
    /// assert_eq!((edit.replaced(text), &*edit.text), ("channel: stable # for now\n", ""));
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
            (_, Some((key, before))) if self.is_flow(mapping) => (self.end_of_field(key.span, before), end),
            (Some(next), _) => (key.span.start, next),
            (None, _) => (key.span.start, end),
        };
        Some(TextEdit::new(Span::new(key.span.file, start, end), ""))
    }

    /// The place of a value, or of one that is missing behind its key.
    pub(crate) fn value_span(self, key: Span, value: &Node) -> Span {
        let colon = self.text[key.end as usize..].find(':').map_or(0, |at| at as u32 + 1);
        let is_missing = value.span.start == value.span.end && value.span.start < key.end + colon;
        if is_missing { Span::new(key.file, key.end + colon, key.end + colon) } else { value.span }
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
        Some(vec![TextEdit::new(inner.span, format!("{blank}{}", flow(fields)))])
    }

    /// What stands before an item in block style: blanks, and the dash.
    pub(crate) fn before_item(self, item: &Node) -> Option<String> {
        let before = &self.text[self.line_start(item.span.start)..item.span.start as usize];
        let dash = before.rfind('-')?;
        Some(" ".repeat(before[..dash].chars().count()) + &before[dash..])
    }

    /// The end of the line behind a value, before the line break, if only a comment is in between.
    pub(crate) fn end_of_line(self, end: u32) -> Option<u32> {
        let rest = self.text[end as usize..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let is_free = rest.trim().is_empty() || (rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#'));
        is_free.then_some(end + rest.len() as u32)
    }

    /// The end of an item of a list in block style, before the line break, with the comments below it that are indented as deep as
    /// its keys. `None` if something else is in its last line.
    pub(crate) fn end_of_item(self, item: &Node) -> Option<u32> {
        let end = self.end_of_line(item.span.end)?;
        Some(behind_comments(self.text, end as usize, self.column(item)) as u32)
    }

    fn column(self, item: &Node) -> usize {
        item.span.start as usize - self.line_start(item.span.start)
    }

    /// Adds a mapping to the list that is the field `list` of a mapping, before its item `at` or behind its last one. Comments
    /// above an item stay with it, as do those below it that are indented as deep as its keys. The new one is in braces if the item
    /// is, and its fields have the order of those of the item that is most like it. `None` if the field is not a list.
    ///
    /// ```
    /// use fbc::{Field, TextEditor};
    /// use source::FileId;
    ///
    /// let text = "name: c\nentries:\n# the first\n- name: a\n";
    /// let node = &fbc::yaml_document(FileId(0), text).unwrap().node;
    /// let entry = [("name", Field::Text("b")), ("skips", Field::Texts(&["a".to_owned()]))];
    /// let edit = TextEditor { text }.insert_mapping(node, "entries", 0, &entry).unwrap();
    /// assert_eq!(edit.text, "- name: b\n  skips: [a]\n");
    /// ```
    #[must_use]
    pub fn insert_mapping(self, mapping: &Node, list: &str, at: usize, fields: Fields<'_>) -> Option<TextEdit> {
        let style = Style::of(self.text, mapping);
        let layout = Layout::of(self.text, mapping).inner();
        let only = || layout.bracketed(['[', ']'], &[in_flow(fields, style, &layout.inner(), self)]);
        let Some((key, found)) = mapping.member(list) else {
            return self.new_field(mapping, list, &only(), &only());
        };
        let items = match &found.value {
            Value::Sequence(items) => &items[..],
            Value::Null => &[],
            _ => return None,
        };
        let Some(last) = items.last() else {
            let blank = if found.span.start == found.span.end { " " } else { "" };
            return Some(TextEdit::new(self.value_span(key.span, found), format!("{blank}{}", only())));
        };
        let next = items.get(at);
        let fields = in_order_of(items.iter(), fields);
        let inner = fields.iter().map(|(name, field)| match field {
            Field::Mapping(inner) => in_order_of(items.iter().filter_map(|item| item.field(name)), inner),
            _ => Vec::new(),
        });
        let inner: Vec<_> = inner.collect();
        let with_inner = fields.iter().zip(&inner).map(|((name, field), inner)| match field {
            Field::Mapping(_) => (*name, Field::Mapping(inner)),
            _ => (*name, *field),
        });
        let fields = &with_inner.collect::<Vec<_>>()[..];
        let like = next.unwrap_or(last);
        let style = Style::of(self.text, like);
        let flow = || in_flow(fields, style, &Layout::of(self.text, like), self);
        let edit = |at: u32, text: String| TextEdit::new(Span::new(found.span.file, at, at), text);
        if found.span.slice(self.text).starts_with('[') {
            let separator = Layout::of(self.text, found).separator();
            return Some(match next {
                Some(next) => edit(next.span.start, flow() + &separator),
                None => edit(last.span.end, separator + &flow()),
            });
        }
        let before = self.before_item(like)?;
        let item = match self.is_flow(like) {
            true => flow(),
            false => in_block(fields, &" ".repeat(before.chars().count()), style, self),
        };
        match next {
            Some(next) if self.is_alone(next) => Some(edit(self.with_comments(next), format!("{before}{item}\n"))),
            Some(next) => Some(edit(next.span.start, format!("{item}\n{before}"))),
            None => Some(edit(self.end_of_item(last)?, format!("\n{before}{item}"))),
        }
    }

    /// A document of these fields to be put behind the text, without a separator.
    #[must_use]
    pub fn document(self, fields: Fields<'_>) -> String {
        let end = self.text.len() as u32;
        let like = Node { span: Span::new(FileId(0), end, end), value: Value::Null };
        in_block(fields, "", Style::of(self.text, &like), self) + "\n"
    }

    /// Whether only its dash stands before an item in its line.
    pub(crate) fn is_alone(self, item: &Node) -> bool {
        self.text[self.line_start(item.span.start)..item.span.start as usize].trim() == "-"
    }

    /// The start of the line of an item, or of the first of the lines of comments directly above it. Those that are indented as deep
    /// as its keys belong to the item before it.
    fn with_comments(self, item: &Node) -> u32 {
        let mut start = self.line_start(item.span.start);
        while start > 0 {
            let above = self.line_start(start as u32 - 1);
            let line = &self.text[above..start];
            let comment = line.trim_start();
            if !comment.starts_with('#') || line.len() - comment.len() >= self.column(item) {
                break;
            }
            start = above;
        }
        start as u32
    }

    /// Replaces a scalar by a text, in quotes if the scalar is in quotes.
    #[must_use]
    pub fn scalar(self, old: &Node, value: &str) -> TextEdit {
        let was = old.span.slice(self.text);
        let style = Style::of(self.text, old);
        let text = match was.chars().next() {
            None => format!(" {}", style.value(value)),
            Some('"') => quoted(value),
            Some('\'') if !value.contains(char::is_control) => format!("'{}'", value.replace('\'', "''")),
            Some('|' | '>') if was.ends_with('\n') => format!("{}\n", style.value(value)),
            Some(_) => style.value(value),
        };
        TextEdit::new(old.span, text)
    }

    /// Whether a mapping is written in braces.
    #[must_use]
    pub fn is_flow(self, mapping: &Node) -> bool {
        mapping.span.slice(self.text).starts_with('{')
    }

    /// Adds a field that a mapping does not have yet, with its value in flow style or in block style: behind the fields that
    /// usually come before it or, if there are none, before all others.
    pub(crate) fn new_field(self, mapping: &Node, name: &str, in_flow: &str, in_block: &str) -> Option<TextEdit> {
        let Value::Mapping(entries) = &mapping.value else { return None };
        let is_flow = self.is_flow(mapping);
        let layout = Layout::of(self.text, mapping);
        let key = Style::of(self.text, mapping).key(name);
        let blank = if in_block.starts_with('\n') { "" } else { " " };
        let field = match is_flow {
            true => format!("{key}{}{in_flow}", layout.colon()),
            false => format!("{key}:{blank}{in_block}"),
        };
        let separator = if is_flow { layout.separator() } else { format!("\n{}", self.indent(mapping)) };
        let before = ENTRY_FIELDS.iter().take_while(|field| **field != name);
        let before: Vec<&str> = before.copied().filter(|_| ENTRY_FIELDS.contains(&name)).collect();
        let is_before = |key: &str| before.iter().any(|field| same_field(key, field));
        let behind = entries.iter().filter(|(key, _)| is_before(&key.value)).max_by_key(|(key, _)| key.span.end);
        let end = behind.map(|(key, value)| self.end_of_field(key.span, value));
        let end = end.and_then(|end| if is_flow { Some(end) } else { self.end_of_line(end) });
        match end {
            Some(end) => {
                let span = Span::new(mapping.span.file, end, end);
                Some(TextEdit::new(span, format!("{separator}{field}")))
            }
            None => Self::insert(mapping, format!("{field}{separator}")),
        }
    }

    /// Inserts a text before the first key of a mapping.
    fn insert(mapping: &Node, text: String) -> Option<TextEdit> {
        Some(TextEdit::new(first_key(mapping)?.at_start(), text))
    }

    /// The blanks in the place of what stands before the first key of a mapping in its line.
    pub(crate) fn indent(self, mapping: &Node) -> String {
        let first = first_key(mapping).map_or(0, |key| key.start);
        let before = self.text.get(self.line_start(first)..first as usize).unwrap_or_default();
        " ".repeat(before.chars().count())
    }

    pub(crate) fn line_start(self, at: u32) -> usize {
        self.text.get(..at as usize).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
    }
}

/// The end of the comments below a line that are indented by `column` or more, before the line break; `end` if there are none.
/// `end` is the end of the line, before or behind its break.
pub(crate) fn behind_comments(text: &str, mut end: usize, column: usize) -> usize {
    loop {
        let behind = &text[end..];
        let start = if text[..end].ends_with('\n') { Some(0) } else { behind.find('\n').map(|at| at + 1) };
        let line = start.and_then(|start| behind[start..].lines().next()).unwrap_or_default();
        let comment = line.trim_start();
        if !comment.starts_with('#') || line.len() - comment.len() < column {
            return end;
        }
        end += start.unwrap_or_default() + line.len();
    }
}

/// Fields in the order that they have in the item that has the most of them. Others stay behind the field that they are behind.
fn in_order_of<'n, 'f>(items: impl Iterator<Item = &'n Node>, fields: Fields<'f>) -> Vec<(&'f str, Field<'f>)> {
    let place = |item: &Node, name: &str| {
        let Value::Mapping(entries) = &item.value else { return None };
        entries.iter().position(|(key, _)| same_field(&key.value, name))
    };
    let given = fields.iter().filter(|(_, value)| !value.is_empty());
    let count = |item: &&Node| given.clone().filter(|(name, _)| place(item, name).is_some()).count();
    let Some(like) = items.max_by_key(count) else { return fields.to_vec() };
    let mut before = 0;
    let placed = fields.iter().map(|field| {
        before = place(like, field.0).unwrap_or(before);
        (before, *field)
    });
    let mut placed: Vec<(usize, (&str, Field<'_>))> = placed.collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, field)| field).collect()
}

/// A field of a mapping: the place of its key, and its value.
fn entry<'n>(mapping: &'n Node, name: &str) -> Option<(Span, &'n Node)> {
    let Value::Mapping(entries) = &mapping.value else { return None };
    entries.iter().find(|(key, _)| *key.value == *name).map(|(key, value)| (key.span, value))
}

/// The place of the key that comes first in the text.
pub(crate) fn first_key(mapping: &Node) -> Option<Span> {
    let Value::Mapping(entries) = &mapping.value else { return None };
    entries.iter().map(|(key, _)| key.span).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with edits, which are in its order.
    fn changed(text: &str, edits: &[TextEdit]) -> String {
        TextEdit::applied(edits, text).unwrap()
    }

    /// The text after an edit of its mapping `spec`.
    fn edited(text: &str, edit: impl Fn(TextEditor<'_>, &Node) -> Option<TextEdit>) -> String {
        let document = crate::yaml_document(FileId(0), text).unwrap().node;
        let edit = edit(TextEditor { text }, document.get("spec").unwrap()).unwrap();
        let text = TextEdit::applied(&[edit], text).unwrap();
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
    fn a_comment_below_an_item_belongs_to_it() {
        let of = |entries: &str| format!("entries:\n{entries}");
        let added = |text: &str, at: usize| {
            let fields = [("name", Field::Text("c")), ("replaces", Field::Text("b"))];
            let document = crate::yaml_document(FileId(0), text).unwrap().node;
            changed(text, &[TextEditor { text }.insert_mapping(&document, "entries", at, &fields).unwrap()])
        };
        let text = of("- name: a\n  # of a\n# of b\n- replaces: a\n  name: b # too\n  # of b\n\n  # end\n");
        let new = "- replaces: b\n  name: c\n";
        let [a, b, end] =
            ["- name: a\n  # of a\n", "# of b\n- replaces: a\n  name: b # too\n  # of b\n", "\n  # end\n"];
        assert_eq!(added(&text, 1), of(&format!("{a}{new}{b}{end}")));
        assert_eq!(added(&text, 2), of(&format!("{a}{b}{new}{end}")));
        // Without a line break at the end.
        assert_eq!(
            added("entries:\n- name: a\n  # of a", 1),
            "entries:\n- name: a\n  # of a\n- name: c\n  replaces: b"
        );
        // As deep as the dash.
        assert_eq!(added("entries:\n- name: a\n# end\n", 1), "entries:\n- name: a\n- name: c\n  replaces: b\n# end\n");
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
    fn texts_are_quoted_as_the_text_around_them() {
        let set = |text: &str| {
            let document = crate::yaml_document(FileId(0), text).unwrap().node;
            changed(text, &TextEditor { text }.set(&document, &[("skipRange", "<2.0.0")]).unwrap())
        };
        assert_eq!(set("name: a\nreplaces: b\n"), "name: a\nreplaces: b\nskipRange: '<2.0.0'\n");
        assert_eq!(set("name: \"a\"\nx: y\n"), "name: \"a\"\nskipRange: \"<2.0.0\"\nx: y\n");
        assert_eq!(set("name: a\nskipRange: '<1.0.0' # up\n"), "name: a\nskipRange: '<2.0.0' # up\n");
        assert_eq!(set("name: a\nskipRange:\nx: y\n"), "name: a\nskipRange: '<2.0.0'\nx: y\n");
        assert_eq!(set("name: a\nskipRange: >-\n  <1.0.0\nx: y\n"), "name: a\nskipRange: '<2.0.0'\nx: y\n");
        assert_eq!(set("{name: a, replaces: b}"), "{name: a, replaces: b, skipRange: '<2.0.0'}");
        assert_eq!(set("{\"name\": \"a\"}"), "{\"name\": \"a\", \"skipRange\": \"<2.0.0\"}");
    }
}
