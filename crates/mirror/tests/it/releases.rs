//! How the releases of oc-mirror differ.

use crate::{configuration, errors, filtered_by, lowered, messages, remaining, wanted};
use fixture::yaml;
use mirror::{OcMirror, filter, read};
use source::{FileId, Severity};

/// Channel `a` has a head that skips a version; channel `b` has the newest version alone.
const SKIPPING: &str = "package p, default a\na: 1.2.0 (replaces 1.0.0; skips 1.1.0), 1.1.0, 1.0.0\nb: 1.2.0";

/// The item `packages` with bounds at the package or at channel `a`.
fn bounds(of_channel: bool, min: &str, max: &str) -> String {
    let bounds = [("minVersion", min), ("maxVersion", max)];
    let bounds: Vec<String> = bounds
        .iter()
        .filter(|(_, bound)| !bound.is_empty())
        .map(|(field, bound)| format!("{field}: '{bound}'"))
        .collect();
    let bounds = bounds.join(", ");
    let package = if of_channel { format!("channels: [{{name: a, {bounds}}}]") } else { bounds };
    format!("  packages: [{{name: p, {package}}}]\n")
}

#[test]
fn one_version_is_kept_alone_and_its_edges_stay() {
    let bounds = bounds(true, "1.1.0", "1.1.0");
    let (old, new) = (filtered_by(OcMirror::V4_18, SKIPPING, &bounds), filtered_by(OcMirror::V4_19, SKIPPING, &bounds));
    assert_eq!(remaining(&old), ["p a: 1.1.0 1.2.0"]);
    assert!(messages(&old)[0].starts_with("mirrored-out-of-range: including bundle \"p.v1.2.0\""), "{old:?}");
    assert_eq!((remaining(&new), messages(&new)), (vec!["p a: 1.1.0".to_owned()], vec![]));
    let chain = "package p, default a\na: 1.0.0 <- 1.1.0 <- 1.2.0";
    let catalog = lowered(&yaml(chain));
    let kept = filter(&catalog, &wanted(&bounds), OcMirror::V5_0).kept.unwrap().catalog(&catalog);
    let entry = &kept.packages[0].channels[0].entries[0];
    assert_eq!(entry.replaces.as_ref().map(|name| name.value.as_str()), Some("p.v1.0.0"));
}

#[test]
fn a_channel_without_the_only_version_has_no_entries_and_cannot_be_served() {
    let bounds = bounds(false, "1.1.0", "1.1.0");
    let old = filtered_by(OcMirror::V4_18, SKIPPING, &bounds);
    assert_eq!(remaining(&old), ["p a: 1.1.0 1.2.0"]);
    let lost = "empty-mirrored-channel: no version of channel `b` is in the range `>=1.1.0 <=1.1.0`, so the mirror does not have it";
    assert!(messages(&old).contains(&lost.to_owned()), "{old:?}");
    let catalog = lowered(&yaml(SKIPPING));
    let new = filter(&catalog, &wanted(&bounds), OcMirror::V5_0);
    let emptied = "empty-mirrored-channel: channel `b` does not list version 1.1.0, so it has no entries in the mirror and opm cannot serve the catalog: channel must contain at least one bundle";
    assert_eq!((messages(&new), new.diagnostics[0].severity), (vec![emptied.to_owned()], Severity::Error));
    let kept = new.kept.unwrap().catalog(&catalog);
    let entries: Vec<usize> = kept.packages[0].channels.iter().map(|channel| channel.entries.len()).collect();
    assert_eq!(entries, [1, 0]);
}

#[test]
fn a_version_that_no_bundle_has_stops_each_release_with_its_own_error() {
    let bounds = bounds(true, "77.0.0", "77.0.0");
    let empty = r#"package "p" channel "a" has version range ">=77.0.0 <=77.0.0" that results in an empty channel"#;
    assert_eq!(errors(&filtered_by(OcMirror::V4_18, SKIPPING, &bounds)), [empty]);
    let missing = "error finding specific bundle: specific version 77.0.0 not found in bundles";
    assert_eq!(errors(&filtered_by(OcMirror::V4_19, SKIPPING, &bounds)), [missing]);
}

#[test]
fn bounds_that_are_written_differently_are_a_range() {
    for release in OcMirror::ALL {
        let walked = filtered_by(release, SKIPPING, &bounds(true, "1.1", "1.1.0"));
        assert_eq!(remaining(&walked), ["p a: 1.1.0 1.2.0"], "{release:?}");
        let lone = filtered_by(release, SKIPPING, &bounds(true, "1.1.0", ""));
        assert_eq!(remaining(&lone), ["p a: 1.1.0 1.2.0"], "{release:?}");
    }
}

#[test]
fn of_bundles_that_differ_by_build_metadata_one_is_kept_at_random() {
    let text = |build: u8| {
        format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v1.1.0-{build}\nproperties: [{{type: olm.package, value: {{packageName: p, version: 1.1.0+{build}}}}}]\n"
        )
    };
    let text = format!(
        "schema: olm.package\nname: p\ndefaultChannel: a\n---\nschema: olm.channel\npackage: p\nname: a\nentries: [{{name: p.v1.1.0-2, replaces: p.v1.1.0-1}}, {{name: p.v1.1.0-1}}]\n{}{}",
        text(1),
        text(2)
    );
    let filtered = |release| filter(&lowered(&text), &wanted(&bounds(true, "1.1.0", "1.1.0")), release);
    assert_eq!(remaining(&filtered(OcMirror::V4_18)), ["p a: 1.1.0-1 1.1.0-2"]);
    let new = filtered(OcMirror::V4_19);
    let random =
        "random-mirrored: `p.v1.1.0-1`, `p.v1.1.0-2` all have version 1.1.0, and oc-mirror keeps one of them at random";
    assert_eq!((remaining(&new), messages(&new)), (vec!["p a: 1.1.0-1".to_owned()], vec![random.to_owned()]));
}

#[test]
fn a_channel_that_lists_some_of_these_bundles_may_have_no_entries() {
    let channel = |name: &str, build: u8| {
        format!(
            "---\nschema: olm.channel\npackage: p\nname: {name}\nentries: [{{name: p.v1.1.0-{build}}}]\n---\nschema: olm.bundle\npackage: p\nname: p.v1.1.0-{build}\nproperties: [{{type: olm.package, value: {{packageName: p, version: 1.1.0+{build}}}}}]\n"
        )
    };
    let text = ["schema: olm.package\nname: p\ndefaultChannel: a\n", &channel("a", 1), &channel("b", 2)].concat();
    let found = filter(&lowered(&text), &wanted(&bounds(false, "1.1.0", "1.1.0")), OcMirror::V5_0);
    assert_eq!(remaining(&found), ["p a: 1.1.0-1", "p b: 1.1.0-2"]);
    let random = |channel: &str| {
        format!(
            "random-mirrored: `p.v1.1.0-1`, `p.v1.1.0-2` all have version 1.1.0, and oc-mirror keeps one of them at random; channel `{channel}` does not list all of them, so it may have no entries"
        )
    };
    assert_eq!(messages(&found), [random("a"), random("b")]);
}

#[test]
fn a_channel_is_not_ordered_for_one_version() {
    let two_heads = "package p, default a\na: 1.2.0, 1.1.0";
    let bounds = bounds(true, "1.1.0", "1.1.0");
    let heads = "multiple channel heads found: [p.v1.1.0 p.v1.2.0]";
    assert_eq!(errors(&filtered_by(OcMirror::V4_18, two_heads, &bounds)), [heads]);
    assert_eq!(remaining(&filtered_by(OcMirror::V4_19, two_heads, &bounds)), ["p a: 1.1.0"]);
}

#[test]
fn old_releases_drop_all_schemas_but_three() {
    let text = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1}]\n---\nschema: olm.deprecations\npackage: p\nentries: [{reference: {schema: olm.package}, message: old}]\n---\nschema: other\npackage: p\n";
    let parse = fbc::parse(FileId(0), text);
    let filtered = |release| filter(&lowered(text), &wanted("  packages: [{name: p}]\n"), release);
    let (old, new) = (filtered(OcMirror::V4_19), filtered(OcMirror::V5_0));
    let dropped = "mirror-drops-metadata: the mirror lacks the deprecations or lifecycle data of `p`: oc-mirror of OpenShift 4.19 to 4.22 drops `olm.deprecations` and all schemas that opm does not know";
    assert_eq!((messages(&old), messages(&new)), (vec![dropped.to_owned()], vec![]));
    let (old, new) = (old.kept.unwrap(), new.kept.unwrap());
    let deprecations = |kept: &mirror::Kept| kept.catalog(&lowered(text)).packages[0].deprecations.len();
    assert_eq!((deprecations(&old), deprecations(&new)), (0, 1));
    assert_eq!(new.text(text, &parse).as_deref(), Some(text));
    let written = old.text(text, &parse).unwrap();
    assert!(!written.contains("olm.deprecations") && !written.contains("other"), "{written}");
}

#[test]
fn lifecycle_data_is_metadata_of_its_package() {
    let text = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1}]\n---\nschema: io.openshift.operators.lifecycles.v1alpha1\npackage: p\nversions: [{name: '1.0', phases: [{name: Full support, startDate: '2026-01-01', endDate: '2026-12-31'}]}]\n";
    let filtered = |release, more: &str| filter(&lowered(text), &wanted(more), release);
    let p = "  packages: [{name: p}]\n";
    let dropped = messages(&filtered(OcMirror::V4_19, p));
    assert!(dropped.len() == 1 && dropped[0].starts_with("mirror-drops-metadata: "), "{dropped:?}");
    let count =
        |release, more: &str| filtered(release, more).kept.unwrap().catalog(&lowered(text)).lifecycles().count();
    assert_eq!((count(OcMirror::V4_19, p), count(OcMirror::V5_0, p)), (0, 1));
    assert_eq!(count(OcMirror::V5_0, "  packages: [{name: q}]\n"), 0);
}

/// What a release of oc-mirror says of a configuration.
fn read_by(release: OcMirror, text: &str) -> Vec<String> {
    read(FileId(1), text, release).diagnostics.iter().map(|found| found.message.clone()).collect()
}

#[test]
fn platforms_of_releases_exclude_architectures() {
    let of = |platform: &str| configuration("- catalog: quay.io/c:v1\n") + "  platform: " + platform + "\n";
    let both = of("{architectures: [amd64], platforms: [{os: linux, architecture: arm64}]}");
    let error = "oc-mirror rejects the configuration: platform.platforms and platform.architectures cannot be used together; use platform.platforms for sparse manifest filtering (requires disabling manifest list blob checks on container registry side), or platform.architectures (deprecated) for OCP multi payload or single arch payloads";
    assert_eq!(read_by(OcMirror::V5_0, &both), [error]);
    for one in ["{architectures: [amd64]}", "{platforms: [{os: linux, architecture: arm64}], architectures: []}"] {
        assert_eq!(read_by(OcMirror::V5_0, &of(one)), [""; 0], "{one}");
    }
    assert_eq!(read_by(OcMirror::V4_18, &both), ["oc-mirror of OpenShift 4.18 has no field `platforms`"]);
    assert_eq!(read_by(OcMirror::V4_18, &of("{architectures: [amd64]}")), [""; 0]);
}

#[test]
fn platforms_choose_images_and_need_both_fields() {
    let platforms = "  platforms: [{os: linux, architecture: amd64}]\n  packages: [{name: p}]\n";
    assert_eq!(messages(&filtered_by(OcMirror::V5_0, SKIPPING, platforms)), [""; 0]);
    let text = configuration("- catalog: quay.io/c:v1\n  platforms: [{architecture: arm64}, {os: linux}]\n");
    assert_eq!(read_by(OcMirror::V4_19, &text), ["oc-mirror of OpenShift 4.19 to 4.22 has no field `platforms`"]);
    let found = read_by(OcMirror::V5_0, &text);
    let rejected =
        "oc-mirror rejects the configuration: invalid platform for operator catalog \"quay.io/c:v1\": platform ";
    let expected = ["OS must not be empty (architecture: \"arm64\")", "architecture must not be empty (OS: \"linux\")"];
    assert_eq!(found, expected.map(|error| format!("{rejected}{error}")));
}
