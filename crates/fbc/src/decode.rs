//! Decodes values into raw documents as Go's `encoding/json` decodes into the structs of `declcfg.go`, but reports every
//! value of a wrong type and keeps the rest of the document.

use crate::findings::Findings;
use crate::nearest::nearest;
use crate::raw::Text;
use crate::{Node, Value, go};
use source::{Diagnostic, QuickFix, Rule, Span};
use std::cmp::Ordering;

/// Reads the fields of one document.
pub(crate) struct Decoder<'a> {
    pub(crate) text: &'a str,
    /// What `opm` puts before the error, such as `parse bundle: `.
    pub(crate) prefix: &'static str,
    pub(crate) diagnostics: &'a mut Findings,
    /// Starts of unopened values that certainly have the shape of their type; ascending.
    pub(crate) fitting: &'a [u32],
}

/// The Go struct that an object is read into.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Its name in errors.
    pub(crate) go: &'static str,
    /// The path from the top of the document, with a final dot.
    pub(crate) path: &'static str,
    /// Its name in our messages.
    pub(crate) title: &'static str,
    /// The fields that `opm` knows.
    pub(crate) fields: &'static [&'static str],
}

/// The fields of one object. Values that are read are taken out.
pub(crate) struct Fields<'a> {
    shape: Shape,
    entries: &'a mut [(Text, Node)],
    /// One of the fields may occur in two spellings.
    has_spellings: bool,
}

impl Fields<'_> {
    /// The field's value. Names match in any case; of several that match the last in byte order wins, because `opm`
    /// sorts the keys before it decodes them; `null` is the same as no value.
    fn get(&mut self, name: &str) -> Option<&mut Node> {
        let matching =
            self.entries.iter_mut().filter(|(key, node)| same_field(&key.value, name) && node.value != Value::Null);
        matching.max_by(|(one, _), (other, _)| one.value.cmp(&other.value)).map(|(_, node)| node)
    }
}

impl Decoder<'_> {
    /// The fields of an object of `shape`; those that nobody knows are reported.
    pub(crate) fn fields<'n>(&mut self, entries: &'n mut [(Text, Node)], shape: Shape) -> Fields<'n> {
        let mut has_spellings = false;
        for (key, _) in &*entries {
            match shape.fields.iter().find(|field| same_field(&key.value, field)) {
                None => self.diagnostics.report(false, || unknown_field(key, shape)),
                // Top-level keys in two spellings are an error, which is reported elsewhere.
                Some(field) if **field != *key.value && !shape.path.is_empty() => {
                    has_spellings = true;
                    self.diagnostics.extend(second_spelling(entries, key, field));
                }
                Some(_) => {}
            }
        }
        Fields { shape, entries, has_spellings }
    }

    /// The value of a field, if it is of the kind that `go_type` is decoded from. `opm` also decodes the values of other
    /// spellings of the field, although they are replaced; those of a wrong kind are reported.
    fn field<'n>(&mut self, fields: &'n mut Fields<'_>, name: &str, go_type: &str) -> Option<&'n mut Node> {
        let shape = fields.shape;
        if fields.has_spellings {
            let matching = fields.entries.iter().filter(|(key, _)| same_field(&key.value, name));
            let mut matching: Vec<_> = matching.map(|(key, node)| (&*key.value, node)).collect();
            matching.sort_by_key(|(key, _)| *key);
            matching.pop();
            for (_, node) in matching.into_iter().filter(|(_, node)| !may_be(&node.value, go_type)) {
                self.report_wrong_type(node, shape, name, go_type);
            }
        }
        let node = fields.get(name)?;
        if !may_be(&node.value, go_type) {
            self.report_wrong_type(node, shape, name, go_type);
            return None;
        }
        Some(node)
    }

    /// A text field.
    pub(crate) fn text(&mut self, fields: &mut Fields<'_>, name: &str) -> Option<Text> {
        taken_text(self.field(fields, name, "string")?)
    }

    /// A list of objects, each read by `read`; `null` elements are empty objects as in Go.
    pub(crate) fn list<T>(
        &mut self,
        fields: &mut Fields<'_>,
        name: &str,
        (go_type, shape): (&str, Shape),
        mut read: impl FnMut(&mut Self, Span, &mut Fields<'_>) -> T,
    ) -> Vec<T> {
        self.items(fields, name, go_type, |decoder, item| match &mut item.value {
            Value::Mapping(entries) => {
                let mut inner = decoder.fields(entries, shape);
                Some(read(decoder, item.span, &mut inner))
            }
            Value::Null => {
                Some(read(decoder, item.span, &mut Fields { shape, entries: &mut [], has_spellings: false }))
            }
            _ => None,
        })
    }

    /// A list of texts; `null` elements are empty texts as in Go.
    pub(crate) fn texts(&mut self, fields: &mut Fields<'_>, name: &str) -> Vec<Text> {
        self.items(fields, name, "[]string", |_, item| match item.value {
            Value::Null => Some(Text::new(Box::default(), item.span)),
            _ => taken_text(item),
        })
    }

    /// The items of a list of type `go_type`; `read` gives nothing for an item of a wrong kind.
    fn items<T>(
        &mut self,
        fields: &mut Fields<'_>,
        name: &str,
        go_type: &str,
        mut read: impl FnMut(&mut Self, &mut Node) -> Option<T>,
    ) -> Vec<T> {
        let shape = fields.shape;
        let Some(Value::Sequence(items)) = self.field(fields, name, go_type).map(|node| &mut node.value) else {
            return Vec::new();
        };
        let mut read_items = Vec::with_capacity(items.len());
        for item in items {
            match read(self, item) {
                Some(read_item) => read_items.push(read_item),
                None => self.report_wrong_type(item, shape, name, go_type.trim_start_matches("[]")),
            }
        }
        read_items
    }

    /// An object field.
    pub(crate) fn object<'n>(
        &mut self,
        fields: &'n mut Fields<'_>,
        name: &str,
        (go_type, shape): (&str, Shape),
    ) -> Option<Fields<'n>> {
        match &mut self.field(fields, name, go_type)?.value {
            Value::Mapping(entries) => Some(self.fields(entries, shape)),
            _ => None,
        }
    }

    /// A field of any kind; a written `null` is a value here.
    pub(crate) fn any(&self, fields: &mut Fields<'_>, name: &str) -> Option<Node> {
        if let Some(node) = fields.get(name) {
            let value = std::mem::replace(&mut node.value, Value::Null);
            return Some(Node { span: node.span, value });
        }
        fields.entries.iter().find(|(key, _)| same_field(&key.value, name)).map(|(_, node)| node.clone())
    }

    /// Bytes of which only the place is kept: base64 text, or a list of numbers.
    pub(crate) fn bytes(&mut self, fields: &mut Fields<'_>, name: &str) -> Option<Span> {
        let shape = fields.shape;
        let node = self.field(fields, name, "[]uint8")?;
        match &node.value {
            Value::String(text) => {
                if let Err(at) = crate::base64::check(text) {
                    let opm = format!("{}illegal base64 data at input byte {at}", self.prefix);
                    let message = format!("`{name}` is not base64: unexpected byte at offset {at}");
                    self.diagnostics.push(Diagnostic::new(Rule::WrongType, node.span, message).with_opm(opm));
                }
            }
            Value::Sequence(items) => {
                for item in items.iter().filter(|item| !is_byte(&item.value)) {
                    self.report_wrong_type(item, shape, name, "uint8");
                }
            }
            _ => {}
        }
        Some(node.span)
    }

    fn report_wrong_type(&mut self, node: &Node, shape: Shape, name: &str, go_type: &str) {
        self.diagnostics.report(true, || wrong_type(node, shape, name, go_type, (self.prefix, self.text)));
    }
}

/// Whether a value is of the kind that Go decodes a type from.
fn may_be(value: &Value, go_type: &str) -> bool {
    match value {
        Value::Null => true,
        Value::String(_) => matches!(go_type, "string" | "[]uint8"),
        Value::Sequence(_) => go_type.starts_with("[]"),
        Value::Mapping(_) => go_type != "string" && !go_type.starts_with("[]"),
        Value::Bool(_) | Value::Number(_) | Value::Unopened => false,
    }
}

/// Takes a text out of its node.
fn taken_text(node: &mut Node) -> Option<Text> {
    match &mut node.value {
        Value::String(text) => Some(Text::new(std::mem::take(text), node.span)),
        _ => None,
    }
}

fn wrong_type(node: &Node, shape: Shape, name: &str, go_type: &str, (prefix, text): (&str, &str)) -> Diagnostic {
    let written = node.span.slice(text);
    let kind = node.value.go_kind(written);
    let Shape { go, path, .. } = shape;
    let go_found = match node.value {
        Value::Number(number) if go_type == "uint8" => format!("number {}", go::json_float(number.0)),
        _ => kind.to_owned(),
    };
    let opm =
        format!("{prefix}json: cannot unmarshal {go_found} into Go struct field {go}.{path}{name} of type {go_type}");
    let wanted = wanted(go_type);
    let which = match name {
        // The list itself is one.
        "entries" | "properties" | "relatedImages" | "skips" if !go_type.starts_with("[]") => "every item of ",
        _ => "",
    };
    let message = format!("{which}`{name}` must be {wanted}, found {}", found(kind));
    let finding = Diagnostic::new(Rule::WrongType, node.span, message).with_opm(opm);
    let quotable = wanted == "a text" && matches!(node.value, Value::Bool(_) | Value::Number(_));
    match quotable {
        true => finding.with_help(format!("put it in quotes: \"{written}\"")).with_fix(QuickFix::quote(node.span)),
        false => finding,
    }
}

/// Whether Go reads the value as a byte.
fn is_byte(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Number(number) => number.0.fract() == 0.0 && (0.0..=255.0).contains(&number.0),
        _ => false,
    }
}

fn wanted(go_type: &str) -> &'static str {
    match go_type {
        "string" => "a text",
        "[]uint8" => "base64 text",
        "uint8" => "a list of bytes",
        "[]string" => "a list of texts",
        _ if go_type.starts_with("[]") => "a list",
        _ => "a mapping",
    }
}

/// `a number` for Go's `number`.
pub(crate) fn found(go_kind: &str) -> &'static str {
    match go_kind {
        "null" => "nothing",
        "bool" => "a boolean",
        "number" => "a number",
        "string" => "a text",
        "array" => "a list",
        _ => "a mapping",
    }
}

/// Whether a key is the field `name` to Go's `encoding/json`, which matches field names with simple Unicode folding: two
/// characters outside ASCII equal ASCII letters.
#[must_use]
pub fn same_field(key: &str, name: &str) -> bool {
    // Most keys are written as the name, or differ from it in the first letter. One outside ASCII may stand for any letter.
    let is_other_letter = |(key, name): (&u8, &u8)| key.is_ascii() && !key.eq_ignore_ascii_case(name);
    key == name
        || !key.as_bytes().first().zip(name.as_bytes().first()).is_some_and(is_other_letter)
            && match key.len().cmp(&name.len()) {
                Ordering::Less => false,
                Ordering::Equal => key.eq_ignore_ascii_case(name),
                // Both characters take more bytes than the letters. Most keys are plain ASCII.
                Ordering::Greater => {
                    !key.is_ascii() && key.replace('ſ', "s").replace('\u{212a}', "k").eq_ignore_ascii_case(name)
                }
            }
}

/// Reports a key of the same field as another key, which `opm` reads instead because it comes later in byte order.
fn second_spelling(entries: &[(Text, Node)], key: &Text, field: &str) -> Option<Diagnostic> {
    let spellings = entries.iter().map(|(other, _)| other).filter(|other| same_field(&other.value, field));
    let taken = spellings.max_by(|one, other| one.value.cmp(&other.value)).filter(|taken| taken.value != key.value)?;
    let message = format!("`{key}` and `{taken}` are one field to opm, which takes `{taken}`");
    let finding = Diagnostic::new(Rule::DuplicateKey, key.span, message).with_label(taken.span, "this one is read");
    Some(finding.with_help("keep one of them").with_fix(QuickFix::remove(key.span, &format!("`{key}`"))))
}

fn unknown_field(key: &Text, shape: Shape) -> Diagnostic {
    let finding = Diagnostic::new(Rule::UnknownField, key.span, format!("{} has no field `{key}`", shape.title));
    let near = nearest(&key.value, shape.fields.iter().copied());
    match near {
        Some(field) => finding
            .with_help(format!("did you mean `{field}`? opm ignores `{key}`"))
            .with_fix(QuickFix::rename(key.span, field)),
        None => finding.with_help("opm ignores it"),
    }
}
