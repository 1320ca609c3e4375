//! Edits of the lists of texts in mappings, such as `skips`.

use crate::text_style::{Layout, Style};
use crate::{Node, TextEditor, Value};
use source::{Span, TextEdit};

impl TextEditor<'_> {
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
    /// let edits: Vec<_> = edits.iter().map(|edit| (edit.replaced(text), &*edit.text)).collect();
    /// assert_eq!(edits, [("- a # first\n", ""), ("", "\n- c")]);
    /// ```
    #[must_use]
    pub fn change_list(self, mapping: &Node, list: &str, removed: &[&str], added: &[&str]) -> Option<Vec<TextEdit>> {
        let style = Style::of(self.text, mapping);
        let Some((key, found)) = mapping.member(list) else {
            let in_flow = self.list_in_flow(list, added, style, &Layout::of(self.text, mapping).inner());
            let in_block = match self.has_block_list(list) {
                true => added.iter().map(|text| format!("\n{}- {}", self.indent(mapping), style.value(text))).collect(),
                false => in_flow.clone(),
            };
            let new = || self.new_field(mapping, list, &in_flow, &in_block).map(|edit| vec![edit]);
            return if added.is_empty() { Some(Vec::new()) } else { new() };
        };
        let items = match &found.value {
            Value::Sequence(items) => &items[..],
            Value::Null => &[],
            _ => return None,
        };
        let is_removed = |item: &Node| item.as_str().is_some_and(|text| removed.contains(&text));
        let Some(last) = items.iter().rfind(|item| !is_removed(item)) else {
            if added.is_empty() {
                return self.remove(mapping, &key.value).map(|edit| vec![edit]);
            }
            let layout = Layout::of(self.text, mapping).inner();
            let place = self.value_span(key.span, found);
            return self.replace_items((list, &layout), (found, place, items), added, style).map(|edit| vec![edit]);
        };
        let mut edits = self.without_items(found, items, &is_removed)?;
        if !added.is_empty() {
            edits.push(self.append(found, last, added, style)?);
            edits.sort_by_key(|edit| (edit.start, edit.end));
        }
        Some(edits)
    }

    /// Texts in brackets. Where each part has its own line they have it, too, unless the text has such lists on one line.
    pub(crate) fn list_in_flow(self, name: &str, texts: &[impl AsRef<str>], style: Style, layout: &Layout) -> String {
        let start = format!("\"{name}\": [");
        let mut lists = self.text.match_indices(&start).map(|(at, _)| &self.text[at + start.len()..]);
        let is_on_a_line = lists.any(|list| !list.starts_with(['\n', '\r', ']']));
        let layout = if is_on_a_line { &Layout::Line } else { layout };
        layout.bracketed(['[', ']'], &style.values(texts))
    }

    /// Whether a field with this name has a list in block style somewhere in the text.
    pub(crate) fn has_block_list(self, list: &str) -> bool {
        [format!("{list}:\n"), format!("{list}:\r\n")].iter().any(|field| self.text.contains(field.as_str()))
    }

    /// Writes other items in the place of all items of a list.
    fn replace_items(
        self,
        (name, layout): (&str, &Layout),
        (list, place, items): (&Node, Span, &[Node]),
        added: &[&str],
        style: Style,
    ) -> Option<TextEdit> {
        let [first, .., last] = items else {
            let blank = if list.span.start == list.span.end { " " } else { "" };
            return match items {
                [only] => Some(TextEdit::new(only.span, self.joined(list, only, added, style)?)),
                _ => {
                    let text = format!("{blank}{}", self.list_in_flow(name, added, style, layout));
                    Some(TextEdit::new(place, text))
                }
            };
        };
        let span = Span::new(list.span.file, first.span.start, last.span.end);
        Some(TextEdit::new(span, self.joined(list, first, added, style)?))
    }

    /// Items behind each other, as a list has the item `like`.
    fn joined(self, list: &Node, like: &Node, items: &[&str], style: Style) -> Option<String> {
        if list.span.slice(self.text).starts_with('[') {
            return Some(style.values(items).join(&Layout::of(self.text, list).separator()));
        }
        let before = self.before_item(like)?;
        Some(style.values(items).join(&format!("\n{before}")))
    }

    /// Cuts items out of a list, each with the comments behind it.
    fn without_items(self, list: &Node, items: &[Node], is_removed: &dyn Fn(&Node) -> bool) -> Option<Vec<TextEdit>> {
        let cut = |start: u32, end: u32| TextEdit::new(Span::new(list.span.file, start, end), "");
        if !list.span.slice(self.text).starts_with('[') {
            let line = |item: &Node| {
                let start = self.line_start(item.span.start);
                let end = self.end_of_item(item).filter(|_| self.is_alone(item))?;
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

    /// Adds items at the end of the list.
    fn append(self, list: &Node, last: &Node, added: &[&str], style: Style) -> Option<TextEdit> {
        if list.span.slice(self.text).starts_with('[') {
            let span = Span::new(list.span.file, last.span.end, last.span.end);
            let separator = Layout::of(self.text, list).separator();
            return Some(TextEdit::new(span, separator + &self.joined(list, last, added, style)?));
        }
        let end = self.end_of_item(last)?;
        let text = format!("\n{}{}", self.before_item(last)?, self.joined(list, last, added, style)?);
        Some(TextEdit::new(Span::new(list.span.file, end, end), text))
    }
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
        TextEdit::applied(edits, text).unwrap()
    }

    #[test]
    fn a_list_gets_an_item_in_its_own_style() {
        let cases = [
            ("entries:\n- name: a\n", "entries:\n- name: a\n  skips: [b.v1]\n"),
            ("entries:\n- {name: a}\n", "entries:\n- {name: a, skips: [b.v1]}\n"),
            ("entries:\n- name: a\n  skips: # none\n", "entries:\n- name: a\n  skips: [b.v1] # none\n"),
            ("entries:\n- Name: a\n  Skips:\n  - c\n", "entries:\n- Name: a\n  Skips:\n  - c\n  - b.v1\n"),
            ("entries:\n- Name: a\n", "entries:\n- Name: a\n  Skips: [b.v1]\n"),
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
            ("\n  - c\n    # of c\n  # of d\n  - d\n    # of d", &["c"], "\n  # of d\n  - d\n    # of d\n  - b.v1"),
            ("\n  - c\n  - d\n    # of d", &["d"], "\n  - c\n  - b.v1"),
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
}
