//! `opscope crd`: what it prints and how it ends.

use crate::command::{file, opscope};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A CRD with these versions and what follows its `spec`.
fn crd(name: &str, versions: &[&str], more: &str) -> PathBuf {
    let versions: Vec<String> = versions.iter().map(|version| format!("  - {version}\n")).collect();
    let text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: etcds.example.com}}\nspec:\n  \
         group: example.com\n  names: {{kind: Etcd, plural: etcds}}\n  scope: Namespaced\n  versions:\n{}{more}",
        versions.concat()
    );
    file(name, &text)
}

fn told(old: &Path, new: &Path, more: &[&str]) -> (String, String, i32) {
    let arguments =
        [&["crd".as_ref(), old.as_os_str(), new.as_os_str()], &more.iter().map(AsRef::as_ref).collect::<Vec<_>>()[..]];
    opscope(arguments.concat()).ended().parts()
}

const OLD: &str =
    "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {properties: {size: {type: integer}}}}}";
const NEW: &str = "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {properties: {size: {type: integer, maximum: 5}}}}}";
const BETA: &str = "{name: v1beta1, served: true, schema: {openAPIV3Schema: {}}}";

#[test]
fn an_upgrade_that_both_make() {
    let old = crd("same.yaml", &[OLD], "status: {storedVersions: [v1]}\n");
    let expected = "OLM v1 upgrades `etcds.example.com`\n\nOLM v0 upgrades `etcds.example.com`\n";
    assert_eq!(told(&old, &old, &[]), (expected.to_owned(), String::new(), 0));
}

#[test]
fn what_both_find() {
    let old = crd("old.yaml", &[OLD, BETA], "status: {storedVersions: [v1beta1, v1]}\n");
    let expected = "OLM v1 does not upgrade `etcds.example.com`: 2 findings
  storedVersionRemoval: stored versions removed : [v1beta1]
  v1: ^.size: maximum: maximum constraint added when there was none previously : 5

OLM v0 does not upgrade `etcds.example.com`
  risk of data loss updating \"etcds.example.com\": new CRD removes version v1beta1 that is listed as
  a stored version on the existing CRD
  v1: ^.size: maximum: maximum constraint added when there was none previously : 5

Operators that require one of these APIs fail after the upgrade, or block it
  example.com/v1beta1, Etcd: removed
";
    assert_eq!(told(&old, &crd("new.yaml", &[NEW], ""), &[]), (expected.to_owned(), String::new(), 1));
}

#[test]
fn without_a_status_an_assumption_is_told() {
    let (old, new) = (crd("bundle-old.yaml", &[OLD], ""), crd("bundle-new.yaml", &[NEW], ""));
    let (out, _, code) = told(&old, &new, &[]);
    let expected = "
OLM v0 upgrades `etcds.example.com`, unless an object on the cluster does not fit one of these
changes
  v1: ^.size: maximum: maximum constraint added when there was none previously : 5

note: the old CustomResourceDefinition has no `status.storedVersions`, so objects are taken to be
      stored in `v1`; a cluster that had older versions of the operator may have others
";
    assert!(out.ends_with(expected), "{out}");
    assert_eq!(code, 1);
}

#[test]
fn findings_by_chance_are_told_apart() {
    let more =
        "{name: v2, served: true, schema: {openAPIV3Schema: {properties: {size: {type: integer}}, required: [b, a]}}}";
    let both = crd("by-chance.yaml", &[OLD, more], "status: {storedVersions: [v1]}\n");
    let expected = "OLM v1 upgrades `etcds.example.com`

In some runs OLM v1 also has these findings, which the old CustomResourceDefinition had before
  v1 -> v2: ^: required: new required fields: [a b]

OLM v0 upgrades `etcds.example.com`
";
    assert_eq!(told(&both, &both, &[]), (expected.to_owned(), String::new(), 0));
}

#[test]
fn json_has_the_lines_of_both() {
    let old = crd("old-json.yaml", &[OLD, BETA], "status: {storedVersions: [v1]}\n");
    let new = crd("new-json.yaml", &[NEW, "{name: v1beta1, schema: {openAPIV3Schema: {}}}"], "");
    let (out, _, code) = told(&old, &new, &["--format", "json"]);
    let answer: Value = serde_json::from_str(&out).expect("the answer is JSON");
    let line = "v1: ^.size: maximum: maximum constraint added when there was none previously : 5";
    let expected = json!({
        "name": "etcds.example.com",
        "findings": [line],
        "byChance": [],
        "v0": {"error": null, "restrictions": [line], "onlyWarns": false},
        "lostApis": [{"group": "example.com", "version": "v1beta1", "kind": "Etcd", "loss": "notServed"}],
        "assumptions": [],
    });
    assert_eq!((answer, code), (expected, 1));
}

#[test]
fn what_is_no_crd_has_its_place() {
    let fine = crd("fine.yaml", &[OLD], "");
    for (name, text, line, expected) in [
        ("service.yaml", "kind: Service\n", 1, "7`: expected kind `CustomResourceDefinition`, found `Service`"),
        ("list.yaml", "- a\n", 1, "1`: expected a CustomResourceDefinition, found a value of type array"),
        ("empty.yaml", "# nothing\n", 1, "1`: expected a CustomResourceDefinition, found no document"),
        (
            "beta.yaml",
            "kind: CustomResourceDefinition\napiVersion: v1\n",
            2,
            "13`: expected apiVersion `apiextensions.k8s.io/v1`, found `v1`",
        ),
        (
            "misfit.yaml",
            "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec:\n  versions: none\n",
            4,
            "13`: json: cannot unmarshal string into Go struct field CustomResourceDefinitionSpec.spec.versions of type \
             []v1.CustomResourceDefinitionVersion",
        ),
    ] {
        let path = file(name, text);
        let expected = format!("opscope: cannot read `{}:{line}:{expected}\n", path.display());
        assert_eq!(told(&fine, &path, &[]), (String::new(), expected, 2));
    }
    let (out, error, code) = told(&fine, &file("broken.yaml", "kind: [\n"), &[]);
    assert!(error.contains("broken.yaml:"), "{error}");
    assert_eq!((&*out, code), ("", 2));
}

#[test]
fn two_crds_of_different_names_are_no_upgrade() {
    let old = crd("one.yaml", &[OLD], "");
    let text = fs::read_to_string(&old).unwrap().replace("etcds.example.com", "other.example.com");
    let new = file("other.yaml", &text);
    let expected = format!(
        "opscope: expected two states of one CustomResourceDefinition, found `etcds.example.com` in `{}` and \
         `other.example.com` in `{}`\n",
        old.display(),
        new.display()
    );
    assert_eq!(told(&old, &new, &[]), (String::new(), expected, 2));
}
