//! Tests of checks: two versions of a property in, the texts of what the checks find out.

use crate::schema::Schema;
use serde_json::Value;

/// Expects these texts, each behind the name of its check, for a property that changes from `old` to `new`.
#[track_caller]
pub(super) fn check(old: Value, new: Value, expected: &[&str]) {
    let found = super::of_property(&Schema::of(&old), &Schema::of(&new));
    let texts: Vec<String> = found.iter().map(|change| format!("{}: {change}", change.check())).collect();
    assert_eq!(texts, expected, "{old} -> {new}");
}
