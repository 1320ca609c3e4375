//! `pattern`: crdify `pkg/validations/property/pattern.go`. The release that OLM uses forbids to remove a pattern, too.

use crate::finding::SchemaChange;
use crate::schema::Schema;

pub(super) fn check(old: &Schema, new: &Schema) -> Option<SchemaChange> {
    (old.pattern != new.pattern).then(|| SchemaChange::Pattern { old: old.pattern.clone(), new: new.pattern.clone() })
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::check;
    use serde_json::json;

    #[test]
    fn patterns_may_not_change() {
        check(json!({}), json!({"pattern": "^\\d"}), &["pattern: pattern added : \"\" -> \"^\\\\d\""]);
        check(json!({"pattern": "a"}), json!({"pattern": "b"}), &["pattern: pattern changed : \"a\" -> \"b\""]);
        check(json!({"pattern": "a"}), json!({}), &["pattern: pattern removed : \"a\" -> \"\""]);
    }
}
