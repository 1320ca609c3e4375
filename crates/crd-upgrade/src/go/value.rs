//! Schemas as trees of Go values, with the names and the order of the fields of `JSONSchemaProps`.

use crate::schema::{Dependency, Items, Raw, Schema, SchemaOrBool, ValidationRule};
use std::collections::BTreeMap;

/// A Go value. Lists, maps and bytes that are empty are `nil`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Go {
    Text(String),
    Bool(bool),
    Int(i64),
    Float(f64),
    Bytes(String),
    /// A pointer to a number, a text or a boolean.
    Pointer(Option<Box<Self>>),
    /// A pointer to a struct.
    Reference(Option<Box<Self>>),
    /// A list, with the name of its type.
    List(&'static str, Vec<Self>),
    /// A map with sorted keys, with the name of its type.
    Map(&'static str, Vec<(String, Self)>),
    Struct(&'static str, Vec<(&'static str, Self)>),
}

impl Go {
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Self::Text(text) | Self::Bytes(text) => text.is_empty(),
            Self::Bool(flag) => !flag,
            Self::Int(number) => *number == 0,
            Self::Float(number) => *number == 0.0,
            Self::Pointer(to) | Self::Reference(to) => to.is_none(),
            Self::List(_, items) => items.is_empty(),
            Self::Map(_, entries) => entries.is_empty(),
            Self::Struct(_, fields) => fields.iter().all(|(_, value)| value.is_zero()),
        }
    }
}

/// A schema with all its fields.
pub(crate) fn schema(schema: &Schema) -> Go {
    of_schema(schema, false)
}

/// A schema with the fields that no check looks at and that are not compared at paths of their own.
pub(crate) fn unchecked(schema: &Schema) -> Go {
    of_schema(schema, true)
}

fn of_schema(schema: &Schema, is_cleared: bool) -> Go {
    let empty = Schema::default();
    let checked = if is_cleared { &empty } else { schema };
    Go::Struct(
        "JSONSchemaProps",
        vec![
            ("ID", text(&schema.id)),
            ("Schema", text(&schema.schema)),
            ("Ref", pointer(schema.reference.as_deref().map(text))),
            ("Description", text(&checked.description)),
            ("Type", text(&checked.kind)),
            ("Format", text(&schema.format)),
            ("Title", text(&schema.title)),
            ("Default", reference(checked.default.as_ref().map(json))),
            ("Maximum", pointer(checked.maximum.map(Go::Float))),
            ("ExclusiveMaximum", Go::Bool(schema.exclusive_maximum)),
            ("Minimum", pointer(checked.minimum.map(Go::Float))),
            ("ExclusiveMinimum", Go::Bool(schema.exclusive_minimum)),
            ("MaxLength", pointer(checked.max_length.map(Go::Int))),
            ("MinLength", pointer(checked.min_length.map(Go::Int))),
            ("Pattern", text(&checked.pattern)),
            ("MaxItems", pointer(checked.max_items.map(Go::Int))),
            ("MinItems", pointer(checked.min_items.map(Go::Int))),
            ("UniqueItems", Go::Bool(schema.unique_items)),
            ("MultipleOf", pointer(schema.multiple_of.map(Go::Float))),
            ("Enum", Go::List("[]JSON", checked.allowed.iter().map(json).collect())),
            ("MaxProperties", pointer(checked.max_properties.map(Go::Int))),
            ("MinProperties", pointer(checked.min_properties.map(Go::Int))),
            ("Required", texts(&checked.required)),
            ("Items", reference(checked.items.as_deref().map(items))),
            ("AllOf", schemas(&schema.all_of)),
            ("OneOf", schemas(&checked.one_of)),
            ("AnyOf", schemas(&schema.any_of)),
            ("Not", reference(schema.not.as_deref().map(self::schema))),
            ("Properties", map("map[string]JSONSchemaProps", &checked.properties, self::schema)),
            ("AdditionalProperties", reference(schema.additional_properties.as_deref().map(schema_or_bool))),
            ("PatternProperties", map("map[string]JSONSchemaProps", &schema.pattern_properties, self::schema)),
            ("Dependencies", map("JSONSchemaDependencies", &schema.dependencies, dependency)),
            ("AdditionalItems", reference(schema.additional_items.as_deref().map(schema_or_bool))),
            ("Definitions", map("JSONSchemaDefinitions", &schema.definitions, self::schema)),
            ("ExternalDocs", reference(schema.external_docs.as_ref().map(external_docs))),
            ("Example", reference(schema.example.as_ref().map(json))),
            ("Nullable", Go::Bool(checked.nullable)),
            ("XPreserveUnknownFields", pointer(schema.preserve_unknown_fields.map(Go::Bool))),
            ("XEmbeddedResource", Go::Bool(schema.embedded_resource)),
            ("XIntOrString", Go::Bool(schema.int_or_string)),
            ("XListMapKeys", texts(&schema.list_map_keys)),
            ("XListType", pointer(schema.list_type.as_deref().map(text))),
            ("XMapType", pointer(schema.map_type.as_deref().map(text))),
            ("XValidations", Go::List("ValidationRules", schema.validations.iter().map(rule).collect())),
        ],
    )
}

fn text(text: &str) -> Go {
    Go::Text(text.to_owned())
}

fn texts(texts: &[String]) -> Go {
    Go::List("[]string", texts.iter().cloned().map(Go::Text).collect())
}

fn pointer(to: Option<Go>) -> Go {
    Go::Pointer(to.map(Box::new))
}

fn reference(to: Option<Go>) -> Go {
    Go::Reference(to.map(Box::new))
}

fn schemas(schemas: &[Schema]) -> Go {
    Go::List("[]JSONSchemaProps", schemas.iter().map(schema).collect())
}

fn map<T>(name: &'static str, entries: &BTreeMap<String, T>, value: fn(&T) -> Go) -> Go {
    Go::Map(name, entries.iter().map(|(key, entry)| (key.clone(), value(entry))).collect())
}

fn json(raw: &Raw) -> Go {
    Go::Struct("JSON", vec![("Raw", Go::Bytes(raw.0.clone()))])
}

fn items(items: &Items) -> Go {
    Go::Struct(
        "JSONSchemaPropsOrArray",
        vec![("Schema", reference(items.schema.as_ref().map(schema))), ("JSONSchemas", schemas(&items.schemas))],
    )
}

fn schema_or_bool(value: &SchemaOrBool) -> Go {
    Go::Struct(
        "JSONSchemaPropsOrBool",
        vec![("Allows", Go::Bool(value.allows)), ("Schema", reference(value.schema.as_ref().map(schema)))],
    )
}

fn dependency(dependency: &Dependency) -> Go {
    Go::Struct(
        "JSONSchemaPropsOrStringArray",
        vec![
            ("Schema", reference(dependency.schema.as_ref().map(schema))),
            ("Property", texts(&dependency.properties)),
        ],
    )
}

fn external_docs((description, url): &(String, String)) -> Go {
    Go::Struct("ExternalDocumentation", vec![("Description", text(description)), ("URL", text(url))])
}

fn rule(rule: &ValidationRule) -> Go {
    Go::Struct(
        "ValidationRule",
        vec![
            ("Rule", text(&rule.rule)),
            ("Message", text(&rule.message)),
            ("MessageExpression", text(&rule.message_expression)),
            ("Reason", pointer(rule.reason.as_deref().map(text))),
            ("FieldPath", text(&rule.field_path)),
            ("OptionalOldSelf", pointer(rule.optional_old_self.map(Go::Bool))),
        ],
    )
}
