//! Which packages and channels remain.

use crate::{check, check_error, filtered, lowered, messages, wanted};
use fixture::yaml;
use mirror::{OcMirror, filter};

const CATALOG: &str = "c: 1.0.0 <- 1.1.0\nd: 2.0.0 <- 2.1.0\npackage q\ne: 3.0.0 <- 3.1.0";

#[test]
fn without_packages_all_channels_have_their_heads() {
    check(CATALOG, "", &["p c: 1.1.0", "p d: 2.1.0", "q e: 3.1.0"]);
    check(CATALOG, "  packages: []\n", &["p c: 1.1.0", "p d: 2.1.0", "q e: 3.1.0"]);
    check(CATALOG, "  full: true\n", &["p c: 1.0.0 1.1.0", "p d: 2.0.0 2.1.0", "q e: 3.0.0 3.1.0"]);
}

#[test]
fn a_package_without_channels_has_all_its_channels() {
    check(CATALOG, "  packages: [{name: p}]\n", &["p c: 1.1.0", "p d: 2.1.0"]);
    check(CATALOG, "  full: true\n  packages: [{name: p}]\n", &["p c: 1.0.0 1.1.0", "p d: 2.0.0 2.1.0"]);
}

#[test]
fn a_package_with_channels_has_only_these() {
    check(CATALOG, "  packages: [{name: p, channels: [{name: c}]}]\n", &["p c: 1.1.0"]);
    check(CATALOG, "  full: true\n  packages: [{name: p, channels: [{name: c}]}]\n", &["p c: 1.0.0 1.1.0"]);
    let bounds = "  packages: [{name: p, channels: [{name: c, minVersion: 1.0.0}, {name: d}]}]\n";
    check(CATALOG, bounds, &["p c: 1.0.0 1.1.0", "p d: 2.1.0"]);
    let package = "  packages: [{name: p, minVersion: 1.0.0, channels: [{name: c}]}, {name: q}]\n";
    check(CATALOG, package, &["p c: 1.0.0 1.1.0", "q e: 3.1.0"]);
}

#[test]
fn channels_without_a_version_of_the_range_are_dropped() {
    let more = "  packages: [{name: p, maxVersion: 1.0.0}]\n";
    check(CATALOG, more, &["p c: 1.0.0"]);
    let dropped =
        "empty-mirrored-channel: no version of channel `d` is in the range `<=1.0.0`, so the mirror does not have it";
    assert_eq!(messages(&filtered(CATALOG, more)), [dropped]);
    check_error(
        CATALOG,
        "  packages: [{name: p, minVersion: 2.0.0}]\n",
        &[r#"package "p" channel "c" has version range ">=2.0.0" that results in an empty channel"#],
    );
    check_error(
        CATALOG,
        "  packages: [{name: p, maxVersion: 0.1.0}]\n",
        &[r#"package "p" channel "c" has version range " <=0.1.0" that results in an empty channel"#],
    );
    // The default channel of the catalog is asked, not the one that takes its place.
    let more = "  packages: [{name: p, minVersion: 2.0.0, defaultChannel: d}]\n";
    check_error(
        CATALOG,
        more,
        &[r#"package "p" channel "c" has version range ">=2.0.0" that results in an empty channel"#],
    );
}

#[test]
fn the_default_channel_has_to_be_mirrored() {
    let prefix = r#"invalid default channel configuration for package "p": "#;
    let gone = format!(
        r#"{prefix}the default channel "c" was filtered out, a new default channel must be configured for this package"#
    );
    check_error(CATALOG, "  packages: [{name: p, channels: [{name: d}]}]\n", &[&gone]);
    let unknown = format!(r#"{prefix}specified default channel override "x" does not exist in the filtered output"#);
    check_error(CATALOG, "  packages: [{name: p, defaultChannel: x, channels: [{name: d}]}]\n", &[&unknown]);
    let filtering = filtered(CATALOG, "  packages: [{name: p, defaultChannel: d, channels: [{name: d}]}]\n");
    let kept = filtering.kept.unwrap();
    let package = &kept.catalog(&lowered(&yaml(CATALOG))).packages[0];
    assert_eq!(package.default_channel.as_ref().unwrap().value.as_str(), "d");
}

#[test]
fn full_goes_with_no_bounds() {
    let error = "Full: true cannot be mixed with versionRange";
    let more = "  full: true\n  packages: [{name: p, channels: [{name: c, minVersion: 1.0.0}]}]\n";
    check_error(CATALOG, more, &[error]);
}

#[test]
fn every_bundle_of_a_selected_package_needs_a_version() {
    let text = yaml(CATALOG).replacen("olm.package, value: {packageName: p, version: 1.0.0}", "x, value: {}", 1);
    let errors = |more: &str| messages(&filter(&lowered(&text), &wanted(more), OcMirror::default()));
    let error = r#"failed-mirror: oc-mirror stops: bundle "p.v1.0.0" in package "p" has no package property"#;
    assert_eq!(errors("  packages: [{name: p}]\n"), [error]);
    assert!(errors("  packages: [{name: q}]\n").is_empty());
    let text = text.replace("version: 3.0.0", "version: '3.0'");
    let found = messages(&filter(&lowered(&text), &wanted("  packages: [{name: q}]\n"), OcMirror::default()));
    assert_eq!(found, ["failed-mirror: oc-mirror stops: Invalid Semantic Version"]);
}

#[test]
fn names_that_the_catalog_does_not_have_are_reported() {
    let filtering = filtered(CATALOG, "  packages: [{name: x}, {name: q, channels: [{name: e}, {name: f}]}]\n");
    assert!(filtering.kept.is_some());
    assert_eq!(
        messages(&filtering),
        ["unknown-mirrored: the catalog has no package `x`", "unknown-mirrored: package `q` has no channel `f`"]
    );
}
