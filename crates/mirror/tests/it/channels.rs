//! Which entries of a channel remain.

use crate::{check, check_error, filtered, messages};

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
