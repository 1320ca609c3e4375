//! Versions and ranges of blang/semver.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use go_semver::blang::{Comparator, Op, Range, Version};
use proptest::prelude::*;
use serde_json::Value;

// Version parsing and order, from blang/semver v4.0.0 `semver.go` and runs of it.

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

// Ranges against blang/semver v4.0.0 itself: recorded verdicts and error texts, and the tricky ones by hand.
//
// `ranges.jsonl` was recorded by running blang/semver v4.0.0 (Go) on 3000 generated ranges. A row is
// `{"range", "match": {version: true | false | "panic"}}` or `{"range", "error"}`.

fn verdict(range: &Range, version: &str) -> Value {
    match range.matches(&Version::parse(version).expect("a strict version")) {
        Ok(verdict) => Value::Bool(verdict),
        Err(_) => Value::from("panic"),
    }
}

#[test]
fn agrees_with_recorded_rows() {
    let rows: Vec<Value> =
        include_str!("../ranges.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3000);
    for row in &rows {
        let text = row["range"].as_str().unwrap();
        match (Range::parse(text), row["match"].as_object()) {
            (Ok(range), Some(expected)) => {
                for (version, expected) in expected {
                    assert_eq!(verdict(&range, version), *expected, "{version} in `{text}`");
                }
            }
            (Err(error), None) => assert_eq!(error.to_string(), row["error"].as_str().unwrap()),
            (ours, _) => panic!("`{text}`: {ours:?}, expected {row}"),
        }
    }
}

/// Checks the text after expansion, or the error text.
#[track_caller]
fn check(texts: &[&str], expected: Result<&str, &str>) {
    for text in texts {
        let ours = Range::parse(text).map(|range| range.normalised()).map_err(|error| error.to_string());
        assert_eq!(ours.as_deref().map_err(String::as_str), expected, "`{text}`");
    }
}

#[test]
fn one_byte_tokens_are_lost() {
    check(&["", " ", "1", "x", "*", "X"], Err("Last element in range is '||'"));
    check(&[">=1.0.0 & <2.0.0"], Ok(">=1.0.0 <2.0.0"));
    check(&[">=1.0.0 x", ">=1.0.0 1"], Ok(">=1.0.0"));
    check(&["! 1.0.0"], Ok("=1.0.0"));
    check(&["1.0.0 - 2.0.0", "1.0.0 | 2.0.0"], Ok("=1.0.0 =2.0.0"));
}

#[test]
fn operators() {
    check(&["1.0.0", "=1.0.0", "==1.0.0", "= = 1.0.0"], Ok("=1.0.0"));
    check(&["!1.0.0", "!=1.0.0", "!= 1.0.0"], Ok("!=1.0.0"));
    check(&["> = 1.0.0", ">=   1.0.0", ">=\t1.0.0", "\t>=1.0.0", " >=1.0.0 "], Ok(">=1.0.0"));
    for op in ["===", "=>", "=<", "<>", "v", ">=v", "~", "^", "~>", "("] {
        let token = format!("{op}1.0.0");
        let error = format!("Could not parse Range {token:?}: Could not parse comparator {op:?} in {token:?}");
        check(&[&token], Err(&error));
    }
    check(&[">=1.0.0 && <2.0.0"], Err(r#"Could not get version from string: "&&""#));
}

#[test]
fn versions_are_strict() {
    let bare =
        r#"Could not parse Range "1.0": Could not parse version "1.0" in "1.0": No Major.Minor.Patch elements found"#;
    check(&["1.0"], Err(bare));
    let zeros = r#"Could not parse Range ">=01.0.0": Could not parse version "01.0.0" in ">=01.0.0": Major number must not contain leading zeroes "01""#;
    check(&[">=01.0.0"], Err(zeros));
    let comma = r#"Could not parse Range ">=1.0.0,<2.0.0": Could not parse version "1.0.0,<2.0.0" in ">=1.0.0,<2.0.0": Invalid character(s) found in patch number "0,<2.0.0""#;
    check(&[">=1.0.0,<2.0.0"], Err(comma));
    let line = r#"Could not parse Range ">=1.0.0\n": Could not parse version "1.0.0\n" in ">=1.0.0\n": Invalid character(s) found in patch number "0\n""#;
    check(&[">=1.0.0\n"], Err(line));
    let wide = r#"Could not parse Range "１.0.0": Could not parse version "１.0.0" in "１.0.0": Invalid character(s) found in major number "１""#;
    check(&["１.0.0"], Err(wide));
}

#[test]
fn alternatives() {
    check(&["1.0.0 || 2.0.0"], Ok("=1.0.0 || =2.0.0"));
    check(&["|| 1.0.0"], Err("First element in range is '||'"));
    check(&["1.0.0 ||", "1.0.0 || x"], Err("Last element in range is '||'"));
    check(&["1.0.0 || || 2.0.0", "1.0.0 || x || 2.0.0"], Ok("=1.0.0 || || =2.0.0"));
    check(&["1.0.0 || || || 2.0.0"], Ok("=1.0.0 || || || =2.0.0"));
    for text in ["1.0.0||2.0.0", "1.0.0||", "1.0.0 ||2.0.0"] {
        assert!(Range::parse(text).is_err(), "`{text}`");
    }
    let crashing = Range::parse("1.0.0 || || 2.0.0").unwrap();
    assert_eq!(verdict(&crashing, "1.0.0+b"), Value::Bool(true));
    assert_eq!(verdict(&crashing, "2.0.0"), Value::from("panic"));
}

#[test]
fn wildcards() {
    check(&["1.x", "=1.x", "==1.x"], Ok(">=1.0.0 <2.0.0"));
    check(&["1.0.x", "1.x.x"], Ok(">=1.0.0 <1.1.0"));
    check(&[">1.x"], Ok(">=2.0.0"));
    check(&[">=1.x"], Ok(">=1.0.0"));
    check(&["<1.x"], Ok("<1.0.0"));
    check(&["<=1.x"], Ok("<2.0.0"));
    check(&[">1.0.x"], Ok(">=1.1.0"));
    check(&["<=1.0.x"], Ok("<1.1.0"));
    check(&["!1.0.x"], Ok("<1.0.0 >=1.1.0"));
    check(&["!=1.x"], Ok("<1.0.0 >=2.0.0"));
    check(&["~1.2.x"], Ok("=1.2.0"));
    check(&["^1.x", "v1.x", "x.1.0.0"], Ok("=1.0.0"));
    check(&[">=1.x.3"], Ok(">=1.0.3"));
    check(&["1.x.3", "1.0.0-next.1", "<=1.0.0-next.1"], Err(r#"Could not get version from string: "<""#));
    check(&[">1.0.0-fix"], Err(r#"Could not get version from string: ">=""#));
    check(&["x.x.x"], Err(r#"Could not get version from string: "x.x.x""#));
    check(&[">=1.0.0-alpha.x"], Ok(">=1.0.0-alpha.0"));
    check(&[">=1.0.0-next.1"], Ok(">=1.0.0-next.1"));
    let wrapped = r#"Could not parse Range "<-9223372036854775808.0.0": Could not parse comparator "<-" in "<-9223372036854775808.0.0""#;
    check(&["<=9223372036854775807.x"], Err(wrapped));
    check(&["<=9223372036854775808.x"], Err(r#"Could not get version from string: "<""#));
}

#[test]
fn matching_is_plain_ordering() {
    for (text, version, expected) in [
        ("<1.0.0", "1.0.0-alpha", true),
        (">1.0.0", "1.1.0-rc.1", true),
        (">=1.0.0", "1.0.0-alpha", false),
        (">=1.0.0-0 <2.0.0-0", "1.1.0-rc.1", true),
        (">=1.0.0-0 <2.0.0-0", "2.0.0-rc.1", false),
        ("1.0.0+b2", "1.0.0+b1", true),
        (">1.0.0+aaa", "1.0.0+b", false),
        ("1.x", "2.0.0-rc.1", true),
        ("1.x", "1.0.0-alpha", false),
    ] {
        assert_eq!(verdict(&Range::parse(text).unwrap(), version), Value::Bool(expected), "{version} in `{text}`");
    }
}

#[test]
fn groups_are_data() {
    let range = Range::parse("<1.0.x 2.0.0 || !3.0.0").unwrap();
    let comparator = |op, version| Comparator { op, version };
    let groups: Vec<&[Comparator]> = range.groups().collect();
    assert_eq!(groups.len(), 2);
    assert_eq!(groups[0], [comparator(Op::Lt, Version::new(1, 0, 0)), comparator(Op::Eq, Version::new(2, 0, 0))]);
    assert_eq!(groups[1], [comparator(Op::Ne, Version::new(3, 0, 0))]);
}

#[test]
fn least_match() {
    for (text, lowest) in [
        ("<1.0.3", Some("0.0.0-0")),
        ("!=0.0.0-0", Some("0.0.0-0.0")),
        (">=2.0.0 || >1.0.0 !=1.0.1-0", Some("1.0.1-0.0")),
        (">1.0.0-alpha <=1.0.0-alpha.0", Some("1.0.0-alpha.0")),
        (">1.0.0-alpha <1.0.0-alpha.0", None),
        (">1.0.0 <1.0.1-0", None),
        ("<0.0.0-0", None),
        (">=1.0.0 <=1.0.0 !=1.0.0+b", None),
        ("!=1.x", None),
        ("1.0.0 - 2.0.0", None),
        (">1.2.18446744073709551615", Some("1.3.0-0")),
        (">18446744073709551615.18446744073709551615.18446744073709551615", None),
        (">18446744073709551615.18446744073709551615.18446744073709551615 >=1.0.0", None),
        ("!=1.x || || >=1.0.0", None),
    ] {
        let range = Range::parse(text).unwrap();
        assert_eq!(range.lowest().map(|version| version.to_string()).as_deref(), lowest, "`{text}`");
        assert_eq!(range.never_matches(), lowest.is_none(), "`{text}`");
    }
}

#[test]
fn unbounded_below() {
    for text in ["<1.0.3", "<=1.x", ">=2.0.0 || <1.0.0 !=0.5.0", "!=1.0.0", "!=0.0.0-0", ">=0.0.0-0 <1.0.3"] {
        assert!(Range::parse(text).unwrap().unbounded_below(), "`{text}`");
    }
    for text in [">=0.0.0 <1.0.3", "1.0.0", "<1.0.0 >0.1.0", "<1.0.0 =2.0.0", "<0.0.0-0", "!=1.x", "2.0.0 || || <1.0.0"]
    {
        assert!(!Range::parse(text).unwrap().unbounded_below(), "`{text}`");
    }
}

// Properties of parsing and analysis over generated input.

/// Text with the characters the grammar cares about, more often than chance would have it.
fn range_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("||"),
        Just(" "),
        Just("  "),
        Just(">="),
        Just("<"),
        Just("="),
        Just("!"),
        Just("x"),
        Just(".x"),
        Just("."),
        Just("-"),
        Just("+"),
        Just("0"),
        Just("1.0.0"),
        Just("9223372036854775807"),
        Just("é"),
        Just("\u{661}"),
        Just("\t"),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Versions from a domain so small that bounds, holes and direct neighbours collide.
fn version() -> impl Strategy<Value = String> {
    ((0..2u64, 0..2u64), prop::sample::select(vec!["", "-0", "-0.0", "-0.0.0", "-a", "-a.0", "-b"]))
        .prop_map(|((minor, patch), pre)| format!("0.{minor}.{patch}{pre}"))
}

fn range() -> impl Strategy<Value = String> {
    let operator = prop::sample::select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let comparator = (operator, version()).prop_map(|(op, version)| format!("{op}{version}"));
    let group = prop::collection::vec(comparator, 1..5).prop_map(|words| words.join(" "));
    prop::collection::vec(group, 1..3).prop_map(|groups| groups.join(" || "))
}

proptest! {
    #[test]
    fn parsing_never_panics(text in any::<String>(), like in range_like()) {
        for text in [text, like] {
            let version = Version::parse(&text).is_ok();
            prop_assert!(!version || Version::parse_tolerant(&text).is_ok());
            if let Ok(range) = Range::parse(&text) {
                prop_assert!(range.groups().len() > 0);
                prop_assert_eq!(range.never_matches(), range.lowest().is_none());
            }
        }
    }

    #[test]
    fn normalised_text_means_the_same(text in range()) {
        let range = Range::parse(&text).unwrap();
        prop_assert_eq!(Range::parse(&range.normalised()), Ok(range));
    }

    #[test]
    fn lowest_matches_and_nothing_below_does(text in range(), samples in prop::collection::vec(version(), 8)) {
        let range = Range::parse(&text).unwrap();
        let lowest = range.lowest();
        if let Some(lowest) = &lowest {
            prop_assert_eq!(range.matches(lowest), Ok(true), "{} in {}", lowest, text);
        }
        for sample in samples {
            let sample = Version::parse(&sample).unwrap();
            if range.matches(&sample) == Ok(true) {
                prop_assert!(lowest.as_ref().is_some_and(|lowest| *lowest <= sample), "{} in {}", sample, text);
            }
        }
    }
}
