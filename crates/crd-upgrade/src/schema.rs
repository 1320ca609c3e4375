//! The schema of a property: `JSONSchemaProps` of `k8s.io/apiextensions-apiserver` `pkg/apis/apiextensions/v1/types_jsonschema.go`.
//!
//! Fields that are absent and fields that are empty are the same where Go's decoder and `equality.Semantic` make no difference.

use crate::go::{Go, GoValue};
use serde_json::Value;
use std::collections::BTreeMap;

/// Defines a struct of Go: its name here and in Go, and for each field its name and type here and its names in JSON and in Go.
macro_rules! go_struct {
    ($(#[$doc:meta])* $name:ident = $go_name:literal
     { $($field:ident: $type:ty, $json:literal, $go_field:literal $(, $go_type:expr)?;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $(
                #[doc = concat!("`", $json, "`")]
                pub $field: $type,
            )*
        }

        impl $name {
            /// The fields whose names in JSON are wanted: the names in JSON and in Go, and the value.
            pub(crate) fn fields(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<(&'static str, &'static str, Go)> {
                let mut fields = Vec::new();
                $(if is_wanted($json) {
                    fields.push(($json, $go_field, self.$field.go()));
                })*
                fields
            }
        }

        impl GoValue for $name {
            const POINTER: fn(Option<Box<Go>>) -> Go = Go::Reference;
            const LIST: &'static str = concat!("[]", $go_name);
            const MAP: &'static str = concat!("map[string]", $go_name);

            fn read(value: &Value) -> Option<Self> {
                value.is_object().then(|| Self { $($field: GoValue::read(&value[$json]).unwrap_or_default(),)* })
            }

            fn go(&self) -> Go {
                let fields = self.fields(|_| true).into_iter().map(|(_, name, value)| (name, value));
                Go::Struct($go_name, fields.collect())
            }
        }
    };
}

bundle::json_schema_props!(go_struct {
    /// A schema. Texts and lists that are absent are empty.
    Schema = "JSONSchemaProps"
});

/// A JSON value as the text that an API server returns: compact, keys sorted, `<`, `>` and `&` escaped. Empty for `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Raw(pub String);

/// `items`: a schema for all items, or one for each position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Items {
    pub schema: Option<Schema>,
    pub schemas: Vec<Schema>,
}

/// A schema, or whether any value is allowed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaOrBool {
    /// Whether values are allowed; true where there is a schema.
    pub allows: bool,
    pub schema: Option<Schema>,
}

/// A dependency: a schema, or names of properties.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependency {
    pub schema: Option<Schema>,
    pub properties: Vec<String>,
}

/// `definitions`, a map of a type of its own in Go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definitions(pub BTreeMap<String, Schema>);

go_struct! {
    /// `externalDocs`
    ExternalDocs = "ExternalDocumentation" {
        description: String, "description", "Description";
        url: String, "url", "URL";
    }
}

go_struct! {
    /// A CEL rule of `x-kubernetes-validations`.
    ValidationRule = "ValidationRule" {
        rule: String, "rule", "Rule";
        message: String, "message", "Message";
        message_expression: String, "messageExpression", "MessageExpression";
        reason: Option<String>, "reason", "Reason";
        field_path: String, "fieldPath", "FieldPath";
        optional_old_self: Option<bool>, "optionalOldSelf", "OptionalOldSelf";
    }
}

impl Schema {
    /// Reads a schema. Parts of a wrong type are left out; the reader of CRDs has rejected them before.
    pub(crate) fn of(value: &Value) -> Self {
        Self::read(value).unwrap_or_default()
    }
}

impl GoValue for Raw {
    const POINTER: fn(Option<Box<Go>>) -> Go = Go::Reference;
    const LIST: &'static str = "[]JSON";

    fn read(value: &Value) -> Option<Self> {
        (!value.is_null()).then(|| Self(fbc::json_for_html(value)))
    }

    fn go(&self) -> Go {
        Go::Struct("JSON", vec![("Raw", Go::Bytes(self.0.clone()))])
    }
}

impl GoValue for Items {
    const POINTER: fn(Option<Box<Go>>) -> Go = Go::Reference;

    fn read(value: &Value) -> Option<Self> {
        (!value.is_null())
            .then(|| Self { schema: Schema::read(value), schemas: GoValue::read(value).unwrap_or_default() })
    }

    fn go(&self) -> Go {
        Go::Struct("JSONSchemaPropsOrArray", vec![("Schema", self.schema.go()), ("JSONSchemas", self.schemas.go())])
    }
}

impl GoValue for SchemaOrBool {
    const POINTER: fn(Option<Box<Go>>) -> Go = Go::Reference;

    fn read(value: &Value) -> Option<Self> {
        let schema = Schema::read(value);
        let allows = schema.is_some() || value.as_bool().unwrap_or_default();
        (!value.is_null()).then_some(Self { allows, schema })
    }

    fn go(&self) -> Go {
        Go::Struct("JSONSchemaPropsOrBool", vec![("Allows", Go::Bool(self.allows)), ("Schema", self.schema.go())])
    }
}

impl GoValue for Dependency {
    const MAP: &'static str = "JSONSchemaDependencies";

    fn read(value: &Value) -> Option<Self> {
        Some(Self { schema: Schema::read(value), properties: GoValue::read(value).unwrap_or_default() })
    }

    fn go(&self) -> Go {
        Go::Struct(
            "JSONSchemaPropsOrStringArray",
            vec![("Schema", self.schema.go()), ("Property", self.properties.go())],
        )
    }
}

impl GoValue for Definitions {
    fn read(value: &Value) -> Option<Self> {
        GoValue::read(value).map(Self)
    }

    fn go(&self) -> Go {
        match self.0.go() {
            Go::Map(_, entries) => Go::Map("JSONSchemaDefinitions", entries),
            other => other,
        }
    }
}

// A schema as a map from paths to the schemas of properties: crdify's `FlattenCRDVersion` and `SchemaHas`
// (`pkg/validations/util.go`).

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
