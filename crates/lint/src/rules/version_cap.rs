//! The rule `version-cap`.
//!
#![doc = include_str!("version_cap.md")]

use crate::demand::{Demand, inner};
use crate::input::Input;
use crate::matching::matching;
use crate::operator::Operator;
use blang_semver::{Comparator, Op, Range};
use predicate::Requirement;
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(input: Input<'_>, operators: &[Operator<'_>], demands: &[Demand<'_>], found: &mut Findings) {
    for demand in demands.iter().filter(|demand| demand.by_head) {
        let Ok(requirement) = &demand.requirement else { continue };
        if inner(requirement).into_iter().any(|part| matches!(part, Requirement::Not(_))) {
            continue;
        }
        for part in inner(requirement) {
            let Requirement::Package { name, range, text } = part else { continue };
            if range.never_matches() || !is_capped(range) {
                continue;
            }
            let mut message =
                format!("{} requires `{name}` in `{text}`, which leaves out its later versions", demand.who());
            if let Some(operator) = Operator::named(operators, name) {
                message.push_str(&format!("; {}", matching(range, text, &operator.ascending)));
            }
            let help =
                "without a known incompatibility set a minimum only, or end before the next major version, `<x.0.0`";
            let span = input.field(demand.span, "versionRange");
            found.push(Diagnostic::new(Rule::VersionCap, span, message).with_help(help));
        }
    }
}

/// Whether every alternative ends, and not before a major version.
fn is_capped(range: &Range) -> bool {
    range.groups().all(|group| group.iter().any(is_narrow_end))
}

fn is_narrow_end(comparator: &Comparator) -> bool {
    match comparator.op {
        Op::Lt => comparator.version.minor() > 0 || comparator.version.patch() > 0,
        Op::Le | Op::Eq => true,
        Op::Ne | Op::Gt | Op::Ge => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    #[track_caller]
    fn required(range: &str, expected: &[&str]) {
        let property = format!("- type: olm.package.required\n  value: {{packageName: q, versionRange: '{range}'}}\n");
        check(Rule::VersionCap, &(package("- name: p.v1.0.0\n", &["1.0.0"]) + &property), expected);
    }

    #[test]
    fn narrow() {
        let expected = "19:41 `p.v1.0.0` requires `q` in `>=1.2.0 <1.3.0`, which leaves out its later versions";
        required(">=1.2.0 <1.3.0", &[expected]);
        required("1.2.3", &["19:41 `p.v1.0.0` requires `q` in `1.2.3`, which leaves out its later versions"]);
    }

    #[test]
    fn wide() {
        required(">=1.2.0 <2.0.0", &[]);
        required(">=1.2.0 !=1.3.1", &[]);
        required("1.2.x || >=1.4.0", &[]);
    }
}
