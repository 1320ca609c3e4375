//! Compares with recorded answers of operator-controller `df2c201d`: 46 hand-made pairs of CRDs, each named after the rule that
//! it shows, and 104 random mutations of trimmed real CRDs.

use crd_upgrade::{Crd, findings, read};
use flate2::read::GzDecoder;
use serde_json::Value;
use source::FileId;
use std::io::Read;

const ROWS: &[u8] = include_bytes!("../crds.jsonl.gz");

/// The text up to where OLM shows a report of go-cmp, and we say the same in our words.
fn without_report(text: &str) -> String {
    let end = text.find("unhandled changes found").map_or(text.len(), |at| at + "unhandled changes found".len());
    text[..end].to_owned()
}

fn crd(value: &Value) -> Crd {
    read(FileId(0), &value.to_string()).expect("a CRD")
}

#[test]
fn findings_are_those_of_olm() {
    let mut text = String::new();
    GzDecoder::new(ROWS).read_to_string(&mut text).expect("it is packed text");
    let mut count = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let mut found: Vec<String> = findings(&crd(&row["old"]), &crd(&row["new"]))
            .iter()
            .map(|found| without_report(&found.to_string()))
            .collect();
        found.sort();
        let lines = row["findings"].as_array().expect("a list").iter().map(|line| line.as_str().expect("a text"));
        let mut expected: Vec<String> = lines.map(without_report).collect();
        expected.sort();
        assert_eq!(found, expected, "{}", row["name"]);
        count += 1;
    }
    assert_eq!(count, 150);
}
