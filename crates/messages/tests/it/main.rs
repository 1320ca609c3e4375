//! What OLM sets, as it was recorded from its code: each constant has a meaning. `tests/README.md` says how they are recorded.

use messages::explain_messages;
use serde_json::{Value, json};

#[test]
fn each_constant_of_olm_has_a_meaning() {
    let mut wrong = Vec::new();
    for line in include_str!("../constants.jsonl").lines().skip(1) {
        let row: Value = serde_json::from_str(line).expect("a row");
        for shown in row["shown"].as_array().expect("forms").iter().filter_map(Value::as_str) {
            let found = explain_messages(shown).messages;
            let is_known = found.first().is_some_and(|one| !one.meaning.is_empty());
            if !is_known || !row["verdict"].is_null() && found.iter().any(|one| json!(one.verdict) != row["verdict"]) {
                wrong.push(format!("{} {}: {shown}", row["object"], row["kind"]));
            }
        }
    }
    assert!(wrong.is_empty(), "without a meaning, or with another verdict:\n{}", wrong.join("\n"));
}
