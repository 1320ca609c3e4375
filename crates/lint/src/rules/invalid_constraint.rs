//! The rule `invalid-constraint`.
//!
#![doc = include_str!("invalid_constraint.md")]
use crate::candidates::{BundleRequirement, parts};
use catalog::predicate::{Property, Requirement};
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
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = r#"
            == an unknown field
            c: 1.0.0 (property olm.constraint {package: {packageName: q, version: 1.0.0}})
                      ^^^^^^^^^^^^^^^^^^^^^^^ invalid-constraint: the `olm.constraint` of `p.v1.0.0` is invalid: parse olm.constraint: json: unknown field "version"
            == an empty constraint
            c: 1.0.0 (property olm.constraint {failureMessage: broken})
                      ^^^^^^^^^^^^^^^^^^^^^^^ invalid-constraint: the `olm.constraint` of `p.v1.0.0` is invalid: convert olm.constraint to resolver predicate: constraint is empty
            == a range that crashes
            c: 1.0.0 (property olm.constraint {any: {constraints: [{package: {packageName: q, versionRange: 1.0.0 || || 2.0.0}}]}})
                      ^^^^^^^^^^^^^^^^^^^^^^^ invalid-constraint: the `olm.constraint` of `p.v1.0.0` has a range with an empty alternative between two `||`, which crashes OLM when it evaluates the range
            == a valid range
            c: 1.0.0 (property olm.constraint {package: {packageName: q, versionRange: '>=1.0.0'}})
        "#;
        check(Rule::InvalidConstraint, cases);
    }
}
