//! Properties of parsing and matching over generated input.

use go_semver::{
    blang::Version,
    masterminds::{Constraints, is_accepted_by_api},
};
use proptest::prelude::*;

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
