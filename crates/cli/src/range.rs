//! `opscope range`

use crate::args;
use crate::jsonl;
use crate::output::{Failure, written};
use answers::{RangeAnswer, RangeMatch, RangeQuestion};
use source::one_line;
use std::io::Write;

/// Prints which versions a range matches. Returns whether the range is valid; with `--jsonl` always true.
pub(crate) fn run(arguments: &args::Range, out: &mut dyn Write) -> Result<bool, Failure> {
    match &arguments.range {
        Some(range) => run_one(range, &arguments.versions, out),
        None => jsonl::run(out, "{\"range\", \"versions\"}", RangeQuestion::answer).map(|()| true),
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
    Ok(true)
}
