//! The Go types that parts of manifests are decoded into: `k8s.io/apiextensions-apiserver`, `k8s.io/api` and those of
//! `pkg/registry/csv.go`. Fields that rarely have a wrong type are left out.

use GoType::{Any, Bool, Custom, Float, Int, List, Map, Struct, Text};
use fbc::{FieldNames, GoStruct, GoType, Misfit, Node, Value, go_misfit};

const STRING: GoType = Text("string");
const INT32: GoType = Int("int32", i32::MIN as i64, i32::MAX as i64);
const INT64: GoType = Int("int64", i64::MIN, i64::MAX);

/// `apiextensions.k8s.io/v1` CustomResourceDefinition
pub(crate) static CRD_V1: GoType = Struct(&GoStruct {
    package: "v1",
    name: "CustomResourceDefinition",
    fields: &[
        ("kind", STRING),
        ("apiVersion", STRING),
        ("metadata", Struct(&OBJECT_META)),
        (
            "spec",
            Struct(&GoStruct {
                package: "v1",
                name: "CustomResourceDefinitionSpec",
                fields: &[
                    ("group", STRING),
                    ("names", Struct(&NAMES)),
                    ("scope", Text("v1.ResourceScope")),
                    ("versions", List(&Struct(&VERSION_V1))),
                    ("preserveUnknownFields", Bool),
                ],
            }),
        ),
    ],
});

/// `apiextensions.k8s.io/v1beta1` CustomResourceDefinition
pub(crate) static CRD_V1BETA1: GoType = Struct(&GoStruct {
    package: "v1beta1",
    name: "CustomResourceDefinition",
    fields: &[
        ("kind", STRING),
        ("apiVersion", STRING),
        ("metadata", Struct(&OBJECT_META)),
        (
            "spec",
            Struct(&GoStruct {
                package: "v1beta1",
                name: "CustomResourceDefinitionSpec",
                fields: &[
                    ("group", STRING),
                    ("version", STRING),
                    ("names", Struct(&NAMES)),
                    ("scope", Text("v1beta1.ResourceScope")),
                    ("validation", Struct(&VALIDATION)),
                    ("versions", List(&Struct(&VERSION_V1BETA1))),
                    ("additionalPrinterColumns", List(&Struct(&COLUMN_V1BETA1))),
                    ("preserveUnknownFields", Bool),
                ],
            }),
        ),
    ],
});

static OBJECT_META: GoStruct = GoStruct {
    package: "v1",
    name: "ObjectMeta",
    fields: &[
        ("name", STRING),
        ("generateName", STRING),
        ("namespace", STRING),
        ("generation", INT64),
        ("labels", Map(&STRING)),
        ("annotations", Map(&STRING)),
        ("finalizers", List(&STRING)),
    ],
};

static NAMES: GoStruct = GoStruct {
    package: "v1",
    name: "CustomResourceDefinitionNames",
    fields: &[
        ("plural", STRING),
        ("singular", STRING),
        ("shortNames", List(&STRING)),
        ("kind", STRING),
        ("listKind", STRING),
        ("categories", List(&STRING)),
    ],
};

static VERSION_V1: GoStruct = GoStruct {
    package: "v1",
    name: "CustomResourceDefinitionVersion",
    fields: &[
        ("name", STRING),
        ("served", Bool),
        ("storage", Bool),
        ("deprecated", Bool),
        ("deprecationWarning", STRING),
        ("schema", Struct(&VALIDATION)),
        ("additionalPrinterColumns", List(&Struct(&COLUMN_V1))),
    ],
};

static VERSION_V1BETA1: GoStruct = GoStruct {
    package: "v1beta1",
    name: "CustomResourceDefinitionVersion",
    fields: &[
        ("name", STRING),
        ("served", Bool),
        ("storage", Bool),
        ("deprecated", Bool),
        ("deprecationWarning", STRING),
        ("schema", Struct(&VALIDATION)),
        ("additionalPrinterColumns", List(&Struct(&COLUMN_V1BETA1))),
    ],
};

static COLUMN_V1: GoStruct = GoStruct {
    package: "v1",
    name: "CustomResourceColumnDefinition",
    fields: &[
        ("name", STRING),
        ("type", STRING),
        ("format", STRING),
        ("description", STRING),
        ("priority", INT32),
        ("jsonPath", STRING),
    ],
};

static COLUMN_V1BETA1: GoStruct = GoStruct {
    package: "v1beta1",
    name: "CustomResourceColumnDefinition",
    fields: &[
        ("name", STRING),
        ("type", STRING),
        ("format", STRING),
        ("description", STRING),
        ("priority", INT32),
        ("JSONPath", STRING),
    ],
};

static VALIDATION: GoStruct =
    GoStruct { package: "v1", name: "CustomResourceValidation", fields: &[("openAPIV3Schema", Struct(&SCHEMA))] };

macro_rules! json_fields {
    ({ $($field:ident: $type:ty, $json:literal, $go:literal, $go_type:expr;)* }) => {
        &[$(($json, $go_type)),*]
    };
}

static SCHEMA: GoStruct =
    GoStruct { package: "v1", name: "JSONSchemaProps", fields: crate::json_schema_props!(json_fields {}) };

static RULE: GoStruct = GoStruct {
    package: "v1",
    name: "ValidationRule",
    fields: &[
        ("rule", STRING),
        ("message", STRING),
        ("messageExpression", STRING),
        ("reason", Text("v1.FieldValueErrorReason")),
        ("fieldPath", STRING),
        ("optionalOldSelf", Bool),
    ],
};

static EXTERNAL_DOCUMENTATION: GoStruct =
    GoStruct { package: "v1", name: "ExternalDocumentation", fields: &[("description", STRING), ("url", STRING)] };

static SCHEMA_TYPE: GoType = Struct(&SCHEMA);
static SCHEMAS_TYPE: GoType = List(&SCHEMA_TYPE);
static STRINGS_TYPE: GoType = List(&STRING);

/// `JSONSchemaPropsOrArray.UnmarshalJSON`
fn schema_or_schemas(node: &Node) -> Option<Misfit> {
    schema_or_list(node, &SCHEMAS_TYPE)
}

/// `JSONSchemaPropsOrStringArray.UnmarshalJSON`
fn schema_or_strings(node: &Node) -> Option<Misfit> {
    schema_or_list(node, &STRINGS_TYPE)
}

/// What is neither is read as nothing.
fn schema_or_list(node: &Node, list: &'static GoType) -> Option<Misfit> {
    match node.value {
        Value::Mapping(_) => go_misfit(node, &SCHEMA_TYPE, FieldNames::Exact),
        Value::Sequence(_) => go_misfit(node, list, FieldNames::Exact),
        _ => None,
    }
}

/// `JSONSchemaPropsOrBool.UnmarshalJSON`
fn schema_or_bool(node: &Node) -> Option<Misfit> {
    match node.value {
        Value::Mapping(_) => go_misfit(node, &SCHEMA_TYPE, FieldNames::Exact),
        Value::Bool(_) | Value::Null | Value::Unopened => None,
        Value::Number(_) | Value::String(_) | Value::Sequence(_) => {
            Some(Misfit { span: node.span, message: "boolean or JSON schema expected".to_owned() })
        }
    }
}

/// The lists of APIs of a CSV.
pub(crate) static DEFINITIONS: GoType = Struct(&GoStruct {
    package: "registry",
    name: "",
    fields: &[("owned", List(&Struct(&DEFINITION_KEY))), ("required", List(&Struct(&DEFINITION_KEY)))],
});

static DEFINITION_KEY: GoStruct = GoStruct {
    package: "registry",
    name: "DefinitionKey",
    fields: &[("group", STRING), ("kind", STRING), ("name", STRING), ("version", STRING)],
};

/// `[]declcfg.RelatedImage`
pub(crate) static RELATED_IMAGES: GoType = List(&Struct(&GoStruct {
    package: "declcfg",
    name: "RelatedImage",
    fields: &[("name", STRING), ("image", STRING)],
}));

/// The part of a CSV's `spec` that names the images of the operator.
pub(crate) static OPERATOR_IMAGES: GoType = Struct(&GoStruct {
    package: "registry",
    name: "csvSpec",
    fields: &[(
        "Install",
        Struct(&GoStruct {
            package: "registry",
            name: "strategy",
            fields: &[
                ("strategy", STRING),
                (
                    "spec",
                    Struct(&GoStruct {
                        package: "registry",
                        name: "strategySpec",
                        fields: &[("Deployments", List(&Struct(&DEPLOYMENT)))],
                    }),
                ),
            ],
        }),
    )],
});

static DEPLOYMENT: GoStruct =
    GoStruct { package: "registry", name: "dep", fields: &[("Name", STRING), ("Spec", Struct(&DEPLOYMENT_SPEC))] };

static DEPLOYMENT_SPEC: GoStruct = GoStruct {
    package: "v1",
    name: "DeploymentSpec",
    fields: &[
        ("replicas", INT32),
        (
            "selector",
            Struct(&GoStruct { package: "v1", name: "LabelSelector", fields: &[("matchLabels", Map(&STRING))] }),
        ),
        (
            "template",
            Struct(&GoStruct {
                package: "v1",
                name: "PodTemplateSpec",
                fields: &[("metadata", Struct(&OBJECT_META)), ("spec", Struct(&POD))],
            }),
        ),
        ("minReadySeconds", INT32),
        ("revisionHistoryLimit", INT32),
        ("paused", Bool),
        ("progressDeadlineSeconds", INT32),
    ],
};

static POD: GoStruct = GoStruct {
    package: "v1",
    name: "PodSpec",
    fields: &[
        ("initContainers", List(&Struct(&CONTAINER))),
        ("containers", List(&Struct(&CONTAINER))),
        ("terminationGracePeriodSeconds", INT64),
        ("nodeSelector", Map(&STRING)),
        ("serviceAccountName", STRING),
        ("hostNetwork", Bool),
        ("hostPID", Bool),
        ("hostIPC", Bool),
        ("priorityClassName", STRING),
    ],
};

static CONTAINER: GoStruct = GoStruct {
    package: "v1",
    name: "Container",
    fields: &[
        ("name", STRING),
        ("image", STRING),
        ("command", List(&STRING)),
        ("args", List(&STRING)),
        ("workingDir", STRING),
        ("ports", List(&Struct(&PORT))),
        ("env", List(&Struct(&VARIABLE))),
        ("imagePullPolicy", Text("v1.PullPolicy")),
        ("stdin", Bool),
        ("tty", Bool),
    ],
};

static PORT: GoStruct = GoStruct {
    package: "v1",
    name: "ContainerPort",
    fields: &[
        ("name", STRING),
        ("hostPort", INT32),
        ("containerPort", INT32),
        ("protocol", Text("v1.Protocol")),
        ("hostIP", STRING),
    ],
};

static VARIABLE: GoStruct = GoStruct { package: "v1", name: "EnvVar", fields: &[("name", STRING), ("value", STRING)] };

pub(crate) static PACKAGE: GoType = Struct(&GoStruct {
    package: "property",
    name: "Package",
    fields: &[("packageName", STRING), ("version", STRING), ("release", STRING)],
});

/// `property.GVK`
pub(crate) static GVK: GoType = Struct(&GoStruct {
    package: "property",
    name: "GVK",
    fields: &[("group", STRING), ("kind", STRING), ("version", STRING)],
});

// Parts of values that have any shape.

/// The items of a list; none of anything else.
pub(crate) fn items(node: &Node) -> &[Node] {
    match &node.value {
        Value::Sequence(items) => items,
        _ => &[],
    }
}

/// The text of a field that Go matches in any case; empty when there is none.
pub(crate) fn text_field(node: &Node, name: &str) -> String {
    node.field(name).and_then(Node::as_str).unwrap_or_default().to_owned()
}

// The fields of `JSONSchemaProps` (`k8s.io/apiextensions-apiserver` `pkg/apis/apiextensions/v1/types_jsonschema.go`).

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
