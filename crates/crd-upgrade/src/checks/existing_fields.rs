//! `existingFieldRemoval`: crdify `pkg/validations/crd/existingfieldremoval`.

use crate::crd::Crd;
use crate::finding::SchemaChange;
use crate::schema::flatten;

/// Every path of a version that both CRDs have must stay.
pub(crate) fn check(old: &Crd, new: &Crd) -> Vec<SchemaChange> {
    let mut gone = Vec::new();
    for version in &new.versions {
        let Some(before) = old.version(&version.name).and_then(|version| version.schema.as_ref()) else { continue };
        let kept = version.schema.as_ref().map(flatten).unwrap_or_default();
        let removed = flatten(before).into_keys().filter(|path| !kept.contains_key(path));
        gone.extend(removed.map(|path| SchemaChange::Field { version: version.name.clone(), path }));
    }
    gone
}

#[cfg(test)]
mod tests {
    use crate::schema::Schema;
    use crate::{Crd, Version};
    use serde_json::{Value, json};

    fn crd(version: &str, schema: &Value) -> Crd {
        let version = Version { name: version.into(), schema: Some(Schema::of(schema)), ..Version::default() };
        Crd { versions: vec![version], ..Crd::default() }
    }

    #[track_caller]
    fn check(version: &str, schema: &Value, expected: &[&str]) {
        let old = crd("v1", &json!({"properties": {"a": {"oneOf": [{}, {}]}, "b": {}}}));
        let found = super::check(&old, &crd(version, schema));
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_path_that_is_gone_is_a_finding() {
        check(
            "v1",
            &json!({"properties": {"a": {"oneOf": [{}]}}}),
            &["removed field : v1.^.a.oneOf[1]", "removed field : v1.^.b"],
        );
        check("v1", &json!({"properties": {"a": {"oneOf": [{}, {}]}, "b": {}, "c": {}}}), &[]);
    }

    #[test]
    fn other_versions_are_not_compared() {
        check("v2", &json!({}), &[]);
    }
}
