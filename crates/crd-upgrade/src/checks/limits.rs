//! `maximum`, `minimum` and the limits of items, lengths and properties: crdify `pkg/validations/property/{max,min}.go`. A limit
//! may be removed or loosened.

use crate::finding::{Limit, Maximum, Minimum, SchemaChange};
use crate::schema::Schema;

pub(super) fn check(old: &Schema, new: &Schema) -> Vec<SchemaChange> {
    let (float, integer) = (
        |old: Option<f64>, new: Option<f64>| (old.map(Limit::Float), new.map(Limit::Float)),
        |old: Option<i64>, new: Option<i64>| (old.map(Limit::Integer), new.map(Limit::Integer)),
    );
    let upper = [
        (Maximum::Value, float(old.maximum, new.maximum)),
        (Maximum::Items, integer(old.max_items, new.max_items)),
        (Maximum::Length, integer(old.max_length, new.max_length)),
        (Maximum::Properties, integer(old.max_properties, new.max_properties)),
    ];
    let lower = [
        (Minimum::Value, float(old.minimum, new.minimum)),
        (Minimum::Items, integer(old.min_items, new.min_items)),
        (Minimum::Length, integer(old.min_length, new.min_length)),
        (Minimum::Properties, integer(old.min_properties, new.min_properties)),
    ];
    let lowered = upper.into_iter().filter_map(|(limit, (old, new))| {
        let new = new.filter(|new| old.is_none_or(|old| *new < old))?;
        Some(SchemaChange::Maximum { limit, old, new })
    });
    let raised = lower.into_iter().filter_map(|(limit, (old, new))| {
        let new = new.filter(|new| old.is_none_or(|old| *new > old))?;
        Some(SchemaChange::Minimum { limit, old, new })
    });
    lowered.chain(raised).collect()
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::check;
    use serde_json::json;

    #[test]
    fn limits_may_not_be_added_or_tightened() {
        for name in ["maximum", "maxItems", "maxLength", "maxProperties"] {
            let added = format!("{name}: maximum constraint added when there was none previously : 5");
            check(json!({}), json!({name: 5}), &[&added]);
            check(json!({name: 10}), json!({name: 9}), &[&format!("{name}: maximum decreased : 10 -> 9")]);
        }
        for name in ["minimum", "minItems", "minLength", "minProperties"] {
            let added = format!("{name}: minimum constraint added when there was none previously : 0");
            check(json!({}), json!({name: 0}), &[&added]);
            check(json!({name: 1}), json!({name: 2}), &[&format!("{name}: minimum increased : 1 -> 2")]);
        }
    }

    #[test]
    fn limits_may_be_removed_or_loosened() {
        check(json!({"maximum": 1, "minLength": 1}), json!({"maximum": 2, "minLength": 0}), &[]);
        check(json!({"maxItems": 1, "minimum": 1}), json!({}), &[]);
    }

    #[test]
    fn numbers_are_printed_as_go_prints_them() {
        check(
            json!({}),
            json!({"maximum": 1_000_000, "maxLength": 1_000_000}),
            &[
                "maximum: maximum constraint added when there was none previously : 1e+06",
                "maxLength: maximum constraint added when there was none previously : 1000000",
            ],
        );
        check(json!({"minimum": -1}), json!({"minimum": 9.5}), &["minimum: minimum increased : -1 -> 9.5"]);
    }
}
