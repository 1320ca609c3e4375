//! `unhandled`: what no other check looks at must not change (crdify `pkg/validations/compare.go`).

use crate::finding::SchemaChange;
use crate::go;
use crate::schema::Schema;

/// The fields that other checks look at, and those that are compared at paths of their own.
const CHECKED: [&str; 18] = [
    "Description",
    "Type",
    "Default",
    "Maximum",
    "Minimum",
    "MaxLength",
    "MinLength",
    "Pattern",
    "MaxItems",
    "MinItems",
    "Enum",
    "MaxProperties",
    "MinProperties",
    "Required",
    "Items",
    "OneOf",
    "Properties",
    "Nullable",
];

/// Properties and items are compared at paths of their own; other schemas in a schema are compared here as well.
pub(super) fn check(old: &Schema, new: &Schema) -> Option<SchemaChange> {
    let unchecked = |schema: &Schema| schema.go_fields(|field| !CHECKED.contains(&field));
    let changes = go::field_changes(&unchecked(old), &unchecked(new));
    (!changes.is_empty()).then_some(SchemaChange::Unhandled(changes))
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::check as check_texts;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(old: Value, new: Value, details: &str) {
        check_texts(old, new, &[&format!("unhandled: unhandled changes found{details}")]);
    }

    #[test]
    fn other_fields_may_not_change() {
        check(json!({"format": "date"}), json!({"format": "date-time"}), " (Format \"date\" -> \"date-time\")");
        check(json!({}), json!({"uniqueItems": true}), " (UniqueItems false -> true)");
        check(json!({}), json!({"multipleOf": 2.5}), " (MultipleOf nil -> &2.5)");
        check(json!({}), json!({"example": "a"}), " (Example nil -> \"a\")");
        let (key, text) = ("x-kubernetes-preserve-unknown-fields", " (XPreserveUnknownFields &true -> nil)");
        check(json!({key: true}), json!({}), text);
        let text = " (XListMapKeys nil -> []string{\"a\"}; XListType &\"set\" -> &\"map\")";
        let map = json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]});
        check(json!({"x-kubernetes-list-type": "set"}), map, text);
        let rules = json!({"x-kubernetes-validations": [{"rule": "true", "message": "m"}]});
        check(json!({}), rules, " (XValidations nil -> ValidationRules{{Rule: \"true\", Message: \"m\"}})");
    }

    #[test]
    fn schemas_within_are_compared_as_a_whole() {
        check(json!({}), json!({"not": {"type": "a"}}), " (Not nil -> <complex value>)");
        check(json!({"anyOf": [{}]}), json!({}), " (AnyOf <complex value> -> nil)");
        let additional = |schema: Value| json!({"additionalProperties": schema});
        let text = " (Allows true -> false; Schema <complex value> -> nil)";
        check(additional(json!({"type": "a"})), additional(json!(false)), text);
        let (old, new) = (json!({"description": "v"}), json!({"description": "new"}));
        check(additional(old), additional(new), " (Description \"v\" -> \"new\")");
        let (old, new) = (json!({"properties": {}}), json!({"properties": {"v2": {"type": "string"}}}));
        check(additional(old), additional(new), " (Properties nil -> <complex value>)");
        let (old, new) = (json!({"properties": {"v": {}}}), json!({"properties": {"v": {}, "v2": {"type": "string"}}}));
        check(additional(old), additional(new), " (\"v2\" <empty> -> {Type: \"string\"})");
    }

    #[test]
    fn members_of_lists_are_compared_between_those_that_are_the_same() {
        let members =
            |kinds: &[&str]| json!({"anyOf": kinds.iter().map(|kind| json!({"type": kind})).collect::<Vec<_>>()});
        check(members(&["a", "b"]), members(&["a"]), " (AnyOf[1] {Type: \"b\"} -> <empty>)");
        check(members(&["a", "b"]), members(&["b"]), " (AnyOf[0] {Type: \"a\"} -> <empty>)");
        check(members(&["a", "a"]), members(&["a", "b", "a"]), " (AnyOf[1] <empty> -> {Type: \"b\"})");
        check(members(&["a"]), members(&["b"]), " (Type \"a\" -> \"b\")");
    }

    #[test]
    fn json_values_are_shown_as_they_are() {
        let default = |number: u8| json!({"additionalProperties": {"default": number}});
        check(default(3), default(4), " (Default 3 -> 4)");
    }

    #[test]
    fn properties_and_items_have_their_own_paths() {
        let old = json!({"properties": {"a": {"title": "x"}}, "items": {"title": "x"}});
        check_texts(old, json!({"properties": {"a": {}}, "items": {}}), &[]);
        check_texts(json!({"description": "x"}), json!({"description": "y"}), &[]);
    }
}
