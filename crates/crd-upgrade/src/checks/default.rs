//! `default`: crdify `pkg/validations/property/default.go`.

use crate::finding::SchemaChange;
use crate::schema::Schema;

/// The JSON texts are compared.
pub(super) fn check(old: &Schema, new: &Schema) -> Option<SchemaChange> {
    (old.default != new.default).then(|| SchemaChange::Default { old: old.default.clone(), new: new.default.clone() })
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::check;
    use serde_json::json;

    #[test]
    fn defaults_may_not_change() {
        let text = "default: default added when there was none previously : \"\\\"2020\\\"\"";
        check(json!({}), json!({"default": "2020"}), &[text]);
        check(
            json!({"default": {"b": 1, "a": "<"}}),
            json!({}),
            &["default: default value removed : \"{\\\"a\\\":\\\"\\\\u003c\\\",\\\"b\\\":1}\""],
        );
        check(json!({"default": 3}), json!({"default": 4}), &["default: default value changed : \"3\" -> \"4\""]);
    }

    #[test]
    fn equal_defaults_and_null_are_no_change() {
        check(json!({"default": {"a": 1, "b": 2}}), json!({"default": {"b": 2, "a": 1}}), &[]);
        check(json!({"default": null}), json!({}), &[]);
    }
}
