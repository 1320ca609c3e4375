//! `Version`: strict and tolerant parsing, and an order that ignores build metadata (blang/semver v4 `semver.go`).

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use semver::{BuildMetadata, Prerelease};

use super::go::Quoted;

/// A version as `blang/semver` sees it.
///
/// Equality, order and hash follow semver precedence: build metadata is ignored, so `1.0.0+a == 1.0.0+b`.
#[derive(Clone, Debug)]
pub struct Version(semver::Version);

impl Version {
    /// The release `major.minor.patch`.
    pub const fn new(major: u64, minor: u64, patch: u64) -> Version {
        Version(semver::Version::new(major, minor, patch))
    }

    /// Parses strictly (`semver.Parse`): three numbers, optional prerelease and build metadata, nothing around them.
    pub fn parse(text: &str) -> Result<Version, VersionError> {
        if text.is_empty() {
            return Err(VersionError::from(Kind::Empty));
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(VersionError::from(Kind::NoElements));
        };
        let major = number(major, ["major number", "Major number"])?;
        let minor = number(minor, ["minor number", "Minor number"])?;
        let (rest, build) = split_suffix(rest, '+');
        let (patch, pre) = split_suffix(rest, '-');
        let patch = number(patch, ["patch number", "Patch number"])?;
        Ok(Version(semver::Version {
            pre: pre.map_or(Ok(Prerelease::EMPTY), prerelease)?,
            build: build.map_or(Ok(BuildMetadata::EMPTY), build_metadata)?,
            ..semver::Version::new(major, minor, patch)
        }))
    }

    /// Parses tolerantly (`semver.ParseTolerant`): removes blanks around the version, one leading `v` and leading zeros, and
    /// adds missing minor and patch numbers before the strict parse.
    pub fn parse_tolerant(text: &str) -> Result<Version, VersionError> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(without_leading_zeros).collect();
        if parts.len() < 3 {
            if parts.last().is_some_and(|last| last.contains(['+', '-'])) {
                return Err(VersionError::from(Kind::ShortWithSuffix));
            }
            parts.resize(3, "0".to_owned());
        }
        Version::parse(&parts.join("."))
    }

    /// Major number.
    pub fn major(&self) -> u64 {
        self.0.major
    }

    /// Minor number.
    pub fn minor(&self) -> u64 {
        self.0.minor
    }

    /// Patch number.
    pub fn patch(&self) -> u64 {
        self.0.patch
    }

    /// Prerelease without its `-`; empty for a release.
    pub fn pre(&self) -> &str {
        self.0.pre.as_str()
    }

    /// Build metadata without its `+`; empty if there is none.
    pub fn build(&self) -> &str {
        self.0.build.as_str()
    }

    /// The least version of all, `0.0.0-0`.
    pub(crate) fn least() -> Version {
        Version::with_pre(semver::Version::new(0, 0, 0), "0")
    }

    /// The version directly above this one (nothing lies between), or `None` above the last representable one.
    ///
    /// A prerelease is followed by itself with one more identifier `0`, a release by the first prerelease of the next
    /// patch.
    pub(crate) fn successor(&self) -> Option<Version> {
        let semver::Version { major, minor, patch, pre, .. } = &self.0;
        if !pre.is_empty() {
            let release = semver::Version::new(*major, *minor, *patch);
            return Some(Version::with_pre(release, &format!("{pre}.0")));
        }
        let release = match (patch.checked_add(1), minor.checked_add(1)) {
            (Some(patch), _) => semver::Version::new(*major, *minor, patch),
            (None, Some(minor)) => semver::Version::new(*major, minor, 0),
            (None, None) => semver::Version::new(major.checked_add(1)?, 0, 0),
        };
        Some(Version::with_pre(release, "0"))
    }

    fn with_pre(release: semver::Version, pre: &str) -> Version {
        let pre = Prerelease::new(pre).expect("valid identifiers joined by dots");
        Version(semver::Version { pre, ..release })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        self.0.cmp_precedence(&other.0)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Version {}

impl Hash for Version {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let semver::Version { major, minor, patch, pre, build: _ } = &self.0;
        (major, minor, patch, pre).hash(state);
    }
}

/// Why a text is not a version; displays blang's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    NoElements,
    ShortWithSuffix,
    InvalidCharacters { place: &'static str, text: String },
    LeadingZeroes { place: &'static str, text: String },
    NotUint64 { text: String },
    EmptyPrerelease,
    EmptyBuild,
}

impl From<Kind> for VersionError {
    fn from(kind: Kind) -> VersionError {
        VersionError { kind }
    }
}

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Empty => f.write_str("Version string empty"),
            Kind::NoElements => f.write_str("No Major.Minor.Patch elements found"),
            Kind::ShortWithSuffix => f.write_str("Short version cannot contain PreRelease/Build meta data"),
            Kind::InvalidCharacters { place, text } => {
                write!(f, "Invalid character(s) found in {place} {}", Quoted(text))
            }
            Kind::LeadingZeroes { place, text } => {
                write!(f, "{place} must not contain leading zeroes {}", Quoted(text))
            }
            Kind::NotUint64 { text } => {
                let reason = if text.is_empty() { "invalid syntax" } else { "value out of range" };
                write!(f, "strconv.ParseUint: parsing {}: {reason}", Quoted(text))
            }
            Kind::EmptyPrerelease => f.write_str("Prerelease is empty"),
            Kind::EmptyBuild => f.write_str("Build meta data is empty"),
        }
    }
}

impl std::error::Error for VersionError {}

/// Splits at the first `separator`; the suffix is `None` without one and may be empty with one.
fn split_suffix(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((head, suffix)) => (head, Some(suffix)),
        None => (text, None),
    }
}

/// One of the three numbers; `lower` and `upper` are its two spellings in blang's texts.
fn number(text: &str, [lower, upper]: [&'static str; 2]) -> Result<u64, VersionError> {
    if !is_numeric(text) {
        return Err(VersionError::from(Kind::InvalidCharacters { place: lower, text: text.to_owned() }));
    }
    uint64(text, upper)
}

/// A text of ASCII digits alone as a number without leading zeros.
fn uint64(text: &str, place: &'static str) -> Result<u64, VersionError> {
    if text.len() > 1 && text.starts_with('0') {
        return Err(VersionError::from(Kind::LeadingZeroes { place, text: text.to_owned() }));
    }
    text.parse().map_err(|_| VersionError::from(Kind::NotUint64 { text: text.to_owned() }))
}

fn prerelease(text: &str) -> Result<Prerelease, VersionError> {
    for identifier in text.split('.') {
        if identifier.is_empty() {
            return Err(VersionError::from(Kind::EmptyPrerelease));
        }
        if is_numeric(identifier) {
            uint64(identifier, "Numeric PreRelease version")?;
        } else {
            check_alphanumeric(identifier, "prerelease")?;
        }
    }
    Ok(Prerelease::new(text).expect("blang accepts no prerelease that semver refuses"))
}

fn build_metadata(text: &str) -> Result<BuildMetadata, VersionError> {
    for identifier in text.split('.') {
        if identifier.is_empty() {
            return Err(VersionError::from(Kind::EmptyBuild));
        }
        check_alphanumeric(identifier, "build meta data")?;
    }
    Ok(BuildMetadata::new(text).expect("blang accepts no build metadata that semver refuses"))
}

fn check_alphanumeric(text: &str, place: &'static str) -> Result<(), VersionError> {
    if text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Ok(());
    }
    Err(VersionError::from(Kind::InvalidCharacters { place, text: text.to_owned() }))
}

/// True for the empty text too, as in blang.
fn is_numeric(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// One part of a tolerant version without leading zeros; a part of several bytes keeps at least one digit.
fn without_leading_zeros(part: &str) -> String {
    if part.len() <= 1 {
        return part.to_owned();
    }
    let stripped = part.trim_start_matches('0');
    if stripped.starts_with(|c: char| c.is_ascii_digit()) { stripped.to_owned() } else { format!("0{stripped}") }
}
