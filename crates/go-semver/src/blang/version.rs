//! `Version`: strict and tolerant parsing, and an order that ignores build metadata (blang/semver v4 `semver.go`).

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};

use semver::{BuildMetadata, Prerelease};

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

// The parts of Go's standard library that error texts depend on: `%q`, `unicode.IsDigit`, `strconv`.

/// The zero of every block of decimal digits (category Nd) in Unicode 15.0, the version of Go 1.21 and later.
const DIGIT_ZEROS: [u32; 68] = [
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0,
    0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620,
    0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0,
    0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50,
    0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950,
    0x1FBF0,
];

/// `unicode.IsDigit`.
pub(crate) fn is_digit(c: char) -> bool {
    let code = u32::from(c);
    let blocks_at_or_before = DIGIT_ZEROS.partition_point(|&zero| zero <= code);
    blocks_at_or_before > 0 && code - DIGIT_ZEROS[blocks_at_or_before - 1] < 10
}

/// Displays text as Go's `%q` (`strconv.Quote`) does; OLM's error texts need it too.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\x07' => f.write_str("\\a")?,
                '\x08' => f.write_str("\\b")?,
                '\x0c' => f.write_str("\\f")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '\x0b' => f.write_str("\\v")?,
                ' '..='~' => f.write_char(c)?,
                '\0'..='\x7f' => write!(f, "\\x{:02x}", u32::from(c))?,
                _ if is_print(c) => f.write_char(c)?,
                '\u{80}'..='\u{ffff}' => write!(f, "\\u{:04x}", u32::from(c))?,
                '\u{10000}'.. => write!(f, "\\U{:08x}", u32::from(c))?,
            }
        }
        f.write_char('"')
    }
}

/// `strconv.IsPrint` for a character beyond ASCII, up to the difference between Go's and Rust's Unicode versions.
fn is_print(c: char) -> bool {
    // Rust's debug escapes follow the same categories, but a combining mark is escaped when it comes first.
    let mut buffer = [b'a'; 5];
    let length = 1 + c.encode_utf8(&mut buffer[1..]).len();
    let text = std::str::from_utf8(&buffer[..length]).expect("one letter and one encoded character");
    text.escape_debug().nth(1) == Some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        // Expected column: `fmt.Printf("%q", s)`.
        let table = [
            ("a b", r#""a b""#),
            ("a\"\\", r#""a\"\\""#),
            ("\t\n\x07\0\x7f", r#""\t\n\a\x00\x7f""#),
            ("é\u{301}", "\"é\u{301}\""),
            ("\u{301}", "\"\u{301}\""),
            ("\u{a0}\u{ad}\u{200b}\u{feff}", r#""\u00a0\u00ad\u200b\ufeff""#),
            ("\u{e0001}\u{1f600}", "\"\\U000e0001\u{1f600}\""),
            ("\u{fffd}", "\"\u{fffd}\""),
        ];
        for (text, quoted) in table {
            assert_eq!(Quoted(text).to_string(), quoted);
        }
    }

    #[test]
    fn digits_are_decimal_digits_of_any_script() {
        for c in ['0', '9', '\u{660}', '\u{669}', '\u{ff11}', '\u{1fbf9}'] {
            assert!(is_digit(c), "{c:?}");
        }
        for c in ['/', ':', '\u{66a}', '²', '½', 'Ⅷ', '\u{1fbfa}', '\u{10ffff}'] {
            assert!(!is_digit(c), "{c:?}");
        }
    }
}
