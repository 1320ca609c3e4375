//! JSON text to nodes, one level at a time: `serde_json` skips values that are not opened.

use crate::budget::Budget;
use crate::go_type::{self, GoType, fits_json};
use crate::node::{Entry, MAX_OPEN_DEPTH, last_of_each, same_field};
use crate::parse::Findings;
use crate::{Node, Number, Value, raw, reinterpreted_text};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use source::{FileId, Span, Spanned};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Reads JSON that `serde_json` has already accepted.
pub(crate) struct Reader<'a> {
    pub(crate) file: FileId,
    /// The whole text, which every raw value points into.
    pub(crate) text: &'a str,
    /// Whether property values that nobody reads are built too.
    pub(crate) open_all: bool,
    /// Where the document begins.
    start: u32,
    budget: Budget,
    is_spent: bool,
    /// Findings about keys that occur twice and about values that are not kept as written.
    pub(crate) diagnostics: Findings,
    /// Starts of unopened values of properties that certainly have the shape of their type; ascending.
    pub(crate) fitting: Vec<u32>,
}

/// The place of a value in a document, as far as it decides whether the value is opened.
#[derive(Clone, Copy)]
enum Place {
    Root,
    Properties,
    Property,
    /// The value of a property that nobody reads, and its type if it has one.
    UnreadValue(Option<&'static GoType>),
    Other,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: FileId, text: &'a str, open_all: bool) -> Self {
        Self {
            file,
            text,
            open_all,
            start: 0,
            budget: Budget::of(0),
            is_spent: false,
            diagnostics: Findings::default(),
            fitting: Vec::new(),
        }
    }

    pub(crate) fn document(&mut self, raw: &'a RawValue) -> Node {
        self.budget = Budget::of(raw.get().len());
        self.start = self.span(raw.get()).start;
        self.node(raw, Place::Root, 0)
    }

    /// Whether the document holds more than may be built; its tree is then incomplete.
    pub(crate) const fn is_spent(&self) -> bool {
        self.is_spent
    }

    fn node(&mut self, raw: &'a RawValue, place: Place, depth: usize) -> Node {
        let text = raw.get();
        let span = self.span(text);
        let first = text.as_bytes().first();
        if let (Place::UnreadValue(of), Some(b'{' | b'[')) = (place, first) {
            if of.is_some_and(|of| fits_json(text, of)) {
                self.fitting.push(span.start);
            }
            return Node { span, value: Value::Unopened };
        }
        let value = match first {
            Some(b'{' | b'[') if depth >= MAX_OPEN_DEPTH => Value::Unopened,
            Some(b'{') => self.mapping(text, place, depth),
            Some(b'[') => self.sequence(text, place, depth),
            Some(b'"') => Value::String(self.string(text)),
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'n') | None => Value::Null,
            Some(_) => Value::Number(self.number(text, span)),
        };
        let node = Node { span, value };
        self.is_spent |= self.budget.node(&node).is_err();
        node
    }

    fn sequence(&mut self, text: &'a str, place: Place, depth: usize) -> Value {
        let inner = if matches!(place, Place::Properties) { Place::Property } else { Place::Other };
        let mut items = Vec::new();
        each(text, |_, item| {
            if !self.is_spent {
                items.push(self.node(item, inner, depth + 1));
            }
        });
        items.shrink_to_fit();
        Value::Sequence(items)
    }

    fn mapping(&mut self, text: &'a str, place: Place, depth: usize) -> Value {
        let mut entries: Vec<Entry> = Vec::new();
        each(text, |key, value| {
            let Some(key) = key.filter(|_| !self.is_spent) else { return };
            let key = Spanned::new(self.string(key.get()), self.span(key.get()));
            let inner = if self.open_all { Place::Other } else { inside(place, &key.value, &entries) };
            let node = self.node(value, inner, depth + 1);
            self.is_spent |= self.budget.key(&key.value).is_err();
            entries.push(Entry { key, node, merged: false });
        });
        Value::Mapping(last_of_each(entries, &mut self.diagnostics))
    }

    /// A number; an integer of Go is one of digits only.
    fn number(&mut self, text: &str, span: Span) -> Number {
        let value: f64 = text.parse().expect("a JSON number is a number to Rust");
        self.diagnostics.extend(reinterpreted_text::json_number(text, value, span, self.start));
        match text.parse::<i64>() {
            Ok(whole) => Number::of_json_integer(whole, value),
            Err(_) => Number::float(value),
        }
    }

    /// The text of a JSON string; lone surrogates become U+FFFD as in Go.
    fn string(&mut self, quoted: &str) -> Box<str> {
        let inner = &quoted[1..quoted.len() - 1];
        if !inner.contains('\\') {
            return inner.into();
        }
        let mut repaired = Cow::Borrowed(quoted);
        for lone in lone_surrogates(quoted) {
            let escape = &quoted[lone.clone()];
            self.diagnostics.push(reinterpreted_text::lone_surrogate(escape, self.span(escape)));
            repaired.to_mut().replace_range(lone, "\\ufffd");
        }
        serde_json::from_str(&repaired)
            .expect("a raw value is well-formed JSON, and what serde_json rejects is repaired")
    }

    fn span(&self, part: &str) -> Span {
        let start = part.as_ptr().addr() - self.text.as_ptr().addr();
        Span::new(self.file, start as u32, (start + part.len()) as u32)
    }
}

/// The place of the value of `key`, after the entries before it.
fn inside(place: Place, key: &str, before: &[Entry]) -> Place {
    let is = |name: &str| same_field(key, name);
    let unread = || {
        let kind = before.iter().rev().find(|entry| same_field(&entry.key.value, "type"));
        kind.and_then(|entry| entry.node.as_str()).filter(|kind| !raw::is_read(kind))
    };
    match place {
        Place::Root if is("properties") => Place::Properties,
        Place::Property if is("value") => {
            unread().map_or(Place::Other, |kind| Place::UnreadValue(go_type::of_property(kind)))
        }
        _ => Place::Other,
    }
}

/// The escapes in a JSON string that are halves of characters.
fn lone_surrogates(quoted: &str) -> Vec<Range<usize>> {
    let unit = |at: usize| {
        let digits = quoted.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(plain) = memchr::memchr(b'\\', &quoted.as_bytes()[at..]) {
        at += plain;
        match unit(at) {
            None => at += 2,
            Some(0xd800..=0xdbff) if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => at += 12,
            Some(code) => {
                lone.extend(matches!(code, 0xd800..=0xdfff).then_some(at..at + 6));
                at += 6;
            }
        }
    }
    lone
}

/// What is done with each item of a list, or with each key and value of an object, one level deep.
struct Each<F>(F);

/// Goes through a list or an object, whose syntax was checked already. The items of a list have no key.
fn each<'a>(text: &'a str, take: impl FnMut(Option<&'a RawValue>, &'a RawValue)) {
    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_any(Each(take)).expect("a raw value is well-formed JSON of the kind of its first byte");
}

impl<'de, F: FnMut(Option<&'de RawValue>, &'de RawValue)> Visitor<'de> for Each<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
        while let Some(item) = access.next_element()? {
            (self.0)(None, item);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
        while let Some((key, value)) = access.next_entry()? {
            (self.0)(Some(key), value);
        }
        Ok(())
    }
}
