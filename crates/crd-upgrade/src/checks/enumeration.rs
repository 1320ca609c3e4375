//! `enum`: crdify `pkg/validations/property/enum.go`. OLM allows more values.

use crate::finding::SchemaChange;
use crate::schema::{Raw, Schema};
use std::collections::BTreeSet;

pub(super) fn check(old: &Schema, new: &Schema) -> Option<SchemaChange> {
    let (old, new): (BTreeSet<&Raw>, BTreeSet<&Raw>) = (old.allowed.iter().collect(), new.allowed.iter().collect());
    let listed = |values: &mut dyn Iterator<Item = &Raw>| values.cloned().collect::<Vec<_>>();
    if old.is_empty() && !new.is_empty() {
        return Some(SchemaChange::EnumAdded(listed(&mut new.into_iter())));
    }
    let removed = listed(&mut old.difference(&new).copied());
    (!removed.is_empty()).then_some(SchemaChange::EnumRemoved(removed))
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::check;
    use serde_json::json;

    #[test]
    fn an_enum_may_not_be_added_and_values_may_not_go() {
        let text = "enum: enum constraint added when there was none previously : [\"C\" \"a\" 1]";
        check(json!({}), json!({"enum": ["a", 1, "C"]}), &[text]);
        check(
            json!({"enum": ["x", "y"]}),
            json!({"enum": ["x", "z"]}),
            &["enum: allowed enum values removed : [\"y\"]"],
        );
        check(json!({"enum": ["y", "x"]}), json!({}), &["enum: allowed enum values removed : [\"x\" \"y\"]"]);
    }

    #[test]
    fn values_may_be_added_and_moved() {
        check(json!({"enum": ["a", "b"]}), json!({"enum": ["c", "b", "a"]}), &[]);
    }
}
