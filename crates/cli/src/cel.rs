//! `opscope cel`

use crate::args;
use crate::{Failure, jsonl, written};
use cel::{EvalError, Fuel, Program, PropertyValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::Write;

#[derive(Deserialize)]
struct Question {
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
enum Answer {
    Result(bool),
    /// cel-go refuses the rule: OLM gives up on the namespace.
    CompileError(String),
    /// cel-go cannot evaluate it: OLM takes that for a no.
    EvalError(String),
    /// It is not known what cel-go would say.
    NotKnown(String),
}

/// Prints what a rule says of properties; whether it says yes. With `--jsonl` always yes.
pub(crate) fn run(arguments: &args::Cel, out: &mut dyn Write) -> Result<bool, Failure> {
    match &arguments.rule {
        Some(rule) => one(rule, arguments, out),
        None => jsonl::run(out, "{\"rule\", \"properties\"}", answer).map(|()| true),
    }
}

fn one(rule: &str, arguments: &args::Cel, out: &mut dyn Write) -> Result<bool, Failure> {
    let properties = match &arguments.properties {
        None => Vec::new(),
        Some(path) => {
            let text =
                std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            serde_yaml::from_str(&text)
                .map_err(|error| format!("{}: expected a list of `type` and `value`: {error}", path.display()))?
        }
    };
    let answer = answer(&Question { rule: rule.to_owned(), properties });
    match &answer {
        Answer::Result(yes) => writeln!(out, "{yes}"),
        Answer::CompileError(text) => writeln!(out, "{text}"),
        Answer::EvalError(text) => writeln!(out, "false, because of an error: {text}"),
        Answer::NotKnown(text) => return Err(format!("cannot tell: the rule {text}")),
    }
    .map_err(written)?;
    Ok(matches!(answer, Answer::Result(true)))
}

fn answer(question: &Question) -> Answer {
    let program = match Program::compile(&question.rule) {
        Ok(program) => program,
        Err(error) => return Answer::CompileError(error.to_string()),
    };
    let properties: Vec<cel::Property<'_>> = question
        .properties
        .iter()
        .map(|property| cel::Property { kind: &property.kind, value: PropertyValue::Json(&property.value) })
        .collect();
    match program.evaluate(&properties, &mut Fuel::default()) {
        Ok(result) => Answer::Result(result),
        Err(EvalError::Failed(text)) => Answer::EvalError(text.into()),
        Err(EvalError::NotKnown(why)) => Answer::NotKnown(why.to_string()),
    }
}
