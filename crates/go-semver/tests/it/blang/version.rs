//! Version parsing and order, from blang/semver v4.0.0 `semver.go` and runs of it.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use go_semver::blang::Version;

#[track_caller]
fn refuses(table: &[(&str, &str)], parse: fn(&str) -> Result<Version, go_semver::blang::VersionError>) {
    for (text, expected) in table {
        assert_eq!(parse(text).expect_err(text).to_string(), *expected, "`{text}`");
    }
}

#[test]
fn strict_accepts() {
    let texts = "0.0.0 1.2.3 1.2.3-alpha.1+build.01 1.2.3-- 1.2.3-0a.b-c 1.2.3+- 1.2.3+a-b \
                 18446744073709551615.0.0-18446744073709551615";
    for text in texts.split(' ') {
        assert_eq!(Version::parse(text).unwrap().to_string(), text);
    }
    let version = Version::parse("1.2.3-rc.1+sha.5").unwrap();
    assert_eq!((version.major(), version.minor(), version.patch()), (1, 2, 3));
    assert_eq!((version.pre(), version.build()), ("rc.1", "sha.5"));
}

#[test]
fn strict_refuses() {
    let table = [
        ("", "Version string empty"),
        ("1", "No Major.Minor.Patch elements found"),
        ("1.2", "No Major.Minor.Patch elements found"),
        ("v1.2.3", r#"Invalid character(s) found in major number "v1""#),
        (" 1.2.3", r#"Invalid character(s) found in major number " 1""#),
        ("1.-2.3", r#"Invalid character(s) found in minor number "-2""#),
        ("1.2.3.4", r#"Invalid character(s) found in patch number "3.4""#),
        ("1.2.3\t", r#"Invalid character(s) found in patch number "3\t""#),
        ("01.2.3", r#"Major number must not contain leading zeroes "01""#),
        ("1.02.3", r#"Minor number must not contain leading zeroes "02""#),
        ("1.2.03", r#"Patch number must not contain leading zeroes "03""#),
        (".2.3", r#"strconv.ParseUint: parsing "": invalid syntax"#),
        ("1.2.-a", r#"strconv.ParseUint: parsing "": invalid syntax"#),
        ("1.18446744073709551616.3", r#"strconv.ParseUint: parsing "18446744073709551616": value out of range"#),
        ("1.2.3-", "Prerelease is empty"),
        ("1.2.3-a..b", "Prerelease is empty"),
        ("1.2.3-01", r#"Numeric PreRelease version must not contain leading zeroes "01""#),
        ("1.2.3-18446744073709551616", r#"strconv.ParseUint: parsing "18446744073709551616": value out of range"#),
        ("1.2.3-a_b", r#"Invalid character(s) found in prerelease "a_b""#),
        ("1.2.3+", "Build meta data is empty"),
        ("1.2.3+a..b", "Build meta data is empty"),
        ("1.2.3+a+b", r#"Invalid character(s) found in build meta data "a+b""#),
        // The prerelease is looked at before the build metadata.
        ("1.2.3-+", "Prerelease is empty"),
    ];
    refuses(&table, Version::parse);
}

#[test]
fn tolerant_mends() {
    for (text, expected) in [
        ("1", "1.0.0"),
        ("v1.2", "1.2.0"),
        ("v01.02.03", "1.2.3"),
        ("1.0.00-alpha", "1.0.0-alpha"),
        (" \u{a0}1.2.3\n", "1.2.3"),
        ("1.0.-1", "1.0.0-1"),
        ("00.000.0", "0.0.0"),
    ] {
        assert_eq!(Version::parse_tolerant(text).unwrap().to_string(), expected, "`{text}`");
    }
}

#[test]
fn tolerant_refuses() {
    let table = [
        ("", r#"strconv.ParseUint: parsing "": invalid syntax"#),
        ("V1.0.0", r#"Invalid character(s) found in major number "0V1""#),
        ("vv1.0.0", r#"Invalid character(s) found in major number "0v1""#),
        ("v 1.0.0", r#"Invalid character(s) found in major number "0 1""#),
        ("1.x", r#"Invalid character(s) found in minor number "x""#),
        ("1.2-alpha", "Short version cannot contain PreRelease/Build meta data"),
        ("1+b", "Short version cannot contain PreRelease/Build meta data"),
        ("1.2.3.4", r#"Invalid character(s) found in patch number "3.4""#),
        ("1.0.0-01", r#"Numeric PreRelease version must not contain leading zeroes "01""#),
    ];
    refuses(&table, Version::parse_tolerant);
}

#[test]
fn order_is_precedence() {
    let ascending = "0.0.0-0 0.0.0-0.0 0.0.0 0.9.0 0.10.0 1.0.0-2 1.0.0-10 1.0.0-10a 1.0.0-Beta 1.0.0-alpha \
                     1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-rc11 1.0.0-rc2 1.0.0 1.0.1-0 18446744073709551615.0.0";
    let versions: Vec<Version> = ascending.split(' ').map(|text| Version::parse(text).unwrap()).collect();
    for (i, a) in versions.iter().enumerate() {
        for (j, b) in versions.iter().enumerate() {
            assert_eq!(a.cmp(b), i.cmp(&j), "{a} and {b}");
        }
    }
}

#[test]
fn build_metadata_does_not_distinguish() {
    let hash = |version: &Version| {
        let mut hasher = DefaultHasher::new();
        version.hash(&mut hasher);
        hasher.finish()
    };
    let versions = ["1.0.0-a", "1.0.0-a+a", "1.0.0-a+b"].map(|text| Version::parse(text).unwrap());
    assert_eq!(versions[0], versions[1]);
    assert_eq!(versions[1], versions[2]);
    assert_eq!(hash(&versions[1]), hash(&versions[2]));
    assert_eq!(BTreeSet::from(versions).len(), 1);
}
