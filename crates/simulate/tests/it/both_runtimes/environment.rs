//! What other operators, other catalogs and chance have to do with an operator.

use super::world::{World, check, want};

const UNSATISFIABLE: &str = "constraints not satisfiable";

#[test]
fn v0_resolves_a_namespace_as_a_whole_and_v1_each_extension_by_itself() {
    let catalog = "stable: 1.0.0 <- 2.0.0\npackage q\nstable: 1.0.0";
    let world = World::new(catalog, &[want("p"), want("q").channel("gone")]);
    check(&world, UNSATISFIABLE, "p.v2.0.0");
    assert_eq!(world.v1("q"), "no bundles found for package \"q\" in channels [gone]");
}

#[test]
fn v0_keeps_two_providers_of_an_api_apart_and_v1_does_not_compare_extensions() {
    let catalog = "stable: 1.0.0\nbundle 1.0.0 (provides g/v1/Cache)\npackage q\nstable: 1.0.0\nbundle 1.0.0 (provides g/v1/Cache)";
    let world = World::new(catalog, &[want("p"), want("q")]);
    check(&world, UNSATISFIABLE, "p.v1.0.0");
    assert_eq!(world.v1("q"), "q.v1.0.0");
}

#[test]
fn a_subscription_names_its_catalog_and_an_extension_fails_unless_priorities_differ() {
    let catalogs = |priority| [("c", 0, "stable: 1.0.0"), ("d", priority, "stable: 2.0.0")];
    let ambiguous = "found bundles for package \"p\" in multiple catalogs with the same priority [c d]";
    check(&World::with_catalogs(&catalogs(0), &[want("p")]), "p.v1.0.0", ambiguous);
    check(&World::with_catalogs(&catalogs(0), &[want("p").catalog("d")]), "p.v2.0.0", ambiguous);
    check(&World::with_catalogs(&catalogs(1), &[want("p")]), "p.v1.0.0", "p.v2.0.0");
    check(&World::with_catalogs(&catalogs(-1), &[want("p")]), "p.v1.0.0", "p.v1.0.0");
    check(&World::with_catalogs(&catalogs(0), &[want("p").selects_its_catalog()]), "p.v1.0.0", "p.v1.0.0");
}

#[test]
fn the_catalog_of_a_dependency_is_chosen_by_v0_where_v1_finds_the_package_ambiguous() {
    let dependant = "package q\nstable: 1.0.0\nbundle 1.0.0 (requires p >=1.0.0)";
    let first = format!("stable: 1.0.0\n{dependant}");
    let catalogs = [("c", 0, &*first), ("d", 0, "stable: 2.0.0")];
    let ambiguous = "found bundles for package \"p\" in multiple catalogs with the same priority [c d]";
    let world = World::with_catalogs(&catalogs, &[want("q")]);
    assert_eq!(world.v0(), "p.v1.0.0, q.v1.0.0", "a dependency is taken from the catalog of its dependant");
    assert_eq!(World::with_catalogs(&catalogs, &[want("p")]).v1("p"), ambiguous);
}

#[test]
fn deprecation_outranks_the_priority_of_catalogs_in_v1_and_counts_nothing_in_v0() {
    let catalogs = [("c", 10, "stable: 2.0.0\ndeprecated 2.0.0"), ("d", 0, "stable: 1.0.0")];
    check(&World::with_catalogs(&catalogs, &[want("p")]), "p.v2.0.0", "p.v1.0.0");
}

#[test]
fn another_broken_catalog_blocks_the_namespace_in_v0_and_each_extension_that_selects_it_in_v1() {
    let catalogs = [("c", 0, "stable: 1.0.0"), ("other", 0, "package q\nstable: 1.0.0")];
    let v0 = "error using catalogsource olm/other: failed to list bundles";
    let v1 = "error walking catalogs: error getting package \"p\" from catalog \"other\": catalog \"other\" is not being served";
    let all = World::with_catalogs(&catalogs, &[want("p")]).without_server("other");
    assert!(all.v0().starts_with(v0), "{}", all.v0());
    assert_eq!(all.v1("p"), v1);
    // A Subscription names its catalog, which does not help.
    let selected = World::with_catalogs(&catalogs, &[want("p").selects_its_catalog()]).without_server("other");
    assert!(selected.v0().starts_with(v0), "{}", selected.v0());
    assert_eq!(selected.v1("p"), "p.v1.0.0");
}

#[test]
fn v0_has_two_outcomes_where_updates_exclude_each_other_and_v1_one() {
    let package = |name: &str| format!("package {name}\nstable: 1.0.0 <- 2.0.0\nbundle 2.0.0 (provides g/v1/Cache)\n");
    let catalog = package("p") + &package("q");
    let world = World::new(catalog.trim(), &[want("p").installed("1.0.0"), want("q").installed("1.0.0")]);
    let outcomes = world.v0_outcomes();
    assert_eq!(outcomes.iter().map(String::as_str).collect::<Vec<_>>(), ["p.v2.0.0", "q.v2.0.0"]);
    assert_eq!((world.v1("p"), world.v1("q")), ("p.v2.0.0".to_owned(), "q.v2.0.0".to_owned()));
}
