//! Versions: the lines of the input, each with every other.

use super::text::text;
use go_semver::blang::Version;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let lines = text.split(['\n', ' ', '|']).take(30);
    let versions: Vec<Version> = lines.filter_map(one).collect();
    for a in &versions {
        for b in &versions {
            assert_eq!(a.cmp(b), b.cmp(a).reverse(), "{a} and {b}");
            for c in &versions {
                assert!(!(a <= b && b <= c) || a <= c, "{a} <= {b} <= {c}");
            }
        }
    }
}

fn one(line: &str) -> Option<Version> {
    let tolerant = Version::parse_tolerant(line);
    let version = Version::parse(line).ok()?;
    assert_eq!(tolerant.as_ref(), Ok(&version), "{line:?}");
    assert_eq!(version.to_string(), line);
    Some(version)
}
