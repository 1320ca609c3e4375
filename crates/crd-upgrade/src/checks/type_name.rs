//! `type`: crdify `pkg/validations/property/type.go`.

use crate::finding::SchemaChange;
use crate::schema::Schema;

pub(super) fn check(old: &Schema, new: &Schema) -> Option<SchemaChange> {
    (old.kind != new.kind).then(|| SchemaChange::Type { old: old.kind.clone(), new: new.kind.clone() })
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::check;
    use serde_json::json;

    #[test]
    fn the_type_may_not_change() {
        check(
            json!({"type": "string"}),
            json!({"type": "integer"}),
            &["type: type changed : \"string\" -> \"integer\""],
        );
        check(json!({"type": "string"}), json!({}), &["type: type changed : \"string\" -> \"\""]);
        check(json!({"type": "string"}), json!({"type": "string"}), &[]);
    }
}
