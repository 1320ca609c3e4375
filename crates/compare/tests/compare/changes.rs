//! What else changed in a package.

use crate::lowered;
use compare::{State, changes, compare};

const PACKAGE: &str = "schema: olm.package\nname: p\ndefaultChannel: stable\n";
const OTHER: &str = "---\nschema: olm.package\nname: q\ndefaultChannel: c\n---\nschema: olm.channel\npackage: q\nname: c\nentries:\n- name: q.v1.0.0\n---\nschema: olm.bundle\npackage: q\nname: q.v1.0.0\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: q, version: 1.0.0}}\n- {type: olm.gvk, value: {group: g, version: v1, kind: Q}}\n";

/// A channel of `p`; the entries are YAML.
fn channel(name: &str, entries: &[&str]) -> String {
    let entries: String = entries.iter().map(|entry| format!("- {entry}\n")).collect();
    format!("---\nschema: olm.channel\npackage: p\nname: {name}\nentries:\n{entries}")
}

/// A bundle of `p` with more properties in YAML.
fn bundle(version: &str, properties: &[&str]) -> String {
    let properties: String = properties.iter().map(|property| format!("- {property}\n")).collect();
    format!(
        "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i\nproperties:\n- {{type: olm.package, value: {{packageName: p, version: {version}}}}}\n{properties}"
    )
}

/// Lines `rule: message` of the changes to `p`.
fn found(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (lowered(&format!("{PACKAGE}{old}{OTHER}")), lowered(&format!("{PACKAGE}{new}{OTHER}")));
    let state = |catalog| State { catalog, rejected: None };
    let comparison = &compare(state(&old), state(&new))[0];
    let found = changes(state(&old), state(&new), comparison);
    found.iter().map(|change| format!("{}: {}", change.rule.id(), change.message)).collect()
}

/// The changes when a release with these properties follows one with those.
fn released(old: &[&str], new: &[&str]) -> Vec<String> {
    let before = channel("stable", &["name: p.v1.0.0"]) + &bundle("1.0.0", old);
    let after = channel("stable", &["{name: p.v1.1.0, replaces: p.v1.0.0}", "name: p.v1.0.0"])
        + &bundle("1.0.0", old)
        + &bundle("1.1.0", new);
    found(&before, &after)
}

const HEAD: &str = "head-changed: the head of channel `stable` is `p.v1.1.0` instead of `p.v1.0.0`";

#[test]
fn a_plain_release_is_a_new_head_alone() {
    assert_eq!(released(&[], &[]), [HEAD]);
}

#[test]
fn apis_that_come_and_go_are_named() {
    let [api, other] =
        ["K", "Q"].map(|kind| format!("{{type: olm.gvk, value: {{group: g, version: v1, kind: {kind}}}}}"));
    let gone = "provides-removed: `p.v1.1.0` no longer provides K (g/v1): objects of it stay in clusters, but no operator serves them";
    assert_eq!(released(&[&api], &[]), [gone, HEAD]);
    let both = "provides-duplicate: `p.v1.1.0` provides Q (g/v1), as package `q` does: both cannot be installed in one namespace";
    assert_eq!(released(&[], &[&other]), [both, HEAD]);
    let twice = "own-duplicate-gvk: bundle `p.v1.1.0` provides K (g/v1) twice: OLM never installs it";
    assert_eq!(released(&[], &[&api, &api]), [twice, HEAD]);
}

#[test]
fn new_requirements_are_named() {
    let api = |kind| format!("{{type: olm.gvk.required, value: {{group: g, version: v1, kind: {kind}}}}}");
    assert_eq!(released(&[], &[&api("Q")]), ["requires-added: `p.v1.1.0` requires Q (g/v1)", HEAD]);
    let unmet = "requires-added: `p.v1.1.0` requires R (g/v1), which nothing in this catalog provides";
    assert_eq!(released(&[], &[&api("R")]), [unmet, HEAD]);
    let package = |range| format!("{{type: olm.package.required, value: {{packageName: q, versionRange: '{range}'}}}}");
    let narrower = "range-narrowed: `p.v1.1.0` requires package `q` in range `>=2.0.0` instead of `>=1.0.0`: `1.0.0` is no longer enough";
    assert_eq!(released(&[&package(">=1.0.0")], &[&package(">=2.0.0")]), [narrower, HEAD]);
    assert_eq!(released(&[&package(">=1.0.0")], &[&package(">=0.9.0")]), [HEAD], "a wider range harms nobody");
}

#[test]
fn a_lower_last_version_of_openshift_is_named() {
    let max = |version| format!("{{type: olm.maxOpenShiftVersion, value: '{version}'}}");
    let lower = "max-ocp-lowered: `p.v1.1.0` names `4.17` as the last version of OpenShift instead of `4.18`: clusters of that version that have it cannot be upgraded to the next one";
    assert_eq!(released(&[&max("4.18")], &[&max("4.17")]), [lower, HEAD]);
    assert_eq!(released(&[&max("4.9")], &[&max("4.10")]), [HEAD]);
}

#[test]
fn the_same_name_with_other_contents_is_named() {
    let before = channel("stable", &["name: p.v1.0.0"]) + &bundle("1.0.0", &[]);
    let image = "image-changed: bundle `p.v1.0.0` has another image: clusters that have it never get the new one, and new installations differ from them";
    assert_eq!(found(&before, &before.replace("image: i", "image: j")), [image]);
    let version = "version-changed: bundle `p.v1.0.0` has version `1.0.1` instead of `1.0.0`: what is installed keeps `1.0.0`, which ranges then treat differently";
    assert_eq!(found(&before, &before.replace("version: 1.0.0", "version: 1.0.1")), [version]);
}

#[test]
fn entries_that_are_gone_or_skipped_are_named() {
    let bundles = bundle("1.0.0", &[]) + &bundle("1.1.0", &[]);
    let before = channel("stable", &["{name: p.v1.1.0, replaces: p.v1.0.0}", "name: p.v1.0.0"]) + &bundles;
    let without = channel("stable", &["{name: p.v1.1.0, replaces: p.v1.0.0}"]) + &bundles;
    let removed = "entry-removed: channel `stable` no longer lists `p.v1.0.0`: clusters that have it are updated to `p.v1.1.0` at once, and `startingCSV` can no longer name it";
    assert_eq!(found(&before, &without), [removed]);
    let skipped = before.replace("replaces: p.v1.0.0", "skips: [p.v1.0.0]");
    let skips = "entry-newly-skipped: `p.v1.1.0` skips `p.v1.0.0` in channel `stable`: no update installs it any more";
    assert_eq!(found(&before, &skipped), [skips]);
}

#[test]
fn channels_and_deprecations_are_named() {
    let before = channel("stable", &["name: p.v1.0.0"]) + &bundle("1.0.0", &[]);
    let more = channel("fast", &["name: p.v1.0.0"]);
    assert_eq!(found(&before, &format!("{before}{more}")), ["channel-added: channel `fast` is new"]);
    let deprecated = "---\nschema: olm.deprecations\npackage: p\nentries:\n- {reference: {schema: olm.bundle, name: p.v1.0.0}, message: old}\n";
    let expected = "deprecation-added: bundle `p.v1.0.0` is deprecated: Subscriptions get a condition that says so";
    assert_eq!(found(&before, &format!("{before}{deprecated}")), [expected]);
    let (old, new) = (
        lowered(&format!("{PACKAGE}{before}{more}")),
        lowered(&format!("{}{before}{more}", PACKAGE.replace("stable", "fast"))),
    );
    let state = |catalog| State { catalog, rejected: None };
    let comparison = &compare(state(&old), state(&new))[0];
    let rules: Vec<_> = changes(state(&old), state(&new), comparison).iter().map(|change| change.rule.id()).collect();
    assert_eq!(rules, ["default-channel-changed"]);
}
