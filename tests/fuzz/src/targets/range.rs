//! A range on the first line, versions on the others.

use super::text::text;
use go_semver::blang::{Range, Version, quirks};

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let (range, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let found = quirks(range);
    assert_eq!(found, quirks(range), "looked at twice");
    let Ok(parsed) = Range::parse(range) else { return };
    assert!(parsed.groups().len() > 0);
    let lowest = parsed.lowest();
    assert_eq!(parsed.never_matches(), lowest.is_none());
    if let Some(lowest) = &lowest {
        assert_eq!(parsed.matches(lowest), Ok(true), "{lowest} is the lowest of {range:?}");
    }
    let mut versions: Vec<Version> = rest.lines().take(50).filter_map(|line| Version::parse(line).ok()).collect();
    versions.sort();
    for version in &versions {
        if parsed.matches(version) == Ok(true) {
            assert!(lowest.as_ref().is_some_and(|lowest| lowest <= version), "{version} is below the lowest");
        }
        above(&parsed, version);
    }
    runs(&parsed, &versions);
    normalised(&parsed, &versions);
}

fn above(range: &Range, version: &Version) {
    if let Some(above) = range.lowest_above(version) {
        assert!(above > *version, "{above} is not above {version}");
        assert_eq!(range.matches(&above), Ok(true), "{above} is above {version}");
    }
}

fn runs(range: &Range, versions: &[Version]) {
    let runs = range.runs(versions);
    for (at, version) in versions.iter().enumerate() {
        let is_in_run = runs.iter().any(|run| run.contains(&at));
        assert_eq!(is_in_run, range.matches(version) == Ok(true), "{version} in {runs:?}");
    }
}

/// The normalised text means the same, unless it cannot be parsed: one with an `x` in a pre-release cannot.
fn normalised(range: &Range, versions: &[Version]) {
    let written = range.normalised();
    let Ok(again) = Range::parse(&written) else {
        let has_x = range.groups().flatten().any(|comparator| comparator.version.to_string().contains('x'));
        let is_empty = range.groups().any(<[_]>::is_empty);
        assert!(has_x || is_empty, "{written:?} cannot be read");
        return;
    };
    for version in versions {
        assert_eq!(range.matches(version), again.matches(version), "{version} in {written:?}");
    }
}
