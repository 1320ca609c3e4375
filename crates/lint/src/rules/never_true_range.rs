//! The rule `never-true-range`.
//!
#![doc = include_str!("never_true_range.md")]

use crate::ranges::PlacedRange;
use crate::ranges::quirk_text;
use go_semver::blang::quirks;
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(ranges: &[PlacedRange<'_>], findings: &mut Findings) {
    for placed in ranges.iter().filter(|range| range.range.never_matches()) {
        let PlacedRange { text, range, .. } = placed;
        let mut message = format!("no version satisfies the range `{text}`, read as `{}`", range.normalised());
        for quirk in quirks(text) {
            message.push_str("; ");
            message.push_str(&quirk_text(&quirk));
        }
        let help =
            "write an interval as `>=1.0.0 <=2.0.0`, alternatives with ` || `, and `!=1.x` as `<1.0.0 || >=2.0.0`";
        findings
            .push(Diagnostic::new(Rule::NeverTrueRange, placed.span, message).with_help(help).with_fix(placed.fix()));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == two versions at once
            c: 2.0.0 (skipRange 1.0.0 - 2.0.0)
                                ^^^^^^^^^^^^^ never-true-range: no version satisfies the range `1.0.0 - 2.0.0`, read as `=1.0.0 =2.0.0`; blang ignores `-` because it stands alone
            == a negated wildcard
            c: 2.0.0 (skipRange !=1.x)
                                ^^^^^ never-true-range: no version satisfies the range `!=1.x`, read as `<1.0.0 >=2.0.0`
            == one alternative is enough
            c: 2.0.0 (skipRange 1.0.0 2.0.0 || 3.0.0)
        ";
        check(Rule::NeverTrueRange, cases);
    }
}
