//! `--image-set`

use super::compare::INSTALLED;
use super::{answer, check_failure, ended, put, report};
use serde_json::json;

/// Writes a configuration of these items.
fn config(name: &str, operators: &str) {
    let text = format!(
        "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n{operators}"
    );
    put(name, text);
}

#[test]
fn a_catalog_is_compared_with_its_mirror() {
    config(
        "store.set",
        "  - catalog: quay.io/c:v1\n    packages: [{name: store, defaultChannel: stable}, {name: lost}]\n",
    );
    let (text, _) = answer("compare catalog.yaml --image-set store.set");
    let said = "▲ the catalog has no package `lost` (unknown-mirrored) (store.set:6)\n";
    assert!(text.contains("\n✕ 1.0.0 in stable: stuck") && text.contains(said), "{text}");
    let least = "· `store`: the mirror strands 1 installed version; `minVersion: 1.5.0` strands none";
    assert!(text.contains(least), "{text}");
    assert_eq!(answer("compare catalog.yaml --image-set store.set --deny breaking").1, 1);
    config("enough.set", "  - {catalog: quay.io/c:v1, packages: [{name: store, minVersion: 1.5.0}]}\n");
    assert_eq!(answer("compare catalog.yaml --image-set enough.set --deny breaking").1, 0);
}

#[test]
fn all_formats_tell_of_the_mirror() {
    config("formats.set", "  - {catalog: quay.io/c:v1, packages: [{name: store}, {name: lost}]}\n");
    let command = "compare catalog.yaml --image-set formats.set --format";
    let of = |format: &str| answer(&format!("{command} {format}")).0;
    let mirror = &report(&format!("{command} json")).0["mirror"];
    assert_eq!(mirror["follows"], "oc-mirror v2 of OpenShift 5.0 and later with catalog-filter v0.0.5");
    let finding = &mirror["findings"][0];
    let at = (&finding["line"], &finding["column"]);
    assert_eq!((&finding["rule"], at), (&json!("unknown-mirrored"), (&json!(5), &json!(62))));
    let found = &mirror["minVersions"][0];
    assert_eq!((&found["minVersion"], &found["stranded"], &found["keptThen"]), (&json!("1.5.0"), &json!(1), &json!(2)));
    assert!(
        of("markdown")
            .contains("### In the mirror (oc-mirror v2 of OpenShift 5.0 and later with catalog-filter v0.0.5)\n")
    );
    let commands = of("github");
    assert!(commands.contains("::warning file=formats.set,line=5,endLine=5,col=62,"), "{commands}");
    assert!(commands.contains("::error file=catalog.yaml,line="), "{commands}");
    let log = &report(&format!("{command} sarif")).0["runs"][0];
    let rules: Vec<&str> =
        log["results"].as_array().unwrap().iter().filter_map(|found| found["ruleId"].as_str()).collect();
    assert!(rules.contains(&"v0-stranded") && rules.contains(&"unknown-mirrored"), "{rules:?}");
}

#[test]
fn the_versions_of_a_cluster_are_those_that_count() {
    config("cluster.set", "  - {catalog: quay.io/c:v1, packages: [{name: store}]}\n");
    put("mirrored.yaml", INSTALLED);
    let command = "compare catalog.yaml --image-set cluster.set --cluster mirrored.yaml --catalog other=catalog.yaml";
    let (text, _) = answer(command);
    assert!(text.contains("In the cluster\n"), "{text}");
    assert!(text.contains("`store`: the mirror strands no installed version; no `minVersion`"), "{text}");
}

#[test]
fn without_a_mirror_there_is_no_answer() {
    config("stops.set", "  - {catalog: quay.io/c:v1, packages: [{name: store, minVersion: 3.0.0}]}\n");
    let stops = "stops.set:5:66: oc-mirror stops: package \"store\" channel \"stable\" has version range \">=3.0.0\" that results in an empty channel";
    check_failure("compare catalog.yaml --image-set stops.set", stops);
    check_failure("render catalog.yaml --image-set stops.set", stops);
    config("several.set", "  - catalog: quay.io/a:v1\n  - catalog: quay.io/b:v1\n");
    let several =
        "`several.set` has several catalogs; choose one with `--image-set-catalog`: quay.io/a:v1, quay.io/b:v1";
    check_failure("compare catalog.yaml --image-set several.set", several);
    let unknown = "`several.set` has no catalog `c`, only quay.io/a:v1, quay.io/b:v1";
    check_failure("compare catalog.yaml --image-set several.set --image-set-catalog c", unknown);
    assert_eq!(answer("compare catalog.yaml --image-set several.set --image-set-catalog quay.io/b:v1").1, 0);
    config("none.set", "    []\n");
    check_failure(
        "compare catalog.yaml --image-set none.set",
        "`none.set` mirrors no catalog: `mirror.operators` is empty",
    );
    check_failure(
        "compare catalog.yaml --image-set missing.set",
        "cannot read `missing.set`: No such file or directory (os error 2)",
    );
    assert_eq!(ended("compare catalog.yaml added.yaml --image-set none.set").code, 2);
    assert_eq!(ended("compare catalog.yaml").code, 2);
}

#[test]
fn the_filtered_catalog_is_printed() {
    config("print.set", "  - {catalog: quay.io/c:v1, packages: [{name: store, channels: [{name: stable}]}]}\n");
    let (text, code) = answer("render catalog.yaml --image-set print.set --format yaml");
    let channel = "---\nentries:\n- name: store.v2.0.0\n  replaces: store.v1.5.0\nname: stable\npackage: store\nschema: olm.channel\n";
    assert!(code == 0 && text.contains(channel) && !text.contains("app"), "{text}");
    assert_eq!(text.matches("schema: olm.bundle").count(), 1, "{text}");
    put("filtered.yaml", &text);
    assert_eq!(answer("validate filtered.yaml").1, 0);
}

#[test]
fn the_release_of_oc_mirror_is_chosen_by_the_version_of_openshift() {
    let bounds = "minVersion: 1.5.0, maxVersion: 1.5.0";
    config(
        "one.set",
        &format!(
            "  - {{catalog: quay.io/c:v1, packages: [{{name: store, channels: [{{name: stable, {bounds}}}]}}]}}\n"
        ),
    );
    let of = |version: &str| answer(&format!("compare catalog.yaml --image-set one.set --oc-mirror {version}")).0;
    assert!(
        of("4.18").contains("In the mirror (oc-mirror v2 of OpenShift 4.18 with catalog-filter v0.0.4)"),
        "{}",
        of("4.18")
    );
    assert!(of("4.20").contains("In the mirror (oc-mirror v2 of OpenShift 4.19 to 4.22 with catalog-filter v0.0.5)"));
    for (version, expected) in [
        ("4.17", "oc-mirror of OpenShift 4.17 is not known; known are those of 4.18 to 4.22, and of 5.0 and later"),
        ("4.23", "oc-mirror of OpenShift 4.23 is not known; known are those of 4.18 to 4.22, and of 5.0 and later"),
        ("newest", "expected a version of OpenShift: 4.18 to 4.22, or 5.0 and later"),
    ] {
        let refused = ended(&format!("compare catalog.yaml --image-set one.set --oc-mirror {version}"));
        assert!(refused.code == 2 && refused.errors.contains(expected), "{}", refused.errors);
    }
    config(
        "typo.set",
        "  - {catalog: quay.io/c:v1, packages: [{name: store, minVersion: 1.5.0, maxVersion: 1.5.0}]}\n",
    );
    let emptied = "does not list version 1.5.0, so it has no entries in the mirror";
    let said = |version: &str| ended(&format!("render catalog.yaml --image-set typo.set --oc-mirror {version}")).errors;
    assert_eq!((said("4.18").contains(emptied), said("4.20").contains(emptied)), (false, true), "{}", said("4.20"));
}
