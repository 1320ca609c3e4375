//! `unhandled`: what no other check looks at must not change (crdify `pkg/validations/compare.go`).

use crate::finding::Change;
use crate::go::{self, Go};
use crate::schema::Schema;

/// Properties and items are compared at paths of their own; other schemas in a schema are compared here as well.
pub(super) fn check(old: &Schema, new: &Schema) -> Option<Change> {
    let (old, new) = (go::unchecked(old), go::unchecked(new));
    let (Go::Struct(_, before), Go::Struct(_, after)) = (&old, &new) else { return None };
    let changed = before.iter().zip(after).filter(|(before, after)| before != after);
    let fields: Vec<&'static str> = changed.map(|((name, _), _)| *name).collect();
    (!fields.is_empty()).then(|| Change::Unhandled { fields, lines: go::changed_lines(&old, &new) })
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
        check(json!({}), json!({"example": "a"}), " (Example nil -> s\"&JSON{Raw:*[34 97 34],}\")");
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
    fn members_are_aligned() {
        let members =
            |kinds: &[&str]| json!({"anyOf": kinds.iter().map(|kind| json!({"type": kind})).collect::<Vec<_>>()});
        check(members(&["a", "b"]), members(&["a"]), " ({Type \"b\"} -> <empty>)");
        check(members(&["a"]), members(&["b"]), " (Type \"a\" -> \"b\")");
    }

    #[test]
    fn a_single_byte_is_printed_as_a_number() {
        let default = |number: u8| json!({"additionalProperties": {"default": number}});
        let text = " (Default &JSON{Raw: []uint8{0x33}} -> &JSON{Raw: []uint8{0x34}})";
        check(default(3), default(4), text);
        check(default(30), default(40), "");
    }

    #[test]
    fn long_texts_are_cut_into_pieces_without_names() {
        let description = |end: &str| {
            let text = format!("Labels that are copied to all objects, {end}.");
            json!({"additionalProperties": {"description": text}})
        };
        check(description("if any"), description("always"), "");
    }

    #[test]
    fn long_values_take_several_lines_and_are_cut() {
        let rule = "self.replicas <= self.maxReplicas && self.replicas >= self.minReplicas";
        let rules = json!({"x-kubernetes-validations": [{"rule": rule, "message": "out of range"}]});
        let text = " (XValidations nil -> ValidationRules{; Rule <empty> -> \"self.replicas <= self.maxReplicas && \
                    self.replicas >= self.minRe\"...; Message <empty> -> \"out of range\")";
        check(json!({}), rules, text);
    }

    #[test]
    fn properties_and_items_have_their_own_paths() {
        let old = json!({"properties": {"a": {"title": "x"}}, "items": {"title": "x"}});
        check_texts(old, json!({"properties": {"a": {}}, "items": {}}), &[]);
        check_texts(json!({"description": "x"}), json!({"description": "y"}), &[]);
    }
}
