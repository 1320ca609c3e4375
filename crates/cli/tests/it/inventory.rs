//! `opscope inventory`: what it prints and how it ends.

use crate::command::{file, opscope};
use serde_json::Value;
use std::path::Path;

const PACKAGES: &str = r#"{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "packages.operators.coreos.com/v1", "kind": "PackageManifest", "metadata": {"name": "etcd"},
   "status": {"catalogSource": "community", "catalogSourceNamespace": "olm", "catalogSourceDisplayName": "Community",
     "catalogSourcePublisher": "Example", "packageName": "etcd", "defaultChannel": "stable", "channels": [
       {"name": "stable", "currentCSV": "etcd.v1.1.0", "currentCSVDesc": {"version": "1.1.0"}, "entries": [
         {"name": "etcd.v1.1.0", "version": "1.1.0"},
         {"name": "etcd.v1.0.0", "version": "1.0.0", "deprecation": {"message": "use 1.1"}}]}]}}]}"#;

fn told(path: &Path, more: &[&str]) -> (String, String, i32) {
    let path = path.to_str().expect("a path that is text");
    opscope([&["inventory", path], more].concat()).ended().parts()
}

#[test]
fn packages_are_listed_with_the_way_to_the_catalog() {
    let (out, errors, code) = told(&file("packages.json", PACKAGES), &[]);
    let expected = "CatalogSource olm/community (Community, Example)
package  channel           head         versions      deprecated
etcd     stable (default)  etcd.v1.1.0  1.1.0 1.0.0!  etcd.v1.0.0: use 1.1

PackageManifests list packages, channels and versions. They have no update edges, no dependencies
and no images, so there is no graph to draw and nothing to simulate: get the catalogs themselves.

The catalog of olm/community:
  # print the name of the catalog image
  kubectl get catalogsource community -n olm -o jsonpath='{.spec.image}'
  # extract the catalog to a folder
  oc image extract IMAGE --path /configs/:FOLDER
  # or save the image as a file
  skopeo copy docker://IMAGE oci-archive:catalog.tar
  # or write the catalog as one file
  opm render IMAGE -o yaml > catalog.yaml
";
    assert_eq!((out.as_str(), errors.as_str(), code), (expected, "", 0));
}

#[test]
fn json_has_the_entries_and_the_notice() {
    let (out, _, code) = told(&file("packages-as-json.json", PACKAGES), &["--format", "json"]);
    let answer: Value = serde_json::from_str(&out).expect("the answer is JSON");
    assert!(answer["notice"].as_str().is_some_and(|notice| notice.contains("no update edges")));
    let channel = &answer["sources"][0]["packages"][0]["channels"][0];
    assert_eq!((&channel["isDefault"], &channel["entries"][1]["deprecated"]), (&true.into(), &"use 1.1".into()));
    assert_eq!(code, 0);
}

#[test]
fn a_broken_object_is_told_and_the_rest_is_shown() {
    let text = PACKAGES.replace("\"items\": [", "\"items\": [{\"kind\": \"PackageManifest\", \"status\": 5},");
    let (out, errors, code) = told(&file("broken-packages.json", &text), &[]);
    assert!(out.contains("etcd.v1.1.0") && errors.contains("`status` must be an object, found a number"), "{errors}");
    assert!(errors.contains("the answer is not complete"), "{errors}");
    assert_eq!(code, 2);
}

#[test]
fn other_files_are_no_inventory() {
    let (_, errors, code) = told(&file("no-packages.yaml", "schema: olm.package\nname: p\n"), &[]);
    assert!(errors.contains("is a catalog, and the command takes PackageManifests"), "{errors}");
    assert_eq!(code, 2);
    let (_, errors, code) = told(&file("no-object.yaml", "kind: Service\n"), &[]);
    assert!(errors.contains("has no PackageManifests; `kubectl get packagemanifests -A -o json > FILE`"), "{errors}");
    assert_eq!(code, 2);
}
