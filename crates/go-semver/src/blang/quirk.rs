//! Ranges that parse, but mean something else than in npm, Cargo or Go modules.

use super::grammar::{flat_version, known_operator, raw_tokens, split_operator};

/// A part of a range that means something unexpected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// A part of one byte stands alone and is dropped: the `!` of `! 1.0.0`, the `-` of `1.0.0 - 2.0.0`.
    Dropped { part: Box<str> },
    /// An operator that blang does not know stands before a wildcard and is dropped: `~1.2.x` is exactly 1.2.0.
    ForgottenOperator {
        part: Box<str>,
        /// The only version that it matches.
        exactly: Box<str>,
    },
    /// `1.x.x` counts up the minor number, so it ends before 1.1.0.
    HalfWildcard {
        part: Box<str>,
        /// The wildcard that was probably meant.
        meant: Box<str>,
    },
    /// An `x` inside a prerelease is a wildcard, too: `>=1.0.0-alpha.x` begins at `1.0.0-alpha.0`.
    PrereleaseWildcard {
        part: Box<str>,
        /// The version that blang reads instead.
        read: Box<str>,
    },
}

/// The quirks of a range, in the order of its text; none for texts that are not ranges.
///
/// ```
/// use go_semver::blang::{Quirk, quirks};
///
/// let exactly = Quirk::ForgottenOperator { part: "^1.x".into(), exactly: "1.0.0".into() };
/// assert_eq!(quirks("^1.x"), [exactly]);
/// assert_eq!(quirks(">=1.0.0 <2.0.0 || 3.x"), []);
/// ```
#[must_use]
pub fn quirks(text: &str) -> Vec<Quirk> {
    raw_tokens(text).into_iter().filter_map(quirk).collect()
}

fn quirk(token: &str) -> Option<Quirk> {
    match token {
        // `&` is dropped as well, but means the same as a blank.
        "" | "&" => return None,
        _ if token.len() == 1 => return Some(Quirk::Dropped { part: token.into() }),
        _ => {}
    }
    let joined = token.replace(' ', "");
    let wildcard = joined.find('x')?;
    let (operator, version) = split_operator(&joined).ok()?;
    let (part, flat) = (joined.as_str().into(), flat_version(version));
    let before_core_ends = version.find(['-', '+']).is_none_or(|end| wildcard < joined.len() - version.len() + end);
    if !known_operator(operator) {
        Some(Quirk::ForgottenOperator { part, exactly: flat.into() })
    } else if !before_core_ends {
        (flat != version).then(|| Quirk::PrereleaseWildcard { part, read: flat.into() })
    } else {
        let counts_up = matches!(operator, "" | "=" | "==" | ">" | "<=");
        let major = version.strip_suffix(".x.x").filter(|_| counts_up)?;
        Some(Quirk::HalfWildcard { part, meant: format!("{operator}{major}.x").into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blang::Range;

    #[track_caller]
    fn check(text: &str, expected: &[Quirk]) {
        assert!(Range::parse(text).is_ok(), "{text}");
        assert_eq!(quirks(text), expected);
    }

    #[test]
    fn single_bytes_are_dropped() {
        check("! 1.0.0", &[Quirk::Dropped { part: "!".into() }]);
        check("1.0.0 - 2.0.0", &[Quirk::Dropped { part: "-".into() }]);
        check(">=1.0.0 & <2.0.0", &[]);
        check("> 1.0.0 != 1.2.0", &[]);
    }

    #[test]
    fn operators_before_wildcards() {
        check("~1.2.x", &[Quirk::ForgottenOperator { part: "~1.2.x".into(), exactly: "1.2.0".into() }]);
        check("v1.x", &[Quirk::ForgottenOperator { part: "v1.x".into(), exactly: "1.0.0".into() }]);
        check("x.1.0", &[Quirk::ForgottenOperator { part: "x.1.0".into(), exactly: "1.0.0".into() }]);
        check(">= 1.x", &[]);
    }

    #[test]
    fn two_wildcards() {
        check("1.x.x", &[Quirk::HalfWildcard { part: "1.x.x".into(), meant: "1.x".into() }]);
        check(">=1.x.x <3.0.0", &[]);
    }

    #[test]
    fn prereleases() {
        let read = "1.0.0-alpha.0".into();
        check(">=1.0.0-alpha.x", &[Quirk::PrereleaseWildcard { part: ">=1.0.0-alpha.x".into(), read }]);
        check(">=1.0.0-next.1", &[]);
    }
}
