//! How operator-controller decides between catalogs.

use std::collections::BTreeMap;

use catalog::Catalog;
use cluster::{Availability, ClusterCatalog, ClusterExtension, NAME_LABEL, Selector};
use extension::{CatalogState, DropReason, ResolveError, SkipReason, resolve};

use crate::world::{With, answer_of, bundle, dropped, extension, read, shown};

fn deprecated(version: &str) -> Catalog {
    read(&format!("bundle {version}\ndeprecated {version}"))
}

#[track_caller]
fn check(catalogs: &[(&str, i32, Catalog)], expected: &str) {
    assert_eq!(shown(&answer_of(&extension(), catalogs)), expected);
    let reversed: Vec<(&str, i32, Catalog)> = catalogs.iter().rev().cloned().collect();
    assert_eq!(answer_of(&extension(), &reversed), answer_of(&extension(), catalogs), "the order does not matter");
}

#[test]
fn the_highest_priority_wins_over_the_highest_version() {
    check(&[("a", 1, bundle("1.0.0")), ("b", 0, bundle("1.1.0"))], "1.0.0");
    check(&[("a", -5, bundle("1.0.0")), ("b", 0, bundle("1.1.0")), ("c", -1, bundle("2.0.0"))], "1.1.0");
}

#[test]
fn equal_priorities_are_ambiguous() {
    let error =
        |names: &str| format!("found bundles for package \"p\" in multiple catalogs with the same priority [{names}]");
    check(&[("z", 0, bundle("1.0.0")), ("a", 0, bundle("2.0.0"))], &error("a z"));
    // The same version in both does not help.
    check(&[("a", 0, bundle("1.0.0")), ("b", 0, bundle("1.0.0"))], &error("a b"));
}

#[test]
fn the_text_lists_catalogs_of_lower_priority_too() {
    let catalogs = [("a", 1, bundle("1.0.0")), ("b", 0, bundle("2.0.0")), ("c", 1, bundle("3.0.0"))];
    check(&catalogs, "found bundles for package \"p\" in multiple catalogs with the same priority [a b c]");
    let found = answer_of(&extension(), &catalogs);
    assert_eq!(dropped(&found, "1.0.0"), Some(DropReason::Ambiguous));
    assert_eq!(dropped(&found, "2.0.0"), Some(DropReason::LowerPriority { preferred: "a".into() }));
    assert_eq!(dropped(&found, "3.0.0"), Some(DropReason::Ambiguous));
}

#[test]
fn deprecation_outranks_priority() {
    let catalogs = [("a", 10, deprecated("2.0.0")), ("b", 0, bundle("1.0.0"))];
    check(&catalogs, "1.0.0");
    let reason = dropped(&answer_of(&extension(), &catalogs), "2.0.0");
    assert_eq!(reason, Some(DropReason::DeprecatedInCatalog { preferred: "b".into() }));
    check(&[("a", 0, bundle("1.0.0")), ("b", 10, deprecated("2.0.0"))], "1.0.0");
}

#[test]
fn all_catalogs_but_one_are_deprecated() {
    let two = [("b", 0, deprecated("1.0.0")), ("c", 0, deprecated("1.0.1"))];
    check(&two, "found bundles for package \"p\" in multiple catalogs with the same priority [b c]");
    let clean = [("d", 0, bundle("0.1.0")), ("f", 0, bundle("0.2.0"))];
    check(
        &[two.clone(), clean.clone()].concat(),
        "found bundles for package \"p\" in multiple catalogs with the same priority [d f]",
    );
    check(&[&two[..], &clean[..1]].concat(), "0.1.0");
}

#[test]
fn only_the_winner_is_checked_for_dependencies() {
    let refused = read("bundle 2.0.0 (property olm.constraint {})");
    check(&[("a", 0, refused.clone()), ("b", 1, bundle("1.0.0"))], "1.0.0");
    let found = answer_of(&extension(), &[("a", 1, refused), ("b", 0, bundle("1.0.0"))]);
    assert!(matches!(found.outcome, Err(ResolveError::Dependency { .. })));
    assert_eq!(dropped(&found, "1.0.0"), Some(DropReason::LowerPriority { preferred: "a".into() }));
}

#[test]
fn shown_deprecations_are_those_of_the_last_candidate() {
    let catalogs = |low: &'static str, high: &'static str| {
        [
            (low, 0, read("bundle 2.0.0\nbundle 1.0.0\ndeprecated 1.0.0")),
            (high, 1, read("bundle 2.0.0\nbundle 1.5.0\ndeprecated 1.5.0")),
        ]
    };
    let deprecations = |low, high| {
        let resolved = answer_of(&extension(), &catalogs(low, high)).outcome.unwrap();
        assert_eq!(resolved.catalog.as_str(), high);
        let names: Vec<String> =
            resolved.deprecations.iter().filter_map(|one| one.target.name().map(str::to_owned)).collect();
        names.join(" ")
    };
    assert_eq!(deprecations("a", "b"), "p.v1.5.0");
    assert_eq!(deprecations("b", "a"), "p.v1.0.0");
}

/// Resolves with catalogs `a`, labelled with a tier, and `b`.
fn with_objects(extension: &ClusterExtension, a: ClusterCatalog, b_is_served: bool) -> extension::Resolution {
    let b = ClusterCatalog { priority: 1, ..ClusterCatalog::new("b".into()) };
    let (of_a, of_b) = (bundle("1.0.0"), bundle("2.0.0"));
    let states = [
        CatalogState { object: &a, content: Some(&of_a) },
        CatalogState { object: &b, content: b_is_served.then_some(&of_b) },
    ];
    resolve(extension, &states)
}

fn labelled() -> ClusterCatalog {
    ClusterCatalog { labels: BTreeMap::from([("tier".into(), "gold".into())]), ..ClusterCatalog::new("a".into()) }
}

fn selecting(key: &str, value: &str) -> ClusterExtension {
    let selector = Selector { match_labels: BTreeMap::from([(key.into(), value.into())]), ..Selector::default() };
    ClusterExtension { selector, ..extension() }
}

#[test]
fn a_selector_chooses_catalogs() {
    assert_eq!(shown(&with_objects(&extension(), labelled(), true)), "2.0.0");
    let selected = with_objects(&selecting("tier", "gold"), labelled(), true);
    assert_eq!(shown(&selected), "1.0.0");
    assert_eq!(selected.skipped, [("b".into(), SkipReason::NotSelected)]);
    assert_eq!(shown(&with_objects(&selecting(NAME_LABEL, "a"), labelled(), true)), "1.0.0");
    assert_eq!(
        shown(&with_objects(&selecting("tier", "iron"), labelled(), true)),
        "no bundles found for package \"p\""
    );
}

#[test]
fn an_unavailable_catalog_does_not_count() {
    let a = ClusterCatalog { availability: Availability::Unavailable, ..labelled() };
    let found = with_objects(&selecting("tier", "gold"), a.clone(), true);
    assert_eq!(shown(&found), "no bundles found for package \"p\"");
    assert!(found.skipped.contains(&("a".into(), SkipReason::Unavailable)));
    assert_eq!(shown(&with_objects(&extension(), a, true)), "2.0.0");
}

#[test]
fn a_selected_catalog_that_is_not_served_blocks_the_extension() {
    let error =
        "error walking catalogs: error getting package \"q\" from catalog \"b\": catalog \"b\" is not being served";
    let other = ClusterExtension { package: "q".into(), ..extension() };
    assert_eq!(shown(&with_objects(&other, labelled(), false)), error);
    let selecting = selecting("tier", "gold");
    assert_eq!(shown(&with_objects(&selecting, labelled(), false)), "1.0.0");
}

#[test]
fn a_range_applies_to_every_catalog() {
    let catalogs = [("a", 0, bundle("1.0.0")), ("b", 1, bundle("2.0.0"))];
    assert_eq!(shown(&answer_of(&extension().version("<2"), &catalogs)), "1.0.0");
}
