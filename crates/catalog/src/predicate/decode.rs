//! Decodes objects as Go's `encoding/json` decodes them into structs, with its error texts.

use crate::predicate::RequirementError;
use fbc::same_field;
use serde_json::Value;
use std::fmt::Write;

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
