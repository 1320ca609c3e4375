//! A schema as a map from paths to the schemas of properties: crdify's `FlattenCRDVersion` and `SchemaHas`
//! (`pkg/validations/util.go`).

use crate::schema::Schema;
use std::collections::BTreeMap;

/// The schemas of a schema by their paths, such as `^.spec.list.items`, the whole one at `^`. Of two with the same path, as of
/// the items of a list and of a property named `items`, the last in the order of the walk counts.
pub(crate) fn flatten(schema: &Schema) -> BTreeMap<String, &Schema> {
    let mut found = BTreeMap::new();
    walk(schema, "^".to_owned(), &mut found);
    found
}

fn walk<'s>(schema: &'s Schema, path: String, found: &mut BTreeMap<String, &'s Schema>) {
    found.insert(path.clone(), schema);
    if let Some(items) = &schema.items {
        each(items.schema.as_ref(), &format!("{path}.items"), found);
        indexed(&items.schemas, &format!("{path}.items"), found);
    }
    indexed(&schema.all_of, &format!("{path}.allOf"), found);
    indexed(&schema.any_of, &format!("{path}.anyOf"), found);
    indexed(&schema.one_of, &format!("{path}.oneOf"), found);
    each(schema.not.as_deref(), &format!("{path}.not"), found);
    for (name, property) in &schema.properties {
        walk(property, format!("{path}.{name}"), found);
    }
    if let Some(additional) = &schema.additional_properties {
        each(additional.schema.as_ref(), &format!("{path}.additionalProperties"), found);
    }
    keyed(&schema.pattern_properties, &format!("{path}.patternProperties"), found);
    if let Some(additional) = &schema.additional_items {
        each(additional.schema.as_ref(), &format!("{path}.additionalItems"), found);
    }
    keyed(&schema.definitions.0, &format!("{path}.definitions"), found);
    for (name, dependency) in &schema.dependencies {
        each(dependency.schema.as_ref(), &format!("{path}.dependencies[{name}]"), found);
    }
}

fn each<'s>(schema: Option<&'s Schema>, path: &str, found: &mut BTreeMap<String, &'s Schema>) {
    if let Some(schema) = schema {
        walk(schema, path.to_owned(), found);
    }
}

fn indexed<'s>(schemas: &'s [Schema], path: &str, found: &mut BTreeMap<String, &'s Schema>) {
    for (index, schema) in schemas.iter().enumerate() {
        walk(schema, format!("{path}[{index}]"), found);
    }
}

fn keyed<'s>(schemas: &'s BTreeMap<String, Schema>, path: &str, found: &mut BTreeMap<String, &'s Schema>) {
    for (key, schema) in schemas {
        walk(schema, format!("{path}[{key}]"), found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(schema: &serde_json::Value, expected: &[&str]) {
        let schema = Schema::of(schema);
        assert_eq!(flatten(&schema).into_keys().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_part_of_a_schema_has_a_path() {
        check(&json!({"properties": {"a": {"items": {"type": "string"}}}}), &["^", "^.a", "^.a.items"]);
        check(
            &json!({"items": [{}, {}], "additionalItems": {}}),
            &["^", "^.additionalItems", "^.items[0]", "^.items[1]"],
        );
        check(
            &json!({"allOf": [{}], "anyOf": [{}], "oneOf": [{"not": {}}]}),
            &["^", "^.allOf[0]", "^.anyOf[0]", "^.oneOf[0]", "^.oneOf[0].not"],
        );
        check(
            &json!({"additionalProperties": {}, "patternProperties": {"x": {}}, "definitions": {"d": {}}, "dependencies": {"e": {}, "f": ["g"]}}),
            &["^", "^.additionalProperties", "^.definitions[d]", "^.dependencies[e]", "^.patternProperties[x]"],
        );
        check(&json!({"additionalProperties": true}), &["^"]);
    }

    #[test]
    fn a_property_named_items_hides_the_items() {
        let schema = Schema::of(&json!({"items": {"type": "string"}, "properties": {"items": {"type": "array"}}}));
        assert_eq!(flatten(&schema)["^.items"].kind, "array");
    }
}
