//! `opscope cel`

use crate::args;
use crate::output::{Failure, written};
use crate::paths::shown_path;
use crate::{folder, jsonl};
use answers::{RuleAnswer, RuleQuestion};
use source::one_line;
use std::io::Write;

/// Prints the result of a rule for properties. Returns whether it is true; with `--jsonl` always true.
pub(crate) fn run(arguments: &args::Cel, out: &mut dyn Write) -> Result<bool, Failure> {
    match &arguments.rule {
        Some(rule) => run_one(rule, arguments, out),
        None => jsonl::run(out, "{\"rule\", \"properties\"}", RuleQuestion::answer).map(|()| true),
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
    let output = RuleQuestion { rule: rule.to_owned(), properties }.answer();
    match &output {
        RuleAnswer::Result(yes) => writeln!(out, "{yes}"),
        RuleAnswer::CompileError(text) => writeln!(out, "{}", lines(text)),
        RuleAnswer::EvalError(text) => writeln!(out, "false, because of an error: {}", lines(text)),
        RuleAnswer::NotKnown(text) => return Err(format!("the result is not known: the rule {text}").into()),
    }
    .map_err(written)?;
    Ok(matches!(output, RuleAnswer::Result(true)))
}

/// A message of several lines, of which one points to a place in the line above.
fn lines(text: &str) -> String {
    text.lines().map(one_line).collect::<Vec<_>>().join("\n")
}
