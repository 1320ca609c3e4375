//! `opscope cel`

use crate::args;
use crate::output::{Failure, written};
use crate::paths::shown_path;
use crate::{folder, jsonl};
use cel::{EvalError, Fuel, Program, PropertyValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use source::one_line;
use std::io::Write;

#[derive(Deserialize)]
struct Input {
    rule: String,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    value: Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Output {
    Result(bool),
    /// cel-go refuses the rule: OLM gives up on the namespace.
    CompileError(String),
    /// cel-go fails to evaluate the rule: OLM takes that for `false`.
    EvalError(String),
    /// The result in cel-go is not known.
    NotKnown(String),
}

/// Prints the result of a rule for properties. Returns whether it is true; with `--jsonl` always true.
pub(crate) fn run(arguments: &args::Cel, out: &mut dyn Write) -> Result<bool, Failure> {
    match &arguments.rule {
        Some(rule) => run_one(rule, arguments, out),
        None => jsonl::run(out, "{\"rule\", \"properties\"}", evaluate).map(|()| true),
    }
}

fn run_one(rule: &str, arguments: &args::Cel, out: &mut dyn Write) -> Result<bool, Failure> {
    let properties = match &arguments.properties {
        None => Vec::new(),
        Some(path) => {
            let text = folder::text(path, "properties are one file")?;
            serde_yaml::from_str(text.trim_start_matches('\u{feff}'))
                .map_err(|error| format!("`{}`: expected a list of `type` and `value`: {error}", shown_path(path)))?
        }
    };
    let output = evaluate(&Input { rule: rule.to_owned(), properties });
    match &output {
        Output::Result(yes) => writeln!(out, "{yes}"),
        Output::CompileError(text) => writeln!(out, "{}", one_line(text)),
        Output::EvalError(text) => writeln!(out, "false, because of an error: {}", one_line(text)),
        Output::NotKnown(text) => return Err(format!("the result is not known: the rule {text}").into()),
    }
    .map_err(written)?;
    Ok(matches!(output, Output::Result(true)))
}

fn evaluate(input: &Input) -> Output {
    let program = match Program::compile(&input.rule) {
        Ok(program) => program,
        Err(error) => return Output::CompileError(error.to_string()),
    };
    let properties: Vec<cel::Property<'_>> = input
        .properties
        .iter()
        .map(|property| cel::Property { kind: &property.kind, value: PropertyValue::Json(&property.value) })
        .collect();
    match program.evaluate(&properties, &mut Fuel::default()) {
        Ok(result) => Output::Result(result),
        Err(EvalError::Failed(text)) => Output::EvalError(text.into()),
        Err(EvalError::NotKnown(why)) => Output::NotKnown(why.to_string()),
    }
}
