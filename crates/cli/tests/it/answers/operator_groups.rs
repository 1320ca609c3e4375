//! CSVs that do not fit the OperatorGroup of their namespace.

use super::{answer, put, report};
use serde_json::json;

const CATALOG: &str = include_str!("../../../../session/gallery/updates/install-mode-dropped.md");

/// A block of the example of the gallery.
fn block(label: &str) -> &'static str {
    let (_, rest) = CATALOG.split_once(&format!("```yaml {label}\n")).expect("a block with this label");
    rest.split_once("```\n").expect("the end of the block").0
}

#[test]
fn an_operator_that_never_runs_is_no_success() {
    put("modes.yaml", block("catalog=community"));
    put("group.yaml", block("cluster"));
    let message = "AllNamespaces InstallModeType not supported, cannot configure to watch all namespaces";
    let failures = json!([
        {"csv": "store.v2.0.0", "namespace": "operators", "reason": "UnsupportedOperatorGroup", "message": message}
    ]);
    let (answers, code) = report("resolve --cluster group.yaml --catalog community=modes.yaml --format json");
    assert_eq!((&answers["outcomes"][0]["failures"], code), (&failures, 1));
    let (text, code) = answer("resolve --cluster group.yaml --catalog community=modes.yaml");
    let line = "✕ store fails at 2.0.0: updates to store.v2.0.0, which never runs (UnsupportedOperatorGroup);\n";
    assert!(code == 1 && text.starts_with(line), "{text}");
    let fixes = text.split_once("Fixes (each simulated)\n").expect("there are fixes").1;
    assert!(fixes.starts_with("  - let OperatorGroup `global` select this namespace alone:"), "{text}");
    let (text, _) = answer("why --cluster group.yaml --catalog community=modes.yaml store");
    assert!(text.contains("\nThese CSVs do not fit the OperatorGroup:\n  - CSV `store.v2.0.0` never runs:"), "{text}");
}

#[test]
fn a_subscription_of_the_command_line_has_no_operator_group() {
    put("modes.yaml", block("catalog=community"));
    let (text, code) = answer("resolve --subscribe store --catalog modes.yaml");
    let note = "note: the manifests have no OperatorGroup in namespace `operators`; one for all namespaces is\n      assumed\n";
    assert!(code == 1 && text.contains(note), "{text}");
    // The installed version supports all namespaces, so nothing else is assumed.
    let (answers, _) = report("resolve --subscribe store@1.0.0 --catalog modes.yaml --format json");
    assert_eq!(answers["outcomes"][0]["failures"][0]["csv"], "store.v2.0.0");
}
