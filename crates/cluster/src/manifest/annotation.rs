//! The annotation with the properties of a CSV.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/projection/properties.go`, with the errors of
//! Go's `encoding/json`: text that is not JSON is one error; of several values of the wrong type, the first is reported.

use crate::PlacedProperty;
use catalog::predicate::{Property, mismatch_text};
use fbc::same_field;
use serde_json::{Map, Value};
use source::FileId;

pub(super) const KEY: &str = "operatorframework.io/properties";

/// The properties in `{"properties":[{"type":…,"value":…}]}`, or Go's error.
pub(super) fn properties(text: &str) -> Result<Vec<PlacedProperty>, String> {
    if let Some(error) = fbc::go_syntax_error(text) {
        return Err(error);
    }
    // serde_json rejects numbers and escapes that Go accepts.
    let value = match fbc::untyped_values(FileId(0), text).nodes.first().map(|node| node.to_json(text)) {
        Some(Ok(value)) => value,
        Some(Err(error)) => return Err(error.message),
        None => Value::Null,
    };
    let listed = match &value {
        Value::Null => &Value::Null,
        Value::Object(object) => field(object, "properties"),
        other => return Err(mismatch_text(other, "Go value of type projection.propertiesAnnotation").into()),
    };
    match listed {
        Value::Null => Ok(Vec::new()),
        Value::Array(list) => list.iter().map(property).collect(),
        other => {
            Err(mismatch_text(other, "Go struct field propertiesAnnotation.properties of type []projection.property")
                .into())
        }
    }
}

fn property(value: &Value) -> Result<PlacedProperty, String> {
    let (kind, value) = match value {
        Value::Null => (&Value::Null, &Value::Null),
        Value::Object(object) => (field(object, "type"), field(object, "value")),
        other => {
            return Err(mismatch_text(
                other,
                "Go struct field propertiesAnnotation.properties of type projection.property",
            )
            .into());
        }
    };
    let kind = match kind {
        Value::Null => "",
        Value::String(kind) => kind,
        other => return Err(mismatch_text(other, "Go struct field property.properties.type of type string").into()),
    };
    // An invalid value matters only when the resolver reads it.
    let property =
        Property::parse(kind, value).unwrap_or_else(|_| Property::Other { kind: kind.into(), value: value.clone() });
    Ok(PlacedProperty { property, span: None })
}

/// The value of a key, which Go compares without case. Of several keys the last one counts.
fn field<'v>(object: &'v Map<String, Value>, name: &str) -> &'v Value {
    let mut named = object.iter().filter(|(key, value)| same_field(key, name) && !value.is_null());
    named.next_back().map_or(&Value::Null, |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&[&str], &str>) {
        let kinds = properties(text);
        let kinds: Result<Vec<&str>, &str> =
            kinds.as_ref().map(|all| all.iter().map(|placed| placed.property.kind()).collect()).map_err(String::as_str);
        assert_eq!(kinds, expected.map(<[&str]>::to_vec), "{text}");
    }

    #[test]
    fn texts_that_go_accepts() {
        check("{}", Ok(&[]));
        check("null", Ok(&[]));
        check(r#"{"properties": null, "else": 1}"#, Ok(&[]));
        check("\t\n {\n\t\"properties\":\t[\r\n\t{\"type\":\"a\",\"value\":\"x: # \\/\\u0000\"}]\n}\t", Ok(&["a"]));
        check(" [ ]", Err("json: cannot unmarshal array into Go value of type projection.propertiesAnnotation"));
        check("\"a: b\"", Err("json: cannot unmarshal string into Go value of type projection.propertiesAnnotation"));
        check("1", Err("json: cannot unmarshal number into Go value of type projection.propertiesAnnotation"));
        check(r#"{"properties": [{"type": "a\ud800", "value": 1}]}"#, Ok(&["a\u{fffd}"]));
        check(r#"{"properties": [{"type": "a", "value": 1e400}]}"#, Ok(&["a"]));
        check(r#"{"Properties": [{"TYPE": "a", "value": {}}, null, {"type": "b"}]}"#, Ok(&["a", "", "b"]));
    }

    #[test]
    fn texts_that_go_rejects() {
        check("", Err("unexpected end of JSON input"));
        check(r#"{"properties": [}"#, Err("invalid character '}' looking for beginning of value"));
        check("properties: []", Err("invalid character 'p' looking for beginning of value"));
        check("[]", Err("json: cannot unmarshal array into Go value of type projection.propertiesAnnotation"));
        check(
            r#"{"properties": {}}"#,
            Err(
                "json: cannot unmarshal object into Go struct field propertiesAnnotation.properties of type []projection.property",
            ),
        );
        check(
            r#"{"properties": ["a"]}"#,
            Err(
                "json: cannot unmarshal string into Go struct field propertiesAnnotation.properties of type projection.property",
            ),
        );
        check(
            r#"{"properties": [{"type": 1}]}"#,
            Err("json: cannot unmarshal number into Go struct field property.properties.type of type string"),
        );
    }
}
