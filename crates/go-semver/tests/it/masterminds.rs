//! Versions and constraints of Masterminds/semver.

use go_semver::blang::Version;
use go_semver::masterminds::{Constraints, is_accepted_by_api};
use proptest::prelude::*;

// The statements that the documentation of the API and the code of the library make about constraints, by hand.

/// Checks which of some versions match.
#[track_caller]
fn check(text: &str, matching: &str, others: &str) {
    let constraints = Constraints::parse(text).expect("a constraint");
    let matches = |version: &&str| constraints.matches(&Version::parse(version).expect("a strict version"));
    assert_eq!(matching.split_whitespace().find(|version| !matches(version)), None, "`{text}` should match");
    assert_eq!(others.split_whitespace().find(matches), None, "`{text}` should not match");
}

#[track_caller]
fn check_error(texts: &[&str], expected: &str) {
    for text in texts {
        let error = Constraints::parse(text).expect_err(text).to_string();
        assert_eq!(error, expected.replace("{}", text), "`{text}`");
    }
}

#[test]
fn missing_numbers_are_wildcards() {
    for text in ["1.2", "=1.2", "1.2.x", "1.2.X", "1.2.*", "~1.2", "~>1.2", "v1.2", ">=1.2 <1.3"] {
        check(text, "1.2.0 1.2.9", "1.1.9 1.3.0 1.2.3-rc.1");
    }
    for text in ["1", "1.x", "1.*.*", "1.x.5", "^1", "~1"] {
        check(text, "1.0.0 1.9.9", "0.9.9 2.0.0");
    }
    for text in ["*", "x", "X", "x.1.2", ">=0", "~*"] {
        check(text, "0.0.0 7.1.2", "7.0.0-rc.1");
    }
}

#[test]
fn comparisons_with_missing_numbers() {
    check(">1", "2.0.0 2.1.0", "1.0.0 1.9.9");
    check(">1.2", "1.3.0 2.0.0", "1.2.0 1.2.9");
    check("<=1", "0.1.0 1.9.9", "2.0.0");
    check("<=1.2", "0.1.0 1.2.9", "1.3.0");
    check("<1.2", "1.1.9", "1.2.0");
    check("!=1", "0.9.0 2.0.0", "1.0.0 1.9.9");
    check("!=1.2", "1.1.0 1.3.0", "1.2.0 1.2.9");
    check("!=*", "0.0.1 1.0.0", "0.0.0");
    check("<=*", "0.0.0 0.0.9", "0.1.0 1.0.0");
}

#[test]
fn tilde_and_caret() {
    check("~1.2.3", "1.2.3 1.2.9", "1.2.2 1.3.0");
    check("~0.0.0", "0.0.0 9.9.9", "");
    check("^1.2.3", "1.2.3 1.9.9", "1.2.2 2.0.0");
    check("^0.2.3", "0.2.3 0.2.9", "0.2.2 0.3.0");
    check("^0.2", "0.2.0 0.2.9", "0.1.9 0.3.0");
    check("^0.0.3", "0.0.3", "0.0.2 0.0.4 0.1.0");
    check("^0.0", "0.0.0 0.0.9", "0.1.0");
    check("^0", "0.0.0 0.9.9", "1.0.0");
    check("^*", "0.0.0", "0.0.1 1.0.0");
}

#[test]
fn hyphen_ranges() {
    check("1.0.0 - 2.0.0", "1.0.0 2.0.0", "0.9.9 2.0.1");
    check("1 - 2", "1.0.0 2.9.9", "0.9.9 3.0.0");
    check("1.0.0  -  1.5.0 || 3.0.0 - 3.1.0 !=3.0.5", "1.2.0 3.0.4 3.1.0", "2.0.0 3.0.5");
    check("1.0.0-0 - 2.0.0", "1.0.0-alpha 2.0.0-rc.1", "2.0.1-0");
    // Without blanks it is a prerelease, and an operator before it is not part of it.
    check("1.0.0-2.0.0", "1.0.0-2.0.0", "1.0.0 2.0.0");
    check_error(&[">=1.0.0 - 2.0.0"], "improper constraint: >=>= 1.0.0, <= 2.0.0 ");
    // A version in the middle of a word is one too.
    check_error(&["1.2.3.4 - 5"], "improper constraint: 1.>= 2.3.4, <= 5 ");
    check_error(&["1.0.0 -2.0.0", "1.0.0- 2.0.0", "- 2.0.0", "1.0.0 - "], "improper constraint: {}");
}

#[test]
fn prereleases_match_in_alternatives_that_have_one() {
    check(">=1.0.0-0", "1.0.0-alpha 1.0.0 2.0.0-rc.1", "0.9.9");
    check(">=1.0.0 <2.0.0-0", "1.2.3-rc.1", "1.0.0-alpha 2.0.0-alpha");
    check(">=1.0.0 || >=3.0.0-0", "3.0.0-alpha 1.0.0", "1.1.0-alpha");
    check("!=1.2.3", "1.2.4", "1.2.3 1.2.4-rc.1");
    check(">=1.0.0-alpha.2", "1.0.0-alpha.10 1.0.0-alpha.b", "1.0.0-alpha.1 1.0.0-alpha");
    check(">1.0.0-99999999999999999999", "1.0.0-a", "1.0.0-5");
    let left_out = |text: &str, version: &str| {
        Constraints::parse(text).unwrap().leaves_out_prerelease(&Version::parse(version).unwrap())
    };
    assert!(left_out("<2.0.0", "2.0.0-rc.1") && left_out("*", "1.0.0-a"));
    assert!(!left_out("<2.0.0", "1.0.0") && !left_out("<2.0.0", "2.1.0-a") && !left_out("*-0", "1.0.0-a"));
}

#[test]
fn build_metadata_does_not_count() {
    for text in ["1.2.3", "1.2.3+1", "=1.2.3+9"] {
        check(text, "1.2.3 1.2.3+1 1.2.3+2", "1.2.4+1");
    }
}

#[test]
fn separators() {
    for text in [">=1.0.0 <2.0.0", ">=1.0.0,<2.0.0", ">= 1.0.0 , < 2.0.0", " >=1.0.0\t<2.0.0 ", ">=1 <2||>=1 <2"] {
        check(text, "1.0.0 1.9.9", "0.9.9 2.0.0");
    }
    check_error(
        &["", " ", ">=1.0.0<2.0.0", ">=1.0.0,,<2.0.0", ",1.0.0", "1.0.0,", ">=1.0.0 && <2.0.0", "1.0.0; 2.0.0"],
        "improper constraint: {}",
    );
    check_error(
        &["==1.0.0", "= =1.0.0", "> =1.0.0", "latest", "1.2.3.4", "1.0.0-", "1.0.0\u{b}"],
        "improper constraint: {}",
    );
    assert_eq!(Constraints::parse("1.0.0 || ").unwrap_err().to_string(), "improper constraint:  ");
    assert_eq!(Constraints::parse("1.0.0 || || a").unwrap_err().to_string(), "improper constraint:  ");
}

#[test]
fn versions_that_only_the_grammar_accepts() {
    check_error(&["|", "1x", "1|2", "18446744073709551616", "1.0.0-01", "1.1x.0"], "constraint parser error");
    check("01.02.03", "1.2.3", "1.2.4");
    check("18446744073709551615", "18446744073709551615.0.1", "1.0.0");
}

#[test]
fn long_texts_are_refused() {
    let text = "1-".repeat(300);
    let error = Constraints::parse(&text).unwrap_err();
    assert_eq!(error.to_string(), "constraint string is too long (max 512 bytes)");
}

#[test]
fn the_api_is_narrower_than_the_library() {
    for text in ["1.2.3", "<1", "~>2.3", "=<2", "^0 || ^3 || ^5", ">=1.0.0||^3", "1.0.0-a.b+c", "1.x.*", "* 1.x"] {
        assert!(is_accepted_by_api(text) && Constraints::parse(text).is_ok(), "`{text}`");
    }
    for text in ["1.0.0 - 2.0.0", "01.2.3", "1.*.*", ">=1.0.0 || *", ">=1.0.0 || 1.2.*"] {
        assert!(!is_accepted_by_api(text) && Constraints::parse(text).is_ok(), "`{text}`");
    }
    let refused_by_both = "==1.0.0 =!1.0.0 !1.0.0 <<1.0.0 >~1.0.0 1.0.0;2.0.0 1..0 .1.0.0 1.0.-3 1.Y";
    for text in refused_by_both.split(' ').chain(["", "1.0.0 && 2.0.0"]) {
        assert!(!is_accepted_by_api(text) && Constraints::parse(text).is_err(), "`{text}`");
    }
    // The misplaced brackets of the pattern.
    for text in ["1.*]", "1.0.0 *]"] {
        assert!(is_accepted_by_api(text) && Constraints::parse(text).is_err(), "`{text}`");
    }
}

#[test]
fn constraints_are_shown_in_one_form() {
    let shown = |text: &str| Constraints::parse(text).unwrap().to_string();
    assert_eq!(shown(">= 1,<2.0.0||~>1.2.3-rc.1 =>v3"), ">=1.x <2.0.0 || ~1.2.3-rc.1 >=3.x");
    assert_eq!(shown("1.0.0 - *"), ">=1.0.0 <=x");
}

// Constraints as Masterminds/semver and the pattern of the CustomResourceDefinition took them when they were run for
// operator-controller `df2c201d`.

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

// Properties of parsing and matching over generated input.

/// Text with the characters that the grammar cares about, more often than chance would have it.
fn range_like() -> impl Strategy<Value = String> {
    let pieces =
        ["||", " ", ",", " - ", ">=", "<", "=", "!=", "~", "^", "x", "*", ".", "-", "+", "0", "1.0", "v", "|", "é"];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..12).prop_map(|pieces| pieces.concat())
}

fn version() -> impl Strategy<Value = String> {
    let suffix = prop::sample::select(vec!["", "-0", "-a", "-a.1", "+b"]);
    ((0..3u64, 0..3u64, 0..3u64), suffix).prop_map(|((a, b, c), suffix)| format!("{a}.{b}.{c}{suffix}"))
}

/// A comparator, with fewer than three numbers now and then.
fn comparator() -> impl Strategy<Value = String> {
    let operator = prop::sample::select(vec!["", "=", "!=", ">", ">=", "<", "<=", "~", "^"]);
    let short =
        (0..3u64, 0..3u64).prop_flat_map(|(a, b)| prop::sample::select(vec![format!("{a}"), format!("{a}.{b}")]));
    (operator, prop_oneof![version(), short]).prop_map(|(operator, version)| format!("{operator}{version}"))
}

proptest! {
    #[test]
    fn parsing_never_panics(text in any::<String>(), like in range_like()) {
        for text in [text, like] {
            let _accepted: bool = is_accepted_by_api(&text);
            if let Ok(constraints) = Constraints::parse(&text) {
                prop_assert!(constraints.groups().len() > 0);
            }
        }
    }

    #[test]
    fn the_shown_form_means_the_same(
        texts in prop::collection::vec(prop::collection::vec(comparator(), 1..3), 1..3),
        version in version(),
    ) {
        let text = texts.iter().map(|group| group.join(" ")).collect::<Vec<_>>().join(" || ");
        let constraints = Constraints::parse(&text).unwrap();
        let version = Version::parse(&version).unwrap();
        prop_assert_eq!(&Constraints::parse(&constraints.to_string()), &Ok(constraints.clone()));
        // `and` and `or` are those of the single comparators, apart from prereleases.
        if version.pre().is_empty() {
            let single = |text: &String| Constraints::parse(text).unwrap().matches(&version);
            let expected = texts.iter().any(|group| group.iter().all(single));
            prop_assert_eq!(constraints.matches(&version), expected);
        }
        // Build metadata does not count.
        let rebuilt = Version::parse(&format!("{}+x", version.to_string().split('+').next().unwrap())).unwrap();
        prop_assert_eq!(constraints.matches(&version), constraints.matches(&rebuilt));
    }
}
