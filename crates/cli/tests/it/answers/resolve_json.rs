//! Resolutions in JSON, beside those in text.

use super::{answer, report};
use serde_json::{Value, json};

/// The form of the command line and the manifests that it stands for have the same resolutions.
#[test]
fn a_subscription_of_the_command_line_in_json() {
    let (report, code) =
        report("resolve --subscribe store@1.0.0 --catalog community=catalog.yaml --format json --steps 2");
    let steps = report["outcomes"][0]["steps"].as_array().expect("there are steps");
    let names: Vec<&Value> = steps.iter().map(|step| &step["selected"][0]["name"]).collect();
    assert_eq!((code, names), (0, vec![&json!("store.v1.5.0"), &json!("store.v2.0.0")]));
}

/// Text and JSON print the same result, so a limit counts in both.
#[test]
fn a_limit_on_resolutions_counts_in_text_and_json() {
    const RESOLVE: &str = "resolve --subscribe store@1.0.0 --catalog community=catalog.yaml";
    let first_line =
        |steps: &str| answer(&format!("{RESOLVE} {steps}")).0.lines().next().unwrap_or_default().to_owned();
    let cut_off = "✓ store → 1.5.0: updates to store.v1.5.0 in 1 step and continues";
    assert_eq!(first_line("--steps 1"), cut_off);
    assert_eq!(first_line("--steps 2"), first_line("--steps 9"), "there is no third step");
    let bounded = |steps: &str| report(&format!("{RESOLVE} --format json {steps}")).0["bounded"].clone();
    assert_eq!([bounded("--steps 1"), bounded("--steps 2"), bounded("--steps 9")], [true, false, false]);
}
