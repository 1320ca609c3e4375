//! Compares with recorded answers of operator-controller `df2c201d`: 46 hand-made pairs of CRDs, each named after the rule that
//! it shows, and 104 random mutations of trimmed real CRDs.

use crd_upgrade::{Crd, findings, read};
use flate2::read::GzDecoder;
use serde_json::Value;
use source::FileId;
use std::io::Read;

const ROWS: &[u8] = include_bytes!("crds.jsonl.gz");

/// Rows in which the text of an unhandled change is another one. Its layout is that of a diff printer that is unstable on
/// purpose.
const OTHER_DETAILS: [&str; 0] = [];

fn crd(value: &Value) -> Crd {
    read(FileId(0), &value.to_string()).expect("a CRD")
}

/// The line without what the diff printer makes of it.
fn stable(line: &str) -> &str {
    ["unhandled changes found", "[&JSONSchemaProps"]
        .iter()
        .filter_map(|mark| line.find(mark).map(|at| &line[..at + mark.len()]))
        .next()
        .unwrap_or(line)
}

#[test]
fn findings_are_those_of_olm() {
    let mut text = String::new();
    GzDecoder::new(ROWS).read_to_string(&mut text).expect("it is packed text");
    let (mut count, mut other_details) = (0, Vec::new());
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let name = row["name"].as_str().expect("a name");
        let mut found: Vec<String> =
            findings(&crd(&row["old"]), &crd(&row["new"])).iter().map(ToString::to_string).collect();
        found.sort();
        let expected: Vec<&str> =
            row["findings"].as_array().expect("a list").iter().map(|line| line.as_str().expect("a text")).collect();
        let stable_lines = |lines: &[&str]| lines.iter().map(|line| stable(line).to_owned()).collect::<Vec<_>>();
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(stable_lines(&found), stable_lines(&expected), "{name}");
        if found != expected {
            other_details.push(format!("{name}: {found:#?}, and OLM's are {expected:#?}"));
        }
        count += 1;
    }
    assert_eq!(count, 150);
    assert_eq!(other_details, OTHER_DETAILS);
}
