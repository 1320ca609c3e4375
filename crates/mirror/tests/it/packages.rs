//! Which packages, channels and entries remain.

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

// Which entries of a channel remain.

const CHAIN: &str = "c: 1.0.0 <- 1.1.0 <- 1.2.0 <- 1.3.0 <- 1.4.0";

fn bounds(min: &str, max: &str) -> String {
    let field = |name: &str, bound: &str| if bound.is_empty() { String::new() } else { format!(", {name}: {bound}") };
    format!("  packages: [{{name: p{}{}}}]\n", field("minVersion", min), field("maxVersion", max))
}

#[test]
fn both_bounds_and_each_alone_cut_the_chain() {
    check(CHAIN, &bounds("1.1.0", "1.3.0"), &["p c: 1.1.0 1.2.0 1.3.0"]);
    check(CHAIN, &bounds("1.3.0", "''"), &["p c: 1.3.0 1.4.0"]);
    check(CHAIN, &bounds("", "1.1.0"), &["p c: 1.0.0 1.1.0"]);
    check(CHAIN, &bounds("", "'1.1'"), &["p c: 1.0.0 1.1.0"]);
}

#[test]
fn versions_outside_of_the_range_remain_in_between() {
    let chain = "c: 0.8.0 <- 0.9.0 <- 1.2.0 <- 2.0.0 <- 1.3.0";
    let bounds = bounds("1.0.0", "1.9.0");
    check(chain, &bounds, &["p c: 1.2.0 1.3.0 2.0.0"]);
    let note = "mirrored-out-of-range: including bundle \"p.v2.0.0\" with version \"2.0.0\": it falls outside the specified range of \">=1.0.0 <=1.9.0\" but is required to ensure inclusion of all bundles in the range";
    assert_eq!(messages(&filtered(chain, &bounds)), [note]);
}

#[test]
fn a_name_without_a_bundle_may_stand_in_between() {
    let filtering = filtered("c: 1.1.0 <- 1.2.0 (no bundle) <- 1.3.0", &bounds("1.0.0", "2.0.0"));
    let note = "mirrored-out-of-range: including bundle \"p.v1.2.0\": it is unversioned but is required to ensure inclusion of all bundles in the range";
    assert_eq!(messages(&filtering), [note]);
}

#[test]
fn the_head_is_the_lowest_node_with_all_versions_of_the_range() {
    // The head of the channel skips the only versions of the range, so it stays.
    let skipping = "c: 2.0.0 (replaces 1.0.0; skips 1.1.0, 1.2.0), 1.2.0, 1.1.0, 1.0.0";
    check(skipping, &bounds("'1.1'", "1.1.0"), &["p c: 1.1.0 2.0.0"]);
    check(skipping, &bounds("1.0.0", "1.1.0"), &["p c: 1.0.0 1.1.0 2.0.0"]);
    check(skipping, &bounds("1.0.0", "1.0.0"), &["p c: 1.0.0"]);
    check(skipping, &bounds("1.2.0", ""), &["p c: 1.2.0 2.0.0"]);
}

#[test]
fn a_skipped_version_counts_once() {
    // 1.2.0 is both skipped by the head and in the chain: the chain node below has the full count.
    let chain = "c: 1.1.0 <- 1.2.0 <- 1.3.0 (skips 1.2.0)";
    check(chain, &bounds("1.1.0", "1.2.0"), &["p c: 1.1.0 1.2.0"]);
}

#[test]
fn plain_bounds_match_no_prereleases() {
    let chain = "c: 1.41.0 <- 1.42.0-4 <- 1.42.0-5";
    check(chain, &bounds("1.41.0", "1.42.0"), &["p c: 1.41.0"]);
    let lost = "prerelease-not-mirrored: channel `c` has pre-releases between the bounds that are not mirrored: `1.42.0-4`, `1.42.0-5`";
    assert_eq!(messages(&filtered(chain, &bounds("1.41.0", "1.42.0"))), [lost]);
    check(chain, &bounds("1.42.0-5", "1.42.0-5"), &["p c: 1.42.0-5"]);
    check(chain, &bounds("1.42.0-0", ""), &["p c: 1.42.0-4 1.42.0-5"]);
}

#[test]
fn edges_without_bounds_do_not_matter_for_the_head() {
    check("c: 2.0.0 (skips 1.0.0; skipRange <2.0.0), 1.0.0", "  packages: [{name: p}]\n", &["p c: 2.0.0"]);
}

#[test]
fn channels_that_cannot_be_ordered_stop_oc_mirror() {
    let head = r#"package "p" channel "c" unable to filter head of channel: "#;
    let check = |channel: &str, error: &str| {
        let catalog = format!("package p, default c\nc: {channel}");
        check_error(&catalog, "  packages: [{name: p}]\n", &[&format!("{head}{error}")]);
        check_error(&catalog, &bounds("1.0.0", ""), &[error]);
    };
    check("1.1.0, 1.0.0", "multiple channel heads found: [p.v1.0.0 p.v1.1.0]");
    check("1.1.0 (replaces 1.0.0), 1.0.0 (replaces 1.1.0)", "no channel heads found");
    check(
        "1.3.0, 1.1.0 (replaces 1.0.0), 1.0.0 (replaces 1.1.0)",
        "detected a cycle in the upgrade graph of the channel",
    );
    check("", "channel has no entries");
    check(
        "1.1.0 (replaces 1.0.0), 1.1.0, 1.0.0",
        r#"duplicate channel entry "p.v1.1.0"; multiple channel heads found: [p.v1.1.0 p.v1.1.0]"#,
    );
    check("1.1.0 (replaces 1.1.0)", r#"invalid channel entry "p.v1.1.0": replaces itself; no channel heads found"#);
    check("1.1.0 (skips 1.1.0)", r#"invalid channel entry "p.v1.1.0": skips itself; no channel heads found"#);
}
