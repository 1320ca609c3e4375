//! `opscope range`

use crate::args;
use crate::{Failure, jsonl, written};
use blang_semver::{Range, Version};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;

#[derive(Deserialize)]
struct Question {
    range: String,
    #[serde(default)]
    versions: Vec<String>,
}

#[derive(Serialize)]
enum Answer {
    #[serde(rename = "match")]
    Match(BTreeMap<String, Matched>),
    #[serde(rename = "error")]
    Error(String),
}

#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum Matched {
    Answer(bool),
    /// OLM crashes on it, or the version is none.
    Word(&'static str),
}

/// Prints which versions a range matches; whether the range can be read. With `--jsonl` always yes.
pub(crate) fn run(arguments: &args::Range, out: &mut dyn Write) -> Result<bool, Failure> {
    match &arguments.range {
        Some(range) => one(range, &arguments.versions, out),
        None => jsonl::run(out, "{\"range\", \"versions\"}", answer).map(|()| true),
    }
}

fn one(range: &str, versions: &[String], out: &mut dyn Write) -> Result<bool, Failure> {
    let parsed = match Range::parse(range) {
        Ok(parsed) => parsed,
        Err(error) => {
            writeln!(out, "error: {error}").map_err(written)?;
            return Ok(false);
        }
    };
    writeln!(out, "{}", parsed.normalised()).map_err(written)?;
    for version in versions {
        let word = match matched(&parsed, version) {
            Matched::Answer(true) => "yes",
            Matched::Answer(false) => "no",
            Matched::Word(word) => word,
        };
        writeln!(out, "{version}: {word}").map_err(written)?;
    }
    Ok(true)
}

fn answer(question: &Question) -> Answer {
    match Range::parse(&question.range) {
        Ok(range) => {
            let matches = question.versions.iter().map(|version| (version.clone(), matched(&range, version)));
            Answer::Match(matches.collect())
        }
        Err(error) => Answer::Error(error.to_string()),
    }
}

fn matched(range: &Range, version: &str) -> Matched {
    match Version::parse(version).map(|version| range.matches(&version)) {
        Ok(Ok(matches)) => Matched::Answer(matches),
        Ok(Err(_)) => Matched::Word("panic"),
        Err(_) => Matched::Word("not a version"),
    }
}
