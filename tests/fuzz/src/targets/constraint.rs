//! A version constraint of OLM v1 on the first line, versions on the others.

use super::text::text;
use go_semver::{
    blang::Version,
    masterminds::{Constraints, is_accepted_by_api},
};

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let (constraint, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let accepted = is_accepted_by_api(constraint);
    assert_eq!(accepted, is_accepted_by_api(constraint), "looked at twice");
    let Ok(parsed) = Constraints::parse(constraint) else { return };
    assert!(parsed.groups().len() > 0);
    let shown = parsed.to_string();
    // The shown form may be longer than the text: a wildcard has three numbers.
    let again = Constraints::parse(&shown).ok();
    for version in rest.lines().take(50).filter_map(|line| Version::parse(line).ok()) {
        let matches = parsed.matches(&version);
        assert_eq!(matches, parsed.groups().any(|group| group.matches(&version)), "{version} in {shown}");
        assert!(!(matches && parsed.leaves_out_prerelease(&version)), "{version} in {shown}");
        if let Some(again) = &again {
            assert_eq!(matches, again.matches(&version), "{version} in {shown}, which was {constraint:?}");
        }
    }
}
