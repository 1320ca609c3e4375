//! Ranges against blang/semver v4.0.0 itself: recorded verdicts and error texts, and the tricky ones by hand.
//!
//! `ranges.jsonl` was recorded by running blang/semver v4.0.0 (Go) on 3000 generated ranges. A row is
//! `{"range", "match": {version: true | false | "panic"}}` or `{"range", "error"}`.

use go_semver::blang::{Comparator, Op, Range, Version};
use serde_json::Value;

fn verdict(range: &Range, version: &str) -> Value {
    match range.matches(&Version::parse(version).expect("a strict version")) {
        Ok(verdict) => Value::Bool(verdict),
        Err(_) => Value::from("panic"),
    }
}

#[test]
fn agrees_with_recorded_rows() {
    let rows: Vec<Value> =
        include_str!("../../ranges.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
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
