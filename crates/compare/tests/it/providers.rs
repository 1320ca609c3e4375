//! Requirements that nothing meets any more, and rows together with what the versions require.

use crate::changes::{bundle, channel, found};
use crate::{catalog, lowered};
use catalog::Catalog;
use cluster::Budget;
use compare::{Listings, Rule, State, compare, with_dependencies};
use resolver::Listing;
use std::sync::Arc;

/// A property about the API `K`.
fn api(kind: &str) -> String {
    format!("{{type: {kind}, value: {{group: g, version: v1, kind: K}}}}")
}

/// A bundle of package `q` that requires the API.
fn requirer(version: &str) -> String {
    of_package("q", version, &api("olm.gvk.required"))
}

/// A bundle of package `q` that requires `p` in a range.
fn range_requirer(range: &str) -> String {
    of_package(
        "q",
        "3.0.0",
        &format!("{{type: olm.package.required, value: {{packageName: p, versionRange: '{range}'}}}}"),
    )
}

fn of_package(name: &str, version: &str, property: &str) -> String {
    let text = bundle(version, &[]).replace("package: p", &format!("package: {name}"));
    text.replace("name: p.v", &format!("name: {name}.v")).replace("Name: p,", &format!("Name: {name},"))
        + &format!("- {property}\n")
}

/// The lost providers when the entries of channel `stable` change. `p.v1.0.0` provides the API, `p.v1.1.0` does not; `more`
/// are other documents of both states.
fn lost(old: &[&str], new: &[&str], more: &str) -> Vec<String> {
    let bundles = bundle("1.0.0", &[&api("olm.gvk")]) + &bundle("1.1.0", &[]) + more;
    let [old, new] = [old, new].map(|entries| channel("stable", entries) + &bundles);
    found(&old, &new).into_iter().filter(|line| line.starts_with("provider-lost")).collect()
}

const OLD: &str = "name: p.v1.0.0";
const REPLACES: &str = "{name: p.v1.1.0, replaces: p.v1.0.0}";
const SKIPS: &str = "{name: p.v1.1.0, skips: [p.v1.0.0]}";

/// What is said when `SKIPS` takes the last provider away.
fn by_skips(what: &str) -> [String; 1] {
    [format!(
        "provider-lost: {what}, which nothing in this catalog provides any more: `p.v1.1.0` skips `p.v1.0.0` in channel `stable`"
    )]
}

#[test]
fn the_last_provider_that_is_skipped_is_named() {
    let expected = by_skips("`q.v3.0.0` requires K (g/v1)");
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], &requirer("3.0.0")), expected, "by a new entry");
    assert_eq!(lost(&[REPLACES, OLD], &[SKIPS, OLD], &requirer("3.0.0")), expected, "by an old entry");
    let range = by_skips("`q.v3.0.0` requires package `p` in range `<1.1.0`");
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], &range_requirer("<1.1.0")), range);
}

#[test]
fn all_bundles_that_require_it_are_counted() {
    let requirers = |versions: &[&str]| versions.iter().map(|version| requirer(version)).collect::<String>();
    let two = by_skips("`q.v3.0.0` and another bundle require K (g/v1)");
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], &requirers(&["3.0.0", "4.0.0"])), two);
    let three = by_skips("`q.v3.0.0` and 2 other bundles require K (g/v1)");
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], &requirers(&["3.0.0", "4.0.0", "5.0.0"])), three);
}

#[test]
fn the_last_provider_that_is_no_longer_listed_is_named() {
    let gone = "provider-lost: `q.v3.0.0` requires K (g/v1), which nothing in this catalog provides any more: channel `stable` no longer lists `p.v1.0.0`";
    assert_eq!(lost(&[REPLACES, OLD], &[REPLACES], &requirer("3.0.0")), [gone]);
    let bundles = bundle("1.0.0", &[&api("olm.gvk")]) + &bundle("1.1.0", &[&api("olm.gvk.required")]);
    let (stable, fast) = (channel("stable", &["name: p.v1.1.0"]), channel("fast", &[OLD]));
    let channel = "provider-lost: `p.v1.1.0` requires K (g/v1), which nothing in this catalog provides any more: channel `fast`, which lists `p.v1.0.0`, is gone";
    assert_eq!(found(&(stable.clone() + &fast + &bundles), &(stable + &bundles)), [channel]);
}

#[test]
fn what_is_not_required_is_not_lost() {
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], ""), [""; 0]);
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], &range_requirer(">=2.0.0")), [""; 0], "it did not meet this");
    let own = of_package("q", "3.0.0", &api("olm.gvk.required")) + &format!("- {}\n", api("olm.gvk"));
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], &own), [""; 0], "the bundle provides it itself");
}

#[test]
fn what_another_bundle_provides_is_not_lost() {
    let requirer = requirer("3.0.0");
    assert_eq!(lost(&[OLD], &[REPLACES, OLD], &requirer), [""; 0], "it can still be chosen");
    assert_eq!(lost(&[SKIPS, OLD], &[SKIPS, OLD], &requirer), [""; 0], "it was skipped before");
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], &range_requirer(">=1.0.0")), [""; 0], "the new head meets it");
    let fast = channel("fast", &[OLD]);
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], &(fast + &requirer)), [""; 0], "another channel lists it");
    let other = "---\nschema: olm.package\nname: r\ndefaultChannel: c\n".to_owned()
        + &channel("c", &["name: r.v1.0.0"]).replace("package: p", "package: r")
        + &of_package("r", "1.0.0", &api("olm.gvk"));
    assert_eq!(lost(&[OLD], &[SKIPS, OLD], &(other + &requirer)), [""; 0], "another package provides it");
}

// Rows together with what the versions require.

/// `p.v1.1.0` requires package `q` in a range.
fn requiring(range: &str, is_released: bool) -> Catalog {
    let head = if is_released { format!("1.1.0 (replaces 1.0.0; requires q {range}),") } else { String::new() };
    catalog(&format!("c: {head} 1.0.0"))
}

/// The difference that the simulation finds for the only row, and the dependencies that it adds.
fn simulated(range: &str, has_provider: bool) -> Option<(Rule, usize)> {
    let (old, new) = (requiring(range, false), requiring(range, true));
    let state = |catalog| State { catalog, rejected: None };
    let row = &compare(state(&old), state(&new))[0].rows[0];
    let others = if has_provider {
        vec![Arc::new(Listing::of(&lowered(&fixture::yaml("package q\nc: 1.0.0"))))]
    } else {
        Vec::new()
    };
    let listings = Listings { old: Arc::new(Listing::of(&old)), new: Arc::new(Listing::of(&new)), others };
    let found = with_dependencies(row, (&old.packages[0], &new.packages[0]), || listings, &Budget::default())?;
    Some((found.rule, found.added_dependencies().count()))
}

#[test]
fn what_a_release_requires_is_installed_or_holds_it_back() {
    assert_eq!(simulated(">=1.0.0", true), Some((Rule::DependenciesAdded, 1)));
    let (rule, added) = simulated(">=2.0.0", true).expect("the release stays away");
    assert_ne!(rule, Rule::GoesFurther);
    assert_eq!(added, 0);
    assert!(simulated(">=1.0.0", false).is_some(), "no catalog has the package");
}
