//! The text of a filtered catalog.

use crate::{lowered, wanted};
use mirror::{OcMirror, filter};
use source::FileId;

/// The filtered text, which has to be the text of the filtered model.
#[track_caller]
fn check(text: &str, more: &str, expected: &str) {
    let parse = fbc::parse(FileId(0), text);
    let catalog = lowered(text);
    let filtering = filter(&catalog, &wanted(more), OcMirror::default());
    let kept = filtering.kept.unwrap_or_else(|| panic!("{:?}", filtering.diagnostics));
    let found = kept.text(text, &parse).unwrap_or_default();
    assert_eq!(found, expected);
    let model = lowered(&found);
    let names = |catalog: &catalog::Catalog| -> Vec<String> {
        let packages = catalog.packages.iter().map(|package| {
            let channels: Vec<String> = package
                .channels
                .iter()
                .map(|channel| {
                    format!(
                        "{}{:?}",
                        channel.name,
                        channel.entries.iter().map(|entry| &entry.name.value).collect::<Vec<_>>()
                    )
                })
                .collect();
            let bundles: Vec<&str> = package.bundles.iter().map(|bundle| bundle.name.value.as_str()).collect();
            let default = package.default_channel.as_ref().map(|channel| channel.value.as_str());
            format!("{} {default:?} {channels:?} {bundles:?} {}", package.name, package.deprecations.len())
        });
        packages.collect()
    };
    assert_eq!(names(&model), names(&kept.catalog(&catalog)));
}

const BUNDLES: &str = "---\nschema: olm.bundle\npackage: p\nname: p.v2\nproperties:\n- {type: olm.package, value: {packageName: p, version: 2.0.0}}\n---\nschema: olm.bundle\npackage: p\nname: p.v1\nproperties:\n- {type: olm.package, value: {packageName: p, version: 1.0.0}}\n";
const KEPT: &str = "---\nschema: olm.bundle\npackage: p\nname: p.v2\nproperties:\n- {type: olm.package, value: {packageName: p, version: 2.0.0}}\n";

#[test]
fn documents_and_entries_are_kept_to_the_letter() {
    let text = format!(
        "schema: olm.package # the package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\nname:   c\npackage: p\nentries:\n  # newest\n  - name: p.v2\n    replaces: 'p.v1'\n    skipRange: <2.0.0\n  - name: p.v1\n---\nschema: other\nvalue: 1\n{BUNDLES}"
    );
    let expected = format!(
        "schema: olm.package # the package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\nname:   c\npackage: p\nentries:\n  # newest\n  - name: p.v2\n    replaces: 'p.v1'\n    skipRange: <2.0.0\n---\nschema: other\nvalue: 1\n{KEPT}"
    );
    check(&text, "", &expected);
}

#[test]
fn the_last_entry_may_remain_alone() {
    let text = format!(
        "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\nname: c\npackage: p\nentries:\n- name: p.v1\n- name: p.v2\n  replaces: p.v1\n{BUNDLES}"
    );
    let expected = text.replace("- name: p.v1\n- name", "- name").replace(BUNDLES, KEPT);
    check(&text, "", &expected);
    let flow = text.replace(
        "entries:\n- name: p.v1\n- name: p.v2\n  replaces: p.v1\n",
        "entries: [{name: p.v1}, {name: p.v2, replaces: p.v1}]\n",
    );
    check(&flow, "", &flow.replace("{name: p.v1}, ", "").replace(BUNDLES, KEPT));
}

#[test]
fn json_stays_json() {
    let text = "{\"schema\": \"olm.package\", \"name\": \"p\", \"defaultChannel\": \"c\"}\n{\"schema\": \"olm.channel\", \"package\": \"p\", \"name\": \"c\", \"entries\": [{\"name\": \"p.v1\"}, {\"name\": \"p.v2\", \"replaces\": \"p.v1\"}]}\n{\"schema\": \"olm.channel\", \"package\": \"p\", \"name\": \"d\", \"entries\": [{\"name\": \"p.v1\"}]}\n";
    let expected = "{\"schema\": \"olm.package\", \"name\": \"p\", \"defaultChannel\": \"d\"}\n{\"schema\": \"olm.channel\", \"package\": \"p\", \"name\": \"c\", \"entries\": [{\"name\": \"p.v2\", \"replaces\": \"p.v1\"}]}\n{\"schema\": \"olm.channel\", \"package\": \"p\", \"name\": \"d\", \"entries\": [{\"name\": \"p.v1\"}]}\n";
    check(text, "  packages: [{name: p, defaultChannel: d}]\n", expected);
}

#[test]
fn what_cannot_be_cut_is_written_anew() {
    let text = "schema: olm.package\nname: p\n---\nschema: olm.channel\nname: c\npackage: p\nentries:\n- name: &old p.v1\n- name: p.v2\n  replaces: *old\n";
    let channel = "entries:\n- name: p.v2\n  replaces: p.v1\nname: c\npackage: p\nschema: olm.channel\n";
    let package = "defaultChannel: c\nname: p\nschema: olm.package\n";
    check(text, "  packages: [{name: p, defaultChannel: c}]\n", &format!("{package}---\n{channel}"));
    let capitals = |text: &str| {
        let keys = [("schema:", "Schema:"), ("name:", "Name:"), ("package:", "Package:"), ("entries:", "Entries:")];
        let keys = keys.into_iter().chain([("replaces:", "Replaces:")]);
        keys.fold(text.to_owned(), |text, (key, capital)| text.replace(key, capital))
    };
    let expected = capitals(&format!("{package}---\n{channel}"));
    let expected = expected.replace(
        "defaultChannel: c\nName: p\nSchema: olm.package\n",
        "Name: p\nSchema: olm.package\ndefaultChannel: c\n",
    );
    check(&capitals(text), "  packages: [{name: p, defaultChannel: c}]\n", &expected);
}

#[test]
fn deprecations_are_cut_to_what_remains() {
    let channels = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\nname: c\npackage: p\nentries:\n- name: p.v2\n---\nschema: olm.channel\nname: d\npackage: p\nentries:\n- name: p.v1\n";
    let all = "- message: m\n  reference: {schema: olm.bundle, name: p.v1}\n- message: m\n  reference: {schema: olm.package}\n- message: m\n  reference: {schema: olm.channel, name: d}\n- message: m\n  reference: {schema: olm.channel, name: c}\n";
    let head = "---\nschema: olm.deprecations\npackage: p\nentries:\n";
    let rest =
        "- message: m\n  reference: {schema: olm.package}\n- message: m\n  reference: {schema: olm.channel, name: c}\n";
    let kept = channels.split("---\nschema: olm.channel\nname: d").next().unwrap();
    let config = "  packages: [{name: p, channels: [{name: c}]}]\n";
    check(&format!("{channels}{head}{all}{BUNDLES}"), config, &format!("{kept}{head}{rest}{KEPT}"));
    let only = "- message: m\n  reference: {schema: olm.bundle, name: p.v1}\n";
    let none = "---\nentries: []\npackage: p\nschema: olm.deprecations\n";
    check(&format!("{channels}{head}{only}{BUNDLES}"), config, &format!("{kept}{none}{KEPT}"));
}

#[test]
fn other_packages_and_their_documents_are_left_out() {
    let text = "schema: olm.package\nname: p\n---\nschema: other\npackage: q\n---\nschema: other\npackage: p\n---\nschema: other\n---\nschema: olm.package\nname: q\n";
    let expected = "schema: olm.package\nname: p\n---\nschema: other\npackage: p\n---\nschema: other\n";
    check(text, "  packages: [{name: p}]\n", expected);
    let parse = fbc::parse(FileId(0), "schema: olm.package\nname: q\n");
    let kept = filter(&lowered(text), &wanted("  packages: [{name: p}]\n"), OcMirror::default()).kept.unwrap();
    assert_eq!(kept.text("schema: olm.package\nname: q\n", &parse), None);
}
