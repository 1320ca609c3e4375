//! Constraints as Masterminds/semver and the pattern of the CustomResourceDefinition took them when they were run for
//! operator-controller `df2c201d`.

use go_semver::{
    blang::Version,
    masterminds::{Constraints, is_accepted_by_api},
};

/// The text, whether the pattern accepts it, and the library's error.
const ACCEPTED: &[(&str, bool, Option<&str>)] = &[
    ("", false, Some("improper constraint: ")),
    ("1.2.3", true, None),
    ("v1.2.3", true, None),
    ("1.2", true, None),
    ("1", true, None),
    ("1.x", true, None),
    ("1.X", true, None),
    ("1.*", true, None),
    ("*", true, None),
    ("x", true, None),
    ("1.2.*", true, None),
    ("1.*.*", false, None),
    ("1.x.x", true, None),
    (">=1.0.0 <2.0.0", true, None),
    (">=1.0.0, <2.0.0", true, None),
    (">=1.0.0,<2.0.0", true, None),
    (">=1.0.0||^3", true, None),
    ("^0 || ^3 || ^5", true, None),
    ("1.0.0 - 2.0.0", false, None),
    (">=1.0.0 || *", false, None),
    (">=1.0.0 || 1.2.*", false, None),
    (">=1.0.0 || 1.*", true, None),
    ("1.2.3-alpha", true, None),
    (">=1.0.0-0", true, None),
    ("~>1.2", true, None),
    ("=>1.0", true, None),
    ("=<2", true, None),
    ("!=1.2.3", true, None),
    ("01.2.3", false, None),
    ("1.2.3+build.5", true, None),
    ("latest", false, Some("improper constraint: latest")),
    ("> 1.0.0", true, None),
    (">1.0.0 <", false, Some("improper constraint: >1.0.0 <")),
    ("1.2.3 ", true, None),
    (" 1.2.3", true, None),
    ("1.2.3 || ", false, Some("improper constraint:  ")),
    ("|", true, Some("constraint parser error")),
    ("x|X", false, Some("constraint parser error")),
];

/// The versions that were tried.
const VERSIONS: &str = "0.9.0 1.0.0 1.0.0-alpha 1.2.3 1.2.3-rc1 1.2.3+1 1.2.3+2 1.9.9 2.0.0-alpha 2.0.0 2.1.0";

/// The constraint and the versions that match.
const MATCHES: &[(&str, &str)] = &[
    (">=1.0.0 <2.0.0", "1.0.0 1.2.3 1.2.3+1 1.2.3+2 1.9.9"),
    (">=1.0.0-0 <2.0.0", "1.0.0 1.0.0-alpha 1.2.3 1.2.3-rc1 1.2.3+1 1.2.3+2 1.9.9 2.0.0-alpha"),
    (">=1.0.0 <2.0.0-0", "1.0.0 1.2.3 1.2.3-rc1 1.2.3+1 1.2.3+2 1.9.9"),
    ("1.2.3", "1.2.3 1.2.3+1 1.2.3+2"),
    ("=1.2.3", "1.2.3 1.2.3+1 1.2.3+2"),
    ("1.2.3+1", "1.2.3 1.2.3+1 1.2.3+2"),
    ("1.x", "1.0.0 1.2.3 1.2.3+1 1.2.3+2 1.9.9"),
    ("1.2", "1.2.3 1.2.3+1 1.2.3+2"),
    (">1", "2.0.0 2.1.0"),
    (">1.2", "1.9.9 2.0.0 2.1.0"),
    ("<=1.2", "0.9.0 1.0.0 1.2.3 1.2.3+1 1.2.3+2"),
    ("<=1.2.x", "0.9.0 1.0.0 1.2.3 1.2.3+1 1.2.3+2"),
    ("^1.2.0", "1.2.3 1.2.3+1 1.2.3+2 1.9.9"),
    ("~1.2", "1.2.3 1.2.3+1 1.2.3+2"),
    ("!=1.2.3", "0.9.0 1.0.0 1.9.9 2.0.0 2.1.0"),
    ("!=1.2", "0.9.0 1.0.0 1.9.9 2.0.0 2.1.0"),
    ("<1.0.0 >=2.0.0", ""),
    ("<1.0.0 || >=2.0.0", "0.9.0 2.0.0 2.1.0"),
    ("1.0.0 - 1.2.3", "1.0.0 1.2.3 1.2.3+1 1.2.3+2"),
    ("*", "0.9.0 1.0.0 1.2.3 1.2.3+1 1.2.3+2 1.9.9 2.0.0 2.1.0"),
    (">=1.0.0, <2.0.0", "1.0.0 1.2.3 1.2.3+1 1.2.3+2 1.9.9"),
    ("1.2.3-rc1", "1.2.3-rc1"),
];

#[test]
fn the_pattern_and_the_library_accept_what_they_did() {
    for (text, accepted, error) in ACCEPTED {
        assert_eq!(is_accepted_by_api(text), *accepted, "the pattern on `{text}`");
        let found = Constraints::parse(text).err().map(|error| error.to_string());
        assert_eq!(found.as_deref(), *error, "the library on `{text}`");
    }
}

#[test]
fn versions_match_as_they_did() {
    for (text, expected) in MATCHES {
        let constraints = Constraints::parse(text).unwrap();
        let matching: Vec<&str> =
            VERSIONS.split(' ').filter(|version| constraints.matches(&Version::parse(version).unwrap())).collect();
        assert_eq!(matching.join(" "), *expected, "`{text}`");
    }
}
