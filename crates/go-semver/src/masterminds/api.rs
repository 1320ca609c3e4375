//! What the API server accepts as `spec.source.catalog.version` of a ClusterExtension: the pattern in the
//! CustomResourceDefinition (operator-controller `api/v1/clusterextension_types.go`).
//!
//! It is narrower than the library's grammar, and has a stray `]` after some wildcards.

use std::sync::LazyLock;

use regex_lite::Regex;

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
