//! `opscope range`

use crate::args;
use crate::jsonl;
use crate::output::{Failure, written};
use go_semver::blang::{Range, Version};
use serde::{Deserialize, Serialize};
use source::one_line;
use std::collections::BTreeMap;
use std::io::Write;

#[derive(Deserialize)]
struct Input {
    range: String,
    #[serde(default)]
    versions: Vec<String>,
}

#[derive(Serialize)]
enum Output {
    #[serde(rename = "match")]
    Match(BTreeMap<String, Match>),
    #[serde(rename = "error")]
    Error(String),
}

#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum Match {
    Answer(bool),
    /// OLM crashes on the range, or the version is invalid.
    Word(&'static str),
}

/// Prints which versions a range matches. Returns whether the range is valid; with `--jsonl` always true.
pub(crate) fn run(arguments: &args::Range, out: &mut dyn Write) -> Result<bool, Failure> {
    match &arguments.range {
        Some(range) => run_one(range, &arguments.versions, out),
        None => jsonl::run(out, "{\"range\", \"versions\"}", evaluate).map(|()| true),
    }
}

fn run_one(range: &str, versions: &[String], out: &mut dyn Write) -> Result<bool, Failure> {
    let parsed = match Range::parse(range) {
        Ok(parsed) => parsed,
        Err(error) => {
            writeln!(out, "error: {}", one_line(&error.to_string())).map_err(written)?;
            return Ok(false);
        }
    };
    writeln!(out, "{}", parsed.normalised()).map_err(written)?;
    for version in versions {
        let word = match matches(&parsed, version) {
            Match::Answer(true) => "yes",
            Match::Answer(false) => "no",
            Match::Word(word) => word,
        };
        writeln!(out, "{}: {word}", one_line(version)).map_err(written)?;
    }
    Ok(true)
}

fn evaluate(input: &Input) -> Output {
    match Range::parse(&input.range) {
        Ok(range) => {
            let matches = input.versions.iter().map(|version| (version.clone(), matches(&range, version)));
            Output::Match(matches.collect())
        }
        Err(error) => Output::Error(error.to_string()),
    }
}

fn matches(range: &Range, version: &str) -> Match {
    match Version::parse(version).map(|version| range.matches(&version)) {
        Ok(Ok(matches)) => Match::Answer(matches),
        Ok(Err(_)) => Match::Word("panic"),
        Err(_) => Match::Word("not a version"),
    }
}
