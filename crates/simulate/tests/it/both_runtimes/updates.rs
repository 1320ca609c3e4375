//! What follows an installed bundle.

use super::world::{World, check, want};

#[test]
fn v0_takes_the_edge_that_is_closest_to_the_head_and_v1_the_one_to_the_highest_version() {
    let catalog = "stable: 1.0.0 <- 2.0.0 <- 1.5.0 (skipRange >=1.0.0 <1.5.0)";
    check(&World::new(catalog, &[want("p").installed("1.0.0")]), "p.v1.5.0", "p.v2.0.0");
}

#[test]
fn v0_follows_the_edges_of_one_channel_and_v1_those_of_all_unless_it_names_some() {
    let catalog = "stable: 1.0.0 <- 1.1.0 <- 2.0.0\nfast: 1.0.0 <- 3.0.0";
    let installed = want("p").installed("1.0.0");
    check(&World::new(catalog, &[installed]), "p.v1.1.0", "p.v3.0.0");
    check(&World::new(catalog, &[installed.channel("stable")]), "p.v1.1.0", "p.v1.1.0");
}

#[test]
fn an_edge_to_a_stranded_entry_counts_only_for_v1() {
    let catalog = "stable: 1.0.0 <- 2.0.1 (skipRange <1.0.0) <- 2.0.2, 3.0.0 (replaces 1.0.0; skips 2.0.2)";
    check(&World::new(catalog, &[want("p").installed("0.9.0")]), "nothing", "p.v2.0.1");
}

#[test]
fn an_edge_to_a_skipped_entry_counts_only_for_v1() {
    let catalog = "stable: 1.0.0 <- 2.0.0 (skipRange >=1.0.0 <2.0.0) <- 3.0.0 (skips 2.0.0)";
    let world = World::new(catalog, &[want("p").installed("1.0.0")]);
    check(&world, "nothing", "p.v2.0.0");
    assert_eq!(world.v1_course("p"), ["p.v2.0.0", "p.v3.0.0"]);
    // A Subscription that starts at the skipped entry goes on.
    check(&World::new(catalog, &[want("p").installed("2.0.0")]), "p.v3.0.0", "p.v3.0.0");
}

#[test]
fn both_go_hop_by_hop_if_each_hop_has_one_edge() {
    let catalog = "stable: 1.0.0 <- 1.1.0 <- 1.2.0 <- 2.0.0";
    let world = World::new(catalog, &[want("p").installed("1.0.0")]);
    assert_eq!(world.v0_course(), ["p.v1.1.0", "p.v1.2.0", "p.v2.0.0"]);
    assert_eq!(world.v1_course("p"), ["p.v1.1.0", "p.v1.2.0", "p.v2.0.0"]);
}

#[test]
fn v1_plans_no_hops_towards_its_range_and_v0_has_no_range() {
    let catalog = "stable: 1.0.0 <- 1.1.0 <- 2.0.0";
    let world = World::new(catalog, &[want("p").installed("1.0.0").range("2.0.0")]);
    let error = "error upgrading from currently installed version \"1.0.0\": no bundles found for package \"p\" matching version \"2.0.0\"";
    check(&world, "p.v1.1.0", error);
    assert_eq!(world.v0_course(), ["p.v1.1.0", "p.v2.0.0"]);
    let either = World::new(catalog, &[want("p").installed("1.0.0").range(">=1.1.0")]);
    assert_eq!(either.v1_course("p"), ["p.v1.1.0", "p.v2.0.0"]);
}

#[test]
fn both_read_skip_ranges_with_blang() {
    let installed = want("p").installed("1.5.0-rc1");
    // A range contains prereleases, as those of dependencies in v0 do.
    let world = World::new("stable: 1.5.0-rc1 <- 2.0.0 (skipRange >=1.0.0 <2.0.0)", &[installed]);
    check(&world, "p.v2.0.0", "p.v2.0.0");
    let world = World::new("stable: 1.5.0-rc1 <- 1.9.0 <- 2.0.0 (skipRange >=1.0.0 <2.0.0)", &[installed]);
    check(&world, "p.v2.0.0", "p.v2.0.0");
    // blang has no caret.
    let world = World::new("stable: 1.5.0-rc1 <- 1.9.0 <- 2.0.0 (skipRange ^1.0.0-0)", &[installed]);
    check(&world, "p.v1.9.0", "p.v1.9.0");
}

#[test]
fn an_update_out_of_a_broken_channel_is_made_by_v1_alone() {
    let two_heads = "a unique replacement chain within a channel is required to determine the relative order between \
                     channel entries, but 2 replacement chains were found in channel \"stable\" of package \"p\": \
                     p.v1.1.0...p.v1.0.0, p.v2.0.0...p.v1.0.0";
    let catalog = "stable: 1.0.0 <- 1.1.0, 2.0.0 (replaces 1.0.0)";
    check(&World::new(catalog, &[want("p").installed("1.0.0")]), two_heads, "p.v2.0.0");
}

#[test]
fn without_a_successor_v0_stays_silently_and_v1_only_if_its_catalogs_have_the_installed_version() {
    let stays = "stable: 1.0.0\nnext: 2.0.0";
    check(&World::new(stays, &[want("p").installed("1.0.0")]), "nothing", "p.v1.0.0");
    let gone = "stable: 2.0.0";
    let error = "error upgrading from currently installed version \"1.0.0\": no bundles found for package \"p\"";
    check(&World::new(gone, &[want("p").installed("1.0.0")]), "nothing", error);
}

#[test]
fn without_an_edge_into_the_new_channel_v0_stays_silently_and_v1_fails() {
    let world = World::new("stable: 1.0.0\nnext: 2.0.0", &[want("p").installed("1.0.0").channel("next")]);
    let error = "error upgrading from currently installed version \"1.0.0\": no bundles found for package \"p\" in channels [next]";
    check(&world, "nothing", error);
}

#[test]
fn v0_goes_down_by_a_wide_skip_range_and_v1_only_off_a_deprecated_bundle() {
    let catalog = "stable: 1.1.0 (skipRange <2.0.0) <- 1.2.0";
    let installed = want("p").installed("1.2.0");
    let world = World::new(catalog, &[installed]);
    check(&world, "p.v1.1.0", "p.v1.2.0");
    assert_eq!(world.v0_course(), ["p.v1.1.0", "p.v1.2.0", "p.v1.1.0"], "v0 updates again, and never stops");
    assert_eq!(world.v1_course("p"), [""; 0]);
    let deprecated = World::new(&format!("{catalog}\ndeprecated 1.2.0"), &[installed]);
    check(&deprecated, "p.v1.1.0", "p.v1.1.0");
    assert_eq!(deprecated.v1_course("p"), ["p.v1.1.0"]);
}

#[test]
fn a_deprecated_successor_is_taken_by_v0_and_not_by_v1_from_a_clean_bundle() {
    let catalog = "stable: 1.0.0 <- 1.1.0\ndeprecated 1.1.0";
    check(&World::new(catalog, &[want("p").installed("1.0.0")]), "p.v1.1.0", "p.v1.0.0");
    let both = format!("{catalog}\ndeprecated 1.0.0");
    check(&World::new(&both, &[want("p").installed("1.0.0")]), "p.v1.1.0", "p.v1.1.0");
}

#[test]
fn a_successor_with_a_missing_dependency_stops_v0_silently_and_v1_with_an_error() {
    let catalog = "stable: 1.0.0 <- 2.0.0\nbundle 2.0.0 (requires g/v1/Cache)";
    let refused = "validating bundle \"p.v2.0.0\": bundle \"p.v2.0.0\" has a dependency declared via property \"olm.gvk.required\" which is currently not supported";
    check(&World::new(catalog, &[want("p").installed("1.0.0")]), "nothing", refused);
}

#[test]
fn a_failed_update_hides_deprecations_in_v1_and_not_in_v0() {
    let pair = |status: &str, message: &str| (status.to_owned(), message.to_owned());
    let catalog = "stable: 1.0.0\ndeprecated 1.0.0";
    let world = World::new(catalog, &[want("p").installed("1.0.0")]);
    assert_eq!(world.v0_bundle_deprecation("p"), Some(pair("True", "olm.bundle/p.v1.0.0: old")));
    assert_eq!(world.v1_bundle_deprecation("p"), pair("True", "old"));
    // Only OLM v1 has a condition about a bundle that is not deprecated.
    let clean = World::new("stable: 1.0.0", &[want("p").installed("1.0.0")]);
    assert_eq!(clean.v0_bundle_deprecation("p"), None);
    assert_eq!(clean.v1_bundle_deprecation("p"), pair("False", "bundle not deprecated"));
    let fails = "stable: 1.0.0 <- 2.0.0\nbundle 2.0.0 (requires g/v1/Cache)\ndeprecated 1.0.0";
    let world = World::new(fails, &[want("p").installed("1.0.0")]);
    assert_eq!(world.v0_bundle_deprecation("p"), Some(pair("True", "olm.bundle/p.v1.0.0: old")));
    assert_eq!(
        world.v1_bundle_deprecation("p"),
        pair("Unknown", "deprecation status unknown: catalog data unavailable")
    );
}
