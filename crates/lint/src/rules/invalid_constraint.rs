//! The rule `invalid-constraint`.
//!
#![doc = include_str!("invalid_constraint.md")]

use crate::demand::{Demand, inner};
use predicate::{Property, Requirement};
use source::{Diagnostic, Findings, Rule};

const HELP: &str = "opm accepts this, but OLM then resolves nothing in a namespace that considers the bundle";

pub(super) fn check(demands: &[Demand<'_>], found: &mut Findings) {
    for demand in demands {
        let stated = demand.bundle.properties.iter().find(|property| property.span == demand.span);
        let Some(Property::Other { kind, .. }) = stated.map(|property| &property.value) else { continue };
        let what = match &demand.requirement {
            Err(error) => format!("cannot be read: {error}"),
            Ok(requirement) if crashes(requirement) => {
                "has a range with nothing between two `||`, which crashes OLM when it gets there".to_owned()
            }
            Ok(_) => continue,
        };
        let message = format!("the `{kind}` of {} {what}", demand.who());
        found.push(Diagnostic::new(Rule::InvalidConstraint, demand.span, message).with_help(HELP));
    }
}

fn crashes(requirement: &Requirement) -> bool {
    inner(requirement)
        .into_iter()
        .any(|part| matches!(part, Requirement::Package { range, .. } if range.groups().any(|group| group.is_empty())))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    #[track_caller]
    fn constraint(value: &str, expected: &[&str]) {
        let text = package("- name: p.v1.0.0\n", &["1.0.0"]) + &format!("- type: olm.constraint\n  value: {value}\n");
        check(Rule::InvalidConstraint, &text, expected);
    }

    #[test]
    fn an_unknown_field() {
        let expected = "18:3 the `olm.constraint` of `p.v1.0.0` cannot be read: parse olm.constraint: json: unknown field \"version\"";
        constraint("{package: {packageName: q, version: 1.0.0}}", &[expected]);
    }

    #[test]
    fn nothing_at_all() {
        let expected = "18:3 the `olm.constraint` of `p.v1.0.0` cannot be read: convert olm.constraint to resolver predicate: constraint is empty";
        constraint("{failureMessage: broken}", &[expected]);
    }

    #[test]
    fn a_range_that_crashes() {
        let expected = "18:3 the `olm.constraint` of `p.v1.0.0` has a range with nothing between two `||`, which crashes OLM when it gets there";
        constraint("{any: {constraints: [{package: {packageName: q, versionRange: 1.0.0 || || 2.0.0}}]}}", &[expected]);
    }

    #[test]
    fn a_range() {
        constraint("{package: {packageName: q, versionRange: '>=1.0.0'}}", &[]);
    }
}
