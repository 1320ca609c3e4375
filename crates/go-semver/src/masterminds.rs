//! Version constraints with the semantics of Go's `Masterminds/semver` v3.4, the library that OLM v1 reads the field
//! `version` of a ClusterExtension with.
//!
//! The versions of bundles stay those of blang/semver: operator-controller `internal/operator-controller/catalogmetadata/
//! compare/compare.go` parses them with blang and converts them. No Rust crate has this grammar: `semver` and
//! `node-semver` differ in wildcards, hyphen ranges, prereleases and error texts.
//!
//! ```
//! use go_semver::blang::Version;
//! use go_semver::masterminds::{Constraints, is_accepted_by_api};
//!
//! let range = Constraints::parse("^1.2 || ~3.0.1")?;
//! let matches = |version| Version::parse(version).is_ok_and(|version| range.matches(&version));
//! assert!(matches("1.9.0") && matches("3.0.9") && !matches("2.0.0"));
//! // Without a prerelease in the constraint no prerelease matches.
//! assert!(!matches("1.3.0-rc.1"));
//!
//! // The library reads hyphen ranges; the API of ClusterExtension rejects them.
//! assert!(Constraints::parse("1.0.0 - 2.0.0").is_ok());
//! assert!(!is_accepted_by_api("1.0.0 - 2.0.0"));
//! # Ok::<(), go_semver::masterminds::ConstraintError>(())
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::sync::LazyLock;

use regex_lite::Regex;

use crate::blang::Version;

// `Constraints`: the parsed value and its evaluation (Masterminds/semver v3.4.0 `constraints.go`).

/// A parsed constraint: alternatives joined by `||`, each a conjunction of comparators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    groups: Vec<Group>,
}

impl Constraints {
    /// Parses a constraint as `semver.NewConstraint` does.
    ///
    /// # Errors
    /// The library's error, with its text.
    pub fn parse(text: &str) -> Result<Self, ConstraintError> {
        parse_constraints(text).map(|groups| Self { groups })
    }

    /// Whether the version satisfies the constraint; build metadata does not matter.
    #[must_use]
    pub fn matches(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| group.matches(version))
    }

    /// Whether the version is left out only because it is a prerelease: with a prerelease in every alternative, as in
    /// `>=1.0.0-0`, it would match.
    #[must_use]
    pub fn leaves_out_prerelease(&self, version: &Version) -> bool {
        let would_match = |group: &Group| group.comparators.iter().all(|one| is_match(one, version));
        !version.pre().is_empty() && !self.matches(version) && self.groups.iter().any(would_match)
    }

    /// The alternatives in the order of the text.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &Group> {
        self.groups.iter()
    }
}

impl fmt::Display for Constraints {
    /// The constraint with one blank between comparators, and wildcards as `x`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, group) in self.groups.iter().enumerate() {
            if number > 0 {
                f.write_str(" || ")?;
            }
            write!(f, "{group}")?;
        }
        Ok(())
    }
}

/// An alternative: comparators that must all match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    comparators: Vec<Comparator>,
    /// Whether a comparator has a prerelease. Without one, no prerelease matches.
    allows_prereleases: bool,
}

impl Group {
    pub(crate) fn new(comparators: Vec<Comparator>) -> Self {
        let allows_prereleases = comparators.iter().any(|comparator| !comparator.bound.prerelease.is_empty());
        Self { comparators, allows_prereleases }
    }

    /// Whether the version satisfies all comparators of the alternative.
    #[must_use]
    pub fn matches(&self, version: &Version) -> bool {
        (version.pre().is_empty() || self.allows_prereleases)
            && self.comparators.iter().all(|comparator| is_match(comparator, version))
    }

    /// Whether prereleases can match: a comparator has a prerelease.
    #[must_use]
    pub fn allows_prereleases(&self) -> bool {
        self.allows_prereleases
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, comparator) in self.comparators.iter().enumerate() {
            if number > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{comparator}")?;
        }
        Ok(())
    }
}

/// One comparison, for example `>=1.2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparator {
    pub(crate) operator: Operator,
    bound: Bound,
    width: Width,
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.operator {
            Operator::Equal => "",
            Operator::NotEqual => "!=",
            Operator::Above => ">",
            Operator::AtLeast => ">=",
            Operator::Below => "<",
            Operator::AtMost => "<=",
            Operator::Tilde => "~",
            Operator::Caret => "^",
        })?;
        let Release { major, minor, patch } = self.bound.release;
        match self.width {
            Width::Any => f.write_str("x")?,
            Width::Major => write!(f, "{major}.x")?,
            Width::Minor => write!(f, "{major}.{minor}.x")?,
            Width::Exact => write!(f, "{major}.{minor}.{patch}")?,
        }
        match &*self.bound.prerelease {
            "" => Ok(()),
            prerelease => write!(f, "-{prerelease}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `=`, also not written at all. With a wildcard it means the same as `~`.
    Equal,
    NotEqual,
    Above,
    AtLeast,
    Below,
    AtMost,
    Tilde,
    Caret,
}

/// The version of a comparator, with zeros for wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    pub(crate) release: Release,
    /// Without its `-`; empty if there is none.
    pub(crate) prerelease: Box<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Release {
    pub(crate) major: u64,
    pub(crate) minor: u64,
    pub(crate) patch: u64,
}

impl Release {
    pub(crate) fn of(version: &Version) -> Self {
        Self { major: version.major(), minor: version.minor(), patch: version.patch() }
    }
}

/// How many numbers of a comparator are given; the others are wildcards or missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    /// None, as in `*`.
    Any,
    /// The major number, as in `1` and `1.x`.
    Major,
    /// Major and minor number, as in `1.2`.
    Minor,
    /// All three.
    Exact,
}

// Parses the text of a constraint: hyphen ranges are rewritten, then alternatives and comparators are split
// (Masterminds/semver v3.4.0 `constraints.go`).
//
// The library uses regular expressions. None of its tokens has characters of the next one, so a scanner without
// backtracking accepts the same texts.

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
fn parse_constraints(text: &str) -> Result<Vec<Group>, ConstraintError> {
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

// When a version satisfies a comparator. That prereleases are left out is decided for a whole alternative, before.

fn is_match(comparator: &Comparator, version: &Version) -> bool {
    let Comparator { operator, bound, width } = comparator;
    match (operator, width) {
        (Operator::Equal, Width::Exact) => compare(version, bound).is_eq(),
        (Operator::Equal, _) | (Operator::Tilde, _) => tilde(version, bound, *width),
        (Operator::NotEqual, _) => not_equal(version, bound, *width),
        (Operator::Above, _) => above(version, bound, *width),
        (Operator::AtLeast, _) => compare(version, bound).is_ge(),
        (Operator::Below, _) => compare(version, bound).is_lt(),
        (Operator::AtMost, _) => at_most(version, bound, *width),
        (Operator::Caret, _) => caret(version, bound, *width),
    }
}

/// Plain ordering, in which a prerelease is below its release.
fn compare(version: &Version, bound: &Bound) -> Ordering {
    Release::of(version).cmp(&bound.release).then_with(|| match (version.pre(), &*bound.prerelease) {
        ("", "") => Ordering::Equal,
        ("", _) => Ordering::Greater,
        (_, "") => Ordering::Less,
        (ours, theirs) => prereleases(ours, theirs),
    })
}

fn prereleases(ours: &str, theirs: &str) -> Ordering {
    let identifiers = ours.split('.').zip(theirs.split('.')).map(|(one, other)| compare_identifiers(one, other));
    let first_difference = identifiers.into_iter().find(|order| order.is_ne());
    first_difference.unwrap_or_else(|| ours.split('.').count().cmp(&theirs.split('.').count()))
}

/// Numbers come before other identifiers; a number beyond 64 bits counts as text.
fn compare_identifiers(ours: &str, theirs: &str) -> Ordering {
    match (ours.parse::<u64>(), theirs.parse::<u64>()) {
        (Ok(ours), Ok(theirs)) => ours.cmp(&theirs),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => ours.cmp(theirs),
    }
}

fn not_equal(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, .. } = bound.release;
    match width {
        Width::Exact | Width::Any => compare(version, bound).is_ne(),
        Width::Major => version.major() != major,
        Width::Minor => {
            // Within the minor version, the library compares prereleases instead of patch numbers.
            let has_prerelease = !version.pre().is_empty() || !bound.prerelease.is_empty();
            let differs = has_prerelease && prereleases(version.pre(), &bound.prerelease).is_ne();
            (version.major(), version.minor()) != (major, minor) || differs
        }
    }
}

/// `>1` starts at 2.0.0 and `>1.2` at 1.3.0.
fn above(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, .. } = bound.release;
    match width {
        Width::Exact | Width::Any => compare(version, bound).is_gt(),
        Width::Major => version.major() > major,
        Width::Minor => (version.major(), version.minor()) > (major, minor),
    }
}

/// `<=1` includes all of 1.y.z and `<=1.2` all of 1.2.z.
fn at_most(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, .. } = bound.release;
    match width {
        Width::Exact => compare(version, bound).is_le(),
        Width::Major => version.major() <= major,
        // `<=*` means `<=0.0.x`.
        Width::Minor | Width::Any => (version.major(), version.minor()) <= (major, minor),
    }
}

fn tilde(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, patch } = bound.release;
    if compare(version, bound).is_lt() {
        return false;
    }
    match width {
        // `~0.0.0` means `>=0.0.0`, and so does `*`.
        Width::Exact | Width::Any if (major, minor, patch) == (0, 0, 0) => true,
        Width::Major => version.major() == major,
        Width::Exact | Width::Any | Width::Minor => (version.major(), version.minor()) == (major, minor),
    }
}

fn caret(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, patch } = bound.release;
    if compare(version, bound).is_lt() || version.major() != major {
        return false;
    }
    if major > 0 || width == Width::Major {
        return true;
    }
    if minor > 0 || width == Width::Minor {
        return version.minor() == minor;
    }
    // `^*` means `^0.0.0`, the version 0.0.0 alone.
    (version.minor(), version.patch()) == (minor, patch)
}

// What the API server accepts as `spec.source.catalog.version` of a ClusterExtension: the pattern in the
// CustomResourceDefinition (operator-controller `api/v1/clusterextension_types.go`).
//
// It is narrower than the library's grammar, and has a stray `]` after some wildcards.

/// The maximum length of the field, in characters.
pub const MAX_LENGTH: usize = 64;

/// `\s` of Go, which has no vertical tab.
const BLANK: &str = r"[\t\n\f\r ]";
const OPERATOR: &str = r"(=||!=|>|<|>=|=>|<=|=<|~|~>|\^)";
/// Prerelease and build metadata.
const SUFFIX: &str = r"(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?";
const NUMBER: &str = "0|[1-9][0-9]*";

static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    // Where the wildcard is `\*\]`, the API demands the text `*]`, which no version can have.
    let first = format!(r"v?({NUMBER}|[xX|*])(\.({NUMBER}|x|X|\*\]))?(\.({NUMBER}|x|X|\*))?{SUFFIX}");
    let other = format!(r"v?({NUMBER}|x|X|\*\])(\.({NUMBER}|x|X|\*))?(\.({NUMBER}|x|X|\*\]))?{SUFFIX}");
    let separator = format!(r"({BLANK}+|,{BLANK}*|{BLANK}*\|\|{BLANK}*)");
    let comparator = |version: &str| format!("{OPERATOR}{BLANK}*{version}{BLANK}*");
    let pattern = format!("^{BLANK}*{}({separator}{})*$", comparator(&first), comparator(&other));
    Regex::new(&pattern).expect("a fixed pattern that the tests compile")
});

/// Whether the text has the form that the API demands of the field. Its length is not checked.
///
/// An accepted text may still be no constraint, as `|`; a rejected one may be one, as `1.0.0 - 2.0.0`.
#[must_use]
pub fn is_accepted_by_api(text: &str) -> bool {
    PATTERN.is_match(text)
}
