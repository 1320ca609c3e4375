//! `opscope set`, and catalogs for several versions of OpenShift in `validate`.

use crate::command::{Ended, folder, opscope, write};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Three catalogs: the package `p` ends with the last one.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let (p, q) = (fixture::yaml("package p\nc: 1.0.0 <- 1.1.0"), fixture::yaml("package q\nc: 1.0.0"));
    let folder = folder("sets");
    write(
        &folder,
        &[
            ("catalogs/v4.9/p/catalog.yaml", &p),
            ("catalogs/v4.9/q/catalog.yaml", &q),
            ("catalogs/v4.10/p/catalog.yaml", &p),
            ("catalogs/v4.10/q/catalog.yaml", &q),
            ("catalogs/v4.11/q/catalog.yaml", &q),
            ("good/v4.9/catalog.yaml", &q),
            ("good/v4.10/catalog.yaml", &q),
            ("twice/v4.9/catalog.yaml", &q),
            ("twice/4.9/catalog.yaml", &q),
            ("twice/4.10/catalog.yaml", &q),
            ("alone/catalog.yaml", &q),
        ],
    );
    folder
});

fn run(arguments: &str) -> Ended {
    opscope(arguments.split(' ')).within(&FOLDER).ended()
}

#[test]
fn an_error_is_a_no() {
    let Ended { out, code, .. } = run("set catalogs");
    assert!(out.contains("(set-package-ends) (catalogs/v4.10/p/catalog.yaml:2)\n"), "{out}");
    assert_eq!(code, 1);
    assert_eq!(run("set good").code, 0);
}

#[test]
fn the_answer_has_forms_for_programs() {
    let report: Value = serde_json::from_str(&run("set catalogs --format json").out).expect("it is JSON");
    let finding = &report["sets"][0]["findings"][0];
    assert_eq!(
        (&finding["id"], &finding["from"], &finding["to"]),
        (&"set-package-ends".into(), &"4.10".into(), &"4.11".into())
    );
    assert_eq!(finding["rows"].as_array().map(Vec::len), Some(2));
    assert!(run("set catalogs --format github").out.starts_with("::error file=catalogs/v4.10/p/catalog.yaml,line=2,"));
    let log: Value = serde_json::from_str(&run("set catalogs --format sarif").out).expect("it is JSON");
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "set-package-ends");
    assert!(run("set catalogs --format markdown").out.starts_with("### 1 of 2 packages leaves somebody behind"));
}

#[test]
fn several_paths_are_the_catalogs_themselves() {
    let Ended { out, code, .. } = run("set catalogs/v4.10 catalogs/v4.11");
    assert!(out.contains("(catalogs/v4.10/p/catalog.yaml:2)") && code == 1, "{out}");
    assert_eq!(run("set good/v4.9/catalog.yaml good/v4.10/catalog.yaml").code, 0);
}

#[test]
fn without_a_set_there_is_no_answer() {
    let Ended { errors, code, .. } = run("set alone");
    assert!(errors.starts_with("opscope: found no catalogs for several versions of OpenShift: expected "), "{errors}");
    assert_eq!(code, 2);
    let Ended { errors, code, .. } = run("set twice");
    let expected = "opscope: `twice/4.9` and `twice/v4.9` are both for OpenShift 4.9; name the paths that you mean\n";
    assert_eq!((errors.as_str(), code), (expected, 2));
}

#[test]
fn only_new_findings_are_listed_after_a_change() {
    let Ended { out, code, .. } = run("set catalogs --before catalogs");
    assert!(
        out.contains("\n1 finding that was there before is not listed\n") && !out.contains("set-package-ends"),
        "{out}"
    );
    assert_eq!(code, 0);
    let folder = folder("sets-before");
    let (old, new) = (fixture::yaml("c: 1.0.0 <- 1.1.0"), fixture::yaml("c: 1.0.0, 1.1.0 (skipRange >=1.0.1)"));
    let (old, new) = (&*old, &*new.replace("- {name: p.v1.0.0}\n", ""));
    write(
        &folder,
        &[("old/v4.9/c.yaml", old), ("old/v4.10/c.yaml", old), ("new/v4.9/c.yaml", new), ("new/v4.10/c.yaml", new)],
    );
    let Ended { out, code, .. } = opscope(["set", "new", "--before", "old"]).within(&folder).ended();
    assert!(out.contains("✕ `p` in 4.9, 4.10: ") && code == 1, "{out}");
}

#[test]
fn a_catalog_is_what_its_image_serves() {
    let p = fixture::yaml("package p\nc: 1.0.0 <- 1.1.0");
    let folder = folder("sets-images");
    let graph = "schema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1.0.0}]\n";
    write(
        &folder,
        &[
            ("v4.15/catalog/p/catalog.yaml", &*p),
            ("v4.15/catalog.Dockerfile", "FROM registry/opm:v4.15\nadd catalog /configs\n"),
            ("v4.15/graph.yaml", graph),
            ("v4.16/catalog.Dockerfile", "FROM registry/opm:v4.16\nadd catalog /configs\n"),
            ("v4.17/catalog/p/catalog.yaml", &*p),
            ("v4.17/catalog.Dockerfile", "FROM registry/opm:v4.17\nadd catalog /configs\n"),
            ("v4.17/graph.yaml", graph),
        ],
    );
    let Ended { out, code, .. } = opscope(["set", "."]).within(&folder).ended();
    let start = "The package leaves nobody behind on the way from 4.15 to 4.17.\n*: 4.15, 4.17\n4.16: no catalog\n";
    assert!(out.starts_with(start) && code == 0, "{out}");
    let Ended { out, code, .. } = opscope(["validate", "."]).within(&folder).ended();
    assert!(out.contains("valid: 2 packages, 0 errors") && code == 0, "{out}");
}

#[test]
fn templates_stand_in_for_catalogs() {
    let basic = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: p, defaultChannel: c}\n\
                 - schema: olm.channel\n  package: p\n  name: c\n  entries:\n  - {name: p.v1.0.0}\n\
                 - {schema: olm.bundle, image: 'i:1'}\n";
    let semver = "Schema: olm.semver\nStable: {Bundles: [{Image: 'i:1'}]}\n";
    let folder = folder("sets-templates");
    let template = |root: &str, version: &str| format!("{root}/v{version}/catalog-template.yaml");
    let paths = ["basic", "semver"].map(|root| ["4.19", "4.20"].map(|version| template(root, version)));
    let files =
        paths.iter().zip([basic, semver]).flat_map(|(paths, text)| paths.iter().map(move |path| (&**path, text)));
    write(&folder, &files.collect::<Vec<_>>());
    let Ended { out, code, .. } = opscope(["set", "basic"]).within(&folder).ended();
    let said = "expanded from templates: 4.19 to 4.20; where no catalog has an image, its version is ";
    assert!(out.replace('\n', " ").contains(said) && code == 0, "{out}");
    let Ended { errors, code, .. } = opscope(["set", "semver"]).within(&folder).ended();
    let said = "  4.20: only a template, not rendered (`v4.20/catalog-template.yaml`): no catalog of the set has the bundle of \
                `i:1`\n";
    assert!(errors.ends_with(said) && code == 2, "{errors}");
}

#[test]
fn each_catalog_is_validated_by_itself() {
    let Ended { out, errors, code } = run("validate catalogs");
    let said = "opscope: `catalogs` has catalogs for OpenShift 4.9, 4.10, 4.11; each is validated by itself, and `opscope set` \
                says what updates of OpenShift do\n";
    assert_eq!((errors.as_str(), code), (said, 0), "{out}");
}
