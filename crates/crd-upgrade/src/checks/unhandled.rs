//! `unhandled`: what no other check looks at must not change (crdify `pkg/validations/compare.go`).

use crate::finding::{FieldChange, SchemaChange, ValueChange};
use crate::schema::Schema;

/// The fields that other checks look at, and those that are compared at paths of their own.
const CHECKED: [&str; 18] = [
    "description",
    "type",
    "default",
    "maximum",
    "minimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "enum",
    "maxProperties",
    "minProperties",
    "required",
    "items",
    "oneOf",
    "properties",
    "nullable",
];

/// Properties and items are compared at paths of their own; other schemas in a schema are compared here as well.
pub(super) fn check(old: &Schema, new: &Schema) -> Option<SchemaChange> {
    let unchecked = |schema: &Schema| schema.fields(|name| !CHECKED.contains(&name));
    let both = unchecked(old).into_iter().zip(unchecked(new));
    let differs = both.filter(|((_, _, before), (_, _, after))| before != after);
    let changes = differs.map(|((name, _, before), (_, _, after))| {
        let change = match () {
            () if before.is_zero() => ValueChange::Added(after.short()),
            () if after.is_zero() => ValueChange::Removed(before.short()),
            () => ValueChange::Changed(Box::new([before, after])),
        };
        FieldChange { name, change }
    });
    let changes: Vec<FieldChange> = changes.collect();
    (!changes.is_empty()).then_some(SchemaChange::Unhandled(changes))
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::check as check_texts;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(old: Value, new: Value, changes: &str) {
        check_texts(old, new, &[&format!("unhandled: unhandled changes found: {changes}")]);
    }

    #[test]
    fn other_fields_may_not_change() {
        check(
            json!({"format": "date"}),
            json!({"format": "date-time"}),
            "`format` changed from \"date\" to \"date-time\"",
        );
        check(json!({}), json!({"uniqueItems": true}), "`uniqueItems` added: true");
        check(json!({}), json!({"multipleOf": 2.5}), "`multipleOf` added: 2.5");
        check(json!({"example": "a"}), json!({"example": "b"}), "`example` changed");
        let key = "x-kubernetes-preserve-unknown-fields";
        check(json!({key: true}), json!({}), "`x-kubernetes-preserve-unknown-fields` removed");
        let text =
            "`x-kubernetes-list-map-keys` added: [\"a\"]; `x-kubernetes-list-type` changed from \"set\" to \"map\"";
        let map = json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]});
        check(json!({"x-kubernetes-list-type": "set"}), map, text);
        let rules = json!({"x-kubernetes-validations": [{"rule": "true", "message": "m"}]});
        check(json!({}), rules, "`x-kubernetes-validations` added");
    }

    #[test]
    fn schemas_within_are_compared_as_a_whole() {
        check(json!({}), json!({"not": {"type": "a"}}), "`not` added");
        check(json!({"anyOf": [{}]}), json!({}), "`anyOf` removed");
        let additional = |schema: Value| json!({"additionalProperties": schema});
        check(additional(json!({"type": "a"})), additional(json!(false)), "`additionalProperties` changed");
        let (old, new) = (json!({"description": "v"}), json!({"description": "new"}));
        check(additional(old), additional(new), "`additionalProperties` changed");
    }

    #[test]
    fn properties_and_items_have_their_own_paths() {
        let old = json!({"properties": {"a": {"title": "x"}}, "items": {"title": "x"}});
        check_texts(old, json!({"properties": {"a": {}}, "items": {}}), &[]);
        check_texts(json!({"description": "x"}), json!({"description": "y"}), &[]);
    }
}
