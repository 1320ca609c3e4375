//! JSON text to nodes, one level at a time: what is not opened is passed over by `serde_json` as a raw slice.

use crate::findings::Findings;
use crate::go_type::{self, GoType, fits_json};
use crate::mapping::{Entry, last_of_each};
use crate::node::MAX_OPEN_DEPTH;
use crate::{Node, Number, Value, raw, reinterpreted_text};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use source::{FileId, Span, Spanned};
use std::fmt;

/// Reads JSON that `serde_json` has already accepted.
pub(crate) struct Reader<'a> {
    pub(crate) file: FileId,
    /// The whole text, which every raw value points into.
    pub(crate) text: &'a str,
    /// Whether property values that nobody reads are built too.
    pub(crate) open_all: bool,
    /// Where the document begins.
    start: u32,
    /// Doubled keys and what is not kept as it is written.
    pub(crate) diagnostics: Findings,
    /// Starts of unopened values of properties that have the shape of their type, for certain; ascending.
    pub(crate) fitting: Vec<u32>,
}

/// Where in a document a value stands, as far as it decides whether the value is opened.
#[derive(Clone, Copy)]
enum Place {
    Root,
    Properties,
    Property,
    /// The value of a property that nobody reads, and its type if it has one.
    UnreadValue(Option<&'static GoType>),
    Icon,
    IconData,
    Other,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: FileId, text: &'a str, open_all: bool) -> Self {
        Self { file, text, open_all, start: 0, diagnostics: Findings::default(), fitting: Vec::new() }
    }

    /// The tree of one document.
    pub(crate) fn document(&mut self, raw: &'a RawValue) -> Node {
        self.start = self.span(raw.get()).start;
        self.node(raw, Place::Root, 0)
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
            Some(b'"') if matches!(place, Place::IconData) => Value::Unopened,
            Some(b'"') => Value::String(self.string(text)),
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'n') | None => Value::Null,
            Some(_) => Value::Number(self.number(text, span)),
        };
        Node { span, value }
    }

    fn sequence(&mut self, text: &'a str, place: Place, depth: usize) -> Value {
        let items: Vec<&RawValue> = level(text);
        let inner = if matches!(place, Place::Properties) { Place::Property } else { Place::Other };
        Value::Sequence(items.into_iter().map(|item| self.node(item, inner, depth + 1)).collect())
    }

    fn mapping(&mut self, text: &'a str, place: Place, depth: usize) -> Value {
        let Fields(fields) = level(text);
        let mut entries: Vec<Entry> = Vec::with_capacity(fields.len());
        for (key, value) in fields {
            let key = Spanned::new(self.string(key.get()), self.span(key.get()));
            let inner = if self.open_all { Place::Other } else { inside(place, &key.value, &entries) };
            let node = self.node(value, inner, depth + 1);
            entries.push(Entry { key, node, merged: false });
        }
        Value::Mapping(last_of_each(entries, &mut self.diagnostics))
    }

    /// A number, which passes through `float64`.
    fn number(&mut self, text: &str, span: Span) -> Number {
        let value: f64 = text.parse().expect("a JSON number is a number to Rust");
        self.diagnostics.extend(reinterpreted_text::json_number(text, value, span, self.start));
        Number(value)
    }

    /// The text of a JSON string; lone surrogates become U+FFFD as in Go.
    fn string(&mut self, quoted: &str) -> Box<str> {
        let inner = &quoted[1..quoted.len() - 1];
        if !inner.contains('\\') {
            return inner.into();
        }
        serde_json::from_str(quoted).unwrap_or_else(|_| {
            let (text, lone) = unescape(inner);
            for at in lone {
                let escape = &inner[at..at + 6];
                self.diagnostics.push(reinterpreted_text::lone_surrogate(escape, self.span(escape)));
            }
            text.into()
        })
    }

    fn span(&self, part: &str) -> Span {
        let start = part.as_ptr().addr() - self.text.as_ptr().addr();
        Span::new(self.file, start as u32, (start + part.len()) as u32)
    }
}

/// The place of the value of `key`, after the entries before it.
fn inside(place: Place, key: &str, before: &[Entry]) -> Place {
    let is = |name: &str| key.eq_ignore_ascii_case(name);
    let unread = || {
        let kind = before.iter().rev().find(|entry| entry.key.value.eq_ignore_ascii_case("type"));
        kind.and_then(|entry| entry.node.as_str()).filter(|kind| !raw::is_read(kind))
    };
    match place {
        Place::Root if is("properties") => Place::Properties,
        Place::Root if is("icon") => Place::Icon,
        Place::Icon if is("base64data") => Place::IconData,
        Place::Property if is("value") => {
            unread().map_or(Place::Other, |kind| Place::UnreadValue(go_type::of_property(kind)))
        }
        _ => Place::Other,
    }
}

/// The text inside the quotes of a JSON string, and where in it halves of characters stand.
fn unescape(inner: &str) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(inner.len());
    let mut lone = Vec::new();
    let mut rest = inner;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.push_str(plain);
        let (c, length) = match escape.as_bytes().first() {
            Some(b'u') => unit(escape),
            Some(b'b') => ('\u{8}', 1),
            Some(b'f') => ('\u{c}', 1),
            Some(b'n') => ('\n', 1),
            Some(b'r') => ('\r', 1),
            Some(b't') => ('\t', 1),
            _ => (escape.chars().next().unwrap_or_default(), 1),
        };
        if length == 5 && c == char::REPLACEMENT_CHARACTER && !escape[1..5].eq_ignore_ascii_case("fffd") {
            lone.push(inner.len() - escape.len() - 1);
        }
        out.push(c);
        rest = &escape[length..];
    }
    (out + rest, lone)
}

/// The character of `uXXXX` or `uXXXX\uXXXX` at the start of `escape`, and how long that is.
fn unit(escape: &str) -> (char, usize) {
    let hex = |at: usize| escape.get(at..at + 4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
    let first = hex(1).unwrap_or_default();
    let second = if escape.get(5..7) == Some("\\u") { hex(7) } else { None };
    match char::decode_utf16([first].into_iter().chain(second)).next() {
        Some(Ok(c)) => (c, if c.len_utf16() == 2 { 11 } else { 5 }),
        _ => (char::REPLACEMENT_CHARACTER, 5),
    }
}

/// One level of a value whose syntax was checked already.
fn level<'a, T: Deserialize<'a>>(text: &'a str) -> T {
    serde_json::from_str(text).expect("a raw value is well-formed JSON of the kind of its first byte")
}

struct Fields<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = access.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}
