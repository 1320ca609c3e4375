//! What else changed in a package.

use crate::{catalog, lowered};
use compare::{Change, Presence, State, Texts, Union, changes, compare};
use std::collections::BTreeSet;
use update_graph::Via;

const PACKAGE: &str = "schema: olm.package\nname: p\ndefaultChannel: stable\n";
const OTHER: &str = "---\nschema: olm.package\nname: q\ndefaultChannel: c\n---\nschema: olm.channel\npackage: q\nname: c\nentries:\n- name: q.v1.0.0\n---\nschema: olm.bundle\npackage: q\nname: q.v1.0.0\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: q, version: 1.0.0}}\n- {type: olm.gvk, value: {group: g, version: v1, kind: Q}}\n";

/// A channel of `p`; the entries are YAML.
pub(crate) fn channel(name: &str, entries: &[&str]) -> String {
    let entries: String = entries.iter().map(|entry| format!("- {entry}\n")).collect();
    format!("---\nschema: olm.channel\npackage: p\nname: {name}\nentries:\n{entries}")
}

/// A bundle of `p` with more properties in YAML.
pub(crate) fn bundle(version: &str, properties: &[&str]) -> String {
    let properties: String = properties.iter().map(|property| format!("- {property}\n")).collect();
    format!(
        "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i\nproperties:\n- {{type: olm.package, value: {{packageName: p, version: {version}}}}}\n{properties}"
    )
}

/// The changes to `p` between two catalogs.
fn between(old: &str, new: &str) -> Vec<Change> {
    let (before, after) = (lowered(old), lowered(new));
    let state = |catalog| State { catalog, rejected: None };
    let comparison = &compare(state(&before), state(&after))[0];
    let texts = Texts { old: &|_| Some(old.into()), new: &|_| Some(new.into()) };
    changes(state(&before), state(&after), comparison, texts)
}

/// Lines `rule: message` of the changes to `p`.
pub(crate) fn found(old: &str, new: &str) -> Vec<String> {
    lines(&between(&format!("{PACKAGE}{old}{OTHER}"), &format!("{PACKAGE}{new}{OTHER}")))
}

fn lines(changes: &[Change]) -> Vec<String> {
    changes.iter().map(|change| format!("{}: {}", change.rule.id(), change.message)).collect()
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
    let image = "image-changed: bundle `p.v1.0.0` has another image: with OLM v0, clusters that have it never get the new one, and new installations differ from them";
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
    let skips =
        "entry-newly-skipped: `p.v1.1.0` skips `p.v1.0.0` in channel `stable`: nobody is updated to it any more";
    assert_eq!(found(&before, &skipped), [skips]);
}

/// The messages of changes between two states in the notation of `fixture`.
fn noted(old: &str, new: &str) -> Vec<String> {
    let [old, new] = [old, new].map(|text| format!("package p, default stable\n{text}"));
    lines(&between(&fixture::yaml(&old), &fixture::yaml(&new)))
}

#[test]
fn versions_that_a_channel_does_not_list_are_told_when_their_updates_come_or_go() {
    let versions = "stable: 1.0.0";
    let edges = [
        ("1.1.0", "1.1.0 (replaces 1.0.0)"),
        ("1.1.0", "1.1.0 (skipRange >=1.0.0 <1.1.0)"),
        (
            "1.2.0 (replaces 1.1.0; skipRange >=1.1.0 <1.2.0), 1.1.0",
            "1.2.0 (replaces 1.1.0; skipRange >=1.0.0 <1.2.0), 1.1.0",
        ),
    ];
    for (without, with) in edges {
        let [without, with] = [without, with].map(|entries| format!("{versions}\nfast: {entries}"));
        let is = "`fast`, which does not list it,";
        let updated = format!("unlisted-updated: 1.0.0 in channel {is} gets updates again");
        assert_eq!(noted(&without, &with), [updated]);
        assert_eq!(noted(&with, &without), [format!("unlisted-worse: 1.0.0 in channel {is} gets stuck")]);
    }
    // Versions of earlier catalogs, which only edges name.
    let found = noted("stable: 1.2.0 (skips 1.0.0, 1.1.0)", "stable: 1.2.0");
    assert_eq!(
        found[0],
        "unlisted-worse: 1.0.0 to 1.1.0 (2 versions) in channel `stable`, which does not list them, get stuck"
    );
}

#[test]
fn a_release_and_a_promotion_say_nothing_of_what_a_channel_does_not_list() {
    let old = "stable: 1.0.0\nfast: 1.1.0 (replaces 1.0.0), 1.2.0 (replaces 1.1.0)";
    let released = "stable: 1.0.0\nfast: 1.1.0 (replaces 1.0.0), 1.2.0 (replaces 1.1.0), 1.3.0 (replaces 1.2.0)";
    assert_eq!(noted(old, released), ["head-changed: the head of channel `fast` is `p.v1.3.0` instead of `p.v1.2.0`"]);
    let promoted = old.replace("stable: 1.0.0", "stable: 1.0.0, 1.1.0 (replaces 1.0.0), 1.2.0 (replaces 1.1.0)");
    assert_eq!(
        noted(old, &promoted),
        ["head-changed: the head of channel `stable` is `p.v1.2.0` instead of `p.v1.0.0`"]
    );
}

#[test]
fn edges_that_change_no_update_are_counted() {
    let old = "stable: 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    let new =
        "stable: 1.2.0 (replaces 1.1.0; skipRange >=1.1.0 <1.2.0), 1.1.0 (replaces 1.0.0; skipRange <1.1.0), 1.0.0";
    let edges = "edges-changed: the edges of 2 entries in channel `stable` changed: OLM v0 updates what the channel lists as before";
    assert_eq!(noted(old, new), [edges]);
    assert_eq!(noted(old, old), [""; 0]);
    // OLM v0 does not look at the edges of a skipped entry. OLM v1 does.
    let skipped = "stable: 1.3.0 (replaces 1.1.0; skips 1.2.0), 1.2.0, 1.1.0 (replaces 1.0.0), 1.0.0";
    let with_edge = skipped.replace(" 1.2.0,", " 1.2.0 (replaces 1.0.0),");
    let edge = edges.replace("2 entries", "an entry");
    assert_eq!(noted(skipped, &with_edge), [&*edge]);
    assert_eq!(noted(&with_edge, skipped), [&*edge]);
}

#[test]
fn channels_and_deprecations_are_named() {
    let before = channel("stable", &["name: p.v1.0.0"]) + &bundle("1.0.0", &[]);
    let more = channel("fast", &["name: p.v1.0.0"]);
    assert_eq!(found(&before, &format!("{before}{more}")), ["channel-added: channel `fast` is new"]);
    let channel_name = "channel `Fast_1` is new, and no extension of OLM v1 can name it: it is no DNS subdomain (lower-case letters, digits, \
                        `-` and `.`)";
    let expected = [format!("v1-channel-name: {channel_name}"), "channel-added: channel `Fast_1` is new".to_owned()];
    assert_eq!(found(&before, &format!("{before}{}", channel("Fast_1", &["name: p.v1.0.0"]))), expected);
    let long = "a".repeat(254);
    let count = |name: &str| found(&before, &format!("{before}{}", channel(name, &["name: p.v1.0.0"]))).len();
    assert_eq!((count(&long), count(&long[1..])), (2, 1), "253 characters are allowed");
    let deprecated = "---\nschema: olm.deprecations\npackage: p\nentries:\n- {reference: {schema: olm.bundle, name: p.v1.0.0}, message: old}\n";
    let expected = "deprecation-added: bundle `p.v1.0.0` is deprecated: Subscriptions get a condition that says so";
    assert_eq!(found(&before, &format!("{before}{deprecated}")), [expected]);
    let with = |default: &str| format!("{}{before}{more}", PACKAGE.replace("stable", default));
    let rules: Vec<_> = between(&with("stable"), &with("fast")).iter().map(|change| change.rule.id()).collect();
    assert_eq!(rules, ["default-channel-changed"]);
}

/// The metadata of a ClusterServiceVersion.
fn csv(fields: &str) -> String {
    format!("{{type: olm.csv.metadata, value: {{{fields}}}}}")
}

#[test]
fn a_higher_version_of_kubernetes_is_named() {
    let min = |version: &str| csv(&format!("minKubeVersion: {version}"));
    let raised = |instead| {
        format!(
            "min-kube-raised: `p.v1.1.0` needs Kubernetes `1.25.0`{instead}: on older clusters its CSV stays Pending with `CSV version requirement not met: minKubeVersion (1.25.0) > server version (<version>)`"
        )
    };
    assert_eq!(released(&[&min("1.9.0")], &[&min("1.25.0")]), [&raised(" instead of `1.9.0`"), HEAD]);
    assert_eq!(released(&[&csv("")], &[&min("1.25.0")]), [&raised(""), HEAD]);
}

#[test]
fn a_version_of_kubernetes_that_olm_cannot_parse_is_met_on_no_cluster() {
    let min = |version: &str| csv(&format!("minKubeVersion: '{version}'"));
    let never = "min-kube-never: `p.v1.1.0` has the `minKubeVersion` `1.27`, which OLM cannot parse: on every cluster its CSV stays Pending with `CSV version parsing error`, and the update never ends";
    for before in ["1.25.0", "1.30.0"] {
        assert_eq!(released(&[&min(before)], &[&min("1.27")]), [never, HEAD], "{before}");
    }
}

#[test]
fn a_version_of_kubernetes_that_is_not_higher_is_not_named() {
    let min = |version: &str| csv(&format!("minKubeVersion: {version}"));
    for (before, after) in [("1.25.0", "1.25.0"), ("1.25.0", "1.9.0"), ("1.25.0", "''"), ("w", "x")] {
        assert_eq!(released(&[&min(before)], &[&min(after)]), [HEAD], "{before} {after}");
    }
    assert_eq!(released(&[], &[&min("1.25.0")]), [HEAD], "it is not known what the old head needs");
    assert_eq!(released(&[&min("1.9.0")], &[]), [HEAD]);
}

#[test]
fn install_modes_that_are_no_longer_supported_are_named() {
    let modes = |supported: &[&str]| {
        let mode = |mode: &&str| format!("{{type: {mode}Namespace, supported: {}}}", supported.contains(mode));
        csv(&format!("installModes: [{}]", ["Own", "Single"].iter().map(mode).collect::<Vec<_>>().join(", ")))
    };
    let [none, own, both] = [&[][..], &["Own"], &["Own", "Single"]].map(modes);
    let one = "install-mode-dropped: `p.v1.1.0` no longer supports the install mode `SingleNamespace`: in namespaces that use it its CSV fails with `UnsupportedOperatorGroup`";
    assert_eq!(released(&[&both], &[&own]), [one, HEAD]);
    let two = "install-mode-dropped: `p.v1.1.0` no longer supports the install modes `OwnNamespace`, `SingleNamespace`: in namespaces that use them its CSV fails with `UnsupportedOperatorGroup`";
    assert_eq!(released(&[&both], &[&none]), [two, HEAD]);
    assert_eq!(released(&[&both], &[&csv("")]), [two, HEAD], "a mode that is not listed is not supported");
    assert_eq!(released(&[&own], &[&both]), [HEAD]);
    assert_eq!(released(&[&both], &[&both]), [HEAD]);
    assert_eq!(released(&[&both], &[]), [HEAD], "it is not known what the new head supports");
}

#[test]
fn channels_with_the_same_heads_have_one_change() {
    let min = |version: &str| csv(&format!("minKubeVersion: {version}"));
    let bundles = bundle("1.0.0", &[&min("1.20.0")]) + &bundle("1.1.0", &[&min("1.25.0")]);
    let [old, new] = ["name: p.v1.0.0", "name: p.v1.1.0"].map(|entry| channel("fast", &[entry]));
    let entries = ["{name: p.v1.1.0, replaces: p.v1.0.0}", "name: p.v1.0.0"];
    let [before, after] = [&entries[1..], &entries].map(|entries| channel("stable", entries));
    let rules = |old: String, new: String| -> Vec<String> {
        found(&(old + &bundles), &(new + &bundles))
            .iter()
            .map(|line| line.split(':').next().unwrap().to_owned())
            .collect()
    };
    let all = rules(old + &before, new.clone() + &after);
    assert_eq!(all, ["min-kube-raised", "head-changed", "head-changed"], "both channels have the same heads");
    assert_eq!(rules(new.clone() + &before, new + &after), ["min-kube-raised", "head-changed"]);
}

/// A bundle with related images.
fn with_images(version: &str, images: &[&str]) -> String {
    let images: String = images.iter().map(|image| format!("- {{name: '', image: {image}}}\n")).collect();
    bundle(version, &[]).replace("properties:", &format!("relatedImages:\n{images}properties:"))
}

#[test]
fn new_related_images_are_counted() {
    let heads = ["name: p.v1.0.0", "{name: p.v1.1.0, replaces: p.v1.0.0}"];
    let released = |old: &[&str], new: &[&str]| {
        let before = channel("stable", &heads[..1]) + &with_images("1.0.0", old);
        let after = channel("stable", &heads) + &with_images("1.0.0", old) + &with_images("1.1.0", new);
        found(&before, &after)
    };
    let count =
        |images| format!("related-images: `p.v1.1.0` has {images} that no old head has: mirrors have to be refreshed");
    assert_eq!(released(&["a", "b"], &["b", "c"]), [HEAD, &count("a related image")]);
    assert_eq!(released(&["a"], &["a", "b", "c", "c", "''"]), [HEAD, &count("2 related images")]);
    assert_eq!(released(&["a", "b"], &["b"]), [HEAD], "what is gone needs no mirror");
    assert_eq!(released(&[], &[]), [HEAD]);
}

#[test]
fn related_images_are_one_change_for_all_channels() {
    let bundles = with_images("1.0.0", &["a"]) + &with_images("2.0.0", &["b"]);
    let before = channel("v1", &["name: p.v1.0.0"]) + &channel("v2", &["name: p.v2.0.0"]) + &bundles;
    let after = channel("v1", &["{name: p.v1.1.0, replaces: p.v1.0.0}", "name: p.v1.0.0"])
        + &channel("v2", &["{name: p.v2.1.0, replaces: p.v2.0.0}", "name: p.v2.0.0"])
        + &bundles;
    let images = |first: &[&str], second: &[&str]| {
        let released = with_images("1.1.0", first) + &with_images("2.1.0", second);
        let found = found(&before, &(after.clone() + &released)).into_iter();
        found.filter(|line| line.starts_with("related")).collect::<Vec<_>>()
    };
    let all = "related-images: the new heads have 3 related images that no old head has: mirrors have to be refreshed";
    assert_eq!(images(&["c", "d"], &["d", "e"]), [all]);
    let one = "related-images: `p.v2.1.0` has a related image that no old head has: mirrors have to be refreshed";
    assert_eq!(images(&["b"], &["c"]), [one], "the old head of another channel has it");
}

/// Lifecycle data of `p`: versions with the end of each of their phases.
fn lifecycle(versions: &[(&str, &[&str])]) -> String {
    let version = |(name, ends): &(&str, &[&str])| {
        let phases = ends.iter().map(|end| format!("  - {{name: {end}, startDate: 2020-01-01, endDate: {end}}}\n"));
        format!("- name: '{name}'\n  phases:\n{}", phases.collect::<String>())
    };
    let versions: String = versions.iter().map(version).collect();
    format!("---\nschema: io.openshift.operators.lifecycles.v1alpha1\npackage: p\nversions:\n{versions}")
}

#[test]
fn lifecycle_data_that_comes_goes_or_changes_is_metadata() {
    let catalog = channel("stable", &["name: p.v1.0.0"]) + &bundle("1.0.0", &[]);
    let with = |versions: &[(&str, &[&str])]| format!("{catalog}{}", lifecycle(versions));
    let one = with(&[("1.0", &["2026-01-31"])]);
    assert_eq!(found(&catalog, &one), ["metadata: the package has lifecycle data, which the console shows"]);
    let gone = "metadata: the lifecycle data of the package is gone: the console shows \"No data\"";
    assert_eq!(found(&one, &catalog), [gone]);
    let twice = "metadata: the package has 2 documents with lifecycle data: the console shows \"No data\"";
    assert_eq!(found(&one, &(one.clone() + &lifecycle(&[("1.0", &["2026-01-31"])]))), [twice]);
    let more = with(&[("0.9", &["2025-01-31"]), ("1.0", &["2026-01-31", "2026-12-31"])]);
    assert_eq!(found(&one, &more), ["metadata: the lifecycle data differs for `1.0`, `0.9`"]);
    assert_eq!(found(&one, &one.replace("package: p\nversions", "package: 'p'\nversions")), [""; 0]);
}

#[test]
fn support_that_ends_earlier_is_named_with_both_dates() {
    let catalog = channel("stable", &["name: p.v1.0.0"]) + &bundle("1.0.0", &[]);
    let with = |ends: &[&str]| format!("{catalog}{}", lifecycle(&[("1.0", ends)]));
    let expected = [
        "support-ends-earlier: support ends earlier: `p` 1.0 is supported until 2026-01-31 instead of 2027-01-31",
        "metadata: the lifecycle data differs for `1.0`",
    ];
    assert_eq!(found(&with(&["2026-01-31", "2027-01-31"]), &with(&["2026-01-31"])), expected);
    assert_eq!(found(&with(&["2026-01-31"]), &with(&["2026-02-01"])), expected[1..], "it ends later");
}

#[test]
fn lifecycle_data_is_taken_back_with_the_other_edits() {
    let entries = |replaces| channel("stable", &[replaces, "name: p.v1.0.0"]) + &bundle("1.0.0", &[]);
    let old = format!("{PACKAGE}{}{}", entries("{name: p.v1.1.0, replaces: p.v1.0.0}"), bundle("1.1.0", &[]));
    let new = format!("{PACKAGE}{}{}", entries("{name: p.v1.1.0, skips: [p.v1.0.0]}"), bundle("1.1.0", &[]));
    let new = new + &lifecycle(&[("1.0", &["2026-01-31"])]);
    let (before, after) = (lowered(&old), lowered(&new));
    let edits = compare::edits(&before.packages[0], &after.packages[0]);
    assert_eq!(edits.last(), Some(&compare::Edit::Lifecycle));
    let mut package = (*after.packages[0]).clone();
    compare::revert(&edits.iter().collect::<Vec<_>>(), &mut package, &before.packages[0]);
    assert_eq!(compare::edits(&before.packages[0], &package), []);
}

// Both states of a package in one.

#[test]
fn a_union_knows_what_each_state_has() {
    let old = catalog("stable: 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0\nfast: 1.0.0");
    let new = catalog("stable: 1.3.0 (replaces 1.2.0), 1.2.0 (replaces 1.0.0), 1.0.0");
    let union = Union::of(&old.packages[0], &new.packages[0]);
    let names = |channel: &str| -> Vec<&str> {
        let found = union.package.channel(channel).expect("both states have it, or one of them");
        found.entries.iter().map(|entry| entry.name.value.as_str()).collect()
    };
    assert_eq!(names("stable"), ["p.v1.3.0", "p.v1.2.0", "p.v1.0.0", "p.v1.1.0"]);
    assert_eq!(union.entry("stable", "p.v1.3.0"), Presence::After);
    assert_eq!(union.entry("stable", "p.v1.1.0"), Presence::Before);
    assert_eq!(union.entry("stable", "p.v1.0.0"), Presence::Both);
    assert_eq!(union.channel("fast"), Presence::Before);
    let edge = |older: &str, newer: &str, via| union.edge("stable", (older, newer), via);
    assert_eq!(edge("p.v1.0.0", "p.v1.2.0", Via::Replaces), (Presence::After, Via::Replaces));
    // In the union it is a skip, because the entry replaces another one now.
    assert_eq!(edge("p.v1.1.0", "p.v1.2.0", Via::Skips), (Presence::Before, Via::Replaces));
    assert_eq!(edge("p.v1.0.0", "p.v1.1.0", Via::Replaces), (Presence::Before, Via::Replaces));
}

#[test]
fn in_mermaid_a_channel_has_an_id_of_its_own() {
    let (old, new) = (catalog("n0: 1.0.0"), catalog("n0: 1.1.0 (replaces 1.0.0), 1.0.0"));
    let expected = "  subgraph c0[\"n0\"]
    n0[\"p.v1.0.0\"]
    n1[\"p.v1.1.0\"]:::added
    n0 ==>|added| n1
  end
";
    let drawing = compare::mermaid(&old.packages[0], &new.packages[0], &BTreeSet::new()).unwrap();
    assert!(drawing.ends_with(expected), "{drawing}");
}
