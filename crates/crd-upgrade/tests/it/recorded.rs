//! Compares with recorded answers of operator-controller `df2c201d`: 46 hand-made pairs of CRDs, each named after the rule that
//! it shows, and 104 random mutations of trimmed real CRDs.

use crd_upgrade::{Crd, findings, read};
use flate2::read::GzDecoder;
use serde_json::Value;
use source::FileId;
use std::io::Read;

const ROWS: &[u8] = include_bytes!("../crds.jsonl.gz");

/// Unhandled changes that OLM shows in the layout of its diff printer, which is unstable on purpose, and the same field, value
/// before and value after in ours.
const DETAILS: [(&str, &str); 5] = [
    (r#"(Example nil -> s"&JSON{Raw:*[34 116 34],}")"#, r#"(Example nil -> "t")"#),
    (r#"({Raw <empty> -> []uint8(`"added"`)})"#, r#"(Enum[0] <empty> -> "added")"#),
    (r#"({Type <empty> -> "string"})"#, r#"(AnyOf[1] <empty> -> {Type: "string"})"#),
    (r#"({Type "string"} -> <empty>)"#, r#"(AnyOf[1] {Type: "string"} -> <empty>)"#),
    (r#"({Type "integer"} -> <empty>)"#, r#"(AnyOf[0] {Type: "integer"} -> <empty>)"#),
];

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
        let mut found: Vec<String> =
            findings(&crd(&row["old"]), &crd(&row["new"])).iter().map(ToString::to_string).collect();
        found.sort();
        let lines = row["findings"].as_array().expect("a list").iter().map(|line| line.as_str().expect("a text"));
        let mut expected: Vec<String> = lines
            .map(|line| DETAILS.iter().fold(line.to_owned(), |line, (olm, ours)| line.replace(olm, ours)))
            .collect();
        expected.sort();
        assert_eq!(found, expected, "{}", row["name"]);
        count += 1;
    }
    assert_eq!(count, 150);
}
