//! The rule `version-cap`.
//!
#![doc = include_str!("version_cap.md")]
use crate::candidates::{BundleRequirement, parts};
use crate::index::Input;
use crate::ranges::{Versions, matching};
use catalog::predicate::Requirement;
use go_semver::blang::{Comparator, Op, Range};
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(
    input: Input<'_>,
    requirements: &[BundleRequirement<'_>],
    versions: &Versions<'_>,
    findings: &mut Findings,
) {
    for stated in requirements.iter().filter(|stated| stated.by_head) {
        let Ok(requirement) = &stated.requirement else { continue };
        // Inside `not`, an upper bound is a lower one.
        if parts(requirement).into_iter().any(|part| matches!(part, Requirement::Not(_))) {
            continue;
        }
        for part in parts(requirement) {
            let Requirement::Package { name, range, text } = part else { continue };
            if range.never_matches() || !is_capped(range) {
                continue;
            }
            let mut message =
                format!("{} requires `{name}` in the range `{text}`, which excludes later versions", stated.who());
            if let Some(ascending) = versions.get(name) {
                message.push_str(&format!("; {}", matching(range, text, ascending)));
            }
            let help = "unless a later version is known to be incompatible, require only a minimum, or end before the next major version, as in `<2.0.0`";
            let span = input.field(stated.span, "versionRange");
            findings.push(Diagnostic::new(Rule::VersionCap, span, message).with_help(help));
        }
    }
}

/// Whether every alternative has an upper bound other than the start of a major version.
fn is_capped(range: &Range) -> bool {
    range.groups().all(|group| group.iter().any(is_narrow_bound))
}

fn is_narrow_bound(comparator: &Comparator) -> bool {
    match comparator.op {
        Op::Lt => comparator.version.minor() > 0 || comparator.version.patch() > 0,
        Op::Le | Op::Eq => true,
        Op::Ne | Op::Gt | Op::Ge => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == a narrow range
            c: 1.0.0 (requires q >=1.2.0 <1.3.0)
                                 ^^^^^^^^^^^^^^ version-cap: `p.v1.0.0` requires `q` in the range `>=1.2.0 <1.3.0`, which excludes later versions
            == one version
            c: 1.0.0 (requires q 1.2.3)
                                 ^^^^^ version-cap: `p.v1.0.0` requires `q` in the range `1.2.3`, which excludes later versions
            == a wide range
            c: 1.0.0 (requires q >=1.2.0 <2.0.0)
            == all but one version
            c: 1.0.0 (requires q >=1.2.0 !=1.3.1)
            == alternatives without an upper bound
            c: 1.0.0 (requires q 1.2.x || >=1.4.0)
        ";
        check(Rule::VersionCap, cases);
    }
}
