//! Parses the text of a constraint: hyphen ranges are rewritten, then alternatives and comparators are split
//! (Masterminds/semver v3.4.0 `constraints.go`).
//!
//! The library uses regular expressions. None of its tokens has characters of the next one, so a scanner without
//! backtracking accepts the same texts.

use std::fmt;

use super::constraint::{Bound, Comparator, Group, Operator, Release, Width};

/// Why a text is not a constraint; displays the library's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstraintError {
    /// An alternative does not follow the grammar.
    Improper {
        /// The alternative, with its blanks; hyphen ranges are already rewritten.
        segment: Box<str>,
    },
    /// The grammar accepts a version that is none: `1x`, `1|2`, a number beyond 64 bits, a prerelease `01`.
    InvalidVersion,
    /// The text has more than 512 bytes. The limit is that of v3.5.0; the API of ClusterExtension accepts far less.
    TooLong,
}

/// The library's limit on the length of a constraint.
const MAX_BYTES: usize = 512;

impl fmt::Display for ConstraintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Improper { segment } => write!(f, "improper constraint: {segment}"),
            Self::InvalidVersion => f.write_str("constraint parser error"),
            Self::TooLong => write!(f, "constraint string is too long (max {MAX_BYTES} bytes)"),
        }
    }
}

impl std::error::Error for ConstraintError {}

/// The alternatives of a constraint; there is at least one, and each has at least one comparator.
pub(crate) fn parse(text: &str) -> Result<Vec<Group>, ConstraintError> {
    if text.len() > MAX_BYTES {
        return Err(ConstraintError::TooLong);
    }
    rewrite_hyphen_ranges(text).split("||").map(group).collect()
}

/// `\s` of Go, which has no vertical tab.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

fn without_blanks(text: &str) -> &str {
    &text[text.bytes().take_while(|byte| is_blank(*byte)).count()..]
}

/// `rewriteRange`: `1.0.0 - 2.0.0` becomes `>= 1.0.0, <= 2.0.0`. Like the library it replaces the first occurrence of the
/// same text, which may be another one.
fn rewrite_hyphen_ranges(text: &str) -> String {
    let mut rewritten = text.to_owned();
    let mut rest = text;
    while let Some((matched, low, high, behind)) = hyphen_range(rest) {
        rewritten = rewritten.replacen(matched, &format!(">= {low}, <= {high} "), 1);
        rest = behind;
    }
    rewritten
}

/// The first hyphen range: its whole text, both versions, and what is behind it.
fn hyphen_range(text: &str) -> Option<(&str, &str, &str, &str)> {
    text.char_indices().find_map(|(at, _)| {
        let start = &text[at..];
        let at_low = without_blanks(start);
        let low = Parts::scan(at_low)?.whole;
        let behind_low = without_blanks(&at_low[low.len()..]);
        let behind_hyphen = behind_low.strip_prefix('-')?;
        let at_high = without_blanks(behind_hyphen);
        // Blanks on both sides tell a hyphen range from a prerelease.
        let is_separated = behind_low.len() < at_low.len() - low.len() && at_high.len() < behind_hyphen.len();
        let high = is_separated.then(|| Parts::scan(at_high))??.whole;
        let behind = without_blanks(&at_high[high.len()..]);
        Some((&start[..start.len() - behind.len()], low, high, behind))
    })
}

fn group(segment: &str) -> Result<Group, ConstraintError> {
    let tokens = tokens(segment).ok_or_else(|| ConstraintError::Improper { segment: segment.into() })?;
    let comparators = tokens.iter().map(|(operator, parts)| comparator(*operator, parts));
    Ok(Group::new(comparators.collect::<Result<_, _>>()?))
}

/// The comparators of an alternative: separated by blanks, or by one comma with or without blanks.
fn tokens(segment: &str) -> Option<Vec<(Operator, Parts<'_>)>> {
    let mut tokens = Vec::new();
    let mut rest = without_blanks(segment);
    loop {
        let (operator, behind) = operator(rest);
        let parts = Parts::scan(without_blanks(behind))?;
        let behind = &without_blanks(behind)[parts.whole.len()..];
        tokens.push((operator, parts));
        rest = without_blanks(behind);
        if rest.is_empty() {
            return Some(tokens);
        }
        match rest.strip_prefix(',') {
            Some(next) => rest = without_blanks(next),
            None if rest.len() == behind.len() => return None,
            None => {}
        }
    }
}

fn operator(text: &str) -> (Operator, &str) {
    const WORDS: [(&str, Operator); 11] = [
        ("!=", Operator::NotEqual),
        (">=", Operator::AtLeast),
        ("=>", Operator::AtLeast),
        ("<=", Operator::AtMost),
        ("=<", Operator::AtMost),
        ("~>", Operator::Tilde),
        ("=", Operator::Equal),
        (">", Operator::Above),
        ("<", Operator::Below),
        ("~", Operator::Tilde),
        ("^", Operator::Caret),
    ];
    let found = WORDS.iter().find_map(|(word, operator)| Some((*operator, text.strip_prefix(word)?)));
    found.unwrap_or((Operator::Equal, text))
}

/// A version as the grammar has it: up to three parts of digits, wildcards and `|`, then prerelease and build metadata.
struct Parts<'t> {
    whole: &'t str,
    major: &'t str,
    /// Empty if absent.
    minor: &'t str,
    patch: &'t str,
    /// Without its `-`.
    prerelease: Option<&'t str>,
}

impl<'t> Parts<'t> {
    /// The longest version that the text begins with.
    fn scan(text: &'t str) -> Option<Self> {
        let body = text.strip_prefix('v').unwrap_or(text);
        let (major, rest) = split_number(body)?;
        let (minor, rest) = dotted_number(rest);
        let (patch, rest) = if minor.is_empty() { ("", rest) } else { dotted_number(rest) };
        let (prerelease, rest) = identifiers(rest, '-');
        let (_, rest) = identifiers(rest, '+');
        Some(Self { whole: &text[..text.len() - rest.len()], major, minor, patch, prerelease })
    }
}

fn split_number(text: &str) -> Option<(&str, &str)> {
    let length = text.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b'|' | b'x' | b'X' | b'*')).count();
    (length > 0).then(|| text.split_at(length))
}

fn dotted_number(text: &str) -> (&str, &str) {
    text.strip_prefix('.').and_then(split_number).unwrap_or(("", text))
}

/// Identifiers joined by dots behind a mark.
fn identifiers(text: &str, mark: char) -> (Option<&str>, &str) {
    let identifier = |text: &str| text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'-').count();
    let Some(body) = text.strip_prefix(mark) else { return (None, text) };
    let mut length = identifier(body);
    if length == 0 {
        return (None, text);
    }
    while let Some(more) = body[length..].strip_prefix('.').map(identifier).filter(|more| *more > 0) {
        length += 1 + more;
    }
    (Some(&body[..length]), &body[length..])
}

fn comparator(operator: Operator, parts: &Parts<'_>) -> Result<Comparator, ConstraintError> {
    let is_any = |part: &str| matches!(part, "" | "x" | "X" | "*");
    let (width, major, minor, patch) = match parts {
        Parts { major, .. } if is_any(major) => (Width::Any, "0", "0", "0"),
        Parts { major, minor, .. } if is_any(minor) => (Width::Major, *major, "0", "0"),
        Parts { major, minor, patch, .. } if is_any(patch) => (Width::Minor, *major, *minor, "0"),
        Parts { major, minor, patch, .. } => (Width::Exact, *major, *minor, *patch),
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| ConstraintError::InvalidVersion);
    let has_leading_zero = |identifier: &str| {
        identifier.len() > 1 && identifier.starts_with('0') && identifier.bytes().all(|byte| byte.is_ascii_digit())
    };
    let prerelease = parts.prerelease.unwrap_or_default();
    if prerelease.split('.').any(has_leading_zero) {
        return Err(ConstraintError::InvalidVersion);
    }
    let release = Release { major: number(major)?, minor: number(minor)?, patch: number(patch)? };
    Ok(Comparator { operator, bound: Bound { release, prerelease: prerelease.into() }, width })
}
