//! `opscope range` and `opscope cel`: expressions of the command line, or one on each line of standard input.

use crate::output::{Failure, written};
use crate::places::shown_path;
use crate::{args, folder, reading};
use answers::{RangeAnswer, RangeMatch, RangeQuestion, RuleAnswer, RuleQuestion};
use serde::Serialize;
use serde::de::DeserializeOwned;
use session::Version;
use source::one_line;
use std::io::{self, Write};

/// Prints which versions a range matches. Returns whether the range is valid; with `--jsonl` always true.
pub(crate) fn range(arguments: &args::Range, out: &mut dyn Write) -> Result<bool, Failure> {
    match &arguments.range {
        Some(range) => run_one(range, &arguments.versions, out),
        None => each_line(out, "{\"range\", \"versions\"}", RangeQuestion::answer).map(|()| true),
    }
}

fn run_one(range: &str, versions: &[String], out: &mut dyn Write) -> Result<bool, Failure> {
    let question = RangeQuestion { range: range.to_owned(), versions: versions.to_vec() };
    let matches = match question.answer() {
        RangeAnswer::Match(matches) => matches,
        RangeAnswer::Error(error) => {
            writeln!(out, "error: {}", one_line(&error)).map_err(written)?;
            return Ok(false);
        }
    };
    writeln!(out, "{}", question.normalised().unwrap_or_default()).map_err(written)?;
    for version in versions {
        let word = match matches[version] {
            RangeMatch::Answer(true) => "yes",
            RangeMatch::Answer(false) => "no",
            RangeMatch::Word(word) => word,
        };
        writeln!(out, "{}: {word}", one_line(version)).map_err(written)?;
    }
    match versions.iter().find(|version| Version::parse(version).is_err()) {
        Some(version) => Err(format!("`{version}` is not a version; expected three numbers, such as 1.2.3").into()),
        None => Ok(true),
    }
}

// `opscope cel`

/// Prints the result of a rule for properties. Returns whether it is true; with `--jsonl` always true.
pub(crate) fn cel(arguments: &args::Cel, out: &mut dyn Write) -> Result<bool, Failure> {
    match &arguments.rule {
        Some(rule) => run_one_cel(rule, arguments, out),
        None => each_line(out, "{\"rule\", \"properties\"}", RuleQuestion::answer).map(|()| true),
    }
}

fn run_one_cel(rule: &str, arguments: &args::Cel, out: &mut dyn Write) -> Result<bool, Failure> {
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

// Reads questions from standard input, a JSON object on each line, and prints a line for each.

/// Answers each line. `shape` is the form of a line, for error messages. Blank lines are skipped.
fn each_line<Q: DeserializeOwned, A: Serialize>(
    out: &mut dyn Write,
    shape: &str,
    answer: impl Fn(&Q) -> A,
) -> Result<(), Failure> {
    for (number, line) in (1..).zip(reading::lines(io::stdin().lock())) {
        let line = line.map_err(|error| format!("cannot read line {number} of standard input: {error}"))?;
        if line.trim().is_empty() {
            continue;
        }
        let question: Q = serde_json::from_str(&line)
            .map_err(|error| format!("line {number} of standard input: expected `{shape}`: {error}"))?;
        let answer = serde_json::to_string(&answer(&question)).map_err(|error| error.to_string())?;
        writeln!(out, "{answer}").map_err(written)?;
    }
    Ok(())
}
