//! The fields of `JSONSchemaProps` (`k8s.io/apiextensions-apiserver` `pkg/apis/apiextensions/v1/types_jsonschema.go`).

/// Gives a macro the fields of `JSONSchemaProps` in Go's order, behind what stands in the braces: a name and a type of Rust, for
/// who keeps the field, its name in JSON, and its name and [`fbc::GoType`] in Go.
#[macro_export]
macro_rules! json_schema_props {
    ($then:ident { $($before:tt)* }) => {
        $then! { $($before)* {
            id: String, "id", "ID", STRING;
            schema: String, "$schema", "Schema", STRING;
            reference: Option<String>, "$ref", "Ref", STRING;
            description: String, "description", "Description", STRING;
            kind: String, "type", "Type", STRING;
            format: String, "format", "Format", STRING;
            title: String, "title", "Title", STRING;
            default: Option<Raw>, "default", "Default", Any;
            maximum: Option<f64>, "maximum", "Maximum", Float;
            exclusive_maximum: bool, "exclusiveMaximum", "ExclusiveMaximum", Bool;
            minimum: Option<f64>, "minimum", "Minimum", Float;
            exclusive_minimum: bool, "exclusiveMinimum", "ExclusiveMinimum", Bool;
            max_length: Option<i64>, "maxLength", "MaxLength", INT64;
            min_length: Option<i64>, "minLength", "MinLength", INT64;
            pattern: String, "pattern", "Pattern", STRING;
            max_items: Option<i64>, "maxItems", "MaxItems", INT64;
            min_items: Option<i64>, "minItems", "MinItems", INT64;
            unique_items: bool, "uniqueItems", "UniqueItems", Bool;
            multiple_of: Option<f64>, "multipleOf", "MultipleOf", Float;
            allowed: Vec<Raw>, "enum", "Enum", List(&Any);
            max_properties: Option<i64>, "maxProperties", "MaxProperties", INT64;
            min_properties: Option<i64>, "minProperties", "MinProperties", INT64;
            required: Vec<String>, "required", "Required", List(&STRING);
            items: Option<Box<Items>>, "items", "Items", Custom(schema_or_schemas);
            all_of: Vec<Schema>, "allOf", "AllOf", List(&Struct(&SCHEMA));
            one_of: Vec<Schema>, "oneOf", "OneOf", List(&Struct(&SCHEMA));
            any_of: Vec<Schema>, "anyOf", "AnyOf", List(&Struct(&SCHEMA));
            not: Option<Box<Schema>>, "not", "Not", Struct(&SCHEMA);
            properties: BTreeMap<String, Schema>, "properties", "Properties", Map(&Struct(&SCHEMA));
            additional_properties: Option<Box<SchemaOrBool>>, "additionalProperties", "AdditionalProperties", Custom(schema_or_bool);
            pattern_properties: BTreeMap<String, Schema>, "patternProperties", "PatternProperties", Map(&Struct(&SCHEMA));
            dependencies: BTreeMap<String, Dependency>, "dependencies", "Dependencies", Map(&Custom(schema_or_strings));
            additional_items: Option<Box<SchemaOrBool>>, "additionalItems", "AdditionalItems", Custom(schema_or_bool);
            definitions: Definitions, "definitions", "Definitions", Map(&Struct(&SCHEMA));
            external_docs: Option<ExternalDocs>, "externalDocs", "ExternalDocs", Struct(&EXTERNAL_DOCUMENTATION);
            example: Option<Raw>, "example", "Example", Any;
            nullable: bool, "nullable", "Nullable", Bool;
            preserve_unknown_fields: Option<bool>, "x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields", Bool;
            embedded_resource: bool, "x-kubernetes-embedded-resource", "XEmbeddedResource", Bool;
            int_or_string: bool, "x-kubernetes-int-or-string", "XIntOrString", Bool;
            list_map_keys: Vec<String>, "x-kubernetes-list-map-keys", "XListMapKeys", List(&STRING);
            list_type: Option<String>, "x-kubernetes-list-type", "XListType", STRING;
            map_type: Option<String>, "x-kubernetes-map-type", "XMapType", STRING;
            validations: Vec<ValidationRule>, "x-kubernetes-validations", "XValidations", List(&Struct(&RULE));
        } }
    };
}
