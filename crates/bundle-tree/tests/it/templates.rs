//! Packages whose channels come from catalog templates, as the pipelines of the community catalogs make them.

use bundle::File;
use bundle_tree::{Tree, build};
use source::FileId;
use source::{BundleMode, BundleRules};
use template::Images;

const CI: &str = "\
fbc:
  enabled: true
  catalog_mapping:
  - {template_name: old.yaml, catalog_names: [v4.9, v4.8], type: olm.template.basic}
  - {template_name: new.yaml, catalog_names: [v4.18], type: olm.template.basic}
  - {template_name: semver.yaml, catalog_names: [v4.10], type: olm.semver}
";
const BASIC: &str = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: p, defaultChannel: stable}\n\
    - {schema: olm.channel, package: p, name: stable, entries: [{name: p.v1.0.0}]}\n\
    - {schema: olm.bundle, image: 'quay.io/a/p@sha256:00'}\n";
const SEMVER: &str =
    "schema: olm.semver\ngenerateMinorChannels: true\nstable: {bundles: [{image: 'quay.io/a/p:v1.0.0'}]}\n";

/// A folder of an operator with the bundles 1.0.0 and 2.0.0, which replaces the first, and further files.
fn tree(others: &[(&str, &str)], rules: Option<&BundleRules>) -> Tree {
    let prefix = "operators.operatorframework.io.bundle";
    let annotations = format!("annotations: {{{prefix}.package.v1: p, {prefix}.channels.v1: alpha}}\n");
    let mut texts: Vec<(String, String)> = Vec::new();
    for (version, replaces) in [("1.0.0", ""), ("2.0.0", "replaces: p.v1.0.0")] {
        let csv = format!(
            "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}}}\nspec: {{version: {version}, {replaces}}}\n"
        );
        texts.push((format!("operators/p/{version}/manifests/csv.yaml"), csv));
        texts.push((format!("operators/p/{version}/metadata/annotations.yaml"), annotations.clone()));
    }
    texts.extend(others.iter().map(|(path, text)| (format!("operators/p/{path}"), (*text).to_owned())));
    let file = |(at, (path, text)): (u32, &'static (String, String))| File { id: FileId(at), path, text, fault: None };
    let texts: &'static [(String, String)] = texts.leak();
    build(&(0..).zip(texts).map(file).collect::<Vec<_>>(), rules, &Images::default())
}

/// By what it was built, its documents but for the package, and the messages of the findings.
fn told(tree: &Tree) -> String {
    let document = |document: &bundle::Document| match &*document.schema {
        "olm.channel" => {
            let entries = document.json.split("\"entries\":").nth(1).expect("it has entries");
            format!("{}{}", document.name, entries.trim_end_matches('}').replace(['"'], ""))
        }
        _ => document.name.clone(),
    };
    let mut lines = vec![tree.rules["p"].describe()];
    lines.extend(tree.documents.iter().skip(1).map(document));
    lines.extend(tree.findings.iter().map(|finding| finding.message.clone()));
    lines.join("\n")
}

const RELEASE: &str = "catalog_templates:\n- {template_name: new.yaml, channels: [stable, fast], replaces: p.v1.0.0, skipRange: \
    '<2.0.0', skips: [p.v1.5.0]}\n";

#[test]
fn a_bundle_is_released_to_the_template_of_the_newest_catalog() {
    let files = [
        ("ci.yaml", CI),
        ("catalog-templates/old.yaml", BASIC),
        ("catalog-templates/new.yaml", BASIC),
        ("2.0.0/release-config.yaml", RELEASE),
    ];
    let tree = tree(&files, None);
    let expected = "the catalog template new.yaml\n\
        fast[{name:p.v2.0.0,replaces:p.v1.0.0,skips:[p.v1.5.0],skipRange:<2.0.0}]\n\
        stable[{name:p.v1.0.0},{name:p.v2.0.0,replaces:p.v1.0.0,skips:[p.v1.5.0],skipRange:<2.0.0}]\n\
        p.v1.0.0\np.v2.0.0";
    assert_eq!(told(&tree), expected);
    assert!(tree.templates.iter().eq(["new.yaml", "old.yaml", "semver.yaml"]));
}

#[test]
fn another_template_or_mode_can_be_chosen() {
    let files = [("ci.yaml", CI), ("catalog-templates/old.yaml", BASIC), ("2.0.0/release-config.yaml", RELEASE)];
    let chosen = |name: &str| told(&tree(&files, Some(&BundleRules::Template(name.to_owned()))));
    let left_out = "bundle `p.v2.0.0` is in no channel of the template `old.yaml`: the template does not list it, and its \
                    `release-config.yaml` does not add it there";
    assert_eq!(
        chosen("old.yaml"),
        format!("the catalog template old.yaml\nstable[{{name:p.v1.0.0}}]\np.v1.0.0\n{left_out}")
    );
    assert!(chosen("other.yaml").starts_with("the catalog template new.yaml\n"), "it has no such template");
    let replaces = told(&tree(&files, Some(&BundleRules::Mode(BundleMode::Replaces))));
    let expected =
        "the rules of replaces mode\nalpha[{name:p.v1.0.0},{name:p.v2.0.0,replaces:p.v1.0.0}]\np.v1.0.0\np.v2.0.0";
    assert_eq!(replaces, expected);
}

#[test]
fn a_template_is_made_for_its_first_bundles() {
    let release = "catalog_templates: [{template_name: new.yaml, channels: [a, b], defaultChannel: c}]\n";
    let tree = tree(&[("ci.yaml", CI), ("1.0.0/release-config.yaml", release)], None);
    assert!(tree.documents[0].json.contains("\"defaultChannel\":\"c\""), "{}", tree.documents[0].json);
    let expected = "the catalog template new.yaml\na[{name:p.v1.0.0}]\nb[{name:p.v1.0.0}]\np.v1.0.0\n\
        bundle `p.v2.0.0` is in no channel of the template `new.yaml`: the template does not list it, and it has no \
        `release-config.yaml`\ndefaultChannel 'c' not found in 'new.yaml'. Available channels: a, b";
    assert_eq!(told(&tree), expected);
}

#[test]
fn misspelt_fields_of_a_release_are_told() {
    let release = "catalog_templates: [{template_name: new.yaml, channels: [a], default_channel: a, replaces: null}]\nmerges: true\nmerge: true\n";
    let told = told(&tree(&[("ci.yaml", CI), ("1.0.0/release-config.yaml", release)], None));
    for field in ["default_channel", "merges"] {
        let expected = format!("`release-config.yaml` has no field `{field}` here");
        assert_eq!(told.matches(&expected).count(), 1, "{told}");
    }
    assert_eq!(told.matches("has no field").count(), 2, "{told}");
}

#[test]
fn a_bundle_that_the_template_lists_is_not_released_again() {
    let release = "catalog_templates: [{template_name: new.yaml, channels: [stable], skipRange: '<1.0.0'}]\n";
    let files = [("ci.yaml", CI), ("catalog-templates/new.yaml", BASIC), ("1.0.0/release-config.yaml", release)];
    let told = told(&tree(&files, None));
    assert!(told.contains("stable[{name:p.v1.0.0}]"), "{told}");
}

#[test]
fn a_semver_template_gets_the_image_of_the_bundle() {
    let release = "catalog_templates: [{template_name: semver.yaml, channels: [Stable, Slow]}]\n";
    let files = [("ci.yaml", CI), ("catalog-templates/semver.yaml", SEMVER), ("2.0.0/release-config.yaml", release)];
    let expected = "the catalog template semver.yaml\nstable-v1.0[{name:p.v1.0.0}]\nstable-v2.0[{name:p.v2.0.0}]\n\
        p.v1.0.0\np.v2.0.0\nsemver catalog template 'semver.yaml' has no channel `Slow`";
    let tree = tree(&files, None);
    assert_eq!(told(&tree), expected);
    assert!(!tree.has_unknown_bundles && tree.to_yaml().unwrap().contains("image: \"\""), "a directory has no image");
}

#[test]
fn unknown_bundles_are_told() {
    let template = BASIC.replace("p.v1.0.0", "p.v0.9.0");
    let release = "catalog_templates: [{template_name: gone.yaml, channels: [x]}]\n";
    let files = [("ci.yaml", CI), ("catalog-templates/new.yaml", &*template), ("1.0.0/release-config.yaml", release)];
    let tree = tree(&files, None);
    let told = told(&tree);
    assert!(tree.has_unknown_bundles);
    assert!(told.contains("no loaded catalog has a bundle with the image `quay.io/a/p@sha256:00`"), "{told}");
    assert!(told.contains("Template mapping not found for 'gone.yaml' in ci.yaml."), "{told}");
}

#[test]
fn a_release_without_fbc_is_told() {
    let told = told(&tree(&[("2.0.0/release-config.yaml", RELEASE)], None));
    assert!(told.ends_with("`ci.yaml` does not enable FBC for the operator"), "{told}");
}

#[test]
fn no_file_of_a_pipeline_makes_it_fail() {
    for text in
        ["", "[", "a", "catalog_templates: 5", "catalog_templates: [5, {template_name: new.yaml}]", "{entries: 5}"]
    {
        for path in ["ci.yaml", "catalog-templates/new.yaml", "2.0.0/release-config.yaml"] {
            let mut files = vec![("ci.yaml", CI), ("2.0.0/release-config.yaml", RELEASE)];
            files.retain(|(other, _)| *other != path);
            files.push((path, text));
            tree(&files, None);
        }
    }
}
