//! A range that blang reads otherwise than it looks.
//!
//! Operators of npm and Cargo before a wildcard are forgotten, single characters are dropped, a second wildcard counts up
//! the wrong number, and an `x` in a prerelease is a wildcard.
//!
//! ```yaml
//! skipRange: ~1.2.x    # fails: exactly 1.2.0; passes as `1.2.x`
//! skipRange: '! 1.0.0' # fails: exactly 1.0.0; passes as `!1.0.0`
//! skipRange: 1.x.x     # fails: ends before 1.1.0; passes as `1.x`
//! ```
//!
//! A range that matches nothing at all is told by `never-true-range`. Source: blang/semver v4.0.0 range.go 205, 325;
//! fbc-semantics 8.5.

use crate::listed::listed;
use crate::operator::Operator;
use crate::reading::quirk_text;
use crate::written::Written;
use blang_semver::quirks;
use source::{Diagnostic, Rule};

pub(super) fn check(operator: &Operator<'_>, ranges: &[Written<'_>], found: &mut Vec<Diagnostic>) {
    for Written { text, range, span, own } in ranges {
        let quirks = quirks(text);
        if quirks.is_empty() || range.never_matches() {
            continue;
        }
        let quirks: Vec<String> = quirks.iter().map(quirk_text).collect();
        let mut message = format!("the range `{text}` means `{}`: {}", range.normalised(), quirks.join("; "));
        if *own {
            let matching = range.runs(&operator.ascending).into_iter().flat_map(|run| &operator.bundles[run]);
            let names = listed(matching.map(|bundle| bundle.name.value.as_str()));
            let names = if names.is_empty() { "nothing".to_owned() } else { names };
            message.push_str(&format!("; of this package it matches {names}"));
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
                "9:31 the range `~1.2.x` means `=1.2.0`: the operator of `~1.2.x` is forgotten, which leaves exactly 1.2.0; of this package it matches `p.v1.2.0`",
            ],
        );
        range(
            "^1.x",
            &[
                "9:31 the range `^1.x` means `=1.0.0`: the operator of `^1.x` is forgotten, which leaves exactly 1.0.0; of this package it matches nothing",
            ],
        );
    }

    #[test]
    fn what_is_dropped() {
        range(
            "! 1.0.0",
            &[
                "9:31 the range `! 1.0.0` means `=1.0.0`: `!` stands alone and is dropped; of this package it matches nothing",
            ],
        );
    }

    #[test]
    fn wildcards() {
        range(
            "1.x.x",
            &[
                "9:31 the range `1.x.x` means `>=1.0.0 <1.1.0`: `1.x.x` counts up the minor number; `1.x` counts up the major one; of this package it matches nothing",
            ],
        );
        range(
            ">=1.0.0-a.x",
            &[
                "9:31 the range `>=1.0.0-a.x` means `>=1.0.0-a.0`: the `x` of the prerelease in `>=1.0.0-a.x` is a wildcard, read as 1.0.0-a.0; of this package it matches `p.v1.2.0`, `p.v2.0.0`",
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
