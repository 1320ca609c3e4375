//! Which installed versions a mirror strands, and the `minVersion` that strands none.

use crate::{lowered, wanted};
use compare::{Level, State, compare};
use fixture::yaml;
use mirror::{OcMirror, TrialOutcome, filter, smallest_min_versions, stranded};
use std::collections::BTreeSet;

/// The stranded versions as `channel version`.
fn stranded_versions(catalog: &str, more: &str) -> Vec<String> {
    let catalog = lowered(&yaml(catalog));
    let kept = filter(&catalog, &wanted(more), OcMirror::default()).kept.expect("oc-mirror filters it");
    let found = stranded(&catalog, &kept, None);
    let mirrored = kept.catalog(&catalog);
    let state = |catalog| State { catalog, rejected: None };
    let compared = compare(state(&catalog), state(&mirrored)).into_iter().flat_map(|found| found.rows);
    let compared = compared.filter(|row| row.rule.is_some_and(|rule| rule.level() == Level::Breaking));
    let compared: Vec<_> = compared.map(|row| (row.channel, row.installed)).collect();
    let both = found.iter().map(|row| (row.channel.clone(), row.installed.clone())).collect::<Vec<_>>();
    assert_eq!(both, compared, "a comparison says the same");
    found.iter().map(|row| format!("{} {}", row.channel, row.installed.as_str().trim_start_matches("p.v"))).collect()
}

/// The answers as `scope: stranded now, outcome`.
#[track_caller]
fn check_installed(catalog: &str, more: &str, installed: Option<&[&str]>, expected: &[&str]) {
    let installed: Option<BTreeSet<_>> =
        installed.map(|names| names.iter().map(|version| format!("p.v{version}").as_str().into()).collect());
    let found = smallest_min_versions(&lowered(&yaml(catalog)), &wanted(more), installed.as_ref(), OcMirror::default());
    let line = |found: &mirror::MinVersion| {
        let scope = found.channel.as_ref().map_or_else(|| found.package.to_string(), ToString::to_string);
        let outcome = match &found.outcome {
            TrialOutcome::Found { version, kept } => format!("{version} keeps {kept}"),
            TrialOutcome::Impossible(rows) => format!("impossible: {} left", rows.len()),
            TrialOutcome::Stops => "stops".to_owned(),
            TrialOutcome::GaveUp => "gave up".to_owned(),
        };
        format!("{scope}: {} stranded, {outcome}", found.stranded)
    };
    assert_eq!(found.iter().map(line).collect::<Vec<_>>(), expected, "{more}");
}

#[track_caller]
fn check(catalog: &str, more: &str, expected: &[&str]) {
    check_installed(catalog, more, None, expected);
}

const CHAIN: &str = "c: 1.0.0 <- 1.1.0 <- 1.2.0 <- 1.3.0";
const RANGED: &str =
    "c: 0.9.0 <- 1.0.0 <- 1.1.0 (skipRange >=0.9.0 <1.1.0) <- 1.2.0 <- 1.3.0 (skipRange >=1.1.0 <1.3.0)";

#[test]
fn head_only_strands_what_the_head_does_not_reach() {
    assert_eq!(stranded_versions(CHAIN, ""), ["c 1.0.0", "c 1.1.0"]);
    assert_eq!(stranded_versions(RANGED, ""), ["c 0.9.0", "c 1.0.0"]);
    assert_eq!(stranded_versions(CHAIN, "  full: true\n"), [""; 0]);
    assert_eq!(stranded_versions(CHAIN, "  packages: [{name: p, minVersion: 1.1.0}]\n"), [""; 0]);
    assert_eq!(stranded_versions(CHAIN, "  packages: [{name: p, maxVersion: 1.2.0}]\n"), ["c 1.3.0"]);
    let channels = "c: 2.0.0 (replaces 1.0.0)\nd: 1.1.0 (skips 1.0.0, 0.9.0), 1.0.0";
    assert_eq!(stranded_versions(channels, "  packages: [{name: p, channels: [{name: c}]}]\n"), ["d 1.1.0", "d 1.0.0"]);
    assert_eq!(stranded_versions(channels, ""), [""; 0]);
}

#[test]
fn the_highest_min_version_that_strands_nobody_is_offered() {
    check(CHAIN, "  packages: [{name: p}]\n", &["p: 2 stranded, 1.1.0 keeps 3"]);
    check(RANGED, "  packages: [{name: p}]\n", &["p: 2 stranded, 1.1.0 keeps 3"]);
    check(CHAIN, "  packages: [{name: p, minVersion: 1.3.0}]\n", &["p: 2 stranded, 1.1.0 keeps 3"]);
    check(CHAIN, "  packages: [{name: p, minVersion: 1.0.0}]\n", &["p: 0 stranded, 1.1.0 keeps 3"]);
    check("c: 1.1.0 (skips 1.0.0), 1.0.0", "  packages: [{name: p}]\n", &["p: 0 stranded, 1.1.0 keeps 1"]);
}

#[test]
fn each_channel_with_its_own_bounds_has_its_own_answer() {
    let catalog = format!("{CHAIN}\nd: 1.3.0 <- 2.0.0 <- 2.1.0 <- 2.2.0");
    let more = "  packages: [{name: p, channels: [{name: c}, {name: d, minVersion: 2.0.0}, {name: x}]}]\n";
    let catalog = catalog.as_str();
    let found = smallest_min_versions(
        &lowered(&yaml(catalog)),
        &wanted("  packages: [{name: p}]\n"),
        None,
        OcMirror::default(),
    );
    assert!(matches!(found[0].outcome, TrialOutcome::Found { .. }));
    check(catalog, more, &["c: 2 stranded, 1.1.0 keeps 3", "d: 0 stranded, 2.0.0 keeps 3"]);
}

#[test]
fn the_answer_may_be_that_none_helps() {
    check(CHAIN, "  packages: [{name: p, maxVersion: 1.2.0}]\n", &["p: 1 stranded, impossible: 1 left"]);
    check(CHAIN, "  full: true\n  packages: [{name: p}]\n", &[]);
    let heads = "c: 1.1.0 (skipRange <1.1.0), 1.0.0";
    check(heads, "  packages: [{name: p}]\n", &["p: 0 stranded, stops"]);
}

#[test]
fn installed_versions_narrow_the_question() {
    let more = "  packages: [{name: p}]\n";
    check_installed(CHAIN, more, Some(&["1.2.0", "1.3.0"]), &["p: 0 stranded, 1.3.0 keeps 1"]);
    check_installed(CHAIN, more, Some(&["1.1.0"]), &["p: 1 stranded, 1.2.0 keeps 2"]);
}

#[test]
fn versions_that_were_stuck_before_do_not_count() {
    let catalog = "c: 1.1.0 (skips 1.0.0) <- 1.2.0 (skips 1.1.0), 1.0.0";
    check(catalog, "  packages: [{name: p}]\n", &["p: 0 stranded, 1.2.0 keeps 1"]);
}

#[test]
fn without_packages_only_those_with_stranded_versions_are_answered() {
    let catalog = format!("{CHAIN}\npackage q\nc: 1.0.0");
    check(&catalog, "", &["p: 2 stranded, 1.1.0 keeps 3"]);
}

#[test]
fn a_prerelease_as_bound_is_tried() {
    let catalog = "c: 1.1.0 <- 1.2.0-1 <- 1.2.0-2";
    check(catalog, "  packages: [{name: p}]\n", &["p: 1 stranded, 1.2.0-1 keeps 2"]);
}
