//! The rule `misread-range`.
//!
#![doc = include_str!("misread_range.md")]

use crate::matching::matching;
use crate::reading::quirk_text;
use crate::written::Written;
use blang_semver::quirks;
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(ranges: &[Written<'_>], found: &mut Findings) {
    for Written { text, range, span, versions } in ranges {
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
        let help = "blang knows `=`, `!=`, `<`, `<=`, `>`, `>=` without a blank after `!`, a final `x` as in `1.x` and `1.2.x`, blanks for and, ` || ` for or";
        found.push(Diagnostic::new(Rule::MisreadRange, *span, message).with_help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    #[track_caller]
    fn range(range: &str, expected: &[&str]) {
        let text =
            package(&format!("- {{name: p.v2.0.0, skipRange: '{range}'}}\n- name: p.v1.2.0\n"), &["1.2.0", "2.0.0"]);
        check(Rule::MisreadRange, &text, expected);
    }

    #[test]
    fn operators_of_others() {
        range(
            "~1.2.x",
            &[
                "9:31 the range `~1.2.x` means `=1.2.0`: the operator of `~1.2.x` is forgotten, which leaves exactly 1.2.0; it matches 1.2.0 of 2 versions",
            ],
        );
        range(
            "^1.x",
            &[
                "9:31 the range `^1.x` means `=1.0.0`: the operator of `^1.x` is forgotten, which leaves exactly 1.0.0; it matches none of 2 versions",
            ],
        );
    }

    #[test]
    fn what_is_dropped() {
        range(
            "! 1.0.0",
            &[
                "9:31 the range `! 1.0.0` means `=1.0.0`: `!` stands alone and is dropped; it matches none of 2 versions",
            ],
        );
    }

    #[test]
    fn wildcards() {
        range(
            "1.x.x",
            &[
                "9:31 the range `1.x.x` means `>=1.0.0 <1.1.0`: `1.x.x` counts up the minor number; `1.x` counts up the major one; it matches none of 2 versions",
            ],
        );
        range(
            ">=1.0.0-a.x",
            &[
                "9:31 the range `>=1.0.0-a.x` means `>=1.0.0-a.0`: the `x` of the prerelease in `>=1.0.0-a.x` is a wildcard, read as 1.0.0-a.0; it matches 1.2.0, 2.0.0 of 2 versions",
            ],
        );
    }

    #[test]
    fn requirements() {
        let required = "- type: olm.package.required\n  value: {packageName: q, versionRange: '~1.x'}\n";
        let text = package("- name: p.v1.0.0\n", &["1.0.0"]) + required;
        check(
            Rule::MisreadRange,
            &text,
            &["19:41 the range `~1.x` means `=1.0.0`: the operator of `~1.x` is forgotten, which leaves exactly 1.0.0"],
        );
    }

    #[test]
    fn plain_ranges() {
        range(">=1.0.0 <2.0.0 !=1.5.0 || 3.x", &[]);
    }
}
