//! How answers look: colours, pipes that nobody reads, scripts for shells, SARIF and HTML.

use crate::command::{catalog, folder, opscope, write};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

const CLUSTER: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
---
kind: Subscription
metadata: {name: my-etcd, namespace: operators}
spec: {name: etcd, channel: stable, source: community, sourceNamespace: olm}
";

/// A folder with a catalog, a template and a cluster.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = folder("output");
    let template = "schema: olm.semver\nstable: {bundles: [{image: i}]}\n";
    write(&folder, &[("catalog.yaml", &catalog("etcd")), ("cluster.yaml", CLUSTER), ("template.yaml", template)]);
    folder
});

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let question = "path etcd 1.0.0 1.1.0 --catalog catalog.yaml";
    let is_coloured = |arguments: &str, environment: &[(&str, &str)]| {
        let run = opscope(arguments.split(' ')).within(&FOLDER);
        let run = environment.iter().fold(run, |run, (name, value)| run.env(name, value));
        run.ended().out.starts_with("\x1b[1;92m✓ \x1b[0m")
    };
    assert!(!is_coloured(question, &[]), "a pipe");
    assert!(is_coloured(question, &[("CLICOLOR_FORCE", "1")]));
    assert!(!is_coloured(question, &[("CLICOLOR_FORCE", "0")]));
    assert!(!is_coloured(question, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(is_coloured(&format!("{question} --color always"), &[("NO_COLOR", "1")]));
    assert!(!is_coloured(&format!("{question} --color never"), &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn scripts_and_manual_pages_know_all_commands() {
    let answer = |arguments: &[&str]| {
        let ended = opscope(arguments).ended();
        (ended.out, ended.code)
    };
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (text, code) = answer(&["completions", shell]);
        assert!(code == 0 && text.contains("subscribe") && text.contains("reach"), "{shell}");
    }
    let (page, code) = answer(&["man"]);
    assert!(code == 0 && page.contains("opscope\\-cluster(1)"), "{page}");
    let page = answer(&["man", "path"]).0;
    let parts =
        ["Show how OLM updates one version to another", ".SH EXAMPLES", ".SH \"EXIT STATUS\"", "opscope path catalog/"];
    assert!(parts.iter().all(|part| page.contains(part)), "{page}");
}

#[test]
fn every_rule_is_explained() {
    let list = opscope(["explain"]).ended().out;
    let json: Value = serde_json::from_str(&opscope(["explain", "--format", "json"]).ended().out).unwrap();
    let (rules, states) = list.split_once("\n\nStates of namespaces\n").unwrap();
    assert!(states.lines().any(|line| line.starts_with("csv-gone ") && line.ends_with(" stuck")), "{states}");
    let (findings, comparison) = rules.split_once("\n\nRules of `opscope compare`\n").unwrap();
    for (lines, kind, says) in [(findings, "findings", "summary"), (comparison, "comparison", "about")] {
        let docs = json[kind].as_array().unwrap();
        assert_eq!(lines.lines().count(), docs.len());
        for (line, doc) in lines.lines().zip(docs) {
            assert!(line.starts_with(doc["id"].as_str().unwrap()) && line.ends_with(doc[says].as_str().unwrap()));
        }
    }
}

#[test]
fn nothing_is_said_to_nobody() {
    for arguments in [
        "validate catalog.yaml",
        "validate catalog.yaml --format json",
        "validate catalog.yaml --format sarif",
        "explain",
        "explain downgrade --format json",
        "resolve --cluster cluster.yaml --catalog community=catalog.yaml",
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

/// What the schema of SARIF 2.1.0 asks of the parts that we write.
#[test]
fn sarif_keeps_to_its_schema() {
    let folder = folder("sarif-schema");
    std::fs::create_dir_all(folder.join("é #1")).unwrap();
    let broken =
        "schema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1, skips: [p.v1]}, {name: p.v1}]\n---\nx: [\n";
    for (name, text) in
        [("é #1/a b.yaml", "schema: custom\nname: a\nname: b\n"), ("broken.yaml", broken), ("empty.yaml", "")]
    {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let run = opscope(["validate", "sarif-schema", "--format", "sarif"]).within(env!("CARGO_TARGET_TMPDIR").as_ref());
    let log: Value = serde_json::from_str(&run.ended().out).unwrap();
    let levels = [json!("error"), json!("warning"), json!("note")];
    let is_text = |text: &Value| text.as_str().is_some_and(|text| !text.is_empty());
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        assert!(
            ["shortDescription", "fullDescription", "help"].iter().all(|text| is_text(&rule[text]["text"])),
            "{rule}"
        );
        assert!(levels.contains(&rule["defaultConfiguration"]["level"]), "{rule}");
    }
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() > 4, "{results:?}");
    let mut uris = BTreeSet::new();
    for result in results {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
        assert!(levels.contains(&result["level"]) && is_text(&result["message"]["text"]), "{result}");
        let related = result["relatedLocations"].as_array().cloned().unwrap_or_default();
        let distinct: BTreeSet<String> = related.iter().map(Value::to_string).collect();
        assert_eq!(distinct.len(), related.len(), "each of them once");
        for location in result["locations"].as_array().unwrap().iter().chain(&related) {
            let place = &location["physicalLocation"];
            let number = |name: &str| place["region"][name].as_u64().unwrap();
            let start = (number("startLine"), number("startColumn"));
            let end = (number("endLine"), number("endColumn"));
            assert!(start >= (1, 1) && start.1 >= 1 && end.1 >= 1 && start <= end, "{place}");
            uris.insert(place["artifactLocation"]["uri"].as_str().unwrap().to_owned());
        }
    }
    let expected = ["broken.yaml", "empty.yaml", "%C3%A9%20%231/a%20b.yaml"].map(|path| format!("sarif-schema/{path}"));
    assert_eq!(uris, BTreeSet::from(expected));
}

#[test]
fn html_is_one_file_in_which_names_are_text() {
    let within = folder("review-html");
    let hostile = "<script>alert(1)</script><!--picture 1-->";
    let after =
        fixture::yaml("package p\nstable: 1.1.0 (skipRange >=1.0.1 <1.1.0)").replace("stable", &format!("'{hostile}'"));
    let before =
        fixture::yaml("package p\nstable: 1.1.0 (replaces 1.0.0), 1.0.0").replace("stable", &format!("'{hostile}'"));
    write(&within, &[("before.yaml", &before), ("after.yaml", &after)]);
    let arguments = ["review", "after.yaml", "--before", "before.yaml", "--format", "html"];
    let html = opscope(arguments).within(&within).ended().out;
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("&lt;script&gt;"), "{html}");
    assert!(!html.contains("<script") && !html.contains("<!--picture"), "{html}");
    assert_eq!(html.matches("data:image/svg+xml;base64,").count(), 2, "light and dark");
    for elsewhere in ["http:", "https:", "src=\"//", "url("] {
        assert!(!html.contains(elsewhere), "{elsewhere}");
    }
}

#[test]
fn control_characters_are_as_they_are_in_json() {
    let folder = folder("control");
    let catalog = r#"{"schema": "olm.package", "name": "etcd", "description": "x\u007fy\u0085z\u009b1m\b"}"#;
    write(&folder, &[("catalog.json", catalog)]);
    let (out, errors, code) = opscope(["render", "catalog.json"]).within(&folder).ended().parts();
    assert!(out.contains("\"description\": \"x\u{7f}y\u{85}z\u{9b}1m\\b\"\n"), "{out:?}");
    assert_eq!((&*errors, code), ("", 0));
}

/// Every command and format has the same edits for the stuck versions of the example, in the same order.
#[test]
fn all_commands_and_formats_have_the_same_repairs() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    let catalog = "--catalog community=catalog";
    let commands = [
        "repair catalog".to_owned(),
        "repair catalog --since before".to_owned(),
        "repair catalog --format markdown".to_owned(),
        "compare before catalog".to_owned(),
        "compare before catalog --format markdown".to_owned(),
        "compare before catalog --format json".to_owned(),
        "compare before catalog --format sarif".to_owned(),
        "compare before catalog --format github".to_owned(),
        format!("reach clusterpulse --stuck {catalog}"),
        format!("reach clusterpulse --stuck {catalog} --format markdown"),
        format!("reach clusterpulse --stuck {catalog} --format json"),
        format!("path clusterpulse 0.2.1 0.3.0 {catalog}"),
    ];
    for command in commands {
        let ended = opscope(command.split(' ')).within(&examples).ended();
        // Lines are wrapped, and Markdown sets names in other marks.
        let text: String = ended
            .out
            .replace("\\", "")
            .replace("&gt;", ">")
            .replace("&lt;", "<")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{command}: no {words} in {text}"));
        let range = place(">=0.1.1 <0.3.0");
        let unskip = place("out of `skips` of `clusterpulse.v0.3.0`");
        assert!(range < unskip && !text.contains(">=0.2.1 <0.3.0"), "{command}: {text}");
    }
    // Who has a cluster reports the best one.
    let resolve = format!("resolve --cluster cluster.yaml {catalog}");
    let ended = opscope(resolve.split(' ')).within(&examples).ended();
    assert!(ended.out.contains("`>=0.1.1 <0.3.0`") && !ended.out.contains("out of `skips`"), "{ended:?}");
}
