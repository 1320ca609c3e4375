//! Properties of parsing and analysis over generated input.

use go_semver::blang::{Range, Version};
use proptest::prelude::*;

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
