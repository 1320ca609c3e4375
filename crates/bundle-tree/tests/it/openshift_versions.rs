//! Into the catalogs of which versions of OpenShift bundles go, by `com.redhat.openshift.versions`. The named bundles are those
//! of certified-operators `3b7b563a`, without what the rules do not read.

use bundle::File;
use bundle_tree::build;
use source::FileId;
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

/// The findings about the versions of OpenShift.
fn found(texts: &[(String, String)]) -> Vec<String> {
    let file = |(at, (path, text)): (u32, &'_ (String, String))| File {
        id: FileId(at),
        path: path.clone().leak(),
        text: text.clone().leak(),
        fault: None,
    };
    let files: Vec<File<'_>> = (0..).zip(texts).map(file).collect();
    let tree = build(&files, None, &Images::default());
    let findings = tree.findings.iter().filter(|finding| finding.rule.id().starts_with("bundle-range"));
    findings.map(|finding| format!("{}: {}", finding.rule, finding.message)).collect()
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
fn operators_with_templates_are_left_out() {
    let mut texts = texts(&[bundle("a", "minKubeVersion: 1.35.0", "v4.12")]);
    assert_eq!(found(&texts).len(), 1);
    let ci =
        "fbc: {enabled: true, catalog_mapping: [{template_name: t.yaml, type: olm.semver, catalog_names: [v4.12]}]}\n";
    texts.push(("operators/p/ci.yaml".to_owned(), ci.to_owned()));
    assert_eq!(found(&texts), [""; 0]);
}
