//! The built command: what it prints and how it ends.

use crate::command::{Ended, file, opscope};
use serde_json::{Value, json};
use std::process::{Command, Stdio};

const CATALOG: &str = "schema: olm.package
name: etcd
defaultChannel: stable
---
schema: olm.channel
package: etcd
name: stable
entries:
- {name: etcd.v1.1.0, replaces: etcd.v1.0.0}
- {name: etcd.v1.0.0}
---
schema: olm.bundle
package: etcd
name: etcd.v1.0.0
image: i
properties: [{type: olm.package, value: {packageName: etcd, version: 1.0.0}}]
---
schema: olm.bundle
package: etcd
name: etcd.v1.1.0
image: i
properties: [{type: olm.package, value: {packageName: etcd, version: 1.1.0}}]
";

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

/// Standard output and exit code.
fn told(arguments: &[&str], input: &str) -> (String, i32) {
    let Ended { out, code, .. } = opscope(arguments).input(input).ended();
    (out, code)
}

#[track_caller]
fn check_failure(arguments: &[&str], stderr: &str) {
    let expected = Ended { out: String::new(), errors: stderr.to_owned(), code: 2 };
    assert_eq!(opscope(arguments).ended(), expected);
}

#[test]
fn a_valid_catalog() {
    let path = file("valid.yaml", CATALOG.as_bytes());
    let expected = "valid: 1 package, 0 errors, 0 warnings, 0 hints\n";
    assert_eq!(told(&["validate", path.to_str().unwrap()], ""), (expected.to_owned(), 0));
}

#[test]
fn an_invalid_catalog_in_text() {
    let path = file("invalid.yaml", CATALOG.replace("defaultChannel: stable", "defaultChannel: beta").as_bytes());
    let shown = path.to_str().unwrap();
    let expected = format!(
        "error[unknown-default-channel]: default channel `beta` of package `etcd` does not exist
 --> {shown}:3:17
  |
3 | defaultChannel: beta
  |                 ^^^^
  |
  = help: choose `stable`
  = note: opm validate says: channel must contain at least one bundle

invalid: 1 package, 1 error, 0 warnings, 0 hints
"
    );
    assert_eq!(told(&["validate", shown], ""), (expected, 1));
}

#[test]
fn an_invalid_catalog_in_json() {
    let path = file("invalid-json.yaml", CATALOG.replace("version: 1.1.0", "version: v1.1.0").as_bytes());
    let shown = path.to_str().unwrap();
    let (text, code) = told(&["validate", shown, "--format", "json"], "");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &report["valid"], report["findings"].as_array().unwrap().len()), (1, &json!(false), 1));
    let finding = &report["findings"][0];
    let expected = json!({
        "rule": "invalid-version", "severity": "error", "file": shown, "line": 22, "column": 70, "package": "etcd", "entry": "etcd.v1.1.0",
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
    let alone = "- {name: etcd.v1.1.0, skipRange: <1.1.0}\n---\nschema: olm.channel\npackage: etcd\nname: old\nentries:\n- {name: etcd.v1.0.1, skips: [etcd.v1.0.0]}";
    let bundle = "---\nschema: olm.bundle\npackage: etcd\nname: etcd.v1.0.1\nimage: i\nproperties: [{type: olm.package, value: {packageName: etcd, version: 1.0.1}}]\n";
    let text = CATALOG.replace("- {name: etcd.v1.1.0, replaces: etcd.v1.0.0}", alone) + bundle;
    let path = file("risky.yaml", text.as_bytes());
    let (text, code) = told(&["validate", path.to_str().unwrap()], "");
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
    check_failure(&["validate", "gone"], "opscope: cannot read `gone`: No such file or directory (os error 2)\n");
    let path = file("empty-of-packages.yaml", b"schema: custom\n");
    let shown = path.to_str().unwrap();
    check_failure(&["graph", shown], &format!("opscope: `{shown}` has no package\n"));
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
    let path = file("graph.yaml", CATALOG.as_bytes());
    let shown = path.to_str().unwrap();
    let (mermaid, code) = told(&["graph", shown], "");
    assert!(mermaid.starts_with("graph LR\n"), "{mermaid}");
    assert!(mermaid.contains(
        "etcd-stable-etcd.v1.0.0[\"etcd.v1.0.0\"]-- replace --> etcd-stable-etcd.v1.1.0[\"etcd.v1.1.0 (head)\"]\n"
    ));
    assert_eq!(code, 0);
    let (dot, _) = told(&["graph", shown, "--format", "dot"], "");
    assert!(dot.starts_with("digraph \"etcd\" {\n"), "{dot}");
    let (text, _) = told(&["graph", shown, "--format", "json", "--package", "etcd"], "");
    let graphs: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(graphs[0]["lanes"][0]["channel"], "stable");
    assert_eq!(graphs[0]["nodes"].as_array().unwrap().len(), 2);
    check_failure(&["graph", shown, "-p", "nope"], &format!("opscope: `{shown}` has no package `nope`\n"));
}

#[test]
fn a_resolution_in_json() {
    let (catalog, cluster) = (file("resolve.yaml", CATALOG.as_bytes()), file("cluster.yaml", CLUSTER.as_bytes()));
    let named = format!("community={}", catalog.display());
    let arguments = ["resolve", "--cluster", cluster.to_str().unwrap(), "--catalog", &named, "--format", "json"];
    let (text, code) = told(&arguments, "");
    let report: Value = serde_json::from_str(&text).unwrap();
    let step = |name: &str, version: &str, replaces: Option<&str>| {
        let mut selected = json!({"name": name, "package": "etcd", "channel": "stable", "catalog": "community", "catalogNamespace": "olm", "version": version});
        if let Some(replaces) = replaces {
            selected["replaces"] = json!(replaces);
        }
        json!({"selected": [selected], "updatedSubscriptions": [format!("my-etcd -> {name}")], "installPlanCreated": true})
    };
    let steps = [step("etcd.v1.0.0", "1.0.0", None), step("etcd.v1.1.0", "1.1.0", Some("etcd.v1.0.0"))];
    assert_eq!(report["outcomes"], json!([{ "steps": steps }]));
    assert_eq!(code, 0);
    let (text, code) = told(&[&arguments[..], &["--steps", "1"]].concat(), "");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((report["outcomes"][0]["steps"].as_array().unwrap().len(), code), (1, 0));
}

#[test]
fn a_resolution_that_goes_round() {
    let text = CATALOG.replace("{name: etcd.v1.0.0}", "{name: etcd.v1.0.0, skipRange: <=1.1.0}");
    let (catalog, cluster) = (file("round.yaml", text.as_bytes()), file("round-cluster.yaml", CLUSTER.as_bytes()));
    let named = format!("community={}", catalog.display());
    let arguments = ["resolve", "--cluster", cluster.to_str().unwrap(), "--catalog", &named];
    let (text, code) = told(&arguments, "");
    let expected = "✕ my-etcd loops: updates in an endless loop: etcd.v1.1.0 → etcd.v1.0.0 → etcd.v1.1.0

step  installs     replaces     channel  catalog
1     etcd.v1.0.0  -            stable   community
2     etcd.v1.1.0  etcd.v1.0.0  stable   community
3     etcd.v1.0.0  etcd.v1.1.0  stable   community
";
    assert_eq!((text.as_str(), code), (expected, 0));
    let (text, _) = told(&[&arguments[..], &["--format", "json"]].concat(), "");
    let report: Value = serde_json::from_str(&text).unwrap();
    let outcome = &report["outcomes"][0];
    assert_eq!((&outcome["goesRound"], &report["bounded"]), (&json!({"from": 2, "to": 3}), &json!(false)));
    assert_eq!(outcome["steps"].as_array().unwrap().len(), 50);
}

#[test]
fn who_answered_is_printed_on_standard_error() {
    let (catalog, cluster) = (file("stats.yaml", CATALOG.as_bytes()), file("stats-cluster.yaml", CLUSTER.as_bytes()));
    let named = format!("community={}", catalog.display());
    let stats = |format: &str| {
        let arguments = ["resolve", "--stats", "--cluster", cluster.to_str().unwrap(), "--catalog", &named];
        opscope([&arguments[..], &["--format", format]].concat()).ended().errors
    };
    let text = stats("text");
    // Two updates, and a third resolution that finds nothing to do: one of them needs a model, which splr finds.
    assert!(text.starts_with("propagation ") && text.ends_with(", splr 1\n"), "{text}");
    assert_eq!(stats("json"), text);
}

#[test]
fn a_catalog_that_the_cluster_does_not_have() {
    let (catalog, cluster) = (file("other.yaml", CATALOG.as_bytes()), file("other-cluster.yaml", CLUSTER.as_bytes()));
    let (named, shown) = (format!("other={}", catalog.display()), cluster.to_str().unwrap());
    let expected = format!("opscope: `{shown}` has no CatalogSource named `other`\n");
    check_failure(&["resolve", "--cluster", shown, "--catalog", &named], &expected);
}

#[test]
fn the_only_catalog_without_a_name_is_that_of_the_only_catalog_source() {
    let (catalog, cluster) = (file("single.yaml", CATALOG.as_bytes()), file("single-cluster.yaml", CLUSTER.as_bytes()));
    let run = |catalog: &str, format: &str| {
        let cluster = cluster.to_str().unwrap();
        let ended = opscope(["resolve", "--cluster", cluster, "--catalog", catalog, "--format", format]).ended();
        (ended.out, ended.errors)
    };
    let notice =
        "opscope: catalog `single.yaml` is used as CatalogSource `community` in `olm`, because there is no other\n";
    for format in ["text", "json"] {
        let (named, _) = run(&format!("community={}", catalog.display()), format);
        assert_eq!(run(catalog.to_str().unwrap(), format), (named, notice.to_owned()));
    }
}

#[test]
fn a_catalog_that_is_not_served_is_said_first() {
    let catalog = file("rejected.yaml", CATALOG.replace("defaultChannel: stable", "defaultChannel: beta").as_bytes());
    let cluster = file("rejected-cluster.yaml", CLUSTER.as_bytes());
    let named = format!("community={}", catalog.display());
    let arguments = ["resolve", "--cluster", cluster.to_str().unwrap(), "--catalog", &named, "--format", "json"];
    let Ended { out, errors: told, code } = opscope(arguments).ended();
    let report: Value = serde_json::from_str(&out).unwrap();
    let opm = "channel must contain at least one bundle";
    assert_eq!(report["notServed"], json!([{"name": "community", "namespace": "olm", "opm": opm}]));
    let blocked = report["blocked"].as_str().unwrap();
    assert!(
        blocked.starts_with("error using catalogsource olm/community: failed to list bundles: rpc error"),
        "{blocked}"
    );
    assert_eq!(report["outcomes"][0]["steps"].as_array().unwrap().len(), 2);
    assert!(
        told.starts_with(&format!(
            "opscope: opm rejects catalog `community`, so a cluster would not serve it: {opm}\n"
        ))
    );
    assert_eq!(code, 1, "OLM resolves nothing");
}

#[test]
fn nothing_is_said_to_nobody() {
    let (catalog, cluster) = (file("closed.yaml", CATALOG.as_bytes()), file("closed-cluster.yaml", CLUSTER.as_bytes()));
    let template = file("closed-template.yaml", b"schema: olm.semver\nstable: {bundles: [{image: i}]}\n");
    let (shown, named) = (catalog.to_str().unwrap(), format!("community={}", catalog.display()));
    let commands = [
        &["validate", shown][..],
        &["validate", shown, "--format", "json"],
        &["validate", shown, "--format", "sarif"],
        &["explain"],
        &["explain", "downgrade", "--format", "json"],
        &["resolve", "--cluster", cluster.to_str().unwrap(), "--catalog", &named],
        &["why", "my-etcd", "--cluster", cluster.to_str().unwrap(), "--catalog", &named],
        &["migrate", "--cluster", cluster.to_str().unwrap(), "--catalog", &named],
        &["path", "etcd", "1.0.0", "1.1.0", "--catalog", shown],
        &["reach", "etcd", "--catalog", shown],
        &["completions", "bash"],
        &["man"],
        &["range", "<1.0.0", "1.0.0"],
        &["cel", "true"],
        &["graph", shown],
        &["graph", shown, "--format", "json"],
        &["template", template.to_str().unwrap(), "--catalog", &named, "--format", "json"],
    ];
    for arguments in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_opscope"));
        let output = command.args(arguments).stdin(Stdio::null()).stdout(writer).output().unwrap();
        assert_eq!(
            (String::from_utf8_lossy(&output.stderr), output.status.code()),
            ("".into(), Some(141)),
            "{arguments:?}"
        );
    }
}

#[test]
fn what_manifests_name_in_vain_is_said() {
    let catalog = file("in-vain.yaml", CATALOG.as_bytes());
    let other = "\n---\nkind: CatalogSource\nmetadata: {name: other, namespace: operators}\n";
    let cluster =
        file("in-vain-cluster.yaml", (CLUSTER.replace("source: community", "source: comunity") + other).as_bytes());
    let (named, shown) = (format!("community={}", catalog.display()), cluster.to_str().unwrap());
    let ended = opscope(["resolve", "--cluster", shown, "--catalog", &named, "--format", "json"]).ended();
    let expected = format!(
        "opscope: {shown}:13:45: the manifests have no CatalogSource `comunity` in namespace `olm`\n\
         opscope: {shown}:16:1: no catalog is loaded for CatalogSource `other` in namespace `operators`\n"
    );
    assert_eq!(ended.errors, expected);
}
