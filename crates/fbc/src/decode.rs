//! Decodes values into raw documents as Go's `encoding/json` decodes into the structs of `declcfg.go`, but reports every
//! value of a wrong type and keeps the rest of the document.

use crate::go_type::{BYTE, GoStruct, GoType, illegal_base64, type_error};
use crate::meta::nearest;
use crate::node::{member, member_at, same_field};
use crate::parse::Findings;
use crate::raw::Text;
use crate::{Node, Value};
use source::{Diagnostic, OpmVersion, QuickFix, Rule, Span};

/// Reads the fields of one document.
pub(crate) struct Decoder<'a> {
    pub(crate) text: &'a str,
    /// What `opm` puts before the error, such as `parse bundle: `.
    pub(crate) prefix: &'static str,
    /// The first release of `opm` that reads documents of this schema, if not all do.
    pub(crate) since: Option<OpmVersion>,
    pub(crate) diagnostics: &'a mut Findings,
    /// Starts of unopened values that certainly have the shape of their type; ascending.
    pub(crate) fitting: &'a [u32],
}

/// How an object is read.
pub(crate) struct Shape {
    /// The struct that `opm` reads it into.
    pub(crate) go: &'static GoStruct,
    /// The path from the top of the document, with a final dot.
    pub(crate) path: &'static str,
    /// The name in our messages.
    pub(crate) title: &'static str,
}

/// The fields of one object. Values that are read are taken out.
pub(crate) struct Fields<'a> {
    shape: &'static Shape,
    entries: &'a mut [(Text, Node)],
    /// One of the fields may occur in two spellings.
    has_spellings: bool,
}

impl Fields<'_> {
    /// The field's value; `null` is the same as no value.
    fn get(&mut self, name: &str) -> Option<&mut Node> {
        let (_, node) = &mut self.entries[member_at(self.entries, name)?];
        (node.value != Value::Null).then_some(node)
    }
}

impl Decoder<'_> {
    /// The fields of an object of `shape`; those that nobody knows are reported.
    pub(crate) fn fields<'n>(&mut self, entries: &'n mut [(Text, Node)], shape: &'static Shape) -> Fields<'n> {
        let mut has_spellings = false;
        for (key, _) in &*entries {
            match shape.go.field(&key.value) {
                None => self.diagnostics.report(false, || unknown_field(key, shape)),
                // Top-level keys in two spellings are an error, which is reported elsewhere.
                Some((field, _)) if *field != *key.value && !shape.path.is_empty() => {
                    has_spellings = true;
                    self.diagnostics.extend(second_spelling(entries, key, field));
                }
                Some(_) => {}
            }
        }
        Fields { shape, entries, has_spellings }
    }

    /// The value of a field and the field's type, if the type is decoded from values of this kind. `opm` also decodes the values
    /// of other spellings of the field, although they are replaced; those of a wrong kind are reported.
    fn field<'n>(&mut self, fields: &'n mut Fields<'_>, name: &'static str) -> Option<(&'n mut Node, &'static GoType)> {
        let shape = fields.shape;
        let (_, go_type) = shape.go.field(name)?;
        if fields.has_spellings {
            let matching = fields.entries.iter().filter(|(key, _)| same_field(&key.value, name));
            let mut matching: Vec<_> = matching.map(|(key, node)| (&*key.value, node)).collect();
            matching.sort_by_key(|(key, _)| *key);
            matching.pop();
            for (_, node) in matching.into_iter().filter(|(_, node)| !go_type.takes(&node.value)) {
                self.report_wrong_type(node, shape, Part::Field(name), go_type);
            }
        }
        let node = fields.get(name)?;
        if !go_type.takes(&node.value) {
            self.report_wrong_type(node, shape, Part::Field(name), go_type);
            return None;
        }
        Some((node, go_type))
    }

    pub(crate) fn text(&mut self, fields: &mut Fields<'_>, name: &'static str) -> Option<Text> {
        taken_text(self.field(fields, name)?.0)
    }

    /// A list of objects, each read by `read`; `null` elements are empty objects as in Go.
    pub(crate) fn list<T>(
        &mut self,
        fields: &mut Fields<'_>,
        name: &'static str,
        shape: &'static Shape,
        mut read: impl FnMut(&mut Self, Span, &mut Fields<'_>) -> T,
    ) -> Vec<T> {
        self.items(fields, name, |decoder, item| match &mut item.value {
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
    pub(crate) fn texts(&mut self, fields: &mut Fields<'_>, name: &'static str) -> Vec<Text> {
        self.items(fields, name, |_, item| match item.value {
            Value::Null => Some(Text::new(Box::default(), item.span)),
            _ => taken_text(item),
        })
    }

    /// The items of a list; `read` gives nothing for an item of a wrong kind.
    fn items<T>(
        &mut self,
        fields: &mut Fields<'_>,
        name: &'static str,
        mut read: impl FnMut(&mut Self, &mut Node) -> Option<T>,
    ) -> Vec<T> {
        let shape = fields.shape;
        let Some((node, GoType::List(inner))) = self.field(fields, name) else { return Vec::new() };
        let Value::Sequence(items) = &mut node.value else { return Vec::new() };
        let mut read_items = Vec::with_capacity(items.len());
        for item in items {
            match read(self, item) {
                Some(read_item) => read_items.push(read_item),
                None => self.report_wrong_type(item, shape, Part::Item(name), inner),
            }
        }
        read_items
    }

    pub(crate) fn object<'n>(
        &mut self,
        fields: &'n mut Fields<'_>,
        name: &'static str,
        shape: &'static Shape,
    ) -> Option<Fields<'n>> {
        match &mut self.field(fields, name)?.0.value {
            Value::Mapping(entries) => Some(self.fields(entries, shape)),
            _ => None,
        }
    }

    /// A field of any kind; a written `null` is a value here.
    pub(crate) fn any(&self, fields: &mut Fields<'_>, name: &str) -> Option<Node> {
        let (_, node) = &mut fields.entries[member_at(fields.entries, name)?];
        let value = std::mem::replace(&mut node.value, Value::Null);
        Some(Node { span: node.span, value })
    }

    /// Bytes of which only the place is kept: base64 text, or a list of numbers.
    pub(crate) fn bytes(&mut self, fields: &mut Fields<'_>, name: &'static str) -> Option<Span> {
        let shape = fields.shape;
        let (node, _) = self.field(fields, name)?;
        match &node.value {
            Value::String(text) => {
                if let Err(at) = crate::bundle_object::check_base64(text) {
                    let opm = self.prefix.to_owned() + &illegal_base64(at);
                    let message = format!("`{name}` is not base64: unexpected byte at offset {at}");
                    self.diagnostics.push(Diagnostic::new(Rule::WrongType, node.span, message).with_opm(opm));
                }
            }
            Value::Sequence(items) => {
                for item in items.iter().filter(|item| !BYTE.takes(&item.value)) {
                    self.report_wrong_type(item, shape, Part::Byte(name), &BYTE);
                }
            }
            _ => {}
        }
        Some(node.span)
    }

    fn report_wrong_type(&mut self, node: &Node, shape: &Shape, part: Part, go_type: &GoType) {
        self.diagnostics.report(true, || {
            let finding = wrong_type(node, shape, part, go_type, (self.prefix, self.text));
            Diagnostic { opm_since: self.since, ..finding }
        });
    }
}

/// The part of a field that is of a wrong type.
#[derive(Clone, Copy)]
enum Part {
    Field(&'static str),
    /// An item of the list in the field of this name.
    Item(&'static str),
    /// A byte of the field of this name, which is written as a list.
    Byte(&'static str),
}

/// Takes a text out of its node.
fn taken_text(node: &mut Node) -> Option<Text> {
    match &mut node.value {
        Value::String(text) => Some(Text::new(std::mem::take(text), node.span)),
        _ => None,
    }
}

fn wrong_type(node: &Node, shape: &Shape, part: Part, go_type: &GoType, (prefix, text): (&str, &str)) -> Diagnostic {
    let written = node.span.slice(text);
    let (which, name, wanted) = match part {
        Part::Field(name) => ("", name, wanted(go_type)),
        Part::Item(name) => ("every item of ", name, wanted(go_type)),
        Part::Byte(name) => ("", name, "a list of bytes"),
    };
    let field = format!("{}{name}", shape.path);
    let opm = type_error(&go_type.found(&node.value, written), shape.go.name, &field, go_type);
    let message = format!("{which}`{name}` must be {wanted}, found {}", found(node.value.go_kind(written)));
    let finding = Diagnostic::new(Rule::WrongType, node.span, message).with_opm(prefix.to_owned() + &opm);
    let quotable = matches!((go_type, &node.value), (GoType::Text(_), Value::Bool(_) | Value::Number(_)));
    match quotable {
        true => finding.with_help(format!("put it in quotes: \"{written}\"")).with_fix(QuickFix::quote(node.span)),
        false => finding,
    }
}

fn wanted(go_type: &GoType) -> &'static str {
    match go_type {
        GoType::Text(_) => "a text",
        GoType::Bytes => "base64 text",
        GoType::List(GoType::Text(_)) => "a list of texts",
        GoType::List(_) => "a list",
        GoType::Bool => "a boolean",
        GoType::Int(..) | GoType::Float => "a number",
        GoType::Map(_) | GoType::Struct(_) | GoType::Any | GoType::Custom(_) => "a mapping",
    }
}

/// The kind of a value in words: `a number` for Go's `number`.
#[must_use]
pub fn found(go_kind: &str) -> &'static str {
    match go_kind {
        "null" => "nothing",
        "bool" => "a boolean",
        "number" => "a number",
        "string" => "a text",
        "array" => "a list",
        _ => "a mapping",
    }
}

/// Reports a key of the same field as another key, which `opm` reads instead.
fn second_spelling(entries: &[(Text, Node)], key: &Text, field: &str) -> Option<Diagnostic> {
    let (taken, _) = member(entries, field).filter(|(taken, _)| taken.value != key.value)?;
    let message = format!("`{key}` and `{taken}` are one field, and `{taken}` is read");
    let finding = Diagnostic::new(Rule::DuplicateKey, key.span, message).with_label(taken.span, "this one is read");
    Some(finding.with_help("keep one of them").with_fix(QuickFix::remove(key.span, &format!("`{key}`"))))
}

/// The findings about keys of a mapping that are one of these fields to Go, and of which another spelling is read.
#[must_use]
pub fn second_spellings(entries: &[(Text, Node)], fields: &[&str]) -> Vec<Diagnostic> {
    let of_key = |(key, _): &(Text, Node)| {
        let field = fields.iter().find(|field| same_field(&key.value, field))?;
        second_spelling(entries, key, field)
    };
    entries.iter().filter_map(of_key).collect()
}

fn unknown_field(key: &Text, shape: &Shape) -> Diagnostic {
    let finding = Diagnostic::new(Rule::UnknownField, key.span, format!("{} has no field `{key}`", shape.title));
    let near = nearest(&key.value, shape.go.fields.iter().map(|(name, _)| *name));
    match near {
        Some(field) => finding
            .with_help(format!("did you mean `{field}`? opm ignores `{key}`"))
            .with_fix(QuickFix::rename(key.span, field)),
        None => finding.with_help("opm ignores it"),
    }
}
