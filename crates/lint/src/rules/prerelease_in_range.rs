//! The rule `prerelease-in-range`.
//!
#![doc = include_str!("prerelease_in_range.md")]

use crate::input::Input;
use crate::supply::Supply;
use crate::together::Met;
use blang_semver::{Op, Range, Version};
use predicate::Requirement;
use source::{Diagnostic, Findings, Rule};

pub(crate) fn check(input: Input<'_>, met: &Met<'_, '_>, supply: &Supply<'_>, found: &mut Findings) {
    let Requirement::Package { range, text, .. } = met.requirement else { return };
    let versions = met.offers.iter().filter_map(|&at| supply.offers[at].bundle.version());
    let Some((version, end)) = versions.rev().find_map(|version| Some((version, ends_above(range, version)?))) else {
        return;
    };
    let who = met.demand.who();
    let message = format!("the range `{text}` that {who} requires takes in {version}, a prerelease of {end}");
    let help = format!("to leave out prereleases of {end}, end it with `<{end}-0`");
    let span = input.field(met.demand.span, "versionRange");
    found.push(Diagnostic::new(Rule::PrereleaseInRange, span, message).with_help(help));
}

/// The end of the range of which `version` is a prerelease.
fn ends_above<'r>(range: &'r Range, version: &Version) -> Option<&'r Version> {
    let core = Version::new(version.major(), version.minor(), version.patch());
    let mut ends = range.groups().flatten().filter(|comparator| comparator.op == Op::Lt);
    let end = ends.find(|comparator| comparator.version == core)?;
    (!version.pre().is_empty()).then_some(&end.version)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_together, operator};
    use source::Rule;

    #[test]
    fn of_the_end() {
        let required = |range| {
            operator(
                "p",
                "1.0.0",
                &format!("{{type: olm.package.required, value: {{packageName: q, versionRange: '{range}'}}}}"),
            )
        };
        let q = operator("q", "2.0.0-rc.1", "");
        let expected =
            "8:71 the range `>=1.0.0 <2.0.0` that `p.v1.0.0` requires takes in 2.0.0-rc.1, a prerelease of 2.0.0";
        check_together(Rule::PrereleaseInRange, &[&required(">=1.0.0 <2.0.0"), &q], &[expected]);
        check_together(Rule::PrereleaseInRange, &[&required(">=2.0.0-0 <3.0.0"), &q], &[]);
    }
}
