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
    assert!(
        errors.starts_with("opscope: no answer: found no catalogs for several versions of OpenShift: expected "),
        "{errors}"
    );
    assert_eq!(code, 2);
    let Ended { errors, code, .. } = run("set twice");
    let expected = "  `4.9` is one catalog, for OpenShift 4.9\n  `v4.9` is one catalog, for OpenShift 4.9\n";
    assert!(errors.contains(expected) && code == 2, "{errors}");
}

#[test]
fn only_new_findings_are_listed_after_a_change() {
    let Ended { out, code, .. } = run("set catalogs --before catalogs");
    assert!(
        out.contains("\n1 finding that was there before is not listed.\n") && !out.contains("set-package-ends"),
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
    assert!(out.contains("valid: 1 package, 0 errors") && code == 0, "{out}");
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
    let said = "Expanded from templates: 4.19 to 4.20; where no catalog has an image, its version is ";
    assert!(out.replace('\n', " ").contains(said) && code == 0, "{out}");
    let Ended { errors, code, .. } = opscope(["set", "semver"]).within(&folder).ended();
    let said = "  4.20: only a template, not rendered (`v4.20/catalog-template.yaml`): no catalog of the set has the bundle of \
                `i:1`\n";
    assert!(errors.ends_with(said) && code == 2, "{errors}");
}

/// The files of bundle directories of a package: their versions, what they replace and their annotation.
fn bundles(package: &str, bundles: &[(&str, &str, &str)]) -> Vec<(String, String)> {
    let prefix = "operators.operatorframework.io.bundle";
    let files = |(version, replaces, range): &(&str, &str, &str)| {
        let csv = format!(
            "kind: ClusterServiceVersion\nmetadata:\n  name: {package}.v{version}\nspec:\n  version: {version}\n  {replaces}\n"
        );
        let annotations =
            format!("annotations:\n  {prefix}.package.v1: {package}\n  {prefix}.channels.v1: alpha\n  {range}\n");
        let folder = format!("operators/{package}/{version}");
        [(format!("{folder}/manifests/csv.yaml"), csv), (format!("{folder}/metadata/annotations.yaml"), annotations)]
    };
    bundles.iter().flat_map(files).collect()
}

#[test]
fn bundle_directories_make_a_catalog_for_each_version() {
    let all = [
        bundles(
            "amber",
            &[
                ("5.15.0", "", "com.redhat.openshift.versions: v4.12"),
                ("5.16.0", "replaces: amber.v5.15.0", "com.redhat.openshift.versions: v4.12-v4.18"),
            ],
        ),
        bundles("blue", &[("1.0.0", "", "com.redhat.openshift.versions: v4.20-v4.21")]),
        bundles("grey", &[("1.0.0", "", "")]),
        bundles(
            "red",
            &[
                ("1.0.0", "", "com.redhat.openshift.versions: v4.21"),
                ("1.1.0", "replaces: red.v1.0.0", "com.redhat.openshift.versions: v4.20"),
            ],
        ),
    ];
    let all = all.concat();
    let files: Vec<(&str, &str)> = all.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = folder("sets-bundles");
    write(&folder, &files);
    let run = |arguments: &str| opscope(arguments.split(' ')).within(&folder).ended();
    let Ended { out, code, .. } = run("set operators/amber");
    let out = out.replace('\n', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "The package leaves somebody behind on the way from 4.12 to 4.22. operators/amber: 4.12, 4.13,",
        "4.12–4.18 5.16.0 ✕, 4.19–4.22 5.15.0",
        "`amber`, channel `alpha`, OpenShift 4.18 → 4.19: what is installed is above `amber.v5.15.0`",
        "(set-installed-ahead) (operators/amber/5.16.0/manifests/csv.yaml:3)",
        "(bundle-range-ends) (operators/amber/5.16.0/metadata/annotations.yaml:4)",
        "Made of bundle directories, by their `com.redhat.openshift.versions`: 4.12 to 4.22",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    assert_eq!(code, 0);
    // The package ends, and what it is in the catalog before cannot be built.
    let Ended { out, code, .. } = run("set operators");
    let out = out.replace('\n', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "blue 4.12–4.19 none, 4.20–4.21 1.0.0 ✕, 4.22 none",
        "(set-package-ends) (operators/blue/1.0.0/manifests/csv.yaml:3)",
        "`red`, OpenShift 4.20: package `red` cannot be built in replaces mode: Invalid bundle red.v1.1.0, replaces nonexistent \
         bundle red.v1.0.0 (unbuilt-package)",
        "grey 4.12–4.22 1.0.0",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    assert_eq!(code, 1);
    let Ended { errors, code, .. } = run("set operators/grey");
    assert!(errors.contains("`operators/grey` is a bundle directory, and ") && code == 2, "{errors}");
    let grey = bundles("grey", &[("1.0.0", "", ""), ("1.1.0", "replaces: grey.v1.0.0", "")]);
    write(&folder, &grey.iter().map(|(path, text)| (&**path, &**text)).collect::<Vec<_>>());
    let Ended { errors, code, .. } = run("set operators/grey");
    let said = "  no bundle directory has the annotation `com.redhat.openshift.versions`: the catalogs of all versions of OpenShift \
                have all bundles, so that there is nothing to compare\n";
    assert!(errors.ends_with(said) && code == 2, "{errors}");
    // A plan goes through them.
    let plan = |to: &str, path: &str| {
        run(&format!("plan --subscribe amber/alpha@5.15.0 --from 4.17 --to {to} --goal head --catalogs {path}"))
    };
    let Ended { out, code, .. } = plan("4.18", "operators/amber");
    assert!(code == 0 && out.contains("`amber.v5.16.0`"), "{out}");
    assert!(out.contains("4.17 (made of bundle directories)"), "{out}");
    let Ended { out, code, .. } = plan("4.19", "operators/amber");
    assert!(code == 1 && out.contains("`amber.v5.16.0` is above `amber.v5.15.0`, the head of channel"), "{out}");
    let Ended { errors, code, .. } = plan("4.18", "operators/grey");
    assert!(code == 2 && errors.contains("`operators/grey`: no bundle directory has the annotation"), "{errors}");
}

#[test]
fn bundle_directories_are_judged_as_the_release_of_opm_that_is_named() {
    let all = bundles(
        "amber",
        &[
            ("1.0.0", "", "com.redhat.openshift.versions: v4.12"),
            ("1.1.0", "replaces: amber.v1.0.0", "com.redhat.openshift.versions: v4.12"),
            ("1.2.0", "replaces: amber.v1.1.0\n  skips: [amber.v1.1.0]", "com.redhat.openshift.versions: v4.14"),
        ],
    );
    let files: Vec<(&str, &str)> = all.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = folder("sets-bundles-opm");
    write(&folder, &files);
    let run = |arguments: &str| opscope(arguments.split(' ')).within(&folder).ended();
    for command in ["set operators/amber", "validate operators/amber"] {
        let codes = ["", " --opm 1.58", " --opm 1.57"].map(|opm| run(&format!("{command}{opm}")).code);
        assert_eq!(codes, [1, 1, 0], "{command}");
    }
}

#[test]
fn each_catalog_is_validated_by_itself() {
    let Ended { out, errors, code } = run("validate catalogs");
    let said = "opscope: `catalogs` has catalogs for OpenShift 4.9, 4.10, 4.11; each is validated by itself, and `opscope set` \
                says what updates of OpenShift do\n";
    assert_eq!((errors.as_str(), code), (said, 0), "{out}");
}
