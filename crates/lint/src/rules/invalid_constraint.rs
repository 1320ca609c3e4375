//! The rule `invalid-constraint`.
//!
#![doc = include_str!("invalid_constraint.md")]

use crate::requirements::{BundleRequirement, parts};
use predicate::{Property, Requirement};
use source::{Diagnostic, Findings, Rule};

const HELP: &str = "opm accepts this, but OLM cannot resolve a namespace in which it considers the bundle";

pub(super) fn check(requirements: &[BundleRequirement<'_>], findings: &mut Findings) {
    for stated in requirements {
        let property = stated.bundle.properties.iter().find(|property| property.span == stated.span);
        let Some(Property::Other { kind, .. }) = property.map(|property| &property.value) else { continue };
        let what = match &stated.requirement {
            Err(error) => format!("is invalid: {error}"),
            Ok(requirement) if crashes(requirement) => {
                "has a range with an empty alternative between two `||`, which crashes OLM when it evaluates the range"
                    .to_owned()
            }
            Ok(_) => continue,
        };
        let message = format!("the `{kind}` of {} {what}", stated.who());
        findings.push(Diagnostic::new(Rule::InvalidConstraint, stated.span, message).with_help(HELP));
    }
}

fn crashes(requirement: &Requirement) -> bool {
    parts(requirement)
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
        let expected =
            "18:3 the `olm.constraint` of `p.v1.0.0` is invalid: parse olm.constraint: json: unknown field \"version\"";
        constraint("{package: {packageName: q, version: 1.0.0}}", &[expected]);
    }

    #[test]
    fn an_empty_constraint() {
        let expected = "18:3 the `olm.constraint` of `p.v1.0.0` is invalid: convert olm.constraint to resolver predicate: constraint is empty";
        constraint("{failureMessage: broken}", &[expected]);
    }

    #[test]
    fn a_range_that_crashes() {
        let expected = "18:3 the `olm.constraint` of `p.v1.0.0` has a range with an empty alternative between two `||`, which crashes OLM when it evaluates the range";
        constraint("{any: {constraints: [{package: {packageName: q, versionRange: 1.0.0 || || 2.0.0}}]}}", &[expected]);
    }

    #[test]
    fn a_valid_range() {
        constraint("{package: {packageName: q, versionRange: '>=1.0.0'}}", &[]);
    }
}
