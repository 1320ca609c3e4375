//! Reads questions from standard input, a JSON object on each line, and prints a line for each.

use crate::output::{Failure, written};
use crate::reading;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Write};

/// Answers each line. `shape` is the form of a line, for error messages. Blank lines are skipped.
pub(crate) fn run<Q: DeserializeOwned, A: Serialize>(
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
