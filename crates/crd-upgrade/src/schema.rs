//! The schema of a property: `JSONSchemaProps` of `k8s.io/apiextensions-apiserver` `pkg/apis/apiextensions/v1/types_jsonschema.go`.
//!
//! Fields that are absent and fields that are empty are the same where Go's decoder and `equality.Semantic` make no difference.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A schema. Texts and lists that are absent are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// `id`
    pub id: String,
    /// `$schema`
    pub schema: String,
    /// `$ref`
    pub reference: Option<String>,
    /// `description`
    pub description: String,
    /// `type`
    pub kind: String,
    /// `format`
    pub format: String,
    /// `title`
    pub title: String,
    /// `default`, as JSON text.
    pub default: Option<Raw>,
    /// `maximum`
    pub maximum: Option<f64>,
    /// `exclusiveMaximum`
    pub exclusive_maximum: bool,
    /// `minimum`
    pub minimum: Option<f64>,
    /// `exclusiveMinimum`
    pub exclusive_minimum: bool,
    /// `maxLength`
    pub max_length: Option<i64>,
    /// `minLength`
    pub min_length: Option<i64>,
    /// `pattern`
    pub pattern: String,
    /// `maxItems`
    pub max_items: Option<i64>,
    /// `minItems`
    pub min_items: Option<i64>,
    /// `uniqueItems`
    pub unique_items: bool,
    /// `multipleOf`
    pub multiple_of: Option<f64>,
    /// `enum`, each value as JSON text.
    pub allowed: Vec<Raw>,
    /// `maxProperties`
    pub max_properties: Option<i64>,
    /// `minProperties`
    pub min_properties: Option<i64>,
    /// `required`
    pub required: Vec<String>,
    /// `items`
    pub items: Option<Box<Items>>,
    /// `allOf`
    pub all_of: Vec<Self>,
    /// `oneOf`
    pub one_of: Vec<Self>,
    /// `anyOf`
    pub any_of: Vec<Self>,
    /// `not`
    pub not: Option<Box<Self>>,
    /// `properties`
    pub properties: BTreeMap<String, Self>,
    /// `additionalProperties`
    pub additional_properties: Option<Box<SchemaOrBool>>,
    /// `patternProperties`
    pub pattern_properties: BTreeMap<String, Self>,
    /// `dependencies`
    pub dependencies: BTreeMap<String, Dependency>,
    /// `additionalItems`
    pub additional_items: Option<Box<SchemaOrBool>>,
    /// `definitions`
    pub definitions: BTreeMap<String, Self>,
    /// `externalDocs`: description and URL.
    pub external_docs: Option<(String, String)>,
    /// `example`, as JSON text.
    pub example: Option<Raw>,
    /// `nullable`
    pub nullable: bool,
    /// `x-kubernetes-preserve-unknown-fields`
    pub preserve_unknown_fields: Option<bool>,
    /// `x-kubernetes-embedded-resource`
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`
    pub int_or_string: bool,
    /// `x-kubernetes-list-map-keys`
    pub list_map_keys: Vec<String>,
    /// `x-kubernetes-list-type`
    pub list_type: Option<String>,
    /// `x-kubernetes-map-type`
    pub map_type: Option<String>,
    /// `x-kubernetes-validations`
    pub validations: Vec<ValidationRule>,
}

/// A JSON value as the text that an API server returns: compact, keys sorted, `<`, `>` and `&` escaped. Empty for `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Raw(pub String);

/// `items`: a schema for all items, or one for each position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Items {
    /// The schema of all items.
    pub schema: Option<Schema>,
    /// The schemas by position.
    pub schemas: Vec<Schema>,
}

/// A schema, or whether any value is allowed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaOrBool {
    /// Whether values are allowed; true where there is a schema.
    pub allows: bool,
    /// The schema.
    pub schema: Option<Schema>,
}

/// A dependency: a schema, or names of properties.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependency {
    /// The schema.
    pub schema: Option<Schema>,
    /// The names of properties.
    pub properties: Vec<String>,
}

/// A CEL rule of `x-kubernetes-validations`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidationRule {
    /// `rule`
    pub rule: String,
    /// `message`
    pub message: String,
    /// `messageExpression`
    pub message_expression: String,
    /// `reason`
    pub reason: Option<String>,
    /// `fieldPath`
    pub field_path: String,
    /// `optionalOldSelf`
    pub optional_old_self: Option<bool>,
}

impl Schema {
    /// Reads a schema. Parts of a wrong type are left out; the reader of CRDs has rejected them before.
    pub(crate) fn of(value: &Value) -> Self {
        let Some(fields) = value.as_object() else { return Self::default() };
        let read = Fields(fields);
        Self {
            id: read.text("id"),
            schema: read.text("$schema"),
            reference: read.optional_text("$ref"),
            description: read.text("description"),
            kind: read.text("type"),
            format: read.text("format"),
            title: read.text("title"),
            default: read.raw("default"),
            maximum: read.float("maximum"),
            exclusive_maximum: read.flag("exclusiveMaximum"),
            minimum: read.float("minimum"),
            exclusive_minimum: read.flag("exclusiveMinimum"),
            max_length: read.integer("maxLength"),
            min_length: read.integer("minLength"),
            pattern: read.text("pattern"),
            max_items: read.integer("maxItems"),
            min_items: read.integer("minItems"),
            unique_items: read.flag("uniqueItems"),
            multiple_of: read.float("multipleOf"),
            allowed: read.list("enum").iter().map(Raw::of).collect(),
            max_properties: read.integer("maxProperties"),
            min_properties: read.integer("minProperties"),
            required: read.texts("required"),
            items: read.given("items").map(|value| Box::new(Items::of(value))),
            all_of: read.schemas("allOf"),
            one_of: read.schemas("oneOf"),
            any_of: read.schemas("anyOf"),
            not: read.given("not").map(|value| Box::new(Self::of(value))),
            properties: read.map("properties", Self::of),
            additional_properties: read.given("additionalProperties").map(|value| Box::new(SchemaOrBool::of(value))),
            pattern_properties: read.map("patternProperties", Self::of),
            dependencies: read.map("dependencies", Dependency::of),
            additional_items: read.given("additionalItems").map(|value| Box::new(SchemaOrBool::of(value))),
            definitions: read.map("definitions", Self::of),
            external_docs: read.given("externalDocs").and_then(Value::as_object).map(|docs| {
                let docs = Fields(docs);
                (docs.text("description"), docs.text("url"))
            }),
            example: read.raw("example"),
            nullable: read.flag("nullable"),
            preserve_unknown_fields: read.optional_flag("x-kubernetes-preserve-unknown-fields"),
            embedded_resource: read.flag("x-kubernetes-embedded-resource"),
            int_or_string: read.flag("x-kubernetes-int-or-string"),
            list_map_keys: read.texts("x-kubernetes-list-map-keys"),
            list_type: read.optional_text("x-kubernetes-list-type"),
            map_type: read.optional_text("x-kubernetes-map-type"),
            validations: read.list("x-kubernetes-validations").iter().map(ValidationRule::of).collect(),
        }
    }
}

impl Raw {
    fn of(value: &Value) -> Self {
        if value.is_null() { Self::default() } else { Self(fbc::json_for_html(value)) }
    }
}

impl Items {
    fn of(value: &Value) -> Self {
        match value {
            Value::Object(_) => Self { schema: Some(Schema::of(value)), schemas: Vec::new() },
            Value::Array(items) => Self { schema: None, schemas: items.iter().map(Schema::of).collect() },
            _ => Self::default(),
        }
    }
}

impl SchemaOrBool {
    fn of(value: &Value) -> Self {
        match value {
            Value::Object(_) => Self { allows: true, schema: Some(Schema::of(value)) },
            _ => Self { allows: value.as_bool().unwrap_or_default(), schema: None },
        }
    }
}

impl Dependency {
    fn of(value: &Value) -> Self {
        match value {
            Value::Object(_) => Self { schema: Some(Schema::of(value)), properties: Vec::new() },
            _ => Self { schema: None, properties: texts(value) },
        }
    }
}

impl ValidationRule {
    fn of(value: &Value) -> Self {
        let Some(fields) = value.as_object() else { return Self::default() };
        let read = Fields(fields);
        Self {
            rule: read.text("rule"),
            message: read.text("message"),
            message_expression: read.text("messageExpression"),
            reason: read.optional_text("reason"),
            field_path: read.text("fieldPath"),
            optional_old_self: read.optional_flag("optionalOldSelf"),
        }
    }
}

/// The texts of a list; what is no text is an empty one, as Go decodes `null`.
fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().map(|item| item.as_str().unwrap_or_default().to_owned()).collect()
}

/// The fields of a JSON object.
struct Fields<'v>(&'v Map<String, Value>);

impl Fields<'_> {
    fn given(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> String {
        self.optional_text(name).unwrap_or_default()
    }

    fn optional_text(&self, name: &str) -> Option<String> {
        self.given(name)?.as_str().map(str::to_owned)
    }

    fn flag(&self, name: &str) -> bool {
        self.optional_flag(name).unwrap_or_default()
    }

    fn optional_flag(&self, name: &str) -> Option<bool> {
        self.given(name)?.as_bool()
    }

    fn float(&self, name: &str) -> Option<f64> {
        self.given(name)?.as_f64()
    }

    fn integer(&self, name: &str) -> Option<i64> {
        self.given(name)?.as_i64()
    }

    fn raw(&self, name: &str) -> Option<Raw> {
        self.given(name).map(Raw::of)
    }

    fn list(&self, name: &str) -> &[Value] {
        self.given(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    fn texts(&self, name: &str) -> Vec<String> {
        self.given(name).map(texts).unwrap_or_default()
    }

    fn schemas(&self, name: &str) -> Vec<Schema> {
        self.list(name).iter().map(Schema::of).collect()
    }

    fn map<T>(&self, name: &str, read: fn(&Value) -> T) -> BTreeMap<String, T> {
        let entries = self.given(name).and_then(Value::as_object);
        entries.into_iter().flatten().map(|(key, value)| (key.clone(), read(value))).collect()
    }
}
