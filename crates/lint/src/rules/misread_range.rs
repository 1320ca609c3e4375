//! The rule `misread-range`.
//!
#![doc = include_str!("misread_range.md")]

use crate::ranges::PlacedRange;
use crate::ranges::matching;
use crate::ranges::quirk_text;
use go_semver::blang::quirks;
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(ranges: &[PlacedRange<'_>], findings: &mut Findings) {
    for placed in ranges {
        let PlacedRange { text, range, versions, .. } = placed;
        let quirks = quirks(text);
        if quirks.is_empty() || range.never_matches() {
            continue;
        }
        let quirks: Vec<String> = quirks.iter().map(quirk_text).collect();
        let normalised = range.normalised();
        let mut message = format!("the range `{text}` means `{normalised}`: {}", quirks.join("; "));
        if let Some(versions) = versions {
            message.push_str(&format!("; {}", matching(range, &normalised, versions)));
        }
        let help = "ranges have `=`, `!=`, `<`, `<=`, `>` and `>=`, a final `x` as in `1.x` or `1.2.x`, a space for and, and ` || ` for or; there is no space after `!`";
        findings.push(Diagnostic::new(Rule::MisreadRange, placed.span, message).with_help(help).with_fix(placed.fix()));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == an unknown operator
            c: 1.2.0, 2.0.0 (skipRange ~1.2.x)
                                       ^^^^^^ misread-range: the range `~1.2.x` means `=1.2.0`: blang ignores the operator of `~1.2.x`, so only 1.2.0 matches; it matches 1.2.0 of 2 versions
            == another one
            c: 1.2.0, 2.0.0 (skipRange ^1.x)
                                       ^^^^ misread-range: the range `^1.x` means `=1.0.0`: blang ignores the operator of `^1.x`, so only 1.0.0 matches; it matches none of 2 versions
            == a lone character
            c: 1.2.0, 2.0.0 (skipRange ! 1.0.0)
                                       ^^^^^^^ misread-range: the range `! 1.0.0` means `=1.0.0`: blang ignores `!` because it stands alone; it matches none of 2 versions
            == a wildcard
            c: 1.2.0, 2.0.0 (skipRange 1.x.x)
                                       ^^^^^ misread-range: the range `1.x.x` means `>=1.0.0 <1.1.0`: `1.x.x` ends before the next minor version; `1.x` ends before the next major one; it matches none of 2 versions
            == a wildcard in a prerelease
            c: 1.2.0, 2.0.0 (skipRange >=1.0.0-a.x)
                                       ^^^^^^^^^^^ misread-range: the range `>=1.0.0-a.x` means `>=1.0.0-a.0`: the `x` in the prerelease of `>=1.0.0-a.x` is a wildcard, read as 1.0.0-a.0; it matches 1.2.0, 2.0.0 of 2 versions
            == the range of a requirement
            c: 1.0.0 (requires q ~1.x)
                                 ^^^^ misread-range: the range `~1.x` means `=1.0.0`: blang ignores the operator of `~1.x`, so only 1.0.0 matches
            == a plain range
            c: 1.2.0, 2.0.0 (skipRange >=1.0.0 <2.0.0 !=1.5.0 || 3.x)
        ";
        check(Rule::MisreadRange, cases);
    }
}
