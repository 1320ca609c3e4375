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
