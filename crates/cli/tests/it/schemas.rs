//! The JSON Schemas of `opscope schema`: what is printed for programs keeps to them.

use crate::command::opscope;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

const PAGE: &str = "../../docs/src/schemas.json";

/// The schemas of the commands by name. In these each field has to be known.
static STRICT: LazyLock<BTreeMap<String, Validator>> = LazyLock::new(|| {
    let mut all = printed();
    let definitions = all["$defs"].as_object_mut().expect("they are definitions");
    let commands: Vec<String> =
        definitions.keys().filter(|name| name.starts_with(char::is_lowercase)).cloned().collect();
    for definition in definitions.values_mut().filter(|definition| definition.get("properties").is_some()) {
        definition["unevaluatedProperties"] = json!(false);
    }
    for whole in definitions.values_mut().filter(|one| one["properties"].get("schema_version").is_some()) {
        // It was looked at and removed.
        whole["required"] = json!([]);
    }
    let validator = |name: &String| {
        let schema = json!({ "$ref": format!("#/$defs/{name}"), "$defs": all["$defs"] });
        jsonschema::validator_for(&schema).expect("it is a schema")
    };
    commands.iter().map(|name| (name.clone(), validator(name))).collect()
});

fn printed() -> Value {
    serde_json::from_str(&opscope(["schema"]).within(Path::new(".")).ended().out).expect("it is JSON")
}

/// Checks what a command of `opscope` has printed, if that is JSON of Opscope.
///
/// # Panics
///
/// If it does not keep to the schema of the command.
pub(crate) fn check(command: &str, arguments: &[String], printed: &[u8]) {
    let command = match command {
        "resolve" | "why" => "cluster",
        "inventory" => "list",
        "explain-message" => "explain",
        other => other,
    };
    let is_json = arguments.windows(2).any(|pair| ["-o", "--format"].contains(&&*pair[0]) && pair[1] == "json")
        || arguments.iter().any(|argument| argument == "--format=json" || argument == "-ojson");
    let Some(schema) = STRICT.get(command).filter(|_| is_json && !printed.is_empty()) else { return };
    let mut value: Value = serde_json::from_slice(printed).expect("it is JSON");
    let arguments = arguments.join(" ");
    assert!(value["schema_version"].is_u64(), "{command} {arguments}");
    without_outer_fields(&mut value);
    let errors: Vec<String> = schema.iter_errors(&value).flat_map(|error| innermost(&error)).collect();
    assert!(errors.is_empty(), "opscope {command} {arguments}:\n{}", errors.join("\n"));
}

/// What is wrong, in each of the forms that a value may have.
fn innermost(error: &ValidationError<'_>) -> Vec<String> {
    match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context.iter().flatten().flat_map(innermost).collect()
        }
        _ => vec![format!("{}: {}", error.instance_path(), error.masked())],
    }
}

/// Removes the fields that stand beside those of an answer.
fn without_outer_fields(value: &mut Value) {
    let Value::Object(fields) = value else { return };
    fields.remove("schema_version");
    if let Some(Value::Array(members)) = fields.get_mut("members") {
        for member in members {
            let Value::Object(fields) = &mut *member else { continue };
            ["openshift", "folders"].into_iter().for_each(|name| drop(fields.remove(name)));
        }
    }
    for part in ["validate", "compare"] {
        value.get_mut(part).into_iter().for_each(without_outer_fields);
    }
}

/// `OPSCOPE_BLESS=1` writes them into the book.
#[test]
fn the_book_has_the_schemas() {
    let text = opscope(["schema"]).within(Path::new(".")).ended().out;
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if std::env::var_os("OPSCOPE_BLESS").is_some() {
        std::fs::write(&page, &text).expect("it can be written");
    }
    assert!(std::fs::read_to_string(page).is_ok_and(|known| known == text), "`docs/src/schemas.json` is another one");
}

#[test]
fn a_command_has_its_own_schema() {
    let schema = opscope(["schema", "crd"]).within(Path::new(".")).ended().out;
    let schema =
        jsonschema::validator_for(&serde_json::from_str(&schema).expect("it is JSON")).expect("it is a schema");
    assert!(schema.is_valid(&json!({ "schema_version": 1, "error": "no such file" })));
    assert!(!schema.is_valid(&json!({ "error": "no such file" })));
    assert!(!schema.is_valid(&json!({ "schema_version": 1, "findings": [] })));
    let unknown = opscope(["schema", "lits"]).within(Path::new(".")).ended();
    assert_eq!((&*unknown.out, unknown.code), ("", 2));
    assert!(unknown.errors.contains("`list`"), "{}", unknown.errors);
}

/// Only the fields that other programs know by another name are not in snake_case.
#[test]
fn fields_and_values_are_in_snake_case() {
    const KNOWN: [&str; 9] = [
        "catalogNamespace",
        "defaultChannel",
        "existingPlanInstalls",
        "generatedSubscriptions",
        "installPlanCreated",
        "newInstallPlan",
        "resolutionFails",
        "skipRange",
        "updatedSubscriptions",
    ];
    fn names(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                let properties = fields.get("properties").and_then(Value::as_object);
                found.extend(properties.into_iter().flat_map(|fields| fields.keys().cloned()));
                fields.values().for_each(|value| names(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| names(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    names(&printed(), &mut found);
    found.retain(|name| name.contains(char::is_uppercase));
    found.sort();
    found.dedup();
    assert_eq!(found, KNOWN);
}
