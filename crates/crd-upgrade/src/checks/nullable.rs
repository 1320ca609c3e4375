//! `nullable`: crdify `pkg/validations/property/nullable.go`.

use crate::finding::SchemaChange;
use crate::schema::Schema;

pub(super) fn check(old: &Schema, new: &Schema) -> Option<SchemaChange> {
    (old.nullable != new.nullable).then_some(SchemaChange::Nullable { is_nullable: new.nullable })
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::check;
    use serde_json::json;

    #[test]
    fn nullable_may_not_change() {
        check(json!({}), json!({"nullable": true}), &["nullable: nullable added : false -> true"]);
        check(json!({"nullable": true}), json!({"nullable": false}), &["nullable: nullable removed : true -> false"]);
        check(json!({}), json!({"nullable": false}), &[]);
    }
}
