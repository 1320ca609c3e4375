//! The rule `prerelease-in-range`.
//!
#![doc = include_str!("prerelease_in_range.md")]
use crate::candidates::{Candidates, MetRequirement};
use crate::index::Input;
use catalog::predicate::Requirement;
use go_semver::blang::{Comparator, Op, Range, Version};
use source::{Diagnostic, Findings, QuickFix, Rule};

pub(crate) fn check(
    input: Input<'_>,
    met: &MetRequirement<'_, '_>,
    candidates: &Candidates<'_>,
    findings: &mut Findings,
) {
    let Requirement::Package { range, text, .. } = met.requirement else { return };
    let versions = met.candidates.iter().filter_map(|&at| candidates.all[at].bundle.version());
    let Some((version, end)) = versions.rev().find_map(|version| Some((version, bound_above(range, version)?))) else {
        return;
    };
    let who = met.stated.who();
    let message = format!("the range `{text}` required by {who} contains {version}, a prerelease of {end}");
    let help = format!("to exclude prereleases of {end}, end the range with `<{end}-0`");
    let span = input.field(met.stated.span, "versionRange");
    let finding = Diagnostic::new(Rule::PrereleaseInRange, span, message).with_help(help);
    let place = input.scalar(met.stated.span, "versionRange").filter(|_| met.stated.others == 0);
    let fix = place.zip(without_prereleases(range, end)).map(|(place, text)| QuickFix::rename(place, &text));
    findings.push(finding.with_fix(fix));
}

/// The range with another exclusive upper bound, so that prereleases of the old one are outside.
fn without_prereleases(range: &Range, end: &Version) -> Option<String> {
    let comparator = |comparator: &Comparator| match (comparator.op, comparator.version == *end) {
        (Op::Lt, true) => format!("<{end}-0"),
        _ => comparator.to_string(),
    };
    let group = |group: &[Comparator]| group.iter().map(comparator).collect::<Vec<_>>().join(" ");
    let text = range.groups().map(group).collect::<Vec<_>>().join(" || ");
    Range::parse(&text).ok().map(|_| text)
}

/// The exclusive upper bound of the range of which `version` is a prerelease.
fn bound_above<'r>(range: &'r Range, version: &Version) -> Option<&'r Version> {
    let core = Version::new(version.major(), version.minor(), version.patch());
    let mut ends = range.groups().flatten().filter(|comparator| comparator.op == Op::Lt);
    let end = ends.find(|comparator| comparator.version == core)?;
    (!version.pre().is_empty()).then_some(&end.version)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_across_catalogs;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == a prerelease of the upper bound
            c: 1.0.0 (requires q >=1.0.0 <2.0.0)
                                 ^^^^^^^^^^^^^^ prerelease-in-range: the range `>=1.0.0 <2.0.0` required by `p.v1.0.0` contains 2.0.0-rc.1, a prerelease of 2.0.0
            //- package q
            c: 2.0.0-rc.1
            == a lower bound that is a prerelease
            c: 1.0.0 (requires q >=2.0.0-0 <3.0.0)
            //- package q
            c: 2.0.0-rc.1
        ";
        check_across_catalogs(Rule::PrereleaseInRange, cases);
    }
}
