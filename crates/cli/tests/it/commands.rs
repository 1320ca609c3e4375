//! The built command: what it prints and how it ends.

use crate::command::{Ended, catalog, described, file, folder, opscope, write};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

const CLUSTER: &str = "apiVersion: operators.coreos.com/v1alpha1
kind: CatalogSource
metadata: {name: community, namespace: olm}
spec: {sourceType: grpc, image: i}
---
apiVersion: operators.coreos.com/v1
kind: OperatorGroup
metadata: {name: all, namespace: operators}
---
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: my-etcd, namespace: operators}
spec: {name: etcd, channel: stable, source: community, sourceNamespace: olm, startingCSV: etcd.v1.0.0}
";

/// A folder with a catalog, one that opm rejects, and a cluster.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = folder("commands");
    let catalog = catalog("etcd");
    let described = described("etcd");
    let rejected = described.replace("defaultChannel: stable", "defaultChannel: beta");
    write(
        &folder,
        &[
            ("catalog.yaml", &catalog),
            ("described.yaml", &described),
            ("rejected.yaml", &rejected),
            ("cluster.yaml", CLUSTER),
        ],
    );
    folder
});

/// The simulation of the cluster with the catalog.
const RESOLVE: &str = "resolve --cluster cluster.yaml --catalog community=catalog.yaml";

/// Runs a command in the folder.
fn run(arguments: &str) -> Ended {
    opscope(arguments.split(' ')).within(&FOLDER).ended()
}

/// The answer in JSON.
fn report(Ended { out, .. }: &Ended) -> Value {
    serde_json::from_str(out).expect("the answer is JSON")
}

/// Standard output and exit code.
fn told(arguments: &[&str], input: &str) -> (String, i32) {
    let Ended { out, code, .. } = opscope(arguments).input(input).ended();
    (out, code)
}

#[track_caller]
fn check(arguments: &str, out: &str, code: i32) {
    assert_eq!(run(arguments), Ended { out: out.to_owned(), errors: String::new(), code });
}

#[track_caller]
fn check_failure(arguments: &str, stderr: &str) {
    assert_eq!(run(arguments), Ended { out: String::new(), errors: stderr.to_owned(), code: 2 });
}

#[test]
fn a_valid_catalog() {
    check("validate described.yaml", "valid: 1 package, 0 errors, 0 warnings, 0 hints\n", 0);
}

#[test]
fn an_invalid_catalog_in_text() {
    check(
        "validate rejected.yaml",
        "error[unknown-default-channel]: default channel `beta` of package `etcd` does not exist
 --> rejected.yaml:4:17
  |
4 | defaultChannel: beta
  |                 ^^^^
  |
  = help: choose `stable`
  = note: opm validate says: channel must contain at least one bundle

invalid: 1 package, 1 error, 0 warnings, 0 hints
",
        1,
    );
}

#[test]
fn an_invalid_catalog_in_json() {
    write(
        &FOLDER,
        &[(
            "version.yaml",
            &fixture::yaml(
                "package etcd\nstable: etcd.v1.1.0 (version v1.1.0; property olm.csv.metadata {displayName: E})",
            ),
        )],
    );
    let ended = run("validate version.yaml --format json");
    let report = report(&ended);
    assert_eq!((ended.code, &report["valid"], report["findings"].as_array().unwrap().len()), (1, &json!(false), 1));
    let finding = &report["findings"][0];
    let expected = json!({
        "rule": "invalid-version", "severity": "error", "file": "version.yaml", "line": 17, "column": 59, "package": "etcd", "entry": "etcd.v1.1.0",
        "message": "`v1.1.0` is not a valid version: Invalid character(s) found in major number \"v1\"",
        "help": "write `major.minor.patch`, without `v` and without leading zeros",
        "opm": "error parsing bundle \"etcd.v1.1.0\" version \"v1.1.0\": Invalid character(s) found in major number \"v1\"",
    });
    for key in ["rule", "severity", "file", "line", "column", "package", "entry", "message", "help", "opm"] {
        assert_eq!(finding[key], expected[key], "{key}");
    }
}

#[test]
fn a_risk_alone_leaves_a_catalog_valid() {
    let risky = fixture::yaml("package etcd\nstable: 1.1.0 (skipRange <1.1.0)\nold: 1.0.1 (skips 1.0.0), 1.0.0");
    write(&FOLDER, &[("risky.yaml", &risky)]);
    let Ended { out: text, code, .. } = run("validate risky.yaml");
    assert!(text.contains("warning[skip-range-pruning]: `etcd.v1.1.0` has skipRange `<1.1.0`"), "{text}");
    assert_eq!(code, 0);
}

#[test]
fn a_binary_file_is_a_finding() {
    let path = file("binary", [0, 159, 146, 150]);
    let (text, code) = told(&["validate", path.to_str().unwrap()], "");
    assert!(text.starts_with("error[unreadable-file]: "), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn nothing_to_read_is_no_answer() {
    check_failure("validate gone", "opscope: cannot read `gone`: No such file or directory (os error 2)\n");
    write(&FOLDER, &[("empty-of-packages.yaml", "schema: custom\n")]);
    check_failure("graph empty-of-packages.yaml", "opscope: `empty-of-packages.yaml` has no package\n");
}

#[test]
fn ranges() {
    let expected = ">=1.0.0 <2.0.0\n1.5.0: yes\n2.0.0: no\nv1: not a version\n";
    assert_eq!(told(&["range", "1.x", "1.5.0", "2.0.0", "v1"], ""), (expected.to_owned(), 0));
    let expected = "error: Could not parse Range \"^1.0.0\": Could not parse comparator \"^\" in \"^1.0.0\"\n";
    assert_eq!(told(&["range", "^1.0.0"], ""), (expected.to_owned(), 1));
}

#[test]
fn rules() {
    let properties = file("properties.yaml", b"- type: tier\n  value: {level: 2}\n");
    let properties = properties.to_str().expect("the folder for tests has a plain name");
    let rule = "properties.exists(p, p.value.level > 1)";
    assert_eq!(told(&["cel", rule, "--properties", properties], ""), ("true\n".to_owned(), 0));
    let expected = "false, because of an error: index out of bounds: 0\n";
    assert_eq!(told(&["cel", "properties[0].type == \"a\""], ""), (expected.to_owned(), 1));
    assert_eq!(told(&["cel", "1"], ""), ("cel expressions must have type Bool\n".to_owned(), 1));
    let zone = "timestamp(0).getHours(\"Europe/Madrid\") == 1";
    assert_eq!(told(&["cel", zone], ""), (String::new(), 2));
}

#[test]
fn rules_by_the_line() {
    let input = "{\"rule\":\"size(properties) == 1\",\"properties\":[{\"type\":\"a\",\"value\":1}]}\n\n{\"rule\":\"1\"}\n{\"rule\":\"1 / 0 == 1\"}\n";
    let expected = "{\"result\":true}\n{\"compileError\":\"cel expressions must have type Bool\"}\n{\"evalError\":\"division by zero\"}\n";
    assert_eq!(told(&["cel", "--jsonl"], input), (expected.to_owned(), 0));
    assert_eq!(told(&["cel", "--jsonl"], "{}\n").1, 2);
}

#[test]
fn ranges_by_the_line() {
    let input = "{\"range\":\"<1.0.0 || || 2.0.0\",\"versions\":[\"0.1.0\",\"2.0.0\"]}\n\n{\"range\":\"\"}\n";
    let expected = "{\"match\":{\"0.1.0\":true,\"2.0.0\":\"panic\"}}\n{\"error\":\"Last element in range is '||'\"}\n";
    assert_eq!(told(&["range", "--jsonl"], input), (expected.to_owned(), 0));
    assert_eq!(told(&["range", "--jsonl"], "{}\n").1, 2);
}

#[test]
fn graphs() {
    let Ended { out: mermaid, code, .. } = run("graph catalog.yaml");
    assert!(mermaid.starts_with("graph LR\n"), "{mermaid}");
    assert!(mermaid.contains(
        "etcd-stable-etcd.v1.0.0[\"etcd.v1.0.0\"]-- replace --> etcd-stable-etcd.v1.1.0[\"etcd.v1.1.0 (head)\"]\n"
    ));
    assert_eq!(code, 0);
    let dot = run("graph catalog.yaml --format dot").out;
    assert!(dot.starts_with("digraph \"etcd\" {\n"), "{dot}");
    let graphs = report(&run("graph catalog.yaml --format json --package etcd"));
    assert_eq!(graphs[0]["lanes"][0]["channel"], "stable");
    assert_eq!(graphs[0]["nodes"].as_array().unwrap().len(), 2);
    check_failure("graph catalog.yaml -p nope", "opscope: `catalog.yaml` has no package `nope`\n");
}

#[test]
fn a_resolution_in_json() {
    let ended = run(&format!("{RESOLVE} --format json"));
    let step = |name: &str, version: &str, replaces: Option<&str>| {
        let mut selected = json!({"name": name, "package": "etcd", "channel": "stable", "catalog": "community", "catalogNamespace": "olm", "version": version});
        if let Some(replaces) = replaces {
            selected["replaces"] = json!(replaces);
        }
        json!({"selected": [selected], "updatedSubscriptions": [format!("my-etcd -> {name}")], "installPlanCreated": true})
    };
    let steps = [step("etcd.v1.0.0", "1.0.0", None), step("etcd.v1.1.0", "1.1.0", Some("etcd.v1.0.0"))];
    assert_eq!((&report(&ended)["outcomes"], ended.code), (&json!([{ "steps": steps, "failures": [] }]), 0));
    let ended = run(&format!("{RESOLVE} --format json --steps 1"));
    assert_eq!((report(&ended)["outcomes"][0]["steps"].as_array().unwrap().len(), ended.code), (1, 0));
}

#[test]
fn a_resolution_that_goes_round() {
    let round = fixture::yaml("package etcd\nstable: 1.1.0 (replaces 1.0.0), 1.0.0 (skipRange <=1.1.0)");
    write(&FOLDER, &[("round.yaml", &round)]);
    let command = "resolve --cluster cluster.yaml --catalog community=round.yaml";
    let expected = "✕ my-etcd loops: updates in an endless loop: etcd.v1.1.0 → etcd.v1.0.0 → etcd.v1.1.0

step  installs     replaces     channel  catalog
1     etcd.v1.0.0  -            stable   community
2     etcd.v1.1.0  etcd.v1.0.0  stable   community
3     etcd.v1.0.0  etcd.v1.1.0  stable   community
";
    check(command, expected, 0);
    let report = report(&run(&format!("{command} --format json")));
    let outcome = &report["outcomes"][0];
    assert_eq!((&outcome["goesRound"], &report["bounded"]), (&json!({"from": 2, "to": 3}), &json!(false)));
    assert_eq!(outcome["steps"].as_array().unwrap().len(), 50);
}

#[test]
fn who_answered_is_printed_on_standard_error() {
    let text = run(&format!("{RESOLVE} --stats")).errors;
    // Two updates, and a third resolution that finds nothing to do: one of them needs a model, which splr finds.
    assert!(text.starts_with("propagation ") && text.ends_with(", splr 1\n"), "{text}");
    assert_eq!(run(&format!("{RESOLVE} --stats --format json")).errors, text);
}

#[test]
fn a_catalog_that_the_cluster_does_not_have() {
    let expected = "opscope: `cluster.yaml` has no CatalogSource named `other`\n";
    let command = "resolve --cluster cluster.yaml --catalog community=catalog.yaml --catalog other=catalog.yaml";
    check_failure(command, expected);
}

#[test]
fn the_only_catalog_is_that_of_the_only_catalog_source() {
    let notice = "catalog `catalog.yaml` is used as CatalogSource `community` in `olm`, because there is no other";
    let command = "resolve --cluster cluster.yaml --catalog catalog.yaml";
    let text = run(command).out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(&format!("note: {notice}")), "{text}");
    let (mut paired, named) =
        (report(&run(&format!("{command} --format json"))), report(&run(&format!("{RESOLVE} --format json"))));
    assert_eq!(paired.as_object_mut().unwrap().remove("notices"), Some(json!([notice])));
    assert_eq!(paired, named);
}

#[test]
fn a_catalog_that_is_not_served_is_said_first() {
    let ended = run("resolve --cluster cluster.yaml --catalog community=rejected.yaml --format json");
    let report = report(&ended);
    let opm = "channel must contain at least one bundle";
    assert_eq!(report["notServed"], json!([{"name": "community", "namespace": "olm", "opm": opm}]));
    let blocked = report["blocked"].as_str().unwrap();
    assert!(
        blocked.starts_with("error using catalogsource olm/community: failed to list bundles: rpc error"),
        "{blocked}"
    );
    assert_eq!(report["outcomes"][0]["steps"].as_array().unwrap().len(), 2);
    let said = format!("opscope: opm rejects catalog `community`, so a cluster would not serve it: {opm}\n");
    assert!(ended.errors.starts_with(&said), "{ended:?}");
    assert_eq!(ended.code, 1, "OLM resolves nothing");
}

#[test]
fn nothing_is_said_to_nobody() {
    write(&FOLDER, &[("template.yaml", "schema: olm.semver\nstable: {bundles: [{image: i}]}\n")]);
    for arguments in [
        "validate catalog.yaml",
        "validate catalog.yaml --format json",
        "validate catalog.yaml --format sarif",
        "explain",
        "explain downgrade --format json",
        RESOLVE,
        "why my-etcd --cluster cluster.yaml --catalog community=catalog.yaml",
        "migrate --cluster cluster.yaml --catalog community=catalog.yaml",
        "path etcd 1.0.0 1.1.0 --catalog catalog.yaml",
        "reach etcd --catalog catalog.yaml",
        "completions bash",
        "man",
        "range <1.0.0 1.0.0",
        "cel true",
        "graph catalog.yaml",
        "graph catalog.yaml --format json",
        "template template.yaml --catalog community=catalog.yaml --format json",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_opscope"));
        command.args(arguments.split(' ')).current_dir(&*FOLDER).stdin(Stdio::null());
        let output = command.stdout(writer).output().unwrap();
        assert_eq!(
            (String::from_utf8_lossy(&output.stderr), output.status.code()),
            ("".into(), Some(141)),
            "{arguments}"
        );
    }
}

#[test]
fn what_manifests_name_in_vain_is_said() {
    let other = "\n---\nkind: CatalogSource\nmetadata: {name: other, namespace: operators}\n";
    let cluster = CLUSTER.replace("source: community", "source: comunity") + other;
    write(&FOLDER, &[("in-vain.yaml", &cluster)]);
    let ended = run("resolve --cluster in-vain.yaml --catalog community=catalog.yaml --format json");
    let expected = "opscope: in-vain.yaml:13:45: the manifests have no CatalogSource `comunity` in namespace `olm`\n\
                    opscope: in-vain.yaml:16:1: no catalog is loaded for CatalogSource `other` in namespace `operators`\n";
    assert_eq!(ended.errors, expected);
}
