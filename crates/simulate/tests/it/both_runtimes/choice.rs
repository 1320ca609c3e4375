//! Which bundle is installed first.

use super::world::{World, check, want};

#[test]
fn v0_takes_the_head_of_the_channel_and_v1_the_highest_version() {
    let world = World::new("stable: 1.0.0 <- 2.0.0 <- 1.1.0", &[want("p")]);
    check(&world, "p.v1.1.0", "p.v2.0.0");
}

#[test]
fn v0_takes_the_default_channel_and_v1_all_channels_unless_one_is_named() {
    let catalog = "stable: 1.0.0\ncandidate: 2.0.0";
    check(&World::new(catalog, &[want("p")]), "p.v1.0.0", "p.v2.0.0");
    check(&World::new(catalog, &[want("p").channel("stable")]), "p.v1.0.0", "p.v1.0.0");
}

#[test]
fn a_bundle_in_no_channel_exists_only_for_v1() {
    check(&World::new("stable: 1.0.0\nbundle 2.0.0", &[want("p")]), "p.v1.0.0", "p.v2.0.0");
}

#[test]
fn a_skipped_entry_is_no_candidate_of_v0_and_an_ordinary_one_of_v1() {
    // The highest version is skipped by a fixed build with a lower version.
    let world = World::new("stable: 1.0.0 <- 2.0.0, 1.0.1 (replaces 1.0.0; skips 2.0.0)", &[want("p")]);
    check(&world, "p.v1.0.1", "p.v2.0.0");
}

#[test]
fn a_stranded_entry_is_no_candidate_of_v0_and_an_ordinary_one_of_v1() {
    // 2.0.2 is skipped, so that nothing leads from the head to 2.0.1.
    let world =
        World::new("stable: 1.0.0 <- 2.0.1 <- 2.0.2, 1.1.0 (replaces 1.0.0; skips 2.0.2)", &[want("p").range("2.0.1")]);
    check(&world, "p.v1.1.0", "p.v2.0.1");
}

#[test]
fn a_prerelease_is_in_the_range_of_a_dependency_in_v0_and_outside_the_range_of_an_extension_in_v1() {
    let catalog = "stable: 1.4.0 <- 1.5.0-rc1\npackage q\nstable: 1.0.0\nbundle 1.0.0 (requires p >=1.0.0 <2.0.0)";
    let world = World::new(catalog, &[want("q")]);
    assert_eq!(world.v0(), "p.v1.5.0-rc1, q.v1.0.0", "v0 reads the range with blang");
    let world = World::new(catalog, &[want("p").range(">=1.0.0 <2.0.0")]);
    check(&world, "p.v1.5.0-rc1", "p.v1.4.0");
    check(&World::new(catalog, &[want("p")]), "p.v1.5.0-rc1", "p.v1.5.0-rc1");
}

#[test]
fn v0_needs_a_channel_with_one_head_and_v1_does_not_look_at_the_graph() {
    let two_heads = "a unique replacement chain within a channel is required to determine the relative order between \
                     channel entries, but 2 replacement chains were found in channel \"stable\" of package \"p\": \
                     p.v1.1.0...p.v1.0.0, p.v2.0.0";
    check(&World::new("stable: 1.0.0 <- 1.1.0, 2.0.0", &[want("p")]), two_heads, "p.v2.0.0");
    let no_head =
        "no channel heads (entries not replaced by another entry) found in channel \"stable\" of package \"p\"";
    check(&World::new("stable: 1.0.0 (replaces 2.0.0) <- 2.0.0", &[want("p")]), no_head, "p.v2.0.0");
}

#[test]
fn v0_installs_what_a_bundle_depends_on_and_v1_refuses_the_bundle() {
    let refused = |property: &str| {
        format!(
            "validating bundle \"p.v2.0.0\": bundle \"p.v2.0.0\" has a dependency declared via property \"{property}\" which is currently not supported"
        )
    };
    let on_api = "stable: 1.0.0 <- 2.0.0\nbundle 2.0.0 (requires g/v1/Cache)\npackage q\nstable: 1.0.0\nbundle 1.0.0 (provides g/v1/Cache)";
    check(&World::new(on_api, &[want("p")]), "p.v2.0.0, q.v1.0.0", &refused("olm.gvk.required"));
    let on_package = on_api.replace("requires g/v1/Cache", "requires q >=1.0.0");
    check(&World::new(&on_package, &[want("p")]), "p.v2.0.0, q.v1.0.0", &refused("olm.package.required"));
}

#[test]
fn v0_falls_back_to_an_older_bundle_without_missing_dependencies_and_v1_does_not() {
    let world = World::new("stable: 1.0.0 <- 2.0.0\nbundle 2.0.0 (requires g/v1/Cache)", &[want("p")]);
    let refused = "validating bundle \"p.v2.0.0\": bundle \"p.v2.0.0\" has a dependency declared via property \"olm.gvk.required\" which is currently not supported";
    check(&world, "p.v1.0.0", refused);
}

#[test]
fn v0_does_not_look_at_deprecations_and_v1_avoids_a_deprecated_bundle() {
    let catalog = "stable: 1.0.0 <- 2.0.0\ndeprecated 2.0.0";
    check(&World::new(catalog, &[want("p")]), "p.v2.0.0", "p.v1.0.0");
    // It is taken if the range leaves no other one.
    check(&World::new(catalog, &[want("p").range("2.x")]), "p.v2.0.0", "p.v2.0.0");
}
