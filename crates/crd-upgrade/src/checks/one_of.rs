//! `oneOf`: crdify `pkg/validations/property/oneof.go`.

use crate::finding::{OneOfChange, SchemaChange};
use crate::go::{self, GoValue};
use crate::schema::Schema;
use std::collections::BTreeMap;

/// Members are distinguished by their dumps, without what does not restrict values. A dump with an address of memory is never
/// the same twice.
pub(super) fn check(old: &Schema, new: &Schema) -> Option<SchemaChange> {
    let (old_members, new_members) = (members(old), members(new));
    let without = |members: &[(String, bool)], others: &[(String, bool)]| {
        let is_new = |member: &&(String, bool)| member.1 || !others.contains(member);
        members.iter().filter(is_new).map(|(dump, _)| dump.clone()).collect::<Vec<_>>()
    };
    let has_address = |members: &[(String, bool)]| members.iter().any(|(_, has_address)| *has_address);
    let is_repeatable = !has_address(&old_members) && !has_address(&new_members);
    // OLM compares only properties that differ in something.
    if !is_repeatable && alone(old) == alone(new) {
        return None;
    }
    let (old, new) = (old_members, new_members);
    let (removed, added) = (without(&old, &new), without(&new, &old));
    let (how, members) = match () {
        () if old.is_empty() && !added.is_empty() => (OneOfChange::New, added),
        () if !removed.is_empty() => (OneOfChange::Removed, removed),
        () if !added.is_empty() => (OneOfChange::Added, added),
        () => return None,
    };
    Some(SchemaChange::OneOf { how, members, is_repeatable })
}

/// The schema without what is compared at paths of its own.
fn alone(schema: &Schema) -> Schema {
    Schema { properties: BTreeMap::new(), items: None, ..schema.clone() }
}

/// The dumps of the members, sorted, and whether they have addresses of memory.
fn members(schema: &Schema) -> Vec<(String, bool)> {
    let dump = |member: &Schema| {
        let structure = Schema {
            description: String::new(),
            title: String::new(),
            example: None,
            external_docs: None,
            ..member.clone()
        };
        go::dump(&structure.go())
    };
    let mut dumps: Vec<(String, bool)> = schema.one_of.iter().map(dump).collect();
    dumps.sort();
    dumps.dedup();
    dumps
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The text up to the dumps, and the part of each dump that tells them apart.
    #[track_caller]
    fn check(old: &Value, new: &Value, expected: Option<(&str, &[&str])>) {
        let change = super::check(&Schema::of(old), &Schema::of(new));
        let found = change.as_ref().map(|change| {
            let SchemaChange::OneOf { members, .. } = change else { panic!("{change:?}") };
            let kind =
                |dump: &str| dump.split(",Type:").nth(1).and_then(|rest| rest.split(',').next()).map(str::to_owned);
            let kinds: Vec<String> = members.iter().filter_map(|dump| kind(dump)).collect();
            (change.to_string().split(": [").next().map(str::to_owned).unwrap_or_default(), kinds)
        });
        let expected = expected.map(|(text, kinds)| (text.to_owned(), kinds.iter().map(ToString::to_string).collect()));
        assert_eq!(found, expected, "{old} -> {new}");
    }

    #[test]
    fn members_may_not_be_added_or_removed() {
        let (a, b) = (json!({"type": "a"}), json!({"type": "b"}));
        let new = "oneOf constraint added when there was none previously";
        check(&json!({}), &json!({"oneOf": [b, a, a]}), Some((new, &["a", "b"])));
        check(&json!({"oneOf": [a]}), &json!({"oneOf": [a, b]}), Some(("allowed oneOf schemas added", &["b"])));
        check(&json!({"oneOf": [a]}), &json!({"oneOf": [b]}), Some(("allowed oneOf schemas removed", &["a"])));
        check(&json!({"oneOf": [a]}), &json!({}), Some(("allowed oneOf schemas removed", &["a"])));
    }

    #[test]
    fn the_order_and_words_of_members_do_not_count() {
        let old = json!({"oneOf": [{"type": "a", "description": "x", "title": "x", "example": 1}, {"type": "b"}]});
        let new = json!({"oneOf": [{"type": "b", "externalDocs": {"url": "x"}}, {"type": "a"}]});
        check(&old, &new, None);
    }

    #[test]
    fn members_with_pointers_in_maps_are_never_the_same_twice() {
        let schema =
            |description: &str| json!({"description": description, "oneOf": [{"properties": {"a": {"maxLength": 1}}}]});
        check(&schema("x"), &schema("x"), None);
        check(&schema("x"), &schema("y"), Some(("allowed oneOf schemas removed", &[""])));
    }
}
