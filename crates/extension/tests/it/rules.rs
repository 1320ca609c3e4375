//! The rules for one catalog.

use catalog::Catalog;
use cluster::{ClusterExtension, InstalledBundle};
use extension::DropReason;
use source::{FeatureGate, OlmV1, OlmV1Release};

use crate::world::{With, answer, check, dropped, extension, installed, of_text, read};

/// `stable` leads from 1.0.0 by 1.1.0 to 2.0.0, `fast` from 1.0.0 to 3.0.0.
fn two_channels() -> Catalog {
    read("stable: 1.0.0 <- 1.1.0 <- 2.0.0\nfast: 1.0.0 <- 3.0.0")
}

#[test]
fn a_new_extension_gets_the_highest_version_of_all_channels() {
    check(&extension(), &two_channels(), "3.0.0");
    check(&extension().channels(&["stable"]), &two_channels(), "2.0.0");
    check(&extension().channels(&["stable", "fast"]), &two_channels(), "3.0.0");
}

#[test]
fn an_update_follows_the_edges_of_all_selected_channels() {
    check(&installed("1.0.0"), &two_channels(), "3.0.0");
    check(&installed("1.0.0").channels(&["stable"]), &two_channels(), "1.1.0");
    check(&installed("1.1.0"), &two_channels(), "2.0.0");
}

#[test]
fn a_resolution_plans_one_hop_only() {
    let extension = installed("1.0.0").version("2.0.0");
    let error = "error upgrading from currently installed version \"1.0.0\": no bundles found for package \"p\" matching version \"2.0.0\"";
    check(&extension, &two_channels(), error);
    assert_eq!(dropped(&answer(&extension, &two_channels()), "2.0.0"), Some(DropReason::NotASuccessor));
    check(&extension.self_certified(), &two_channels(), "2.0.0");
}

#[test]
fn self_certified_ignores_edges_and_may_go_down() {
    check(&installed("1.0.0").self_certified(), &two_channels(), "3.0.0");
    check(&installed("3.0.0").version("<2.0.0").self_certified(), &two_channels(), "1.1.0");
    // The installed version is not even read.
    check(&installed("latest").self_certified(), &two_channels(), "3.0.0");
}

#[test]
fn the_installed_version_must_be_in_a_selected_channel_to_stay() {
    let error = "error upgrading from currently installed version \"1.1.0\": no bundles found for package \"p\" in channels [fast]";
    check(&installed("1.1.0").channels(&["fast"]), &two_channels(), error);
    check(&installed("2.0.0").channels(&["stable"]), &two_channels(), "2.0.0");
}

#[test]
fn skips_and_skip_ranges_are_edges_too() {
    check(&installed("1.0.0"), &read("c: 2.0.0 (skips 1.0.0)\nbundle 1.0.0"), "2.0.0");
    let range = read("c: 1.0.0, 2.0.0 (skipRange >=1.0.0 <2.0.0)");
    check(&installed("1.0.0"), &range, "2.0.0");
    // The installed bundle need not be in the catalog.
    check(&installed("1.5.0"), &range, "2.0.0");
    let invalid = read("c: 1.0.0, 2.0.0 (skipRange ^1.0.0)");
    check(&installed("1.0.0"), &invalid, "1.0.0");
}

#[test]
fn an_entry_that_another_one_skips_is_an_ordinary_candidate() {
    // The example of OLM's documentation: OLM v0 stays at 1.0.0.
    let catalog = read("c: 1.0.0 <- 2.0.0 (skipRange >=1.0.0 <2.0.0) <- 3.0.0 (skips 2.0.0)");
    check(&installed("1.0.0"), &catalog, "2.0.0");
    check(&installed("2.0.0"), &catalog, "3.0.0");
}

#[test]
fn a_lower_entry_with_a_wide_skip_range_is_taken_only_off_a_deprecated_bundle() {
    let catalog = "c: 1.1.0 (skipRange >=1.0.0 <2.0.0) <- 1.2.0";
    check(&installed("1.2.0"), &read(catalog), "1.2.0");
    check(&installed("1.2.0"), &read(&format!("{catalog}\ndeprecated 1.2.0")), "1.1.0");
}

#[test]
fn a_deprecated_successor_is_not_taken_from_a_clean_bundle() {
    let catalog = read("c: 1.0.0 <- 1.1.0\ndeprecated 1.1.0");
    check(&installed("1.0.0"), &catalog, "1.0.0");
    let preferred = "p.v1.0.0".into();
    let reason = dropped(&answer(&installed("1.0.0"), &catalog), "1.1.0");
    assert_eq!(reason, Some(DropReason::Deprecated { preferred }));
}

#[test]
fn among_deprecated_bundles_the_highest_is_taken() {
    let catalog = "c: 0.1.0, 1.0.0, 1.0.1\ndeprecated 1.0.0\ndeprecated 1.0.1";
    let only_first = "c: 0.1.0, 1.0.0, 1.0.1\ndeprecated 1.0.0";
    check(&extension().version(">=0.1.0 <=1.0.0"), &read(only_first), "0.1.0");
    check(&extension().version("1.0.0"), &read(catalog), "1.0.0");
}

#[test]
fn no_range_lets_prereleases_through() {
    let catalog = read("c: 1.0.0, 2.0.0-rc1");
    check(&extension(), &catalog, "2.0.0-rc1");
    check(&extension().version("*"), &catalog, "1.0.0");
    check(&extension().version(">=1.0.0-0"), &catalog, "2.0.0-rc1");
    let reason = dropped(&answer(&extension().version("*"), &catalog), "2.0.0-rc1");
    assert_eq!(reason, Some(DropReason::OutsideRange { is_prerelease: true }));
}

#[test]
fn build_metadata_is_a_release() {
    let catalog = read("c: 1.0.0, 1.0.0+1, 1.0.0+2");
    let resolved = answer(&extension().version("1.0.0"), &catalog).outcome.unwrap();
    assert_eq!((resolved.bundle.as_str(), resolved.version.to_string()), ("p.v1.0.0+2", "1.0.0".to_owned()));
    assert_eq!(resolved.release.as_ref().map(ToString::to_string).as_deref(), Some("2"));
    // Without an edge only the very same release may stay.
    check(&installed("1.0.0+1"), &catalog, "1.0.0+1");
}

#[test]
fn a_recorded_release_counts_even_if_empty() {
    let catalog = read("c: 1.0.0, 1.0.0+2");
    let with_release = |version: &str, release: &str| {
        let bundle = InstalledBundle { name: "other".into(), version: version.into(), release: Some(release.into()) };
        cluster::ClusterExtension { installed: Some(bundle), ..extension() }
    };
    check(&with_release("1.0.0", "2"), &catalog, "1.0.0+2");
    check(&with_release("1.0.0+2", ""), &catalog, "1.0.0");
}

#[test]
fn another_bundle_with_the_installed_version_counts_as_installed() {
    let bundle = InstalledBundle { name: "renamed".into(), version: "1.0.0".into(), release: None };
    let extension = cluster::ClusterExtension { installed: Some(bundle), ..extension() };
    check(&extension, &two_channels(), "1.0.0");
}

#[test]
fn a_dependency_of_the_winner_is_refused_without_a_fall_back() {
    for property in ["olm.package.required", "olm.gvk.required", "olm.constraint"] {
        let catalog = read(&format!("c: 1.0.0, 2.0.0 (property other {{}}; property {property} {{}})"));
        let error = format!(
            "validating bundle \"p.v2.0.0\": bundle \"p.v2.0.0\" has a dependency declared via property \"{property}\" which is currently not supported"
        );
        check(&extension(), &catalog, &error);
        check(&extension().version("<2.0.0"), &catalog, "1.0.0");
        let reason = dropped(&answer(&extension(), &catalog), "2.0.0");
        assert_eq!(reason, Some(DropReason::Refused { property: property.into() }));
    }
    let others = "c: 1.0.0 (property olm.label.required {}; property olm.maxOpenShiftVersion {})";
    check(&extension(), &read(others), "1.0.0");
}

#[test]
fn catalogs_that_opm_rejects_are_resolved() {
    // Two heads, a cycle, an entry without bundle, a bundle in no channel.
    let catalog = read("c: 1.0.0 (replaces 2.0.0) <- 2.0.0, 3.0.0 (no bundle), 9.0.0 (no bundle)\nbundle 4.0.0");
    check(&extension(), &catalog, "4.0.0");
    check(&extension().channels(&["c"]), &catalog, "2.0.0");
    check(&installed("2.0.0").channels(&["c"]), &catalog, "2.0.0");
}

#[test]
fn equal_versions_are_taken_in_the_order_of_the_text() {
    let bundle = |name: &str| {
        format!(
            "---\nschema: olm.bundle\npackage: p\nname: {name}\nimage: i\nproperties: [{{type: olm.package, value: {{packageName: p, version: 1.0.0}}}}]\n"
        )
    };
    check(&extension(), &of_text(&(bundle("b") + &bundle("a"))), "b");
    check(&extension(), &of_text(&(bundle("a") + &bundle("b"))), "a");
}

#[test]
fn versions_that_cannot_be_read_come_last() {
    let catalog = read("c: 1.0.0, 1.0 (version '1.0')");
    check(&extension(), &catalog, "1.0.0");
    let ranged = answer(&extension().version("*"), &catalog);
    assert_eq!(dropped(&ranged, "1.0"), Some(DropReason::UnreadableVersion));
}

/// With the gate a field of its own orders the bundles of one version; before v1.8 not even build metadata does.
#[test]
fn which_release_counts_depends_on_the_olm_v1() {
    let text = fixture::yaml("bundle 1.0.0+2\nbundle 1.0.0+1");
    let text = text.replace("version: 1.0.0+1}", "version: 1.0.0+1, release: '3'}");
    let catalog = of_text(&text);
    let chosen = |minor: u16, gates: &[FeatureGate]| {
        let mut olm = OlmV1::of(Some(OlmV1Release(1, minor)));
        gates.iter().for_each(|gate| olm.set(*gate, true));
        let extension = ClusterExtension { olm, ..extension() };
        answer(&extension, &catalog).outcome.unwrap().bundle.to_string()
    };
    let gate = FeatureGate::BundleReleaseSupport;
    assert_eq!(chosen(11, &[]), "p.v1.0.0+2");
    assert_eq!(chosen(11, &[gate]), "p.v1.0.0+1");
    assert_eq!(chosen(8, &[gate]), "p.v1.0.0+2", "v1.8 does not have the gate");
    // Both are alike, and the first one of the text counts.
    assert_eq!(chosen(7, &[]), "p.v1.0.0+2");
    let swapped = fixture::yaml("bundle 1.0.0+1\nbundle 1.0.0+2");
    let old = OlmV1::of(Some(OlmV1Release(1, 7)));
    let first = |olm| answer(&ClusterExtension { olm, ..extension() }, &of_text(&swapped)).outcome.unwrap().bundle;
    assert_eq!([first(old).as_str(), first(OlmV1::default()).as_str()], ["p.v1.0.0+1", "p.v1.0.0+2"]);
}
