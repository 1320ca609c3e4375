//! `opscope render`: what it prints and how it ends.

use crate::command::{self, Ended, opscope};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const CSV: &str = "kind: ClusterServiceVersion\nmetadata: {name: etcd.v1.0.0}\nspec: {version: 1.0.0}\n";

const ANNOTATIONS: &str = "annotations:\n  operators.operatorframework.io.bundle.package.v1: etcd\n  \
                           operators.operatorframework.io.bundle.channels.v1: 4.10\n";

const CATALOG: &str = "schema: olm.channel
package: etcd
name: stable
entries: [{name: etcd.v1.0.0}]
---
schema: olm.package
name: etcd
defaultChannel: stable
";

/// A folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = command::folder(&format!("render/{name}"));
    command::write(&folder, files);
    folder
}

fn bundle(name: &str, annotations: &str) -> PathBuf {
    folder(name, &[("manifests/csv.yaml", CSV), ("metadata/annotations.yaml", annotations)])
}

/// Standard output, standard error with the folder as `DIR`, and exit code.
fn told(folder: &Path, more: &[&str]) -> (String, String, i32) {
    let dir = folder.to_str().expect("a path that is text");
    let Ended { out, errors, code } = opscope([&["render", dir], more].concat()).ended();
    (out, errors.replace(dir, "DIR"), code)
}

#[test]
fn a_bundle_directory_is_printed_as_json() {
    let (out, errors, code) = told(&bundle("json", ANNOTATIONS), &[]);
    let expected = r#"{
    "schema": "olm.bundle",
    "name": "etcd.v1.0.0",
    "package": "etcd",
    "image": "",
    "properties": [
        {
            "type": "olm.package",
            "value": {
                "packageName": "etcd",
                "version": "1.0.0"
            }
        },
        {
            "type": "olm.bundle.object",
            "value": {
                "data": "eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwibWV0YWRhdGEiOnsibmFtZSI6ImV0Y2QudjEuMC4wIn0sInNwZWMiOnsidmVyc2lvbiI6IjEuMC4wIn19"
            }
        }
    ]
}
"#;
    let warning = "warning[reinterpreted-text]: opm reads `4.10` as `4.1`\n  --> DIR/metadata/annotations.yaml:3:54\n  help: put \
                   it in quotes\n";
    assert_eq!((&*out, &*errors, code), (expected, warning, 0));
}

#[test]
fn a_bundle_directory_is_printed_as_yaml() {
    let (out, _, code) = told(&bundle("yaml", ANNOTATIONS), &["--format", "yaml"]);
    let start = "---\nimage: \"\"\nname: etcd.v1.0.0\npackage: etcd\nproperties:\n- type: olm.package\n  value:\n    packageName: etcd\n    \
                 version: 1.0.0\n- type: olm.bundle.object\n  value:\n    data: eyJ";
    assert!(out.starts_with(start) && out.ends_with("\nschema: olm.bundle\n") && code == 0, "{out}");
}

/// What both formats print of a package with this description, written as YAML.
fn described(name: &str, description: &str) -> [String; 2] {
    let catalog = format!("schema: olm.package\nname: etcd\ndescription: {description}\n");
    let folder = folder(name, &[("catalog.yaml", &catalog)]);
    ["json", "yaml"].map(|format| {
        let (out, errors, code) = told(&folder, &["--format", format]);
        assert_eq!((&*errors, code), ("", 0));
        out
    })
}

#[test]
fn a_document_has_the_bytes_of_opm() {
    let of = |text: &str| format!("---\ndefaultChannel: \"\"\ndescription: {text}name: etcd\nschema: olm.package\n");
    assert_eq!(described("boat", r#""a boat \U0001F6A4""#)[1], of("\"a boat \\U0001F6A4\"\n"));
    assert_eq!(described("kept", "|+\n  ends with a blank line\n")[1], of("|+\n  ends with a blank line\n\n"));
    assert_eq!(described("number", "'.5_1'")[1], of("\".5_1\"\n"));
    assert_eq!(described("line", r#""a\Lb""#)[1], of("'a\u{2028}  b'\n"));
    let [json, _] = described("space", r#""<\x09\_\u202E\L>""#);
    assert!(json.contains("\"<\\t\u{a0}\u{202e}\\u2028>\""), "{json}");
}

#[test]
fn control_characters_are_as_they_are_in_json() {
    let catalog = r#"{"schema": "olm.package", "name": "etcd", "description": "x\u007fy\u0085z\u009b1m\b"}"#;
    let (out, errors, code) = told(&folder("control", &[("catalog.json", catalog)]), &[]);
    assert!(out.contains("\"description\": \"x\u{7f}y\u{85}z\u{9b}1m\\b\"\n"), "{out:?}");
    assert_eq!((&*errors, code), ("", 0));
}

#[test]
fn a_catalog_is_printed_in_the_order_of_opm() {
    let (out, errors, code) = told(&folder("catalog", &[("catalog.yaml", CATALOG)]), &[]);
    let documents: Vec<Value> =
        serde_json::Deserializer::from_str(&out).into_iter().collect::<Result<_, _>>().expect("JSON");
    let expected = [
        json!({"schema": "olm.package", "name": "etcd", "defaultChannel": "stable"}),
        json!({"schema": "olm.channel", "package": "etcd", "name": "stable", "entries": [{"name": "etcd.v1.0.0"}]}),
    ];
    assert_eq!((documents, &*errors, code), (expected.to_vec(), "", 0));
}

#[test]
fn an_error_is_that_of_opm() {
    let folder = bundle("error", "a: b\n");
    let (out, errors, code) = told(&folder, &["--format", "json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((report, code), (json!({"error": "Could not find annotations file"}), 1));
    assert!(errors.contains("warning[ignored-metadata]"), "{errors}");
    let (out, errors, code) = told(&folder, &[]);
    let last = errors.lines().last();
    assert_eq!((&*out, last, code), ("", Some("render reference \"DIR\": Could not find annotations file"), 1));
    let (out, _, code) = told(&self::folder("broken", &[("catalog.yaml", "schema: [\n")]), &["--format", "json"]);
    let words = "error converting YAML to JSON: yaml: line 1: did not find expected node content";
    assert!(out.contains(words) && code == 1, "{out}");
}

#[test]
fn a_bundle_without_a_package_prints_nothing() {
    let annotations = "annotations: {operators.operatorframework.io.bundle.channels.v1: stable}\n";
    let (out, errors, code) = told(&bundle("nothing", annotations), &[]);
    assert!(out.is_empty() && code == 0 && errors.starts_with("error[unrendered-bundle]"), "{errors}");
}

#[test]
fn a_folder_of_bundles_is_printed_as_a_catalog() {
    let csv = |version: &str| {
        format!("kind: ClusterServiceVersion\nmetadata: {{name: etcd.v{version}}}\nspec: {{version: {version}}}\n")
    };
    let (one, two) = (csv("1.0.0"), csv("2.0.0"));
    let tree = folder(
        "tree",
        &[
            ("etcd/1.0.0/manifests/csv.yaml", &one),
            ("etcd/1.0.0/metadata/annotations.yaml", ANNOTATIONS),
            ("etcd/2.0.0/manifests/csv.yaml", &two),
            ("etcd/2.0.0/metadata/annotations.yaml", ANNOTATIONS),
            ("etcd/ci.yaml", "updateGraph: semver-mode\n"),
        ],
    );
    let (out, errors, code) = told(&tree, &["--format", "yaml"]);
    assert!(out.contains("- name: etcd.v1.0.0\n- name: etcd.v2.0.0\n  replaces: etcd.v1.0.0\n"), "{out}{errors}");
    assert!(errors.contains("opm itself makes no catalog; this is the one that they make by the rules of semver mode"));
    assert_eq!(code, 0);
    let (out, errors, code) = told(&tree, &["--mode", "replaces", "--format", "yaml"]);
    assert!(out.contains("- name: etcd.v2.0.0\n") && !out.contains("etcd.v1.0.0"), "{out}");
    assert!(errors.contains("warning[pruned-bundle]: bundle `etcd.v1.0.0` is pruned from channel `4.1`"), "{errors}");
    assert_eq!(code, 0);
    let template = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: etcd, defaultChannel: a}\n\
        - {schema: olm.channel, package: etcd, name: a, entries: [{name: etcd.v2.0.0, skips: [etcd.v1.0.0]}]}\n";
    let mapping =
        |name: &str, of: &str| format!("{{template_name: {name}, type: olm.template.basic, catalog_names: [{of}]}}");
    let ci = format!(
        "fbc: {{enabled: true, catalog_mapping: [{}, {}]}}\n",
        mapping("a.yaml", "v4.9"),
        mapping("b.yaml", "v4.18")
    );
    let of_templates = [
        ("etcd/ci.yaml", &*ci),
        ("etcd/catalog-templates/a.yaml", template),
        ("etcd/2.0.0/release-config.yaml", "catalog_templates: [{template_name: b.yaml, channels: [b]}]\n"),
    ];
    for (path, text) in of_templates {
        fs::create_dir_all(tree.join("etcd/catalog-templates")).expect("a folder");
        fs::write(tree.join(path), text).expect("a file");
    }
    let (out, errors, _) = told(&tree, &["--format", "yaml"]);
    assert!(out.contains("name: b\n") && errors.contains("they make by the catalog template b.yaml"), "{out}{errors}");
    let (out, _, code) = told(&tree, &["--template", "a.yaml", "--format", "yaml"]);
    assert!(out.contains("name: a\n") && out.contains("- etcd.v1.0.0\n") && code == 0, "{out}");
    fs::write(tree.join("etcd/1.0.0/manifests/csv.yaml"), "kind: ConfigMap\n").expect("a file");
    let (out, errors, code) = told(&tree, &["--format", "yaml"]);
    assert!(out.contains("etcd.v2.0.0") && errors.contains("error[unrendered-bundle]"), "{errors}");
    assert_eq!(code, 1, "a bundle is missing");
    let (_, errors, code) = told(&bundle("no-mode", ANNOTATIONS).join("manifests"), &["--mode", "semver"]);
    assert!(errors.contains("`--mode` and `--template` mean nothing"), "{errors}");
    assert_eq!(code, 2);
}
