//! `required`: crdify `pkg/validations/property/required.go`.

use crate::finding::SchemaChange;
use crate::schema::Schema;
use std::collections::BTreeSet;

pub(super) fn check(old: &Schema, new: &Schema) -> Option<SchemaChange> {
    let added: BTreeSet<&String> = new.required.iter().filter(|name| !old.required.contains(name)).collect();
    (!added.is_empty()).then(|| SchemaChange::Required(added.into_iter().cloned().collect()))
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::check;
    use serde_json::json;

    #[test]
    fn properties_may_not_become_required() {
        check(
            json!({"required": ["b"]}),
            json!({"required": ["c", "b", "a"]}),
            &["required: new required fields: [a c]"],
        );
    }

    #[test]
    fn properties_may_become_optional() {
        check(json!({"required": ["a", "b"]}), json!({"required": ["b"]}), &[]);
    }
}
