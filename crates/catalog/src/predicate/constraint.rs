//! Reads the value of `olm.constraint` (operator-framework/api `pkg/constraints/constraint.go`); unknown fields are errors.

use crate::predicate::{Gvk, RequirementError};
use fbc::same_field;
use go_semver::blang::Quoted;
use serde_json::{Map, Value};
use std::fmt::Write;

/// `maxConstraintSize`: `2 << 16` bytes of JSON.
const MAX_BYTES: usize = 2 << 16;

/// A constraint as written; more than one kind may be set.
#[derive(Default)]
pub(crate) struct Constraint {
    pub(crate) failure_message: Box<str>,
    pub(crate) cel: Option<Box<str>>,
    /// Package name and version range.
    pub(crate) package: Option<(Box<str>, Box<str>)>,
    pub(crate) gvk: Option<Gvk>,
    pub(crate) all: Option<Vec<Constraint>>,
    pub(crate) any: Option<Vec<Constraint>>,
    pub(crate) not: Option<Vec<Constraint>>,
}

impl Constraint {
    /// Decodes the value of a property.
    pub(crate) fn parse(value: &Value) -> Result<Self, RequirementError> {
        let wrap = |error: &dyn std::fmt::Display| RequirementError(format!("parse olm.constraint: {error}").into());
        if value.to_string().len() > MAX_BYTES {
            return Err(wrap(&format_args!(
                "olm.constraint value is greater than max constraint size {MAX_BYTES} bytes"
            )));
        }
        let mut reader = Reader { path: Vec::new(), error: None };
        let constraint = match value {
            Value::Object(object) => reader.constraint(object),
            Value::Null => Self::default(),
            other => return Err(wrap(&mismatch(other, "Go value of type constraints.Constraint"))),
        };
        reader.error.map_or(Ok(constraint), |error| Err(wrap(&error)))
    }
}

/// Reads a constraint in the order of its sorted keys and keeps the first error, as Go does.
struct Reader<'v> {
    path: Vec<&'v str>,
    error: Option<RequirementError>,
}

impl<'v> Reader<'v> {
    fn constraint(&mut self, object: &'v Map<String, Value>) -> Constraint {
        let mut constraint = Constraint::default();
        for (key, value) in object {
            let field = key.to_ascii_lowercase();
            match field.as_str() {
                "failuremessage" => self.text("Constraint", "failureMessage", value, &mut constraint.failure_message),
                "cel" => {
                    let rule = self.texts("cel", ("Constraint", "Cel"), ["rule"], value);
                    constraint.cel = rule.map(|[rule]| rule);
                }
                "package" => {
                    let fields = ["packageName", "versionRange"];
                    let package = self.texts("package", ("Constraint", "PackageConstraint"), fields, value);
                    constraint.package = package.map(|[name, range]| (name, range));
                }
                "gvk" => {
                    let fields = ["group", "kind", "version"];
                    let gvk = self.texts("gvk", ("Constraint", "GVKConstraint"), fields, value);
                    constraint.gvk = gvk.map(|[group, kind, version]| Gvk {
                        group: (*group).into(),
                        version: (*version).into(),
                        kind: (*kind).into(),
                    });
                }
                "all" => constraint.all = self.compound("all", value),
                "any" => constraint.any = self.compound("any", value),
                "not" => constraint.not = self.compound("not", value),
                _ => self.unknown(key),
            }
        }
        constraint
    }

    fn compound(&mut self, name: &'static str, value: &'v Value) -> Option<Vec<Constraint>> {
        let object = self.object("Constraint", name, "CompoundConstraint", value)?;
        self.path.push(name);
        let mut inner = Vec::new();
        for (key, value) in object {
            match value {
                _ if !same_field(key, "constraints") => self.unknown(key),
                Value::Null => {}
                Value::Array(items) => {
                    inner = items.iter().map(|item| self.element(item)).collect();
                }
                other => self.mismatch("CompoundConstraint", "constraints", "[]constraints.Constraint", other),
            }
        }
        self.path.pop();
        Some(inner)
    }

    fn element(&mut self, item: &'v Value) -> Constraint {
        match item {
            Value::Null => Constraint::default(),
            Value::Object(object) => {
                self.path.push("constraints");
                let constraint = self.constraint(object);
                self.path.pop();
                constraint
            }
            other => {
                self.mismatch("CompoundConstraint", "constraints", "constraints.Constraint", other);
                Constraint::default()
            }
        }
    }

    /// The text fields of an object; `None` for `null`.
    fn texts<const N: usize>(
        &mut self,
        name: &'static str,
        (outer, go): (&str, &str),
        fields: [&'static str; N],
        value: &'v Value,
    ) -> Option<[Box<str>; N]> {
        let object = self.object(outer, name, go, value)?;
        self.path.push(name);
        let mut found = [const { None }; N];
        for (key, value) in object {
            match fields.iter().position(|field| same_field(key, field)) {
                None => self.unknown(key),
                Some(at) => self.text(go, fields[at], value, found[at].get_or_insert_default()),
            }
        }
        self.path.pop();
        Some(found.map(Option::unwrap_or_default))
    }

    fn object(&mut self, outer: &str, name: &str, go: &str, value: &'v Value) -> Option<&'v Map<String, Value>> {
        match value {
            Value::Null => None,
            Value::Object(object) => Some(object),
            other => {
                self.mismatch(outer, name, &format!("constraints.{go}"), other);
                None
            }
        }
    }

    fn text(&mut self, go: &str, name: &str, value: &Value, into: &mut Box<str>) {
        match value {
            Value::Null => {}
            Value::String(text) => *into = text.as_str().into(),
            other => self.mismatch(go, name, "string", other),
        }
    }

    fn mismatch(&mut self, go: &str, name: &str, go_type: &str, value: &Value) {
        let path: String = self.path.iter().flat_map(|part| [part, "."]).collect();
        let error = mismatch(value, &format!("Go struct field {go}.{path}{name} of type {go_type}"));
        self.error.get_or_insert(error);
    }

    fn unknown(&mut self, key: &str) {
        self.error.get_or_insert_with(|| RequirementError(format!("json: unknown field {}", Quoted(key)).into()));
    }
}

// Decodes objects as Go's `encoding/json` decodes them into structs, with its error texts.

/// The text fields of an object, for the anonymous struct that OLM declares for a kind of requirement.
pub(crate) fn anonymous<'v, const N: usize>(
    fields: [&str; N],
    value: &'v Value,
) -> Result<[&'v str; N], RequirementError> {
    let mut found = [""; N];
    let object = match value {
        Value::Null => return Ok(found),
        Value::Object(object) => object,
        other => return Err(mismatch(other, &format!("Go value of type {}", declaration(&fields)))),
    };
    let mut first_error = None;
    for (key, value) in object {
        let Some(at) = fields.iter().position(|field| same_field(key, field)) else { continue };
        match value {
            Value::Null => {}
            Value::String(text) => found[at] = text,
            other => {
                let target = format!("Go struct field .{} of type string", fields[at]);
                first_error = first_error.or(Some(mismatch(other, &target)));
            }
        }
    }
    first_error.map_or(Ok(found), Err)
}

/// `struct { Group string "json:\"group\""; ... }`
fn declaration(fields: &[&str]) -> String {
    let mut text = "struct {".to_owned();
    for (index, field) in fields.iter().enumerate() {
        let separator = if index == 0 { "" } else { ";" };
        let name = format!("{}{}", field[..1].to_uppercase(), &field[1..]);
        write!(text, "{separator} {name} string \"json:\\\"{field}\\\"\"").expect("writing to a string never fails");
    }
    text + " }"
}

/// `json: cannot unmarshal number into <target>`
pub(crate) fn mismatch(value: &Value, target: &str) -> RequirementError {
    RequirementError(mismatch_text(value, target))
}

/// The error of Go's `encoding/json` for a value of the wrong kind. `target` names the Go type: `Go value of type T`.
#[must_use]
pub fn mismatch_text(value: &Value, target: &str) -> Box<str> {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    format!("json: cannot unmarshal {kind} into {target}").into()
}
