//! Into the catalogs of which versions of OpenShift bundles go, by `com.redhat.openshift.versions`. The named bundles are those
//! of certified-operators `3b7b563a`, without what the rules do not read.

use bundle::File;
use bundle_tree::{build, by_openshift};
use source::{FileId, OpenShift, Rule};
use template::Images;

/// A bundle: its name, `spec` after the version, its annotation, and `olm.maxOpenShiftVersion` as JSON.
struct Given {
    name: &'static str,
    spec: &'static str,
    versions: Option<&'static str>,
    max: Option<&'static str>,
}

const fn bundle(name: &'static str, spec: &'static str, versions: &'static str) -> Given {
    Given { name, spec, versions: Some(versions), max: None }
}

fn texts(bundles: &[Given]) -> Vec<(String, String)> {
    let prefix = "operators.operatorframework.io.bundle";
    let files = |(at, Given { name, spec, versions, max }): (usize, &Given)| {
        let properties = max.map(|max| {
            format!(
                "annotations: {{olm.properties: '[{{\"type\": \"olm.maxOpenShiftVersion\", \"value\": {max}}}]'}}, "
            )
        });
        let csv = format!(
            "kind: ClusterServiceVersion\nmetadata: {{{}name: {name}}}\nspec: {{version: 1.0.{at}, {spec}}}\n",
            properties.unwrap_or_default()
        );
        let versions = versions.map(|versions| format!("  com.redhat.openshift.versions: {versions}\n"));
        let annotations = format!(
            "annotations:\n  {prefix}.package.v1: p\n  {prefix}.channels.v1: stable\n{}",
            versions.unwrap_or_default()
        );
        let folder = format!("operators/p/{at}");
        [(format!("{folder}/manifests/csv.yaml"), csv), (format!("{folder}/metadata/annotations.yaml"), annotations)]
    };
    bundles.iter().enumerate().flat_map(files).collect()
}

fn files(texts: &[(String, String)]) -> Vec<File<'_>> {
    let files = (0..).zip(texts);
    files.map(|(at, (path, text))| File { id: FileId(at), path, text, fault: None }).collect()
}

/// The findings about the versions of OpenShift, without those about ranges that end.
fn found(texts: &[(String, String)]) -> Vec<String> {
    let tree = build(&files(texts), None, &Images::default());
    let is_meant = |rule: Rule| rule.id().starts_with("bundle-range") && rule != Rule::BundleRangeEnds;
    let findings = tree.findings.iter().filter(|finding| is_meant(finding.rule));
    findings.map(|finding| format!("{}: {}", finding.rule, finding.message)).collect()
}

/// The messages and helps about ranges that end.
#[track_caller]
fn check_ends(bundles: &[Given], expected: &[(&str, &str)]) {
    let texts = texts(bundles);
    let tree = build(&files(&texts), None, &Images::default());
    let ends = tree.findings.iter().filter(|finding| finding.rule == Rule::BundleRangeEnds);
    let ends: Vec<(&str, &str)> =
        ends.map(|found| (&*found.message, found.help.as_deref().unwrap_or_default())).collect();
    assert_eq!(ends, expected);
}

/// The catalogs of a folder: the versions of each with its bundles, from the lowest, and how many documents there are.
fn catalogs(texts: &[(String, String)]) -> Vec<String> {
    let tree = by_openshift(&files(texts));
    let catalogs = tree.packages.iter().flat_map(|package| &package.catalogs);
    let line = |catalog: &bundle_tree::VersionedCatalog| {
        let names: Vec<&str> = catalog.bundles.iter().map(|(name, _)| &**name).collect();
        format!("{}: {}, {} documents", OpenShift::list(&catalog.versions), names.join(" "), catalog.documents.len())
    };
    catalogs.map(line).collect()
}

#[track_caller]
fn check(bundles: &[Given], expected: &[&str]) {
    assert_eq!(found(&texts(bundles)), expected);
}

#[test]
fn what_a_bundle_replaces_is_in_its_catalogs() {
    let replaces = "replaces: splunk-operator.v2.8.0";
    check(
        &[
            bundle("splunk-operator.v2.8.0", "", "v4.11-v4.17"),
            bundle("splunk-operator.v2.8.1", replaces, "v4.11-v4.19"),
        ],
        &["bundle-range-replaces: the catalogs of OpenShift 4.18 to 4.19 have `splunk-operator.v2.8.1`, but not \
             `splunk-operator.v2.8.0`, which it replaces"],
    );
    check(
        &[bundle("nim.v2.0.0", "", "v4.16"), bundle("nim.v2.0.1", "replaces: nim.v2.0.0", "v4.15")],
        &["bundle-range-replaces: the catalog of OpenShift 4.15 has `nim.v2.0.1`, but not `nim.v2.0.0`, which it \
             replaces"],
    );
    let alone = "bundle-range-replaces: the catalogs of OpenShift 4.12 to 4.13 and 4.15 to 4.22 have `b`, but not \
                 `a`, which it replaces";
    let everywhere = Given { versions: None, ..bundle("b", "replaces: a", "") };
    check(&[bundle("a", "", "=v4.14"), everywhere], &[alone]);
}

#[test]
fn catalogs_that_are_no_longer_built_play_no_role() {
    let everywhere = || Given { versions: None, ..bundle("b", "replaces: a", "") };
    check(&[bundle("a", "", "v4.12"), everywhere()], &[]);
    check(&[bundle("a", "", "v4.5,v4.6"), everywhere()], &[]);
    check(&[bundle("a", "", "v4.6-v4.22"), everywhere()], &[]);
    check(&[bundle("a", "", "v4.8"), bundle("b", "replaces: a, minKubeVersion: 1.25.0", "v4.8")], &[]);
}

#[test]
fn a_bundle_is_for_versions_that_it_supports() {
    let splunk = || bundle("splunk-operator.v3.0.0", "", "v4.11-v4.20");
    check(
        &[Given { max: Some("\"4.19\""), ..splunk() }],
        &[
            "bundle-range-max: the catalog of OpenShift 4.20 has `splunk-operator.v3.0.0`, which supports OpenShift up to 4.19: \
           OLM installs it there nevertheless",
        ],
    );
    check(&[Given { max: Some("\"4.20\""), ..splunk() }], &[]);
    check(&[Given { max: Some("\"4.19.1\""), ..splunk() }], &[]);
    check(&[Given { max: Some("\"5.0\""), versions: None, ..splunk() }], &[]);
}

#[test]
fn a_bundle_is_for_versions_with_its_kubernetes() {
    let below = "bundle-range-min-kube: the catalog of OpenShift 4.18 has `intel-network-operator.v1.1.1`, which needs \
                 Kubernetes 1.32.0: there its CSV stays Pending, and OLM updates nothing in its namespace any more";
    let intel = |versions| bundle("intel-network-operator.v1.1.1", "minKubeVersion: 1.32.0", versions);
    check(&[intel("v4.18-v4.20")], &[below]);
    check(&[intel("v4.19-v4.20")], &[]);
    // None of the bundles may be for OpenShift.
    check(&[Given { versions: None, ..intel("") }], &[]);
}

#[test]
fn a_range_that_cannot_be_read_is_told() {
    let unknown = "bundle-range-invalid: the catalogs of `a` are not known: this is no range of OpenShift versions";
    check(&[bundle("a", "", "next")], &[unknown]);
    check(&[bundle("a", "", "4.12")], &[unknown]);
    check(&[bundle("a", "", "'4.12'")], &[]);
}

#[test]
fn each_version_has_the_bundles_that_name_it() {
    let amber =
        [bundle("amber.v5.15.0", "", "v4.12"), bundle("amber.v5.16.0", "replaces: amber.v5.15.0", "v4.12-v4.18")];
    let expected =
        ["4.12 to 4.18: amber.v5.15.0 amber.v5.16.0, 4 documents", "4.19 to 4.22: amber.v5.15.0, 3 documents"];
    assert_eq!(catalogs(&texts(&amber)), expected);
    // One that names no version is in all, and one that names what nobody can read in none.
    let everywhere = Given { versions: None, ..bundle("a", "", "") };
    let middle = bundle("b", "replaces: a", "v4.14-v4.15");
    let expected = ["4.12 to 4.13 and 4.16 to 4.22: a, 3 documents", "4.14 to 4.15: a b, 4 documents"];
    assert_eq!(catalogs(&texts(&[everywhere, middle, bundle("c", "", "next")])), expected);
    // Without what the head replaces there is no channel.
    let broken = [bundle("a", "", "v4.21"), bundle("b", "replaces: a", "v4.20-v4.21")];
    let expected = ["4.20: b, 0 documents", "4.21: a b, 4 documents", "4.22: a, 3 documents"];
    assert_eq!(catalogs(&texts(&broken)), expected);
}

#[test]
fn a_head_whose_range_ends_is_a_hint() {
    let open = "leave the range open, or release a version for later ones of OpenShift";
    let newest = || bundle("amber.v5.16.0", "replaces: amber.v5.15.0", "v4.12-v4.18");
    let before = "`amber.v5.16.0` is for OpenShift up to 4.18: the catalogs of OpenShift 4.19 to 4.22 have `amber.v5.15.0` as the \
                  head of channel `stable`";
    check_ends(&[bundle("amber.v5.15.0", "", "v4.12"), newest()], &[(before, open)]);
    let gone =
        "`amber.v5.16.0` is for OpenShift up to 4.18: the catalogs of OpenShift 4.19 to 4.22 have no channel `stable`";
    let some = "`amber.v5.16.0` is for OpenShift up to 4.18: the catalog of OpenShift 4.19 has `amber.v5.15.0` as the head of \
                channel `stable`";
    check_ends(&[bundle("amber.v5.15.0", "", "=v4.19"), newest()], &[(some, open)]);
    check_ends(&[bundle("amber.v5.15.0", "", "v4.20-v4.22"), bundle("amber.v5.16.0", "", "=v4.22")], &[]);
    let only = Given { max: Some("\"4.18\""), ..newest() };
    check_ends(&[only], &[]);
    check_ends(&[newest()], &[(gone, open)]);
    // Not the head, or open.
    check_ends(&[bundle("amber.v5.15.0", "", "v4.12-v4.18"), bundle("amber.v5.16.0", "", "v4.12")], &[]);
}

#[test]
fn operators_with_templates_are_left_out() {
    let mut texts = texts(&[bundle("a", "minKubeVersion: 1.35.0", "v4.12")]);
    assert_eq!(found(&texts).len(), 1);
    let ci =
        "fbc: {enabled: true, catalog_mapping: [{template_name: t.yaml, type: olm.semver, catalog_names: [v4.12]}]}\n";
    texts.push(("operators/p/ci.yaml".to_owned(), ci.to_owned()));
    assert_eq!((found(&texts), catalogs(&texts)), (Vec::new(), Vec::new()));
}
