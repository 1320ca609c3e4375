//! Parses the text of a range in the same steps as blang/semver v4.0.0 `range.go`: split, group, expand, build.

use std::fmt;

use super::go::{Quoted, is_digit};
use super::range::{Comparator, Op};
use super::version::{Version, VersionError};

/// Why a text is not a range; displays blang's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeError {
    kind: Box<Kind>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    LeadingOr,
    TrailingOr,
    NoVersion { token: String },
    Comparator { token: String, op: String, version: String },
    Version { token: String, op: String, version: String, error: VersionError },
}

impl From<Kind> for RangeError {
    fn from(kind: Kind) -> RangeError {
        RangeError { kind: Box::new(kind) }
    }
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            Kind::LeadingOr => f.write_str("First element in range is '||'"),
            Kind::TrailingOr => f.write_str("Last element in range is '||'"),
            Kind::NoVersion { token } => write!(f, "Could not get version from string: {}", Quoted(token)),
            Kind::Comparator { token, op, version } => {
                let (token, whole) = (Quoted(token), format!("{op}{version}"));
                let (op, whole) = (Quoted(op), Quoted(&whole));
                write!(f, "Could not parse Range {token}: Could not parse comparator {op} in {whole}")
            }
            Kind::Version { token, op, version, error } => {
                let (token, whole) = (Quoted(token), format!("{op}{version}"));
                let (version, whole) = (Quoted(version), Quoted(&whole));
                write!(f, "Could not parse Range {token}: Could not parse version {version} in {whole}: {error}")
            }
        }
    }
}

impl std::error::Error for RangeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.kind {
            Kind::Version { error, .. } => Some(error),
            Kind::LeadingOr | Kind::TrailingOr | Kind::NoVersion { .. } | Kind::Comparator { .. } => None,
        }
    }
}

/// The alternatives of a range, each a list of comparators; an alternative after the first may be empty.
pub(crate) fn parse(text: &str) -> Result<Vec<Vec<Comparator>>, RangeError> {
    let groups = alternatives(tokens(text))?;
    // Wildcards of the whole text are expanded first: their errors win over those of earlier tokens.
    let expanded = groups.iter().map(|group| expand_group(group)).collect::<Result<Vec<_>, _>>()?;
    expanded.iter().map(|group| group.iter().map(|token| comparator(token)).collect()).collect()
}

/// `splitAndTrim`, which drops tokens of one byte.
fn tokens(text: &str) -> Vec<String> {
    raw_tokens(text).into_iter().filter(|token| token.len() > 1).map(|token| token.replace(' ', "")).collect()
}

/// A space ends a token, unless the last byte before it that is no space is `<`, `>` or `=`.
pub(crate) fn raw_tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte != b' ' {
            last = byte;
        } else if !matches!(last, b'<' | b'>' | b'=') {
            tokens.push(&text[start..at]);
            start = at + 1;
        }
    }
    tokens.push(&text[start..]);
    tokens
}

/// `splitORParts`.
fn alternatives(tokens: Vec<String>) -> Result<Vec<Vec<String>>, RangeError> {
    if tokens.first().is_some_and(|token| token == "||") {
        return Err(RangeError::from(Kind::LeadingOr));
    }
    if tokens.last().is_none_or(|token| token == "||") {
        return Err(RangeError::from(Kind::TrailingOr));
    }
    Ok(tokens.split(|token| token == "||").map(<[String]>::to_vec).collect())
}

fn expand_group(group: &[String]) -> Result<Vec<String>, RangeError> {
    let mut expanded = Vec::new();
    for token in group {
        if token.contains('x') {
            expand_wildcard(token, &mut expanded)?;
        } else {
            expanded.push(token.clone());
        }
    }
    Ok(expanded)
}

/// `expandWildcardVersion` for one token with an `x` anywhere.
fn expand_wildcard(token: &str, expanded: &mut Vec<String>) -> Result<(), RangeError> {
    let (op, version) = split_operator(token)?;
    let flat = flat_version(version);
    let next = next_version(version, &flat);
    match op {
        ">" => expanded.push(format!(">={next}")),
        ">=" => expanded.push(format!(">={flat}")),
        "<" => expanded.push(format!("<{flat}")),
        "<=" => expanded.push(format!("<{next}")),
        "" | "=" | "==" => expanded.extend([format!(">={flat}"), format!("<{next}")]),
        "!" | "!=" => expanded.extend([format!("<{flat}"), format!(">={next}")]),
        // blang drops other operators here, which leaves an equality.
        _ => expanded.push(flat),
    }
    Ok(())
}

/// `createVersionFromWildcard`: the first `.x` (or `.x.x`) becomes `.0`, and two parts become three.
pub(crate) fn flat_version(version: &str) -> String {
    let flat = version.replacen(".x.x", ".x", 1).replacen(".x", ".0", 1);
    if flat.split('.').count() == 2 { flat + ".0" } else { flat }
}

/// The first version above the wildcard. Empty where blang finds none; then the comparator fails to parse.
fn next_version(version: &str, flat: &str) -> String {
    let mut parts: Vec<String> = flat.split('.').map(str::to_owned).collect();
    // `1.x` has two parts and counts up the major number, `1.2.x` has three and counts up the minor number.
    let counted = match version.split('.').count() {
        parts @ (2 | 3) if version.ends_with(".x") => parts - 2,
        _ => return String::new(),
    };
    let Some(Ok(number)) = parts.get(counted).map(|part| part.parse::<i64>()) else {
        return String::new();
    };
    // Go's `int` wraps.
    parts[counted] = number.wrapping_add(1).to_string();
    parts.join(".")
}

/// `splitComparatorVersion`: the operator is the text before the first digit of any script.
pub(crate) fn split_operator(token: &str) -> Result<(&str, &str), RangeError> {
    match token.find(is_digit) {
        Some(at) => Ok((token[..at].trim(), &token[at..])),
        None => Err(RangeError::from(Kind::NoVersion { token: token.to_owned() })),
    }
}

/// Whether blang knows the operator, given without blanks around it.
pub(crate) fn known_operator(operator: &str) -> bool {
    matches!(operator, "" | "=" | "==" | "!" | "!=" | "<" | "<=" | ">" | ">=")
}

/// `buildVersionRange` and `parseComparator`.
fn comparator(token: &str) -> Result<Comparator, RangeError> {
    let (op_text, version_text) = split_operator(token)?;
    let owned = || (token.to_owned(), op_text.to_owned(), version_text.to_owned());
    let op = match op_text {
        "" | "=" | "==" => Op::Eq,
        "!" | "!=" => Op::Ne,
        "<" => Op::Lt,
        "<=" => Op::Le,
        ">" => Op::Gt,
        ">=" => Op::Ge,
        _ => {
            let (token, op, version) = owned();
            return Err(RangeError::from(Kind::Comparator { token, op, version }));
        }
    };
    let version = Version::parse(version_text).map_err(|error| {
        let (token, op, version) = owned();
        RangeError::from(Kind::Version { token, op, version, error })
    })?;
    Ok(Comparator { op, version })
}
