//! Resolutions in JSON, beside those in text.

use crate::answer;
use serde_json::{Value, json};

/// The form of the command line and the manifests that it stands for have the same resolutions.
#[test]
fn a_subscription_of_the_command_line_in_json() {
    let (text, code) =
        answer("resolve --subscribe store@1.0.0 --catalog community=catalog.yaml --format json --steps 2");
    let report: Value = serde_json::from_str(&text).expect("the answer is JSON");
    let steps = report["outcomes"][0]["steps"].as_array().expect("there are steps");
    let names: Vec<&Value> = steps.iter().map(|step| &step["selected"][0]["name"]).collect();
    assert_eq!((code, names), (0, vec![&json!("store.v1.5.0"), &json!("store.v2.0.0")]));
}

/// Text and JSON print the same result, so a limit counts in both.
#[test]
fn a_limit_on_resolutions_counts_in_text_and_json() {
    let resolve =
        |more: &str| answer(&format!("resolve --subscribe store@1.0.0 --catalog community=catalog.yaml {more}")).0;
    let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
    let cut_off = "✓ store → 1.5.0: updates to store.v1.5.0 in 1 step and continues";
    assert_eq!(first_line(resolve("--steps 1")), cut_off);
    assert_eq!(first_line(resolve("--steps 2")), first_line(resolve("--steps 9")), "there is no third step");
    let bounded = |steps: &str| -> Value {
        let report: Value =
            serde_json::from_str(&resolve(&format!("--format json {steps}"))).expect("the answer is JSON");
        report["bounded"].clone()
    };
    assert_eq!([bounded("--steps 1"), bounded("--steps 2"), bounded("--steps 9")], [true, false, false]);
}
