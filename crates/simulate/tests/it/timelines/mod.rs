//! The steps of clusters, by hand and as recorded.

mod conformance;
mod extensions;
mod operator_groups;
mod rules;
mod search;
mod steps;

use std::io::{BufRead, BufReader};

use catalog::{Catalog, ParsedFile, lower};
use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;
use source::FileId;

fn catalog(text: &str) -> Catalog {
    let parse = fbc::parse(FileId(1), text);
    lower(&[ParsedFile { text, parse: &parse }]).0
}

/// The rows of a packed file.
fn rows<T: DeserializeOwned>(bytes: &[u8]) -> Vec<T> {
    let lines = BufReader::new(GzDecoder::new(bytes)).lines();
    lines.map(|line| serde_json::from_str(&line.expect("a line")).expect("a row")).collect()
}
