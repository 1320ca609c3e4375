//! `opscope explain`: one rule, all rules, and texts that name none.

use crate::command::opscope;
use serde_json::Value;

fn told(arguments: &[&str]) -> String {
    let ended = opscope([&["explain"], arguments].concat()).ended();
    assert_eq!(ended.code, 0, "{ended:?}");
    ended.out
}

#[test]
fn one_rule() {
    let expected = "error[slash-in-channel]: The name of a channel contains `/`.

OLM joins four names with `/` to an identifier and splits it again. For a bundle of such a channel
this fails with \"unable to parse identifier\", so OLM can install nothing from the channel. `opm`
accepts the name.

Fails

    schema: olm.channel
    package: p
    name: stable/v1
    #     ^^^^^^^^^ error[slash-in-channel]
    entries: [{name: p.v1.0.0}]

Passes

Use `-` or `.` instead.

    schema: olm.channel
    package: p
    name: stable-v1
    entries: [{name: p.v1.0.0}]

Source: OLM `pkg/controller/registry/resolver/resolver.go`, `bundleVariable.BundleSourceInfo`.
";
    assert_eq!(told(&["slash-in-channel"]), expected);
}

#[test]
fn all_rules() {
    let list = told(&[]);
    let json: Value = serde_json::from_str(&told(&["--format", "json"])).unwrap();
    let (findings, comparison) = list.split_once("\n\nRules of `opscope compare`\n").unwrap();
    for (lines, kind, says) in [(findings, "findings", "summary"), (comparison, "comparison", "about")] {
        let docs = json[kind].as_array().unwrap();
        assert_eq!(lines.lines().count(), docs.len());
        for (line, doc) in lines.lines().zip(docs) {
            assert!(line.starts_with(doc["id"].as_str().unwrap()) && line.ends_with(doc[says].as_str().unwrap()));
        }
    }
}

#[test]
fn since_when() {
    assert!(told(&["invalid-range"]).contains("\nReported by opm since v1.69.0.\n"));
    let json: Value = serde_json::from_str(&told(&["invalid-range", "--format", "json"])).unwrap();
    assert_eq!(json["since"], "v1.69.0");
}

#[test]
fn colours_where_they_are_asked_for() {
    let coloured =
        |value: &str| opscope(["explain", "downgrade"]).env("CLICOLOR_FORCE", value).ended().out.contains('\u{1b}');
    assert!(coloured("1") && !coloured("0") && !told(&["downgrade"]).contains('\u{1b}'));
}

#[test]
fn a_misspelt_rule() {
    let ended = opscope(["explain", "downgrad"]).ended();
    assert_eq!(ended.code, 2);
    assert!(ended.errors.contains("a similar value exists: 'downgrade'"), "{ended:?}");
}

#[test]
fn rules_of_comparisons_are_explained() {
    let text = told(&["v0-stranded"]);
    let expected = "breaking[v0-stranded]: The version is stuck; before, it was updated or was the head.\n\nNothing on the cluster";
    assert!(text.starts_with(expected) && text.contains("`v0-stranded: off`"), "{text}");
    let expected = "{\n  \"id\": \"head-changed\",\n  \"level\": \"neutral\",";
    assert!(told(&["head-changed", "--format", "json"]).starts_with(expected));
    assert!(told(&[]).contains("\nRules of `opscope compare`\nv0-package-gone "));
}
