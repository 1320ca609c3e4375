//! Resolutions of which Opscope cannot tell how they end.

use super::{ended, put};

/// `app.v2.0.0` has a rule whose value in cel-go is not known.
const UNKNOWN: &str = "package app
stable: 1.0.0 <- 2.0.0
bundle 2.0.0 (property olm.constraint
  {failureMessage: old, cel: {rule: \"timestamp('2026-01-01T00:00:00Z').getFullYear() > 2025\"}})";

#[test]
fn an_unknown_outcome_is_neither_yes_nor_no() {
    put("unknown.yaml", fixture::yaml(UNKNOWN));
    for (command, failure) in [
        ("resolve --subscribe app", "cannot tell what OLM does"),
        ("resolve --format json --subscribe app", "cannot tell what OLM does"),
        ("why app 1.0.0 --subscribe app", "cannot tell: "),
        ("why app 2.0.0 --subscribe app", "cannot tell: "),
    ] {
        let ended = ended(&format!("{command} --catalog community=unknown.yaml"));
        assert_eq!(ended.code, 2, "{command}: {ended:?}");
        assert!(ended.errors.contains(failure), "{command}: {ended:?}");
        assert!(!ended.out.contains("no: ") && !ended.out.contains("finds no solution"), "{command}: {ended:?}");
    }
}
